"""Facts about a person that draws take, and whether two of them may be one.

Two answers that hang on one fact tell of each other. Words do not say which fact they are about: “your mother” and
“Mum” are one. So of two draws with facts of one kind each needs a key of `WHOSE`, and another one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from privacy.errors import InputError

WHOSE = ("mother", "father", "grandmother", "friend", "cousin", "teacher", "relative", "note", "bill")
"""Whose fact it is: those that the page has words for."""

KEY = "whose"
Words = str | tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class NamedFact:
    """A fact about a person, by its source, as a design names it: a key, or the author's words."""

    source: str
    words: Words

    @property
    def whose(self) -> str:
        """The key of whose it is; empty where words alone name it."""
        key = self.words.strip().casefold() if isinstance(self.words, str) else dict(self.words).get(KEY, "")
        return key if key in WHOSE else ""

    def may_be(self, other: "NamedFact") -> bool:
        """Whether both may be one fact."""
        return self.source == other.source and not (self.whose and other.whose and self.whose != other.whose)

    def among(self, others: Iterable["NamedFact"]) -> "NamedFact | None":
        """The first of these that may be this one."""
        return next((other for other in others if self.may_be(other)), None)

    def __str__(self) -> str:
        if isinstance(self.words, str):
            return self.words
        return self.whose or next(text for _, text in self.words)


def words_of_fact(value: Any, where: str) -> Words | None:
    """A fact as a design names it: a key, or the author's words by language, with the key of whose it is.

    >>> words_of_fact("mother", "draw"), words_of_fact({"en": "your mum", "whose": "mother"}, "draw")
    ('mother', (('en', 'your mum'), ('whose', 'mother')))
    """
    if value is None or (isinstance(value, str) and value.strip()):
        return value
    if isinstance(value, Mapping) and all(isinstance(one, str) for pair in value.items() for one in pair):
        if value.get(KEY, WHOSE[0]) not in WHOSE:
            raise InputError(f"{where}.fact.{KEY}: {value[KEY]!r} is unknown; these are known: {', '.join(WHOSE)}.")
        if value.keys() - {KEY}:
            return tuple(sorted(value.items()))
    raise InputError(f"{where}.fact: this is neither a text nor texts by language.")
