"""The engines without the packages of the extra `mining`: the same counts, and one sentence where they cannot do."""

import numpy as np
import pytest

from mining.engines import bits, mine as mining_module
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from tests.refusals import refusal_of

DESIGN = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.3, "items": list("abcdef"), "direct": True})


def mine_records(engine: str = "auto", records: int = 3000):
    take = words_from_seed(1)
    answers = (take(6 * records).reshape(-1, 6) < 2**31).astype(np.uint8)
    disguised = disguise(DESIGN, answers, take(records) < 2**30, take)
    return findings([(disguised.codes, disguised.direct)], DESIGN, MiningRequest(0.1, 0.1, 4, engine=engine))


def test_numpy_counts_what_simsimd_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without simsimd every figure is the same, to the last bit."""
    fast = mine_records("bitset")
    monkeypatch.setattr(bits, "cdist", None)

    slow = mine_records("bitset")

    for name, figures in fast.columns.rules.items():
        np.testing.assert_array_equal(slow.columns.rules[name], figures)
    assert (slow.columns.items.tolist(), len(slow.columns.itemset) > 100) == (fast.columns.items.tolist(), True)


def test_asking_for_mlxtend_where_it_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names the package and the command."""
    monkeypatch.setattr(mining_module, "find_spec", lambda _name: None)

    assert refusal_of(lambda: mine_records("mlxtend")) == (
        "mlxtend is not installed; install it with `pip install 'candor-survey[mining]'`. Use the bitset engine."
    )
