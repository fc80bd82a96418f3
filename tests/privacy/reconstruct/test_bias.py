"""How far figures of a list with a cap may lie from the truth is said, and is no less than they do."""

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design import ONE, Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.cases import first

NAMES = [f"q{number}" for number in range(10)]
LIST = candor.models.one_of(NAMES, gamma=19, cap=2, longest=2, direct=False)
(BLOCK,) = LIST.blocks
CELLS = ["!q0,!q1", "!q0,q1", "q0,!q1", "q0,q1"]


def people() -> np.ndarray:
    """Of 20 000 people 5 % say yes to everything, and are far above the cap."""
    chance = np.random.default_rng(1)
    return ((chance.random((20_000, 10)) < 0.02) | (chance.random((20_000, 1)) < 0.05)).astype(np.uint8)


def survey(count: int, sent: np.ndarray, chance: np.random.Generator) -> Records:
    codes = np.repeat(BLOCK.records, chance.multinomial(count, sent), axis=0).astype(np.uint8)
    return Records(LIST, codes, np.zeros(count, bool))


@pytest.fixture(scope="module")
def sent() -> np.ndarray:
    named = BLOCK.numerators(people()).mean(axis=0) / ONE
    return np.append(named, 1 - named.sum())


def test_a_bias_is_seldom_more_than_is_printed(sent: np.ndarray) -> None:
    """In one of forty surveys of 1 000 people at most, as the end of an interval has it, within three errors of 40."""
    word, chance = BLOCK.words[0], np.random.default_rng(2)
    true = people()[:, 0].mean() - (sent[0] - word.base / ONE) / (word.added / ONE)

    printed = [candor.reconstruct(survey(1_000, sent, chance), ["q0"]).patterns[0].bias for _ in range(40)]

    assert true > 0.01
    assert sum(bias is None or bias < true for bias in printed) / 40 < 0.025 + 3 * (0.025 * 0.975 / 40) ** 0.5


def test_a_table_says_the_largest_bias_of_its_cells(sent: np.ndarray) -> None:
    """In text and JSON, whether respondents were drawn alike or not; of other disguises nothing is said."""
    records = survey(3_000, sent, np.random.default_rng(3))
    largest = max(row.bias or 0.0 for row in candor.reconstruct(records, CELLS).patterns)
    others = candor.models.warner(["q0", "q1"], theta=0.8)

    table = candor.table(records, ["q0", "q1"])
    drawn = candor.table(records, ["q0", "q1"], sample=Sampling.simple(3_000))
    plain = candor.table(Records(others, records.codes[:, :2], records.direct), ["q0", "q1"])

    assert table.bias == table.to_json()["bias"] == largest > 0.01
    assert drawn.bias == pytest.approx(largest, rel=0.01)
    assert f"by up to {largest:.4g}, chance included; errors leave it out, intervals hold it." in " ".join(
        str(table).split()
    )
    assert "bias" not in plain.to_json()
    assert "further from the truth" not in str(plain)


def test_a_sample_says_its_bias_too(sent: np.ndarray) -> None:
    """Of weights that are all alike nearly the same, and in a table below the figures."""
    records = survey(3_000, sent, np.random.default_rng(4))
    alike = candor.reconstruct(records, CELLS)

    sample = reconstruct(records, CELLS, sample=Sampling.simple(3_000))

    assert [row.bias for row in sample.patterns] == pytest.approx([row.bias for row in alike.patterns], rel=0.01)
    assert "the intervals above allow for it." in " ".join(str(sample).split())


def test_where_nobody_can_be_above_the_cap_no_bias_is_said() -> None:
    design = candor.models.one_of(NAMES[:2], gamma=19, cap=2, direct=False)
    assert isinstance(design, Design)
    codes = np.repeat(np.array([[0, 1], [1, 0], [0, 0]], np.uint8), 20, axis=0)

    (row,) = reconstruct(Records(design, codes, np.zeros(60, bool)), ["q0"], sample=Sampling.simple(60)).patterns

    assert row.bias is None


@pytest.mark.parametrize("surveys", first(1, [4, 200]))
@pytest.mark.parametrize(("how", "n", "share"), [("weights", 500, 0.1), ("mined", 100, 0.3)])
def test_intervals_of_a_list_are_wilsons_however_respondents_were_drawn(
    how: str, n: int, share: float, surveys: int
) -> None:
    """By Wald's, .89 of intervals held the share behind weights that are all 1, and .85 when mined."""
    design = candor.models.one_of(list("abcd"), gamma=12, cap=4, longest=2, direct=False)
    random, held = np.random.default_rng(5), 0
    for seed in range(surveys):
        truth = pd.DataFrame((random.random((n, 4)) < share).astype(int), columns=list("abcd"))
        disguised = candor.disguise(truth, design, seed=seed)
        if how == "mined":
            mined = candor.mine(disguised, 1e-9, min_confidence=0.01).itemsets.set_index("itemset")
            figures = mined.reindex(["a"]).fillna({"low": 0, "high": 1}).iloc[0]  # none is told of a support below 0
        else:
            records = Records(design, disguised.codes, disguised.direct, {"w": np.ones(n)})
            figures = candor.reconstruct(records, "a", sample=candor.Sample(weights="w")).to_frame().iloc[0]
        held += bool(figures["low"] <= share <= figures["high"])

    assert held >= 0.95 * surveys - 2 * (0.95 * 0.05 * surveys) ** 0.5


# Patterns on answers of which each record is read whole: every surface gives one figure, and some refuse.


WORDS = Design.parse({"model": "one-of", "gamma": 19, "cap": 3, "longest": 2, "items": [*"abcde"]})
CHOICE = {"id": "z", "options": ["p", "q", "r"], "noise": [0.5, 0.25, 0.25]}
SIX = Design.parse({"direct": True, "blocks": [*WORDS.to_json()["blocks"], {"keep": 0.5, "items": [CHOICE]}]})
TEXTS = ["a", "b,e", "!a,c", "c,z=q"]
SHARES = np.array([0.3, 0.6, 0.5, 0.2, 0.7])


def some() -> Records:
    """Answers that hang together."""
    rng = np.random.default_rng(7)
    mood = rng.random((3_000, 1))
    yes = rng.random((3_000, 5)) < np.clip(SHARES + 0.4 * (mood - 0.5), 0, 1)
    choice = np.where(yes[:, 2], rng.choice(3, 3_000, p=[0.2, 0.5, 0.3]), rng.choice(3, 3_000, p=[0.6, 0.1, 0.3]))
    answers = np.column_stack([yes, choice]).astype(np.uint8)
    return disguise(SIX, answers, rng.random(3_000) < 0.2, words_from_seed(7))


def test_every_surface_has_the_same_figures() -> None:
    """Reports, samples in which everybody counts alike, and tables: one algebra."""
    records = some()
    report = reconstruct(records, TEXTS)
    sample = reconstruct(records, TEXTS, sample=Sampling.simple(len(records)))
    table = candor.table(records, ["b", "e"])
    sampled = candor.table(records, ["b", "e"], sample=Sampling.simple(len(records)))

    for one, other in zip(report.patterns, sample.patterns, strict=True):
        assert (one.support, one.n, one.observed) == pytest.approx((other.support, other.n, other.observed))
        assert one.se == pytest.approx(other.se, rel=1e-3)
    assert table.support[1, 1] == pytest.approx(report.patterns[1].support)
    assert table.support.sum() == pytest.approx(1)
    np.testing.assert_allclose(table.support, sampled.support)
    np.testing.assert_allclose(table.se, sampled.se, rtol=1e-3)


@pytest.mark.parametrize(
    ("estimator", "cases", "said"),
    [
        (
            "pooled",
            "available",
            "'a,b' has answers of which each record is read whole, which the pooled estimator cannot weigh",
        )
    ],
)
def test_what_does_not_read_whole_records_is_refused(estimator: str, cases: str, said: str) -> None:
    """It would count every record alike, and be wrong."""
    with pytest.raises(InputError, match=said):
        reconstruct(some(), ["a,b"], estimator=estimator, cases=cases)
