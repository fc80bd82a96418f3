"""Least squares over sub-patterns: exactly unbiased, with the least variance, and where they are not offered."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.estimate.least_squares import LeastSquares
from privacy.estimate.sampled import pattern_of_sample
from privacy.reconstruct import count_patterns, make_report, reconstruct
from privacy.reconstruct.pattern_counts import PatternQuery
from privacy.reconstruct.tables import reconstruct_table
from privacy.records import Records
from tests.cases import first
from tests.privacy.reconstruct.cases import BLOCKS, MIXED, record_of, weights_by_definition

INDEPENDENT = [Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)]  # the share of a yes to a, b, c
TOGETHER = dict(  # how common each combination of answers to a, b, c is elsewhere
    zip(product((0, 1), repeat=3), [Fraction(k, 40) for k in (9, 1, 3, 7, 4, 6, 2, 8)], strict=True)
)
ASKED = [(0, 1), (0, 1), (0, 2), (1, 2)]  # of four respondents
PRODUCTS = [(0,), (1,), (0, 1)]


def alone() -> dict[tuple[int, ...], Fraction]:
    return {
        truth: prod((p if yes else 1 - p for yes, p in zip(truth, INDEPENDENT, strict=True)), start=Fraction(1))
        for truth in product((0, 1), repeat=3)
    }


def sends(design: Design, asked: tuple[int, ...], truths: dict) -> dict[tuple[int, ...], Fraction]:
    """P(disguised answers) of one who is drawn from these people and asked this."""
    chances: dict[tuple[int, ...], Fraction] = {}
    for truth, share in truths.items():
        own = tuple(truth[place] for place in asked)
        for record in product((0, 1), repeat=len(asked)):
            chances[record] = chances.get(record, Fraction(0)) + share * design.blocks[0].chance(asked, own, record)
    return chances


def inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """By Gauss and Jordan, in fractions."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(place == at)) for place in range(size))] for at, row in enumerate(matrix)]
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(size):
            if row != column:
                rows[row] = [x - rows[row][column] * y for x, y in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]


def by_hand(design: Design) -> tuple[list[dict], Fraction]:
    """What every record of each respondent adds to the share of a and b, but for the constant ¼; and the variance
    that generalised least squares have among independent answers."""
    information = [[Fraction(0)] * 3 for _ in PRODUCTS]
    pulls = []
    for asked in ASKED:
        inside = [at for at, wanted in enumerate(PRODUCTS) if set(wanted) <= set(asked)]
        weights = [weights_by_definition(design, asked, PRODUCTS[at]) for at in inside]
        chances = sends(design, asked, alone())
        means = [sum(p * own[y] for y, p in chances.items()) for own in weights]
        own = inverse(
            [
                [
                    sum(p * x[y] * z[y] for y, p in chances.items()) - first * second
                    for z, second in zip(weights, means, strict=True)
                ]
                for x, first in zip(weights, means, strict=True)
            ]
        )
        for row, at in enumerate(inside):
            for column, other in enumerate(inside):
                information[at][other] += own[row][column]
        pulls.append(
            {
                y: [
                    sum((own[inside.index(at)][k] * weights[k][y] for k in range(len(inside))), start=Fraction(0))
                    if at in inside
                    else Fraction(0)
                    for at in range(3)
                ]
                for y in chances
            }
        )
    spread, scale = inverse(information), [Fraction(1, 2), Fraction(1, 2), Fraction(1)]
    row = [sum(scale[at] * spread[at][other] for at in range(3)) for other in range(3)]
    variance = sum(row[other] * scale[other] for other in range(3))
    adds = [{y: sum(a * b for a, b in zip(row, pull, strict=True)) for y, pull in own.items()} for own in pulls]
    return adds, variance


@pytest.mark.parametrize("kind", BLOCKS)
def test_the_estimate_is_exactly_unbiased_with_the_variance_of_least_squares(kind: str) -> None:
    """Over all records of four respondents, in fractions: the estimate is that of the normal equations; its mean is
    the true share whether answers go together or not, its variance among independent ones the closed form, which is
    smaller than that of available cases."""
    design = Design.parse({"blocks": [BLOCKS[kind]]})
    adds, variance = by_hand(design)
    for truths in (TOGETHER, alone()):
        chances = [sends(design, asked, truths) for asked in ASKED]
        means = [sum(p * own[y] for y, p in chance.items()) for chance, own in zip(chances, adds, strict=True)]
        squares = [sum(p * own[y] ** 2 for y, p in chance.items()) for chance, own in zip(chances, adds, strict=True)]
        assert Fraction(1, 4) + sum(means) == sum(share for truth, share in truths.items() if truth[0] and truth[1])
    assert sum(squares) - sum(mean**2 for mean in means) == variance
    assert variance < by_available_cases(design, chances)

    own = pattern_of_sample(design, parse_pattern("a,b", design), "least-squares")
    query = PatternQuery.parse(design, ["a,b"], cases="least-squares")
    for answers in list(product(product((0, 1), repeat=2), repeat=4))[::7]:
        rows = np.array([record_of(design, *sent) for sent in zip(ASKED, answers, strict=True)], design.code_type)
        (counts,) = count_patterns(Records(design, rows, np.zeros(4, bool)), query).patterns
        shares = np.array([[float(p)] for p in INDEPENDENT[:2]])
        states, centres = own.states(counts)[..., None], own.centres[:, None]
        estimate = LeastSquares(states, np.array([4.0, 0.0]), own.weights, centres, "stratified", shares)
        expected = Fraction(1, 4) + sum(add[y] for add, y in zip(adds, answers, strict=True))
        assert estimate.support[-1, 0] == pytest.approx(float(expected), abs=1e-9)


def by_available_cases(design: Design, chances: list[dict]) -> Fraction:
    """The variance of ¼ + ½ θ̂_a + ½ θ̂_b + θ̂_ab, each a mean over everyone who was asked it."""
    total = Fraction(0)
    for asked, chance in zip(ASKED, chances, strict=True):
        adds = dict.fromkeys(chance, Fraction(0))
        for wanted in PRODUCTS:
            if set(wanted) <= set(asked):
                people = sum(set(wanted) <= set(others) for others in ASKED)
                for y, weight in weights_by_definition(design, asked, wanted).items():
                    adds[y] += Fraction(1, 2) ** (2 - len(wanted)) * weight / people
        mean = sum(p * adds[y] for y, p in chance.items())
        total += sum(p * adds[y] ** 2 for y, p in chance.items()) - mean**2
    return total


@pytest.fixture(scope="module")
def records() -> Records:
    design = Design.parse(MIXED)
    random = np.random.default_rng(7)
    truth = (random.random((2_000, 8)) < 0.2 + 0.5 * random.random((2_000, 1))).astype(np.uint8)
    return disguise(design, truth, np.arange(2_000) % 6 == 0, words_from_seed(7))


@pytest.mark.parametrize("estimator", first(1, ESTIMATORS))
def test_a_table_of_yes_and_no_sums_to_1(records: Records, estimator: str) -> None:
    """Beside literals of other blocks, too: the same sub-patterns stand behind every cell."""
    texts = [",".join(literals) for literals in product(*(("a", "!a"), ("b", "!b"), ("f", "!f"), ("u", "!u")))]

    rows = reconstruct(records, texts, estimator=estimator, cases="least-squares").patterns

    assert sum(row.support for row in rows) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("estimator", first(1, ESTIMATORS))
def test_they_are_near_to_available_cases(records: Records, estimator: str) -> None:
    """Patterns of every kind of literal: the two differ by less than an error, and errors by less than a tenth, but of
    the combined estimator, for which available cases weigh the groups at every pattern: by less than a quarter."""
    texts = ["a,o=y", "!a,o=y,f", "a,f,g,u", "o=y,!f,u,v", "!o=x,b", "f,!h,!u"]

    least, available = (
        reconstruct(records, texts, estimator=estimator, cases=cases).patterns
        for cases in ("least-squares", "available")
    )

    for one, other in zip(least, available, strict=True):
        assert (one.pattern, one.n, one.observed) == (other.pattern, other.n, other.observed)
        assert abs(one.support - other.support) < other.se
        assert one.se == pytest.approx(other.se, rel=0.25 if estimator == "combined" else 0.1)


def test_the_default_says_what_they_would_give_where_it_is_clearly_less() -> None:
    """The error that is said is the one that they give; of the triple of frequent answers nothing is said."""
    items = [{"id": f"q{place}", "theta": 0.5} for place in range(10)]
    design = Design.parse({"blocks": [{"ask": 3, "keep": 0.53, "items": items}]})
    truth = np.random.default_rng(3).random((3_000, 10)) < np.r_[[0.1] * 7, [0.5] * 3]
    records = disguise(design, truth.astype(np.uint8), np.zeros(3_000, bool), words_from_seed(1))
    texts = ["q3,q4,q5", "q7,q8,q9"]

    default = reconstruct(records, texts)
    rare, frequent = default.patterns

    assert rare.se is not None
    given = reconstruct(records, texts, cases="least-squares").patterns[0].se
    assert (rare.se_least_squares, rare.to_json()["se_least_squares"]) == (given, given)
    assert given < 0.95 * rare.se
    assert "se_least_squares" not in frequent.to_json()
    assert "By least squares (--cases least-squares) these errors are smaller" in str(default)


@pytest.mark.long
def test_where_nothing_is_sampled_the_cases_are_the_same(records: Records) -> None:
    """So are patterns of one item."""
    texts = ["u", "u,v", "!a", "o=x", "f"]

    least, complete = (reconstruct(records, texts, cases=cases) for cases in ("least-squares", "complete"))

    assert least.patterns == complete.patterns


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("asked", [[(0, 2), (1, 2), (1, 2)], []], ids=["others were", "no records"])
def test_nobody_who_was_asked_everything_leaves_no_estimate(asked: list[tuple[int, int]], estimator: str) -> None:
    """Rather than one that rests on what the weights took for granted."""
    design = Design.parse({"direct": True, "blocks": [BLOCKS["one coin"]]})
    rows = np.array([record_of(design, own, (1, 0)) for own in asked], design.code_type).reshape(-1, 3)
    records = Records(design, rows, np.zeros(len(asked), bool))

    query = PatternQuery.parse(design, ["a,b"], estimator, "least-squares")
    (figures,) = make_report(query, count_patterns(records, query)).patterns

    assert (figures.n, figures.support, figures.se, figures.ci) == (0, None, None, None)


@pytest.mark.long
def test_the_printed_errors_are_those_of_many_surveys() -> None:
    """200 surveys of 2 000 respondents who are asked 3 of 10, prevalence .1: a triple varies by what is printed, and
    less than by available cases (.84 times as much at n = 10 000)."""
    items = [{"id": f"q{place}", "theta": 0.5} for place in range(10)]
    design = Design.parse({"blocks": [{"keep": 9 / 13, "ask": 3, "items": items}]})
    by_cases: dict[str, list[tuple[float, float]]] = {"least-squares": [], "available": []}
    for survey in range(200):
        truth = (np.random.default_rng(survey).random((2_000, 10)) < 0.1).astype(np.uint8)
        made = disguise(design, truth, np.zeros(2_000, bool), words_from_seed(survey))
        for cases, rows in by_cases.items():
            (figures,) = reconstruct(made, ["q0,q1,q2"], cases=cases).patterns
            rows.append((figures.support, figures.se))
    spread = {cases: np.std([support for support, _ in rows]) for cases, rows in by_cases.items()}
    printed = np.sqrt(np.mean([se**2 for _, se in by_cases["least-squares"]]))

    assert np.mean(by_cases["least-squares"], axis=0)[0] == pytest.approx(0.001, abs=4.5 * printed / np.sqrt(200))
    assert printed == pytest.approx(spread["least-squares"], rel=4.5 / np.sqrt(400))
    assert spread["least-squares"] < 0.97 * spread["available"]


def test_tables_and_samples_refuse_them(records: Records) -> None:
    """A table of options would not add up; the sentence names what there is."""
    with pytest.raises(InputError, match="cases: 'least-squares' is not one of available, complete"):
        reconstruct_table(records, ["a", "o"], cases="least-squares")
