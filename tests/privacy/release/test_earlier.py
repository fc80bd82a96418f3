"""A release is compared with earlier ones of people who come and go: it shows nobody who can be no other."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main
from privacy.release import Fingerprint, newly_disclosed
from privacy.release.attacks import ABSENT, complementary
from privacy.release.earlier import attack_by_joining, newly_found
from tests.cases import first

SPEC: dict[str, Any] = {
    "attributes": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "ranges": [[20, 40, 60], [20, 60]]},
        "ill": {"role": "sensitive"},
    },
    "model": {"k": 2, "l": {"kind": "distinct", "l": 2}},
}
FIRST = pd.DataFrame({"name": ["Ada", "Bob"], "age": [21, 33], "ill": ["flu", "cold"]})
LATER = pd.DataFrame({"name": ["Cy", "Bob", "Ada"], "age": [25, 33, 21], "ill": ["gout", "cold", "flu"]})


def test_somebody_who_came_is_told_by_the_difference() -> None:
    """Both tables are 2-diverse. The class has Cy more and the gout more, so the second one is refused."""
    first = candor.anonymize(FIRST, SPEC)

    assert candor.anonymize(LATER, SPEC).release.measures.distinct == 3
    with pytest.raises(candor.InputError, match="would reveal “ill” of 1 of them"):
        candor.anonymize(LATER, SPEC, earlier=[first])


def test_who_comes_in_company_is_not_told() -> None:
    """Cy and Di come with two illnesses: tried on all four people, it succeeds on nobody, and the report says so."""
    later = pd.concat([LATER, pd.DataFrame({"name": ["Di"], "age": [28], "ill": ["ulcer"]})])

    released = candor.anonymize(later, SPEC, earlier=[candor.anonymize(FIRST, SPEC)])

    assert released.to_json()["attacks"][-1] == {"name": "temporal (ill)", "tried": 4, "succeeded": 0, "share": 0.0}


def test_people_without_identifiers_are_known_by_their_rows() -> None:
    """The same rows again tell no more; another number of rows cannot be compared."""
    spec = SPEC | {"attributes": {name: role for name, role in SPEC["attributes"].items() if name != "name"}}
    first = candor.anonymize(FIRST[["age", "ill"]], spec)

    again = candor.anonymize(FIRST[["age", "ill"]], spec, earlier=[first])

    assert again.to_json()["attacks"][-1]["name"] == "complementary release (ill)"
    with pytest.raises(candor.InputError, match="earlier: the releases have different people"):
        candor.anonymize(LATER[["age", "ill"]], spec, earlier=[first])


def test_the_command_keeps_a_fingerprint_and_holds_the_next_release_against_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it writes are the rows of the table in their order; a refusal leaves no file."""
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    FIRST.to_csv(tmp_path / "first.csv", index=False)
    LATER.to_csv(tmp_path / "later.csv", index=False)
    out, kept, again = (str(tmp_path / name) for name in ("out.csv", "kept.json", "again.csv"))

    given = ["anonymize", f"{tmp_path}/first.csv", f"{tmp_path}/spec.json", "-o"]
    assert main([*given, out, "--fingerprint", kept]) == 0
    assert json.loads(Path(kept).read_text()) == {
        "candor": 1, "people": ["Ada", "Bob"], "member": [0, 0], "secrets": {"ill": ["flu", "cold"]}, "others": {}
    }  # fmt: skip
    given[1] = f"{tmp_path}/later.csv"
    assert main([*given, again, "--earlier", kept]) == 2
    assert "would reveal “ill” of 1 of them" in capsys.readouterr().err
    assert not Path(again).exists()
    Path(kept).write_text('{"candor": 1, "people": null, "member": [0], "secrets": {"ill": []}, "others": {}}')
    assert main([*given, again, "--earlier", kept]) == 2
    assert "is not the fingerprint of a release" in capsys.readouterr().err


ILL = st.lists(st.integers(0, 2), min_size=2, max_size=5)


@given(ILL, st.data())
def test_nobody_is_told_who_could_be_ill_otherwise(ill: list[int], data: st.DataObject) -> None:
    """All assignments of illnesses to people that fit both releases, tried one by one: who is shown has one in all."""
    members = [
        data.draw(st.lists(st.sampled_from([ABSENT, 0, 1]), min_size=len(ill), max_size=len(ill))) for _ in range(2)
    ]
    members[0] = [0 if both == (ABSENT, ABSENT) else both[0] for both in zip(*members, strict=True)]

    def said(values: tuple[int, ...]) -> list[list[int]]:
        return [
            sorted(value for value, own in zip(values, member, strict=True) if own == place)
            for member in members
            for place in (0, 1)
        ]

    fitting = [values for values in product(sorted(set(ill)), repeat=len(ill)) if said(values) == said(tuple(ill))]
    sure = sum(len({values[person] for values in fitting}) == 1 for person in range(len(ill)))
    alone = sum(
        any(
            own != ABSENT and len({value for value, other in zip(ill, member, strict=True) if other == own}) == 1
            for own, member in ((one[person], one) for one in members)
        )
        for person in range(len(ill))
    )

    found = complementary([(np.array(one), np.where(np.array(one) == ABSENT, ABSENT, ill)) for one in members])

    assert alone <= found.succeeded <= sure
    assert found.tried == len(ill)


def sure(releases: list[Any], secret: Any) -> Any:
    """Who has the same value in every assignment that gives each class of each release what it has."""
    fitting = [
        world
        for world in product(range(2), repeat=len(secret))
        if all(
            sorted(np.array(world)[member == own]) == sorted(secret[member == own])
            for member in releases
            for own in set(member.tolist())
        )
    ]
    return np.array([len(set(column)) == 1 for column in zip(*fitting, strict=True)])


@pytest.mark.parametrize("seed", first(2, range(60)))
def test_three_releases_tell_what_brute_force_finds(seed: int) -> None:
    """Their classes cross in rings, in which no two of them are to be subtracted: every assignment is tried."""
    random = np.random.default_rng(seed)
    while True:
        secret = random.integers(0, 2, 6)
        releases = [random.integers(0, 2, 6) for _ in range(3)]
        if all(min(np.bincount(member, minlength=2)) > 1 for member in releases):
            break
    alone = np.logical_or.reduce([sure([member], secret) for member in releases])
    count = int((sure(releases, secret) & ~alone).sum())

    *earlier, new = (Fingerprint(str(place), member, {"ill": secret}) for place, member in enumerate(releases))
    assert newly_disclosed(new, earlier).get("ill", 0) == count


def test_a_ring_of_three_releases_is_refused() -> None:
    """No two of them tell of anybody; all three tell of everybody."""
    ill = np.array([1, 0, 1, 0, 0])
    one, two, three = (
        Fingerprint("", np.array(member), {"ill": ill})
        for member in ([0, 1, 1, 0, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    )

    assert [newly_disclosed(two, [one]), newly_disclosed(three, [one]), newly_disclosed(three, [two])] == [{}] * 3
    assert newly_disclosed(three, [one, two]) == {"ill": 5}


@pytest.mark.parametrize("seed", first(3, range(60)))
def test_two_releases_find_the_rows_that_brute_force_finds(seed: int) -> None:
    """By subtraction too; and by an answer in which one class is alike, where the other class has it in one row."""
    random = np.random.default_rng(seed)
    members, (drugs, theft) = random.integers(0, 3, (2, 7)), random.integers(0, 2, (2, 7))
    worlds = [
        world
        for world in map(np.array, product(range(2), repeat=7))
        if all(sorted(zip(own, world, strict=True)) == sorted(zip(own, drugs, strict=True)) for own in members)
    ]
    found = 0
    for person, possible in enumerate(map(set, zip(*worlds, strict=True))):
        here, there = (drugs[own == own[person]] for own in members)
        rows = {*zip(there, theft[members[1] == members[1][person]], strict=True)}
        learned = len(possible) == 1 < min(len({*here}), len({*there}))
        found += learned or len(rows) > 1 == sum(said in possible for said, _other in rows)

    one = Fingerprint("one", members[0], {}, {"drugs": drugs})
    other = Fingerprint("other", members[1], {}, {"drugs": drugs, "theft": theft})
    assert (newly_found(other, [one]), newly_found(one, [other])) == (found, found)


def test_the_row_of_who_came_is_found_where_the_others_are_known() -> None:
    """A class of two rows, one of which an earlier release has."""
    said = {"drugs": np.array([0, 1])}

    assert newly_found(Fingerprint("", np.zeros(2, int), {}, said), [Fingerprint("", np.array([0, ABSENT]), said)]) == 1


def test_the_attack_reads_an_answer_that_the_other_release_has_as_insensitive() -> None:
    ill, alike = {"ill": np.array([0, 1, 0, 1])}, np.array([0, 1, 0, 1])

    (tried,) = attack_by_joining(["ill"], Fingerprint("", np.zeros(4, int), ill), [Fingerprint("", alike, {}, ill)])
    assert tried.succeeded == 4
