"""Patterns on answers in a public order: each record counts by its place, and errors are those of many surveys."""

from itertools import combinations, product

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.errors import InputError
from privacy.reconstruct import reconstruct
from privacy.reconstruct.by_record import RecordPattern, WholeRecords, estimate_by_record
from privacy.reconstruct.reconstruct import reconstruct_sample
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.tables import reconstruct_table, table
from privacy.records import Records
from tests.cases import first
from tests.codes import NOT_ASKED

TABLE = [0.34, 0.06, 0.06, 0.2, 0.1, 0.1, 0.06, 0.08]
FIVE = Design.parse(
    {
        "direct": True,
        "blocks": [
            {"patterned": TABLE, "ask": 3, "items": [{"id": name} for name in "abcde"]},
            {"keep": 0.5, "items": [{"id": "z", "options": ["p", "q", "r"], "noise": [0.5, 0.25, 0.25]}]},
        ],
    }
)
TEXTS = ["a", "b,e", "!a,c", "a,b,d", "c,z=q"]
SHARES = np.array([0.3, 0.6, 0.5, 0.2, 0.7])


def truth(rng: np.random.Generator, n: int) -> np.ndarray:
    """Answers that hang together."""
    mood = rng.random((n, 1))
    yes = rng.random((n, 5)) < np.clip(SHARES + 0.4 * (mood - 0.5), 0, 1)
    choice = np.where(yes[:, 2], rng.choice(3, n, p=[0.2, 0.5, 0.3]), rng.choice(3, n, p=[0.6, 0.1, 0.3]))
    return np.column_stack([yes, choice]).astype(np.uint8)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("cases", ["available", "complete"])
def test_estimates_are_exactly_unbiased(text: str, cases: str) -> None:
    """Each record counted as often as it comes, of people who all answer alike: the estimate is their answer."""
    answers = (1, 0, 1, 1, 0, 1)
    rows, chances = [], []
    first, second = FIVE.blocks
    for here in combinations(range(5), 3):
        for sent in product((0, 1), repeat=3):
            for choice in range(3):
                record = [NOT_ASKED] * 5 + [choice]
                for place, code in zip(here, sent, strict=True):
                    record[place] = code
                rows.append(record)
                own = first.chance(here, [answers[place] for place in here], sent)
                chances.append(float(own * second.chance([0], [answers[5]], [choice])))
    pattern = RecordPattern(FIVE, parse_pattern(text, FIVE))
    cell = pattern.cell_of(WholeRecords(FIVE, np.array(rows, np.uint8), np.zeros(len(rows), bool)))
    counts = np.bincount(cell, np.array(chances) * 1e6, 2 * pattern.count).reshape(2, -1)

    estimates = estimate_by_record(pattern, counts, "stratified", cases, 0.95)

    expected = {"a": 1.0, "b,e": 0.0, "!a,c": 0.0, "a,b,d": 0.0, "c,z=q": 1.0}[text]
    assert estimates.support[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("estimator", first(1, ["stratified", "combined"]))
def test_errors_are_those_of_many_surveys(estimator: str) -> None:
    """60 surveys of 1 000 people, a third direct: means, errors and intervals hold, 4.5 standard errors allowed."""
    rng, surveys = np.random.default_rng(43), 60
    supports, errors, covered = (np.empty((surveys, len(TEXTS))) for _ in range(3))
    people = truth(np.random.default_rng(1), 400_000)
    matches = {"a": [(0, 1)], "b,e": [(1, 1), (4, 1)], "!a,c": [(0, 0), (2, 1)], "a,b,d": [(0, 1), (1, 1), (3, 1)]}
    matches["c,z=q"] = [(2, 1), (5, 1)]
    true = [np.all([people[:, at] == code for at, code in matches[text]], axis=0).mean() for text in TEXTS]
    for survey in range(surveys):
        answers = truth(rng, 1_000)
        records = disguise(FIVE, answers, rng.random(1_000) < 1 / 3, seeded_words(survey))
        for place, row in enumerate(reconstruct(records, TEXTS, estimator=estimator, feasible=False).patterns):
            assert row.support is not None
            assert row.se is not None
            assert row.ci is not None
            supports[survey, place], errors[survey, place] = row.support, row.se
            covered[survey, place] = row.ci[0] <= true[place] <= row.ci[1]

    spread = supports.std(axis=0, ddof=1)
    assert (abs(supports.mean(axis=0) - true) < 4.5 * spread / surveys**0.5 + 0.003).all()
    assert (abs(errors.mean(axis=0) / spread - 1) < 4.5 / (2 * surveys) ** 0.5).all()
    assert (covered.mean(axis=0) > 0.95 - 4.5 * (0.95 * 0.05 / surveys) ** 0.5).all()


def test_the_fewer_were_asked_a_pattern_the_further_its_interval_reaches() -> None:
    """In its standard errors: a triple of 200 people rests on the twenty who were asked it, a single on 120."""
    rng = np.random.default_rng(3)
    records = disguise(FIVE, truth(rng, 200), rng.random(200) < 1 / 3, seeded_words(3))

    reach = []
    for row in reconstruct(records, ["a", "a,b", "a,b,d"], estimator="stratified", feasible=False).patterns:
        assert row.ci is not None
        assert row.se is not None
        reach.append((row.ci[1] - row.ci[0]) / 2 / row.se)

    assert 1.96 < reach[0] < 2.02 < reach[1] < reach[2]


def test_nothing_is_told_of_a_pattern_that_no_record_keeps() -> None:
    """Two answers whose product is wiped out where they stand in all records that came: no support, and no error."""
    wiped = [0.3375, 0.1625, 0.1625, 0.0375, 0.1125, 0.0875, 0.0875, 0.0125]
    block = {"patterned": wiped, "ask": 3, "items": [{"id": name} for name in "abcd"]}
    design = Design.parse({"direct": False, "blocks": [block]})
    codes = np.array([[1, 0, 1, NOT_ASKED], [1, 1, 0, NOT_ASKED], [0, 1, 1, NOT_ASKED]] * 9, np.uint8)
    records = Records(design, codes, np.zeros(27, bool))

    rows = reconstruct(records, ["a,b", "a,c", "b,c"], feasible=False).patterns

    assert [(row.support is None, row.se is None, row.ci is None) for row in rows] == [
        (one,) * 3 for one in (True, False, False)
    ]


def some() -> Records:
    rng = np.random.default_rng(7)
    return disguise(FIVE, truth(rng, 3_000), rng.random(3_000) < 0.2, seeded_words(7))


def test_every_surface_has_the_same_figures() -> None:
    """Reports, samples in which everybody counts alike, and tables: one algebra."""
    records = some()
    report = reconstruct(records, TEXTS)
    sample = reconstruct_sample(records, TEXTS, Sampling.simple(len(records)))
    table = reconstruct_table(records, ["b", "e"])
    sampled = reconstruct_table(records, ["b", "e"], sampling=Sampling.simple(len(records)))

    for one, other in zip(report.patterns, sample.patterns, strict=True):
        assert (one.support, one.n, one.observed) == pytest.approx((other.support, other.n, other.observed))
        assert one.se == pytest.approx(other.se, rel=1e-3)
    assert table.support[1, 1] == pytest.approx(report.patterns[1].support)
    assert table.support.sum() == pytest.approx(1)
    np.testing.assert_allclose(table.support, sampled.support)
    np.testing.assert_allclose(table.se, sampled.se, rtol=1e-3)


def test_supports_add_up() -> None:
    """sup(A) = sup(AB) + sup(A¬B), as with available cases anywhere."""
    a, ab, rest = (row.support for row in reconstruct(some(), ["a", "a,b", "a,!b"]).patterns)

    assert a is not None
    assert ab is not None
    assert rest is not None
    assert ab + rest == pytest.approx(a)


@pytest.mark.parametrize(
    ("estimator", "cases", "said"),
    [
        (
            "pooled",
            "available",
            "'a,b' has answers of which each record is read whole, which the pooled estimator cannot weigh",
        ),
        ("stratified", "least-squares", "least squares cannot weigh answers of which each record is read whole"),
    ],
)
def test_what_does_not_look_at_orders_is_refused(estimator: str, cases: str, said: str) -> None:
    """It would count every record alike, and be wrong."""
    with pytest.raises(InputError, match=said):
        reconstruct(some(), ["a,b"], estimator=estimator, cases=cases)


def test_a_pattern_that_stands_nowhere_good_gets_a_sentence() -> None:
    """b and d of four stand, in both sets that hold them, where this table keeps nothing of the two (λ = 0)."""
    turned = [0.5, 0, 0.25, 0, 0.25, 0, 0, 0]
    design = Design.parse({"blocks": [{"patterned": turned, "ask": 3, "items": [{"id": name} for name in "abcd"]}]})
    truth = (np.random.default_rng(1).random((400, 4)) < 0.4).astype(np.uint8)
    records = disguise(design, truth, take=seeded_words(1))
    said = (
        "No figure can be given for {}: the disguise leaves nothing of it where it was asked, or one of the two groups "
        "was not asked all of it."
    )
    report = reconstruct(records, ["a,b", "b,d"])
    assert [row.support is None for row in report.patterns] == [False, True]
    assert said.format("b,d") in " ".join(str(report).split())
    assert said.format("b, d") in " ".join(str(table(records, ["b", "d"])).split())
    assert "No figure" not in str(reconstruct(records, ["a,b"])) + str(table(records, ["a", "b"]))
