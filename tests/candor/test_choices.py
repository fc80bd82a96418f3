"""What is chosen from a list is one of the list, whatever stands in its place."""

import json
import subprocess
import sys
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

import candor
from mining.engines.options import ENGINES
from privacy import choices
from privacy.choices import DISTANCES
from privacy.reconstruct.metrics import keys_with_error
from privacy.release.models import distances
from tests.servers import ROOT

WARNER = candor.models.warner(["drugs"], theta=0.75)
PLAN: dict[str, Any] = {"support": 0.2, "null": 0.1}


@pytest.mark.parametrize("value", [[1], pd.NA, np.array([1, 2]), pd.Series([1])])
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


# What type checkers know of the words of a parameter is what the function takes.


def test_the_words_that_are_typed_are_those_that_are_taken() -> None:
    """A word more or less would be refused by one of them alone."""
    typed = {
        choices.Estimator: choices.ESTIMATORS,
        choices.Cases: choices.CASES,
        choices.Measure: keys_with_error(),
        choices.Engine: ENGINES,
        choices.Family: choices.FAMILIES,
        choices.Distance: choices.DISTANCES,
        choices.Disguiser: choices.DISGUISERS,
    }
    assert [get_args(words) for words in typed] == [tuple(taken) for taken in typed.values()]
