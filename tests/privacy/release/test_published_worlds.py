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
from privacy.release import METHODS, anonymize, as_csv, parse_spec, worlds
from tests.cases import first

TOWNS = {"hierarchy": [["1", "12", "*"], ["2", "12", "*"], ["3", "3", "*"]]}
ATTRIBUTES = {
    "town": {"role": "quasi", **TOWNS},
    "sex": {"role": "quasi", "hierarchy": [["x", "*"], ["y", "*"]]},
    "ill": {"role": "sensitive"},
}
DISTINCT, NEAR, MOST = {"l": {"kind": "distinct", "l": 2}}, {"t": {"distance": "equal", "t": 0.3}}, {"alpha": 0.7}
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


@pytest.mark.long
def test_no_figure_of_an_attack_depends_on_who_has_which_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of worlds that exchange values within a class some are drawn: the same ones, whatever the true values are."""
    monkeypatch.setattr(worlds, "WORLDS", 20)
    random, spec = (
        np.random.default_rng(5),
        {"attributes": ATTRIBUTES, "model": {"k": 3, **DISTINCT}, "suppression": 0.2},
    )
    table = {"town": [str(one) for one in random.integers(1, 4, 30)], "sex": [*"xy"] * 15, "ill": [*"uvw"] * 10}
    reports = defaultdict(set)
    for _ in range(150):
        release = anonymize(table | {"ill": random.permutation(table["ill"]).tolist()}, parse_spec(spec))
        reports[as_csv(release.columns)].add(as_json(release.to_json()))

    assert max(len(same) for same in reports.values()) == 1
    assert METHODS[release.method].levels
