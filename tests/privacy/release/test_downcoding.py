"""Who knows how a table was made may write it finer: the attack finds what trying every table does."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from privacy.errors import InputError
from privacy.release import METHODS, again, anonymize, parse_spec, worlds
from privacy.release.attacks import DOWNCODING, Attack
from privacy.release.methods import Job, Made

Table = Mapping[str, list[str]]
PARTS = {"U": "south", "A": "south", "D": "south", "B": "north", "C": "north"}
TOWNS = {"hierarchy": [[town, part, "all"] for town, part in PARTS.items()]}


def spec_of(k: int, method: str = "full-domain", **model: Any) -> Any:
    attributes = {"town": {"role": "quasi", **TOWNS}, "sex": {"role": "insensitive"}}
    if model:
        attributes["sex"] = {"role": "sensitive"}
    return parse_spec({"attributes": attributes, "model": {"k": k, **model}, "method": method})


def release_of(towns: str, k: int, method: str = "full-domain", **model: Any) -> Any:
    return anonymize({"town": list(towns), "sex": list("mf" * 10)[: len(towns)]}, spec_of(k, method, **model))


def attack_on(*asked: Any, **model: Any) -> Attack | None:
    return next((one for one in release_of(*asked, **model).attacks if one.kind == DOWNCODING), None)


def test_two_people_of_one_group_who_cannot_be_of_the_same_town_are_found() -> None:
    """Had both been of one town, it would have been published: so each town of the group has one of them."""
    release = release_of("UA", 2)

    assert release.columns["town"] == ["south", "south"]
    assert release.attacks[-1] == Attack(DOWNCODING, 2, 2, worlds=3, cells=2)
    assert release.attacks[-1].to_json()["cells"] == 2
    said = " ".join(map(str, release.remaining_risks()))
    assert "can write 2 cells finer than they are published, of at least 2 of 2 people: found within 3 possible" in said


def test_where_each_of_three_towns_may_be_empty_none_is_found() -> None:
    """Three people were of two towns or three; which ones stays open, and it is said within how many tables."""
    release = release_of("UAD", 2)

    assert release.attacks[-1] == Attack(DOWNCODING, 3, 0, worlds=10, cells=0)
    assert "within 10 possible tables no finer value was found" in " ".join(map(str, release.remaining_risks()))


def test_a_table_that_is_published_as_it_is_has_nothing_finer() -> None:
    """No label stands for several values, so no world is tried."""
    assert attack_on("UUAA", 2) is None


def test_values_that_occur_nowhere_are_no_choice() -> None:
    """Both people under the label must be of the one town there is, whatever the method did: that is no attack."""
    assert attack_on("UUBC", 2) == Attack(DOWNCODING, 4, 2, worlds=3, cells=2)


def test_a_table_that_is_too_large_is_said_not_to_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one world takes longer than all may."""
    monkeypatch.setattr(worlds, "LEVELS_WORK", 100)
    release = release_of("UA", 2)

    assert release.attacks[-1] == Attack(DOWNCODING, 2, 0, worlds=0, cells=0)
    assert "was not tried, because it would take too long" in " ".join(map(str, release.remaining_risks()))


def test_worlds_drawn_at_random_are_the_same_each_time() -> None:
    """The same table gives the same figures."""
    towns = "UADBC" * 4
    one, other = (attack_on(towns, 5, alpha=0.7) for _ in range(2))

    assert one == other
    assert one is not None
    assert one.worlds == worlds.WORLDS


def by_brute_force(towns: str, k: int, method: str, **model: Any) -> int:
    """Put every town that occurs in every row, and keep the tables that become the release."""
    release = release_of(towns, k, method, **model)
    values = sorted(set(towns))
    least: dict[str, dict[str, int]] = {}
    for world in product(values, repeat=len(towns)):
        try:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(worlds, "WORLDS", 0)
                made = release_of("".join(world), k, method, **model)
        except InputError:
            continue
        if made.columns != release.columns:
            continue
        people: dict[str, Counter[str]] = {}
        for place, label in zip(made.order.tolist(), made.columns["town"], strict=True):
            own = world[place]
            is_whole = label in ("all", "*") and len({PARTS[one] for one in values}) > 1
            finer = PARTS[own] if is_whole else own
            people.setdefault(label, Counter())[finer] += 1
        for label, own_counts in people.items():
            before = least.setdefault(label, dict(own_counts))
            least[label] = {one: min(many, own_counts[one]) for one, many in before.items()}
    several = {label for label, many in Counter(PARTS[one] for one in values).items() if many > 1} | {"all"}
    return sum(sum(own.values()) for label, own in least.items() if label in several)


@pytest.mark.parametrize("method", ["full-domain", "local", "bottom-up"])
def test_the_attack_finds_what_trying_every_table_of_two_people_finds(method: str) -> None:
    """Two people of two towns, by every town in every row."""
    attack = attack_on("UA", 2, method)

    assert attack is not None
    assert attack.cells == by_brute_force("UA", 2, method) == 2


@pytest.mark.long
@pytest.mark.parametrize("method", ["full-domain", "local", "bottom-up"])
@pytest.mark.parametrize(("towns", "k"), [("UA", 2), ("UAB", 2), ("UAD", 2), ("UABC", 2), ("UABBB", 3)])
def test_the_attack_finds_what_trying_every_table_finds(towns: str, k: int, method: str) -> None:
    """On up to five people of four towns, by every town in every row."""
    attack = attack_on(towns, k, method)

    assert (attack.cells if attack else 0) == by_brute_force(towns, k, method)


@pytest.mark.long
@pytest.mark.parametrize("towns", ["UAB", "UABC", "UUAB"])
def test_with_a_demand_on_values_it_also_finds_what_trying_every_table_finds(towns: str) -> None:
    """The worlds then say who of a class has which sensitive value."""
    attack = attack_on(towns, 2, l={"kind": "distinct", "l": 2})

    assert (attack.cells if attack else 0) == by_brute_force(towns, 2, "full-domain", l={"kind": "distinct", "l": 2})


def test_no_world_is_made_where_too_few_can_be_to_show_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table itself is made, and the attack says that it was not tried."""
    made: list[int] = []
    local = METHODS["local"]

    def counted(job: Job) -> Made:
        made.append(job.records)
        return local.make(job)

    monkeypatch.setattr(worlds, "MADE_TIME", 300_000)
    monkeypatch.setitem(METHODS, "local", replace(local, make=counted))
    attack = attack_on("UABCD" * 2, 3, "local")

    assert (made, attack and attack.worlds) == ([10], 0)


def test_the_attack_ends_where_no_drawn_table_becomes_the_published_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Suppressed people would have been of any town, and then not suppressed: 120 tables show what 1 000 would."""
    monkeypatch.setattr(again, "STACK", 1)
    towns = "U" * 90 + "A" * 90 + "B" * 90 + "D" * 8 + "C" * 8
    table = {"town": list(towns), "sex": ["m"] * len(towns)}
    spec = {"attributes": {"town": {"role": "quasi", **TOWNS}, "sex": {"role": "insensitive"}}, "model": {"k": 9}}

    release = anonymize(table, parse_spec(spec | {"suppression": 0.07}))

    assert (release.suppressed, release.attacks[-1]) == (16, Attack(DOWNCODING, 286, 0, worlds=120, cells=0))
