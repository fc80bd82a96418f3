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
from privacy.release.attacks import ABSENT, complementary

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
