"""People who answer without reading: how many, what they press, and what the others say."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import candor
from benchmarks.coverage_careless import DESIGNS, survey
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.reconstruct.careless import careless
from privacy.reconstruct.careless_report import Careless
from privacy.reconstruct.exchange import Rare, exchanges
from privacy.records import Records
from tests.cases import first

ITEMS = ["drugs", "theft", "never", "always"]
EACH = candor.models.warner(ITEMS, theta=0.75, direct=False)
ONE_COIN = candor.models.improved_grouped(ITEMS, p=0.6, theta=0.5, direct=False)
ANCHORS = {"never": 0, "always": 1}
TRUTH = {(1, 1): 0.1, (1, 0): 0.15, (0, 1): 0.2, (0, 0): 0.55}  # drugs and theft
FIGURES = ["drugs", "theft", "drugs,theft", "!drugs,theft", "drugs => theft"]
TRUE = [0.25, 0.3, 0.1, 0.2, 0.4]
CELLS = np.array(list(product((0, 1), repeat=4)))
# How many of the 2 000 people of cWise's data sent which records (Y, A), and with which weights.
CWISE = {(0, 0): 148, (0, 1): 425, (1, 0): 311, (1, 1): 1116}


def answered(share: float, rate: float, same: bool = False, truth: dict[Any, float] = TRUTH) -> np.ndarray:
    """What share of people presses each of the 16 answers to all items."""
    pressed = np.prod(np.where(CELLS, rate, 1 - rate), axis=1)
    if same:
        pressed = np.where(CELLS.all(axis=1), rate, 0.0) + np.where(CELLS.any(axis=1), 0.0, 1 - rate)
    attentive = np.array(
        [truth[drugs, theft] if (never, always) == (0, 1) else 0 for drugs, theft, never, always in CELLS.tolist()]
    )
    return np.asarray((1 - share) * attentive + share * pressed)


def sent(design: Design, said: np.ndarray) -> np.ndarray:
    """What share of records is each of the 16, by the two disguises written out."""
    if design is EACH:
        agree = (CELLS[:, np.newaxis] == CELLS).sum(axis=2)
        return np.asarray(said @ (0.75**agree * 0.25 ** (4 - agree)))
    return np.asarray(0.6 * said + 0.4 / 16)


def exact_records(design: Design, shares: np.ndarray, **columns: Any) -> Records:
    """A record of each kind, which weighs as much as its share: figures then are what they are on average."""
    return Records(design, CELLS.astype(design.code_type), np.zeros(16, bool), {"w": shares, **columns})


def drawn_records(design: Design, n: int, seed: int, share: float, rate: float) -> Records:
    random = np.random.default_rng(seed)
    return Records(
        design,
        CELLS[random.choice(16, n, p=sent(design, answered(share, rate)))].astype(design.code_type),
        np.zeros(n, bool),
    )


def points(found: Careless) -> list[float | None]:
    return [found.share, found.rate, *(one.attentive for one in found.figures)]


@pytest.mark.parametrize("design", [EACH, ONE_COIN], ids=["each", "one coin"])
@pytest.mark.parametrize(("share", "rate"), first(1, [(0.1, 0.5), (0.2, 0.9), (0.4, 0.2)]))
@pytest.mark.parametrize("same", [False, True], ids=["each", "same"])
def test_two_anchors_give_back_what_attentive_people_say(design: Design, share: float, rate: float, same: bool) -> None:
    """Shares, pairs, negations and a confidence, to the last digits, whatever careless people press."""
    records = exact_records(design, sent(design, answered(share, rate, same)))

    found = careless(records, FIGURES, anchors=ANCHORS, sample=Sample(weights="w"), presses="same" if same else "each")

    assert points(found) == pytest.approx([share, rate, *TRUE], abs=1e-8)
    assert found.fits is True


def test_triples_and_anchors_that_some_attentive_people_break_are_corrected() -> None:
    """Anchors of known shares .02 and .95, independent of the rest."""
    attentive = np.prod(np.where(CELLS, (0.25, 0.3, 0.02, 0.95), (0.75, 0.7, 0.98, 0.05)), axis=1)
    said = 0.7 * attentive + 0.3 * np.prod(np.where(CELLS, 0.8, 0.2), axis=1)
    records = exact_records(ONE_COIN, sent(ONE_COIN, said))

    found = careless(
        records, ["drugs,theft,always"], anchors={"!never": 0.98, "always": 0.95}, sample=Sample(weights="w")
    )

    assert points(found) == pytest.approx([0.3, 0.8, 0.25 * 0.3 * 0.95], abs=1e-8)


def test_the_points_are_those_of_the_bias_corrected_crosswise_model() -> None:
    """Atsusaka and Stevenson (2023) on their data: printed .1950, .1054 and .7729; the error is the delta method's."""
    design = candor.models.crosswise(["Y", "A"], prevalence=0.15, direct=False)
    codes = np.repeat(np.array(list(CWISE)), list(CWISE.values()), axis=0).astype(design.code_type)
    records = Records(design, codes, np.zeros(2000, bool))
    seen, anchor = codes.mean(axis=0)
    attentive = (anchor - 0.5) / (0.5 - 0.15)
    naive = (seen + 0.15 - 1) / (2 * 0.15 - 1)
    corrected = naive - 0.5 * (1 - 1 / attentive) * (seen - 0.5) / (0.15 - 0.5)

    for disguiser in ("device", "person"):
        found = careless(records, "Y", anchors={"A": 0}, rate=0.5, disguiser=disguiser)

        (figure,) = found.figures
        assert found.share is not None
        assert [figure.answered, figure.attentive, 1 - found.share] == pytest.approx(
            [naive, corrected, attentive], 1e-6
        )
        assert [round(one, 4) for one in (naive, corrected, attentive)] == [0.195, 0.1054, 0.7729]
        assert figure.se == pytest.approx(0.02270282968471968 * (1999 / 2000) ** 0.5, rel=1e-6)


@pytest.mark.long
def test_a_rare_set_of_few_people_is_not_estimated_too_low() -> None:
    """150 surveys of 500 people by flips, seed 3, to 4.5 standard errors: weights prefer no small difference."""
    chance = np.random.default_rng(3)
    surveys = [survey(DESIGNS["flips"], 500, 0.0, "each", 0.5, chance) for _ in range(150)]
    found = [careless(one, "drugs,theft,fraud", anchors=ANCHORS).figures[0].attentive for one in surveys]

    assert abs(np.mean(found) - 0.015) < 4.5 * np.std(found) / 150**0.5


@pytest.mark.parametrize("design", [EACH, ONE_COIN], ids=["each", "one coin"])
def test_errors_are_those_of_the_delta_method(design: Design) -> None:
    """From numeric slopes in the shares of records and the covariance of these: three differences, weights fixed.

    To each of their variances 3 % of all is added.
    """
    records = drawn_records(design, 4000, 1, 0.3, 0.7)
    counts = np.bincount(records.codes @ np.array([8, 4, 2, 1]), minlength=16) / 4000
    covariance = (np.diag(counts) - np.outer(counts, counts)) / 4000
    inverse = np.linalg.inv(np.array([sent(design, one) for one in np.eye(16)]).T)

    drugs, theft, never, always = CELLS.T
    both = drugs * theft
    swapped = (drugs * never + theft * never) / 2  # each literal in its turn
    cells = [
        np.array([drugs - never, drugs * (always - never), (drugs - never) * always]),
        np.array([both - swapped, both * (always - never), (both - swapped) * always]),
    ]
    attentive = (always - never) @ inverse
    sums = []
    for differences in cells:
        rows = differences @ inverse
        apart = rows - (rows @ counts).mean() / (attentive @ counts) * attentive
        spread = apart @ covariance @ apart.T
        weights = np.linalg.solve(spread + 0.03 * np.trace(spread) * np.eye(3), np.ones(3))
        sums.append(weights @ rows / weights.sum())

    def figures(shares: np.ndarray) -> np.ndarray:
        one, two, known = (row @ shares for row in (*sums, attentive))
        return np.array([one / known, two / known, two / one])

    steps = 1e-6 * np.eye(16)
    slopes = np.array([(figures(counts + step) - figures(counts - step)) / 2e-6 for step in steps])
    found = careless(records, ["drugs", "drugs,theft", "drugs => theft"], anchors=ANCHORS)

    assert [one.attentive for one in found.figures] == pytest.approx(figures(counts).tolist(), rel=1e-4)
    errors = np.sqrt(np.diag(slopes.T @ covariance @ slopes))
    assert [one.se for one in found.figures] == pytest.approx(errors.tolist(), rel=1e-4)


def test_an_interval_is_the_mixture_over_what_the_anchors_leave_open() -> None:
    """Of a pair, by anchors that some attentive people surely break: a million draws of the three estimates."""
    records = drawn_records(EACH, 1000, 5, 0.05, 0.7)
    weight = np.where(records.codes, 1.5, -0.5)
    estimates = np.stack([weight[:, 0] * weight[:, 1], weight[:, 2], weight[:, 3]])
    random = np.random.default_rng(1)
    both, low, high = random.multivariate_normal(estimates.mean(axis=1), np.cov(estimates) / 1000, 1_000_000).T
    c = 1 - (high - low) / 0.97
    can = (low >= 0) & (low <= c)
    share = (both - low**2 / c)[can] / (1 - c[can])
    expected = np.quantile(share, (0.025, 0.975))

    (found,) = careless(records, "drugs,theft", anchors={"never": 0, "always": 0.97}).figures

    assert found.ci == pytest.approx(expected.tolist(), abs=0.01 * (expected[1] - expected[0]))


@pytest.mark.parametrize(("share", "surveys"), first(1, [(0.2, 5), (0.2, 150), (0.0, 150)]))
def test_intervals_hold_what_is_true(share: float, surveys: int) -> None:
    """Of share, pair and confidence, also where nobody is careless: not in fewer surveys than 95 % less 4.5 errors."""
    true = [0.25, 0.1, 0.4]
    held = np.zeros(3)
    for seed in range(surveys):
        records = drawn_records(ONE_COIN, 1000, seed, share, 0.8)
        found = careless(records, ["drugs", "drugs,theft", "drugs => theft"], anchors=ANCHORS)
        held += [one.ci[0] <= value <= one.ci[1] for one, value in zip(found.figures, true, strict=True)]
    assert (held / surveys > 0.95 - 4.5 * (0.95 * 0.05 / surveys) ** 0.5).all()


def test_without_careless_people_the_correction_costs_at_most_what_is_said_before() -> None:
    """Both anchors vary as the disguise does, and count as 1 − π and π of the people; exchange saves a part of it."""
    records = exact_records(EACH, sent(EACH, answered(0, 0)))
    many = Records(
        EACH,
        np.repeat(records.codes, np.round(25600 * records.open_columns["w"]).astype(int), axis=0),
        np.zeros(25600, bool),
    )
    seen = 0.25 + 0.5 * 0.25

    (found,) = careless(many, "drugs", anchors=ANCHORS).figures

    variance = (seen * (1 - seen) + (0.75**2 + 0.25**2) * 0.75 * 0.25) / 0.5**2 / 25600
    assert found.se is not None
    assert found.answered_se < found.se < variance**0.5
    assert found.answered_se == pytest.approx((seen * (1 - seen) / 0.5**2 / 25600) ** 0.5, rel=1e-6)


def large_records(design: Design, said: np.ndarray) -> Records:
    """Records of 20 000 people, as many of each kind as on average."""
    counts = np.round(2e4 * sent(design, said)).astype(int)
    return Records(design, np.repeat(CELLS, counts, axis=0).astype(design.code_type), np.zeros(counts.sum(), bool))


@pytest.mark.parametrize("literals", [{0: 1}, {0: 1, 1: 1}, {0: 0, 1: 1}], ids=["share", "pair", "negation"])
def test_exchange_leaves_nothing_of_careless_people(literals: dict[int, int]) -> None:
    """In rationals: half of them press one button, the others each answer by one of two rates; one coin disguises."""
    keep, c, truth = Fraction(3, 5), Fraction(1, 7), {cell: Fraction(str(share)) for cell, share in TRUTH.items()}

    def said(cell: tuple[int, ...]) -> Fraction:
        attentive = truth[cell[0], cell[1]] if cell[2:] == (0, 1) else Fraction(0)
        button = {4: Fraction(3, 4), 0: Fraction(1, 4)}.get(sum(cell), Fraction(0))
        each = [rate ** sum(cell) * (1 - rate) ** (4 - sum(cell)) for rate in (Fraction(1, 5), Fraction(9, 10))]
        return (1 - c) * attentive + c * (button / 2 + sum(each) / 4)

    def support(pattern: Sequence[Literal]) -> Fraction:
        """The mean of the estimate: of a record, (whether it matches − what the coin alone gives) / keep."""
        records = {cell: keep * said(cell) + (1 - keep) / 16 for cell in product((0, 1), repeat=4)}
        match = sum(of for cell, of in records.items() if all(cell[column] in options for column, options in pattern))
        return (match - (1 - keep) / 2 ** len(pattern)) / keep

    def answer(column: int, value: int) -> Literal:
        return column, frozenset({value})

    pattern = [(answer(*one), one[1] == 1) for one in literals.items()]
    made = exchanges(pattern, Rare(answer(2, 1), answer(2, 0)), Rare(answer(3, 0), answer(3, 1)))
    true = sum(
        share for cell, share in truth.items() if all(cell[column] == value for column, value in literals.items())
    )

    differences = [
        sum(map(support, one.before)) / len(one.before) - sum(map(support, one.after)) / len(one.after) for one in made
    ]

    assert differences == [(1 - c) * true] * 3
    assert support([answer(3, 1)]) - support([answer(2, 1)]) == 1 - c


@pytest.mark.parametrize("design", [EACH, ONE_COIN], ids=["each", "one coin"])
def test_pairs_are_right_whatever_careless_people_press(design: Design) -> None:
    """One button, each by itself, or some this and some that, and `presses` asks for nothing."""
    said = (answered(0.3, 0.5, same=True) + answered(0.3, 0.9)) / 2

    found = careless(large_records(design, said), FIGURES, anchors=ANCHORS)

    assert [one.attentive for one in found.figures] == pytest.approx(TRUE, abs=5e-4)
    assert (found.presses, found.fits) == (None, True)


def test_anchors_tell_where_careless_people_press_in_turns() -> None:
    """Half yes, no, yes, no and half no, yes, no, yes: then shares rest on the anchor alone, and reach further."""
    said = 0.8 * answered(0, 0) + 0.1 * ((CELLS == (1, 0, 1, 0)).all(axis=1) | (CELLS == (0, 1, 0, 1)).all(axis=1))

    found = careless(large_records(ONE_COIN, said), ["drugs", "theft"], anchors=ANCHORS)

    assert [one.attentive for one in found.figures] == pytest.approx(TRUE[:2], abs=5e-4)
    assert [one.ci[1] - one.ci[0] > 0.05 for one in found.figures] == [True, True]
    assert found.fits is False
    assert "The anchors contradict that: careless people seem to tell these items apart." in str(found)


def test_anchors_that_more_people_break_keep_one_button_apart_from_each() -> None:
    """Both anchors together contradict the wrong one, and its pair is off."""
    anchors = {"never": (0, 0.06), "always": 1}
    records = large_records(EACH, answered(0.3, 0.5, same=True))

    right, wrong = (careless(records, "drugs,theft", anchors=anchors, presses=one) for one in ("same", "each"))

    assert (right.presses, right.fits, wrong.presses, wrong.fits) == ("same", True, "each", False)
    assert [one.figures[0].ci[0] < 0.1 < one.figures[0].ci[1] for one in (right, wrong)] == [True, False]
    assert "The anchors contradict that: their answers go together otherwise. Compare with presses same." in str(wrong)


def breaking(never: tuple[int, int], always: tuple[int, int]) -> np.ndarray:
    """As `answered` says it of 30 %; 1 % of the rest break each anchor, all of whom answer drugs and theft so."""
    said = 0.7 * answered(0, 0)
    for cell, broken in ((never, (1, 1)), (always, (0, 0))):
        said[((*cell, 0, 1) == CELLS).all(axis=1)] -= 0.007
        said[((*cell, *broken) == CELLS).all(axis=1)] += 0.007
    return said + 0.3 * answered(1, 0.8)


@pytest.mark.parametrize(("never", "always"), first(1, list(product([(1, 1), (0, 0), (1, 0)], repeat=2))))
def test_intervals_reach_over_all_that_bounds_allow(never: tuple[int, int], always: tuple[int, int]) -> None:
    """Whatever else those attentive people answer who break an anchor."""
    records = large_records(EACH, breaking(never, always))

    found = careless(records, FIGURES, anchors={"never": (0, 0.01), "always": (0.99, 1)})

    held = [one.ci[0] < true < one.ci[1] for one, true in zip(found.figures, TRUE, strict=True)]
    assert held == [True] * 5
    assert found.presses is None


def test_one_anchor_alone_gives_bounds() -> None:
    """Attentive people who say yes are x + (Q − z)/(1 − c), for every c from the least that explains the anchor."""
    counts = np.round(2e5 * sent(EACH, answered(0.2, 0.5))).astype(int)
    many = Records(EACH, np.repeat(CELLS, counts, axis=0).astype(EACH.code_type), np.zeros(counts.sum(), bool))
    seen, anchor = 0.8 * 0.25 + 0.2 * 0.5, 0.2 * 0.5

    found = careless(many, "drugs", anchors={"never": 0}, most=0.4)

    (figure,) = found.figures
    assert (found.share, found.rate, figure.attentive, figure.se, found.most) == (None, None, None, None, 0.4)
    assert found.share_ci == pytest.approx((anchor, 0.4), abs=0.005)
    assert figure.between == pytest.approx(((seen - anchor) / (1 - anchor), (seen - anchor) / 0.6), abs=1e-4)
    assert figure.ci[0] < figure.between[0] < 0.25 < figure.between[1] < figure.ci[1]
    assert "One anchor alone cannot tell more. At most 0.4 are assumed to be careless." in str(found)


@pytest.mark.parametrize("pattern", first(1, ["drugs,theft", "!drugs,theft", "drugs => theft"]))
def test_bounds_hold_the_truth(pattern: str) -> None:
    """Of patterns and rules too, with one anchor of the three that tell nothing of the rate."""
    true = dict(zip(FIGURES, TRUE, strict=True))[pattern]
    records = drawn_records(ONE_COIN, 20_000, 4, 0.2, 0.5)

    (figure,) = careless(records, pattern, anchors={"always": (0.99, 1)}).figures

    assert figure.ci[0] < true < figure.ci[1]


def test_people_who_disguise_in_their_heads_send_what_they_press() -> None:
    """Pairs too, where each answer is disguised by itself: by the crosswise model and by three other coins."""
    design = Design.parse({"blocks": [
        {"model": "crosswise", "prevalence": 0.2, "items": ["drugs", "never"]},
        {"model": "crosswise", "prevalence": 0.3, "items": ["theft", "always"]},
    ]})  # fmt: skip
    order = np.array([0, 2, 1, 3])  # the columns of the design, in the order of the cells
    same = np.where(CELLS[:, np.newaxis] == CELLS, (0.2, 0.3, 0.2, 0.3), (0.8, 0.7, 0.8, 0.7)).prod(axis=2)
    shares = answered(0, 0) @ same * 0.75 + 0.25 * np.prod(np.where(CELLS, 0.9, 0.1), axis=1)
    records = Records(design, CELLS[:, order].astype(design.code_type), np.zeros(16, bool), {"w": shares})

    found = careless(records, FIGURES, anchors=ANCHORS, disguiser="person", sample=Sample(weights="w"))

    assert points(found) == pytest.approx([0.25, 0.9, *TRUE], abs=1e-8)


def test_weights_count_people_and_clusters_widen() -> None:
    """Whole weights are as many people; people who come in tens of one answer are as good as a tenth of them."""
    records = drawn_records(EACH, 500, 6, 0.2, 0.8)
    times = np.arange(500) % 3 + 1.0
    weighed = Records(EACH, records.codes, records.direct, {"w": times, "town": np.arange(500).astype(str)})
    repeated = Records(
        EACH,
        np.repeat(records.codes, times.astype(int), axis=0),
        np.zeros(int(times.sum()), bool),
        {"town": np.repeat(np.arange(500), times.astype(int)).astype(str)},
    )

    found = careless(weighed, ["drugs", "drugs,theft"], anchors=ANCHORS, sample=Sample(weights="w", cluster="town"))
    again = careless(repeated, ["drugs", "drugs,theft"], anchors=ANCHORS, sample=Sample(cluster="town"))

    assert points(found) == pytest.approx(points(again))
    for one, other in zip(found.figures, again.figures, strict=True):
        assert [one.se, *one.ci] == pytest.approx([other.se, *other.ci])


def test_direct_and_sampled_answers_are_corrected_too() -> None:
    """Where some answer directly, and each is asked three of four items: within 4.5 standard errors."""
    import pandas as pd

    design = candor.models.improved_grouped(ITEMS, p=0.6, theta=0.5, ask=3)
    random = np.random.default_rng(8)
    said = CELLS[random.choice(16, 20_000, p=answered(0.2, 0.8))]
    records = candor.disguise(pd.DataFrame(said, columns=ITEMS), design, direct=0.2, seed=9)

    found = careless(records, ["drugs", "drugs,theft"], anchors=ANCHORS)

    for one, true in zip(found.figures, (0.25, 0.1), strict=True):
        assert one.attentive is not None
        assert one.se is not None
        assert abs(one.attentive - true) < 4.5 * one.se


def test_where_anchors_find_nobody_careless_figures_stay() -> None:
    """A share below 0 is cut to 0, and the rate is unknown."""
    said = answered(0, 0)
    shares = sent(EACH, said) * np.where(CELLS[:, 2], 0.9, 1) * np.where(CELLS[:, 3], 1, 0.9)
    records = exact_records(EACH, shares / shares.sum())

    found = careless(records, ["drugs", "drugs,theft"], anchors=ANCHORS, sample=Sample(weights="w"))

    assert (found.share, found.share_ci[0], found.rate_ci) == (0.0, 0.0, (0.0, 1.0))
    assert [one.attentive for one in found.figures] == pytest.approx([one.answered for one in found.figures], abs=0.03)


@pytest.mark.parametrize("count", [4, 6])
def test_few_clusters_leave_the_point_inside_its_interval(count: int) -> None:
    """What so few of them say of how figures and anchors go together is noise: taken away, nothing was left."""
    for seed in range(6):
        records = drawn_records(EACH, 600, seed, 0.0, 0.5)
        town = np.random.default_rng(seed).integers(0, count, 600).astype(str)
        records = Records(EACH, records.codes, records.direct, {"town": town})
        (found,) = careless(records, ["drugs"], anchors=ANCHORS, sample=Sample(cluster="town")).figures

        assert found.attentive is not None
        assert found.ci[0] + 0.005 < found.attentive < found.ci[1] - 0.005


def test_a_figure_of_which_all_records_say_the_same_has_no_interval() -> None:
    """It ended at an estimate of −.06, where a share of 0 was true."""
    codes = np.zeros((40, 4), EACH.code_type)
    codes[:, 1], codes[:, 2], codes[:, 3] = np.arange(40) % 2, np.arange(40) % 4 == 0, np.arange(40) % 4 != 1
    found = careless(Records(EACH, codes, np.zeros(40, bool)), ["drugs", "theft"], anchors=ANCHORS)

    drugs, theft = found.figures
    assert np.isnan(drugs.ci).all()
    assert theft.ci[0] < theft.ci[1]
    assert found.to_json()["figures"][0]["ci"] == [None, None]


NEARLY_ALL = "nearly everybody seems to answer without reading"
BETTER = "they are answered better than attentive people can"


@pytest.mark.parametrize(
    ("share", "anchors", "said"),
    [
        (0.1, {"never": 1, "always": 0}, NEARLY_ALL),  # the wrong way round
        (1.0, ANCHORS, NEARLY_ALL),
        (0.0, {"never": 0.2, "always": 0.8}, BETTER),
    ],
)
def test_anchors_that_cannot_be_are_refused(share: float, anchors: dict[str, float], said: str) -> None:
    """Otherwise shares far outside 0 to 1 stood beside an interval of 1 to 1."""
    records = drawn_records(EACH, 20_000, 3, share, 0.5)
    with pytest.raises(InputError, match=f"^anchors: {said}"):
        careless(records, ["drugs"], anchors=anchors)


@pytest.mark.parametrize("anchors", [ANCHORS, {"never": 0}], ids=["two", "one"])
@pytest.mark.parametrize("count", [1, 50])
def test_anchors_that_all_records_answer_alike_tell_no_error(count: int, anchors: dict[str, float]) -> None:
    records = Records(EACH, np.tile(np.array([0, 0, 0, 1], EACH.code_type), (count, 1)), np.zeros(count, bool))
    with pytest.raises(InputError, match=r"^anchors: all records say the same of (it|them), or there is one"):
        careless(records, ["drugs"], anchors=anchors)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"anchors": {}}, "anchors: name one answer of known share, or two of different items."),
        ({"anchors": {"never": 0, "!never": 0}}, "anchors: name one answer of known share, or two of different items."),
        ({"anchors": {"never,always": 0}}, "anchors: 'never,always' is not one answer."),
        ({"anchors": {"never": 2}}, "anchors: 2 of 'never' is not a share from 0 to 1, or two that bound it."),
        (
            {"anchors": {"never": (0, 1, 1)}},
            "anchors: (0, 1, 1) of 'never' is not a share from 0 to 1, or two that bound it.",
        ),
        (
            {"anchors": {"never": (0, 0.5), "always": (0.4, 1)}},
            "anchors: attentive people may say yes to 'never' and 'always' alike, which tells nothing of careless "
            "ones; take an answer that is nearly never true, and one that nearly always is.",
        ),
        ({"rate": 0.5}, "rate: two anchors tell it; leave it out, or one of them."),
        ({"anchors": {"never": 0}, "rate": 1.5}, "rate: 1.5 is not a share from 0 to 1."),
        (
            {"anchors": {"never": (0, 0.1)}, "rate": 0.1},
            "rate: attentive people may answer 'never' by the rate 0.1, too.",
        ),
        ({"level": 1}, "level: 1.0 is not between 0 and 1."),
        ({"most": 0}, "most: 0.0 is not between 0 and 1."),
        (
            {"anchors": {"theft": 0}, "most": 0.01},
            "most: 'theft' is answered as if more than 0.01 were careless; raise it, or correct its share.",
        ),
        ({"figures": "drugs => drugs"}, "Rule 'drugs' => 'drugs': an item is on both sides."),
        ({"disguiser": "nobody"}, "disguiser: 'nobody' is not one of device, person."),
    ],
)
def test_what_anchors_cannot_tell_is_refused(options: dict[str, Any], said: str) -> None:
    """In one sentence, which names the argument."""
    records = drawn_records(ONE_COIN, 2000, 2, 0.2, 0.8)

    with pytest.raises(InputError) as refused:
        careless(records, **{"figures": "drugs", "anchors": ANCHORS} | options)

    assert str(refused.value) == said


def test_items_with_a_third_option_are_corrected_by_the_answer_that_anchors_name() -> None:
    """Shares worked out by hand, where careless people say yes, no and nothing by rates of .6, .3 and .1."""
    options = ["no", "yes", "secret"]
    items = [{"id": name, "options": options, "noise": [0.5, 0.3, 0.2]} for name in ("drugs", "never", "always")]
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [*items, {"id": "plain", "theta": 0.5}]}]})
    cells = np.array(list(np.ndindex(3, 3, 3, 2)))
    attentive, rates = np.array([[0.7, 0.2, 0.1], [1, 0, 0], [0, 1, 0]]), np.array([0.3, 0.6, 0.1])
    shares = 0.75 * np.prod([table[cells[:, at]] for at, table in enumerate(attentive)], axis=0)
    shares += 0.25 * rates[cells[:, :3]].prod(axis=1)
    people = np.repeat(cells, np.round(shares * 40_000).astype(int), axis=0).astype(design.code_type)
    records = disguise(design, people, np.zeros(len(people), bool), words_from_seed(3))
    anchors = {"never=yes": 0, "always=yes": 1}

    found = careless(records, anchors=anchors)

    assert [one.figure for one in found.figures] == ["drugs=yes"]
    assert found.share is not None
    assert found.rate is not None
    errors = np.diff(found.share_ci)[0] / 3.92, np.diff(found.rate_ci)[0] / 3.92
    assert abs(found.share - 0.25) < 4.5 * errors[0]
    assert abs(found.rate - 0.6) < 4.5 * errors[1]
    (share,) = found.figures
    assert share.attentive is not None
    assert share.se is not None
    assert abs(share.attentive - 0.2) < 4.5 * share.se
    assert abs(share.answered - (0.75 * 0.2 + 0.25 * 0.6)) < 4.5 * share.answered_se
    for figure, said in (
        ("plain", "figures: 'plain' has other answers than the anchors, which do not tell what careless people give."),
        ("drugs=secret", "figures: 'drugs=secret' is not the answer that the anchors name, nor all others."),
    ):
        with pytest.raises(InputError) as refused:
            careless(records, figure, anchors=anchors)
        assert str(refused.value) == said
