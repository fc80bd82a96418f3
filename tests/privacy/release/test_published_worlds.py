"""Who knows everybody's quasi-identifiers, how a table was made, and all sensitive values but one: every published byte
follows from the table, so that the report rules no more out than the table does."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from privacy.errors import InputError
from privacy.output import as_json
from privacy.release import anonymize, as_csv, parse_spec, worlds
from tests.cases import first

TOWNS = {"hierarchy": [["1", "12", "*"], ["2", "12", "*"], ["3", "3", "*"]]}
ATTRIBUTES = {
    "town": {"role": "quasi", **TOWNS},
    "sex": {"role": "quasi", "hierarchy": [["x", "*"], ["y", "*"]]},
    "ill": {"role": "sensitive"},
}
DISTINCT, NEAR, MOST = {"l": {"kind": "distinct", "l": 2}}, {"t": {"distance": "equal", "t": 0.3}}, {"alpha": 0.7}
BOTH = [["0", "*"], ["1", "*"]]
CASES = [
    (DISTINCT, "full-domain", 0.34, 1), (DISTINCT, "local", 0, 1), (NEAR, "full-domain", 0, 1),
    (MOST, "full-domain", 0.5, 1), ({"beta": {"kind": "basic", "beta": 1}}, "full-domain", 0, 2),
    (DISTINCT, "cells", 0, 1), (DISTINCT, "ilp-l", 0, 1),
    *((model, "full-domain", hidden, seed) for model in (DISTINCT, NEAR) for hidden in (0, 0.34) for seed in (2, 3, 4)),
]  # fmt: skip


def made(model: dict[str, Any], method: str, hidden: float, seed: int, people: int) -> Iterator[tuple[bytes, str]]:
    """The table and the report of each world that becomes one."""
    random = np.random.default_rng(seed)
    towns, sexes = random.integers(1, 4, people), random.integers(0, 2, people)
    spec = {"attributes": ATTRIBUTES, "model": {"k": 2, **model}, "method": method, "suppression": hidden, "seed": 1}
    for world in product("u", *["uv"] * (people - 1)):
        table = {"town": [str(town) for town in towns], "sex": ["xy"[sex] for sex in sexes], "ill": list(world)}
        try:
            release = anonymize(table, parse_spec(spec))
        except InputError:
            continue
        yield as_csv(release.columns), as_json(release.to_json())


@pytest.mark.parametrize(("model", "method", "hidden", "seed"), first(1, CASES))
def test_a_report_says_nothing_of_single_rows_that_its_table_does_not(
    monkeypatch: pytest.MonkeyPatch, model: dict[str, Any], method: str, hidden: float, seed: int
) -> None:
    """All worlds of five people, one of whom has u: those that become the same table have the same report."""
    monkeypatch.setattr(worlds, "WORLDS", 5)
    reports = defaultdict(set)
    for table, report in made(model, method, hidden, seed, 5):
        reports[table].add(report)

    assert len(reports) > 1
    assert {len(same) for same in reports.values()} == {1}


@pytest.mark.parametrize("work", first(1, [200_000, 60_000, worlds.LEVELS_WORK]))
@pytest.mark.parametrize("seed", first(1, [1, 3, 5]))
def test_no_figure_of_an_attack_depends_on_who_has_which_value(
    monkeypatch: pytest.MonkeyPatch, seed: int, work: int
) -> None:
    """People of a class exchange their values: the table stays, and so do the worlds tried and what they show."""
    monkeypatch.setattr(worlds, "LEVELS_WORK", work)
    random, people = np.random.default_rng(seed), 24
    table = {
        "town": random.integers(1, 5, people),
        "sex": random.integers(0, 2, people),
        "age": random.integers(0, 2, people),
    }
    table = {name: [str(one) for one in column] for name, column in table.items()}
    ill = np.array([*"uvw"])[random.choice(3, people, p=[0.6, 0.25, 0.15])]
    trees = {"town": [["1", "12", "*"], ["2", "12", "*"], ["3", "34", "*"], ["4", "34", "*"]], "sex": BOTH, "age": BOTH}
    attributes = {name: {"role": "quasi", "hierarchy": tree} for name, tree in trees.items()}
    spec = parse_spec(
        {"attributes": attributes | {"ill": {"role": "sensitive"}}, "model": {"k": 2, **DISTINCT}, "suppression": 0.2}
    )
    release = anonymize(table | {"ill": ill.tolist()}, spec)
    rows = list(zip(*(release.columns[name] for name in trees), strict=True))
    member = np.array(["|".join(rows[place]) for place in np.argsort(release.order)])

    reports = {as_json(release.to_json())}
    for _ in range(4):
        own = ill.copy()
        for one in set(member.tolist()):
            own[member == one] = random.permutation(own[member == one])
        other = anonymize(table | {"ill": own.tolist()}, spec)
        if as_csv(other.columns) == as_csv(release.columns):
            reports.add(as_json(other.to_json()))
    assert len(reports) == 1
