"""Bit columns count what the records say, with simsimd and without."""

import numpy as np

from mining.engines import bits
from mining.engines.bits import pack
from mining.engines.findings import findings
from mining.engines.literals import literals_of
from mining.engines.request import MiningRequest
from privacy.design import Design
from tests.mining.designs import records_of
from tests.mining.parts import everything_of


def test_as_many_literals_as_questions_need_not_be_one_of_each():
    """A number has no literal, and a question that may be negated two: each literal is counted in its own column."""
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 9}]}
    design = Design.parse({"blocks": [number, {"keep": 0.6, "items": [{"id": "a", "theta": 0.5}]}]})
    codes = np.column_stack([np.arange(200) % 30, np.arange(200) % 3 == 0]).astype(design.code_type)
    direct = np.zeros(200, bool)
    literals = literals_of(design, negated=True)
    assert literals.labels == ("a", "!a")
    assert pack([(codes, direct)], literals).singles()[0].tolist() == [67, 133]


def test_numpy_counts_what_simsimd_counts(monkeypatch, design):
    """Without simsimd every figure is the same, to the last byte."""
    records, request = [records_of(design)], MiningRequest(0.1, 0.1, 4, engine="bitset")
    fast = everything_of(findings(records, design, request))
    monkeypatch.setattr(bits, "cdist", None)
    assert everything_of(findings(records, design, request)) == fast
