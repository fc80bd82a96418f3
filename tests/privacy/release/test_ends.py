"""Top and bottom coding: ends that are joined, and the one that risk chooses."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.errors import InputError
from privacy.release import anonymize, parse_spec
from privacy.release.anonymize import Release
from tests.cases import first


def release_of(ages: list[str], ends: list[Any], k: int = 2, **more: Any) -> Release:
    spec = {"attributes": {"age": {"role": "quasi", "ends": ends}}, "model": {"k": k}, "minimise": "penalty"}
    return anonymize({"age": ages}, parse_spec(spec | more))


def coded(age: str, low: float, high: float) -> str:
    return f"≤ {low:g}" if float(age) <= low else f"≥ {high:g}" if float(age) >= high else age


def test_values_between_the_ends_stay_as_they_are() -> None:
    """The ends are closed, and no other value changes."""
    ages = ["18", "20", "33", "33", "70", "91"]

    assert release_of(ages, [[20, 70]]).columns["age"] == ["33", "33", "≤ 20", "≤ 20", "≥ 70", "≥ 70"]


@pytest.mark.parametrize("seed", first(4, range(20)))
def test_the_narrowest_ends_that_keep_k_are_chosen(seed: int) -> None:
    """Against every level by hand: of those whose values k rows share, the one that joins fewest values."""
    random = np.random.default_rng(seed)
    ages = [str(age) for age in np.clip(np.rint(random.normal(50, 12, 200)), 18, 90).astype(int)]
    levels = [[low, 100 - low] for low in range(18, 46, 3)]
    holding = [
        (low, high)
        for low, high in levels
        if pd.Series([coded(age, low, high) for age in ages]).value_counts().min() >= 3
    ]

    release = release_of(ages, levels, k=3)

    expected = [coded(age, *holding[0]) for age in ages] if holding else ["*"] * 200
    assert sorted(release.columns["age"]) == sorted(expected)


@pytest.mark.parametrize("share", ["0.05", "0.1", "0.25"])
def test_a_share_is_the_rows_of_each_end_at_least(share: str) -> None:
    """And without the last value of an end there would be fewer."""
    ages = [str(age) for age in np.random.default_rng(3).integers(18, 90, 203)]
    spec = parse_spec({"attributes": {"age": {"role": "quasi", "ends": [float(share)]}}, "model": {"k": 2}})

    tree = spec.columns["age"].hierarchy(ages)

    numbers = np.array(ages, int)
    low, high = (int(next(label for label in tree.labels[1] if label[0] == sign)[2:]) for sign in "≤≥")
    least = float(share) * 203
    assert ((numbers <= low).sum() >= least, (numbers < low).sum() < least) == (True, True)
    assert ((numbers >= high).sum() >= least, (numbers > high).sum() < least) == (True, True)


def test_ends_and_other_attributes_are_chosen_together() -> None:
    """The node that full-domain takes is the best of all that hold, by every pair of levels."""
    random = np.random.default_rng(4)
    ages = [str(age) for age in random.integers(18, 30, 80)]
    towns = random.choice(["a", "b", "c"], 80).tolist()
    attributes = {
        "age": {"role": "quasi", "ends": [[20, 27], [22, 25]]},
        "town": {"role": "quasi", "hierarchy": [["a", "*"], ["b", "*"], ["c", "*"]]},
    }
    spec = {"attributes": attributes, "model": {"k": 4}, "minimise": "discernibility"}
    release = anonymize({"age": ages, "town": towns}, parse_spec(spec))

    least = None
    for level, whole in product(range(4), (False, True)):
        labels = [
            ((age, coded(age, 20, 27), coded(age, 22, 25), "*")[level], "*" if whole else town)
            for age, town in zip(ages, towns, strict=True)
        ]
        sizes = pd.Series(labels).value_counts()
        if sizes.min() >= 4:
            cost = int((sizes**2).sum())
            least = cost if least is None else min(least, cost)
    assert release.measures.discernibility == least


def test_missing_values_stay_missing_up_to_the_root() -> None:
    """A value that nobody gave is in no end."""
    assert release_of(["18", "19", "", ""], [[19, None]]).columns["age"] == ["", "", "≤ 19", "≤ 19"]


def test_people_are_linked_with_the_end_that_holds_their_value() -> None:
    """The label says it, with the spec or without."""
    people = pd.DataFrame({"who": ["Ada", "Bob", "Cy"], "age": ["18", "33", "95"]})
    release = pd.DataFrame({"age": ["≤ 20", "≤ 20", "33", "≥ 70"]})

    assert candor.link(people, release).rows.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ([[20, 70], [15, 80]], "attributes.age: an end that begins at 20 must hold it on the next level, too."),
        ([[20, 70], [30, None]], "attributes.age: an end that begins at 70 must hold it on the next level, too."),
        ([[70, 20]], "attributes.age: the ends of [70, 20] meet, at 70 and 20."),
        ([[None, None]], "attributes.age: [None, None] is not where the lower and the upper end begin."),
        ([0.5], "attributes.age: 0.5 is not a share of rows between 0 and 0.5."),
        ([0.4], "attributes.age: the ends of 0.4 meet, at 33 and 33."),
        (["x"], "attributes.age: 'x' is not a number."),
        (20, "attributes.age.ends: 20 is not a list."),
    ],
)
def test_ends_that_cannot_be_are_refused_in_a_sentence(ends: Any, said: str) -> None:
    """It names the column, the level and the rule."""
    with pytest.raises(InputError) as refused:
        release_of(["18", "33", "33", "33", "70"], ends)

    assert str(refused.value) == said
