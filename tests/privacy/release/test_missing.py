"""What is missing is no value: no class is diverse by it, and nothing is said of rows without one."""

from collections import Counter
from math import log, log2
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design import Design
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import anonymize, parse_spec
from privacy.release.methods import METHODS
from privacy.release.responses import release_responses
from tests.cases import first

ROLES = {"town": {"role": "quasi"}, "disease": {"role": "sensitive"}}
TWO: dict[str, Any] = {"k": 2, "l": {"kind": "distinct", "l": 2}}
MODELS: dict[str, Any] = {
    "l": {"kind": "distinct", "l": 2},
    "entropy": {"kind": "entropy", "l": 1.8},
    "recursive": {"kind": "recursive", "l": 2, "c": 3},
    "t": {"distance": "equal", "t": 0.3},
    "alpha": 0.6,
    "rho": [0.4, 0.7],
    "beta": {"kind": "basic", "beta": 1},
    "disclosure": 1.5,
}


def keeps(name: str, values: list[str], among: dict[str, float]) -> bool:
    """Whether the values that a class has keep a model, worked out from its definition."""
    counts = sorted(Counter(values).values(), reverse=True)
    share = {value: values.count(value) / len(values) for value in among}
    match name:
        case "l":
            return len(counts) >= 2
        case "entropy":
            return -sum(one * log(one) for one in share.values() if one) >= log(1.8) - 1e-9
        case "recursive":
            return counts[0] < 3 * sum(counts[1:])
        case "t":
            return sum(abs(share[value] - among[value]) for value in among) / 2 <= 0.3 + 1e-9
        case "alpha":
            return counts[0] <= 0.6 * len(values) + 1e-9
        case "rho":
            return all(share[one] <= 0.7 + 1e-9 for one in among if among[one] < 0.4) and all(
                share[one] >= 0.3 - 1e-9 for one in among if among[one] > 0.6
            )
        case "beta":
            return all(share[value] <= 2 * among[value] + 1e-9 for value in among)
        case _:
            return all(share[value] and abs(log2(share[value] / among[value])) < 1.5 for value in among)


@pytest.mark.each
@pytest.mark.parametrize("nothing", ["", " ", "\u00a0"])
def test_a_class_with_one_value_and_an_empty_cell_is_not_diverse(nothing: str) -> None:
    """Three people with the flu and one of whom nothing or a blank is written: l = 2 is refused, measured as 1."""
    table = {"town": ["Ulm"] * 4, "disease": ["flu", "flu", "flu", nothing]}

    with pytest.raises(InputError, match="the table does not satisfy it; ask for less"):
        anonymize(table, parse_spec({"attributes": ROLES, "model": TWO}))
    measured = candor.measure(pd.DataFrame(table).replace("", None), ["town"], "disease")

    assert (measured.k, measured.measures.distinct, measured.measures.homogeneity) == (4, 1, 1.0)
    assert [(one.kind, one.tried, one.succeeded) for one in measured.attacks[1:]] == [
        ("homogeneity", 3, 3),
        ("background knowledge of 1", 3, 3),
    ]
    assert "For 3 of 3 people “disease” can be learned without finding the row" in measured.allowed
    assert "1 of 4 rows has no “disease”. That hides nobody" in measured.allowed


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("means", "ilp-l")])
def test_empty_cells_stay_empty_in_a_release(method: str) -> None:
    """Each row has the sensitive cell that it had, and the report counts those without one."""
    table = {"town": [*"aabbaabb"], "disease": ["flu", "", "flu", "cold", "", "cold", "flu", "cold"]}
    release = anonymize(table, parse_spec({"attributes": ROLES, "model": {"k": 2}, "method": method, "seed": 1}))

    assert [table["disease"][place] for place in release.order.tolist()] == release.columns["disease"]
    assert "2 of 8 rows have no “disease”" in " ".join(map(str, release.remaining_risks()))


@pytest.mark.parametrize("seed", first(6, range(40)))
@pytest.mark.parametrize("method", ["full-domain", "local", "cells"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_about_the_values_that_a_class_has(name: str, method: str, seed: int) -> None:
    """Random tables of twelve rows, a fourth of the sensitive cells empty: each published class, counted by hand."""
    random = np.random.default_rng(seed)
    table = {
        "town": random.choice(["Ulm", "Bonn", "Hof"], 12).tolist(),
        "age": random.choice(["21", "34", "48", "63"], 12).tolist(),
        "disease": random.choice(["flu", "cold", "gout", ""], 12).tolist(),
    }
    known = [value for value in table["disease"] if value]
    among = {value: known.count(value) / len(known) for value in dict.fromkeys(known)}
    asked = {"k": 2, name if name not in ("entropy", "recursive") else "l": MODELS[name]}
    roles = ROLES | {"age": {"role": "quasi", "ranges": [[20, 40, 70], [20, 70]]}}
    more = {"suppression": 0.25} if method == "full-domain" else {}

    try:
        release = anonymize(table, parse_spec({"attributes": roles, "model": asked, "method": method, **more}))
    except InputError:  # then all rows together miss it, or the suppressed ones do
        assert more or not keeps(name, known, among)
        return

    classes: dict[tuple[str, str], list[str]] = {}
    for town, age, value in zip(*(release.columns[one] for one in ("town", "age", "disease")), strict=True):
        classes.setdefault((town, age), []).append(value)
    assert min(map(len, classes.values())) >= 2
    for values in classes.values():
        given = [value for value in values if value]
        assert not given or keeps(name, given, among), values


def test_a_missing_value_that_others_may_know_is_a_label_of_its_own() -> None:
    """Ranges keep it up to the root; a hierarchy that does not name it refuses the table."""
    ages = ["21", "24", "", "", "48", "49"]
    ranges = {"age": {"role": "quasi", "ranges": [[20, 40, 60]]}}
    rows = {"age": {"role": "quasi", "hierarchy": [[age, "*"] for age in sorted(set(ages) - {""})]}}

    release = anonymize({"age": ages}, parse_spec({"attributes": ranges, "model": {"k": 2}}))

    assert Counter(release.columns["age"]) == {"": 2, "[20, 40)": 2, "[40, 60]": 2}
    with pytest.raises(InputError, match="the value '' of the column 'age' is missing"):
        anonymize({"age": ages}, parse_spec({"attributes": rows, "model": {"k": 2}}))


def test_a_column_without_any_value_is_not_sensitive() -> None:
    """It is refused in one sentence, as `candor measure` does."""
    with pytest.raises(InputError, match="The column 'disease' has no values, so nothing can be learned of it"):
        anonymize({"town": ["a", "a"], "disease": ["", ""]}, parse_spec({"attributes": ROLES, "model": {"k": 2}}))


def test_linked_rows_tell_the_value_of_those_that_have_one() -> None:
    """Two rows fit Ada: one says flu, the other nothing, which does not hide it."""
    people = pd.DataFrame({"who": ["Ada"], "town": ["Ulm"]})
    table = pd.DataFrame({"town": ["Ulm", "Ulm"], "disease": ["flu", None]})

    linked = candor.link(people, table, {"attributes": ROLES, "model": {"k": 2}})

    assert [person["told"] for person in linked.to_json()["people"]] == [{"disease": "flu"}]


def test_answers_that_nobody_gave_make_no_group_of_respondents_diverse() -> None:
    """Half skipped an undisguised sensitive question: each group has two answers of those who gave one."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    records = Records(design, np.zeros((24, 1), np.uint8), np.zeros(24, bool))
    answers = {"town": [*"aabbccdd"] * 3, "hours": ["5", ""] * 8 + ["6", ""] * 4}
    spec = parse_spec({"attributes": {"town": ROLES["town"], "hours": {"role": "sensitive"}}, "model": TWO})

    released = release_responses(records, answers, spec)

    classes: dict[str, set[str]] = {}
    for town, hours in zip(released.columns["town"], released.columns["hours"], strict=True):
        classes.setdefault(town, set()).add(hours)
    assert all(len(values - {""}) == 2 for values in classes.values())
    assert [one.tried for one in released.attacks] == [24, 12, 12]
    assert sorted(released.columns["hours"]) == sorted(answers["hours"])
