"""Sending the mail of a survey: a worker claims it, and sends what is due, one message after the other.

What was sent is noted after each message, in the box of its person, so a worker that is killed loses nothing
(docs/decisions/0066-invitations-by-mail.md). Two workers never send at once, because each renews its claim before each
message, and a message takes less time than LEASE (the mail server has some seconds for each of its answers).

No line of the log has an address, and none says what the mail server answered: it would name one.

What people are sent, and on which days, is checked where it is entered, so that sending finds nothing wrong.
"""

import logging
import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from privacy.errors import EntryError
from surveys import notes
from surveys.domain.mail.invitees import Boxes, Person, forget, forget_used
from surveys.domain.questionnaire.closing import is_closed, is_early
from surveys.domain.questionnaire.versions import link
from surveys.models import Invitee, Mailing, Survey
from surveys.questions.rows import READY, spoken_tag

LINK = "{link}"
INVITATION, REMINDER = "invitation", "reminder"
REMINDERS = 3
_PLACE = re.compile(r"\{[^{}\s]*\}")

Texts = Mapping[str, Mapping[str, Mapping[str, str]]]  # a kind, a language: {"subject": …, "body": …}


def propose(kind: str, language: str, source: Mapping[str, Any]) -> dict[str, str]:
    """A subject and a body for a mail of this kind about a questionnaire; empty in languages that Candor lacks."""
    title, who = (" ".join(source[field].get(language, "").split()) for field in ("title", "who"))
    own, tag = f"mail-{kind}", spoken_tag(language)
    if tag is None:
        return {}
    subject = READY["mail-reminder-subject"][tag].format(title=title) if kind == REMINDER else title
    return {"subject": subject, "body": READY[own][tag].format(title=title, link=LINK) + f"\n\n{who}"}


def check_subject(subject: str) -> None:
    """Refuse a subject that no message can have."""
    if not subject:
        raise EntryError("Write a subject.")
    if not is_subject(subject):
        raise EntryError("A subject is one line, without line breaks or tabs.")
    for place in _PLACE.findall(subject):
        raise EntryError("Nothing fills {place} in a subject: the link stands in the text.", place=place)


def is_subject(text: str) -> bool:
    """Whether a message can have this subject: without line breaks and other control characters."""
    return not any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in text)


def check_body(body: str) -> None:
    """Refuse a text without the place {link}, or with a place that nothing fills."""
    if LINK not in body:
        raise EntryError("Write {link} where the person's own link is to stand.", link=LINK)
    for place in _PLACE.findall(body):
        if place != LINK:
            raise EntryError("Nothing fills {place}: only {link} can stand in a text.", place=place, link=LINK)


def check_days(days: Sequence[date], before: Sequence[date], today: date) -> None:
    """Refuse new days of mail that are out of order or have passed, or a change of days `before` that have come."""
    for earlier, later in pairwise(days):
        if later <= earlier:
            raise EntryError("{later} is not after {earlier}.", later=later, earlier=earlier)
    come = [day for day in before if day <= today]
    if list(days[: len(come)]) != come:
        raise EntryError("A day that has come cannot be changed: mail may have been sent.")
    for day in days[len(come) :]:
        if day < today:
            raise EntryError("{day} has passed.", day=day)


def fill(texts: Texts, kind: str, language: str, link: str, source: Mapping[str, Any]) -> tuple[str, str]:
    """The subject and the body for a person; in the first language that has them where theirs has none. It ends with
    the address of the privacy notice, where the questionnaire has one.
    """
    written = texts[kind]
    said = written.get(language) or next(iter(written.values()))
    heading = READY["notice-title"][spoken_tag(language) or "en"]
    notice = f"\n\n{heading}: {urljoin(link, 'notice/')}" if "notice" in source else ""
    return said["subject"], said["body"].replace(LINK, link) + notice


LEASE = timedelta(minutes=4)
PAUSE = timedelta(minutes=10)  # after a mail server that did not take something
AT_ONCE = 200  # messages, after which other tasks of the worker have their turn
UNWRITTEN = "unwritten"  # the trouble with a message that cannot be made; the mail server was not asked
SERVER_ERRORS = (SMTPException, OSError)
MOST_FAILURES = 5  # in a row, after which the mail server is left alone

log = logging.getLogger(__name__)


def start_due_batches() -> None:
    """A duty: leave hints at surveys with mail to send, and forget the addresses of those that are closed."""
    for survey in Survey.objects.filter(closed_at__isnull=False, invitees__isnull=False).distinct():
        forget(survey)
    free = Mailing.objects.filter(_is_free(), survey__closed_at=None).select_related("survey")
    notes.leave_again(hint, [mailing.pk for mailing in free if mailing.done < step_due(mailing)])


def hint(pk: int) -> bool:
    """Leave a hint that this survey has mail to send; False if it could not be left."""
    return notes.leave(notes.SEND_MAIL, pk, waits=f"the mail of survey {pk} waits for the next look")


def step_due(mailing: Mailing) -> int:
    """How many of the mailing's days have come; 0 while nobody can answer by an invitation of the site's own."""
    survey, version = mailing.survey, mailing.survey.versions.last()
    if version is None or is_early(survey) or is_closed(survey) or survey.has_ended(version.number):
        return 0
    if not version.parsed.has_invitations:
        return 0
    return sum(day <= timezone.localdate().isoformat() for day in mailing.days)


def send(pk: int) -> None:
    """Send some of the mail that is due for a survey, unless another worker does."""
    claim = secrets.token_hex(16)
    if not Mailing.objects.filter(_is_free(), pk=pk).update(token=claim, until=Now() + LEASE):
        return
    own = Mailing.objects.filter(pk=pk, token=claim)
    try:
        trouble, is_shown = _send_some(own)
    except EntryError as refused:  # SECRET_KEY is another, or somebody has just closed the survey
        log.warning("%s", refused)
        trouble, is_shown = type(refused).__name__, True
    except SERVER_ERRORS as error:
        log.warning("The mail server is not there for survey %s (%s); it is asked later.", pk, type(error).__name__)
        trouble, is_shown = type(error).__name__, True
    until = Now() + PAUSE if trouble else None
    own.update(token="", until=until, trouble=trouble if is_shown else "")
    mailing = Mailing.objects.filter(pk=pk).select_related("survey").first()
    if not trouble and mailing and mailing.done < step_due(mailing):
        hint(pk)


def _is_free() -> Q:
    return Q(until=None) | Q(until__lt=Now())


def _send_some(own: QuerySet[Mailing]) -> tuple[str, bool]:
    """Send at most AT_ONCE messages under this claim; return the kind of the last error, or an empty text, and whether
    it may be shown.
    """
    mailing = own.select_related("survey").get()
    step = step_due(mailing)
    if mailing.done >= step:
        return "", True
    for by_language in mailing.texts.values():
        for written in by_language.values():
            if not is_subject(written["subject"]):  # an earlier version took it
                return UNWRITTEN, True
    with closing(_open_outbox()) as outbox:
        outbox.open()  # also where nobody is left to remind
        return _send_to_some(own, mailing, step, outbox)


def _send_to_some(own: QuerySet[Mailing], mailing: Mailing, step: int, outbox: Any) -> tuple[str, bool]:
    boxes = Boxes(mailing.survey)
    if step > 1 and mailing.looked_on != timezone.localdate():
        forget_used(mailing.survey, boxes)
    waiting = _people_due(boxes, step)
    if not waiting:
        with transaction.atomic():  # nobody joins between this look and what is noted of it
            Survey.objects.select_for_update(no_key=True).get(pk=mailing.pk)
            if not _people_due(boxes, step):
                own.update(done=step)
        return "", True
    troubles, failures = dict[bool, str](), 0  # whether it was an invitation: the last error
    secrets.SystemRandom().shuffle(waiting)
    waiting.sort(key=lambda one: one[1].step > 0)  # invitations first, so that no trouble with a reminder delays them
    for row, person in waiting[:AT_ONCE]:
        if failures == MOST_FAILURES or not own.update(until=Now() + LEASE):
            break
        if not Invitee.objects.filter(key=row.key, box=row.box).exists():  # somebody has changed it meanwhile
            continue
        try:
            outbox.open()
            outbox.send_messages([_write(mailing, boxes, person)])
        except ValueError:  # an address that no message can have, which an earlier version took
            troubles[not person.step] = UNWRITTEN
        except SERVER_ERRORS as error:
            if is_refused(error):
                boxes.put(row, person._replace(refused=True))
                continue
            troubles[not person.step], failures = type(error).__name__, failures + 1
            outbox.close()
        else:
            boxes.put(row, person._replace(step=step))
            failures = 0
    for trouble in troubles.values():
        log.warning("Mail of survey %s was not taken (%s) and is sent later.", mailing.pk, trouble)
    return (troubles[True], True) if True in troubles else (troubles.get(False, ""), False)


def _people_due(boxes: Boxes, step: int) -> list[tuple[Invitee, Person]]:
    return [(row, person) for row, person in boxes.people() if person.is_written_to and person.step < step]


def _write(mailing: Mailing, boxes: Boxes, person: Person) -> EmailMessage:
    """The message that is due to a person. Written again, it has the same Message-ID, by which mail servers know it."""
    version = mailing.survey.versions.latest("number")
    address = f"{link(mailing.page, version)}&i={person.secret}&l={person.language}"
    kind = REMINDER if person.step else INVITATION
    subject, body = fill(mailing.texts, kind, person.language, address, version.parsed.source)
    known_as = boxes.mark(f"{person.secret} {person.step}".encode()).hex()[:32]
    return EmailMessage(
        subject,
        body,
        to=[person.address],
        reply_to=[mailing.reply_to] if mailing.reply_to else None,
        headers={"Message-ID": f"<{known_as}@{urlsplit(mailing.page).hostname}>", "Auto-Submitted": "auto-generated"},
    )


def send_example(mailing: Mailing, address: str, page: str) -> None:
    """Send the invitation to an address that is on no list, with a link to `page`; nothing of it is kept."""
    source = mailing.survey.versions.latest("number").parsed.source
    subject, body = fill(mailing.texts, INVITATION, "", page, source)
    with closing(_open_outbox()) as outbox:
        EmailMessage(subject, body, to=[address], connection=outbox).send()


def _open_outbox() -> Any:
    """The connection that sends messages: to the mail server of the settings, or into a folder of files."""
    if folder := settings.MAIL.get("file_path"):
        Path(folder).mkdir(mode=0o700, exist_ok=True)
    return get_connection(**settings.MAIL)


def is_refused(error: Exception) -> bool:
    """Whether the mail server says that it will never take mail for this address."""
    return isinstance(error, SMTPRecipientsRefused) and all(code >= 500 for code, _ in error.recipients.values())
