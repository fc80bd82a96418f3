"""The privacy notice: its texts are asked for, published, and shown on a page of their own beside the first page."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from privacy.errors import InputError
from surveys.definition import Definition
from surveys.domain.mail.send import fill
from surveys.domain.questionnaire.check import gaps
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.publish import publish, trial
from surveys.models import Survey, SurveyVersion
from surveys.questions.rows import SPOKEN
from tests.surveys.making import add_question, make_survey, set_questions, write

TEXTS = {"controller": "The university, 1 Main Road", "basis": "Consent, Article 6(1)(a)", "objection": "dpo@u.test"}


def noticed(**fields: Any) -> Survey:
    """A survey with a notice in its one language, English."""
    texts = {name: {"en": text} for name, text in TEXTS.items()}
    return make_survey(**texts, keep_until=date(2099, 5, 4), **fields)


def test_the_notice_says_who_why_how_long_and_what_rights_reach(client: Client) -> None:
    """The survey's words stand beside what the system stores, and what it cannot do for a person."""
    publish(noticed())
    answer = client.get("/s/study/notice/")
    page = answer.content.decode()

    for text in (*TEXTS.values(), "erased after May 4, 2099", "neither shown, corrected nor erased by itself"):
        assert text in page
    assert "Data protection officer" not in page  # none is named
    assert "script-src" not in answer["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert not answer.cookies


def test_where_people_write_in_their_own_words_the_notice_says_what_these_may_tell(client: Client) -> None:
    """Nobody promises that a record cannot be found which names its author."""
    survey = noticed()
    add_question(survey, "more", type="text", max="100")
    publish(survey)

    assert "what you write in your own words" in client.get("/s/study/notice/").content.decode()


@pytest.mark.parametrize("tag", SPOKEN)
def test_every_language_of_the_page_has_the_fixed_words(client: Client, tag: str) -> None:
    """They are in the language of the survey; the day is written as it is there."""
    texts = {key: {tag: "…"} for key in ("heading", "who", "why", "consent", "closing", *TEXTS)}
    survey = make_survey(names=("drugs",), languages=[tag], keep_until=date(2099, 5, 4), **texts)
    set_questions(survey, text={tag: "…"})
    publish(survey)
    page = client.get("/s/study/notice/").content.decode()

    assert "2099" in page
    assert "{" not in page
    assert f'<article id="{tag}" lang="{tag}"' in page
    assert ("Legal basis" in page) == (tag == "en")


def test_what_can_be_done_with_an_address_is_said_where_one_may_be_known(client: Client) -> None:
    """Of an open link there is none."""
    said = []
    for slug, access in (("study", "open"), ("invited", "invitation")):
        publish(noticed(slug=slug, access=access, obtained={"en": "The register."}))
        said.append("An address can." in client.get(f"/s/{slug}/notice/").content.decode())

    assert said == [False, True]


def test_without_a_notice_there_is_no_page(version: SurveyVersion, client: Client) -> None:
    """A survey that was published before, or has none, stays as it is."""

    assert "notice" not in version.parsed.source
    assert client.get("/s/study/notice/").status_code == 404


def test_a_notice_is_whole_or_missing() -> None:
    """What is begun must have each needed part, and where addresses come from if people are invited."""
    survey = make_survey(controller={"en": "The university"}, access="invitation")
    lacking = [str(gap) for gap in gaps(Draft.load(survey))]

    assert lacking == [
        f"“{name}” has no text in English."
        for name in (
            "legal basis",
            "where the addresses of those invited come from",
            "how to object, and where to complain",
        )
    ]
    write(survey, controller={})
    assert gaps(Draft.load(survey)) == []


def test_a_definition_with_half_a_notice_is_refused() -> None:
    """Whoever composes it."""
    source = publish(noticed()).parsed.source

    with pytest.raises(InputError, match="notice has basis, controller, objection"):
        Definition.parse({**source, "notice": {"controller": {"en": "We"}}})


def test_a_trial_has_the_notice_of_the_draft(client: Client) -> None:
    """It can be read before it is published."""
    code = trial(noticed()).code

    assert TEXTS["controller"] in client.get(f"/t/{code}/test/notice/").content.decode()


def test_mail_ends_with_the_address_of_the_notice() -> None:
    """In the language of the person, without the secret of the link."""
    texts = {"invitation": {"de": {"subject": "S", "body": "{link}"}}}
    link = "https://a.test/s/study/#v=1&i=secret"

    assert fill(texts, "invitation", "de", link, {"notice": {}}) == (
        "S",
        f"{link}\n\nDatenschutzhinweis: https://a.test/s/study/notice/",
    )
    assert fill(texts, "invitation", "de", link, {}) == ("S", link)


def test_the_checklist_misses_the_day_of_erasing_and_recalls_the_notice(survey: Survey, ann: Client) -> None:
    """No day is missing, and nothing is published without; no notice is worth a second look."""
    set_questions(survey, no_skip="They asked for it.")
    address = f"/staff/studio/{survey.pk}/publish/"
    listed = ann.get(address).context["list"]
    refused = ann.post(address)

    sentence = "No erasing day is set: people have a right to know how long their answers are stored."
    assert [remark.sentence for remark in listed.missing] == [sentence]
    assert "It has no privacy notice" in " ".join(remark.sentence for remark in listed.look)
    assert (refused.status_code, refused.context["refused"]) == (422, sentence)
    assert not survey.versions.exists()


def test_the_first_page_leads_to_the_notice(page: Page, live: LiveServer) -> None:
    """A respondent reads it before anything is begun; it opens beside the survey."""
    version = publish(noticed())
    page.goto(f"{live.url}/s/study/#v={version.sha256}")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Privacy notice").click()

    expect(opened.value.get_by_role("heading", name="Who is responsible")).to_be_visible()
