"""People who follow what the outcomes say, by web and on paper, by chances that are off as far as the design allows."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.estimate.wrong_chances import WrongChances
from privacy.own_draw.sources import SOURCES
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct import reconstruct
from privacy.reconstruct.modes import compare_modes
from privacy.records import Records
from tests.privacy.own_draw.people import BLOCKS

PEOPLE, SURVEYS = 2000, 200


def press(entry: dict[str, Any], truth: np.ndarray, sign: int, rng: np.random.Generator) -> np.ndarray:
    """What people press: each draws a label, reads what it says, and does that; no formula of a channel is used."""
    draw = entry["draw"]
    labels, says = _labels(draw), [outcome["says"] for outcome in draw["outcomes"]]
    means = np.array([place for place, outcome in enumerate(draw["outcomes"]) for _ in outcome["of"]])
    drawn = means[rng.choice(len(labels), len(truth), p=_chances(draw, means, sign))]
    facts = draw.get("other", ())
    facts = facts * truth.shape[1] if [fact["source"] for fact in facts] == [draw["source"]] else facts
    other = np.zeros_like(truth)
    for place, fact in enumerate(facts):
        other[:, place] = rng.random(len(truth)) < _share_of(fact, sign)
    record = np.zeros_like(truth)
    for place, meaning in enumerate(says):
        here = drawn == place
        record[here] = _pressed(meaning, draw["way"], truth[here], other[here])
    return record


def _pressed(says: str, way: str, truth: np.ndarray, other: np.ndarray) -> np.ndarray:
    if way == "triangular":
        return np.maximum(truth, int(says == "fact"))
    if way in ("crosswise", "extended"):
        return truth ^ int(says == "fact")
    values = {"truth": truth, "opposite": 1 - truth, "other": other}
    return values[says] if says in values else np.full(truth.shape, int(says == "yes"))


def _labels(draw: dict[str, Any]) -> list[str]:
    return [label for outcome in draw["outcomes"] for label in outcome["of"]]


def _of_labels(source: str, labels: list[str], lot: bool) -> list[float]:
    chances = SOURCES[source].chances
    return [1 / len(labels) if lot else float(chances[label]) for label in labels]


def _delta(draw: dict[str, Any]) -> float:
    """How far chances are off: not at all under a lot."""
    return 0.0 if draw.get("lot") else float(Fraction(SOURCES[draw["source"]].delta))


def _chances(draw: dict[str, Any], means: np.ndarray, sign: int) -> np.ndarray:
    """The chance of each label, with δ moved from the last meaning to the first, or back."""
    chances = np.array(_of_labels(draw["source"], _labels(draw), bool(draw.get("lot"))))
    for meaning, moved in ((0, sign * _delta(draw)), (means.max(), -sign * _delta(draw))):
        own = means == meaning
        chances[own] += moved * chances[own] / chances[own].sum()
    return chances / chances.sum()


def _share_of(one: dict[str, Any], sign: int) -> float:
    labels = [*SOURCES[one["source"]].chances]
    by_label = dict(zip(labels, _of_labels(one["source"], labels, bool(one.get("lot"))), strict=True))
    return sum(by_label[label] for label in one["of"]) + sign * _delta(one)


def answers(design: Design, people: int, often: float, sign: int, rng: np.random.Generator) -> np.ndarray:
    """The records of so many, half of whom did each thing with the chance `often`, and half with .05."""
    entry, block = design.to_json()["blocks"][0], design.blocks[0]
    both = rng.random((people, 1)) < 0.5  # answers go together
    truth = (rng.random((people, len(block.items))) < np.where(both, often, 0.05)).astype(np.uint8)
    places = np.tile(np.arange(truth.shape[1]), (people, 1))
    here = np.sort(rng.permuted(places, axis=1)[:, : block.items_per_person], axis=1)
    codes = np.full(truth.shape, design.not_asked, design.code_type)
    seen = press(entry, np.take_along_axis(truth, here, axis=1), sign, rng)
    np.put_along_axis(codes, here, seen.astype(design.code_type), axis=1)
    return codes


def true_shares(often: float) -> np.ndarray:
    """Of one thing, and of two."""
    return np.array([often + 0.05, often**2 + 0.05**2]) / 2


def records_of(design: Design, codes: np.ndarray) -> Records:
    return Records(design, codes, np.zeros(len(codes), bool))


def hold(records: Records, shares: np.ndarray) -> list[bool]:
    """Whether the intervals of the first answer, and of a pair where there is one, hold these shares."""
    patterns = ["a"] if len(records.design.items) == 1 else ["a", "a,b"]
    made = reconstruct(records, patterns).patterns
    return [one.ci[0] <= share <= one.ci[1] for one, share in zip(made, shares.tolist(), strict=False) if one.ci]


def covered(name: str, surveys: int, seed: int) -> list[bool]:
    """Whether intervals of all surveys hold what is true, at both ends of δ."""
    design, rng, held = Design.parse({"blocks": [BLOCKS[name]]}), np.random.default_rng(seed), []
    for number in range(surveys):
        codes = answers(design, PEOPLE, 0.25, 1 if number % 2 else -1, rng)
        held += hold(records_of(design, codes), true_shares(0.25))
    return held


def covered_in_modes(name: str, surveys: int, seed: int) -> np.ndarray:
    """How often a share holds, the difference of modes, both joined, and a pair, where half answer on paper.

    Of typed answers 2 in 100 are wrong, and each tenth sheet is entered twice. Each mode is at either end of δ.
    """
    design, rng, held = Design.parse({"blocks": [BLOCKS[name]]}), np.random.default_rng(seed), []
    by_web, on_paper = true_shares(0.25), true_shares(0.35)
    share, half = (by_web + on_paper) / 2, PEOPLE // 2
    for number in range(surveys):
        web = answers(design, half, 0.25, 1 if number % 2 else -1, rng)
        pressed = answers(design, half, 0.35, 1 if number % 4 < 2 else -1, rng)
        asked = pressed != design.not_asked
        typed, again = (pressed ^ (asked & (rng.random(pressed.shape) < 0.02)) for _ in range(2))
        twice = np.s_[: half // 10]
        differing = int((typed != again)[twice].sum())
        errors = EntryErrors(int(asked[twice].sum()), differing, Fraction(1, 2))
        codes = np.concatenate([web, typed])
        one, *pair = hold(records_of(design.with_errors(errors), codes), share)
        found = compare_modes(records_of(design, codes), np.arange(PEOPLE) >= half, errors, least=100)[0]
        chances = WrongChances.from_pattern(design, parse_pattern("a", design))
        reach = 1.96 * found.share_se
        low, high = chances.widen(found.share, (found.share - reach, found.share + reach), 0.95)
        apart = found.ci[0] <= on_paper[0] - by_web[0] <= found.ci[1]
        held.append([one, apart, low <= share[0] <= high, *pair])
    return np.mean(held, axis=0)


def test_intervals_hold_the_truth_where_a_die_is_not_even() -> None:
    """Of a die that is off as far as it may be: at least as often as they say, by 4.5 standard errors."""
    held = covered("a die each", 40, seed=11)

    assert np.mean(held) >= 0.95 - 4.5 * (0.95 * 0.05 / 40) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize("name", BLOCKS)
def test_intervals_hold_the_truth_of_every_way_at_both_ends(name: str) -> None:
    """200 surveys of 2 000 people each, half at either end of δ."""
    held = covered(name, SURVEYS, seed=5)

    assert np.mean(held) >= 0.95 - 4.5 * (0.95 * 0.05 / SURVEYS) ** 0.5


@pytest.mark.parametrize(
    ("name", "surveys"), [("a die each", 20), *(pytest.param(name, SURVEYS, marks=pytest.mark.long) for name in BLOCKS)]
)
def test_intervals_hold_the_truth_of_both_modes(name: str, surveys: int) -> None:
    """Seed 84; shares in .935 of surveys or more, a pair in .925, less two standard errors of the simulation."""
    share, apart, joined, *pairs = covered_in_modes(name, surveys, seed=84)
    slack = 2 * (0.95 * 0.05 / surveys) ** 0.5

    assert min(share, apart, joined) >= 0.935 - slack
    assert all(pair >= 0.925 - slack for pair in pairs)
