"""Draws that the studio offers for a block: each can be published, and promises what is said beside it."""

from typing import Any

import pytest

from privacy.draws.facts import NamedFact
from privacy.errors import EntryError
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import promise_of
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Document, Draft, read_document
from surveys.features.own.changes import ready_draws
from surveys.features.own.draft import blocks_of_people, name_draw
from surveys.features.own.staff import PART
from surveys.models import Survey
from tests.surveys.making import make_survey

pytestmark = pytest.mark.django_db


def drawn(count: int) -> tuple[Survey, Document]:
    survey = make_survey(names=tuple("abcdefg"[:count]), direct=False)
    return survey, apply(survey, read_document(survey), {"do": "draws", "value": "by-person"})


def pane(survey: Survey, document: Document) -> dict[str, Any]:
    (own,) = (panel for panel in PART.panels if panel.name == "draws")
    return own.context(Draft.from_document(survey, document))


@pytest.mark.parametrize("count", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 3, 4, 7))])
def test_each_offered_draw_makes_a_design_with_its_promise(count: int) -> None:
    """It is whole, no fact serves twice, and the page marks it as taken."""
    survey, document = drawn(count)
    block = blocks_of_people(Draft.from_document(survey, document))[0].name
    offered = pane(survey, document)["draws"][0]["ways"]
    assert [name for name, *_ in offered][:1] == list(ready_draws(count))[:1]
    for name, words, _chosen, promised in offered:
        after = apply(survey, document, {"do": "draw", "block": block, "value": name})
        draft = Draft.from_document(survey, after)
        ways = pane(survey, after)["draws"][0]["ways"]

        assert promised == f"from 5 % to at most {promise_of(survey, after)} %"
        assert (missing(draft), list(refusals(draft))) == ([], [])
        assert compose(draft).design.odds < 19 * 3
        assert [(one, said) for one, said, chosen, _ in ways if chosen] == [(name, words)]


def test_one_draw_asks_two_unrelated_questions() -> None:
    """A die, and a birthday of its own for each question (improved grouped unrelated question)."""
    survey, document = drawn(2)
    block = blocks_of_people(Draft.from_document(survey, document))[0].name
    after = apply(survey, document, {"do": "draw", "block": block, "value": "unrelated"})
    draw = compose(Draft.from_document(survey, after)).design.blocks[0].draw

    assert draw is not None
    assert (draw.way.name, draw.drawn.source) == ("unrelated", "die")
    assert [other.fact for other in draw.others] == ["friend", "cousin"]
    assert NamedFact("day", "father") not in draw.facts


def test_the_question_that_is_never_true_has_looks_where_the_other_has() -> None:
    """Else nobody could tell from it who followed the draw of the other."""
    survey, document = drawn(1)
    ways = []
    for name in ("six", "day"):
        document = apply(survey, document, {"do": "draw", "block": "block 1", "value": name})
        ways.append([block["settings"]["draw_way"] for block in document["blocks"]])

    assert ways == [["crosswise", "crosswise"], ["extended", "extended"]]


def test_a_draw_that_is_not_offered_is_refused() -> None:
    """A card for seven questions is none for two."""
    survey, document = drawn(2)
    with pytest.raises(EntryError, match="lacks a field"):
        apply(survey, document, {"do": "draw", "block": "block 1", "value": "cards"})


def test_a_draw_is_named_with_its_facts_and_its_lot() -> None:
    """What is thrown, whose birthdays, whether a lot chooses what counts, and what is done."""
    digit = ready_draws(2)["digit"]
    unrelated = ready_draws(2)["unrelated"]
    birthdays = [NamedFact("day", "friend"), NamedFact("day", "cousin")]

    assert [name_draw(digit, [NamedFact("digit", "note")]), name_draw(unrelated, birthdays)] == [
        "the last digit of a number (a banknote), which of them count is drawn by lot: its row in a table says "
        "“the truth”, or what to press",
        "a die, the day of a birthday (a good friend), the day of a birthday (a cousin): the truth, or another "
        "question",
    ]
