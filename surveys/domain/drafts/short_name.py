"""The short name of a survey, which is in its address: made from the title for respondents until somebody chooses it.

It is a field of the survey's row, because pages find a survey by it. Once the survey is published it stays.
"""

import re
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from privacy.errors import EntryError
from surveys.domain.drafts.names import slug
from surveys.domain.questionnaire.document import Document
from surveys.models import Survey

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
NEUTRAL = "survey"
LONGEST = 50
_RULE = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")


def stem(document: Document) -> str:
    """The words of a name made from the titles for respondents; empty where these have no Latin letters.

    The working title gives the words only before there is another: respondents must not read it.
    """
    titles = [document["heading"].get(tag, "") for tag in document["languages"]]
    if not any(titles):
        titles = [document["title"]]
    return next((name for title in titles if re.search("[a-z]", name := slug(title))), "")


def free_short_name(document: Document, survey: Survey | None = None) -> str:
    """A name made from the document's titles, with random letters where it is taken or nothing can be made."""
    words = stem(document)
    name = words or _with_letters(NEUTRAL)
    while _is_taken(name, survey):
        name = _with_letters(words or NEUTRAL)
    return name


def read_short_name(survey: Survey, document: Document, typed: Any) -> str:
    """The name that somebody typed, in small letters; nothing asks for one made from the title."""
    if not isinstance(typed, str):
        raise EntryError("this change lacks a field.", at="slug")
    name = typed.strip().lower()
    if not name:
        return survey.slug if _is_made(survey.slug, stem(document) or NEUTRAL) else free_short_name(document, survey)
    if len(name) > LONGEST or not _RULE.fullmatch(name):
        raise EntryError(
            "“{name}” cannot be in an address: write at most {most} small letters from a to z, digits and hyphens. "
            "Begin and end with a letter or a digit.",
            at="slug",
            name=typed.strip(),
            most=LONGEST,
        )
    return name


def rename(survey: Survey, name: str) -> None:
    """Give the draft this name; the caller holds the survey's lock. EntryError if it is taken or must stay."""
    if survey.versions.exists():
        raise EntryError("The survey is published, so its short name stays “{name}”.", at="slug", name=survey.slug)
    taken = EntryError("Another survey has the short name “{name}”: choose another one.", at="slug", name=name)
    if _is_taken(name, survey):
        raise taken
    before, survey.slug = survey.slug, name
    try:
        with transaction.atomic():
            survey.save(update_fields=["slug"])
    except IntegrityError:  # somebody has given it to another survey in this moment
        survey.slug = before
        raise taken from None


def follow_title(survey: Survey, before: Document, after: Document) -> None:
    """Make the name from the new titles if it was made from the old ones, or by the program from the working title."""
    made = (stem(before), slug(before["title"]), NEUTRAL)
    changed = stem(after) != stem(before)
    if changed and any(_is_made(survey.slug, words) for words in made) and not survey.versions.exists():
        rename(survey, free_short_name(after, survey))


def _is_made(name: str, words: str) -> bool:
    return bool(words) and re.fullmatch(f"{words}(-[{LETTERS}]{{4}})?", name) is not None


def _is_taken(name: str, survey: Survey | None) -> bool:
    """Whether another survey has the name; people who type an address do not mind capitals."""
    others = Survey.objects.exclude(pk=survey.pk) if survey else Survey.objects
    return others.filter(slug__iexact=name).exists()


def _with_letters(words: str) -> str:
    return f"{words}-{get_random_string(4, LETTERS)}"
