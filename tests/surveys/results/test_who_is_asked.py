"""How many were asked a question, or wrote a text, tells of no answer that fewer gave than a survey reports on."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from surveys.results.answers import answers
from surveys.results.figures import of_answers
from surveys.results.reading import read_data
from tests.cases import first
from tests.surveys.making import add_question, make_survey
from tests.surveys.results.game import LEAST, People, seal_in

FEW = (0, 1, LEAST - 1)


def options(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, name) for name in names)


def shown(slug: str, asked: dict[str, dict[str, Any]], given: list[dict[str, Any]], direct: int = 0) -> dict[str, Any]:
    """How many people each undisguised question is shown of, and what it says, when these people have answered."""
    survey = make_survey(slug, ("drugs", "theft"), least=LEAST, override_by="Tests", override_reason="few people")
    for name, fields in asked.items():
        add_question(survey, name, **{"page": 2, "required": True} | fields)
    n = len(given)
    codes = np.array([[place % 2, place // 2 % 2] for place in range(n)], np.uint8)
    version = seal_in(survey, People(codes, np.arange(n) >= n - direct, given))
    made = answers(read_data(version.snapshots.get()), "en")
    return {
        one.name: [(display.n, display.texts, getattr(display, "rows", ())) for display in one.displays] or one.why_not
        for one in made
        if not one.sensitive
    }


def alike(tell: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    """What is shown, which is the same where nobody, one person or 19 gave the rare answer."""
    nobody, *others = (tell(few) for few in FEW)
    assert others == [nobody] * len(others)
    return nobody


FACULTY = {"type": "choice", "options": options("arts", "law", "music")}
WORDS = {"type": "text", "page": 3, "when": {"question": "faculty", "is": ["law"]}}
WITHHELD = (
    "Not shown: fewer than 20 people answered this, or their number would tell that fewer gave some answer, or none."
)


def test_a_text_behind_a_condition_does_not_tell_how_many_gave_a_rare_answer() -> None:
    """100 people study law or music; lawyers are asked for a text, and their number would tell of the others."""

    def tell(music: int) -> dict[str, Any]:
        given: list[dict[str, Any]] = [{"faculty": "arts"}] * 200 + [{"faculty": "music"}] * music
        given += [{"faculty": "law", "words": f"text {place % 7}"} for place in range(100 - music)]
        return shown(f"music-{music}", {"faculty": FACULTY, "words": WORDS}, given)

    assert alike(tell)["words"] == WITHHELD
    ((n, texts, _rows),) = tell(LEAST)["words"]
    assert (n, len(texts)) == (80, 80)


def test_a_text_behind_a_condition_tells_no_rare_direct_answer() -> None:
    """Direct people who are in no figure of the condition are in none of the text."""

    def tell(music: int) -> dict[str, Any]:
        given: list[dict[str, Any]] = [{"faculty": "arts"}] * 60 + [{"faculty": "music"}] * 60
        given += [{"faculty": "law", "words": "said"}, {"faculty": "law", "words": "told"}] * 30
        direct: list[dict[str, Any]] = [{"faculty": "music"}] * music
        direct += [{"faculty": "law", "words": f"direct {place % 5}"} for place in range(60 - music)]
        return shown(f"direct-{music}", {"faculty": FACULTY, "words": WORDS}, given + direct, direct=60)

    ((n, texts, _rows),) = alike(tell)["words"]
    assert (n, set(texts)) == (60, {"said", "told"})


def test_an_optional_text_does_not_tell_that_a_few_left_it_out() -> None:
    """It is shown where as many people left it out as a survey reports on."""

    def tell(silent: int) -> dict[str, Any]:
        given: list[dict[str, Any]] = [{}] * silent + [{"words": f"text {place % 7}"} for place in range(200 - silent)]
        return shown(f"silent-{silent}", {"words": {"type": "text", "required": False}}, given)

    assert alike(tell)["words"] == WITHHELD
    ((n, texts, _rows),) = tell(LEAST)["words"]
    assert (n, len(texts)) == (180, 180)


def test_direct_people_do_not_make_up_for_a_few_who_left_a_text_out() -> None:
    """All direct people left it out, so the number of texts is that of disguised people."""

    def tell(silent: int) -> dict[str, Any]:
        given: list[dict[str, Any]] = [{}] * silent + [{"words": f"text {place % 7}"} for place in range(200 - silent)]
        return shown(f"left-{silent}", {"words": {"type": "text", "required": False}}, given + [{}] * 60, direct=60)

    assert alike(tell)["words"] == WITHHELD


@pytest.mark.parametrize(("join", "parent"), first(1, product(["any", "all"], ["hobby", "canteen"])))
def test_a_condition_on_two_answers_of_one_question_does_not_tell_how_many_gave_one_alone(
    parent: str, join: str
) -> None:
    """Half of the people gave both; few gave the first alone, and as many the second alone."""
    asked: dict[str, dict[str, Any]] = {
        "hobby": {"type": "several", "options": options("chess", "golf")},
        "canteen": {"type": "matrix", "options": options("food", "room", "1", "2")},
    }
    named = {"hobby": ("chess", "golf"), "canteen": ("food=1", "room=1")}[parent]
    when = {join: [{"question": parent, "is": [one]} for one in named]}
    asked = {parent: asked[parent], "clinic": {"type": "yesno", "page": 3, "when": when}}

    def person(place: int, few: int) -> dict[str, Any]:
        first, second = place < 150, (place < 150) != (place % 150 < few)
        ticked = [one for one, holds in (("chess", first), ("golf", second)) if holds]
        said = ticked if parent == "hobby" else {"food": "12"[not first], "room": "12"[not second]}
        is_asked = (first and second) if join == "all" else (first or second)
        return {parent: said} | ({"clinic": str(place % 2)} if is_asked else {})

    told = alike(lambda few: shown(f"s{few}", asked, [person(place, few) for place in range(300)]))
    assert told["clinic"] == WITHHELD
    enough = shown("enough", asked, [person(place, 2 * LEAST) for place in range(300)])
    assert [n for n, _texts, _rows in enough["clinic"]] == [190 if join == "any" else 110]


def test_a_label_of_answers_and_silence_is_explained_beside_its_figure() -> None:
    """Of a choice with a rare answer and few who gave none; a figure without such a label says nothing of it."""

    def captions(name: str, required: bool, given: list[dict[str, Any]]) -> list[tuple[list[str], bool]]:
        survey = make_survey(name, ("drugs", "theft"), least=LEAST, override_by="Tests", override_reason="few people")
        add_question(survey, "faculty", page=2, required=required, **FACULTY)
        people = People(np.zeros((len(given), 2), np.uint8), np.zeros(len(given), bool), given)
        data = read_data(seal_in(survey, people).snapshots.get())
        (asked,) = [one for one in answers(data, "en") if not one.sensitive]
        why = "or no answer” is one figure: one of the two groups has too few people to be shown alone"
        return [
            ([cells[0] for cells in figure.table.rows], why in figure.caption) for figure in of_answers(data, asked, {})
        ]

    many: list[dict[str, Any]] = [{"faculty": "arts"}] * 100 + [{"faculty": "law"}] * 60
    few, some = [{"faculty": "music"}] * 5, [{"faculty": "music"}] * 30
    shown = ["arts", "law", "music"]
    assert captions("few", False, many + few + [{}] * 4) == [([*shown, "the other answers, or no answer"], True)]
    assert captions("some", True, many + some) == [(shown, False)]
