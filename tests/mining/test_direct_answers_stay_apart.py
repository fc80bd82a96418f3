"""Direct answers enter figures once only: of what a version has collected when it collects no more."""

import json

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.domain.result import mine_snapshot
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from mining.engines.warnings import sentences
from mining.models import MiningRun
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import disclosure, seal
from surveys.domain.responses.snapshots import latest, records
from surveys.models import Survey, SurveyVersion
from tests.mining.surveys import end_run, sealed_survey
from tests.surveys.inbox import wait
from tests.surveys.making import add_question, drop_questions, make_survey, write
from tests.surveys.sending import send, submission

ASKED = {"min_support": 0.01, "min_confidence": 0.0, "max_length": 2, "estimator": "stratified", "engine": "bitset"}


def test_flooding_a_survey_does_not_tell_what_the_victim_answered(admin_client: Client) -> None:
    """The attack: forge all others, let the site report, let one unknown person answer directly, report once more.

    The count of direct yeses, 12 of 112 strangers and forged, became 13 of 213 with the victim. Now both reports are
    those of the disguised alone, to the last digit, and say that direct ones are left out.
    """
    survey = make_survey(names=("drugs", "cheating"))
    version = publish(survey)

    def respond(count: int, direct: int, record: list[int]) -> None:
        sent = Records(version.design, np.array([record], np.uint8), np.array([direct == 1]))
        wait(version, [Stored(pack(sent).tobytes(), b"")] * count)

    def report() -> dict:
        seal.seal_all()
        answer = admin_client.post(reverse("mining_start", args=[survey.pk]), ASKED)
        run = MiningRun.objects.latest("pk")
        assert answer.url == run.get_absolute_url()
        end_run(run)
        address = reverse("mining_run_export", args=[run.pk, "result.json"])
        of_file = json.loads(b"".join(admin_client.get(address)))
        shown = admin_client.get(run.get_absolute_url()).content.decode()
        assert "direct respondents" not in shown
        sealed = records(run.snapshot)
        alone = findings([(sealed.codes[~sealed.direct], sealed.direct[~sealed.direct])], version.design, run.request)
        assert bytes(run.result.columns) == alone.columns.to_bytes()
        return run.result.summary | {"file": of_file}

    respond(188, 0, [0, 1])
    respond(12, 1, [1, 0])
    respond(100, 1, [0, 0])
    respond(20, 0, [1, 1])
    before = report()
    respond(1, 1, [1, 1])  # the victim
    respond(100, 1, [0, 0])
    respond(20, 0, [1, 1])
    after = report()

    for told in (before, after):
        assert (told["direct"], told["groups"]["answers"], told["left_out"]) == (0, [], 0)
        assert told["file"]["summary"]["direct"] == 0
        assert any(one.startswith("Direct answers are left out, ") for one in sentences(told["warnings"], told["n"]))


@pytest.mark.parametrize("least", [1, 100])
def test_direct_answers_count_once_the_version_is_closed(least: int) -> None:
    """Of the last snapshot, whose figures are those of all its records, because no combination of answers is rare."""
    survey = sealed_survey(2000, least=20)
    snapshot = latest(survey)
    request = MiningRequest(0.1, 0.4, least=least)
    assert mine_snapshot(snapshot, request).summary["direct"] == 0
    close(survey)
    made = mine_snapshot(snapshot, request)
    whole = records(snapshot)
    assert made.summary["direct"] == whole.direct.sum() > 100
    assert made.columns.to_bytes() == findings([(whole.codes, whole.direct)], whole.design, request).columns.to_bytes()
    assert made.summary["warnings"] == []


def test_direct_answers_that_few_share_count_in_no_rule() -> None:
    """Fewer than 100 of the direct respondents gave some answers alike: runs are of the others, and say how many."""
    snapshot = latest(sealed_survey(2000, closed=True))
    alone = records(snapshot)
    request = MiningRequest(0.1, 0.4, least=100)

    made = mine_snapshot(snapshot, request)

    direct = int(alone.direct.sum())
    assert (made.summary["n"], made.summary["direct"], made.summary["left_out"]) == (2000 - direct, 0, direct)
    disguised = findings([(alone.codes[~alone.direct], alone.direct[~alone.direct])], alone.design, request)
    assert made.columns.to_bytes() == disguised.columns.to_bytes()
    assert sentences(made.summary["warnings"], made.summary["n"])[0].startswith(
        f"The direct answers of {direct} respondents are left out, and all figures are about the others: too few "
        f"people gave the same direct answers"
    )


def test_a_simulated_survey_is_told_of_at_any_time() -> None:
    """Nobody can be found in it; that too few share their direct answers holds for it, too."""
    of_many, of_few = sealed_survey(2000, least=20, simulated=True), sealed_survey(500, slug="few", simulated=True)

    assert [mine_snapshot(latest(one), MiningRequest(0.1, 0.4)).summary["direct"] for one in (of_many, of_few)] == [
        420,
        0,
    ]


def test_an_earlier_snapshot_of_a_closed_version_tells_nothing_of_the_direct_group() -> None:
    """A run keeps its snapshot: mined again after the end, it would stand beside the last one and differ by few."""
    survey = sealed_survey(200, least=20)
    first = latest(survey)
    MiningRun.objects.create(snapshot=first, requested_at=timezone.now(), **ASKED, negated=False)
    seal.append(survey.versions.get(), pack(records(first)), [b""] * 200)
    close(survey)
    assert [disclosure.reportable(snapshot).direct for snapshot in (first, latest(survey))] == [False, True]


def test_who_asks_of_a_survey_that_collects_takes_no_lock(django_assert_num_queries) -> None:
    """Else everybody who sends would wait behind the one who asks, who waits for those who send."""
    snapshot = latest(sealed_survey(200))
    with django_assert_num_queries(1):
        assert not disclosure.is_last(snapshot)


def test_what_waits_keeps_a_closed_version_from_being_told_of(survey: Survey) -> None:
    """The last responses are in no snapshot yet."""
    send(Client(), "study", submission(survey.versions.get()))
    close(survey)
    assert not disclosure.is_last(latest(survey))
    seal.seal_closed()
    assert disclosure.is_last(latest(survey))
    assert latest(survey).respondents == 201


def test_a_version_that_a_newer_one_replaces_is_closed() -> None:
    """The survey goes on under another version; the first one collects no more."""
    survey = sealed_survey(200, least=20)
    snapshot = latest(survey)
    drop_questions(survey, "q0")
    publish(survey)
    assert disclosure.reportable(snapshot) == disclosure.Reportable(direct=True, open=True, settled=True)


def test_a_date_that_has_passed_ends_nothing_until_it_is_for_good(survey: Survey) -> None:
    """As long as `closed_at` is not set the date can still be moved."""
    Survey.objects.filter(pk=survey.pk).update(closes_at=timezone.now())
    assert not disclosure.is_last(latest(survey))


def test_an_early_look_is_frozen_and_leaves_the_direct_group_out() -> None:
    """Who says at publication that responses may be looked at gets the disguised ones, with their undisguised
    answers.
    """
    survey = make_survey(early=True)
    add_question(survey, "age", type="number", minimum="18", maximum="99")
    version = publish(survey)
    assert version.parsed.source["early"] is True
    write(survey, early=False)
    assert _answers(version, 100, 40) == [20] * 100

    other = publish(make_survey("other"))
    seal.append(other, _rows(other, 100, 40), [b""] * 140)
    with pytest.raises(Exception, match="after this version is closed"):
        list(disclosure.responses(other.snapshots.get()))


def _rows(version: SurveyVersion, disguised: int, direct: int) -> np.ndarray:
    row = np.zeros((disguised + direct, 1), np.uint8)
    row[disguised:] = 0x80  # the first bit: direct
    return row


def _answers(version: SurveyVersion, disguised: int, direct: int) -> list[int]:
    """The undisguised answers that may be read of so many responses; those of direct respondents differ."""
    lines = [b'{"age": 20}'] * disguised + [b'{"age": 70}'] * direct
    snapshot = seal.append(version, _rows(version, disguised, direct), lines)
    read = [(kept, lines) for kept, lines in disclosure.responses(snapshot)]
    assert not any(kept.direct.any() for kept, _ in read)
    return [json.loads(line)["age"] for _, lines in read for line in lines]


def test_who_may_look_early_reads_so_before_publishing(admin_client: Client) -> None:
    """Nothing is said of it where it is as usual."""
    sentences = ("may be read before this version is closed", "stays beside their other answers")
    for survey, told in ((make_survey("usual"), False), (make_survey("early", early=True, beside=True), True)):
        page = admin_client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
        assert [sentence in page for sentence in sentences] == [told, told]
