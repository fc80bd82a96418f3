"""What may be asked for, and that asking twice is asking once."""

import pytest

from mining.domain import request as requests
from mining.domain.claim import claim, finish
from mining.domain.request import request_run, run_again
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from privacy.errors import InputError
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from tests.mining.surveys import queued_run, sealed_survey
from tests.surveys.making import make_survey


@pytest.fixture
def hints(monkeypatch):
    """The runs that workers were called for."""
    runs: list[int] = []
    monkeypatch.setattr(requests, "hint", runs.append)
    return runs


def test_the_same_request_is_the_same_run(hints, django_capture_on_commit_callbacks, survey):
    """Snapshot and parameters name the run: a second request returns it and hints at nothing."""
    with django_capture_on_commit_callbacks(execute=True):
        first = queued_run(survey)
        second = queued_run(survey)
        other = queued_run(survey, negated=True)
    assert first == second
    assert hints == [first.pk, other.pk]


def test_the_hint_waits_for_the_commit(hints):
    """Inside a transaction that may still fail no worker is told."""
    queued_run(sealed_survey(200))
    assert hints == []


def test_a_new_snapshot_makes_a_new_run(hints, survey):
    """The same parameters on newer responses are another run; the older keeps its snapshot."""
    first = queued_run(survey)
    from privacy.records.packing import pack
    from surveys.domain.responses.seal import append
    from surveys.domain.responses.snapshots import records

    append(first.snapshot.version, pack(records(first.snapshot)), [b""] * 200)
    second = queued_run(survey)
    assert (first.snapshot.respondents, second.snapshot.respondents) == (200, 400)
    assert MiningRun.objects.count() == 2


def test_a_survey_may_ask_for_more_respondents(hints, survey):
    """The smallest number is the survey's own; 100 unless it says otherwise."""
    Survey.objects.update(least=201)
    with pytest.raises(InputError, match="fewer than 201 people have answered"):
        queued_run(survey)


def test_nothing_is_mined_without_a_snapshot(hints):
    """Responses that are not sealed yet are nobody's to count."""
    survey = make_survey()
    publish(survey)
    with pytest.raises(InputError, match="no snapshot yet"):
        request_run(survey, MiningRequest(0.1, 0.5))


def test_an_ended_run_can_be_run_again(hints, django_capture_on_commit_callbacks):
    """It waits again with its attempts forgotten, and its old result stands until the new one comes."""
    run = queued_run(sealed_survey(200))
    assert not run_again(run)
    finish(run.pk, claim(run.pk), {"from": "first"}, b"")
    with django_capture_on_commit_callbacks(execute=True):
        assert run_again(run)
    run.refresh_from_db()
    assert (run.state, run.attempts, run.result.summary) == ("queued", 0, {"from": "first"})
    assert hints == [run.pk]
    assert finish(run.pk, claim(run.pk), {"from": "second"}, b"")
    run.result.refresh_from_db()
    assert run.result.summary == {"from": "second"}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"min_support": 0.0}, "min_support: 0 is not"),
        ({"min_support": -0.1}, "min_support: -0.1 is not"),
        ({"min_support": 1.1}, "min_support: 1.1 is not"),
        ({"min_support": 1.0000001}, "min_support: 1.0000001 is not"),
        ({"min_confidence": -1e-12}, "min_confidence: -1e-12 is not"),
        ({"min_support": float("nan")}, "min_support: nan is not"),
        ({"min_confidence": float("nan")}, "min_confidence: nan is not"),
        ({"min_confidence": 1.5}, "min_confidence: 1.5 is not"),
        ({"max_length": 7}, "max_length: 7 is not from 1 to 6"),
        ({"max_length": 0}, "max_length: 0 is not from 1 to 6"),
        ({"estimator": "best"}, "estimator: 'best' is not one of"),
        ({"engine": "fast"}, "engine: 'fast' is not one of"),
        ({"cases": "all"}, "cases: 'all' is not one of available, complete"),
    ],
)
def test_values_that_make_no_sense_are_refused(wrong, sentence):
    """Each refusal names the field, the value and the rule."""
    with pytest.raises(InputError, match=sentence):
        MiningRequest(**{"min_support": 0.1, "min_confidence": 0.5, **wrong})
