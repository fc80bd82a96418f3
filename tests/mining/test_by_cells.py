"""Records that tell more than yes, no or not asked are counted by parts, to the last byte as those that come whole."""

import json
import weakref
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from candor.commands import main
from mining.engines.bits import Packer, pack
from mining.engines.findings import findings, findings_by
from mining.engines.literals import Literals, literals_of
from mining.engines.record_cells import itemset_cells
from mining.engines.request import MiningRequest
from privacy.errors import InputError
from privacy.estimate.cells import PatternCells, WholeRecords, is_read_whole
from privacy.records import Records, write_records
from tests.cases import every, first
from tests.mining.by_cells import KINDS, design_of, simulate_records
from tests.mining.parts import everything_of, spread


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


@pytest.mark.parametrize(("kind", "estimator", "cases", "few"), [
    pytest.param(kind, estimator, cases, few, marks=() if short else pytest.mark.long)
    for place, kind in enumerate(KINDS)
    for number, (estimator, cases) in enumerate(product(("stratified", "combined"), ("available", "complete")))
    for few in (False, True)
    for short in [(place + number) % 4 == 0 and few == (number % 2 == 0)]
])  # fmt: skip
def test_parts_by_lot_give_the_findings_of_the_whole(kind: str, estimator: str, cases: str, few: bool) -> None:
    """Every level, rule, error, interval, q, warning and file; also where a small direct group is left out."""
    records = simulate_records(kind, 1500, 0.03 if few else 0.25)
    asked = request(kind, estimator=estimator, cases=cases, least=100 if few else 1)
    counter = spread(records.codes, records.direct, literals(kind), 7)

    whole = findings([(records.codes, records.direct)], records.design, asked)

    assert everything_of(findings_by(counter, asked)) == everything_of(whole)
    assert (whole.summary["left_out"] > 0, whole.summary["rules"] > 0) == (few, True)


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


@pytest.mark.parametrize("kind", first(1, ["bins beside a coin", "words beside a sampled coin"]))
def test_the_command_finds_the_same_with_two_workers(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a file that comes in many small pieces: bins are cut again in each process."""
    records = simulate_records(kind, 600)
    paths = [str(tmp_path / name) for name in ("records.csv", "design.json")]
    write_records(records, paths[0])
    Path(paths[1]).write_bytes(records.design.canonical())
    asked = ["mine", *paths, "--min-support", "0.1", "--min-confidence", "0.3", "--engine", "bitset", "--json"]
    asked += ["--bins", KINDS[kind][1]] if KINDS[kind][1] else []
    printed = []
    for more in ([], ["--workers", "2"]):
        monkeypatch.setattr("privacy.files.BLOCK", 500)
        assert main([*asked, *more]) == 0
        printed.append(json.loads(capsys.readouterr().out) | {"seconds": 0})
    assert printed[0] == printed[1]
    assert printed[0]["rules"]


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("words", {"estimator": "pooled"}),
        ("bins beside a coin", {"estimator": "pooled"}),
        ("words beside a sampled coin", {"cases": "least-squares"}),
    ],
)
def test_what_is_refused_of_the_whole_is_refused_of_parts(kind: str, asked: dict[str, str]) -> None:
    """The pooled estimator, which has one strength for each product, and least squares, in the same sentences."""
    records, own = simulate_records(kind, 200), request(kind, **asked)
    counter = spread(records.codes, records.direct, literals(kind), 3)
    with pytest.raises(InputError) as whole:
        findings([(records.codes, records.direct)], records.design, own)
    with pytest.raises(InputError) as parts:
        findings_by(counter, own)
    assert str(parts.value) == str(whole.value)


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
    itemsets = np.array([[0, len(own) - 1], [1, 2]])
    assert len(counter.chunks) > 3
    whole = pack([(records.codes, records.direct)], own)
    assert np.array_equal(counter.cells(itemsets), whole.cells(itemsets))
