"""How surely a disguised record is the truth, against enumeration and against records whose truth is known."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.guarantee.risk import risk
from privacy.records import Records
from tests.cases import first

MIXED = [
    {
        "keep": 0.4,
        "items": [{"id": "a", "theta": 0.3}, {"id": "b", "options": ["x", "y", "z"], "noise": [0.2, 0.3, 0.5]}],
    },
    {"model": "flip", "gamma": 9, "radius": 0, "items": ["c", "d"]},
]


def design(*blocks: dict[str, Any]) -> Design:
    return Design.parse({"blocks": list(blocks)})


def independent(*yes: float) -> np.ndarray:
    table = np.ones(())
    for share in yes:
        table = np.multiply.outer(table, np.array([1 - share, share]))
    return table


def disguised(of: Design, shares: np.ndarray, rows: int) -> tuple[np.ndarray, Records]:
    """Truths drawn from a distribution, seed 8, and their records."""
    drawn = np.random.default_rng(8).choice(shares.size, size=rows, p=shares.ravel())
    truth = np.array(np.unravel_index(drawn, shares.shape), dtype=np.uint8).T
    return truth, disguise(of, truth, take=words_from_seed(8))


@pytest.mark.parametrize("count", first(1, [50_000, 400_000]))
def test_the_chance_that_a_record_is_true_is_how_often_it_is(count: int) -> None:
    """Of the records of every pattern, the share that is true agrees within 5 standard errors."""
    of, shares = design(*MIXED), np.random.default_rng(3).dirichlet(np.ones(24)).reshape(2, 3, 2, 2)
    truth, records = disguised(of, shares, count)

    risks = risk(of, shares)

    same = truth == records.codes
    for cell in product(*map(range, shares.shape)):
        rows = (records.codes == cell).all(axis=1)
        n = rows.sum()
        checked = [(risks.record[cell], same[rows].all(axis=1))]
        checked += [(item[cell], same[rows, place]) for place, item in enumerate(risks.items)]
        for promised, true in checked:
            assert abs(true.mean() - promised) < 5 * np.sqrt(promised * (1 - promised) / n), cell
        assert abs(n / count - risks.seen[cell]) < 5 * np.sqrt(risks.seen[cell] / count)


def test_the_average_is_over_records() -> None:
    """One yes/no item kept with probability a: true records are a + (1−a)·(chance that noise agrees)."""
    of = design({"keep": 0.5, "items": [{"id": "a", "theta": 0.25}]})

    risks = risk(of, [0.9, 0.1])

    means = [float((risks.seen * true).sum()) for true in (risks.record, *risks.items)]
    assert means == [pytest.approx(0.5 + 0.5 * (0.9 * 0.75 + 0.1 * 0.25))] * 2


def test_long_improved_grouped_records_leak() -> None:
    """Ten questions of prevalence .05, p = .3, θ = .6: who answers no ten times, a sixth of all, is sure to mean it."""
    of = Design.parse({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": list("abcdefghij")})

    risks = risk(of, independent(*[0.05] * 10))

    ((pattern, sure, often),) = risks.surest(1)
    assert pattern == (0,) * 10
    assert sure > 0.999
    assert often == pytest.approx(0.3 * 0.95**10, rel=0.001)


def test_the_predecessors_mixed_records_are_surely_true() -> None:
    """In the grouped model a record with yes and no is the truth, and no other is."""
    of = Design.parse({"model": "grouped", "p": 0.3, "theta": 0.6, "items": list("abc")})

    sure = risk(of, independent(0.3, 0.4, 0.5)).record > 1 - 1e-12

    assert {tuple(map(int, cell)) for cell in np.argwhere(~sure)} == {(0, 0, 0), (1, 1, 1)}


def test_a_sampled_block_is_looked_at_on_what_it_asks() -> None:
    """Two of four items asked: their records have a risk, all four together have none."""
    of = Design.parse({"model": "flip", "gamma": 9, "radius": 0, "ask": 2, "items": list("abcd")})
    whole = Design.parse({"model": "flip", "gamma": 9, "radius": 0, "items": list("bd")})
    shares = independent(0.2, 0.3)

    assert risk(of, shares, columns=[1, 3]).record == pytest.approx(risk(whole, shares).record, abs=1e-8)
    with pytest.raises(InputError, match="nobody is asked 4 items of a block that asks 2"):
        risk(of, independent(0.2, 0.2, 0.3, 0.4))


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([0.5, 0.3, 0.2], r"a table of shape \(3,\) does not fit items of \(2,\) options"),
        ([1.2, -0.2], "a distribution is not negative and sums to 1; a raw estimate may not be one"),
    ],
)
def test_what_is_no_distribution_is_refused(shares: list[float], said: str) -> None:
    """A raw estimate may be negative; risk needs a distribution."""
    with pytest.raises(InputError, match=said):
        risk(design({"keep": 0.5, "items": [{"id": "a", "theta": 0.25}]}), shares)
