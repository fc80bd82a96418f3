"""Receiving one response: once and whole, and with nothing that could tell whose it is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

from django.db import IntegrityError, connection, transaction
from django.shortcuts import get_object_or_404

from surveys.domain import strict_json
from surveys.domain.definition import Definition
from surveys.domain.invite import check_token, exchange
from surveys.domain.publish import is_early, is_full, is_over
from surveys.domain.refusals import Refused, unfit
from surveys.domain.submission import Envelope, Stored, envelope, receipt, stored
from surveys.models import SpentToken, Submission, Survey, SurveyVersion, Trial, TrialResponse

# Written out because it is asked for every response: only what decides whether the survey collects, in one query.
_FIND = """
    SELECT s.id, s.opens_at, s.closes_at, s.closed_at, s.quota, v.id AS version_id,
           v.number = (SELECT max(number) FROM surveys_surveyversion WHERE survey_id = s.id) AS is_newest
    FROM surveys_surveyversion v JOIN surveys_survey s ON s.id = v.survey_id
    WHERE v.sha256 = %s AND s.slug = %s
"""
_SUBMISSION = "INSERT INTO surveys_submission (key, proof, survey_id) VALUES (%s, %s, %s)"
_INBOX = "INSERT INTO surveys_inbox (key, version_id, record, open) VALUES (%s, %s, %s, %s)"


@dataclass(frozen=True)
class Addressed:
    survey: Survey
    version_id: int
    is_newest: bool


def receive(slug: str, body: bytes) -> tuple[str, bool]:
    """Keep the response and return its receipt, and whether it is new; Refused says why not.

    A submission key that was used is recognised before anything else is asked, so that a retry gets its receipt also
    when the survey has closed or changed meanwhile.
    """
    sent = envelope(strict_json.read(body))
    to = _find(slug, sent.version)
    definition = _definition(sent.version)
    kept = stored(sent, definition)
    key, proof = receipt(sent.version, sent.key, kept)
    try:
        check_time(to.survey)
        if not to.is_newest:
            raise Refused(409, "version", "This survey has changed since the page was opened.")
        _keep(to, key, proof, kept, _token(definition, sent))
    except (Refused, IntegrityError) as refusal:
        known = Submission.objects.filter(key=key).values_list("proof", flat=True).first()
        if known is None:
            raise refusal
        return _again(key, proof, known), False
    return (key + proof).hex(), True


def _find(slug: str, sha256: str) -> Addressed:
    """The survey and the version of it that is answered."""
    survey = next(iter(Survey.objects.raw(_FIND, [sha256, slug])), None)
    if survey is None:
        get_object_or_404(Survey.objects.filter(versions__isnull=False).distinct(), slug=slug)
        raise Refused(409, "version", "This is not a version of this survey.")
    found = vars(survey)
    return Addressed(survey, found["version_id"], bool(found["is_newest"]))


def _keep(to: Addressed, key: bytes, proof: bytes, kept: Stored, token: bytes | None) -> None:
    """The rows of one response, all or none, and nothing done meanwhile that could be done before.

    Everybody who sends to a SQLite database waits for its one writer, and on PostgreSQL each statement is a way there
    and back; so the rows are written without Django's models.
    """
    survey = to.survey
    submission: list[bytes | int] = [key, proof, survey.pk]
    response: list[bytes | int] = [os.urandom(16), to.version_id, kept.record, kept.open]
    with connection.cursor() as cursor:
        alone = survey.quota is None and token is None and not connection.in_atomic_block
        if alone and connection.vendor == "postgresql":
            cursor.execute(f"WITH submission AS ({_SUBMISSION}) {_INBOX}", submission + response)
            return
        with transaction.atomic():
            if survey.quota is not None:
                _check_quota(survey)
            cursor.execute(_SUBMISSION, submission)
            if token and not SpentToken.objects.get_or_create(token=token, defaults={"survey": survey})[1]:
                raise Refused(409, "spent", "This invitation has been used.")
            cursor.execute(_INBOX, response)


def receive_trial(trial: Trial, body: bytes) -> tuple[str, bool]:
    """The same in test mode, into a table of its own."""
    sent = envelope(strict_json.read(body))
    if sent.version != trial.sha256:
        raise Refused(409, "version", "This is not the version that is tried here.")
    kept = stored(sent, trial.parsed)
    key, proof = receipt(sent.version, sent.key, kept)
    response, made = TrialResponse.objects.get_or_create(
        key=key, defaults={"proof": proof, "trial": trial, "record": kept.record, "open": kept.open}
    )
    return _again(key, proof, response.proof), made


def exchange_invitation(survey: Survey, body: bytes) -> str:
    """A blind signature for an invitation, while the survey takes responses to the version that is named."""
    sent = strict_json.read(body)
    if sent.keys() != {"version", "invitation", "blinded"} or not all(isinstance(text, str) for text in sent.values()):
        raise unfit("The message must hold version, invitation and blinded, and nothing else.")
    check_collecting(survey)
    newest = survey.versions.latest("number")
    if newest.sha256 != sent["version"]:
        raise Refused(409, "version", "This survey has changed since the page was opened.")
    if newest.parsed.access != "invitation":
        raise unfit("This survey needs no invitation.")
    return exchange(survey, sent["invitation"], sent["blinded"])


def is_receipt(text: str, survey: Survey) -> bool:
    """Whether the text is the receipt of a response that this survey has received."""
    key, proof = bytes.fromhex(text[:32]), bytes.fromhex(text[32:])
    return Submission.objects.filter(key=key, proof=proof, survey=survey).exists()


def is_trial_receipt(text: str, trial: Trial) -> bool:
    key, proof = bytes.fromhex(text[:32]), bytes.fromhex(text[32:])
    return TrialResponse.objects.filter(key=key, proof=proof, trial=trial).exists()


def check_time(survey: Survey) -> None:
    """Refused before a survey opens and after it has closed."""
    if is_early(survey):
        raise Refused(403, "not-open", "This survey is not open yet.")
    if is_over(survey):
        raise Refused(410, "closed", "This survey is closed.")


def check_collecting(survey: Survey) -> None:
    """The same, and once its quota is full: nobody shall fill in what will not be taken."""
    check_time(survey)
    if is_full(survey):
        raise Refused(410, "closed", "This survey is closed.")


def _token(definition: Definition, sent: Envelope) -> bytes | None:
    """The hash of the token that an invitation was exchanged for; None where the survey is open."""
    if definition.access == "invitation":
        return check_token(definition.source["key"], sent.token)
    if sent.token is not None:
        raise unfit("An open survey takes no token.")
    return None


def _check_quota(survey: Survey) -> None:
    """Counted under a lock in the transaction that inserts, so that no two take the last place."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    if is_full(survey):
        raise Refused(410, "closed", "This survey is closed.")


def _again(key: bytes, proof: bytes, known: bytes) -> str:
    if bytes(known) != proof:
        raise Refused(409, "key", "Another response was sent under this key.")
    return (key + proof).hex()


@lru_cache(maxsize=64)
def _definition(sha256: str) -> Definition:
    """Named by its hash, a definition never changes."""
    return SurveyVersion.objects.get(sha256=sha256).parsed
