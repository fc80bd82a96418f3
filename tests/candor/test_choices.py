"""What is chosen from a list is one of the list, whatever stands in its place."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.choices import DISTANCES
from privacy.release.models import distances
from tests.servers import ROOT

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
    "disguiser of careless": lambda value: candor.careless(SOME, anchors={"drugs": 0}, disguiser=value),
    "presses of careless": lambda value: candor.careless(SOME, anchors={"drugs": 0}, presses=value),
    "estimator of careless": lambda value: candor.careless(SOME, anchors={"drugs": 0}, estimator=value),
    "cases of careless": lambda value: candor.careless(SOME, anchors={"drugs": 0}, cases=value),
    "measure of compare": lambda value: candor.compare(SOME, "drugs", measure=value),
    "family of regress": lambda value: candor.regress(SOME, "drugs", family=value),
    "model of regress": lambda value: candor.regress(SOME.to_frame(), "drugs", model=value, model_options=KUK),
    "cases of guarantee": lambda value: candor.guarantee(WARNER, respondents=100, cases=value),
    "distance of measure": lambda value: candor.measure(TABLE, ["age"], "disease", distance=value),
}


@pytest.mark.parametrize("choose", CHOICES.values(), ids=CHOICES)
def test_what_is_none_of_a_list_is_refused_by_the_list(choose: Callable[[Any], object]) -> None:
    """The sentence has all that can be chosen."""
    with pytest.raises(candor.InputError, match=r"^\w+: 'nope' is not one of \w.*\.$"):
        choose("nope")


@pytest.mark.parametrize("choose", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize(
    "value",
    [["stratified"], pd.NA, np.array(["a", "b"]), pd.Series(["x"]), TABLE],
    ids=["list", "NA", "array", "Series", "DataFrame"],
)
def test_what_is_chosen_is_a_word(choose: Callable[[Any], object], value: Any) -> None:
    """Whatever stands in its place is refused, and nobody reads an error from inside."""
    with pytest.raises(candor.InputError, match=r"^\w+: .* is not text\.$"):
        choose(value)


@pytest.mark.parametrize("value", [[1], pd.NA, np.array([1, 2]), pd.Series([1]), TABLE])
def test_a_test_has_a_whole_number_of_sides(value: Any) -> None:
    """One or two are counted."""
    calls = (
        lambda: candor.power(WARNER, "drugs", respondents=100, sides=value, **PLAN),
        lambda: candor.sample_size(WARNER, "drugs", power=0.8, sides=value, **PLAN),
    )
    for call in calls:
        with pytest.raises(candor.InputError, match=r"^sides: .* is not a whole number\.$"):
            call()


@pytest.mark.parametrize("value", [["0"], pd.NA, np.array(["0", "1"])])
def test_the_harmless_answer_is_0_or_1(value: Any) -> None:
    """Whatever stands in its place is refused at the item."""
    with pytest.raises(candor.InputError, match=r"harmless: .* is not 0 or 1: say which answer is the harmless one\.$"):
        candor.models.one_sided(["drugs"], g=0.3, harmless=value)


# What the options of a command offer, in a process where one entry more is declared before the command is asked.
OFFERED = """
import argparse, json, sys
from privacy import choices

if "added" in sys.argv:
    choices.FAMILIES["added"] = "of the added"
    choices.DISTANCES += ("added",)

from candor.commands import all_commands

offered = {}
for command in ("regress", "measure"):
    parser = argparse.ArgumentParser()
    next(one for one in all_commands() if one.name == command).add_arguments(parser)
    offered |= {one.dest: one.choices for one in parser._actions if one.dest in ("family", "distance")}
    if command == "regress":
        family, = (one for one in parser._actions if one.dest == "family")
        offered |= {"explained": family.help.split("; ")}
offered["heavy"] = sorted({"numpy", "scipy"} & set(sys.modules))
print(json.dumps(offered))
"""


def offered(*more: str) -> dict[str, list[str]]:
    done = subprocess.run([sys.executable, "-c", OFFERED, *more], cwd=ROOT, capture_output=True, text=True, check=True)
    known: dict[str, list[str]] = json.loads(done.stdout)
    return known


def test_commands_offer_what_is_declared() -> None:
    """What there is to choose is read without loading numpy."""
    assert offered() == {
        "family": ["logistic", "linear", "ordinal", "normal"],
        "explained": [
            "logistic (default): of the odds",
            "linear: of the outcome itself, by least squares",
            "ordinal: of the odds of more, for an outcome whose values have an order",
            "normal: of the outcome itself, if it is normal with one spread for everybody",
        ],
        "heavy": [],
        "distance": ["equal", "ordered", "hierarchical"],
    }


def test_one_entry_more_is_offered_by_the_commands() -> None:
    """Nothing but its declaration is changed; it stands last."""
    before, after = offered(), offered("added")

    assert after["explained"] == [*before["explained"], "added: of the added"]
    for name in ("family", "distance"):
        assert after[name] == [*before[name], "added"]


def test_every_distance_is_computed() -> None:
    """What is declared can be asked for, in the same order, and nothing else is."""
    assert tuple(distances.DISTANCES) == DISTANCES
