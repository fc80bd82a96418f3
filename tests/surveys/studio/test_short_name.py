"""The short name of a draft: made from the title for respondents, or chosen beside it, until it is published."""

import re
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.test import Client

from privacy.errors import EntryError
from surveys.domain.drafts import history, names
from surveys.domain.drafts.history import ConflictError, Editor
from surveys.domain.questionnaire.document import empty
from surveys.domain.questionnaire.publish import publish, trial
from surveys.models import Survey
from surveys.studio.history import offers
from surveys.studio.home import begin
from tests.media import keep, name_of, png
from tests.surveys.making import edit_draft, make_survey


@pytest.fixture
def ann() -> Editor:
    return Editor(User.objects.create(username="ann"), "tab-1", 0)


@pytest.fixture
def ben() -> Editor:
    return Editor(User.objects.create(username="ben"), "tab-2", 0)


@pytest.fixture
def survey(ann: Editor) -> Survey:
    return begin(ann.user, empty("New survey", ["en", "ar"]))


def write(survey: Survey, by: Editor, title: str, language: str = "en") -> str:
    said = {"do": "survey", "field": "heading", "language": language, "value": title}
    history.change(survey, by, said)
    return now(survey)


def choose(survey: Survey, by: Editor, name: Any) -> str:
    history.change(survey, by, {"do": "slug", "value": name})
    return now(survey)


def now(survey: Survey) -> str:
    return Survey.objects.get(pk=survey.pk).slug


def test_the_name_follows_the_title_for_respondents(survey: Survey, ann: Editor) -> None:
    """The working title gives it only until there is another; accents are left out, and letters follow a taken name."""
    make_survey("honest-exams")
    made = [now(survey), *(write(survey, ann, title) for title in ("Étude à Liège", "Honest exams", "Exams"))]
    assert re.fullmatch("new-survey etude-liege honest-exams-[a-z2-9]{4} exams", " ".join(made))


def test_latin_letters_that_are_not_accented_ones_are_spelled_out(survey: Survey, ann: Editor) -> None:
    """Letters that Unicode does not take apart into a letter and an accent."""
    made = [write(survey, ann, title) for title in ("Łódź", "Københavns Þing", "Straße", "Œuvre")]
    assert made == ["lodz", "kobenhavns-thing", "strasse", "oeuvre"]


def test_a_title_of_other_letters_gives_a_neutral_name(survey: Survey, ann: Editor) -> None:
    """With letters drawn by chance, and not the working title, which respondents must not read."""
    assert re.fullmatch("survey-[a-z2-9]{4}", write(survey, ann, "استبيان 2026"))


def test_a_translated_title_gives_the_name_where_the_first_has_no_latin_letters(survey: Survey, ann: Editor) -> None:
    write(survey, ann, "استبيان", "ar")
    history.change(survey, ann, {"do": "survey", "field": "main", "value": "ar"})
    assert write(survey, ann, "Honest exams") == "honest-exams"


def test_a_chosen_name_stays_whatever_the_title_becomes(survey: Survey, ann: Editor) -> None:
    """Also one that looks as if the program had made it; capitals and spaces around it go."""
    assert choose(survey, ann, " Survey-exam ") == "survey-exam"
    assert write(survey, ann, "Honest exams") == "survey-exam"


@pytest.mark.each
@pytest.mark.parametrize("name", ["mine", "honest-exams"])
def test_an_empty_name_asks_for_one_made_from_the_title(survey: Survey, ann: Editor, name: str) -> None:
    """Also where it was typed as it is made; from then on it follows the title."""
    write(survey, ann, "Honest exams")
    assert choose(survey, ann, name) == name
    assert choose(survey, ann, "") == "honest-exams"
    assert write(survey, ann, "Theft") == "theft"


@pytest.mark.parametrize("title", ["Honest exams", "استبيان"])
def test_an_empty_name_keeps_the_one_that_was_made(survey: Survey, ann: Editor, title: str) -> None:
    made = write(survey, ann, title)
    assert choose(survey, ann, "") == made


@pytest.mark.parametrize(
    "name",
    ["honest exams", "exams/2026", "-exams", "exams-", "exams_2026", "é", "問卷", "a" * 51, "https://a.example/s/b/"],
)
def test_a_name_that_no_address_can_hold_is_refused(survey: Survey, ann: Editor, name: str) -> None:
    """The sentence names it and the rule."""
    with pytest.raises(EntryError, match="at most 50 small letters from a to z, digits and hyphens") as refused:
        choose(survey, ann, name)
    assert (refused.value.at, name in str(refused.value), now(survey)) == ("slug", True, "new-survey")


@pytest.mark.parametrize("other", ["taken", "Taken"])
def test_a_name_of_another_survey_is_refused(survey: Survey, ann: Editor, other: str) -> None:
    """Capitals make no other name: people type addresses without them."""
    make_survey(other)
    with pytest.raises(EntryError, match="Another survey has the short name “taken”"):
        choose(survey, ann, "taken")
    assert now(survey) == "new-survey"


def test_a_name_that_is_taken_in_the_same_moment_is_refused(survey: Survey, ann: Editor) -> None:
    """The database decides, and the sentence is the same."""
    make_survey("taken")
    with (
        patch.object(names, "_is_taken", return_value=False),
        pytest.raises(EntryError, match="Another survey has"),
    ):
        choose(survey, ann, "taken")
    assert (now(survey), survey.slug) == ("new-survey", "new-survey")


@pytest.mark.parametrize("value", [None, 7, ["a"]])
def test_a_name_that_is_no_text_is_refused(survey: Survey, ann: Editor, value: Any) -> None:
    with pytest.raises(EntryError, match="lacks a field"):
        choose(survey, ann, value)


def test_a_published_survey_keeps_its_name(ann: Editor) -> None:
    """It is neither chosen nor follows a title, and no undo of an earlier choice reaches it."""
    survey = make_survey()
    choose(survey, ann, "exams")
    publish(survey)
    with pytest.raises(EntryError, match="published, so its short name stays “exams”"):
        choose(survey, ann, "other")
    assert offers(survey, ann.user, ann.step) == {"undo": "", "redo": ""}
    assert write(survey, ann, "Theft") == "exams"
    history.undo(survey, ann)
    assert now(survey) == "exams"


def test_the_database_keeps_a_published_name(ann: Editor) -> None:
    survey = publish(make_survey()).survey
    with pytest.raises(IntegrityError):
        Survey.objects.filter(pk=survey.pk).update(slug="other")


@pytest.mark.each
@pytest.mark.parametrize(("change", "name"), [(choose, "mine"), (write, "honest-exams")])
def test_a_choice_or_a_title_is_taken_back_and_made_again_with_its_name(
    survey: Survey, ann: Editor, change: Any, name: str
) -> None:
    assert change(survey, ann, name) == name
    steps = []
    for step in (history.undo, history.redo):
        step(survey, ann)
        steps.append(now(survey))
    assert steps == ["new-survey", name]


def test_an_undo_to_a_name_that_was_taken_since_is_refused(survey: Survey, ann: Editor) -> None:
    choose(survey, ann, "first")
    choose(survey, ann, "second")
    make_survey("first")
    with pytest.raises(EntryError, match="Another survey has the short name “first”"):
        history.undo(survey, ann)
    assert now(survey) == "second"


def test_two_people_who_choose_a_name_see_a_conflict(survey: Survey, ann: Editor, ben: Editor) -> None:
    choose(survey, ann, "first")
    with pytest.raises(ConflictError, match="ann has changed this") as conflict:
        choose(survey, ben, "second")
    assert (conflict.value.parts, now(survey)) == (["survey.slug"], "first")


def test_a_title_and_a_name_of_two_people_come_together(survey: Survey, ann: Editor, ben: Editor) -> None:
    write(survey, ann, "Honest exams")
    assert choose(survey, ben, "second") == "second"


def test_a_publisher_publishes_the_name_of_that_moment(ann: Editor) -> None:
    """Also where somebody has changed it since the page of the publisher was asked for."""
    survey = make_survey()
    choose(Survey.objects.get(pk=survey.pk), ann, "exams")
    assert publish(survey).parsed.slug == "exams"


def test_a_trial_finds_its_pictures_under_the_name_it_began_with(client: Client, ann: Editor) -> None:
    """A survey that never had that name gives none."""
    survey = make_survey()
    file = keep(survey, png())
    with edit_draft(survey) as document:
        document["pages"][0]["questions"][0]["media"] = {"file": {"en": file}, "words": {"en": "A shop"}}
    trial(survey)
    choose(survey, ann, "exams")
    found = [client.get(f"/s/{name}/media/{name_of(png())}").status_code for name in ("study", "exams", "other")]
    assert found == [200, 200, 404]


@pytest.fixture
def owner(client: Client, admin_user: User) -> Client:
    client.force_login(admin_user)
    return client


def test_the_write_page_asks_for_the_name_until_it_is_published(owner: Client) -> None:
    """Below the title for respondents; afterwards it says that the address stays."""
    survey = make_survey()
    pages = [owner.get(f"/staff/studio/{survey.pk}/").content.decode()]
    publish(survey)
    pages.append(owner.get(f"/staff/studio/{survey.pk}/").content.decode())
    field = """data-change='{"do":"slug"}'"""
    assert [(field in page, "/s/study/ and stays" in page) for page in pages] == [(True, False), (False, True)]


def test_the_write_page_says_what_a_name_was_not_made_from(owner: Client) -> None:
    """Only where no title has Latin letters."""
    survey = make_survey()
    told = []
    for title in ("Exams", "استبيان"):
        with edit_draft(survey) as document:
            document["heading"] = {"en": title}
        told.append("no Latin letters" in owner.get(f"/staff/studio/{survey.pk}/").content.decode())
    assert told == [False, True]


def test_a_change_shows_the_name_that_followed(owner: Client, survey: Survey) -> None:
    change = {"do": "survey", "field": "heading", "language": "en", "value": "Honest exams"}
    answer = owner.post(
        f"/staff/studio/{survey.pk}/change/", {"tab": "t", "base": 0, "change": change}, content_type="application/json"
    )
    assert 'value="honest-exams"' in answer.json()["sheet"]


def test_publish_shows_the_address_that_stays(owner: Client) -> None:
    survey = make_survey()
    page = owner.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
    assert ("which stays for good:" in page, "http://testserver/s/study/" in page) == (True, True)
