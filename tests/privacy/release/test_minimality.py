"""Who knows how a table was made: the attack finds what it tells, as trying every world does."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, permutations, product
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import anonymize, minimality, parse_spec, worlds
from privacy.release.attacks import MINIMALITY, Attack
from privacy.release.responses import release_responses
from tests.cases import first

Table = Mapping[str, list[str]]
BOTH = {"hierarchy": [["U", "all"], ["B", "all"]]}
SICK = {"town": ["U"] * 2 + ["B"] * 5, "illness": ["hiv", "hiv", "a", "b", "c", "d", "e"]}


def spec_of(model: dict[str, Any], method: str = "full-domain", names: Sequence[str] = ("illness",)) -> Any:
    attributes = {"town": {"role": "quasi", **BOTH}, **{name: {"role": "sensitive"} for name in names}}
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
    said = " ".join(map(str, release.remaining_risks()))
    assert "learns more about 2 of 7 people than the model allows: found within 16 possible tables." in said
    assert "learns no more than its share" not in said


def test_where_every_table_would_have_become_this_one_none_is_found() -> None:
    """Towns that are too small are joined whatever people have; it is said within how many tables, and not *safe*."""
    release = anonymize({"town": ["U", "B"], "illness": ["hiv", "flu"]}, spec_of({"alpha": 0.5}))

    assert tried(release) == Attack(MINIMALITY, 2, 0, worlds=2)
    assert "within 2 possible tables nothing beyond the model was found" in " ".join(
        map(str, release.remaining_risks())
    )


def test_without_a_demand_on_values_no_world_is_tried() -> None:
    """A model of k alone makes the same table whatever people have."""
    assert attack_on(SICK, {}) is None


def test_a_table_that_is_too_large_is_said_not_to_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one world takes longer than all may."""
    monkeypatch.setattr(worlds, "LEVELS_WORK", 50)
    release = anonymize(SICK, spec_of({"alpha": 0.5}))

    assert tried(release) == Attack(MINIMALITY, 7, 0, worlds=0)
    assert "was not tried, because it would take too long" in " ".join(map(str, release.remaining_risks()))


def beliefs(release: Any, table: Table, spec: Any) -> tuple[list[str], list[Counter[tuple[str, ...]]]]:
    """The sensitive columns, and of each person in how many worlds they have which values: each order is tried."""
    names = [name for name in table if name != "town"]
    order = np.argsort(release.order)
    labels = [release.columns["town"][place] for place in order]
    rows = {label: [n for n, one in enumerate(labels) if one == label] for label in dict.fromkeys(labels)}
    shares: list[Counter[tuple[str, ...]]] = [Counter() for _ in labels]
    own = list(zip(*(table[name] for name in names), strict=True))
    for orders in product(*(sorted(set(permutations([own[n] for n in members]))) for members in rows.values())):
        given = dict(zip(chain(*rows.values()), chain(*orders), strict=True))
        columns = zip(*(given[n] for n in range(len(labels))), strict=True)
        world = {"town": table["town"], **{name: list(one) for name, one in zip(names, columns, strict=True)}}
        try:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(worlds, "WORLDS", 0)
                made = anonymize(world, spec)
        except InputError:
            continue
        if [made.columns["town"][place] for place in np.argsort(made.order)] == labels:
            for n, values in given.items():
                shares[n][values] += 1
    return names, shares


def breaks(model: dict[str, Any], share: Mapping[str, float], prior: Mapping[str, float]) -> bool:
    """Whether a belief about one attribute is more than the model allows of a class; from its definition."""
    match model:
        case {"alpha": alpha}:
            return max(share.values()) > alpha + 1e-9
        case {"l": {"l": least}}:
            return len(share) < least
        case {"t": {"t": most}}:
            return sum(abs(share.get(one, 0) - prior[one]) for one in prior) / 2 > most + 1e-9
        case {"rho": [low, high]}:
            rises = any(share.get(one, 0) > high + 1e-9 for one in prior if prior[one] < low - 1e-9)
            falls = any(share.get(one, 0) < 1 - high - 1e-9 for one in prior if prior[one] > 1 - low + 1e-9)
            return rises or falls
    raise AssertionError(model)


def by_brute_force(table: Table, model: dict[str, Any], method: str) -> int:
    """Of how many people the worlds that become the release break the model, about some attribute."""
    spec = spec_of(model, method, tuple(name for name in table if name != "town"))
    names, shares = beliefs(anonymize(table, spec), table, spec)
    broken = 0
    for own in shares:
        told = []
        for place, name in enumerate(names):
            share: Counter[str] = Counter()
            for values, count in own.items():
                share[values[place]] += count / own.total()
            prior = {one: table[name].count(one) / len(table[name]) for one in set(table[name])}
            told.append(breaks(model, share, prior))
        broken += any(told)
    return broken


def compared(table: Table, model: dict[str, Any], method: str = "full-domain") -> int:
    """How many people the attack finds, which is what trying every world finds."""
    spec = spec_of(model, method, tuple(name for name in table if name != "town"))
    attack = tried(anonymize(table, spec))
    assert attack.succeeded == by_brute_force(table, model, method)
    return int(attack.succeeded)


TWO = {"kind": "distinct", "l": 2}


@pytest.mark.parametrize(
    ("model", "illness", "found"),
    first(
        1,
        [
            ({"alpha": 0.5}, "aabbcd", 0),
            ({"l": TWO}, "aabcde", 2),
            ({"t": {"distance": "equal", "t": 0.4}}, "aabbbb", 2),
            ({"rho": [0.4, 0.6]}, "aabbbb", 2),
        ],
    ),
)
def test_the_attack_breaks_each_model_as_trying_every_world_does(
    model: dict[str, Any], illness: str, found: int
) -> None:
    """On six people of two towns, by every order of their values."""
    assert compared({"town": list("UUBBBB"), "illness": list(illness)}, model) == found


def test_of_several_sensitive_columns_each_is_looked_at_within_the_other() -> None:
    """Two people have no two illnesses for each of two drugs: towns were joined whatever people have."""
    table = {"town": list("UUBBBB"), "illness": list("aabbab"), "drug": list("pqpqpq")}

    assert compared(table, {"l": TWO}) == 0


def test_of_several_questions_one_may_break_the_model() -> None:
    """Of the answers of a survey each is looked at by itself: both people in U must have hiv, whatever they take."""
    design = Design.parse({"direct": True, "model": "warner", "theta": 0.75, "items": ["drugs"]})
    records = Records(design, np.zeros((7, 1), np.uint8), np.ones(7, bool))
    spec = spec_of({"alpha": 0.5}, names=("illness", "drug"))

    release = release_responses(records, {**SICK, "drug": list("pqrstuv")}, spec)

    assert tried(release) == Attack(MINIMALITY, 7, 2, worlds=21)


@pytest.mark.long
def test_local_recoding_is_attacked_too() -> None:
    """It joins classes until they fulfil the model, and that one was not joined tells something, too."""
    assert compared({"town": list("UUBBB"), "illness": list("aabcd")}, {"l": TWO}, "local") == 2


def test_worlds_drawn_at_random_find_what_trying_all_of_them_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """No list of all worlds is begun; 1 000 drawn ones find the same people, and the same each time."""
    whole = attack_on(SICK, {"alpha": 0.5})
    monkeypatch.setattr(minimality, "DEEP", 0)
    drawn, again = (attack_on(SICK, {"alpha": 0.5}) for _ in range(2))

    assert whole is not None
    assert drawn == again == replace(whole, worlds=worlds.WORLDS)


def test_worlds_drawn_at_random_find_nothing_where_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance alone breaks no model: every order of these values becomes this table."""
    monkeypatch.setattr(minimality, "DEEP", 0)
    table = {"town": list("UB"), "illness": ["hiv", "flu"]}

    assert attack_on(table, {"alpha": 0.5}) == Attack(MINIMALITY, 2, 0, worlds=worlds.WORLDS)


@pytest.mark.long
@pytest.mark.parametrize("method", ["full-domain", "local"])
@pytest.mark.parametrize(
    "model",
    [{"alpha": 0.5}, {"alpha": 0.6}, {"l": TWO}, {"t": {"distance": "equal", "t": 0.3}}, {"rho": [0.3, 0.6]}],
)
@pytest.mark.parametrize("illness", ["aabcd", "aabbc", "aaabb", "abcab"])
def test_the_attack_finds_what_trying_every_world_finds(model: dict[str, Any], illness: str, method: str) -> None:
    """On five people of two towns, by every order of their values."""
    table = {"town": list("UUBBB"), "illness": list(illness)}
    try:
        anonymize(table, spec_of(model, method))
    except InputError:
        return

    compared(table, model, method)
