"""Bit columns count what the records say, whole or in pieces."""

from dataclasses import dataclass

import numpy as np
import pytest

from mining.engines import bits
from mining.engines.bits import pack
from mining.engines.findings import findings
from mining.engines.literals import Literals, literals_of
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.estimate.weights import DIRECT
from tests.cases import first
from tests.mining.designs import KINDS, design_of, records_of
from tests.mining.parts import everything_of


@dataclass
class RecordCounter:
    """A counter that holds the records as they are, and looks through all of them for every count."""

    literals: Literals
    codes: np.ndarray
    direct: np.ndarray

    @property
    def sizes(self):
        return self._by_group(np.ones(len(self.direct), bool))

    def without_direct(self):
        return RecordCounter(self.literals, self.codes[~self.direct], self.direct[~self.direct])

    def singles(self):
        counts = [self._by_group(self._matches(place)) for place in range(len(self.literals))]
        if self.literals.design.sampled:
            counts += [self._by_group(self._is_asked(column)) for column in range(self.codes.shape[1])]
        return np.array(counts).T

    def differences(self, itemsets, first, second):
        matching = [np.all([self._matches(place) for place in itemset], axis=0) for itemset in itemsets]
        return np.array(
            [self._by_group(matching[one] != matching[other]) for one, other in zip(first, second, strict=True)]
        ).T

    def count_mixed(self, prefixes, bounds, tails):
        counts = np.zeros((2, len(tails), 2 ** (prefixes.shape[1] + 1)), int)
        for prefix, start, stop in zip(prefixes, bounds[:-1], bounds[1:], strict=True):
            for row in range(start, stop):
                places = [*prefix, tails[row]]
                asked = np.all([self._is_asked(self.literals.column[place]) for place in places], axis=0)
                index = sum(self._matches(place).astype(int) << bit for bit, place in enumerate(places))
                for value in range(counts.shape[2]):
                    counts[:, row, value] = self._by_group(asked & (index & value == value))
        return counts

    def records(self, group):
        lines = self.literals.lines.of_records(self.codes, self.direct)
        yield lines[self.direct == (group == DIRECT)].T.astype(float)

    def _by_group(self, chosen):
        return np.array([(chosen & ~self.direct).sum(), (chosen & self.direct).sum()])

    def _is_asked(self, column):
        return self.codes[:, column] != self.literals.design.not_asked

    def _matches(self, place):
        column = self.literals.column[place]
        has = self.codes[:, column] == self.literals.option[place]
        return self._is_asked(column) & (has == self.literals.positive[place])


@pytest.mark.parametrize("kind", first(1, KINDS))
def test_bit_columns_find_what_records_counted_one_by_one_do(kind, monkeypatch):
    """Every level, rule, error, interval, q, redundancy, warning and file, to the last byte."""
    design = design_of(kind)
    codes, direct = records_of(design, 200)
    request = MiningRequest(0.1, 0.3, 3, True, engine="bitset", least=1)
    found = everything_of(findings([(codes, direct)], design, request))

    def count_one_by_one(batches, literals):
        assert [*batches]  # which are read
        return RecordCounter(literals, codes, direct)

    monkeypatch.setattr("mining.engines.mine.pack", count_one_by_one)

    assert everything_of(findings([(codes, direct)], design, request)) == found


def test_as_many_literals_as_questions_need_not_be_one_of_each():
    """A number has no literal, and a question that may be negated two: each literal is counted in its own column."""
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 9}]}
    design = Design.parse({"blocks": [number, {"keep": 0.6, "items": [{"id": "a", "theta": 0.5}]}]})
    codes = np.column_stack([np.arange(200) % 30, np.arange(200) % 3 == 0]).astype(design.code_type)
    direct = np.zeros(200, bool)
    literals = literals_of(design, negated=True)
    assert literals.labels == ("a", "!a")
    expected = RecordCounter(literals, codes, direct).singles()
    assert np.array_equal(pack([(codes, direct)], literals).singles(), expected)
    assert expected[0].tolist() == [67, 133]


def test_numpy_counts_what_simsimd_counts(monkeypatch):
    """Without simsimd every figure is the same, to the last byte."""
    design = design_of("one block")
    records, request = [records_of(design)], MiningRequest(0.1, 0.1, 4, engine="bitset")
    fast = everything_of(findings(records, design, request))
    monkeypatch.setattr(bits, "cdist", None)
    assert everything_of(findings(records, design, request)) == fast
