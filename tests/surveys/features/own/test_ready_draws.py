"""Draws that the studio offers for a block: each can be published, and promises what is said beside it."""

from typing import Any

import pytest

from privacy.errors import EntryError
from privacy.own_draw.person_draw import NamedFact
from privacy.plan.verdict import SHARES
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import judge_document, promise_of
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Document, Draft, read_document
from surveys.features import odds_of_secrets
from surveys.features.own.draft import blocks_of_people, name_draw, ready_draws
from surveys.features.own.staff import PART
from surveys.models import Survey
from tests.surveys.making import make_survey


def drawn(count: int) -> tuple[Survey, Document]:
    survey = make_survey(names=tuple("abcdefg"[:count]), direct=False)
    return survey, apply(survey, read_document(survey), {"do": "draws", "value": "by-person"})


def pane(survey: Survey, document: Document) -> dict[str, Any]:
    (own,) = (panel for panel in PART.panels if panel.name == "draws")
    return own.context(Draft.from_document(survey, document))


@pytest.mark.parametrize("count", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 3, 4, 7))])
def test_each_offered_draw_makes_a_design_with_its_promise(count: int) -> None:
    """It is whole, no fact serves twice, and the page marks it as taken, with the people that it takes."""
    survey, document = drawn(count)
    block = blocks_of_people(Draft.from_document(survey, document))[0].name
    offered = pane(survey, document)["draws"][0]["ways"]
    assert [name for name, *_ in offered][:1] == list(ready_draws(count))[:1]
    for name, words, _chosen, promised in offered:
        after = apply(survey, document, {"do": "draw", "block": block, "value": name})
        draft = Draft.from_document(survey, after)
        ways = pane(survey, after)["draws"][0]["ways"]

        aim = judge_document(survey, after).aim(SHARES)
        assert aim
        assert promised.replace("\u202f", "") == (
            f"from 5 % to at most {promise_of(survey, after)} %; {aim.needed} people for shares"
        )
        assert (missing(draft), list(refusals(draft))) == ([], [])
        assert odds_of_secrets(compose(draft).design, after) <= 19
        assert [(one, said) for one, said, chosen, _ in ways if chosen] == [(name, words)]


@pytest.mark.parametrize("count", [2, 7])
def test_each_question_takes_a_further_digit_of_one_banknote(count: int) -> None:
    """The first says which, the others are answered instead: one fact for all (improved grouped unrelated question)."""
    survey, document = drawn(count)
    block = blocks_of_people(Draft.from_document(survey, document))[0].name
    name = next(name for name in ready_draws(count) if name.startswith("note"))
    after = apply(survey, document, {"do": "draw", "block": block, "value": name})
    draw = compose(Draft.from_document(survey, after)).design.blocks[0].draw

    assert draw is not None
    assert (draw.way.name, draw.drawn.source, draw.goes_on) == ("unrelated", "digit", True)
    assert draw.facts == (NamedFact("digit", "note"),)


def test_the_question_that_is_never_true_has_looks_where_the_other_has() -> None:
    """Else nobody could tell from it who followed the draw of the other."""
    survey, document = drawn(1)
    ways = []
    for name in ("six", "day-of-two-lists"):
        document = apply(survey, document, {"do": "draw", "block": "block 1", "value": name})
        ways.append([block["settings"]["draw_way"] for block in document["blocks"]])

    assert ways == [["crosswise"] * 3, ["extended"] * 3]


def test_a_draw_that_is_not_offered_is_refused() -> None:
    """Three by lot are none of two."""
    survey, document = drawn(2)
    with pytest.raises(EntryError, match="lacks a field"):
        apply(survey, document, {"do": "draw", "block": "block 1", "value": "die-by-lot"})


def test_a_draw_is_named_with_its_facts() -> None:
    """What is thrown, or whose number it is, and what is done."""
    ready = ready_draws(3)

    assert [name_draw(ready["die"], []), name_draw(ready["note"], [NamedFact("digit", "note")])] == [
        "a die: the truth, or another question",
        "digits of a number (a banknote): the truth, or another question",
    ]
