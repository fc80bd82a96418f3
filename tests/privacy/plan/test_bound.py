"""The floor under errors: published figures, brute force over small surveys, and channels drawn at random."""

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import candor
from privacy.errors import InputError
from privacy.plan import Advice, Brief, ExpectedItem, best_designs, yes_no
from tests.cases import every

E = math.e


@pytest.mark.parametrize(
    ("items", "gamma", "versions", "yes"),
    [
        (10, 19, (0.0135, 0.0170), (0.0120, 0.0132)),
        (10, E, (0.0536, 0.0673), None),
        (50, 19, (None, 0.1289), None),
        (50, E, (None, 0.5106), None),
    ],
)
def test_published_floors(
    items: int, gamma: float, versions: tuple[float | None, float], yes: tuple[float, float] | None
) -> None:
    """Pairs and triples of 10 000 respondents, of ten items and of fifty."""
    found = candor.bound(items, 10_000, gamma, length=3)

    for wanted, made in ((versions, found.versions), (yes or (None, None), found.yes)):
        assert [one and round(made[place], 4) for place, one in enumerate(wanted, start=1)] == [*wanted]


def most_told(items: int, gamma: Fraction) -> Fraction:
    """The largest variance of a likelihood ratio among those of two levels, every set of truths tried: exactly."""
    truths = range(2**items)
    most = Fraction(0)
    for size in range(1, len(truths)):
        for high in combinations(truths, size):
            ratio = [gamma if truth in high else Fraction(1) for truth in truths]
            mean = sum(ratio, Fraction(0)) / len(ratio)
            most = max(most, sum(((one / mean - 1) ** 2 for one in ratio), Fraction(0)) / len(ratio))
    return most


def signs(items: int) -> np.ndarray:
    """The products of answers ±1 (columns, the sets of answers but the empty one) of every truth (rows)."""
    truths = list(product((-1, 1), repeat=items))
    sets = [own for size in range(1, items + 1) for own in combinations(range(items), size)]
    return np.array([[math.prod(truth[place] for place in own) for own in sets] for truth in truths])


def wanted(items: int, length: int, versions: bool) -> np.ndarray:
    """The mean of c c′ over patterns, whose share is a constant and c times the means of products."""
    products = signs(items)
    truths = list(product((-1, 1), repeat=items))
    rows = []
    for own in combinations(range(items), length):
        for version in product((-1, 1), repeat=length) if versions else [(1,) * length]:
            matches = [all(truth[place] == one for place, one in zip(own, version, strict=True)) for truth in truths]
            rows.append(np.array(matches) @ products / len(truths))
    return np.mean([np.outer(row, row) for row in rows], axis=0)


@pytest.mark.parametrize("gamma", [Fraction(3, 2), Fraction(5), Fraction(19)])
@pytest.mark.parametrize("items", [1, 2, 3, 4])
def test_floors_are_those_of_every_pattern_written_out(items: int, gamma: Fraction) -> None:
    """The roots of the eigenvalues of W, and the most that a record tells by trying every set of truths."""
    most = float(most_told(items, gamma) if items < 4 else max(_two_levels(2**items, gamma)))
    found = candor.bound(items, 100, gamma, length=items)

    for length in range(1, items + 1):
        for floors, versions in ((found.versions, True), (found.yes, False)):
            roots = np.sqrt(np.linalg.eigvalsh(wanted(items, length, versions)).clip(0)).sum()
            assert floors[length - 1] == pytest.approx(roots / math.sqrt(100 * most), rel=1e-6)


@pytest.mark.parametrize("sizes", [[3], [3, 2], [3, 3], [2, 3, 4], [3, 3, 2, 2]], ids=str)
def test_items_with_any_number_of_answers_have_the_floor_of_every_pattern_written_out(sizes: list[int]) -> None:
    """Yes, no and prefer not to say, for instance, each as common: the roots of the eigenvalues of W again."""
    truths = list(product(*map(range, sizes)))
    told = float(max(_two_levels(len(truths), Fraction(19))))
    found = candor.bound(sizes, 100, 19, length=len(sizes))

    for length in range(1, len(sizes) + 1):
        mean = np.zeros((len(truths), len(truths)))
        sets = list(combinations(range(len(sizes)), length))
        for own in sets:
            versions = list(product(*(range(sizes[place]) for place in own)))
            for version in versions:
                matches = np.array(
                    [all(truth[at] == one for at, one in zip(own, version, strict=True)) for truth in truths]
                )
                centred = (matches - matches.mean()) / math.sqrt(len(truths))
                mean += np.outer(centred, centred) / len(versions) / len(sets)
        eigenvalues = np.linalg.eigvalsh(mean)
        roots = np.sqrt(eigenvalues[eigenvalues > 1e-12]).sum()
        assert found.versions[length - 1] == pytest.approx(roots / math.sqrt(100 * told), rel=1e-9)
    assert found.yes == ()


@pytest.mark.parametrize("gamma", [1.5, math.e, 5.0, 19.0])
def test_the_best_of_all_channels_for_three_answers_reaches_the_floor_and_no_more(gamma: float) -> None:
    """The least mean variance of the three shares, over all mixtures of channels of two levels: these are extreme."""
    parts = [np.array([part >> answer & 1 for answer in range(3)]) for part in range(1, 7)]
    ratios = np.array([np.where(part, gamma, 1.0) for part in parts])
    ratios /= ratios.mean(axis=1, keepdims=True)
    contrasts = np.linalg.svd(np.eye(3) - 1 / 3)[0][:, :2] * math.sqrt(3)
    slopes = ratios @ contrasts / 3

    def variance(weights: Any) -> float:
        least = np.linalg.inv(slopes.T @ (slopes * weights[:, None]))
        return float(np.trace(contrasts @ least @ contrasts.T) / 9 / 3)

    adds_up: Any = {"type": "eq", "fun": lambda weights: ratios.T @ weights - 1}
    best = minimize(variance, np.full(6, 1 / 6), bounds=[(0, 1)] * 6, constraints=adds_up, options={"ftol": 1e-12})
    floor = candor.bound([3], 1, gamma).versions[0]

    assert best.success
    assert floor == pytest.approx(math.sqrt(best.fun), rel=1e-4)


def _two_levels(truths: int, gamma: Fraction) -> list[Fraction]:
    """Variances where so many truths have γ times the likelihood of the others."""
    made = []
    for high in range(1, truths):
        mean = (high * gamma + truths - high) / truths
        made.append((high * (gamma / mean - 1) ** 2 + (truths - high) * (1 / mean - 1) ** 2) / truths)
    return made


@pytest.mark.parametrize("seed", every(7, range(40)))
def test_no_channel_tells_more(seed: int) -> None:
    """Channels of three answers drawn at random: the least variances by their Fisher information lie above."""
    random = np.random.default_rng(seed)
    levels = random.uniform(0, 1, (12, 8)) if seed % 2 else random.integers(0, 2, (40, 8)).astype(float)
    channel = np.exp(levels * random.uniform(0.2, 3))
    channel *= 0.95 / channel.sum(axis=0).max()
    channel = np.vstack([channel, 1 - channel.sum(axis=0)])  # what is missing of each truth is one record more
    gamma = float((channel.max(axis=1) / channel.min(axis=1)).max())
    slopes = channel @ signs(3) / 8
    information = (slopes / channel.mean(axis=1, keepdims=True)).T @ slopes
    least = np.linalg.inv(information)

    found = candor.bound(3, 1, gamma * (1 + 1e-9), length=3)

    for length in (1, 2, 3):
        for floors, versions in ((found.versions, True), (found.yes, False)):
            assert np.trace(wanted(3, length, versions) @ least) >= floors[length - 1] ** 2


@pytest.mark.parametrize("items", [1, 2])
def test_one_coin_over_few_answers_reaches_the_floor(items: int) -> None:
    """γ-diagonal: a share of 1/2^L, seen through a coin that keeps a, varies by f(1 − f)/a² with f = 1/2^L."""
    for gamma in (Fraction(3), Fraction(19)):
        keep, share = (gamma - 1) / (gamma - 1 + 2**items), Fraction(1, 2**items)
        variance = share * (1 - share) / keep**2 / 1000
        assert candor.bound(items, 1000, gamma).versions[-1] == pytest.approx(math.sqrt(variance), rel=1e-12)


def advised(**changed: object) -> Advice:
    given = {"questions": yes_no(3), "respondents": 1000, "gamma": Fraction(19), "length": 2} | changed
    return best_designs(Brief(**given))  # type: ignore[arg-type]


def test_the_advisor_says_how_near_it_comes() -> None:
    """The error of what is recommended, of independent answers half of which are yes, beside both floors."""
    advice = advised(questions=yes_no(3, 0.5))
    floors = candor.bound(3, 1000, 19)
    error = advice.error(advice.recommended)

    assert advice.to_json()["bound"] == floors.to_json()["lengths"]
    above = [math.ceil(100 * (error / max(own) - 1)) for own in (floors.versions, floors.yes)]
    assert f"{max(floors.versions):.4g} on average" in str(advice)
    assert f"this one is within {above[0]} % and {above[1]} %." in str(advice)
    assert min(above) > 0


def test_the_advisor_says_it_of_items_with_options_too() -> None:
    """γ-diagonal over nine pairs of answers, γ = 19, is as good as can be: f(1 − f)/a², f = 1/9 and a = 18/27."""
    advice = advised(questions=tuple(ExpectedItem(one, ("0", "1", "secret")) for one in "ab"))
    pairs = math.sqrt(1 / 9 * 8 / 9 / (18 / 27) ** 2 / 1000)
    bound = advice.bound

    assert bound is not None
    assert bound.versions[1] == pytest.approx(pairs)
    assert advice.to_json()["bound"][1] == {"length": 2, "versions": pytest.approx(pairs), "yes": None}
    error = max(advice.recommended.errors.expected)
    assert f"Where the answers to an item are equally common, it errs by {error:.4g}." in str(advice)
    assert f"this one is within {math.ceil(100 * (error / max(bound.versions) - 1))} %." in str(advice)


@pytest.mark.parametrize(
    "changed",
    [
        {"questions": yes_no(3, 0.3)},
        {"direct_share": 0.1},
        {"questions": tuple(ExpectedItem(one, ("0", "1", "secret"), (0.665, 0.285, 0.05)) for one in "abc")},
        {"promise": "one_sided"},
    ],
    ids=["another prevalence", "direct answers", "other shares of options", "a weaker promise"],
)
def test_where_no_floor_is_known_none_is_printed(changed: dict[str, object]) -> None:
    """Where answers are not equally common, with answers that keep no promise, and where γ bounds one answer alone."""
    if "promise" in changed:
        changed |= {
            "questions": tuple(ExpectedItem(one.id, marks=(("harmless", "0"),)) for one in yes_no(3)),
        }
    advice = advised(**changed)

    assert advice.to_json()["bound"] is None
    assert "average over all" not in str(advice)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((0, 10, 19), "items: 0"),
        ((3, 0, 19), "respondents: 0"),
        ((3, 10, 1), "gamma: 1"),
        ((2.5, 10, 9), "items: 2.5"),
        (([2, 1], 10, 9), "items: 1 answers are outside 2 to 254"),
        (([], 10, 9), r"items: \[\]"),
    ],
)
def test_what_is_no_survey_is_refused(given: tuple[int, int, float], said: str) -> None:
    """As by the advisor."""
    with pytest.raises(InputError, match=said):
        candor.bound(*given)
    with pytest.raises(InputError, match="length: 4"):
        candor.bound(3, 10, 19, length=4)
