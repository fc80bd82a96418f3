"""Bounds on the whole table give the best table within them, and a front holds the tables that no other one beats."""

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, strategies as st

import candor
from candor.commands import main
from privacy.release import METHODS, parse_spec
from privacy.release.anonymize import prepare_job

SHAPES: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": [[str(age), str(age // 2), str(age // 4), "*"] for age in range(8)]},
    "sex": {"role": "quasi", "hierarchy": [["f", "*"], ["m", "*"]]},
    "ill": {"role": "sensitive"},
}
SPEC: dict[str, Any] = {"attributes": SHAPES, "model": {"k": 2}, "minimise": "entropy"}
ROWS = st.lists(st.tuples(st.integers(0, 7), st.sampled_from("fm"), st.sampled_from("abc")), min_size=4, max_size=24)
COINS = np.random.default_rng(7)
PEOPLE = pd.DataFrame({
    "age": COINS.integers(0, 8, 60).astype(str), "sex": COINS.choice(["f", "m"], 60), "ill": COINS.choice([*"abc"], 60),
})  # fmt: skip


def labels_of(rows: list[tuple[int, str, str]], node: tuple[int, int]) -> list[tuple[str, str]]:
    return [(["", str(age // 2), str(age // 4), "*"][node[0]] or str(age), sex if not node[1] else "*")
            for age, sex, _ in rows]  # fmt: skip


def tables(rows: list[tuple[int, str, str]], k: int = 2) -> dict[tuple[int, int], tuple[float, float]]:
    """Of every table of classes of at least k its entropy loss and its mutual information, by their definitions."""
    found = {}
    for node in product(range(4), range(2)):
        labels = labels_of(rows, node)
        sizes = Counter(labels)
        if min(sizes.values()) < k:
            continue
        n, ill = len(rows), Counter(row[2] for row in rows)
        joint = Counter((label, row[2]) for label, row in zip(labels, rows, strict=True))
        told = sum(c / n * math.log2(c * n / (sizes[label] * ill[value])) for (label, value), c in joint.items())
        loss = 0.0
        for place in range(2):
            values, wider = Counter(row[place] for row in rows), Counter(label[place] for label in labels)
            loss += sum(
                math.log2(wider[label[place]] / values[row[place]]) for row, label in zip(rows, labels, strict=True)
            )
        found[node] = loss, round(told, 12)
    return found


def frame(rows: list[tuple[int, str, str]]) -> pd.DataFrame:
    return pd.DataFrame([(str(age), sex, ill) for age, sex, ill in rows], columns=["age", "sex", "ill"])


@given(ROWS, st.floats(0, 1))
@example([(0, "f", "a"), (0, "f", "a"), (1, "m", "b"), (1, "m", "b")], math.nextafter(1, 0))
def test_of_all_tables_within_the_bound_the_one_that_loses_least_is_taken(
    rows: list[tuple[int, str, str]], bound: float
) -> None:
    """(4) of the notes: the best F with L at most L0; refused where every table that satisfies the model tells more.

    A bound of 1 less the last digit counts as met by what tells 1.
    """
    within = {node: loss for node, (loss, told) in tables(rows).items() if told <= bound + 1e-9}
    asked = SPEC | {"bounds": {"information": bound}}
    if not within:
        with pytest.raises(candor.InputError):
            candor.anonymize(frame(rows), asked)
        return

    taken = candor.anonymize(frame(rows), asked).release.generalisation

    assert taken is not None
    assert taken.loss == pytest.approx(min(within.values()))
    assert taken.node in within


@given(ROWS)
def test_a_front_holds_every_table_that_no_other_one_beats(rows: list[tuple[int, str, str]]) -> None:
    found = tables(rows)
    if not found:
        return
    best = {
        (round(loss, 6), round(told, 6)) for loss, told in found.values()
        if not any(a <= loss + 1e-9 and b <= told + 1e-9 and (a < loss - 1e-9 or b < told - 1e-9)
                   for a, b in found.values())
    }  # fmt: skip

    front = candor.anonymize(frame(rows), SPEC | {"front": "information"}).front

    assert {(round(one.loss, 6), round(one.leakage, 6)) for one in front} == best
    assert all(found[one.node] == (pytest.approx(one.loss), pytest.approx(one.leakage, abs=1e-9)) for one in front)


def test_a_bound_on_the_loss_holds_beside_one_on_what_is_told() -> None:
    """D at most D0 and L at most L0; both are figures of the table that is published, as its report tells them."""
    free = candor.anonymize(PEOPLE, SPEC).to_json()["metrics"]
    asked = SPEC | {"minimise": "penalty", "bounds": {"marketer": free["risk"]["marketer"] / 2, "penalty": 0.9}}

    report = candor.anonymize(PEOPLE, asked).to_json()["metrics"]

    assert (report["risk"]["marketer"] <= free["risk"]["marketer"] / 2, report["penalty"] <= 0.9) == (True, True)
    with pytest.raises(candor.InputError, match="no table with one level for each attribute satisfies the model"):
        candor.anonymize(PEOPLE, asked | {"bounds": {"marketer": 0.02, "penalty": 0.5}})


def test_suppressed_rows_are_a_class_of_the_table_that_is_bounded() -> None:
    """What is bounded is what leaves, as the report measures it."""
    asked = SPEC | {"model": {"k": 3}, "suppression": 0.3, "bounds": {"information": 0.2}}

    released = candor.anonymize(PEOPLE, asked)

    told = {declared.key: value for declared, value in released.release.measures.rows()}
    assert told["information"] <= 0.2


def test_a_local_method_is_checked_against_the_bounds() -> None:
    """It makes one table; the sentence says what that tells."""
    with pytest.raises(candor.InputError, match=r"^bounds.marketer: the table has 0\.\d+, which is above 0.01; allow"):
        candor.anonymize(PEOPLE, SPEC | {"method": "local", "bounds": {"marketer": 0.01}})


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"bounds": {"k": 1}}, "bounds: 'k' is not one of t, discernibility, average_class, unicity, prosecutor, "),
        ({"bounds": [1]}, r"bounds: \[1\] is not an object with named fields."),
        ({"bounds": {"t": -1}}, "bounds.t: -1 is below 0."),
        ({"bounds": {"t": "x"}}, "bounds.t: "),
        ({"front": "penalty"}, "spec.front: 'penalty' is not one of t, unicity, "),
        ({"front": "t", "method": "local"}, "spec.front: local makes one table, so there is no front of several."),
        ({"front": "t", "attributes": {"age": {"role": "quasi"}}}, "spec.front: t needs a sensitive attribute"),
        ({"bounds": {"t": 1}, "attributes": {"age": {"role": "quasi"}}}, "bounds.t: t needs a sensitive attribute"),
    ],
)
def test_what_cannot_be_bounded_is_said(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(candor.InputError, match=f"^{sentence}"):
        candor.anonymize(PEOPLE[list(asked.get("attributes", SHAPES))], SPEC | asked)


def test_the_command_writes_the_front_and_keeps_it_from_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report may be published; the front comes from tables that are not released."""
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "spec.json").write_text(json.dumps(SPEC | {"front": "information"}))
    where = {name: str(tmp_path / name) for name in ("out.csv", "report.json", "front.svg")}
    asked = ["anonymize", str(tmp_path / "people.csv"), str(tmp_path / "spec.json"), "-o", where["out.csv"]]

    assert main([*asked, "--report", where["report.json"], "--front", where["front.svg"]]) == 0

    printed = capsys.readouterr().out
    assert "The front: no table that satisfies the model loses less and tells less" in printed
    assert "front" not in json.loads(Path(where["report.json"]).read_text())
    front = candor.anonymize(PEOPLE, SPEC | {"front": "information"}).front
    picture = Path(where["front.svg"]).read_text()
    assert picture.count("<circle") == len(front) > 1
    assert "taken" in picture


def test_no_front_is_drawn_that_was_not_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    asked = ["anonymize", str(tmp_path / "people.csv"), str(tmp_path / "spec.json"), "-o", str(tmp_path / "out.csv")]

    assert main([*asked, "--front", str(tmp_path / "front.svg")]) == 2

    assert '--front: the spec asks for none; name a figure, as in "front": "information".' in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_whoever_waits_for_a_front_hears_of_every_table() -> None:
    """A site takes a job that is silent for dead."""
    heard: list[float] = []
    job, _ = prepare_job({name: PEOPLE[name].tolist() for name in PEOPLE}, parse_spec(SPEC | {"front": "information"}))

    made = METHODS["full-domain"].make(replace(job, progress=heard.append))

    assert made.generalisation is not None
    assert len([share for share in heard if share >= 0.2]) >= made.generalisation.lattice.holding.sum()
    assert heard == sorted(heard)
