"""An estimator, or a way to take cases, is declared once; requests, commands, forms and the API follow."""

import json
import os
import subprocess
import sys

import pytest

from privacy.choices import CASES, ESTIMATORS
from privacy.estimate import estimators
from tests.servers import ROOT

# What each place offers, in a process where one entry more is declared before anything reads the lists.
OFFERED = """
import argparse, json, sys
from privacy import choices

if "added" in sys.argv:
    added = choices.WayToEstimate("added", "added: as nobody does it", "added", "added cases")
    for declared in (choices.ESTIMATORS, choices.CASES):
        declared[added.key] = added

import django
django.setup()
from config.api.runs import operations
from mining.engines.request import MiningRequest
from mining.forms import StartForm
from mining.models import MiningRun
from candor.commands import all_commands

offered = {"estimator": {}, "cases": {}}
for command in all_commands():
    name, parser = command.name, argparse.ArgumentParser()
    command.add_arguments(parser)
    for action in parser._actions:
        if action.dest in offered:
            every = action.choices or [one.split(": ")[-2] for one in action.help.split("; ")]
            offered[action.dest][name] = list(every)
            assert "added" not in every or "added: as nobody does it" in action.help
for name in offered:
    offered[name]["form"] = [key for key, _ in StartForm.base_fields[name].choices]
    offered[name]["stored"] = [key for key, _ in MiningRun._meta.get_field(name).choices]
    if "added" in sys.argv:
        MiningRequest(0.1, 0.5, **{name: "added"})
start = next(one for one in operations if one.body and "estimator" in one.body["properties"])
offered["estimator"]["api"] = start.body["properties"]["estimator"]["enum"]
print(json.dumps(offered))
"""


def list_choices(*more: str) -> dict[str, dict[str, list[str]]]:
    done = subprocess.run(
        [sys.executable, "-c", OFFERED, *more],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    known: dict[str, dict[str, list[str]]] = json.loads(done.stdout)
    return known


def test_every_place_offers_what_is_declared() -> None:
    """Commands, form, table and API name the same estimators and cases, in one order."""
    known = list_choices()

    estimators_at = ("reconstruct", "mine", "table", "compare", "careless", "form", "stored", "api")
    assert known["estimator"] == {place: list(ESTIMATORS) for place in estimators_at}
    cases_at = ("reconstruct", "mine", "table", "compare", "careless", "form", "stored")
    assert known["cases"] == {place: list(CASES) for place in cases_at}


@pytest.mark.long
def test_one_entry_more_is_offered_everywhere() -> None:
    """It stands last wherever there is a choice, is explained in the help of commands, and a request takes it."""
    before, after = list_choices(), list_choices("added")

    assert after == {
        name: {place: [*known, "added"] for place, known in places.items()} for name, places in before.items()
    }


def test_every_estimator_has_its_figures() -> None:
    """What is declared can be computed, and nothing else is."""
    assert list(estimators._METHODS) == list(ESTIMATORS)


@pytest.mark.parametrize("key", [*ESTIMATORS, *CASES])
def test_what_is_explained_begins_with_what_is_typed(key: str) -> None:
    """Who reads the help of a command knows what to type."""
    assert {**ESTIMATORS, **CASES}[key].explained.startswith(f"{key}: ")
