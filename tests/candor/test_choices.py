"""What is chosen from a list is one of the list, whatever stands in its place."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor

WARNER = candor.models.warner(["drugs"], theta=0.75)
SOME = candor.disguise(pd.DataFrame({"drugs": [True, False] * 50}), WARNER, seed=7)
TABLE = pd.DataFrame({"age": [20, 20, 30, 30], "disease": ["flu", "cold", "flu", "flu"]})
PLAN: dict[str, Any] = {"support": 0.2, "null": 0.1}
KUK = {"item": "drugs", "p": [0.2, 0.8]}
CHOICES: dict[str, Callable[[Any], object]] = {
    "estimator of reconstruct": lambda value: candor.reconstruct(SOME, "drugs", estimator=value),
    "cases of reconstruct": lambda value: candor.reconstruct(SOME, "drugs", cases=value),
    "estimator of counts": lambda value: candor.reconstruct_counts(WARNER, "drugs", {}, estimator=value),
    "estimator of table": lambda value: candor.table(SOME, ["drugs"], estimator=value),
    "cases of table": lambda value: candor.table(SOME, ["drugs"], cases=value),
    "estimator of mine": lambda value: candor.mine(SOME, 0.1, estimator=value),
    "engine of mine": lambda value: candor.mine(SOME, 0.1, engine=value),
    "cases of mine": lambda value: candor.mine(SOME, 0.1, cases=value),
    "estimator of compare": lambda value: candor.compare(SOME, "drugs", estimator=value),
    "cases of compare": lambda value: candor.compare(SOME, "drugs", cases=value),
    "measure of compare": lambda value: candor.compare(SOME, "drugs", measure=value),
    "family of regress": lambda value: candor.regress(SOME, "drugs", family=value),
    "model of regress": lambda value: candor.regress(SOME.to_frame(), "drugs", model=value, model_options=KUK),
    "cases of guarantee": lambda value: WARNER.guarantee(respondents=100, cases=value),
    "sides of power": lambda value: candor.power(WARNER, "drugs", respondents=100, sides=value, **PLAN),
    "sides of sample_size": lambda value: candor.sample_size(WARNER, "drugs", power=0.8, sides=value, **PLAN),
    "distance of measure": lambda value: candor.measure(TABLE, ["age"], "disease", distance=value),
}


@pytest.mark.parametrize("choose", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("nope", "'nope'"),
        (["stratified"], "['stratified']"),
        (pd.NA, "<NA>"),
        (np.array([1, 2]), "what is of type ndarray"),
        (pd.Series(["x"]), "what is of type Series"),
        (TABLE, "what is of type DataFrame"),
    ],
    ids=["text", "list", "NA", "array", "Series", "DataFrame"],
)
def test_what_is_none_of_a_list_is_refused_by_the_list(choose: Callable[[Any], object], value: Any, said: str) -> None:
    """The sentence has the value, or its type where it may hold answers, and all that can be chosen."""
    with pytest.raises(candor.InputError, match=r"^\w+: .* is none of .*\.$") as refused:
        choose(value)

    assert f": {said} is none of " in str(refused.value)


@pytest.mark.parametrize(
    ("value", "said"), [(["0"], "['0']"), (pd.NA, "<NA>"), (np.array(["0", "1"]), "what is of type ndarray")]
)
def test_the_harmless_answer_is_0_or_1(value: Any, said: str) -> None:
    """Whatever stands in its place is refused at the item."""
    with pytest.raises(candor.InputError) as refused:
        candor.models.one_sided(["drugs"], g=0.3, harmless=value)

    assert str(refused.value).endswith(f"harmless: {said} is not 0 or 1: say which answer is the harmless one.")
