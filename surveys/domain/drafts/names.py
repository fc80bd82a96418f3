"""Names of what somebody has just written, in records and in links: short, readable, and not taken yet."""

import re
from collections.abc import Collection
from unicodedata import combining, normalize

from django.utils.crypto import get_random_string

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


def slug(text: str) -> str:
    """A short name from the first significant words of a text; empty where it has none in Latin letters."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
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
    plain = "".join(letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))
    is_latin = all(letter.isascii() or not letter.isalpha() for letter in plain)
    own = re.sub(r"[^a-z0-9+-]+", "-", plain).strip("-") if is_latin else ""
    return free(own[:MOST], taken) if own else free_name("", taken)


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


def link_name(title: str) -> str:
    """A free name for the link of a survey with this title; random letters follow the words if these are taken."""
    name = _title_slug(title)
    while Survey.objects.filter(slug=name).exists():
        name = f"{_title_slug(title)}-{get_random_string(4, LETTERS)}"
    return name


def rename(survey: Survey, title: str) -> None:
    """Rename the link after the new title if it was named after the old one; a name that somebody chose stays."""
    own = _title_slug(survey.title)
    has_own = re.fullmatch(f"{own}(-[{LETTERS}]{{4}})?", survey.slug)
    if _title_slug(title) != own and has_own and not survey.versions.exists():
        survey.slug = link_name(title)
        survey.save(update_fields=["slug"])


def _title_slug(title: str) -> str:
    return slug(title) or "survey"
