"""Receiving a response: it is stored once and whole, with nothing that could tell whose it is."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, lru_cache
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from surveys.definition import Definition
from surveys.domain.database import used
from surveys.domain.database.busy import reconnecting
from surveys.domain.messages import submission
from surveys.domain.messages.invite import check_token, exchange
from surveys.domain.messages.submission import (
    Envelope,
    Refused,
    Stored,
    bytes_to_store,
    check_asked,
    check_stated,
    envelope,
    receipt,
    unfit,
)
from surveys.domain.questionnaire.closing import close_ended, is_early, is_over
from surveys.domain.questionnaire.quotas import is_full, keep_count
from surveys.domain.questionnaire.versions import get_public_survey, parse_version
from surveys.domain.responses import sealing_keys, waiting
from surveys.features import WEB
from surveys.models import Survey, SurveyVersion, Trial, TrialResponse

# The conditions for storing a response are part of the SQL command that stores it: nothing can change between the two.
# Of a newer version both say: the survey's row, which alone PostgreSQL reads again once it has waited for it; and the
# versions, which a web server of an earlier release publishes without a word in that row.
_COLLECTING = """
    SELECT s.id AS survey_id, v.id AS version_id, r.key AS round_id
    FROM surveys_surveyversion v JOIN surveys_survey s ON s.id = v.survey_id JOIN surveys_sealinground r ON r.current
    WHERE r.key = %(round)s AND v.sha256 = %(version)s AND s.slug = %(slug)s AND s.rehearses_id IS NULL
      AND s.closed_at IS NULL AND (s.tablets_alone_since IS NULL OR %(tablet)s)
      AND (s.opens_at IS NULL OR s.opens_at <= %(now)s) AND (s.closes_at IS NULL OR s.closes_at > %(now)s)
      AND (s.quota IS NULL OR %(locked)s AND (%(whole)s OR
           s.quota > (SELECT q.responses FROM surveys_quotacount q WHERE q.survey_id = s.id)))
      AND (s.newest IS NULL OR s.newest <= v.number)
      AND NOT EXISTS (SELECT 1 FROM surveys_surveyversion n WHERE n.survey_id = s.id AND n.number > v.number)
"""
_SUBMISSION = "INSERT INTO surveys_submission (key, proof, survey_id) SELECT %(key)s, %(proof)s, survey_id FROM "
# A token is spent at the survey that signed it: once in all arms of a study.
_SPENT = "INSERT INTO surveys_spenttoken (token, survey_id) SELECT %(token)s, COALESCE(%(signer)s, survey_id) FROM "
_INBOX = (
    "INSERT INTO surveys_inbox (key, version_id, round_id, box) SELECT %(place)s, version_id, round_id, %(box)s FROM "
)

# A survey with a quota, by the lock on whose row responses to it come one after the other; and whether it is full now.
_LOCK = "SELECT quota FROM surveys_survey WHERE slug = %(slug)s"
_FULL = (
    "SELECT 1 FROM surveys_survey s JOIN surveys_quotacount q ON q.survey_id = s.id"
    " WHERE s.slug = %(slug)s AND s.quota <= q.responses"
)

_with_quota: set[str] = set()  # versions of such surveys, as this process has met them
_WRITER = threading.RLock()  # held by the one thread of this process that stores a response in a SQLite database


def receive(slug: str, body: bytes) -> tuple[str, bool]:
    """Store the response in this body; return its receipt in hex, and whether it is new. Refused says why it was not.

    A submission key that was used before is recognised first of all, so that a retry gets its receipt even if the
    survey has closed or changed meanwhile.
    """
    sent = envelope(submission.read_object(body))
    definition = _definition(slug, sent.version)
    check_stated(sent, definition, WEB)
    response = bytes_to_store(sent, definition)
    key, proof = receipt(sent.version, sent.key, response)
    try:
        token, signer = _hash_of_token(definition, sent), _find_signer(definition)
        row = _row(slug, sent, key, proof, token, signer)
        store_quickly = _store_under_lock if sent.version in _with_quota else _store
        if not store_quickly(row, response):
            _store_or_refuse(row, response)
    except (Refused, IntegrityError) as refusal:
        survey = SurveyVersion.objects.filter(sha256=sent.version).values_list("survey", flat=True).first()
        earlier_proof = used.receipt_of(survey, key) if survey else None
        if earlier_proof is not None:
            return _repeat_receipt(key, proof, earlier_proof), False
        if isinstance(refusal, IntegrityError):
            if survey and token and used.is_spent(signer or survey, token):
                raise Refused(409, "spent", "This invitation has been used.") from None
            if survey:  # what it was used for stands where this version does not look: a newer one has moved it
                raise Refused(503, "busy", "The server is busy; your device will try again.") from None
            raise Refused(410, "closed", "This survey is closed.") from None  # erased at this moment
        raise refusal
    return (key + proof).hex(), True


def _row(
    slug: str, sent: Envelope, key: bytes, proof: bytes, token: bytes | None = None, signer: int | None = None,
    *, whole: bool = False, tablet: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """What the commands above name of a response; `whole`: of a stack that is stored all or not at all; `tablet`: of
    interviews.
    """
    own = {"slug": slug, "version": sent.version, "key": key, "proof": proof}
    return own | {"token": token, "signer": signer, "whole": whole, "tablet": tablet}


def _store(row: dict[str, Any], response: Stored, locked: bool = False) -> bool:
    """Encrypt the response and store it; False if the survey does not collect (see `_insert`).

    The keys of the current round are kept in memory. The command stores nothing under a round that has ended, so
    then they are read again.
    """
    definition = parse_version(row["version"])
    tried = None
    while (recipients := _recipients(read_again=tried is not None)) != tried:
        place = os.urandom(16)
        box = waiting.close(response, definition, row["version"], place, recipients.public_keys)
        if _insert({**row, "round": recipients.round, "place": place, "box": box, "locked": locked}):
            return True
        tried = recipients
    return False


def _insert(row: dict[str, Any]) -> bool:
    """Write the rows of one response, all or none; True if they were written.

    False if the survey does not collect, if it has a quota that is full, whose count is not kept yet, or while the
    caller has not `locked` the survey, or if the round has ended. IntegrityError if the key or the token was used, also
    by this call itself if its connection ended and it was made again.
    """
    return reconnecting(lambda: _write_rows(row))


def _write_rows(row: dict[str, Any]) -> bool:
    """Do what `_insert` does, over the present connection.

    Everybody who sends to a SQLite database waits for its one writer, and on PostgreSQL each command costs a round
    trip; so this does without Django's models, and on PostgreSQL it is one command.
    """
    values = {**row, "now": connection.ops.adapt_datetimefield_value(timezone.now())}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with transaction.atomic() if row["token"] or connection.in_atomic_block else nullcontext():
                cursor.execute(_single_command(row["token"] is not None), values)
                collecting, list_stored = cursor.fetchone()
                if collecting > list_stored:
                    raise IntegrityError("The key or the token was used.")
                return bool(list_stored)
        with _writers_turn(), transaction.atomic():
            # The key comes last: it adds one to the count of a quota, which limits the others as well.
            for insert in [_INBOX, *([_SPENT] if row["token"] else []), _SUBMISSION]:
                cursor.execute(f"{insert}({_COLLECTING})", values)
            return cursor.rowcount == 1


@contextmanager
def _writers_turn() -> Iterator[None]:
    """Let the threads of this process store responses in SQLite one after the other.

    SQLite itself would let each thread sleep and try again, longer every time. OperationalError after the same timeout
    that SQLite has.
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
def _single_command(with_token: bool) -> str:
    """All inserts as one command; it returns how many versions collect (0 or 1), and how many responses were stored.

    Each insert takes what the one before it has inserted. A key that was used inserts nothing and is no error, because
    PostgreSQL would write the key to its log. The command locks the survey's key and the round; the last
    sealing waits for the first lock, and the process that destroys the keys of the round for the second. A command that
    comes after either asks again whether the survey is collecting, whether a newer version takes its responses, and
    whether the round is still the current one.
    """
    steps = [f"collecting AS ({_COLLECTING} FOR KEY SHARE OF s, r)"]
    previous = "collecting"
    for step, insert in {"submitted": _SUBMISSION, **({"spent": _SPENT} if with_token else {})}.items():
        steps.append(f"{step} AS ({insert}{previous} ON CONFLICT DO NOTHING RETURNING survey_id)")
        previous = step
    steps.append(f"kept AS ({_INBOX}collecting CROSS JOIN {previous} RETURNING 1)")
    return f"WITH {', '.join(steps)} SELECT (SELECT count(*) FROM collecting), (SELECT count(*) FROM kept)"


def _store_under_lock(row: dict[str, Any], response: Stored) -> bool:
    """Do what `_store` does, for a survey with a quota. The response that takes the last place closes it for good;
    of a stack that is stored as a `whole` its caller closes it.
    """
    with _writers_turn(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOCK + (" FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""), row)
        if cursor.fetchone() == (None,):  # it was removed: the next one does without the lock
            _with_quota.discard(row["version"])
        if not _store(row, response, locked=True):
            return False
        cursor.execute(_FULL, row)
        if cursor.fetchone() and not row["whole"]:
            close_ended(Survey.objects.get(slug=row["slug"]))
        return True


def _store_or_refuse(row: dict[str, Any], response: Stored) -> None:
    """Say why nothing was stored, or store the response under a lock if the survey has a quota.

    The lock keeps two responses from taking the last place of the quota.
    """
    survey = get_public_survey(row["slug"])
    check_time(survey)
    newest_version(survey, row["version"])
    with _writers_turn(), transaction.atomic():
        survey = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        keep_count(survey)
        if is_full(survey) or not _store_under_lock(row, response):
            newest_version(survey, row["version"])  # a version that was published after the check above
            raise refusal_of_closed(survey)
    if survey.quota is not None:
        _with_quota.add(row["version"])


def receive_together(version: SurveyVersion, responses: Sequence[Envelope], *, tablet: bool = False) -> list[str]:
    """Store what staff or a `tablet` send at once, all of it or nothing; the receipts of what is new, in an order that
    tells nothing. What is stored already counts once.

    A quota closes the survey behind it: to refuse what is more than its last places would tell how many there are.
    Refused, or an InputError, says why nothing was stored. Call it inside a transaction of the caller's own rows.
    """
    receipts = []
    with _writers_turn(), transaction.atomic():
        survey = Survey.objects.select_for_update(no_key=True).get(pk=version.survey_id)
        check_time(survey, tablet=tablet)
        newest_version(survey, version.sha256)
        keep_count(survey)
        if is_full(survey):
            raise refusal_of_closed(survey)
        for sent in sorted(
            responses, key=lambda response: response.key
        ):  # random keys: rows tell no place in the stack
            response = bytes_to_store(sent, version.parsed)
            key, proof = receipt(sent.version, sent.key, response)
            if (earlier_proof := used.receipt_of(survey.pk, key)) is not None:
                _repeat_receipt(key, proof, earlier_proof)
                continue
            if not _store_under_lock(_row(survey.slug, sent, key, proof, whole=True, tablet=tablet), response):
                raise refusal_of_closed(survey)
            receipts.append((key + proof).hex())
        close_ended(survey)
    return sorted(receipts)


def receive_trial(trial: Trial, body: bytes) -> tuple[str, bool]:
    """Store a response to a trial, in a table of its own; return its receipt in hex, and whether it is new."""
    sent = envelope(submission.read_object(body))
    if sent.version != trial.sha256:
        raise Refused(409, "version", "This is not the version that is tried here.")
    response = bytes_to_store(sent, trial.parsed)
    key, proof = receipt(sent.version, sent.key, response)
    row, is_new = TrialResponse.objects.get_or_create(
        key=key, defaults={"proof": proof, "trial": trial, "record": response.record, "open": response.open}
    )
    return _repeat_receipt(key, proof, row.proof), is_new


def exchange_invitation(survey: Survey, body: bytes) -> str:
    """Exchange the invitation in this body for a blind signature, if the survey takes responses to its version."""
    sent = submission.read_object(body)
    if sent.keys() != {"version", "invitation", "blinded"} or not all(isinstance(text, str) for text in sent.values()):
        raise unfit("The message must contain exactly version, invitation and blinded.")
    newest: SurveyVersion = survey.versions.latest("number")
    check_collecting(newest)
    _check_newest(newest, sent["version"])
    if newest.parsed.access != "invitation":
        raise unfit("This survey needs no invitation.")
    if newest.parsed.invited_by:
        raise unfit("The first survey of the study exchanges its invitations.")
    definition = newest.parsed
    return exchange(
        survey,
        sent["invitation"],
        sent["blinded"],
        of_panel=definition.let_in_by is not None,
    )


def is_receipt(text: str, survey: Survey) -> bool:
    key, proof = bytes.fromhex(text[:32]), bytes.fromhex(text[32:])
    return used.receipt_of(survey.pk, key) == proof


def is_trial_receipt(text: str, trial: Trial) -> bool:
    key, proof = bytes.fromhex(text[:32]), bytes.fromhex(text[32:])
    return TrialResponse.objects.filter(key=key, proof=proof, trial=trial).exists()


def check_time(survey: Survey, *, tablet: bool = False) -> None:
    if survey.opens_at is not None and is_early(survey):
        opens = survey.opens_at.isoformat()
        raise Refused(
            403, "not-open", "This survey is not open yet.", opens=opens, **_words_of(survey, "languages", "texts")
        )
    if is_over(survey) or (survey.tablets_alone_since and not tablet):
        raise refusal_of_closed(survey)


def newest_version(survey: Survey, sha256: str) -> SurveyVersion:
    newest: SurveyVersion = survey.versions.latest("number")
    _check_newest(newest, sha256)
    return newest


def _check_newest(newest: SurveyVersion, sha256: str) -> None:
    if newest.sha256 != sha256:
        raise Refused(409, "version", "This survey has changed since the page was opened.")


def check_collecting(newest: SurveyVersion) -> None:
    """Refuse at the wrong time, between versions, and once the quota is full: nobody should answer in vain."""
    check_time(newest.survey)
    if is_full(newest.survey) or newest.survey.has_ended(newest.number):
        raise refusal_of_closed(newest.survey)


def refusal_of_closed(survey: Survey) -> Refused:
    """The refusal of a closed survey, with the researcher's own text for people who come too late, if there is one."""
    text = {language: text for language, text in (survey.closed or {}).items() if text}
    more = {"text": text} if text else {}
    return Refused(410, "closed", "This survey is closed.", **more, **_words_of(survey, "languages", "texts", "panel"))


def _words_of(survey: Survey, *entries: str) -> dict[str, Any]:
    """Entries that the newest version has: "languages", "texts" in one that the page does not speak, "panel"'s ends."""
    newest = survey.versions.values_list("sha256", flat=True).last()
    source = parse_version(newest).source if newest else {}
    return {name: source[name] for name in entries if name in source}


def _hash_of_token(definition: Definition, sent: Envelope) -> bytes | None:
    """The hash of the token that came with a response; None if the survey is open to everybody."""
    if definition.access == "invitation":
        token = check_token(definition.source["key"], sent.token)
        if definition.draws_by_token:
            check_asked(sent, definition.design)
        return token
    if sent.token is not None:
        raise unfit("An open survey accepts no token.")
    return None


def _find_signer(definition: Definition) -> int | None:
    """The other survey that signs the tokens of this one; None where it signs its own. Refused where that is gone."""
    if (slug := definition.invited_by) is None:
        return None
    signer = Survey.objects.filter(slug=slug, rehearses=None).values_list("pk", flat=True).first()
    if signer is None:  # nobody can see any more which tokens were spent
        raise Refused(410, "closed", "This survey is closed.")
    return signer


def _repeat_receipt(key: bytes, proof: bytes, earlier_proof: bytes) -> str:
    """The receipt of an earlier response under this key; Refused if that was another response."""
    if bytes(earlier_proof) != proof:
        raise Refused(409, "key", "Another response was sent under this key.")
    return (key + proof).hex()


def _definition(slug: str, sha256: str) -> Definition:
    """The definition with this hash, of any survey: storing the response checks that it belongs to this one."""
    try:
        return parse_version(sha256)
    except SurveyVersion.DoesNotExist:
        newest_version(get_public_survey(slug), sha256)
        raise


def _recipients(read_again: bool) -> sealing_keys.Recipients:
    """The keys that responses are encrypted to, from memory unless they must be `read_again`."""
    if read_again:
        _known_recipients.cache_clear()
    return _known_recipients()


_known_recipients = lru_cache(maxsize=1)(sealing_keys.recipients)
