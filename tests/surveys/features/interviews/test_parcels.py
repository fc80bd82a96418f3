"""Parcels of tablets: each interview counts once, however it comes, and what is wrong is one sentence."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.errors import EntryError, InputError
from surveys.domain.questionnaire.closing import close, end_version, leave_to_tablets
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.features.interviews.parcels import shown_turned
from surveys.models import Inbox, InvitationKey, Snapshot, Submission, Survey, SurveyVersion
from tests.surveys.features.interviews.tablets import (
    NOBODY,
    interviews,
    lock,
    parcel,
    response,
    send,
    version_with_interviews,
)
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import add_question, make_survey, write
from tests.surveys.sending import send as send_by_page


def test_a_parcel_is_stored_like_responses_that_came_by_the_page(version: SurveyVersion) -> None:
    """Nothing of what waits tells the two apart, and nothing names a parcel, a tablet or who asked."""

    answer = send(version.survey, parcel(version, interviews(version, 20)))

    assert answer == (201, {"stored": 20})
    assert {(one.record, one.open) for one in responses_waiting(version)} == {(b"\x00", b"")}
    assert len({len(bytes(box)) for box in Inbox.objects.values_list("box", flat=True)}) == 1
    assert Submission.objects.count() == 20


def test_a_parcel_that_comes_again_counts_once() -> None:
    """A tablet that hears no answer sends it again, and so may another that took it over: whole, or with more."""
    version, turned = version_with_interviews(), {"refused": 3, "broken": 1, "absent": 2}
    boxes = interviews(version, 25)

    first = send(version.survey, parcel(version, boxes[:20], turned=turned))
    again = send(version.survey, parcel(version, boxes[:20][::-1], turned=turned))
    more = send(version.survey, parcel(version, boxes, turned=turned))

    assert (first, again, more) == ((201, {"stored": 20}), (200, {"stored": 0}), (201, {"stored": 5}))
    assert Inbox.objects.count() == 25
    assert Survey.objects.get().turned_away == turned


def test_another_interview_under_a_key_that_was_used_is_refused() -> None:
    """Nobody replaces what is stored, and nothing of the message is; the two may come together, or one by one."""
    version, key = version_with_interviews(), "ab" * 16
    first, other = (lock(version, response(version, key=key, record=[one, 0, 0])) for one in (0, 1))
    refused = {"error": "key", "message": "Another response was sent under this key."}

    assert send(version.survey, parcel(version, [first, other])) == (409, refused)
    assert not Inbox.objects.exists()
    assert send(version.survey, parcel(version, [first])) == (201, {"stored": 1})
    assert send(version.survey, parcel(version, [*interviews(version, 3), other])) == (409, refused)
    assert Inbox.objects.count() == 1


def test_sums_of_the_survey_are_shown_in_full_twenties(version: SurveyVersion) -> None:
    """No two looks differ by a few people, and none of the sums belongs to anybody."""
    for _ in range(3):
        turned = {"refused": 15, "broken": 0, "absent": 7}
        send(version.survey, parcel(version, interviews(version, 1), turned=turned))

    survey = Survey.objects.get()
    assert survey.turned_away == {"refused": 45, "broken": 0, "absent": 21}
    assert shown_turned(survey) == {"refused": 40, "broken": 0, "absent": 20}


def test_an_interview_says_that_it_is_one_only_where_that_was_decided() -> None:
    """Before publishing. Else it may say no other way than the page."""
    plain, named = version_with_interviews(), version_with_interviews("named", "named")

    said = send(named.survey, parcel(named, [lock(named, response(named, open={"mode": "interview"}))]))
    by_web = send(named.survey, parcel(named, [lock(named, response(named, open={"mode": "web"}))]))
    unasked = send(plain.survey, parcel(plain, [lock(plain, response(plain, open={"mode": "interview"}))]))

    assert said == (201, {"stored": 1})
    assert (by_web[0], by_web[1]["bad"], unasked[0], unasked[1]["bad"]) == (422, [0], 422, [0])
    assert [one.open for one in responses_waiting(named)] == [b'{"mode":"interview"}']


def altered(version: SurveyVersion, /, **fields: Any) -> dict[str, Any]:
    return parcel(version, interviews(version, 1), **fields)


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        (lambda _: b"{", (400, "The message is not JSON.")),
        (lambda _: b"[]", (400, "The message is not a JSON object.")),
        (lambda _: b"{}", (422, "The message must contain exactly version, code, boxes and turned.")),
        (lambda version: altered(version, code=1), (422, "version and code must be texts.")),
        (lambda version: altered(version, boxes=[]), (422, "boxes must hold 1 to 39 texts.")),
        (lambda version: altered(version, boxes=["A"] * 40), (422, "boxes must hold 1 to 39 texts.")),
        (lambda version: altered(version, boxes=[1]), (422, "boxes must hold 1 to 39 texts.")),
        (
            lambda version: altered(version, turned={"refused": 1}),
            (422, "turned must hold exactly refused, broken and absent."),
        ),
        (
            lambda version: altered(version, turned=NOBODY | {"refused": -1}),
            (422, "turned must hold numbers from 0 to 10000."),
        ),
        (
            lambda version: altered(version, turned=NOBODY | {"broken": True}),
            (422, "turned must hold numbers from 0 to 10000."),
        ),
        (lambda version: altered(version, code="0" * 32), (403, "This tablet does not belong to the survey.")),
        (lambda version: altered(version, code="é"), (403, "This tablet does not belong to the survey.")),
        (
            lambda version: altered(version, version="0" * 64),
            (409, "This survey has changed since the page was opened."),
        ),
        (lambda _: b" " * 65537, (413, "The message is larger than 64 KiB.")),
    ],
)
def test_a_message_that_does_not_fit_is_refused_in_one_sentence(message: Any, answer: tuple[int, str]) -> None:
    """And nothing is stored."""
    version = version_with_interviews()

    status, said = send(version.survey, message(version))

    assert (status, said["message"]) == answer
    assert not Inbox.objects.exists()


def test_boxes_that_cannot_be_read_are_named_and_nothing_is_stored() -> None:
    """The tablet sets them aside and sends the others: what is damaged never keeps back the rest."""
    version, other = version_with_interviews(), version_with_interviews(slug="other")
    good = interviews(version, 1)
    bad = [
        "no base64",
        "AAAA",
        good[0][:-8] + "AAAAAAA=",
        lock(other, response(version)),
        lock(version, b"{"),
        lock(version, response(other)),
        lock(version, response(version, record=[2, 0, 0])),
        lock(version, response(version, token={})),
    ]

    status, said = send(version.survey, parcel(version, [*bad[:4], *good, *bad[4:]]))

    assert (status, said["error"], said["bad"]) == (422, "boxes", [0, 1, 2, 3, 5, 6, 7, 8])
    assert said["message"] == "Some interviews of this parcel cannot be read."
    assert not Inbox.objects.exists()
    assert send(version.survey, parcel(version, good)) == (201, {"stored": 1})


def test_a_survey_without_interviews_takes_no_parcel(version: SurveyVersion) -> None:
    """Of its key nothing would be known."""
    without = publish(make_survey("without", direct=False))

    message = parcel(version, interviews(version, 1))
    assert send(without.survey, message) == (
        422,
        {"error": "content", "message": "This survey takes no interviews."},
    )


def test_tablets_send_after_all_others_until_their_last_day(version: SurveyVersion) -> None:
    """The page says that the survey is closed; what tablets send waits for the next sealing of twenty, or for the end,
    and only then the survey is closed for good.
    """
    survey, today = version.survey, timezone.localdate()
    send(survey, parcel(version, interviews(version, 39)))
    leave_to_tablets(survey, today + timedelta(days=3))
    seal.seal_all()

    assert send(survey, parcel(version, interviews(version, 5))) == (201, {"stored": 5})
    seal.seal_closed()
    seal.seal_all()
    survey.refresh_from_db()
    assert (survey.closed_at, survey.closes_at.date()) == (None, today + timedelta(days=4))
    assert (Snapshot.objects.count(), Inbox.objects.count()) == (1, 24) or Snapshot.objects.get().respondents == 24

    survey.closes_at = timezone.now() - timedelta(days=2)
    survey.save()
    assert send(survey, parcel(version, interviews(version, 1)))[0] == 410
    close(survey)
    seal.seal_all()
    assert (Snapshot.objects.last().respondents, Inbox.objects.count()) == (44, 0)


def test_the_page_is_closed_while_tablets_send(version: SurveyVersion) -> None:
    """Nobody answers in vain."""
    leave_to_tablets(version.survey, timezone.localdate())

    answer = send_by_page(Client(), version.survey.slug, response(version))
    assert (answer.status_code, json.loads(answer.content)["message"]) == (410, "This survey is closed.")


@pytest.mark.parametrize("days", [-1, 61])
def test_the_last_day_of_tablets_is_soon(days: int, version: SurveyVersion) -> None:
    """A day that has passed would close it at once; nobody waits for years."""
    with pytest.raises(EntryError, match="is not within the next 60 days"):
        leave_to_tablets(version.survey, timezone.localdate() + timedelta(days=days))


def test_a_version_with_interviews_ends_with_its_survey(version: SurveyVersion) -> None:
    """Tablets may hold interviews of it; a newer version would refuse them."""
    write(version.survey, interviews=False, heading={"en": "Other"})
    for end in (publish, end_version):
        with pytest.raises(EntryError, match="Tablets may hold interviews of version 1"):
            end(version.survey)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"direct": True}, "In an interview nobody answers directly"),
        ({"access": "invitation"}, "In an interview nobody answers directly"),
        ({"quota": 100}, "A survey with interviews has no quota"),
    ],
)
def test_what_tablets_cannot_do_is_refused_before_publishing(fields: dict[str, Any], sentence: str) -> None:
    """With what to take away."""
    survey = make_survey("clinics", **{"direct": False, **fields})
    write(survey, interviews=True)
    with pytest.raises(InputError, match=sentence):
        publish(survey)


def test_a_question_that_needs_a_network_is_named() -> None:
    """A picture lies on the site."""
    survey = make_survey("clinics", direct=False)
    write(survey, interviews=True)
    add_question(survey, "group", parameter="group", options=(("a", "A"), ("b", "B")), type="choice")
    with pytest.raises(InputError, match=r"“group” has “parameter”, which needs a network\."):
        publish(survey)


def test_the_key_is_drawn_once_and_by_the_site(version: SurveyVersion) -> None:
    """Publishing draws it; the definition names its public half alone, and a draft has none."""
    assert len(version.parsed.source["interviews"]["key"]) == 130
    assert InvitationKey.objects.count() == 1
