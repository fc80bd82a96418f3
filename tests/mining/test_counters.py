"""Bit columns count what the records say, with simsimd and without."""

from mining.engines import bits
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from tests.mining.designs import design_of, records_of
from tests.mining.parts import everything_of


def test_numpy_counts_what_simsimd_counts(monkeypatch):
    """Without simsimd every figure is the same, to the last byte."""
    design = design_of("one block")
    records, request = [records_of(design)], MiningRequest(0.1, 0.1, 4, engine="bitset")
    fast = everything_of(findings(records, design, request))
    monkeypatch.setattr(bits, "cdist", None)
    assert everything_of(findings(records, design, request)) == fast
