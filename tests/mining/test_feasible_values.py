"""Beside an estimate that no population could have stands the most likely one that a population could."""

import numpy as np
import pytest

from mining.domain import feasible as feasibility
from mining.domain.feasible import with_feasible
from mining.domain.result import parts
from mining.engines.found import found
from mining.engines.mine import mine
from privacy.reconstruct import reconstruct
from surveys.domain.snapshots import records
from tests.mining.surveys import queued_run, sealed_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def noisy(monkeypatch):
    """A run on so few respondents that triples come out above their parts."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    run = queued_run(sealed_survey(150, items=6), min_support=0.05, min_confidence=0.1, negated=True)
    done = mine(parts(run.snapshot), run.snapshot.version.design, run.request)
    assert found(done).itemsets["infeasible"].sum() > 5
    return run, done


@pytest.mark.parametrize("most_cells", [4096, 1])
def test_feasible_values_stand_beside_what_is_infeasible_alone(noisy, monkeypatch, most_cells):
    """They are shares, rules' confidences too, whether fitted together or each alone; elsewhere there is none."""
    monkeypatch.setattr(feasibility, "_MOST_CELLS", most_cells)
    run, done = noisy
    columns = with_feasible(run.snapshot, done, found(done), run.estimator)
    infeasible = columns.itemsets["infeasible"]
    assert (~np.isnan(columns.itemsets["feasible"])).tolist() == infeasible.tolist()
    within = infeasible[columns.itemset]
    assert np.isnan(columns.rules["feasible support"][~within]).all()
    confidence = columns.rules["feasible confidence"][within]
    assert ((confidence >= 0) & (confidence <= 1 + 1e-9)).all()


def test_values_of_one_table_are_those_of_reconstruct_and_fit_together(noisy):
    """Where one table holds the survey, no pair is above its items, and `candor reconstruct` prints the same."""
    run, done = noisy
    columns = with_feasible(run.snapshot, done, found(done), run.estimator)
    wanted = np.flatnonzero(columns.itemsets["infeasible"])
    names = [columns.names(place) for place in wanted.tolist()]
    items = sorted({name for itemset in names for name in itemset})
    report = reconstruct(records(run.snapshot), [*items, *map(",".join, names)], run.estimator)
    alone = {row.pattern: row.feasible.support for row in report.patterns[: len(items)]}
    for place, itemset, row in zip(wanted, names, report.patterns[len(items) :], strict=True):
        value = columns.itemsets["feasible"][place]
        assert value == pytest.approx(row.feasible.support, abs=1e-3)
        assert value <= min(alone[name] for name in itemset) + 1e-3
