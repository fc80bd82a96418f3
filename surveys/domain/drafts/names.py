"""Names of what somebody has just written, in records: short, readable, and not taken yet; and the name of a survey.

The short name of a survey is in its address: made from the title for respondents until somebody chooses it. It is a
field of the survey's row, because pages find a survey by it. Once the survey is published it stays.
"""

import re
from collections.abc import Collection
from typing import Any
from unicodedata import combining, normalize

from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from privacy.errors import EntryError
from surveys.domain.questionnaire.document import Document, questions
from surveys.models import Survey
from surveys.questions import TYPES

MOST = 24
# Words that tell no question from another.
_COMMON = frozenset(
    re.findall(
        "[a-z]+",
        """
        a about an and any are as at be been by can did do does ever for from had has have how i if in is it its last me
        more month months most much my of on one or other our past so some somebody someone something than that the
        their them there these they this those to twelve was we week were what when where which who why will with would
        year years you your
        """,
    )
)


# Latin letters that NFKD does not take apart into a letter and an accent.
_SPELLED = str.maketrans(
    dict(zip("æðøþđħıłŋœŧ", ("ae", "d", "o", "th", "d", "h", "i", "l", "ng", "oe", "t"), strict=True))
)


def slug(text: str) -> str:
    """A short name from the first significant words of a text; empty where it has none in Latin letters."""
    words = re.findall(r"[a-z0-9]+", _plain(text).encode("ascii", "ignore").decode())
    telling = [word for word in words if word not in _COMMON] or words
    name = ""
    for word in telling[:3]:
        if len(name) + len(word) < MOST:
            name += f"-{word}" if name else word
    return name or "".join(telling[:1])[:MOST]


def question_name(text: str, taken: Collection[str]) -> str:
    """A free name for a question or item with this text; it begins with a letter."""
    own = slug(text)
    return free(own, taken) if own[:1].isalpha() else free_name("q", taken)


def option_value(text: str, taken: Collection[str]) -> str:
    """The words of the option without accents; a number where it has letters that are not Latin ones."""
    plain = _plain(text)
    is_latin = all(letter.isascii() or not letter.isalpha() for letter in plain)
    own = re.sub(r"[^a-z0-9+-]+", "-", plain).strip("-") if is_latin else ""
    return free(own[:MOST], taken) if own else free_name("", taken)


def _plain(text: str) -> str:
    """The text in small letters without accents."""
    small = text.casefold().translate(_SPELLED)
    return "".join(letter for letter in normalize("NFKD", small) if not combining(letter))


def free(name: str, taken: Collection[str]) -> str:
    """The name, or if it is taken, the name with a number."""
    return name if name not in taken else free_name(f"{name}-", taken, 2)


def free_name(before: str, taken: Collection[str], first: int = 1) -> str:
    """The first free name of `before` with a number, counted from `first`."""
    while f"{before}{first}" in taken:
        first += 1
    return f"{before}{first}"


def names_in(document: Document) -> set[str]:
    """The names of the document's questions and of their items."""
    names = set()
    for question in questions(document):
        names.add(question["id"])
        for group in TYPES[question["type"]].groups:
            if group.are_items:
                names |= {option["value"] for option in question["options"] if group.holds(option["value"])}
    return names


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
