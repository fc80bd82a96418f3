"""Names of what somebody has just written, in records: short, readable, and not taken yet."""

import re
from collections.abc import Collection
from unicodedata import combining, normalize

from surveys.domain.questionnaire.document import Document, questions
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
