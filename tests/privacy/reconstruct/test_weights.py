"""The weights invert the disguise exactly, whatever the blocks."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.estimate.weights import channel_of, factors, obstacle
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.privacy.channels import NAMED, Record, declared, inputs

MIXED = {
    "blocks": [
        {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.2}]},
        {"flips": [0.5, 0.3, 0.2], "items": [{"id": "f"}, {"id": "g"}]},
        {"keep": 0.6, "items": [{"id": "o", "theta": 0.3}]},
    ]
}
EACH = {name: Design.parse({"blocks": [block]}) for name, block in NAMED.items()} | {
    "three blocks": Design.parse(MIXED)
}
# In a public order each record counts by its places: tests/privacy/reconstruct/test_by_order.py holds it to the same.
DESIGNS = {
    name: design for name, design in EACH.items() if not any(block.patterns.by_record for block in design.blocks)
}


def patterns(design: Design) -> list[Pattern]:
    """Conjunctions of single options, of all lengths that can be estimated; yes stands for both answers of an item."""
    choices = [[None, *range(1 if len(item.options) == 2 else 0, len(item.options))] for item in design.items]
    estimable = []
    for row in product(*choices):
        literals = tuple((c, frozenset([o])) for c, o in enumerate(row) if o is not None)
        if literals and not obstacle(design, Pattern(literals), "stratified"):
            estimable.append(Pattern(literals))
    return estimable


@cache
def sent(design: Design, truth: Record) -> dict[Record, float]:
    """The probability of every record of the whole design."""
    rows: dict[Record, float] = {(): 1.0}
    for block, first in zip(design.blocks, design.first_columns, strict=True):
        own = declared(block, truth[first : first + len(block.items)])
        rows = {row + more: p * float(q) for row, p in rows.items() for more, q in own.items()}
    return rows


def state(design: Design, pattern: Pattern, record: Record) -> int | None:
    """The record's state, None if it was not asked all of the pattern."""
    if any(record[column] >= len(design.items[column].options) for column in pattern.columns):
        return None
    atoms = [atom for part in factors(design, pattern) for atom in part.atoms]
    bits = ["01"[all(record[column] in options for column, options in atom)] for atom in atoms]
    return int("".join(bits) or "0", 2)


def means(design: Design, pattern: Pattern, share: float) -> tuple[list[float], list[float]]:
    """For every truth, the mean weight of its records that were asked all of the pattern, and its own."""
    (table,) = channel_of([factors(design, pattern)]).weights(share)
    disguised, direct = [], []
    for truth in inputs(design):
        rows = [(state(design, pattern, record), p) for record, p in sent(design, truth).items()]
        asked = [(table[place], p) for place, p in rows if place is not None]
        disguised.append(sum(weight * p for weight, p in asked) / sum(p for _, p in asked))
        direct.append(float(table[state(design, pattern, truth)]))
    return disguised, direct


def truths(design: Design, pattern: Pattern) -> list[float]:
    return [float(all(truth[c] in options for c, options in pattern.literals)) for truth in inputs(design)]


@pytest.mark.parametrize("k", [0.0, 0.3])
@pytest.mark.parametrize("name", DESIGNS)
def test_the_mean_weight_of_the_records_sent_tells_whether_the_truth_matches(name: str, k: float) -> None:
    """Σ_y P(y|x) w(y) = 1[x matches] among those asked, for every truth x and every pattern.

    With k direct and 1 − k disguised records the pooled weights are right in total, though in neither group.
    """
    design = DESIGNS[name]
    for pattern in patterns(design):
        disguised, direct = means(design, pattern, k)

        total = [k * own + (1 - k) * other for own, other in zip(direct, disguised, strict=True)]
        assert total == pytest.approx(truths(design, pattern), abs=1e-12)


def test_many_patterns_of_one_shape_are_computed_as_one_by_one() -> None:
    """A batch of weights is the stack of its rows, each with its own direct share."""
    design = DESIGNS["three blocks"]
    batch = [factors(design, parse_pattern(text, design)) for text in ("a,f,g", "!b,f,!g", "a,b,!f,!g")]
    shares = np.array([0.0, 0.2, 1.0])

    together = channel_of(batch).weights(shares)

    alone = np.concatenate([channel_of([parts]).weights(share) for parts, share in zip(batch, shares, strict=True)])
    np.testing.assert_allclose(together, alone, rtol=1e-14)


def test_states_go_through_the_channel_as_records_do() -> None:
    """What a design does to the states of a pattern is what its blocks do to the records, and `back` transposes it."""
    design = DESIGNS["three blocks"]
    pattern = parse_pattern("a,!b,f,g,!o", design)
    channel = channel_of([factors(design, pattern)])
    size = 2**4
    seen = np.concatenate([channel.disguise(row[np.newaxis]) for row in np.eye(size)])
    for truth in inputs(design):
        expected = np.zeros(size)
        for record, p in sent(design, truth).items():
            expected[state(design, pattern, record)] += p
        np.testing.assert_allclose(seen[state(design, pattern, truth)], expected, atol=1e-12)

    back = np.concatenate([channel.disguise(row[np.newaxis], back=True) for row in np.eye(size)])
    np.testing.assert_allclose(back, seen.T, atol=1e-14)


@pytest.mark.parametrize(
    ("design", "pattern", "estimator", "said"),
    [
        (
            {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": list("abcd"), "ask": 2},
            "a,b,c",
            "pooled",
            "Pattern 'a,b,c' holds 3 items of blocks[0], which asks each respondent only 2 of its items, so nobody "
            "answered all of it.",
        ),
        (
            {"model": "flip", "gamma": 19, "radius": 2, "items": list("abcdefghij")},
            "a,b,c,d",
            "stratified",
            "Pattern 'a,b,c,d': these flips leave nothing of 4 answers taken together (a_m = 0), so the pattern is "
            "unidentified.",
        ),
        (
            {"direct": True, "blocks": [{"keep": 0, "items": [{"id": "a", "theta": 0.5}]}]},
            "a",
            "combined",
            "Pattern 'a': keep = 0 keeps nothing of a in a disguised record; only 'pooled' works.",
        ),
    ],
)
def test_what_cannot_be_reconstructed_is_named(design: dict, pattern: str, estimator: str, said: str) -> None:
    """The reason stands in one sentence: too long for those asked, unidentified flips, nothing kept."""
    parsed = Design.parse(design)

    assert obstacle(parsed, parse_pattern(pattern, parsed), estimator) == said


# Different blocks that do the same are reconstructed to the same figures, and parts add up to their whole.


CODES = np.random.default_rng(1988).integers(0, 2, (300, 3)).astype(np.uint8)
DIRECT = np.arange(300) < 60


def figures(block: dict, pattern: str, estimator: str, codes: np.ndarray = CODES) -> tuple[float, float]:
    design = Design.parse({"direct": True, "blocks": [block]})
    records = Records(design, codes[:, : len(design.items)], DIRECT[: len(codes)])
    (estimate,) = reconstruct(records, [pattern], estimator=estimator).patterns
    return estimate.support, estimate.se


shares = st.floats(0.05, 0.95)
blocks = st.one_of(
    st.builds(
        lambda keep, thetas: {
            "keep": keep,
            "items": [{"id": name, "theta": theta} for name, theta in zip("abc", thetas, strict=True)],
        },
        shares,
        st.tuples(shares, shares, shares),
    ),
    st.builds(
        lambda p, theta: {"model": "unrelated-question", "p": p, "theta": theta, "items": ["a", "b", "c"]},
        shares,
        shares,
    ),
    st.builds(lambda gamma: {"model": "flip", "gamma": gamma, "radius": 0, "items": ["a", "b", "c"]}, st.floats(2, 50)),
)


@given(
    blocks,
    st.sampled_from(["stratified", "pooled"]),
    st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=40),
)
def test_a_support_is_the_sum_of_its_parts(block: dict, estimator: str, rows: list[tuple[int, int, int]]) -> None:
    """sup(A) = sup(A C) + sup(A ¬C), raw, whatever the disguise and the records."""
    codes = np.array(rows, np.uint8)

    whole, with_c, without_c = (figures(block, text, estimator, codes)[0] for text in ("a,!b", "a,!b,c", "a,!b,!c"))

    assert whole == pytest.approx(with_c + without_c, rel=1e-9, abs=1e-6)
