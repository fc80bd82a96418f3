"""Command, library and studio choose a design by one rule."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import candor
from candor.commands import main as candor_command
from privacy.design import Design
from privacy.plan import Advice
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import BEST, PROPOSAL, odds_of, usual
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Draft, read_document
from tests.cases import every
from tests.surveys.making import make_survey, set_question

PEOPLE, OPTIONS = 10_000, ("never", "once", "often")


def of_studio(count: int, share: float, sure: float, options: bool, tell: list[str]) -> Design:
    """The design that the studio proposes for so many questions, of two answers or of three."""
    names = tuple(f"q{number}" for number in range(count))
    survey = make_survey("one-rule", names=names, direct=False, expected=PEOPLE)
    for name in names if options else ():
        listed = [{"value": value, "label": {"en": value}, "last": False, "settings": {}} for value in OPTIONS]
        set_question(survey, name, type="choice", options=listed, settings={"harmless": OPTIONS[0]})
    wished = usual() | {"sure": sure, "way": BEST, "guess": str(share), "tell": tell}
    document = read_document(survey) | {"protection": wished}
    draft = Draft.from_document(survey, apply(survey, document, {"do": "protect", "field": "by", "value": PROPOSAL}))
    return compose_design(draft)


def figures(design: Design | dict[str, Any]) -> list[Any]:
    """What makes a design, to as many digits as decimals of settings have."""
    written = design.to_json() if isinstance(design, Design) else design
    return [
        [len(block.pop("items")), *(round(value, 6) if isinstance(value, float) else value for value in block.values())]
        for block in written["blocks"]
    ]


SETTINGS = list(product((3, 5, 10, 20), (0.02, 0.05, 0.1, 0.2), (32, 50), (False, True)))


@pytest.mark.parametrize(("count", "share", "sure", "options"), every(16, SETTINGS, start=9))
@pytest.mark.parametrize("tell", [["shares", "pairs"], pytest.param(["shares"], marks=pytest.mark.long)])
def test_command_library_and_studio_choose_one_design(
    count: int, share: float, sure: float, options: bool, tell: list[str], tmp_path: Path
) -> None:
    """The same blocks with the same numbers, for questions of two answers and of three."""
    proposed = of_studio(count, share, sure, options, tell)
    names = [item.id for item in proposed.items]
    items = {name: list(OPTIONS) for name in names} if options else names
    advice = candor.advise(items, PEOPLE, odds_of(sure), length=len(tell), prevalence=share)
    assert isinstance(advice, Advice)
    questions, written = tmp_path / "questions.json", tmp_path / "design.json"
    asked: list[dict[str, Any]] = [
        {"id": name, "options": list(OPTIONS), "expected": [1 - 2 * share, share, share]}
        if options
        else {"id": name, "expected": share}
        for name in names
    ]
    questions.write_text(json.dumps({"items": asked}))
    wished = ["--respondents", str(PEOPLE), "--gamma", repr(odds_of(sure)), "--length", str(len(tell))]
    candor_command(["advise", "--questions", str(questions), *wished, "--output", str(written)])

    assert figures(json.loads(written.read_text())) == figures(advice.design)
    assert figures(proposed) == figures(advice.design)
