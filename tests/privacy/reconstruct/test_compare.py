"""Figures of several versions, where people above the cap of a list make them too low: how far differences may lie."""

import numpy as np
import pytest

import candor
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import NoFigureError
from privacy.estimate.linearised import Estimate
from privacy.reconstruct.compare import slope
from tests.cases import first

N = 10_000
DESIGN = candor.Design.parse(
    {"model": "one-of", "gamma": 19, "cap": 2, "longest": 1, "items": [f"q{place}" for place in range(15)]}
)
SHARE = 0.08 * 0.5 + 0.92 * 0.01


def wave(rng: np.random.Generator, *, heavy: bool) -> candor.Records:
    """Each answer is true of the same share of people: of each alone, or of half of a class of 8 % and few others."""
    people = rng.random((N, 15)) < (0.01 if heavy else SHARE)
    if heavy:
        people[: N * 8 // 100] = rng.random((N * 8 // 100, 15)) < 0.5
    return disguise(DESIGN, people, take=words_from_seed(int(rng.integers(2**32))))


@pytest.mark.parametrize("figure", ["q1", "!q1"])
def test_versions_differ_by_no_more_than_groups_of_one_file_do(figure: str) -> None:
    """The same records, once as two versions and once as two groups, of which `minus` knows how far they may lie."""
    rng = np.random.default_rng(21)
    waves = {"spring": wave(rng, heavy=False), "autumn": wave(rng, heavy=True)}
    codes = np.concatenate([each.codes for each in waves.values()])
    table = candor.Records(DESIGN, codes, np.zeros(2 * N, bool)).to_frame()
    one_file = candor.Records.from_frame(table.assign(wave=np.repeat(["1", "2"], N)), DESIGN)

    (versions,), (groups,) = (
        made.differences for made in (candor.compare(waves, figure), candor.compare(one_file, figure, "wave"))
    )

    assert versions.estimate.estimate == pytest.approx(groups.estimate.estimate, abs=1e-9)
    assert versions.estimate.ci == pytest.approx(groups.estimate.ci, abs=2e-5)
    assert versions.estimate.p == groups.estimate.p == 1


def test_a_trend_may_be_as_steep_as_far_ends_of_its_figures_let_it() -> None:
    """By hand: of three figures of equal error the slope is half of the last less half of the first."""
    own, low, high = (Estimate(value, se, (0, 0), 0) for value, se in ((0.1, 0.02), (0.06, 0.03), (0.3, 0.04)))

    made = slope([(0.1, 0.02)] * 3, np.inf, 0.95, [(own, high), (own, own), (low, own)])

    assert made.estimate == pytest.approx(0)
    assert made.ci[0] == pytest.approx((0.06 - 0.3) / 2 - 1.959964 * np.hypot(0.03, 0.04) / 2)
    assert made.ci[1] == pytest.approx(1.959964 * 0.02 / 2**0.5)
    assert made.p == 1


@pytest.mark.parametrize("surveys", first(1, [4, 100]))
def test_where_nothing_changed_differences_and_trends_hold_0(surveys: int) -> None:
    """Only in the last of three waves are there people above the cap: .95 of intervals or more, allowing 3 standard
    errors."""
    rng, held = np.random.default_rng(22), []
    for _ in range(surveys):
        made = candor.compare({name: wave(rng, heavy=name == "c") for name in "abc"}, "q1")
        every = [one.estimate for one in (*made.differences, *made.trends)]
        held.append([one.ci[0] <= 0 <= one.ci[1] for one in every])

    assert np.mean(held, axis=0).min() > 0.95 - 3 * (0.95 * 0.05 / surveys) ** 0.5


def test_a_group_without_a_figure_is_named_below_those_that_have_one() -> None:
    """Among the young nobody seems to take drugs, so there is no confidence; that of the old is as it is alone."""
    design = candor.models.warner(["drugs", "theft"], theta=0.8)
    codes = np.repeat([[0, 0], [1, 1]], [150, 50], axis=0).astype(np.uint8)
    columns = {"young": np.repeat([1, 0], [100, 100])}
    records = candor.Records(design, codes, np.zeros(200, bool), columns)
    old = candor.Records(design, codes[100:], np.zeros(100, bool))
    reason = "Rule 'drugs => theft': its sides are not estimated to be above 0, so it has no confidence."

    compared = candor.compare(records, "drugs => theft", "young")

    (alone,) = candor.compare(old, "drugs => theft").figures
    assert [(one.group, one.n, one.estimate and one.estimate.estimate, one.reason) for one in compared.figures] == [
        ("young=0", 100, alone.estimate and alone.estimate.estimate, None),
        ("young=1", 0, None, reason),
    ]
    assert compared.differences == ()
    assert str(compared).splitlines()[-1] == f"drugs => theft · young=1 has no figure. {reason}"
    assert compared.to_json()["figures"][1]["reason"] == reason


def test_a_figure_that_no_group_has_is_refused_with_the_reason() -> None:
    """Nobody seems to take drugs."""
    design = candor.models.warner(["drugs", "theft"], theta=0.8)
    records = candor.Records(design, np.zeros((200, 2), np.uint8), np.zeros(200, bool), {"young": np.arange(200) % 2})

    with pytest.raises(candor.InputError, match=r"^young=0: Rule 'drugs => theft': its sides are not"):
        candor.compare(records, "drugs => theft", "young")


def rare_rule(seed: int) -> candor.Comparison:
    """What 300 people tell of a rule whose left side 6 % have."""
    random, design = np.random.default_rng(seed), candor.models.warner(["drugs", "theft"], theta=0.8)
    drugs = random.random(300) < 0.06
    truth = np.column_stack([drugs, random.random(300) < np.where(drugs, 0.7, 0.3)])
    codes = np.where(random.random((300, 2)) < 0.8, truth, ~truth).astype(np.uint8)
    return candor.compare(candor.Records(design, codes, np.zeros(300, bool)), "drugs => theft")


def test_a_rule_has_a_figure_where_its_interval_has_ends_and_a_p_that_agrees() -> None:
    """Of 60 surveys: p is below .05 where the interval leaves 0 out; without ends one sentence says why."""
    found, refused = [], set()
    for seed in range(60):
        try:
            found.append(rare_rule(seed).figures[0].estimate)
        except NoFigureError as error:
            refused.add(str(error))

    known = [one for one in found if one is not None]
    assert len(known) == len(found) > 10
    assert all(np.isfinite([one.estimate, *one.ci, one.p]).all() for one in known)
    assert [one.p < 0.05 for one in known] == [one.ci[0] > 0 or one.ci[1] < 0 for one in known]
    assert refused >= {"Nothing can be said of 'drugs => theft': the records do not exclude that its divisor is 0."}


@pytest.mark.long
def test_of_six_groups_that_are_alike_few_surveys_show_one_apart() -> None:
    """In 300 surveys of 1 200 people a q of .05 or less in 5 %, allowing 4.5 standard errors; p alone in over 20 %."""
    random, design = np.random.default_rng(8), candor.models.warner(["drugs"], theta=0.8)
    apart = []
    for _ in range(300):
        truth = random.random((1_200, 1)) < 0.1
        codes = np.where(random.random((1_200, 1)) < 0.8, truth, ~truth).astype(np.uint8)
        columns = {"group": np.repeat(np.arange(6), 200)}
        made = candor.compare(candor.Records(design, codes, np.zeros(1_200, bool), columns), "drugs", "group")
        apart.append((made.q.min() <= 0.05, min(one.estimate.p for one in made.differences) < 0.05))

    by_q, alone = np.mean(apart, axis=0)
    assert by_q < 0.05 + 4.5 * np.sqrt(0.05 * 0.95 / 300)
    assert alone > 0.2
