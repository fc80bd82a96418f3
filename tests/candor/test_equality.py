"""Results with arrays are equal to themselves alone, and can be looked for in a list."""

import numpy as np
import pandas as pd
import pytest

import candor

AGE = candor.Design.parse(
    {"blocks": [{"number": "square-wave", "epsilon": 3, "items": [{"id": "age", "min": 0, "max": 9, "step": 1}]}]}
)


def _records() -> candor.Records:
    return candor.disguise(pd.DataFrame({"drugs": [True, False] * 50}), candor.models.warner(["drugs"], 0.75), seed=7)


def _ages() -> candor.Records:
    return candor.disguise(pd.DataFrame({"age": np.arange(100) % 10}), AGE, seed=7)


@pytest.mark.parametrize(
    "make",
    [
        _records,
        lambda: candor.table(_records(), ["drugs"]),
        lambda: candor.mine(_records(), 0.1, engine="bitset"),
        lambda: candor.measure(pd.DataFrame({"age": [20, 30], "disease": ["flu", "cold"]}), ["age"], "disease"),
        lambda: candor.leak(_records()),
        lambda: candor.distribution(_ages(), "age", bins=5),
    ],
    ids=["records", "table", "mine", "measure", "leak", "distribution"],
)
def test_a_result_with_arrays_equals_itself_alone(make):
    """`==` answers, and a result can stand in a set."""
    one, other = make(), make()

    assert one == one
    assert one != other
    assert len({one, other}) == 2
