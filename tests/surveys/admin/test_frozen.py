"""What was published or closed is shown, and cannot be changed here."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from surveys.domain.questionnaire import publish
from surveys.models import Option, Survey, SurveyVersion
from tests.surveys.admin.pages import entered, question_page, send, somebody, step, survey_page, visit
from tests.surveys.making import add_question, make_survey, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher() -> User:
    return somebody()


@pytest.fixture
def version() -> SurveyVersion:
    return publish.publish(make_survey())


def page(version: SurveyVersion) -> str:
    return reverse("admin:surveys_surveyversion_change", args=[version.pk])


def test_a_version_is_only_read(researcher: User, version: SurveyVersion) -> None:
    """Even the highest rights change or delete no version here."""
    for url in (page(version), reverse("admin:surveys_surveyversion_delete", args=[version.pk])):
        with pytest.raises(PermissionDenied):
            visit(researcher, url, {"number": "7"})


def test_a_version_shows_all_of_itself(client: Client, version: SurveyVersion) -> None:
    """Hash, link, protection, texts and questions, to whoever may look at surveys."""
    client.force_login(somebody("view"))

    body = client.get(page(version)).content.decode()

    for part in (
        f"/s/study/#v={version.sha256}",
        "cannot become more than 29 % sure",
        "Consent",
        "theft?",
        "disguised",
    ):
        assert part in body


def test_a_version_that_lets_nobody_in_shows_no_link(client: Client) -> None:
    """By invitation, replaced by a newer one, or closed: a sentence says so in place of link and poster."""
    client.force_login(somebody())
    invited = publish.publish(make_survey("invited", access="invitation"))
    replaced = publish.publish(make_survey("replaced"))
    replaced.survey.questions.all()[0].delete()
    publish.publish(Survey.objects.get(slug="replaced"))
    closed = publish.publish(make_survey("closed"))
    publish.close(closed.survey)

    bodies = {
        version.survey.slug: client.get(page(version)).content.decode() for version in (invited, replaced, closed)
    }
    of_survey = client.get(survey_page(closed.survey)).content.decode()

    for slug, body in [*bodies.items(), ("closed", of_survey)]:
        assert f"/s/{slug}/" not in body
    assert "Only who is invited can answer" in bodies["invited"]
    assert "A newer version took its place" in bodies["replaced"]
    assert "The survey is closed: its links let nobody in any more." in bodies["closed"]


def test_nothing_waits_to_be_answered_in_a_closed_survey(client: Client, version: SurveyVersion) -> None:
    """While it collects, responses wait for others; once it is closed, all are sealed and no more come."""
    client.force_login(somebody())
    pages = (survey_page(version.survey), page(version))
    waiting = "Responses are sealed at least 20 at a time"

    before = [waiting in client.get(url).content.decode() for url in pages]
    publish.close(version.survey)
    after = [waiting in client.get(url).content.decode() for url in pages]

    assert (before, after) == ([True, True], [False, False])


def test_only_one_thing_is_called_close(client: Client, version: SurveyVersion) -> None:
    """Where nothing can be saved, the way back is not called by the word that ends a survey."""
    client.force_login(somebody("view"))
    publish.close(version.survey)

    body = client.get(survey_page(version.survey)).content.decode()

    assert ">Close<" not in body
    assert ">Back to the list<" in body


def test_a_version_shows_every_rule_of_its_questions(client: Client) -> None:
    """Help, range, ends, order, what is required, and when a question is shown at all."""
    survey = make_survey(names=("drugs",))
    sex = add_question(survey, "sex", type="choice", page=2, position=1, shuffle=True, required=True)
    for place, value in enumerate(("f", "m", "other, or none")):
        Option.objects.create(
            question=sex, position=place, value=value, label=words(value.upper()), last=value == "other, or none"
        )
    add_question(survey, "age", type="number", page=2, position=2, minimum="18", maximum="99", help=words("In years."))
    add_question(survey, "day", type="date", page=2, position=3, minimum="2020-01-01")
    add_question(survey, "note", type="text", page=2, position=4, maximum="80")
    condition = {"when_question": "sex", "when_values": 'f,"other, or none"'}
    add_question(survey, "births", type="number", page=2, position=5, maximum="20", **condition)
    ends = {"low": words("Never"), "high": words("Always")}
    add_question(survey, "mood", type="scale", page=2, position=6, minimum="1", maximum="5", **ends)
    version = publish.publish(survey)
    client.force_login(somebody("view"))

    shown = client.get(page(version)).context["questionnaire"]["pages"][1]["questions"]
    body = client.get(page(version)).content.decode()

    assert {question["id"]: question["marks"] for question in shown} == {
        "sex": "one of several, not disguised, required, options in random order",
        "age": "number, not disguised, from 18 to 99",
        "day": "date (not disguised), at least 2020-01-01",
        "note": "short text (not disguised), at most 80 characters",
        "births": "number, not disguised, at most 20, only when sex = “f” or “other, or none”",
        "mood": "scale, not disguised, from 1 to 5",
    }
    for part in ("In years.", "Never", "Always", "stays last"):
        assert part in body


def test_every_text_is_read_in_the_main_language_first(client: Client) -> None:
    """The order of the languages is the author's, whatever the order in which the definition is stored."""
    texts = {
        name: {"zh-hans": "文", "ar": "نص", "en": "Text"} for name in ("heading", "who", "why", "consent", "closing")
    }
    survey = make_survey(names=(), languages="zh-hans ar en", **texts)
    question = add_question(survey, "age", type="choice", text=texts["who"], block=survey.blocks.get())
    for place, value in enumerate(("18", "65+")):
        Option.objects.create(question=question, position=place, value=value, label=texts["who"])
    version = publish.publish(survey)
    publish.close(survey)
    client.force_login(somebody("view"))

    shown = [client.get(url).context["questionnaire"] for url in (page(version), survey_page(survey))]

    for questionnaire in shown:
        asked = questionnaire["pages"][0]["questions"][0]
        texts_shown = [words for _name, words in questionnaire["texts"]] + [asked["text"], asked["options"][1][1]]
        assert [list(words) for words in texts_shown] == [["zh-hans", "ar", "en"]] * 7


def test_a_closed_survey_shows_its_override_and_gives_no_more_advice(client: Client) -> None:
    """Who signed, and why, as in the frozen version; nothing can be disguised more any longer."""
    survey = make_survey(override_by="A. Lovelace", override_reason="A pilot among ourselves.")
    survey.blocks.update(settings={"keep": 0.9, "theta": 0.6})
    publish.publish(survey)
    client.force_login(somebody())
    advice = "It can be published only with a signed override"

    before = client.get(survey_page(survey)).content.decode()
    publish.close(survey)
    after = client.get(survey_page(survey)).content.decode()

    assert (advice in before, advice in after) == (True, False)
    for part in ("<bdi>A. Lovelace</bdi>", "<bdi>A pilot among ourselves.</bdi>"):
        assert part in after


def test_a_version_numbers_its_pages_as_its_author_did(client: Client) -> None:
    """Respondents count the pages they see; who reads the version looks for the numbers that were entered."""
    survey = make_survey(names=("drugs",))
    for number in (2, 5):
        add_question(survey, f"open{number}", type="yesno", page=number)
    version = publish.publish(survey)
    client.force_login(somebody("view"))

    pages = client.get(page(version)).context["questionnaire"]["pages"]

    assert [(one["number"], [question["id"] for question in one["questions"]]) for one in pages] == [
        (1, ["drugs"]),
        (2, ["open2"]),
        (5, ["open5"]),
    ]
    assert [one.get("number") for one in version.parsed.source["pages"]] == [None, None, 5]


def test_the_short_name_stays_once_links_exist(researcher: User, version: SurveyVersion) -> None:
    """Links that people have would stop working."""
    send(researcher, survey_page(version.survey), {"slug": "other", "title": "New"})

    survey = Survey.objects.get()
    assert (survey.slug, survey.title) == ("study", "New")


def test_a_change_leaves_the_version_as_it_was(researcher: User, version: SurveyVersion) -> None:
    """The page edits the draft of the next version."""
    before = bytes(version.definition)

    send(researcher, survey_page(version.survey), {"blocks-0-keep": "0.2", "questions-0-text:en": "Changed?"})

    assert bytes(SurveyVersion.objects.get().definition) == before


def test_a_closed_survey_is_only_read(researcher: User, version: SurveyVersion) -> None:
    """Neither its page nor those of its questions take changes of what was asked; it is shown."""
    data = entered(researcher, survey_page(version.survey))
    publish.close(version.survey)

    response = visit(researcher, survey_page(version.survey))
    assert response.context_data["inline_admin_formsets"] == []
    assert response.context_data["questionnaire"]["pages"][0]["questions"][0]["id"] == "drugs"
    before = Survey.objects.values().get()
    visit(researcher, survey_page(version.survey), data | {"title": "New", "who:en": "Others", "quota": "1"})
    assert Survey.objects.values().get() == before
    for url in (step(version.survey, "check"), question_page(version.survey.questions.all()[0])):
        with pytest.raises(PermissionDenied):
            visit(researcher, url, data)


def test_the_text_of_a_closed_survey_may_still_be_changed(researcher: User, version: SurveyVersion) -> None:
    """Whoever opens the link from then on reads it; whoever may only look reads it too."""
    publish.close(version.survey)

    send(researcher, survey_page(version.survey), {"closed:en": "The results are in the library."})

    assert Survey.objects.get().closed == {"en": "The results are in the library."}
    body = visit(somebody("view"), survey_page(version.survey)).render().content.decode()
    assert "The results are in the library." in body


def test_a_text_that_was_not_written_has_no_heading(client: Client, version: SurveyVersion) -> None:
    Survey.objects.update(closing={}, closed={"en": ""})
    publish.close(version.survey)

    shown = visit(somebody("view"), survey_page(version.survey)).context_data["questionnaire"]["texts"]

    assert [name for name, _words in shown] == ["Title", "Who asks", "Why", "Consent"]


def test_a_question_is_read_with_its_condition(version: SurveyVersion) -> None:
    """The page of a question opens for whoever may look, too."""
    add_question(version.survey, "sex", type="yesno", page=2)
    births = add_question(version.survey, "births", type="number", page=3, when_question="sex", when_values="1")

    response = visit(somebody("view"), question_page(births)).render()

    assert "sex: 1" in response.content.decode()


def test_whoever_may_only_look_changes_nothing(version: SurveyVersion) -> None:
    """The permission to view shows the questionnaire, and no form."""
    visitor = somebody("view")

    response = visit(visitor, survey_page(version.survey))

    assert not response.context_data["has_change_permission"]
    assert response.context_data["questionnaire"]["texts"][0] == ("Title", {"en": "Heading"})
    with pytest.raises(PermissionDenied):
        visit(visitor, survey_page(version.survey), {"title": "Mine"})


def test_without_a_permission_there_is_nothing_to_see(version: SurveyVersion) -> None:
    """Staff without rights on surveys see none of it."""
    visitor = somebody("none")

    for url in (survey_page(version.survey), page(version), reverse("admin:surveys_survey_changelist")):
        with pytest.raises(PermissionDenied):
            visit(visitor, url)


def test_nothing_is_deleted_past_the_page_that_asks(researcher: User, version: SurveyVersion) -> None:
    """Django's own delete pages are closed; erasing has its page."""
    for name, thing in (("survey", version.survey), ("question", version.survey.questions.all()[0])):
        with pytest.raises(PermissionDenied):
            visit(researcher, reverse(f"admin:surveys_{name}_delete", args=[thing.pk]), {"post": "yes"})
