"""A plan for questions with numbers and places: the studio's proposal as a design, by `candor advise`."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import candor
from candor.commands import main
from privacy.design import Design
from privacy.design.notation import DECIMAL
from privacy.plan.proposal import Topic, plan_questionnaire, propose
from privacy.plan.request import parse_questions

AGE = {"id": "age", "min": 0, "max": 99, "step": 1}
HOME = {"id": "home", "width": 1000, "height": 800, "cell": 10, "zones": [[400, 300, 200, 200]]}
ITEMS = [{"id": "drugs"}, {"id": "faculty", "options": ["arts", "law", "music"]}, AGE, HOME]


def planned(items: list[dict[str, Any]], gamma: int = 19, direct: float = 0.0) -> Any:
    return plan_questionnaire(parse_questions(json.dumps({"items": items})), 5000, Fraction(gamma), 2, direct)


def test_every_question_has_a_block_and_the_whole_keeps_the_promise() -> None:
    """Items with options, a number and a place with zones; the odds of the design are those that were allowed."""
    design = planned(ITEMS).design

    assert sorted(item.id for item in design.items) == ["age", "drugs", "faculty", "home"]
    assert 18 < float(design.odds) <= 19
    assert Design.parse(design.to_json()) == design


def test_a_number_and_an_item_with_options_answer_alike() -> None:
    """Each says what a proposal reads of it, and whether the advisor takes it; nobody asks of which class it is."""
    drugs, _faculty, age, _home = parse_questions(json.dumps({"items": ITEMS}))

    assert (drugs.topic, drugs.with_options) == (Topic(sizes=(2,)), (drugs,))
    assert (age.topic, age.with_options) == (Topic((), "square-wave", json.dumps({"min": 0, "max": 99, "step": 1})), ())


def test_it_is_the_proposal_of_the_studio() -> None:
    """The same blocks with the same settings; the error is that of one respondent over √n, of both groups together."""
    topics = (Topic(sizes=(2,)), Topic((), "square-wave", json.dumps({"min": 0, "max": 99, "step": 1})))

    proposal = propose(topics, 19.0, 2)

    plan = planned([ITEMS[0], AGE])
    assert plan.error == pytest.approx(proposal.error / 5000**0.5)
    of_both = (0.36 / 4 + 0.64 * proposal.error**2) ** 0.5
    assert planned([ITEMS[0], AGE], direct=0.36).error == pytest.approx(of_both / 5000**0.5)
    epsilons = [dict(block.settings).get("epsilon") for block in proposal.blocks]
    assert [block.entry(DECIMAL).get("epsilon") for block in plan.design.blocks] == epsilons


def run(tmp_path: Path, items: list[dict[str, Any]], *arguments: str) -> int:
    (tmp_path / "questions.json").write_text(json.dumps({"items": items}))
    asked = ["advise", "--questions", str(tmp_path / "questions.json"), "--respondents", "5000", "--gamma", "19"]
    return main([*asked, *arguments])


def test_the_command_tells_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` has the contract's keys, `-o` the design; the text names every block."""
    assert run(tmp_path, ITEMS, "--json", "-o", str(tmp_path / "design.json")) == 0
    printed = json.loads(capsys.readouterr().out)
    assert run(tmp_path, ITEMS) == 0

    assert list(printed) == ["items", "respondents", "gamma", "length", "recommended"]
    assert printed["recommended"]["design"] == json.loads((tmp_path / "design.json").read_text())
    text = capsys.readouterr().out
    assert "4 items, 5000 respondents, gamma at most 19" in text
    assert "home" in text


@pytest.mark.parametrize(
    ("items", "arguments", "said"),
    [
        (ITEMS, ["--frontier"], "--frontier cannot be computed if questions have numbers or places."),
        (ITEMS, ["--target", ".01"], "--target cannot be computed if questions have numbers or places."),
        ([{"id": "a", "expected": 0.1}, AGE], [], "a: 'expected' cannot be given if questions have numbers or places."),
        ([AGE, AGE], [], "age: two questions have this name."),
        (
            [{"id": "a", "options": ["b"]}, AGE],
            [],
            "a.options: the number of options, 1, is outside 2 to 254; an item with one option would say nothing.",
        ),
        ([{"id": "age", "min": 9, "max": 1}], [], "items[0].max: max 1 is not above min 9."),
    ],
)
def test_what_it_does_not_take_is_refused(
    items: list[dict[str, Any]], arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2 and one sentence."""
    assert (run(tmp_path, items, *arguments), capsys.readouterr().err) == (2, f"candor advise: {said}\n")


def test_the_front_door_plans_what_the_command_plans() -> None:
    """A number and a place stand in place of the options of an item."""
    plan = candor.advise(
        {
            "drugs": ["0", "1"],
            "faculty": ["arts", "law", "music"],
            "age": {"min": 0, "max": 99, "step": 1},
            "home": {"width": 1000, "height": 800, "cell": 10, "zones": [[400, 300, 200, 200]]},
        },
        respondents=5000,
        gamma=19,
    )

    assert plan.design.to_json() == planned(ITEMS).design.to_json()
    assert list(plan.to_frame()["items"]) == [", ".join(i.id for i in b.items) for b in planned(ITEMS).design.blocks]


@pytest.mark.parametrize(
    ("items", "beside", "said"),
    [
        ({"age": {"min": 9, "max": 1}}, {}, "items['age'].max: max 1 is not above min 9."),
        (
            {"age": {"least": 9}},
            {},
            "items['age']: the key 'least' is unknown here; known keys are id, options, expected, alone, harmless.",
        ),
        ({3: {"min": 0, "max": 9}}, {}, "items: 3 is not text."),
        (
            {"age": {"min": 0, "max": 9}},
            {"most_asked": 1},
            "most_asked cannot be computed if questions have numbers or places.",
        ),
        (
            {"a": {"expected": 0.1}, "age": {"min": 0, "max": 9}},
            {},
            "a: 'expected' cannot be given if questions have numbers or places.",
        ),
    ],
)
def test_what_the_front_door_does_not_plan_is_refused(items: Any, beside: dict[str, Any], said: str) -> None:
    with pytest.raises(candor.InputError, match=f"^{re.escape(said)}$"):
        candor.advise(items, 5000, 19, **beside)
