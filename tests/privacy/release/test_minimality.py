"""Who knows how a table was made: the attack finds what it tells, as trying every world does."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain, permutations, product
from typing import Any

import numpy as np
import pytest

from privacy.errors import InputError
from privacy.release import anonymize, parse_spec, worlds
from privacy.release.attacks import MINIMALITY, Attack
from tests.cases import first

Table = Mapping[str, list[str]]
BOTH = {"hierarchy": [["U", "all"], ["B", "all"]]}
SICK = {"town": ["U"] * 2 + ["B"] * 5, "illness": ["hiv", "hiv", "a", "b", "c", "d", "e"]}


def spec_of(model: dict[str, Any], method: str = "full-domain") -> Any:
    town = {"role": "quasi", **BOTH}
    attributes = {"town": town, "illness": {"role": "sensitive"}}
    return parse_spec({"attributes": attributes, "model": {"k": 2, **model}, "method": method})


def tried(release: Any) -> Any:
    return next((one for one in release.attacks if one.kind == MINIMALITY), None)


def attack_on(table: Table, model: dict[str, Any]) -> Attack | None:
    return tried(anonymize(table, spec_of(model)))  # type: ignore[no-any-return]


def test_a_town_whose_both_people_must_have_hiv_is_found() -> None:
    """One thing explains why towns were not published: both in U have it; and nothing is called uninformative."""
    release = anonymize(SICK, spec_of({"alpha": 0.5}))

    assert release.columns["town"] == ["all"] * 7
    assert tried(release) == Attack(MINIMALITY, 7, 2, worlds=16)
    assert tried(release).to_json()["worlds"] == 16
    said = " ".join(map(str, release.allowed()))
    assert "learns more about 2 of 7 people than the model allows: found within 16 possible tables." in said
    assert "learns no more than its share" not in said


def test_where_every_table_would_have_become_this_one_none_is_found() -> None:
    """Towns that are too small are joined whatever people have; it is said within how many tables, and not *safe*."""
    release = anonymize({"town": ["U", "B"], "illness": ["hiv", "flu"]}, spec_of({"alpha": 0.5}))

    assert tried(release) == Attack(MINIMALITY, 2, 0, worlds=2)
    assert "within 2 possible tables nothing beyond the model was found" in " ".join(map(str, release.allowed()))


def test_without_a_demand_on_values_no_world_is_tried() -> None:
    """A model of k alone makes the same table whatever people have."""
    assert attack_on(SICK, {}) is None


def test_a_table_that_is_too_large_is_said_not_to_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one world takes longer than all may."""
    monkeypatch.setattr(worlds, "LEVELS_WORK", 100)
    release = anonymize(SICK, spec_of({"alpha": 0.5}))

    assert tried(release) == Attack(MINIMALITY, 7, 0, worlds=0)
    assert "was not tried, because it would take too long" in " ".join(map(str, release.allowed()))


def by_brute_force(table: Table, model: dict[str, Any]) -> int:
    """Every order of the published values within classes; a belief breaks α, or leaves fewer than l values."""
    release = anonymize(table, spec_of(model))
    back = np.argsort(release.order)
    labels = [release.columns["town"][place] for place in back]
    rows = {label: [n for n, one in enumerate(labels) if one == label] for label in dict.fromkeys(labels)}
    shares: dict[int, Counter[str]] = {n: Counter() for n in range(len(labels))}
    for orders in product(*(permutations([table["illness"][n] for n in members]) for members in rows.values())):
        given = dict(zip(chain(*rows.values()), chain(*orders), strict=True))
        world = {"town": table["town"], "illness": [given[n] for n in range(len(labels))]}
        try:
            made = anonymize(world, spec_of(model))
        except InputError:
            continue
        if [made.columns["town"][place] for place in np.argsort(made.order)] == labels:
            for n, value in given.items():
                shares[n][value] += 1
    if "alpha" in model:
        return sum(max(own.values()) > model["alpha"] * own.total() + 1e-9 for own in shares.values())
    return sum(len(own) < model["l"]["l"] for own in shares.values())


@pytest.mark.parametrize("model", first(2, [{"alpha": 0.5}, {"l": {"kind": "distinct", "l": 2}}, {"alpha": 0.6}]))
@pytest.mark.parametrize("illness", first(2, ["aabbc", "aabcd", "aaabb", "abcab"]))
def test_the_attack_finds_what_trying_every_world_finds(model: dict[str, Any], illness: str) -> None:
    """On five people of two towns, by every order of their values."""
    table = {"town": list("UUBBB"), "illness": list(illness)}
    try:
        attack = attack_on(table, model)
    except InputError:
        return

    assert attack is not None
    assert attack.succeeded == by_brute_force(table, model)
