"""Many worlds asked at once are found to become the release just where making each of them by itself says so."""

import random
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from papers.adult import ADULT, SECRET, adult, in_levels
from papers.reference import how_to_get, reference_file
from privacy.errors import InputError
from privacy.release import anonymize, downcoding, parse_spec, worlds
from privacy.release.again import Again, OnLevels
from tests.cases import first
from tests.privacy.release.people import ATTRIBUTES, people

AREAS = [["U", "south", "all"], ["A", "south", "all"], ["D", "south", "all"], ["B", "north", "all"], ["C", "C", "all"]]
MODELS: list[dict[str, Any]] = [
    {},
    {"alpha": 0.6},
    {"l": {"kind": "distinct", "l": 2}},
    {"l": {"kind": "entropy", "l": 1.8}},
    {"t": {"distance": "equal", "t": 0.3}},
    {"rho": [0.3, 0.8]},
]


def one_by_one(job: Any, made: Any, make: Any) -> Again:
    return Again(job, made.labels, make, 1, 10**6)


def attacks(table: dict[str, list[str]], spec: Any) -> list[Any]:
    return [one.to_json() for one in anonymize(table, spec).attacks if one.worlds is not None]


def compared(seed: int, model: dict[str, Any], sizes: Sequence[int] = (4, 6, 8)) -> int:
    """How many people both ways find on a small table, with some suppression and either loss."""
    drawn = random.Random(seed)
    people = drawn.choice(sizes)
    draw = {"town": "UADBC", "sex": "mf", "job": "xyz", "ill": "abcd"}
    table = {name: drawn.choices(values, k=people) for name, values in draw.items()}
    attributes = {
        "town": {"role": "quasi", "hierarchy": AREAS},
        "sex": {"role": "quasi", "hierarchy": [["m", "*"], ["f", "*"]]},
        "job": {"role": "quasi", "hierarchy": [["x", "*"], ["y", "*"], ["z", "*"]]},
        "ill": {"role": "sensitive"},
    }
    asked = {"suppression": drawn.choice([0, 0.4]), "minimise": drawn.choice(["discernibility", "entropy"])}
    spec = parse_spec({"attributes": attributes, "model": {"k": 2, **model}, **asked})
    try:
        found = attacks(table, spec)
    except InputError:
        return 0
    with patch.object(worlds, "again_of", one_by_one):
        assert found == attacks(table, spec)
    return sum(one["succeeded"] for one in found)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds are made one by one here, too."""
    monkeypatch.setattr(worlds, "WORLDS", 60)


@pytest.mark.parametrize("model", first(2, MODELS))
def test_what_many_worlds_say_at_once_is_what_each_of_them_says(model: dict[str, Any]) -> None:
    """On a table of each kind of model; `compared` asserts it."""
    compared(3, model)


def test_what_both_ways_find_is_not_nothing() -> None:
    """Two people of one area who cannot be of the same town."""
    spec = parse_spec({"attributes": {"town": {"role": "quasi", "hierarchy": AREAS}}, "model": {"k": 2}})

    found = attacks({"town": list("UA")}, spec)
    with patch.object(worlds, "again_of", one_by_one):
        assert found == attacks({"town": list("UA")}, spec)

    assert [one["succeeded"] for one in found] == [2]


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_on_more_tables_many_worlds_say_what_each_says(model: dict[str, Any]) -> None:
    """On a dozen tables; and where further groups are suppressed one by one, as there are too many to try them all."""
    for seed in range(12):
        compared(seed, model)
    for seed in range(3):
        compared(seed, model, sizes=[60])


@pytest.mark.long
def test_an_ordinary_table_has_its_thousand_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 000 people, three attributes and a demand on values: no world is left out for want of time."""
    monkeypatch.setattr(worlds, "WORLDS", 1000)
    drawn = random.Random(0)
    table = {
        "age": [str(drawn.randrange(20, 80)) for _ in range(3000)],
        "town": drawn.choices("UADBC", k=3000),
        "ill": drawn.choices("abcd", k=3000),
    }
    attributes = {
        "age": {"role": "quasi", "ranges": [list(range(20, 85, 5)), [20, 40, 60, 80]]},
        "town": {"role": "quasi", "hierarchy": AREAS},
        "ill": {"role": "sensitive"},
    }
    spec = parse_spec({"attributes": attributes, "model": {"k": 3, "l": {"kind": "distinct", "l": 3}}})

    assert [one["worlds"] for one in attacks(table, spec)] == [1000, 1000]


def test_worlds_are_made_at_once_where_only_levels_decide() -> None:
    """Bounds on the published table, and losses that need not grow, are asked of each world by itself."""
    seen: list[type[Again]] = []
    first = worlds.again_of

    def noted(*given: Any) -> Again:
        seen.append(type(first(*given)))
        return first(*given)

    with patch.object(worlds, "again_of", noted):
        for minimise in ("discernibility", "penalty"):
            attributes = {"town": {"role": "quasi", "hierarchy": AREAS}}
            anonymize(
                {"town": list("UA")}, parse_spec({"attributes": attributes, "model": {"k": 2}, "minimise": minimise})
            )

    assert seen == [OnLevels, Again]


def test_losses_of_worlds_count_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each world has a loss of its own that is worked out label by label, fewer are tried in the same time."""
    monkeypatch.setattr(worlds, "WORLDS", 1000)
    monkeypatch.setattr(worlds, "LEVELS_WORK", 2_000_000)
    asked = {"attributes": ATTRIBUTES, "model": {"k": 3}}

    (by_sizes,), (by_labels,) = (
        attacks(people(2000), parse_spec(asked | {"minimise": one})) for one in ("discernibility", "entropy")
    )

    assert 0 < by_labels["worlds"] < by_sizes["worlds"]


def test_worlds_that_cannot_change_what_is_found_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a thousand worlds some are not made, and the attack says what it says if all are."""
    monkeypatch.setattr(worlds, "WORLDS", 1000)
    spec = parse_spec({"attributes": ATTRIBUTES, "model": {"k": 3}})
    made: list[int] = []

    def counted(self: OnLevels, codes: Any) -> list[Any]:
        found = labels(self, codes)
        made.append(len(found))
        return found

    labels = OnLevels.labels_of_worlds
    with patch.object(OnLevels, "labels_of_worlds", counted):
        stopped, few = attacks(people(300), spec), sum(made)
        monkeypatch.setattr(downcoding, "ENOUGH", 1000)
        whole = attacks(people(300), spec)

    assert (stopped, sum(made) - few) == (whole, 1000)
    assert few < 1000


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "node", "suppressed"),
    [
        ({}, (0, 1, 1, 2, 1, 1, 0, 2), 813),
        ({"l": {"kind": "distinct", "l": 3}}, (0, 1, 1, 2, 1, 1, 0, 2), 1033),
        ({"l": {"kind": "entropy", "l": 3}}, (0, 2, 1, 2, 1, 0, 0, 2), 1363),
    ],
)
def test_adult_is_released_and_attacked_as_when_all_values_were_drawn(
    monkeypatch: pytest.MonkeyPatch, model: dict[str, Any], node: tuple[int, ...], suppressed: int
) -> None:
    """Nodes and suppressed rows, and attacks that find nobody, as each world made by itself gave them."""
    if not reference_file(ADULT).exists():
        pytest.skip(how_to_get(ADULT))
    monkeypatch.setattr(worlds, "WORLDS", 1000)
    table, names = adult()
    columns, attributes = {SECRET: table[SECRET].tolist()}, {SECRET: {"role": "sensitive"}}
    for quasi in in_levels(table, names):
        own = quasi.hierarchy
        levels = [np.array(labels, object)[places] for labels, places in zip(own.labels, own.places, strict=True)]
        attributes[quasi.name] = {"role": "quasi", "hierarchy": np.stack(levels).T.tolist()}
        columns[quasi.name] = levels[0][quasi.codes].tolist()

    release = anonymize(
        columns, parse_spec({"attributes": attributes, "model": {"k": 5, **model}, "suppression": 0.05})
    )

    assert release.generalisation is not None
    assert (release.generalisation.node, release.suppressed) == (node, suppressed)
    assert [one.succeeded for one in release.attacks if one.worlds is not None] == [0] * (2 if model else 1)
