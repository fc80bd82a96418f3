"""The page of invitations by mail: texts and days are checked, lists do what they say, nobody's use is shown."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from surveys.domain.mail.invitees import Boxes, forget_used
from surveys.domain.mail.send import REMINDER, propose, send
from surveys.domain.messages.invite import end_invitation
from surveys.domain.people import log
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import Invitee, Mailing, Survey
from tests.cases import first
from tests.surveys.making import make_survey, write
from tests.surveys.postbox import Postbox, note_as_invited, open_postbox
from tests.surveys.studio.conftest import Walk, on_a_phone

ANYWHERE = {"HTTP_HOST": "survey.example.org"}


@pytest.fixture
def survey() -> Survey:
    survey = make_survey(access="invitation")
    publish(survey)
    return survey


@pytest.fixture
def editor(client: Client, survey: Survey, settings: Any) -> Client:
    settings.ALLOWED_HOSTS = ["survey.example.org", "testserver", "localhost"]
    user = User.objects.create(username="ed", is_staff=True)
    give(survey, user, Role.EDITOR)
    client.force_login(user)
    return client


def day(offset: int) -> str:
    return (timezone.localdate() + timedelta(offset)).isoformat()


def filled(**fields: Any) -> dict[str, Any]:
    """The form of texts for an invitation tomorrow and a reminder a week later."""
    texts = {
        "invitation-en-subject": "Please answer",
        "invitation-en-body": "Yours alone: {link}",
        "reminder-en-subject": "Still open",
        "reminder-en-body": "Until Friday: {link}",
    }
    return {"day0": day(1), "day1": day(8), "reply_to": "team@example.org", **texts, **fields}


def post(client: Client, survey: Survey, fields: dict[str, Any], **extra: Any) -> Any:
    return client.post(reverse("studio:mail", args=[survey.pk]), fields, **{**ANYWHERE, **extra})


def test_texts_and_days_are_kept_and_shown_as_people_get_them(editor: Client, survey: Survey) -> None:
    """With the address at which the researcher works, and a note in the log."""
    answer = post(editor, survey, filled())
    mailing = Mailing.objects.get()
    page = editor.get(answer["Location"], **ANYWHERE).content.decode()
    assert (mailing.page, mailing.days) == ("http://survey.example.org/s/study/", [day(1), day(8)])
    assert f"Yours alone: http://survey.example.org/s/study/#v={survey.versions.get().sha256}&amp;i=EXAMPLE" in page
    assert [note.what for note in log.notes(survey, 9)] == ["Texts and days of the mail were changed."]


def test_the_first_texts_name_the_survey_and_who_asks_and_have_the_link(editor: Client, survey: Survey) -> None:
    """So that a researcher need not write them; they can be saved as they are."""
    fields = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE).context["texts"]
    proposed = {name: fields[name].initial for name in filled() if name.startswith(("invitation", "reminder"))}
    assert (proposed["invitation-en-subject"], proposed["reminder-en-subject"]) == ("Heading", "Reminder: Heading")
    assert [text.count("{link}") for name, text in proposed.items() if name.endswith("body")] == [1, 1]
    assert [text.split()[-1] for name, text in proposed.items() if name.endswith("body")] == ["Who", "Who"]
    assert post(editor, survey, filled(**proposed)).status_code == 302


@pytest.mark.parametrize(
    ("language", "begins"), [("en-GB", "“A”"), ("zh-Hans", "问卷《A》"), ("de", "„A“"), ("it", "")]
)
def test_texts_are_proposed_in_languages_that_the_respondents_page_speaks(language: str, begins: str) -> None:
    """In others a researcher writes them."""
    proposed = propose(REMINDER, language, {"title": {language: "A"}, "who": {language: "B"}})
    assert proposed.get("body", "")[: len(begins) or None] == begins


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    first(
        2,
        [
            ({"day0": ""}, "This field is required."),
            ({"day0": day(-1)}, "has passed."),
            ({"day1": day(1)}, "is not after"),
            ({"invitation-en-body": "Please answer."}, "own link is to stand."),
            ({"invitation-en-body": "{link} until {day}"}, "Nothing fills {day}"),
            ({"invitation-en-subject": "Answer at {link}"}, "Nothing fills {link} in a subject"),
            ({"invitation-en-subject": ""}, "Write a subject."),
            ({"reminder-en-body": ""}, "own link is to stand."),
            ({"reply_to": "nobody"}, "valid email address"),
        ],
    ),
    ids=range(9),
)
def test_wrong_texts_and_days_are_refused(editor: Client, survey: Survey, wrong: dict[str, str], sentence: str) -> None:
    """At their field, and nothing is kept."""
    answer = post(editor, survey, filled(**wrong))
    assert (answer.status_code, sentence in answer.content.decode(), Mailing.objects.count()) == (422, True, 0)


def test_reminders_are_written_where_there_is_a_day_for_them(editor: Client, survey: Survey) -> None:
    """Without one their texts may be empty."""
    without = {"day1": "", "reminder-en-subject": "", "reminder-en-body": ""}
    assert post(editor, survey, filled(**without)).status_code == 302
    assert Mailing.objects.get().texts.keys() == {"invitation"}


def test_a_day_that_has_come_stays(editor: Client, survey: Survey) -> None:
    """Mail may have been sent then; later days may move."""
    post(editor, survey, filled(day0=day(0)))
    assert "cannot be changed" in post(editor, survey, filled(day0=day(2))).content.decode()
    assert post(editor, survey, filled(day0=day(0), day1=day(3))).status_code == 302
    assert Mailing.objects.get().days == [day(0), day(3)]


def test_nothing_is_sent_while_nobody_is_invited(editor: Client, survey: Survey) -> None:
    """Neither the invitation nor a reminder, whose days have come."""
    post(editor, survey, filled())
    Mailing.objects.update(days=[day(-8), day(-1), day(0), day(9)])
    page = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE)
    assert [(when["past"], when["said"]) for when in page.context["days"][:3]] == [(False, "nobody is invited")] * 3
    post(editor, survey, {"do": "add", "addresses": "a@example.org"})
    page = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE)
    assert [when["said"] for when in page.context["days"][:3]] == ["being sent", "sent", "being sent"]


def test_links_that_nobody_else_can_open_are_asked_about(editor: Client, survey: Survey) -> None:
    """A site at localhost mails links that begin so."""
    at_home = {"HTTP_HOST": "localhost"}
    assert "Nobody else could open these links" in post(editor, survey, filled(), **at_home).content.decode()
    assert post(editor, survey, filled(anyway="on"), **at_home).status_code == 302


def test_a_list_is_pasted_or_a_file(editor: Client, survey: Survey) -> None:
    """Both count, who is known already stays, and the log says how many, not who."""
    file = SimpleUploadedFile("people.csv", b"\xef\xbb\xbfb@example.org\nc@example.org,en\n")
    post(editor, survey, {"do": "add", "addresses": "a@example.org\r\nb@example.org", "file": file})
    answer = editor.post(
        reverse("studio:mail", args=[survey.pk]),
        {"do": "add", "addresses": "C@example.org\nd@example.org"},
        follow=True,
    )
    assert "1 was on the list before." in answer.content.decode()
    known = {person.address for _row, person in Boxes(survey).people()}
    assert known == {f"{letter}@example.org" for letter in "abcd"}
    said = [note.what for note in log.notes(survey, 9)]
    assert said == [
        "Mail: 1 more person was invited.",
        "Mail: 3 more people were invited.",
    ]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    first(
        2,
        [
            ({"do": "add", "addresses": "a@example.org, fr"}, "is not a language of this survey"),
            ({"do": "replace", "addresses": "a@example.org"}, "Nobody was invited at"),
            ({"do": "stop", "addresses": "a@example.org"}, "Nobody was invited at"),
            ({"do": "add", "file": SimpleUploadedFile("x", b"\xff\xfe")}, "is not a text in UTF-8."),
        ],
    ),
    ids=range(4),
)
def test_a_wrong_list_is_refused(editor: Client, survey: Survey, fields: dict[str, Any], sentence: str) -> None:
    """With what was typed still there."""
    answer = post(editor, survey, fields)
    assert (answer.status_code, sentence in answer.content.decode(), Invitee.objects.count()) == (422, True, 0)


def test_the_page_answers_alike_whether_an_invitation_is_used_or_not(editor: Client, survey: Survey) -> None:
    """A survey whose people have begun and one where nobody has look the same, whatever is asked of the page."""
    seen = []
    for begun in (False, True):
        Invitee.objects.all().delete()
        survey.invitation_batches.all().delete()
        addresses = "\n".join(f"p{number}@example.org" for number in range(4))
        post(editor, survey, {"do": "add", "addresses": addresses})
        note_as_invited(survey)
        if begun:
            for _row, person in Boxes(survey).people():
                end_invitation(survey, person.secret)  # the same row as one that is used
            forget_used(survey, Boxes(survey))
        answers = []
        for do, who in (
            ("add", addresses),
            ("replace", "p0@example.org"),
            ("replace", "p0@example.org"),
            ("stop", "p1@example.org"),
        ):
            answer = post(editor, survey, {"do": do, "addresses": who})
            answers.append((answer.status_code, "there is no third" in answer.content.decode()))
        page = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE).content.decode()
        answers.append((0, "4 people are invited by mail." in page))
        seen.append(answers)
    assert seen[0] == seen[1] == [(302, False), (302, False), (422, True), (302, False), (0, True)]


ORDERS = {
    # of one person, beside another who has not begun and takes all mail; + and ~: the mail server says 552 or 450
    "begins, is reminded, would refuse": "begin look +",
    "refuses the reminder": "+ look",
    "refuses the reminder, begins, is reminded again": "+ look begin look",
    "begins, refuses": "begin + look",
    "refuses for now": "~ look",
    "begins, refuses for now": "begin ~ look",
    "refuses, and the list is pasted again": "+ look add look",
    "begins, and the list is pasted again": "begin look add + look",
    "gets another link": "replace look",
    "begins, and gets another link": "begin look replace look",
    "begins, gets another link, refuses the next reminder": "begin replace look + look",
}


@pytest.mark.parametrize("orders", first(1, [list(ORDERS)[::5], list(ORDERS)[:8], list(ORDERS)[8:]]))
def test_the_page_is_the_same_for_every_order_of_beginning_refusing_and_reminding(
    editor: Client, settings: Any, no_worker: None, orders: list[str]
) -> None:
    """Who refuses a reminder is somebody who has not begun, so of one person the page tells nothing of it."""
    seen = set()
    for number, order in enumerate(orders):
        survey = make_survey(f"study{number}", access="invitation")
        publish(survey)
        give(survey, User.objects.get(username="ed"), Role.EDITOR)
        with open_postbox(settings) as postbox:
            seen.add(what_the_page_shows(editor, survey, postbox, ORDERS[order].split()))
    assert len(seen) == 1


def what_the_page_shows(editor: Client, survey: Survey, postbox: Postbox, order: list[str]) -> str:
    """The banners, whom it names, and the days, after all steps of the order."""
    Invitee.objects.all().delete()  # all surveys of a test have one key
    post(editor, survey, {"do": "add", "addresses": "a@example.org\nb@example.org"})
    post(editor, survey, filled(day0=day(0)))
    send(survey.pk)
    secret = next(person.secret for _row, person in Boxes(survey).people() if person.address == "a@example.org")
    for step in order:
        if step == "begin":
            end_invitation(survey, secret)  # the same row as one that is used
        elif step == "look":  # the day of a reminder, the mail server's pauses over
            came = [day for day in Mailing.objects.get(survey=survey).days if day <= timezone.localdate().isoformat()]
            Mailing.objects.filter(survey=survey).update(days=[*came, day(0)], looked_on=None)
            for _ in range(3):
                Mailing.objects.filter(survey=survey).update(until=None)
                send(survey.pk)
        elif step in ("add", "replace"):
            post(editor, survey, {"do": step, "addresses": "a@example.org"})
            send(survey.pk)
        else:
            postbox.answers["a@example.org"] = {"+": 552, "~": 450}[step]
    Mailing.objects.filter(survey=survey).update(days=[day(-1), day(0)])
    page = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE).content.decode()
    return " ".join(re.findall(r'<p class="banner.*?</p>|<section.*?<form|<ol class="line-of">.*?</ol>', page, re.S))


def test_a_subject_that_no_message_can_have_is_refused(editor: Client, survey: Survey) -> None:
    """A line break would end the header; it is not the addresses that are wrong then."""
    for letter in ("\n", "\r", "\x0b", "\x0c", "\x85", "\u2028"):
        answer = post(editor, survey, filled(**{"invitation-en-subject": f"Please{letter}answer"}))
        shown = "A subject is one line, without line breaks or tabs." in answer.content.decode()
        assert (answer.status_code, shown, Mailing.objects.count()) == (422, True, 0)


def test_refusals_of_reminders_are_shown_from_a_hundred_on_without_a_name(editor: Client, survey: Survey) -> None:
    """As a class of their number."""
    listed = [f"p{number}@example.org" for number in range(150)]
    post(editor, survey, {"do": "add", "addresses": "\n".join(listed)})
    boxes = Boxes(survey)
    for row, person in list(boxes.people()):
        boxes.put(row, person._replace(refused=True, step=2))
    page = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE).content.decode()
    assert ("It refused more than 100 reminders." in page, "@example.org</li>" in page) == (True, False)


def test_addresses_that_are_refused_are_named(editor: Client, survey: Survey) -> None:
    """To those who may invite: they can be mended, or taken from the list."""
    post(editor, survey, {"do": "add", "addresses": "a@example.org\nb@example.org"})
    boxes = Boxes(survey)
    for row, person in list(boxes.people()):
        boxes.put(row, person._replace(refused=person.address == "a@example.org"))
    page = editor.get(reverse("studio:mail", args=[survey.pk]), **ANYWHERE).content.decode()
    assert ("<li>a@example.org</li>" in page, "b@example.org" in page) == (True, False)


def test_a_survey_that_invites_nobody_has_no_such_page(editor: Client, survey: Survey) -> None:
    """Closed, open to everybody or not published: it leads to Field."""
    for other in (make_survey("open"), make_survey("draft", access="invitation")):
        give(other, User.objects.get(username="ed"), Role.EDITOR)
        if other.slug == "open":
            publish(other)
        assert editor.get(reverse("studio:mail", args=[other.pk])).status_code == 302
    close(survey)
    assert post(editor, survey, {"do": "add", "addresses": "a@example.org"}).status_code == 302
    assert Invitee.objects.count() == 0


@pytest.mark.long
@on_a_phone
def test_the_page_in_a_browser(walk: Walk) -> None:
    """From Field: people are invited, texts are kept, and the page is for everybody on any screen."""
    survey = make_survey(access="invitation")
    write(survey, languages=["en"])
    publish(survey)
    page = walk.page
    walk.look(f"/staff/studio/{survey.pk}/fieldwork/?way=mail")
    page.locator(f'a[href="/staff/studio/{survey.pk}/mail/#who"]').click()
    page.locator("#addresses").fill("a@example.org\nb@example.org")
    page.locator("form[enctype] button").click()
    expect(page.locator("#addresses")).to_have_value("")
    for name, text in filled(anyway=None).items():
        if text is not None:
            page.evaluate("document.querySelectorAll('details').forEach(fold => (fold.open = true))")
            page.locator(f'[name="{name}"]').fill(text)
    page.locator('[name="anyway"]').check()
    page.locator('form:has([name="day0"]) button').click()
    expect(page.locator(".line-of li")).to_have_count(2)
    walk.look(f"/staff/studio/{survey.pk}/mail/")
    assert (Invitee.objects.count(), Mailing.objects.get().days) == (2, [day(1), day(8)])
