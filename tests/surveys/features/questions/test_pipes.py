"""Undisguised answers that stand in later texts."""

from typing import Any

import pytest

from privacy.errors import InputError
from surveys.definition import Definition
from surveys.domain.drafts.changes import apply
from surveys.domain.exchange.xlsform.write import list_losses
from surveys.domain.questionnaire.check import gaps, missing, refusals
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Draft, read_document, text_places
from surveys.models import Survey
from surveys.studio.sheet import context
from tests.surveys.making import add_question, edit_draft, make_survey, words

WORK = {"text": words("Do you like it as a {job}, {name}?"), "pipes": {"job": words("worker")}}


@pytest.fixture
def survey() -> Survey:
    """A job, and on the next page a text with it; there is no question “name”."""
    survey = make_survey()
    add_question(survey, "job", type="text", max="80")
    add_question(survey, "likes", page=2, **WORK)
    return survey


def last(survey: Survey) -> dict[str, Any]:
    entry: dict[str, Any] = compose(Draft.load(survey)).source["pages"][-1]["questions"][-1]
    return entry


def test_what_stands_in_a_text_is_published_with_the_words_without_an_answer(survey: Survey) -> None:
    """Other braces are braces, and a word for what no text names is not published."""
    assert last(survey)["pipes"] == {"job": words("worker")}
    assert missing(Draft.load(survey)) == []
    with edit_draft(survey) as document:
        document["pages"][1]["questions"][0]["text"] = words("Do you like it?")
    assert "pipes" not in last(survey)


def test_words_without_an_answer_are_asked_for(survey: Survey) -> None:
    """At the question, and in each language; the writing page has a field for them."""
    with edit_draft(survey) as document:
        document["pages"][1]["questions"][0]["pipes"] = {}
    draft = Draft.load(survey)
    assert [str(gap) for gap in gaps(draft)] == ["“Do you like it as a {job}, {name}? · {job}” has no text in English."]
    assert "In place of {job}, if nobody answered it" in str(context(draft)["pages"][1]["questions"][0])


def test_a_text_follows_its_question(survey: Survey) -> None:
    """A new name is in the text, too; translators get what stands there without an answer."""
    renamed = apply(survey, read_document(survey), {"do": "name", "question": "job", "value": "work"})
    likes = renamed["pages"][1]["questions"][0]
    assert (likes["text"], likes["pipes"]) == (words("Do you like it as a {work}, {name}?"), {"work": words("worker")})
    assert ("likes.pipes.work", words("worker")) in list(text_places(renamed))
    said = {"do": "pipe", "question": "likes", "name": "work", "language": "en", "value": "colleague"}
    assert apply(survey, renamed, said)["pages"][1]["questions"][0]["pipes"] == {"work": words("colleague")}
    assert [note.sentence for note in list_losses(renamed) if note.place == "likes"] == [
        "that answers stand in its texts, and what stands there without one"
    ]


@pytest.mark.parametrize(
    ("page", "name", "sentence"),
    [
        (1, "job", "An answer can stand only in a text of a later page, in every order."),
        (2, "drugs", "“drugs” stands in a text, so it must be an earlier undisguised question with one answer."),
        (2, "sports", "“sports” stands in a text, so it must be an earlier undisguised question with one answer."),
        (1, "late", "“late” stands in a text, so it must be an earlier undisguised question with one answer."),
    ],
)
def test_an_answer_that_cannot_stand_there_is_refused(page: int, name: str, sentence: str) -> None:
    """One of the same page, a disguised one, one of several answers, and one that comes later."""
    survey = make_survey()
    add_question(survey, "job", type="text", max="80")
    add_question(survey, "sports", type="several", options=(("run", "Run"), ("swim", "Swim")))
    add_question(survey, "asked", page=page, text=words(f"So {{{name}}}?"), pipes={name: words("that")})
    add_question(survey, "late", type="text", page=3)
    assert [(str(one.at), one.sentence) for one in refusals(Draft.load(survey))] == [("asked", sentence)]
    with pytest.raises(InputError):
        compose(Draft.load(survey))


def test_a_page_that_may_come_later_gives_no_answer(survey: Survey) -> None:
    with edit_draft(survey) as document:
        for page in document["pages"]:
            page["moves"] = True
    assert [str(one.at) for one in refusals(Draft.load(survey))] == ["likes"]


@pytest.mark.parametrize("pipes", [["job"], {"job": "worker"}, {"job": {}}, {"job": {"de": "Arbeiter"}}])
def test_what_is_no_text_is_refused(survey: Survey, pipes: Any) -> None:
    source = compose(Draft.load(survey)).source
    source["pages"][1]["questions"][0]["pipes"] = pipes
    with pytest.raises(InputError):
        Definition.parse(source)
