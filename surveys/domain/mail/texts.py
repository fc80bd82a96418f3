"""What people are sent, and on which days: checked where it is entered, so that sending finds nothing wrong."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from privacy.errors import EntryError
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


def fill(texts: Texts, kind: str, language: str, link: str) -> tuple[str, str]:
    """The subject and the body for a person; in the first language that has them where theirs has none."""
    written = texts[kind]
    said = written.get(language) or next(iter(written.values()))
    return said["subject"], said["body"].replace(LINK, link)
