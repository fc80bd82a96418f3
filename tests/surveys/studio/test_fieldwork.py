"""Before publishing, and the fieldwork: what freezes is said, what ends for good is asked, nobody is counted."""

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.messages.submission import Stored
from surveys.domain.people import log
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close as close_survey
from surveys.domain.questionnaire.document import Draft, read_document
from surveys.domain.questionnaire.minimum import minimum_of_draft, minimum_of_version
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Invitation, Survey, SurveyVersion
from surveys.studio.checklist import missing_of
from tests.cases import every, first
from tests.surveys.databases import count_queries
from tests.surveys.inbox import wait
from tests.surveys.making import add_question, edit_draft, make_survey, set_block, set_questions, write


@pytest.fixture
def editor(client: Client) -> Client:
    user = User.objects.create(username="ed", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_survey"))
    client.force_login(user)
    return client


def own(client: Client, survey: Survey, role: str = Role.EDITOR) -> Survey:
    give(survey, User.objects.get(pk=client.session["_auth_user_id"]), role)
    return survey


@pytest.fixture
def draft(editor: Client) -> Survey:
    survey = own(editor, make_survey())
    set_questions(survey, no_skip="The board wants plain yes and no.")
    return survey


@pytest.fixture
def erasing_day(draft: Survey) -> None:
    Survey.objects.filter(pk=draft.pk).update(keep_until=date(2099, 1, 1))


@pytest.fixture
def live_survey(draft: Survey) -> Survey:
    publish(draft)
    return draft


@pytest.fixture
def by_invitation(editor: Client) -> Survey:
    survey = own(editor, make_survey("invited", access=Survey.Access.INVITATION))
    publish(survey)
    return survey


def address_of(survey: Survey, page: str) -> str:
    return f"/staff/studio/{survey.pk}/{page}/"


def open_page(client: Client, survey: Survey, page: str) -> str:
    return client.get(address_of(survey, page)).content.decode()


def moment(days: float) -> str:
    return f"{timezone.localtime() + timedelta(days=days):%Y-%m-%dT%H:%M}"


def seal(version: SurveyVersion, count: int, direct: bool = False) -> None:
    """So many records of noes, as sealing leaves them."""
    design = version.design
    records = Records(design, np.zeros((count, len(design.items)), np.uint8), np.full(count, direct))
    with transaction.atomic():
        append(version, pack(records), [b""] * count)


# ---- before publishing ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("erasing_day")
def test_publishing_says_what_freezes_and_asks_once(editor: Client, draft: Survey) -> None:
    """The page says it in one sentence; its button publishes, notes it, and leads to the link."""
    page = open_page(editor, draft, "publish")
    assert draft.versions.count() == 0  # a link that is opened, or fetched ahead, changes nothing
    answer = editor.post(address_of(draft, "publish"))

    assert "every link carries their check mark, a hash" in page
    assert (answer["Location"], draft.versions.count()) == (address_of(draft, "fieldwork"), 1)
    assert [note.what for note in log.notes(draft, 9)] == ["Version 1 was published."]
    assert f"#v={draft.versions.get().sha256}" in open_page(editor, draft, "fieldwork")


def test_each_missing_text_leads_to_its_place(editor: Client, draft: Survey) -> None:
    """Also to the language in which it is missing; what is missing is not published, however it is asked for."""
    write(draft, languages=["en", "zh-hans"], who={})
    page = open_page(editor, draft, "publish")

    assert f'href="/staff/studio/{draft.pk}/#opening"' in page
    assert f'href="/staff/studio/{draft.pk}/?beside=zh-hans#q-theft"' in page
    assert "Sign and publish" not in page
    refused = editor.post(address_of(draft, "publish"))
    assert (refused.status_code, draft.versions.count()) == (422, 0)


def test_the_list_names_what_is_worth_a_second_look(editor: Client, draft: Survey) -> None:
    """Questions that cannot be skipped, direct answers, one language, no end, and too few people for rules."""
    write(draft, expected=50)
    page = open_page(editor, draft, "publish")
    for sentence in (
        "These have no “Prefer not to say”: “drugs?”, “cheating?”, “theft?”.",
        "People may answer directly: 20 of 100 are thought to. Nothing disguises what they say",
        "It has only one language, English.",
        "It has no closing date and no quota: it collects until somebody closes it.",
        "What goes together: with 50 people hardly any link of medium strength (",
    ):
        assert sentence in page
    assert f'href="/staff/studio/{draft.pk}/#languages">Look at it' in page
    assert "nor add paper or interviewers" in page


def test_a_question_that_may_come_after_disguised_ones_is_named(editor: Client, draft: Survey) -> None:
    """Pages that change places: half of the devices would ask it last."""
    add_question(draft, "age", page=1, required=True, options=[("a", "A"), ("b", "B")], type="choice", out=["a"])
    sentence = "It sends people away who have answered disguised questions by then"
    with edit_draft(draft) as document:
        first = document["pages"][0]
        own = [each for each in first["questions"] if each["id"] == "age"]
        others = [each for each in first["questions"] if each["id"] != "age"]
        document["pages"] = [{**first, "questions": own}, {**first, "number": 2, "questions": others}]
    assert sentence not in open_page(editor, draft, "publish")
    with edit_draft(draft) as document:
        document["pages"] = [{**page, "moves": True} for page in document["pages"]]
    assert sentence in open_page(editor, draft, "publish")


def test_options_that_nobody_has_translated_are_named(editor: Client, draft: Survey) -> None:
    """In a language without ready-made ones they begin in English; one's own words are left alone."""
    add_question(draft, "rubare", options=[("1", {"it": "Yes"}), ("0", {"it": "No"})], text={"it": "Rubato?"})
    write(draft, languages=["it"])
    assert "Options in Italian are still English: “Yes”." in open_page(editor, draft, "publish")
    write(draft, languages=["en"])
    assert "still English" not in open_page(editor, draft, "publish")


def test_braces_that_stand_for_no_answer_are_named(editor: Client, draft: Survey) -> None:
    """Respondents would read them."""
    add_question(draft, "why", type="text", page=2, text={"en": "What about {which}?"})
    page = open_page(editor, draft, "publish")
    assert "“{which}” in “What about {which}?” is shown as it stands: no question is called so." in page


@pytest.mark.parametrize(
    ("quota", "direct", "said"),
    [
        (19, False, "It closes with 19 answers, and of fewer than 20 nothing is shown."),
        (99, False, "It closes with 99 answers: disguised ones are shown then, and all others from 100 on."),
        (99, True, "It closes with 99 answers, and of fewer than 100 nothing is shown."),
        (100, True, ""),
    ],
)
def test_a_quota_below_the_least_of_a_report_is_named(
    editor: Client, draft: Survey, quota: int, direct: bool, said: str
) -> None:
    """It would close before there is anything to read, or before undisguised answers are shown."""
    Survey.objects.filter(pk=draft.pk).update(quota=quota, least=100)
    write(draft, direct=direct)
    page = open_page(editor, draft, "publish")
    assert ("It closes with" in page, said in page) == (bool(said), True)


def test_a_draft_without_a_design_lists_what_is_missing(editor: Client) -> None:
    """And promises nothing."""
    survey = own(editor, make_survey("empty", names=()))
    page = open_page(editor, survey, "publish")
    assert "No question is disguised yet" in page
    assert "What respondents will read" not in page


@pytest.mark.usefixtures("erasing_day")
def test_a_weak_disguise_is_signed_for(editor: Client, draft: Survey) -> None:
    """With a reason; without one nothing is stored."""
    set_block(draft, settings={"keep": 0.9, "theta": 0.5})
    page = open_page(editor, draft, "publish")
    assert "Sign and publish" in page
    assert "γ is above this site’s limit of 19. Disguise more (smaller p)" in page
    assert editor.post(address_of(draft, "publish"), {"reason": ""}).status_code == 422
    assert (draft.versions.count(), Survey.objects.get().override_by) == (0, "")

    editor.post(address_of(draft, "publish"), {"reason": "A pilot."})

    assert draft.versions.get().parsed.source["override"]["by"] == "ed"


@pytest.mark.usefixtures("erasing_day")
def test_a_signature_is_for_one_version(editor: Client, draft: Survey) -> None:
    """The next one, which may disguise still less, is signed for again."""
    set_block(draft, settings={"keep": 0.9, "theta": 0.5})
    editor.post(address_of(draft, "publish"), {"reason": "A pilot."})
    set_block(draft, settings={"keep": 0.95, "theta": 0.5})
    refused = editor.post(address_of(draft, "publish"))
    assert (refused.status_code, draft.versions.count()) == (422, 1)
    editor.post(address_of(draft, "publish"), {"reason": "Another pilot."})
    assert [one.parsed.source["override"]["reason"] for one in draft.versions.all()] == ["A pilot.", "Another pilot."]


def test_a_date_that_has_passed_stands_before_publishing(editor: Client, draft: Survey) -> None:
    """It would close at once."""
    Survey.objects.update(closes_at=timezone.now() - timedelta(days=1))
    assert "The closing date has passed" in open_page(editor, draft, "publish")
    assert editor.post(address_of(draft, "publish")).status_code == 422


def test_a_survey_closed_by_hand_is_not_told_to_move_its_date(editor: Client, live_survey: Survey) -> None:
    """Nothing can be published any more, so no page asks for anything that it lacks."""
    Survey.objects.update(closed_at=timezone.now())
    live_survey.refresh_from_db()

    assert [one.sentence for one in missing_of(Draft.load(live_survey))] == ["This survey is closed."]
    written = open_page(editor, live_survey, "write")
    assert "closing date has passed" not in written
    assert "Before it can be published" not in written
    assert "Next: Publish" not in open_page(editor, live_survey, "try")


def test_the_same_words_are_not_published_twice(editor: Client) -> None:
    """The page says so in place of its button, also where a version is older than the reasons that are asked for."""
    live_survey = own(editor, make_survey())
    publish(live_survey)
    assert "Version 1 is this questionnaire, word for word." in open_page(editor, live_survey, "publish")
    assert editor.post(address_of(live_survey, "publish")).status_code == 422


# ---- dates and the end ----------------------------------------------------------------------------------------------


def dates(client: Client, survey: Survey, **fields: Any) -> Any:
    survey.refresh_from_db()
    now = {
        "least": survey.least,
        "quota": survey.quota or "",
        "opens_at": "",
        "closes_at": f"{timezone.localtime(survey.closes_at):%Y-%m-%dT%H:%M}" if survey.closes_at else "",
    }
    return client.post(address_of(survey, "dates"), now | fields)


def test_the_erasing_day_names_what_it_takes_as_pages_name_it(editor: Client, draft: Survey) -> None:
    page = editor.get(address_of(draft, "fieldwork")).content.decode()
    assert "erases the survey with all responses, reports and searches." in page


def test_a_draft_takes_dates_and_limits(editor: Client, draft: Survey) -> None:
    """All that the administration asked for on its page; the short name is chosen where the title is written."""
    slug = draft.slug
    assert dates(editor, draft, slug="other", least=50, quota=500, closes_at=moment(9)).status_code == 302
    draft.refresh_from_db()
    assert (draft.slug, draft.least, draft.quota) == (slug, 50, 500)


def test_a_published_survey_is_extended_and_keeps_its_name(editor: Client, live_survey: Survey) -> None:
    """What stands in links and what was promised is not in the form, and is not read from what is sent."""
    dates(editor, live_survey, slug="other", least=20, closes_at=moment(3))
    dates(editor, live_survey, closes_at=moment(9))
    live_survey.refresh_from_db()
    assert (live_survey.slug, live_survey.least) == ("study", 100)
    assert live_survey.closes_at > timezone.now() + timedelta(days=8)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    every(
        2,
        [
            ({"least": 19}, "greater than or equal to 20"),
            ({"quota": 0}, "greater than or equal to 1"),
            ({"quota": "many"}, "whole number"),
            ({"opens_at": moment(9), "closes_at": moment(3)}, "It would close before it opens."),
            ({"closes_at": "tomorrow"}, "valid date"),
        ],
    ),
    ids=range(5),
)
def test_a_wrong_entry_is_refused_at_its_field(
    editor: Client, draft: Survey, fields: dict[str, Any], sentence: str
) -> None:
    """Nothing is saved."""
    before = Survey.objects.values().get(pk=draft.pk)
    answer = dates(editor, draft, **fields)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert Survey.objects.values().get(pk=draft.pk) == before


@pytest.mark.parametrize(
    ("stored", "sent", "kept"), first(2, [(100, 99, 100), (None, 5000, None), (100, 101, 101), (100, "", None)])
)
def test_a_published_quota_is_only_raised(
    editor: Client, draft: Survey, stored: int | None, sent: Any, kept: int | None
) -> None:
    """By the rule of the administration: lowered or set again it would tell how many wait."""
    Survey.objects.update(quota=stored)
    publish(draft)
    answer = dates(editor, draft, quota=sent)
    assert Survey.objects.get().quota == kept
    assert ("can only be raised" in answer.content.decode()) is (kept == stored)


def test_moving_the_quota_tells_nothing_of_who_waits(editor: Client, draft: Survey) -> None:
    """The answers are the same where 7 wait and where 31 do."""
    Survey.objects.update(quota=100)
    version = publish(draft)
    told_of = []
    for more in (7, 24):
        wait(version, [Stored(b"\0", b"") for _ in range(more)])
        answers = [dates(editor, draft, quota=quota) for quota in (10, 99)]
        told_of.append([(each.status_code, each.content.decode().count("can only be raised")) for each in answers])
        told_of[-1].append((200, open_page(editor, draft, "fieldwork").count("None that could be shown yet")))
    assert told_of[0] == told_of[1]


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_that_raise_the_quota_at_once_neither_lowers_it(editor: Client, draft: Survey) -> None:
    """One after the other: the smaller number is saved before the larger one, or refused after it."""
    Survey.objects.update(quota=100)
    publish(draft)

    def save(quota: int) -> int:
        try:
            return int(dates(editor, draft, quota=quota).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        answers = dict(zip((150, 200), pool.map(save, (150, 200)), strict=True))
    assert (answers[200], Survey.objects.get().quota) == (302, 200)
    assert answers[150] in (302, 422)


def test_a_version_that_lets_nobody_in_shows_no_link(
    editor: Client, by_invitation: Survey, live_survey: Survey
) -> None:
    """By invitation, or closed: a sentence says so in place of link and poster."""
    by_name = open_page(editor, by_invitation, "fieldwork")
    close_survey(live_survey)
    closed = open_page(editor, live_survey, "fieldwork")
    assert "Only invited people can answer" in by_name
    assert "This survey is closed for good; nothing opens it again." in closed
    assert ("/s/invited/" in by_name, "/s/study/" in closed) == (False, False)


def test_a_closing_date_in_the_past_asks_first(editor: Client, live_survey: Survey) -> None:
    """It names what will happen; nothing is saved until somebody agrees to just this."""
    asked = dates(editor, live_survey, closes_at=moment(-1), quota="")
    assert "The survey closes now, for good" in asked.content.decode()
    assert Survey.objects.get().closes_at is None
    kept = dict(asked.context["kept"])
    assert editor.post(address_of(live_survey, "dates"), {**kept, "closes_at": moment(-2)}).status_code == 200

    editor.post(address_of(live_survey, "dates"), kept)

    assert Survey.objects.get().closed_at is not None


def test_closing_says_what_it_does_and_is_for_good(editor: Client, live_survey: Survey, client: Client) -> None:
    """The page asks before; after POST nobody can answer, and no date can be set any more."""
    assert "cannot be opened again" in open_page(editor, live_survey, "fieldwork")
    editor.post(address_of(live_survey, "close"))
    assert client.get("/s/study/questionnaire").status_code == 410

    answer = editor.post(address_of(live_survey, "dates"), {"closes_at": moment(9)})
    assert answer["Location"] == address_of(live_survey, "fieldwork")
    assert Survey.objects.get().closes_at is None
    assert editor.post(address_of(live_survey, "publish"))["Location"] == address_of(live_survey, "fieldwork")


def test_the_text_of_a_closed_survey_may_still_be_changed(editor: Client, live_survey: Survey, client: Client) -> None:
    """It is no part of what was published: respondents read it where they would have read the questionnaire."""
    write(live_survey, closed={"de": "Danke!"})
    close_survey(live_survey)
    Survey.objects.update(closed_at=timezone.now())
    refused = editor.post(address_of(live_survey, "closed-text"), {"en": "\0"})
    assert (refused.status_code, Survey.objects.get().closed) == (422, {"de": "Danke!"})

    answer = editor.post(address_of(live_survey, "closed-text"), {"en": "Thank you!\r\nResults in May."})

    assert answer["Location"] == address_of(live_survey, "fieldwork")
    assert Survey.objects.get().closed == {"de": "Danke!", "en": "Thank you!\nResults in May."}
    assert client.get("/s/study/questionnaire").json()["text"]["en"] == "Thank you!\nResults in May."
    assert "Thank you!" in open_page(editor, live_survey, "fieldwork")


def test_a_draft_cannot_be_closed(editor: Client, draft: Survey) -> None:
    """One sentence says why."""
    page = editor.post(address_of(draft, "close"), follow=True).content.decode()
    assert "This survey was never published." in page


def test_a_closed_survey_is_asked_again_as_a_next_round(editor: Client, live_survey: Survey) -> None:
    """A new draft with the same content and a link of its own; the closed one stays closed."""
    close_survey(live_survey)
    assert "Begin the next round" in open_page(editor, live_survey, "fieldwork")
    editor.post(address_of(live_survey, "copy"), {"round": "next"})

    following = Survey.objects.latest("pk")
    assert {**read_document(following), "title": "", "protection": {}} == {
        **read_document(live_survey),
        "title": "",
        "protection": {},
    }
    assert (following.title, following.versions.count()) == ("Study, next round", 0)
    assert Survey.objects.get(pk=live_survey.pk).closed_at is not None


def test_who_only_reads_sees_no_way_to_change_anything(editor: Client) -> None:
    """A viewer reads the dates and the link."""
    survey = own(editor, make_survey("seen", closes_at=timezone.now() + timedelta(days=3)), Role.VIEWER)
    publish(survey)
    page = open_page(editor, survey, "fieldwork")
    assert '<form method="post" class="begin"' not in page
    assert "Closing cannot be undone." not in page
    assert "/s/seen/#v=" in page


# ---- how many have answered -----------------------------------------------------------------------------------------


def test_the_page_says_when_reports_begin_and_how_many_answers_are_missing(editor: Client, live_survey: Survey) -> None:
    """In hundreds, as it counts answers; direct ones are not counted while they are in no report."""
    Survey.objects.update(least=350)
    version = live_survey.versions.get()

    def line() -> str:
        card = open_page(editor, live_survey, "fieldwork").partition('id="came"')[2].partition("<p>")[2]
        return " ".join(re.sub("<[^>]*>", "", card.partition("</p>")[0]).split())

    at_most = "At most %s answers are missing until reports begin. Direct answers count once it is closed."
    assert line() == at_most % 350
    seal(version, 240)
    seal(version, 100, direct=True)
    assert line() == at_most % 150 + " Results"
    seal(version, 110)
    assert line() == "There are enough for a report. Results"


def test_while_people_answer_the_rule_of_few_is_said_by_the_goals(editor: Client, live_survey: Survey) -> None:
    """In a sentence only where somebody is about to close it with fewer; among the days not once more."""

    def counted() -> list[int]:
        page = " ".join(open_page(editor, live_survey, "fieldwork").split())
        shown = minimum_of_version(live_survey.versions.get())
        return [page.count(said) for said in (shown.sentence, shown.note, "reports begin</li>")]

    assert counted() == [1, 1, 1]  # asked before closing; the step of the results; the goal
    seal(live_survey.versions.get(), 240)
    assert counted() == [0, 0, 1]


def test_a_draft_says_once_from_how_many_people_on_something_is_shown(editor: Client, draft: Survey) -> None:
    """The number that is chosen has the sentence of all pages beside it, and the line of days is that of the steps."""
    page = " ".join(open_page(editor, draft, "fieldwork").split())
    form = page.partition("Everything is shown from so many people on")[2]
    assert minimum_of_draft(Draft.load(draft)).sentence in form
    assert page.count(minimum_of_draft(Draft.load(draft)).note) == 2  # in the steps, and among the days
    assert [text in page for text in ("eport from so many respondents", "eports begin")] == [False, False]


@pytest.mark.parametrize("sensitive", [False, True])
def test_while_people_answer_the_page_says_what_small_groups_need(editor: Client, sensitive: bool) -> None:
    """Of undisguised answers alone, of which each needs so many people; once it is closed nobody can be invited."""
    survey = own(editor, make_survey("grouped", names=("q1", "q2")), Role.OWNER)
    if not sensitive:
        add_question(survey, "law", type="yesno")
    publish(survey)
    said = "An undisguised answer is shown only where 100 people gave it: invite more people of small groups"

    assert (said in " ".join(open_page(editor, survey, "fieldwork").split())) != sensitive
    close_survey(survey)
    assert said not in " ".join(open_page(editor, survey, "fieldwork").split())


def test_a_closed_survey_of_few_says_that_nothing_is_reported(editor: Client, live_survey: Survey) -> None:
    """And not how many answered: beside a number of those with disguise it would tell of a few."""
    seal(live_survey.versions.get(), 12)
    close_survey(live_survey)
    page = open_page(editor, live_survey, "fieldwork")
    assert "up to 100 answers" in page
    assert "Fewer came. Fewer than 20 people with disguised answers: nothing is ever shown" in " ".join(page.split())


@pytest.mark.parametrize("more", [0, 1, 39])
def test_the_page_is_the_same_whoever_waits(editor: Client, live_survey: Survey, more: int) -> None:
    """Of 250 sealed answers it says more than 200, that this is enough for a report, and nothing of those that wait."""
    version = live_survey.versions.get()
    seal(version, 250)
    wait(version, [Stored(b"\0", b"") for _ in range(more)])
    page = open_page(editor, live_survey, "fieldwork")
    assert "more than 200 answers" in page
    (goals,) = re.findall(r'<ol class="steps-of">.*?</ol>', page, re.DOTALL)
    assert re.findall(r'<li class="past">.*?<b>(\d+) answers</b>', goals) == ["20", "100"]
    assert "250" not in page.replace(version.sha256, "")


@pytest.mark.long
def test_the_page_asks_as_often_for_many_as_for_one(editor: Client, by_invitation: Survey) -> None:
    """However many versions and batches there are."""
    queries = partial(count_queries, lambda: open_page(editor, by_invitation, "fieldwork"))
    editor.post(address_of(by_invitation, "invite"), {"label": "one", "count": 2})
    queries()  # what a process reads once
    one = queries()
    for number in ("two", "three"):
        write(by_invitation, heading={"en": number})
        publish(by_invitation)
        editor.post(address_of(by_invitation, "invite"), {"label": number, "count": 2})
    assert queries() == one


# ---- invitations ----------------------------------------------------------------------------------------------------


def test_a_batch_is_a_file_of_links_given_once(editor: Client, by_invitation: Survey) -> None:
    """As many links as were asked for, each its own; only hashes are kept."""
    file = editor.post(address_of(by_invitation, "invite"), {"label": "ward 7", "count": 3})
    links = [row["link"] for row in csv.DictReader(io.StringIO(file.content.decode()))]

    assert len(set(links)) == 3
    assert all(f"/s/invited/#v={by_invitation.versions.get().sha256}&i=" in link for link in links)
    assert Invitation.objects.count() == 3
    page = open_page(editor, by_invitation, "fieldwork")
    assert "ward 7: 3" in page
    assert not any(link.rpartition("=")[2] in page for link in links)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    first(
        1,
        [
            ({"label": "x", "count": 0}, "How many: write a whole number from 1 to 100 000."),
            ({"label": "x", "count": 100_001}, "How many: write a whole number from 1 to 100 000."),
            ({"label": "x", "count": ""}, "How many: write a whole number from 1 to 100 000."),
            ({"label": "", "count": 3}, "Name of the batch: write 1 to 100 letters."),
            ({"label": "ward 7", "count": 3}, "There is already a batch “ward 7”"),
        ],
    ),
    ids=range(5),
)
def test_a_wrong_batch_is_refused(editor: Client, by_invitation: Survey, fields: dict[str, Any], sentence: str) -> None:
    """With a sentence that names its field; no link is made."""
    editor.post(address_of(by_invitation, "invite"), {"label": "ward 7", "count": 1})
    answer = editor.post(address_of(by_invitation, "invite"), fields)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize("state", ["draft", "open", "closed"])
def test_nobody_is_invited_where_nobody_could_come(editor: Client, state: str) -> None:
    """A draft has no link yet, an open survey needs no invitation, a closed one takes nobody."""
    access = Survey.Access.OPEN if state == "open" else Survey.Access.INVITATION
    survey = own(editor, make_survey(access=access))
    if state != "draft":
        publish(survey)
    if state == "closed":
        close_survey(survey)
    assert editor.post(address_of(survey, "invite"), {"label": "x", "count": 1}).status_code == 422
    assert Invitation.objects.count() == 0


@pytest.fixture
def signed_in(live: LiveServer, page: Page, editor: Client) -> Page:
    page.context.add_cookies(
        [{"name": "staff_session", "value": editor.cookies["staff_session"].value, "url": live.url}]
    )
    return page


@pytest.mark.long
def test_names_stand_beside_the_links_and_never_reach_the_site(
    live: LiveServer, signed_in: Page, by_invitation: Survey
) -> None:
    """The file that the browser saves has both; of all requests none holds a name. A second batch of a name is told."""
    page, sent = signed_in, []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    page.goto(f"{live.url}{address_of(by_invitation, 'fieldwork')}")
    page.get_by_label("Name of the batch").fill("ward 7")
    page.get_by_label("Who is invited").fill('Ada\n=HYPERLINK("x")\n\n 王小明 ')
    assert page.get_by_label("How many", exact=True).input_value() == "3"
    page.get_by_label("Make them although").check()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Make the links and save them").click()
    rows = list(csv.reader(io.StringIO(saving.value.path().read_bytes().decode("utf-8-sig"))))

    assert rows[0] == ["name", "link"]
    assert [name for name, _link in rows[1:]] == ["Ada", '\'=HYPERLINK("x")', "王小明"]
    assert len({link for _name, link in rows[1:]}) == 3 == Invitation.objects.count()
    assert not any(name in line for line in sent for name in ("Ada", "HYPERLINK", "王", "%E7%8E%8B"))
    assert page.get_by_label("Who is invited").input_value() == ""

    page.get_by_label("Name of the batch").fill("ward 7")
    page.get_by_label("Who is invited").fill("Eve")
    page.get_by_label("Make them although").check()
    page.get_by_role("button", name="Make the links and save them").click()
    page.get_by_text("There is already a batch “ward 7”").wait_for()
    assert page.get_by_label("Who is invited").input_value() == "Eve"


def test_a_second_press_makes_no_second_batch(live: LiveServer, signed_in: Page, by_invitation: Survey) -> None:
    """While the first is under way it does nothing, and the second of a double click never does: the file is saved,
    and the page says so. Without names it has a header, too, so that a mail merge takes no link for one.
    """
    page = signed_in
    held: list[Route] = []
    page.route("**/invite/", lambda route: held.append(route))
    page.goto(f"{live.url}{address_of(by_invitation, 'fieldwork')}")
    page.get_by_label("Name of the batch").fill("ward 9")
    page.get_by_label("How many", exact=True).fill("2")
    page.get_by_label("Make them although").check()
    press = page.get_by_role("button", name="Make the links and save them")
    with page.expect_download() as saving:
        with page.expect_request("**/invite/"):
            press.dblclick()
        press.click()
        page.wait_for_function("() => true")
        for route in held:
            route.continue_()
    page.get_by_text("The file is saved.").wait_for()
    press.dispatch_event("click", {"detail": 2})
    header, *links = csv.reader(io.StringIO(saving.value.path().read_bytes().decode("utf-8-sig")))

    assert (len(held), Invitation.objects.count()) == (1, 2)
    assert header == ["link"]
    assert [link.partition("#v=")[0] for (link,) in links] == [f"{live.url}/s/invited/"] * 2
    assert page.locator("#invited").inner_text().startswith("The file is saved.")


@pytest.mark.long
def test_times_are_those_of_the_readers_zone(
    live: LiveServer, signed_in: Page, browser: Browser, by_invitation: Survey
) -> None:
    """Five in the morning of the next day in Adelaide, in as many characters as UTC: nothing on the page moves."""
    Survey.objects.filter(pk=by_invitation.pk).update(opens_at=datetime(2030, 1, 1, 18, 35, tzinfo=UTC))
    seen = []
    for runs in (False, True):
        context = browser.new_context(java_script_enabled=runs, timezone_id="Australia/Adelaide")
        context.add_cookies(signed_in.context.cookies())  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{live.url}{address_of(by_invitation, 'fieldwork')}")
        seen.append(page.get_by_role("time").inner_text())
        context.close()

    assert seen == ["2030-01-01 18:35 UTC+00:00", "2030-01-02 05:05 UTC+10:30"]


@pytest.mark.long
def test_dates_are_chosen_in_the_readers_zone(
    live: LiveServer, signed_in: Page, browser: Browser, draft: Survey
) -> None:
    """Also after a refusal; what is kept is the same moment for every reader."""
    context = browser.new_context(timezone_id="Australia/Adelaide")
    context.add_cookies(signed_in.context.cookies())  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{live.url}{address_of(draft, 'fieldwork')}")
    opens, closes = page.get_by_label("Opens at"), page.get_by_label("Closes at")
    opens.fill("2030-01-02T05:05")
    closes.fill("2030-01-01T05:05")
    page.get_by_role("button", name="Save the dates").click()
    expect(page.get_by_text("It would close before it opens.")).to_be_visible()
    expect(opens).to_have_value("2030-01-02T05:05")
    expect(opens).to_have_accessible_description("In the time of Australia/Adelaide.")

    closes.fill("2030-07-01T05:05")
    page.get_by_role("button", name="Save the dates").click()
    expect(page.get_by_text("The dates are saved.")).to_be_visible()
    expect(closes).to_have_value("2030-07-01T05:05")
    context.close()

    draft.refresh_from_db()
    assert draft.opens_at == datetime(2030, 1, 1, 18, 35, tzinfo=UTC)
    assert draft.closes_at == datetime(2030, 6, 30, 19, 35, tzinfo=UTC)


@pytest.mark.long
def test_the_code_of_the_link_can_be_read_at_night(
    live: LiveServer, signed_in: Page, live_survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cameras want dark on light: black dots on a dark page are no code. On this computer alone there is none."""
    monkeypatch.setattr("surveys.studio.fieldwork.is_local", lambda _request: False)
    signed_in.emulate_media(color_scheme="dark")
    signed_in.goto(f"{live.url}{address_of(live_survey, 'fieldwork')}")
    code = signed_in.get_by_role("img", name="QR code of the link").locator("svg")
    assert code.evaluate("svg => getComputedStyle(svg).backgroundColor") == "rgb(255, 255, 255)"


def test_closing_asks_first_in_a_dialog_that_is_no_form(editor: Client, draft: Survey) -> None:
    """A form with the role of a dialog is none to a screen reader; so the form is around it, as for publishing."""
    publish(draft)
    page = editor.get(f"/staff/studio/{draft.pk}/fieldwork/").content.decode()
    assert re.search(r'<form[^>]*/close/"><div class="dialog"[^>]* role="dialog"', page)
    assert not re.search("<form[^>]* role=", page)
