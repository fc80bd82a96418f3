"""Surveys of people who follow what the outcomes say, by chances that are off as far as the design allows."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.draws.sources import SOURCES
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.privacy.draws.people import BLOCKS

PEOPLE, SURVEYS = 2000, 200


def press(entry: dict[str, Any], truth: np.ndarray, sign: int, rng: np.random.Generator) -> np.ndarray:
    """What people press: each draws a label, reads what it says, and does that; no formula of a channel is used."""
    draw = entry["draw"]
    labels, says = _labels(draw), [outcome["says"] for outcome in draw["outcomes"]]
    means = np.array([place for place, outcome in enumerate(draw["outcomes"]) for _ in outcome["of"]])
    drawn = means[rng.choice(len(labels), len(truth), p=_chances(draw, means, sign))]
    other = np.zeros_like(truth)
    for place, one in enumerate(draw.get("other", ())):
        other[:, place] = rng.random(len(truth)) < _share_of(one, sign)
    coins = rng.random(truth.shape) < 0.5 + sign * 0.01
    record = np.zeros_like(truth)
    for place, meaning in enumerate(says):
        here = drawn == place
        record[here] = _pressed(meaning, draw["way"], truth[here], coins[here], other[here])
    return record


def _pressed(says: Any, way: str, truth: np.ndarray, coins: np.ndarray, other: np.ndarray) -> np.ndarray:
    if way == "signs":
        return np.where(np.array(says) == 1, truth, 1 - truth)
    if isinstance(says, list):
        return np.broadcast_to(says, truth.shape)
    if way == "kuk":
        return np.where(truth == 1, int(says == "yes"), other[:, :1])
    if way == "triangular":
        return np.maximum(truth, int(says == "fact"))
    if way in ("crosswise", "extended"):
        return truth ^ int(says == "fact")
    values = {"truth": truth, "opposite": 1 - truth, "coins": coins, "other": other}
    return values[says] if says in values else np.full(truth.shape, int(says == "yes"))


def _labels(draw: dict[str, Any]) -> list[str]:
    return [label for outcome in draw["outcomes"] for label in outcome["of"]]


def _of_labels(source: str, labels: list[str], lot: bool) -> list[float]:
    own = SOURCES[source].chances
    return [1 / len(labels)] * len(labels) if lot or not own else [float(own[label]) for label in labels]


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
    labels = [*SOURCES[one["source"]].chances] or [*one["of"], *one["rest"]]
    by_label = dict(zip(labels, _of_labels(one["source"], labels, bool(one.get("lot"))), strict=True))
    return sum(by_label[label] for label in one["of"]) + sign * _delta(one)


def covered(name: str, surveys: int, seed: int) -> list[bool]:
    """Whether the intervals of the first answer, and of a pair, hold what is true, at both ends of δ."""
    entry = BLOCKS[name]
    design = Design.parse({"blocks": [entry]})
    rng, asked = np.random.default_rng(seed), design.blocks[0].items_per_person
    patterns = ["a"] if len(entry["items"]) == 1 else ["a", "a,b"]
    held = []
    for number in range(surveys):
        both = rng.random((PEOPLE, 1)) < 0.5  # answers go together
        truth = (rng.random((PEOPLE, len(entry["items"]))) < np.where(both, 0.25, 0.05)).astype(np.uint8)
        here = np.sort(rng.permuted(np.tile(np.arange(truth.shape[1]), (PEOPLE, 1)), axis=1)[:, :asked], axis=1)
        codes = np.full(truth.shape, design.not_asked, design.code_type)
        seen = press(entry, np.take_along_axis(truth, here, axis=1), 1 if number % 2 else -1, rng)
        np.put_along_axis(codes, here, seen.astype(design.code_type), axis=1)
        made = reconstruct(Records(design, codes, np.zeros(PEOPLE, bool)), patterns, feasible=False).patterns
        for one, share in zip(made, (0.15, (0.25**2 + 0.05**2) / 2), strict=False):
            assert one.ci
            held.append(one.ci[0] <= share <= one.ci[1])
    return held


def test_intervals_hold_the_truth_where_a_die_is_not_even() -> None:
    """Of a die and coins that are off as far as they may be: at least as often as they say, by 4.5 standard errors."""
    held = covered("coins", 40, seed=11)

    assert np.mean(held) >= 0.95 - 4.5 * (0.95 * 0.05 / 40) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize("name", BLOCKS)
def test_intervals_hold_the_truth_of_every_way_at_both_ends(name: str) -> None:
    """200 surveys of 2 000 people each, half at either end of δ."""
    held = covered(name, SURVEYS, seed=5)

    assert np.mean(held) >= 0.95 - 4.5 * (0.95 * 0.05 / SURVEYS) ** 0.5
