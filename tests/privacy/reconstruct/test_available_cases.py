"""Available cases: every product of answers from everyone who was asked its items, unbiased and with a true error."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

import candor
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sampled import estimate_sampled, pattern_of_sample
from privacy.reconstruct import count_patterns, reconstruct
from privacy.reconstruct.pattern_counts import PatternQuery
from privacy.records import Records
from tests.cases import first
from tests.privacy.reconstruct.cases import BLOCKS, MIXED, record_of, weights_by_definition

TRUTH = dict(  # how common each combination of true answers to a, b, c is
    zip(product((0, 1), repeat=3), [Fraction(k, 40) for k in (9, 1, 3, 7, 4, 6, 2, 8)], strict=True)
)


def asked_sets(design: Design) -> list[tuple[int, ...]]:
    return list(combinations(range(len(design.items)), design.blocks[0].items_per_person))


@cache
def sent(design: Design, asked: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """P(disguised answers) of one who is drawn from the population and asked this."""
    chances: dict[tuple[int, ...], Fraction] = {}
    for truth, share in TRUTH.items():
        own = tuple(truth[place] for place in asked)
        for record in product((0, 1), repeat=len(asked)):
            chance = design.blocks[0].chance(asked, own, record)
            chances[record] = chances.get(record, Fraction(0)) + share * chance
    return chances


def chances_of_direct(design: Design, asked: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """The same of one who answers directly."""
    chances: dict[tuple[int, ...], Fraction] = {}
    for truth, share in TRUTH.items():
        own = tuple(truth[place] for place in asked)
        chances[own] = chances.get(own, Fraction(0)) + share
    return chances


@pytest.mark.parametrize("kind", first(2, ["one coin", "a coin each", "flips", "one-sided"]))
def test_the_estimate_is_the_sum_of_centred_products_and_exactly_unbiased(kind: str) -> None:
    """Over all records that two respondents can send, whatever each was asked, in fractions: the formula by hand is
    what is printed, its mean is the true share, and its variance what the covariances of the products say."""
    design = Design.parse({"blocks": [BLOCKS[kind]]})
    true = sum(share for truth, share in TRUTH.items() if truth[0] and truth[1])
    for other in asked_sets(design):
        asked = [(0, 1), other]
        mean = square = Fraction(0)
        for answers in product(product((0, 1), repeat=2), repeat=2):
            chance = prod((sent(design, own)[y] for own, y in zip(asked, answers, strict=True)), start=Fraction(1))
            by_hand = Fraction(0)
            for wanted in ((), (0,), (1,), (0, 1)):
                weights = [
                    weights_by_definition(design, own, wanted)[y]
                    for own, y in zip(asked, answers, strict=True)
                    if set(wanted) <= set(own)
                ]
                by_hand += Fraction(1, 2) ** (2 - len(wanted)) * sum(weights) / len(weights)
            rows = [record_of(design, own, y) for own, y in zip(asked, answers, strict=True)]
            records = Records(design, np.array(rows, design.code_type), np.zeros(2, bool))
            (figures,) = reconstruct(records, ["a,b"]).patterns
            assert figures.support == pytest.approx(float(by_hand), abs=1e-7)
            mean += chance * by_hand
            square += chance * by_hand**2
        assert mean == true
        assert square - mean**2 == exact_variance(design, asked)


def exact_variance(design: Design, asked: list[tuple[int, ...]]) -> Fraction:
    """Σ c_S c_T n_{S∪T} / (n_S n_T) (E[W_S W_T] − θ_S θ_T), from the population."""
    total = Fraction(0)
    products = [(), (0,), (1,), (0, 1)]
    chances = sent(design, (0, 1))
    for one, two in product(products, repeat=2):
        n_one, n_two, n_both = (sum(set(own) <= set(who) for who in asked) for own in (one, two, {*one, *two}))
        first, second = (weights_by_definition(design, (0, 1), wanted) for wanted in (one, two))
        both = sum(p * first[y] * second[y] for y, p in chances.items())
        means = [sum(p * own[y] for y, p in chances.items()) for own in (first, second)]
        scale = Fraction(1, 2) ** (4 - len(one) - len(two))
        total += scale * Fraction(n_both, n_one * n_two) * (both - means[0] * means[1])
    return total


@pytest.mark.long
@pytest.mark.parametrize("kind", first(1, ["flips", "one coin"]))
def test_the_combined_estimator_is_exactly_unbiased(kind: str) -> None:
    """Over all answers of two direct respondents and one disguised, if both groups answer alike."""
    design = Design.parse({"direct": True, "blocks": [BLOCKS[kind]]})
    true = sum(share for truth, share in TRUTH.items() if truth[0] and truth[1])
    for other in asked_sets(design):
        asked, direct = [(0, 1), other, (0, 1)], np.array([True, True, False])
        chances = [chances_of_direct(design, (0, 1)), chances_of_direct(design, other), sent(design, (0, 1))]
        mean = 0.0
        for answers in product(product((0, 1), repeat=2), repeat=3):
            rows = [record_of(design, own, y) for own, y in zip(asked, answers, strict=True)]
            records = Records(design, np.array(rows, design.code_type), direct)
            (figures,) = reconstruct(records, ["a,b"], estimator="combined").patterns
            mean += figures.support * prod(float(p[y]) for p, y in zip(chances, answers, strict=True))
        assert mean == pytest.approx(float(true), abs=1e-7)


@pytest.mark.parametrize("estimator", first(3, ["stratified", "pooled"]))
@pytest.mark.parametrize("text", first(3, ["a,o=y", "!a,o=y,f", "a,f,g,u", "o=z,!f,u,v", "!o=x,b", "f,!h,!u"]))
def test_records_as_often_as_expected_give_the_true_share(text: str, estimator: str) -> None:
    """Every kind of literal beside blocks that are not sampled, and however unevenly the sets were asked."""
    design = Design.parse(MIXED)
    pattern = parse_pattern(text, design)
    own = pattern_of_sample(design, pattern)
    assert own is not None
    random = np.random.default_rng(4)
    shape = [len(design.items[column].options) for column in pattern.columns]
    truth = random.dirichlet(np.ones(int(np.prod(shape)))).reshape(shape)
    wanted = truth[np.ix_(*(sorted(options) for _, options in pattern.literals))].sum()
    query = PatternQuery.parse(design, [pattern], estimator)
    counts: np.ndarray | None = None
    for chosen in range(2 ** len(own.literals)):  # for every set of the sampled literals, how the records look
        columns = own.part(chosen).columns
        size = float(random.integers(20, 60))
        seen = truth.sum(axis=tuple(k for k, column in enumerate(pattern.columns) if column not in columns))
        for direct in (False, True):
            part = _expected(design, query, columns, seen, size, direct)
            counts = part if counts is None else counts + part

    assert counts is not None
    every = counts[:, : 2 ** len(own.rest)].sum(axis=1)
    estimates = estimate_sampled(own, counts, every, estimator, 0.95)

    assert estimates.support[0] == pytest.approx(wanted, abs=1e-7)


def _expected(design: Design, query: PatternQuery, columns: tuple, seen: np.ndarray, size: float, direct: bool):
    """The counts that `size` respondents who were asked only these columns are expected to make."""
    cells = list(product(*(range(len(design.items[column].options)) for column in columns)))
    people: dict[tuple, float] = {}
    for cell, share in zip(cells, seen.ravel(), strict=True):
        for record, chance in _channel(design, columns, cell, direct):
            people[record] = people.get(record, 0.0) + size * share * chance
    total = np.zeros((2, 0))
    for record, count in people.items():
        row = np.full((1, len(design.items)), design.not_asked, design.code_type)
        row[0, list(columns)] = record
        own = count_patterns(Records(design, row, np.array([direct])), query).patterns[0]
        total = own * count + (total if total.size else 0.0)
    return total


def _channel(design: Design, columns: tuple, cell: tuple, direct: bool) -> list[tuple[tuple, float]]:
    if direct:
        return [(cell, 1.0)]
    made = [((), 1.0)]
    for place, block in enumerate(design.blocks):
        here = [column for column in columns if design.place(column)[0] == place]
        own = [cell[columns.index(column)] for column in here]
        inside = [design.place(column)[1] for column in here]
        if not here:
            continue
        sends = _padded(block, inside, own)
        made = [(record + more, p * q) for record, p in made for more, q in sends.items()]
    return made


def _padded(block, inside: list[int], own: list[int]) -> dict[tuple, float]:
    """What a block sends of some items, whatever the other items it asked."""
    others = [place for place in range(len(block.items)) if place not in inside][: block.items_per_person - len(inside)]
    here = sorted([*inside, *others])
    truth = [own[inside.index(place)] if place in inside else 0 for place in here]
    sends: dict[tuple, float] = {}
    for record in product(*(range(len(block.items[place].options)) for place in here)):
        shown = tuple(record[here.index(place)] for place in inside)
        sends[shown] = sends.get(shown, 0.0) + float(block.chance(here, truth, record))
    return sends


@pytest.fixture(scope="module")
def records() -> Records:
    design = Design.parse(MIXED)
    random = np.random.default_rng(7)
    truth = (random.random((2_000, 8)) < 0.2 + 0.5 * random.random((2_000, 1))).astype(np.uint8)
    return disguise(design, truth, np.arange(2_000) % 6 == 0, words_from_seed(7))


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_a_part_is_the_sum_of_its_parts(records: Records, estimator: str) -> None:
    """sup(a, f) = sup(a, f, u) + sup(a, f, !u) = Σ over options of o of sup(a, f, o): rules and tables add up."""
    texts = ["a,f", "a,f,g", "a,f,!g", "a,f,u", "a,f,!u", "f,u", "f,u,o=x", "f,u,o=y", "f,u,o=z"]

    rows = reconstruct(records, texts, estimator=estimator).patterns
    supports = {row.pattern: row.support for row in rows}

    assert supports["a,f,g"] + supports["a,f,!g"] == pytest.approx(supports["a,f"], abs=1e-9)
    assert supports["a,f,u"] + supports["a,f,!u"] == pytest.approx(supports["a,f"], abs=1e-9)
    assert sum(supports[f"o={option},f,u"] for option in "xyz") == pytest.approx(supports["f,u"], abs=1e-9)


def test_where_nothing_is_sampled_the_cases_are_the_same(records: Records) -> None:
    """So are patterns of one item."""
    texts = ["u", "u,v", "!a", "o=x", "f"]

    available, complete = (reconstruct(records, texts, cases=cases) for cases in ("available", "complete"))

    assert available.patterns == complete.patterns
    assert (available.cases, complete.cases) == ("available", "complete")


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_table_shows_the_estimates_of_its_patterns(records: Records, estimator: str) -> None:
    """Cell by cell, with the error, and the cells sum to 1."""
    table = candor.table(records, ["o", "f"], estimator=estimator)

    patterns = [
        Pattern(((1, frozenset([first])), (3, frozenset([second])))) for first, second in product(range(3), range(2))
    ]
    texts = [pattern.text(records.design) for pattern in patterns]
    rows = reconstruct(records, texts, estimator=estimator).patterns
    assert table.cases == "available"
    assert table.support.ravel().tolist() == pytest.approx([row.support for row in rows], abs=1e-12)
    assert table.se.ravel().tolist() == pytest.approx([row.se for row in rows], abs=1e-12)
    if estimator != "combined":  # it weighs the groups again for every cell
        assert table.support.sum() == pytest.approx(1, abs=1e-9)


def test_other_cases_are_refused(records: Records) -> None:
    """The sentence names what there is."""
    with pytest.raises(InputError, match="cases: 'some' is not one of available, complete"):
        reconstruct(records, ["a"], cases="some")
    with pytest.raises(InputError, match="cases: 'some' is not one of available, complete"):
        candor.table(records, ["a", "f"], cases="some")


@pytest.mark.long
def test_the_printed_errors_are_those_of_many_surveys() -> None:
    """300 surveys of 1 000 respondents, ask 4 of 10: the standard error of a triple is what triples vary by, about half
    of that of complete cases."""
    design = Design.parse(
        {"blocks": [{"keep": 0.53, "ask": 4, "items": [{"id": f"q{j}", "theta": 0.5} for j in range(10)]}]}
    )
    random = np.random.default_rng(11)
    by_cases = {"available": [], "complete": []}
    for survey in range(300):
        truth = (random.random((1_000, 10)) < 0.3).astype(np.uint8)
        made = disguise(design, truth, np.zeros(1_000, bool), words_from_seed(survey))
        for cases, rows in by_cases.items():
            (figures,) = reconstruct(made, ["q0,q1,q2"], cases=cases).patterns
            rows.append((figures.support, figures.se))
    spread = {cases: np.std([support for support, _ in rows]) for cases, rows in by_cases.items()}
    printed = np.sqrt(np.mean([se**2 for _, se in by_cases["available"]]))

    assert np.mean([support for support, _ in by_cases["available"]]) == pytest.approx(
        0.027, abs=4.5 * printed / np.sqrt(300)
    )
    assert printed == pytest.approx(spread["available"], rel=4.5 / np.sqrt(600))
    assert 0.45 < spread["available"] / spread["complete"] < 0.75
