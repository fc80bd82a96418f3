"""What is True or False is that, and nothing that only counts as one of them."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor

DESIGN = candor.models.improved_grouped(["drugs", "cheating"], p=0.5, theta=0.5)
ANSWERS = pd.DataFrame({"drugs": [1, 0, 0, 1] * 50, "cheating": [0, 1, 0, 1] * 50})
RECORDS = candor.disguise(ANSWERS, DESIGN, seed=7)
WORDS = candor.disguise(ANSWERS, candor.models.one_of(["drugs", "cheating"], gamma=9, cap=1), seed=7)
PEOPLE = pd.DataFrame({"age": [1, 1, 2, 2], "disease": ["flu", "cold", "flu", "cold"]})
ROLES = {"age": {"role": "quasi", "hierarchy": [["1", "*"], ["2", "*"]]}, "disease": {"role": "sensitive"}}
SPEC = {"attributes": ROLES, "model": {"k": 2}}
NAMES = ["a", "b", "c"]
CALLS: dict[str, Callable[..., object]] = {
    "breach measures": lambda **flag: candor.breach([[1, 0], [0.5, 0.5]], [0.5, 0.5], **flag),
    "guarantee measures": partial(candor.guarantee, DESIGN),
    "advise one_sided": lambda **flag: candor.advise(2, 1000, 19, **flag),
    "anonymize path": lambda **flag: candor.anonymize(PEOPLE, SPEC, **flag),
    "likeliest simultaneous": lambda **flag: candor.likeliest(WORDS, 2, **flag),
    "link in_order": lambda **flag: candor.link(PEOPLE, PEOPLE, **flag),
    "measure rows": lambda **flag: candor.measure(PEOPLE, quasi=["age"], sensitive="disease", **flag),
    "measure safe_harbour": lambda **flag: candor.measure(PEOPLE, quasi=["age"], sensitive="disease", **flag),
    "mine negated": lambda **flag: candor.mine(RECORDS, 0.1, engine="bitset", **flag),
    "regress robust": lambda **flag: candor.regress(RECORDS, "drugs", "cheating", family="linear", **flag),
    "models.binary direct": lambda **flag: candor.models.binary(NAMES, 0.7, 0.2, **flag),
    "models.crosswise direct": lambda **flag: candor.models.crosswise(NAMES, 0.25, **flag),
    "models.flip direct": lambda **flag: candor.models.flip(NAMES, 9, 1, **flag),
    "models.forced_response direct": lambda **flag: candor.models.forced_response(NAMES, 0.6, 0.2, **flag),
    "models.gamma_diagonal direct": lambda **flag: candor.models.gamma_diagonal(NAMES, 9, **flag),
    "models.grouped direct": lambda **flag: candor.models.grouped(NAMES, 0.5, 0.5, **flag),
    "models.improved_grouped direct": lambda **flag: candor.models.improved_grouped(NAMES, 0.5, 0.5, **flag),
    "models.k_ary direct": lambda **flag: candor.models.k_ary(NAMES, 0.5, **flag),
    "models.one_of direct": lambda **flag: candor.models.one_of(NAMES, 9, 1, **flag),
    "models.one_sided direct": lambda **flag: candor.models.one_sided(NAMES, 0.2, **flag),
    "models.unrelated_question direct": lambda **flag: candor.models.unrelated_question(NAMES, 0.7, 0.4, **flag),
    "models.warner direct": lambda **flag: candor.models.warner(NAMES, 0.7, **flag),
}
OF_FILES: dict[str, Callable[..., object]] = {
    "read_records counts": lambda written, **flag: candor.read_records(written, DESIGN, **flag),
    "read_records open_columns": lambda written, **flag: candor.read_records(written, DESIGN, **flag),
    "reconstruct counts": lambda written, **flag: candor.reconstruct(written, "drugs", design=DESIGN, **flag),
    "table counts": lambda written, **flag: candor.table(written, ["drugs"], design=DESIGN, **flag),
}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Records, with how many are alike: without counts that is a column like any other."""
    lines = "direct,drugs,cheating,count\n0,1,0,3\n0,0,0,4\n"
    (tmp_path / "records.csv").write_text(lines, encoding="utf-8")
    return tmp_path / "records.csv"


@pytest.fixture(params=[*CALLS, *OF_FILES])
def flagged(request: pytest.FixtureRequest, written: Path) -> Callable[[Any], object]:
    """A call of what takes a flag, with this in its place."""
    name = request.param.split()[1]
    call = CALLS.get(request.param) or partial(OF_FILES[request.param], written)
    return lambda value: call(**{name: value})


def with_flags() -> Iterator[str]:
    """Every argument of a public function that is annotated as true or false."""
    for place, owner in (("", candor), ("models.", candor.models)):
        for name in owner.__all__:
            member = getattr(owner, name)
            if inspect.ismodule(member):
                continue
            methods = [one for one in inspect.getmembers(member, _written) if not one[0].startswith("_")]
            called = (
                [(f"{name}.{own}", method) for own, method in methods] if inspect.isclass(member) else [(name, member)]
            )
            for label, function in called:
                for argument in inspect.signature(function).parameters.values():
                    if argument.annotation in (bool, "bool"):
                        yield f"{place}{label} {argument.name}"


def _written(member: object) -> bool:
    return inspect.isfunction(member) or inspect.ismethod(member)


def test_every_flag_of_a_public_function_is_tried_here() -> None:
    """A person who adds one adds how it is called."""
    assert sorted(with_flags()) == sorted([*CALLS, *OF_FILES])


@pytest.mark.parametrize("value", ["x", 99, 1, float("nan"), None, [], pd.NA], ids=repr)
def test_what_is_neither_true_nor_false_is_refused(flagged: Callable[[Any], object], value: Any) -> None:
    """Text, a number, nothing: each meant yes, or ended in an error from inside."""
    with pytest.raises(candor.InputError, match=r"^\w+: .* is not true or false\.$"):
        flagged(value)


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_of_numpy_is_taken(flagged: Callable[[Any], object], value: bool) -> None:
    """As it comes out of an array, it means what Python's own does."""
    assert repr(flagged(np.bool_(value))) == repr(flagged(value))
