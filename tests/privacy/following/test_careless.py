"""Did people and devices follow the design? How many did not, what the others say, and the sentence."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import candor
from benchmarks.coverage_careless import survey
from candor import careless
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.following.careless import ALL_MAY, CANNOT, DEPART, FIT, SOME_DO_NOT, UNKNOWN, UNTESTED, Careless
from privacy.following.exchange import Rare, exchanges
from privacy.records import Records
from tests.cases import first

ITEMS = ["drugs", "theft", "never", "always"]
EACH = candor.models.warner(ITEMS, theta=0.75, direct=False)
ONE_COIN = candor.models.improved_grouped(ITEMS, p=0.6, theta=0.5, direct=False)
ANCHORS = {"never": 0, "always": 1}
TRUTH = {(1, 1): 0.1, (1, 0): 0.15, (0, 1): 0.2, (0, 0): 0.55}  # drugs and theft
FIGURES = ["drugs", "theft", "drugs,theft", "!drugs,theft"]
TRUE = [0.25, 0.3, 0.1, 0.2]
CELLS = np.array(list(product((0, 1), repeat=4)))


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


def drawn_records(design: Design, n: int, seed: int, share: float, rate: float) -> Records:
    random = np.random.default_rng(seed)
    return Records(
        design,
        CELLS[random.choice(16, n, p=sent(design, answered(share, rate)))].astype(design.code_type),
        np.zeros(n, bool),
    )


def points(followed: Careless) -> list[float | None]:
    return [followed.share, *(figure.attentive for figure in followed.figures)]


@pytest.mark.parametrize("design", [EACH, ONE_COIN], ids=["each", "one coin"])
@pytest.mark.parametrize(("share", "rate"), first(1, [(0.1, 0.5), (0.2, 0.9), (0.4, 0.2)]))
@pytest.mark.parametrize("same", [False, True], ids=["each", "same"])
def test_the_pair_gives_back_what_those_say_who_follow(design: Design, share: float, rate: float, same: bool) -> None:
    """Shares, pairs and negations, but for rounding, whatever the others press."""
    followed = careless(large_records(design, answered(share, rate, same)), FIGURES, anchors=ANCHORS)

    assert points(followed) == pytest.approx([share, *TRUE], abs=1e-3)
    assert followed.fits is True


@pytest.mark.long
def test_a_rare_set_of_few_people_is_not_estimated_too_low() -> None:
    """150 surveys of 500 people by flips, seed 3, to 4.5 standard errors: weights prefer no small difference."""
    chance = np.random.default_rng(3)
    surveys = [survey("flips", 500, 0.0, "yes", chance) for _ in range(150)]
    found = [careless(one, "drugs,theft", anchors=ANCHORS).figures[0].attentive for one in surveys]

    assert abs(np.mean(found) - 0.025) < 4.5 * np.std(found) / 150**0.5


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
        return np.array([one / known, two / known])

    steps = 1e-6 * np.eye(16)
    slopes = np.array([(figures(counts + step) - figures(counts - step)) / 2e-6 for step in steps])
    found = careless(records, ["drugs", "drugs,theft"], anchors=ANCHORS)

    assert [one.attentive for one in found.figures] == pytest.approx(figures(counts).tolist(), rel=1e-4)
    errors = np.sqrt(np.diag(slopes.T @ covariance @ slopes))
    assert [one.se for one in found.figures] == pytest.approx(errors.tolist(), rel=1e-4)


@pytest.mark.parametrize(("share", "surveys"), first(1, [(0.2, 5), (0.2, 150), (0.0, 150)]))
def test_intervals_hold_what_is_true(share: float, surveys: int) -> None:
    """Of share and pair, also where all follow: not in fewer surveys than 95 % less 4.5 errors."""
    true = [0.25, 0.1]
    held = np.zeros(2)
    for seed in range(surveys):
        records = drawn_records(ONE_COIN, 1000, seed, share, 0.8)
        found = careless(records, ["drugs", "drugs,theft"], anchors=ANCHORS)
        held += [one.ci[0] <= value <= one.ci[1] for one, value in zip(found.figures, true, strict=True)]
    assert (held / surveys > 0.95 - 4.5 * (0.95 * 0.05 / surveys) ** 0.5).all()


def large_records(design: Design, said: np.ndarray) -> Records:
    """Records of 20 000 people, as many of each kind as on average."""
    counts = np.round(2e4 * sent(design, said)).astype(int)
    return Records(design, np.repeat(CELLS, counts, axis=0).astype(design.code_type), np.zeros(counts.sum(), bool))


@pytest.mark.parametrize("literals", [{0: 1}, {0: 1, 1: 1}, {0: 0, 1: 1}], ids=["share", "pair", "negation"])
def test_exchange_leaves_nothing_of_those_who_do_not_follow(literals: dict[int, int]) -> None:
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
    assert held == [True] * 4


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
        assert abs(one.attentive - true) < 4.5 * one.se


TURNS = (CELLS == (1, 0, 1, 0)).all(axis=1).astype(float)


@pytest.mark.parametrize("turned", [TURNS, (TURNS + TURNS[::-1]) / 2], ids=["one pattern", "both"])
def test_who_presses_in_turn_contradicts_the_pair_and_is_counted_between_two_ends(turned: np.ndarray) -> None:
    """Each who affirms what nobody does and denies what everybody does counts twice; no figure is corrected."""
    followed = careless(large_records(ONE_COIN, 0.8 * answered(0, 0) + 0.2 * turned), anchors=ANCHORS)

    assert (followed.share, followed.fits, followed.figures) == (None, False, ())
    assert followed.share_ci is not None
    assert followed.share_ci[0] < 0.2 < followed.share_ci[1]
    assert followed.sentence.sentence == CANNOT


# Records (question, never, always) of crosswise with 1/4 and with 1/6; the values are exact fractions and Fieller's.
ANCHORED = [
    (
        3 / 4,
        {"000": 118, "001": 372, "010": 45, "011": 118, "100": 46, "101": 149, "110": 30, "111": 122},
        [27 / 250, 16 / 223, 97 / 500],
        (-0.01182161221177163, 0.14942689823620664),
    ),
    (
        5 / 6,
        {"000": 101, "001": 467, "010": 26, "011": 92, "100": 30, "101": 147, "110": 18, "111": 119},
        [29 / 200, 59 / 570, 221 / 1000],
        (0.04600394100656922, 0.1585209277571571),
    ),
]


def as_normal(n: int) -> float:
    """The level at which Student's t reaches as far as the normal law at .95."""
    from scipy.special import stdtr

    return 2 * float(stdtr(n - 1, 1.959963984540054)) - 1


@pytest.mark.parametrize(("theta", "counts", "values", "ends"), ANCHORED, ids=["1/4", "1/6"])
def test_the_pair_corrects_own_draws_by_fieller(
    theta: float, counts: dict[str, int], values: list[float], ends: tuple[float, float]
) -> None:
    """How many do not follow, the share of the others, and what all pressed: all exact."""
    codes = np.repeat([[*map(int, record)] for record in counts], [*counts.values()], axis=0).astype(np.uint8)
    names = ["drugs", "never", "always"]
    design = Design.parse(
        {"blocks": [{"keep": 2 * theta - 1, "items": [{"id": name, "theta": 0.5}]} for name in names]}
    )
    records = Records(design, codes, np.zeros(1000, bool))

    followed = careless(records, anchors=ANCHORS, disguiser="person", level=as_normal(1000))

    (figure,) = followed.figures
    assert [followed.share, figure.attentive, figure.answered] == pytest.approx(values, abs=1e-9)
    assert figure.ci == pytest.approx(ends, abs=1e-9)


def drawn_by_people(delta: list[int], more: Sequence[dict[str, Any]] = ()) -> Design:
    outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    draw = {"way": "crosswise", "source": "die", "outcomes": outcomes, "delta": delta}
    blocks = [{"by": "person", "draw": draw, "items": [{"id": name}]} for name in ("drugs", "never", "always")]
    return Design.parse({"blocks": [*blocks, *more]})


def test_intervals_reach_over_chances_that_are_wrong() -> None:
    """By δ(1 − 2π)/(1 − 2p) of the question, and as much of each of the pair; points stay where they are."""
    _, counts, values, _ = ANCHORED[1]
    codes = np.repeat([[*map(int, record)] for record in counts], [*counts.values()], axis=0).astype(np.uint8)
    exact, off = (
        careless(Records(drawn_by_people(delta), codes, np.zeros(1000, bool)), anchors=ANCHORS, disguiser="person")
        for delta in ([0, 1], [1, 100])
    )

    reach = [end - other for end, other in zip(off.figures[0].ci, exact.figures[0].ci, strict=True)]
    assert (off.figures[0].attentive, exact.figures[0].attentive) == pytest.approx((values[1], values[1]), abs=1e-9)
    assert reach[1] == pytest.approx(-reach[0])
    most = 0.01 / (2 / 3)
    assert most * (1 - 2 * 0.221) + 2 * most * 0.6 < reach[1] < 3.2 * most
    assert off.share_ci is not None
    assert exact.share_ci is not None
    assert off.share_ci[1] - exact.share_ci[1] == pytest.approx(reach[1] - most * (1 - 2 * 0.221), abs=0.001)


def test_who_draws_must_be_who_is_said_to() -> None:
    """A device disguises what people press who do not follow, so figures and anchors of both kinds do not mix."""
    design = drawn_by_people([0, 1], [{"keep": 0.5, "items": [{"id": "theft", "theta": 0.5}]}])
    codes = np.array([[0, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]] * 50, np.uint8)
    records = Records(design, codes, np.zeros(200, bool))

    cases = ("device", "never", "person", "anchors"), ("person", "theft", "device", "figures")
    for disguiser, name, who, at in cases:
        with pytest.raises(InputError) as refused:
            careless(records, "theft", anchors=ANCHORS, disguiser=disguiser)
        assert str(refused.value) == f"{at}: of {name!r} the {who} draws; disguiser is the {who}."


def sentence_of(design: Design, shares: np.ndarray, **options: Any) -> str:
    counts = np.round(3000 * shares).astype(int)
    codes = np.repeat(CELLS, counts, axis=0).astype(design.code_type)
    followed = careless(Records(design, codes, np.zeros(len(codes), bool)), **options)
    assert followed.to_json()["sentence"] == str(followed.sentence)
    return followed.sentence.sentence


@pytest.mark.parametrize(
    ("shares", "options", "said"),
    [
        (sent(EACH, answered(0.0, 0.5)), {"anchors": ANCHORS}, ALL_MAY),
        (sent(EACH, answered(0.43, 1.0)), {"anchors": ANCHORS}, SOME_DO_NOT),
        (sent(EACH, answered(1.0, 0.5)), {"anchors": ANCHORS}, CANNOT),
        (sent(EACH, answered(0.43, 1.0)), {}, FIT),
        (sent(EACH, answered(0.43, 1.0)), {"anchors": {"never": (0, 0.01)}}, DEPART),
        (sent(EACH, answered(0.0, 0.5)), {"anchors": {"never": (0, 0.01)}}, FIT),
        (answered(0.0, 0.5), {}, DEPART),  # no device disguised
        (answered(0.0, 0.5), {"anchors": ANCHORS}, DEPART),
        (sent(EACH, answered(0.0, 0.5)), {"anchors": {"never": 1, "always": 0}}, CANNOT),  # the wrong way round
        (np.eye(16)[0b0110], {"anchors": ANCHORS, "disguiser": "person"}, UNKNOWN),  # all alike
    ],
)
def test_one_sentence_says_what_is_so(shares: np.ndarray, options: dict[str, Any], said: str) -> None:
    """Of 3 000 people, as many of each kind as on average."""
    assert sentence_of(EACH, shares, **options) in (said, DEPART if said == UNKNOWN else said)


def test_where_nothing_can_be_tested_that_is_said() -> None:
    """Of people who all answered directly nothing is known."""
    records = Records(EACH, np.zeros((50, 4), np.uint8), np.ones(50, bool))

    assert careless(records).sentence.sentence == UNTESTED


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"anchors": {}}, "anchors: name one answer of known share, or two of different items."),
        ({"anchors": {"never": 0, "!never": 0}}, "anchors: name one answer of known share, or two of different items."),
        ({"anchors": {"never,always": 0}}, "anchors: 'never,always' is not one answer."),
        ({"anchors": {"never": 2}}, "anchors: 2 of 'never' is not a share from 0 to 1, or two that bound it."),
        (
            {"anchors": {"never": (0, 0.5), "always": (0.4, 1)}},
            "anchors: 'never' and 'always' do not tell who follows the design; take an answer that at most 0.05 of "
            "people give, and one that 0.95 or more do.",
        ),
        (
            {"anchors": {"never": 0}},
            "figures: they are corrected by two anchors; name what nobody and what everybody affirms.",
        ),
        ({"level": 1}, "level: 1.0 is not between 0 and 1."),
        ({"disguiser": "nobody"}, "disguiser: 'nobody' is not one of device, person."),
        (
            {"disguiser": "person", "figures": "drugs,theft"},
            "figures: 'drugs,theft' is not one yes/no answer, which people draw; disguiser is the device.",
        ),
    ],
)
def test_what_anchors_cannot_tell_is_refused(options: dict[str, Any], said: str) -> None:
    """In one sentence, which names the argument."""
    records = drawn_records(EACH, 2000, 2, 0.2, 0.8)

    with pytest.raises(InputError) as refused:
        careless(records, **{"figures": "drugs", "anchors": ANCHORS} | options)

    assert str(refused.value) == said


def test_items_with_a_third_option_are_corrected_by_the_answer_that_anchors_name() -> None:
    """Shares worked out by hand, where people who do not follow say yes, no and nothing by rates of .6, .3 and .1."""
    options = ["no", "yes", "secret"]
    items = [{"id": name, "options": options, "noise": [0.5, 0.3, 0.2]} for name in ("drugs", "never", "always")]
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [*items, {"id": "plain", "theta": 0.5}]}]})
    cells = np.array(list(np.ndindex(3, 3, 3, 2)))
    attentive, rates = np.array([[0.7, 0.2, 0.1], [1, 0, 0], [0, 1, 0]]), np.array([0.3, 0.6, 0.1])
    shares = 0.75 * np.prod([table[cells[:, at]] for at, table in enumerate(attentive)], axis=0)
    shares += 0.25 * rates[cells[:, :3]].prod(axis=1)
    people = np.repeat(cells, np.round(shares * 10_000).astype(int), axis=0).astype(design.code_type)
    records = disguise(design, people, np.zeros(len(people), bool), words_from_seed(3))
    anchors = {"never=yes": 0, "always=yes": 1}

    found = careless(records, anchors=anchors)

    assert [one.figure for one in found.figures] == ["drugs=yes"]
    assert found.share is not None
    assert found.share_ci is not None
    assert abs(found.share - 0.25) < 4.5 * (found.share_ci[1] - found.share_ci[0]) / 3.92
    (share,) = found.figures
    assert abs(share.attentive - 0.2) < 4.5 * share.se
    assert abs(share.answered - (0.75 * 0.2 + 0.25 * 0.6)) < 4.5 * share.answered_se
    for figure in ("plain", "drugs=secret"):
        with pytest.raises(InputError) as refused:
            careless(records, figure, anchors=anchors)
        assert str(refused.value) == (
            f"figures: {figure!r} has other answers than the anchors, which correct their own alone."
        )
