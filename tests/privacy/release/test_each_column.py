"""Each sensitive column may have conditions of its own, and every class fulfils them."""

from collections import Counter, defaultdict
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design import Design
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import anonymize, parse_spec
from privacy.release.responses import release_responses
from tests.cases import first

TOWNS = {"*": {"south": ["Ulm", "Hof"], "west": ["Bonn", "Kiel"]}}
QUASI = {"town": {"role": "quasi", "hierarchy": TOWNS}, "age": {"role": "quasi", "ranges": [[20, 40, 60]]}}
L2, L3 = ({"kind": "distinct", "l": number} for number in (2, 3))
T = {"distance": "equal", "t": 0.3}
CASES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"k": 2}, {"l": L2}, {}),
    ({"k": 2}, {}, {"t": T}),
    ({"k": 2, "l": L2}, {"l": {"kind": "distinct", "l": 1}}, {"t": T}),
    ({"k": 2, "t": {"distance": "equal", "t": 0.5}}, {"t": T}, {}),
    ({}, {"l": L3}, {"alpha": 0.8}),
]


def asked_of(model: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """What is asked of a column: its own members, and the others of the model."""
    return {name: one for name, one in (model | own).items() if name != "k"}


def fulfils(rows: list[tuple[str, str]], everybody: list[tuple[str, str]], asked: list[dict[str, Any]]) -> bool:
    """Whether a class fulfils what is asked of either column, by the definitions."""
    for place, model in enumerate(asked):
        alike = defaultdict(list)
        for row in rows:
            alike[row[1 - place]].append(row[place])
        for values in alike.values():
            if len(set(values)) < model.get("l", {"l": 1})["l"]:
                return False
            if max(Counter(values).values()) > model.get("alpha", 1) * len(values) + 1e-9:
                return False
        mine, all_of = Counter(row[place] for row in rows), Counter(row[place] for row in everybody)
        far = sum(abs(mine[value] / len(rows) - all_of[value] / len(everybody)) for value in all_of) / 2
        if far > model.get("t", {"t": 1})["t"] + 1e-9:
            return False
    return True


@pytest.mark.parametrize("seed", first(4, range(30)))
@pytest.mark.parametrize("case", range(len(CASES)))
def test_just_those_levels_hold_on_which_every_column_has_what_is_asked_of_it(case: int, seed: int) -> None:
    """Random tables of sixteen rows with two sensitive columns: every node, class by class."""
    model, of_ill, of_drug = CASES[case]
    random = np.random.default_rng(seed)
    table = {
        "town": random.choice(["Ulm", "Hof", "Bonn", "Kiel"], 16).tolist(),
        "age": random.choice(["21", "34", "48"], 16).tolist(),
        "ill": random.choice(["flu", "cold", "gout"], 16).tolist(),
        "drug": random.choice(["x", "y"], 16).tolist(),
    }
    roles = QUASI | {"ill": {"role": "sensitive", **of_ill}, "drug": {"role": "sensitive", **of_drug}}
    rows, expected = list(zip(table["ill"], table["drug"], strict=True)), []
    for node in product(range(3), range(3)):
        classes = defaultdict(list)
        for town, age, row in zip(table["town"], table["age"], rows, strict=True):
            label = (
                (town, "south" if town in ("Ulm", "Hof") else "west", "*")[node[0]],
                (age, int(age) < 40, "*")[node[1]],
            )
            classes[label].append(row)
        asked = [asked_of(model, own) for own in (of_ill, of_drug)]
        if all(len(own) >= model.get("k", 1) and fulfils(own, rows, asked) for own in classes.values()):
            expected.append(node)

    try:
        release = anonymize(table, parse_spec({"attributes": roles, "model": model}))
    except InputError:  # no node holds
        found = []
    else:
        assert release.generalisation is not None
        found = sorted(release.generalisation.lattice.nodes())
    assert found == expected


def test_local_recoding_fulfils_the_conditions_of_each_column() -> None:
    """Two sensitive columns, of which one must have three values in each class and the other stay near the table."""
    random = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "age": random.integers(20, 60, 80),
            "ill": random.choice(["flu", "cold", "gout", "ulcer"], 80),
            "drug": random.choice(["x", "y"], 80),
        }
    )
    roles = {"age": {"role": "quasi"}, "ill": {"role": "sensitive", "l": L2}, "drug": {"role": "sensitive", "t": T}}

    shown = candor.anonymize(table, {"attributes": roles, "model": {"k": 3}, "method": "local"}).to_frame()

    everybody = list(zip(table["ill"], table["drug"], strict=True))
    for _, own in shown.groupby("age"):
        assert len(own) >= 3
        assert fulfils(list(zip(own["ill"], own["drug"], strict=True)), everybody, [{"l": L2}, {"t": T}])


def test_questions_of_a_survey_have_conditions_of_their_own() -> None:
    """Of two undisguised sensitive questions one asks for two answers in each group, and the other for nothing."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    records = Records(design, np.zeros((12, 1), np.uint8), np.zeros(12, bool))
    answers = {"town": ["Ulm", "Hof", "Bonn"] * 4, "job": ["a"] * 12, "hours": [*"556556777777"]}
    roles = {"town": QUASI["town"], "job": {"role": "sensitive"}, "hours": {"role": "sensitive", "l": L2}}

    released = release_responses(records, answers, parse_spec({"attributes": roles, "model": {"k": 2}}))

    groups = pd.DataFrame(released.columns).groupby("town")["hours"].nunique()
    assert groups.min() >= 2


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({"l": {"l": 1.5}}, "attributes.ill.l.l: 1.5 is not a whole number of values."),
        ({"t": {"t": 2}}, "attributes.ill.t.t: 2 is outside 0 to 1."),
        (
            {"t": {"distance": "hierarchical", "t": 0.2}},
            "attributes.ill.t: the hierarchical distance needs a hierarchy of the sensitive attribute.",
        ),
    ],
)
def test_a_condition_of_a_column_that_cannot_be_is_refused(own: dict[str, Any], sentence: str) -> None:
    """In one sentence that names the column."""
    with pytest.raises(InputError) as refused:
        parse_spec({"attributes": QUASI | {"ill": {"role": "sensitive", **own}}, "model": {"k": 2}})
    assert str(refused.value) == sentence


def test_only_a_sensitive_column_has_conditions() -> None:
    """A quasi-identifier with l is refused."""
    with pytest.raises(InputError, match=r"attributes.age.l: only sensitive attributes have it"):
        parse_spec({"attributes": {"age": {"role": "quasi", "l": L2}}, "model": {"k": 2}})
