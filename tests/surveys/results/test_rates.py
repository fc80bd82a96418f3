"""Rates that surveys must report: invited and sent, after closing, so that no few people follow."""

import pytest

from surveys.domain.exports.codebook import codebook
from surveys.domain.messages.invite import add_batch, draw
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import counts
from surveys.domain.responses.counts import Rates, rates, say_rates
from surveys.domain.responses.seal import append
from surveys.models import Inbox, InvitationBatch, SealingRound, Survey
from surveys.results.study_pack import protocol
from tests.mining.surveys import _records, sealed_survey
from tests.surveys.making import edit_draft

DO_NOT_EXIST = "RR2 to RR6 and rates of cooperation, refusal, contact and completion do not exist"


def invite(survey: Survey, count: int) -> None:
    draw(add_batch(survey, str(count), count))


@pytest.fixture
def invited() -> Survey:
    """A closed survey by invitation with 1000 answers; 1400 links were drawn, in two batches."""
    survey = sealed_survey(1000, access="invitation")
    invite(survey, 1200)
    invite(survey, 200)
    close(survey)
    return survey


def test_invited_and_sent_are_told_by_the_names_of_the_field(invited: Survey) -> None:
    """1400 invited and 1000 sent: the silent 400 are given as 400 to 419, so RR1 is 1000/1419 to 1000/1400."""
    known = rates(invited)

    assert known == Rates(1000, (1400, 1419))
    assert known.as_json() == {"sent": 1000, "invited": [1400, 1419], "RR1": [0.704, 0.715]}
    said = list(say_rates(invited))
    assert said[0].startswith("Invited: 1\u202f400 to 1\u202f419")
    assert said[0].endswith("70.4 to 71.5 %.")
    assert DO_NOT_EXIST in said[1]


def test_files_and_study_pack_hold_them(invited: Survey) -> None:
    """As the report does: archives ask for them."""
    snapshot = counts.newest(invited)[0]

    assert codebook(snapshot)["rates"] == {"sent": 1000, "invited": [1400, 1419], "RR1": [0.704, 0.715]}
    assert "Response rate (AAPOR RR1, the minimum): 70.4 to 71.5 %." in protocol(snapshot)


def test_that_few_did_not_answer_is_never_told(invited: Survey) -> None:
    """Whatever is printed is printed for twenty numbers of silent people at least, one of them twenty or more."""
    for silent in range(100):
        InvitationBatch.objects.update(count=0)
        InvitationBatch.objects.filter(label="200").update(count=1000 + silent)
        known = rates(invited)

        assert known is not None
        least, most = (end - 1000 for end in known.invited)
        assert least <= silent <= most
        assert most - least >= 19
        assert most >= 20


def test_while_it_collects_nothing_is_said() -> None:
    """Two looks would tell who came between them."""
    survey = sealed_survey(1000, access="invitation")
    invite(survey, 1400)

    assert (rates(survey), list(say_rates(survey))) == (None, [])


def test_an_open_link_has_no_rate() -> None:
    """Nobody knows how many saw it, and the report says that the rates do not exist."""
    survey = sealed_survey(300, closed=True)

    assert rates(survey) is None
    assert [DO_NOT_EXIST in sentence for sentence in say_rates(survey)] == [False, True]


def test_a_group_that_is_counted_nowhere_is_in_no_rate() -> None:
    """A fifth of 300 answered directly: fewer than are reported, and the number of all would tell how many."""
    survey = sealed_survey(300, access="invitation")
    invite(survey, 700)
    close(survey)

    assert rates(survey) is None
    assert "not shown" in next(say_rates(survey))


def test_a_version_by_an_open_link_leaves_no_rate() -> None:
    """1000 came by an open link, and 1000 of the 2400 invited to the next version: 2000 of 2400 would be false."""
    survey = sealed_survey(1000)
    with edit_draft(survey) as document:
        document["access"] = "invitation"
    version = publish(survey)
    invite(survey, 2400)
    append(version, _records(version.design, 1000), [b""] * 1000)
    close(survey)

    assert rates(survey) is None


def test_links_that_nobody_has_invited_nobody(invited: Survey) -> None:
    """A batch whose links were never drawn, so that nobody was given one."""
    InvitationBatch.objects.create(survey=invited, label="later", count=5000, created_on="2026-01-01")

    assert rates(invited) == Rates(1000, (1400, 1419))


def test_nothing_is_said_while_answers_wait_to_be_sealed(invited: Survey) -> None:
    """Else what is said afterwards would tell how many waited."""
    waits_for = SealingRound.objects.create(key=b"round", current=False)
    Inbox.objects.create(key=b"1", version=invited.versions.get(), round=waits_for, box=b"")

    assert rates(invited) is None
