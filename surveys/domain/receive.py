"""Receiving one response: once and whole, and with nothing that could tell whose it is."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache, lru_cache
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from surveys.definition import Definition
from surveys.domain import strict_json
from surveys.domain.invite import check_token, exchange
from surveys.domain.publish import is_early, is_full, is_over, published
from surveys.domain.refusals import Refused, unfit
from surveys.domain.submission import Envelope, envelope, receipt, stored
from surveys.models import SpentToken, Submission, Survey, SurveyVersion, Trial, TrialResponse

# What a response must meet to be kept, asked in the statement that keeps it: no check can grow old before the insert.
_COLLECTING = """
    SELECT s.id AS survey_id, v.id AS version_id
    FROM surveys_surveyversion v JOIN surveys_survey s ON s.id = v.survey_id
    WHERE v.sha256 = %(version)s AND s.slug = %(slug)s AND s.closed_at IS NULL
      AND (s.opens_at IS NULL OR s.opens_at <= %(now)s) AND (s.closes_at IS NULL OR s.closes_at > %(now)s)
      AND (s.quota IS NULL OR %(counted)s)
      AND NOT EXISTS (SELECT 1 FROM surveys_surveyversion n WHERE n.survey_id = s.id AND n.number > v.number)
"""
_SUBMISSION = "INSERT INTO surveys_submission (key, proof, survey_id) SELECT %(key)s, %(proof)s, survey_id FROM "
_SPENT = "INSERT INTO surveys_spenttoken (token, survey_id) SELECT %(token)s, survey_id FROM "
_INBOX = (
    "INSERT INTO surveys_inbox (key, version_id, record, open) SELECT %(place)s, version_id, %(record)s, %(open)s FROM "
)

_WRITER = threading.RLock()  # held by the one thread of this process that keeps a response in a SQLite database


def receive(slug: str, body: bytes) -> tuple[str, bool]:
    """Keep the response and return its receipt, and whether it is new; Refused says why not.

    A submission key that was used is recognised whatever else there is to say, so that a retry gets its receipt also
    when the survey has closed or changed meanwhile.
    """
    sent = envelope(strict_json.read(body))
    definition = _definition(slug, sent.version)
    kept = stored(sent, definition)
    key, proof = receipt(sent.version, sent.key, kept)
    try:
        token = _token(definition, sent)
        row = {"slug": slug, "version": sent.version, "key": key, "proof": proof, "token": token, **vars(kept)}
        if not _keep(row, counted=False):
            _keep_or_refuse(row)
    except (Refused, IntegrityError) as refusal:
        known = Submission.objects.filter(key=key).values_list("proof", flat=True).first()
        if known is not None:
            return _again(key, proof, known), False
        if isinstance(refusal, IntegrityError):
            if SpentToken.objects.filter(token=token).exists():
                raise Refused(409, "spent", "This invitation has been used.") from None
            raise Refused(410, "closed", "This survey is closed.") from None  # erased while this was on its way
        raise refusal
    return (key + proof).hex(), True


def _keep(row: dict[str, Any], counted: bool) -> bool:
    """Write the rows of one response, all or none; False where the survey does not collect, or counts first.

    IntegrityError where the key or the token was used. Everybody who sends to a SQLite database waits for its one
    writer, and on PostgreSQL each statement is a way there and back: so this is one statement where the database can,
    and written without Django's models.
    """
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    values = {**row, "place": os.urandom(16), "now": now, "counted": counted}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with transaction.atomic() if row["token"] or connection.in_atomic_block else nullcontext():
                cursor.execute(_in_one(row["token"] is not None), values)
                collecting, kept = cursor.fetchone()
                if collecting > kept:
                    raise IntegrityError("The key or the token was used.")
                return bool(kept)
        with _turn(), transaction.atomic():
            for insert in [_SUBMISSION, *([_SPENT] if row["token"] else []), _INBOX]:
                cursor.execute(f"{insert}({_COLLECTING})", values)
            return cursor.rowcount == 1


@contextmanager
def _turn() -> Iterator[None]:
    """Threads that keep responses in SQLite queue up: it would let each sleep and try again, longer every time.

    OperationalError after as long as SQLite itself would let them wait.
    """
    if connection.vendor != "sqlite":
        yield
        return
    if not _WRITER.acquire(timeout=connection.settings_dict["OPTIONS"]["timeout"]):
        raise OperationalError("Others are writing.")
    try:
        yield
    finally:
        _WRITER.release()


@cache
def _in_one(token: bool) -> str:
    """The inserts as one statement, each of what the one before has inserted; it says how many collect and were kept.

    A key that was used inserts nothing and is no error: PostgreSQL would write the key to its log. The last sealing
    waits for the survey's key, and whoever comes to it later waits and asks again whether the survey is open.
    """
    steps = [f"collecting AS ({_COLLECTING} FOR KEY SHARE OF s)"]
    came = "collecting"
    for step, insert in {"submitted": _SUBMISSION, **({"spent": _SPENT} if token else {})}.items():
        steps.append(f"{step} AS ({insert}{came} ON CONFLICT DO NOTHING RETURNING survey_id)")
        came = step
    steps.append(f"kept AS ({_INBOX}collecting NATURAL JOIN {came} RETURNING 1)")
    return f"WITH {', '.join(steps)} SELECT (SELECT count(*) FROM collecting), (SELECT count(*) FROM kept)"


def _keep_or_refuse(row: dict[str, Any]) -> None:
    """Say why nothing was kept; a survey with a quota is counted under a lock, so that no two take the last place."""
    survey = published(row["slug"])
    check_time(survey)
    newest_version(survey, row["version"])
    with _turn(), transaction.atomic():
        survey = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        if is_full(survey) or not _keep(row, counted=True):
            newest_version(survey, row["version"])  # published since it was asked above
            raise _closed(survey)


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
    newest = newest_version(survey, sent["version"])
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
    if survey.opens_at is not None and is_early(survey):
        raise Refused(403, "not-open", "This survey is not open yet.", opens=survey.opens_at.isoformat())
    if is_over(survey):
        raise _closed(survey)


def newest_version(survey: Survey, sha256: str) -> SurveyVersion:
    """The version that is answered, if it is the newest."""
    newest: SurveyVersion = survey.versions.latest("number")
    if newest.sha256 != sha256:
        raise Refused(409, "version", "This survey has changed since the page was opened.")
    return newest


def check_collecting(survey: Survey) -> None:
    """The same, and once its quota is full: nobody shall fill in what will not be taken."""
    check_time(survey)
    if is_full(survey):
        raise _closed(survey)


def _closed(survey: Survey) -> Refused:
    """With what the researcher has to say to those who come too late, where that is anything."""
    text = {language: text for language, text in (survey.closed or {}).items() if text}
    return Refused(410, "closed", "This survey is closed.", **({"text": text} if text else {}))


def _token(definition: Definition, sent: Envelope) -> bytes | None:
    """The hash of the token that an invitation was exchanged for; None where the survey is open."""
    if definition.access == "invitation":
        return check_token(definition.source["key"], sent.token)
    if sent.token is not None:
        raise unfit("An open survey takes no token.")
    return None


def _again(key: bytes, proof: bytes, known: bytes) -> str:
    if bytes(known) != proof:
        raise Refused(409, "key", "Another response was sent under this key.")
    return (key + proof).hex()


def _definition(slug: str, sha256: str) -> Definition:
    """The definition that is answered, of whatever survey; whether it is this one's is asked when the rows are kept."""
    try:
        return _parsed(sha256)
    except SurveyVersion.DoesNotExist:
        newest_version(published(slug), sha256)
        raise


@lru_cache(maxsize=64)
def _parsed(sha256: str) -> Definition:
    """Named by its hash, a definition never changes."""
    return SurveyVersion.objects.get(sha256=sha256).parsed
