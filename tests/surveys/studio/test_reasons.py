"""A sensitive question has “prefer not to say”, or a reason why not: asked for, kept, published and printed."""

import json
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.domain.drafts import history
from surveys.domain.drafts.history import ConflictError, Editor
from surveys.domain.drafts.protect import usual
from surveys.domain.drafts.question_changes import has_skip
from surveys.domain.exchange import formats
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.compose import page_entries
from surveys.domain.questionnaire.document import Document, Draft, empty, questions, read_document
from surveys.models import DraftChange, Survey, SurveyVersion
from tests.surveys.making import edit_draft, find_in, make_survey, set_block, set_question, set_questions, words

WHY = "The board agreed on 12 May: these are about others."


@pytest.fixture
def survey() -> Survey:
    survey = Survey.objects.create(slug="new", title="New")
    history.begin(survey, empty("New", ["en"]) | {"protection": usual()})
    return survey


@pytest.fixture
def ann() -> Editor:
    return Editor(User.objects.create(username="ann", is_staff=True), "tab-1", 0)


def do(survey: Survey, by: Editor, name: str, **said: Any) -> history.Changed:
    return history.change(survey, by, {"do": name, **said})


def reasons(document: Document) -> dict[str, str]:
    return {question["id"]: question["no_skip"] for question in questions(document)}


def add(survey: Survey, by: Editor, **said: Any) -> None:
    do(survey, by, "add", type="yesno", lines="One?\nTwo?\nThree?", sensitive=True, **said)


def test_questions_are_added_with_prefer_not_to_say_where_it_is_wished(survey: Survey, ann: Editor) -> None:
    """Each line, of a type that takes it; what is not sensitive gets none."""
    add(survey, ann, skip=True)
    do(survey, ann, "add", type="choice", lines="Which?", rows="a\nb", sensitive=True, skip=True)
    do(survey, ann, "add", type="text", lines="Why?", sensitive=True, skip=True)
    values = {one["id"]: [option["value"] for option in one["options"]] for one in questions(read_document(survey))}
    yes_no = ["1", "0", "secret"]
    assert values == {"one": yes_no, "two": yes_no, "three": yes_no, "which": ["a", "b", "secret"], "why": []}


def test_a_reason_is_kept_taken_back_and_given_again(survey: Survey, ann: Editor) -> None:
    """As one line; the tick makes it pointless and takes it away."""
    add(survey, ann)
    do(survey, ann, "no_skip", question="two", value=f"  {WHY}\n ")
    given = {"one": "", "two": WHY, "three": ""}
    assert reasons(read_document(survey)) == given
    assert reasons(history.undo(survey, ann).document) == dict.fromkeys(given, "")
    assert reasons(history.redo(survey, ann).document) == given

    do(survey, ann, "skip", question="two", value=True)
    assert reasons(read_document(survey)) == dict.fromkeys(given, "")


def test_one_reason_can_stand_for_all_that_give_none(survey: Survey, ann: Editor) -> None:
    """Those that give another, can be left out, or are not sensitive keep what they have."""
    add(survey, ann)
    do(survey, ann, "add", type="yesno", lines="Open?\nFour?")
    do(survey, ann, "sensitive", question="four", value=True)
    do(survey, ann, "skip", question="four", value=True)
    do(survey, ann, "no_skip", question="one", value=WHY)
    do(survey, ann, "no_skip", question="three", value="Another.")
    do(survey, ann, "no_skip", question="one", **{"for": "all"})
    assert reasons(read_document(survey)) == {"one": WHY, "two": WHY, "three": "Another.", "open": "", "four": ""}


def test_a_change_of_before_there_were_reasons_can_be_taken_back(survey: Survey, ann: Editor) -> None:
    """Notes of changes that an older version stored say nothing of them."""
    add(survey, ann)
    do(survey, ann, "question", question="two", field="text", language="en", value="Second?")
    old = DraftChange.objects.get(name="question")
    for part in old.parts.values():
        for document in part:
            del document["no_skip"]
    old.save()

    assert [one["text"]["en"] for one in questions(history.undo(survey, ann).document)] == ["One?", "Two?", "Three?"]


def test_reasons_of_two_editors_are_merged_or_refused(survey: Survey, ann: Editor) -> None:
    """Of two questions both stay; of one the second is told."""
    add(survey, ann)
    first = history.current_draft(survey).number
    ben = Editor(User.objects.create(username="ben"), "tab-2", first)
    do(survey, ann, "no_skip", question="one", value=WHY)
    do(survey, ben, "no_skip", question="two", value="Ben's.")
    assert reasons(read_document(survey)) == {"one": WHY, "two": "Ben's.", "three": ""}
    with pytest.raises(ConflictError):
        do(survey, ben, "no_skip", question="one", value="Ben's.")


def test_a_file_brings_reasons_back_byte_for_byte(survey: Survey, ann: Editor) -> None:
    """One that was written before there were any comes in with none."""
    add(survey, ann)
    do(survey, ann, "no_skip", question="one", value=WHY)
    content = formats.write_document(read_document(survey))
    assert formats.write_document(formats.read_survey(content, "file")[1].document) == content

    older = json.loads(content)
    for question in questions(older):
        del question["no_skip"]
    imported = formats.read_survey(json.dumps(older).encode(), "file")[1]
    assert reasons(imported.document) == {"one": "", "two": "", "three": ""}


def test_a_missing_reason_is_named_before_publishing(client: Client, ann: Editor) -> None:
    """In the list and on the start page; sending the form all the same publishes nothing."""
    survey = make_survey(direct=False)
    give(survey, ann.user, Role.OWNER)
    client.force_login(ann.user)
    set_question(survey, "theft", no_skip=WHY)
    said = "2 questions lack “Prefer not to say”: “drugs?”, “cheating?”. Add it to all, or say why not."

    page = " ".join(client.get(f"/staff/studio/{survey.pk}/publish/").content.decode().split())
    refused = client.post(f"/staff/studio/{survey.pk}/publish/")

    assert f'{said}</span> <form method="post">' in page
    assert f'</form> <a href="/staff/studio/{survey.pk}/#q-drugs"' in page
    assert said in client.get("/staff/studio/").content.decode()
    assert (refused.status_code, SurveyVersion.objects.count()) == (422, 0)


def test_one_press_adds_it_to_all_that_lack_it(client: Client, ann: Editor) -> None:
    """Not where there is a reason against it, nor for somebody who may not write."""
    survey = make_survey(direct=False)
    set_question(survey, "theft", no_skip=WHY)
    address = f"/staff/studio/{survey.pk}/publish/"
    client.force_login(ann.user)
    refused = client.post(address, {"add-skip": "1"}).status_code
    give(survey, ann.user, Role.OWNER)

    done = client.post(address, {"add-skip": "1"})

    assert (refused, done.status_code, done["Location"], SurveyVersion.objects.count()) == (404, 302, address, 0)
    found = {question["id"]: (has_skip(question), question["no_skip"]) for question in questions(read_document(survey))}
    assert found == {"drugs": (True, ""), "cheating": (True, ""), "theft": (False, WHY)}
    assert "Add to all" not in client.get(address).content.decode()


def test_it_is_not_offered_to_a_block_of_yes_and_no_alone(client: Client, ann: Editor) -> None:
    """Flips that were made by hand take no third answer: the press would lead to a draft that nothing can publish."""
    survey = make_survey(direct=False)
    set_block(survey, kind="flip", settings={"gamma": 19, "radius": 1})
    give(survey, ann.user, Role.OWNER)
    client.force_login(ann.user)

    page = client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()

    assert ("3 questions lack “Prefer not to say”" in page, "Add to all" in page) == (True, False)


def test_reasons_are_published_and_printed(client: Client, ann: Editor) -> None:
    """The protocol of a version says the reason that was given when it was published."""
    survey = make_survey(direct=False, keep_until=date(2099, 1, 1))
    give(survey, ann.user, Role.OWNER)
    client.force_login(ann.user)
    set_questions(survey, no_skip=WHY)
    shown = client.get(f"/staff/studio/{survey.pk}/publish/")
    assert f'name="seen" value="{shown.context["seen"]}"' in shown.content.decode()
    assert client.post(f"/staff/studio/{survey.pk}/publish/", {"seen": shown.context["seen"]}).status_code == 302
    set_questions(survey, no_skip="Something else.")

    entries = SurveyVersion.objects.get().parsed.source["pages"][0]["questions"]
    assert [entry["no_skip"] for entry in entries] == [WHY] * 3
    page = client.get(f"/staff/studio/{survey.pk}/protocol/").content.decode()
    assert (page.count(WHY), "Something else." in page) == (3, False)


def test_a_reason_that_means_nothing_is_not_published() -> None:
    """Of a question that is not sensitive, or can be left out, none is."""
    survey = make_survey(direct=False)
    set_questions(survey, no_skip=WHY)
    with edit_draft(survey) as document:
        document["blocks"][0]["questions"].remove("drugs")
        find_in(document, "theft")["options"] = [
            {"value": value, "label": words(value), "last": False, "settings": {}} for value in ("1", "0", "secret")
        ]
    (page,) = page_entries(Draft.load(survey), ["en"])
    assert [entry["id"] for entry in page["questions"] if "no_skip" in entry] == ["cheating"]
