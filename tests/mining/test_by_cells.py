"""Records that tell more than yes, no or not asked are counted by cells, in pieces as those that come whole."""

import weakref
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from mining.engines.bits import Packer, itemset_cells, pack
from mining.engines.findings import findings
from mining.engines.literals import Literals, literals_of
from mining.engines.request import MiningRequest
from privacy.estimate.cells import PatternCells, WholeRecords, is_read_whole
from privacy.records import Records
from tests.cases import every
from tests.mining.by_cells import KINDS, design_of, simulate_records
from tests.mining.parts import everything_of


def literals(kind: str, negated: bool = False) -> Literals:
    return literals_of(design_of(kind), negated, KINDS[kind][1])


def request(kind: str, **asked: Any) -> MiningRequest:
    wanted = {"min_support": 0.25, "min_confidence": 0.3, "engine": "bitset", "bins": KINDS[kind][1]}
    return MiningRequest(**wanted | asked)


def cells_one_by_one(own: Literals, records: Records, itemset: np.ndarray) -> np.ndarray:
    """From the records as they are: a digit for each literal, the first one the lowest."""
    pattern = own.pattern(itemset)
    if is_read_whole(own.design, pattern):
        return PatternCells(own.design, pattern).counts(WholeRecords(records.design, records.codes, records.direct))
    rows = np.zeros(len(records), int)
    bases = []
    for literal in itemset.tolist():
        column, option, yes = (int(values[literal]) for values in (own.column, own.option, own.positive))
        cut, codes = own.bins.cuts.get(column), records.codes[:, column]
        if cut is None:
            digits = np.where(codes == records.design.not_asked, 2, (codes == option) == yes)
            base = 3 if records.design.sampled else 2
        else:
            bins = [sum(first <= place for first in cut.firsts[1:]) for place in cut.places(codes).tolist()]
            digits, base = (
                np.where(records.direct, bins, cut.classes(codes)),
                max(cut.channel.shape[1], len(cut.labels)),
            )
        rows += digits * prod(bases)
        bases.append(base)
    rows += records.direct * prod(bases)
    return np.bincount(rows, minlength=2 * prod(bases)).reshape(2, -1)


@pytest.mark.parametrize("kind", KINDS)
def test_cells_are_those_of_the_records(kind: str) -> None:
    """Of single literals and of each pair, from bit columns of few records and of more than one word, by group."""
    own, records = literals(kind, negated=True), simulate_records(kind, 333)
    pairs = [pair for pair in product(range(len(own)), repeat=2) if own.column[pair[0]] < own.column[pair[1]]]
    counter = pack([(records.codes[:70], records.direct[:70]), (records.codes[70:], records.direct[70:])], own)
    for counted, kept in ((counter, records), (counter.without_direct(), select_rows(records, ~records.direct))):
        for itemsets in (np.arange(len(own))[:, np.newaxis], np.array(pairs)):
            expected = [cells_one_by_one(own, kept, itemset) for itemset in itemsets]
            cells = np.split(counted.cells(itemsets), np.cumsum([table.size for table in expected])[:-1])
            for ours, table, itemset in zip(cells, expected, itemsets, strict=True):
                assert np.array_equal(ours.reshape(2, -1), table), (own.labels, itemset)
                assert table.shape[1] == itemset_cells(own, itemset).count


def select_rows(records: Records, rows: np.ndarray) -> Records:
    return Records(records.design, records.codes[rows], records.direct[rows])


@pytest.mark.parametrize("kind", every(4, KINDS))
def test_no_more_than_one_part_is_held_while_the_next_is_read(kind: str) -> None:
    """What remains of a part are its bit columns: its records are let go of."""
    records, seen = simulate_records(kind, 1000), []

    def parts() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for rows in np.array_split(np.arange(1000), 20):
            assert sum(part() is not None for part in seen) <= 1
            codes = records.codes[rows]
            seen.append(weakref.ref(codes))
            yield codes, records.direct[rows]
            del codes

    result = findings(parts(), records.design, request(kind))

    assert len(seen) == 20
    assert everything_of(result) == everything_of(
        findings([(records.codes, records.direct)], records.design, request(kind))
    )


def test_no_records_are_no_itemsets() -> None:
    """A survey none of whose records may be reported yet."""
    for kind in KINDS:
        result = findings([], design_of(kind), request(kind))
        assert (result.summary["n"], result.summary["itemsets"], result.summary["rules"]) == (0, 0, 0)


def test_packing_in_pieces_counts_as_packing_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks that were put away as soon as there were many."""
    kind = "bins beside a sampled coin"
    own, records = literals(kind), simulate_records(kind, 2000)
    monkeypatch.setattr("mining.engines.bits._HELD_BYTES", 1 << 10)
    packer = Packer(own)
    for rows in np.array_split(np.arange(2000), 37):
        packer.add(records.codes[rows], records.direct[rows])
    counter = packer.counter()
    whole = pack([(records.codes, records.direct)], own)
    assert len(counter.chunks) > 3
    assert np.array_equal(counter.sizes, whole.sizes)
    assert np.array_equal(counter.singles(), whole.singles())
    for itemsets in ([[0, len(own) - 1], [1, 2]], [[0], [1]]):
        assert np.array_equal(counter.cells(np.array(itemsets)), whole.cells(np.array(itemsets)))
