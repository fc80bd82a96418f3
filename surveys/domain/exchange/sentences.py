"""Sentences about a file, in the language of the importer, and later of everybody who reads the draft.

Who reads a format imports `sentence` as `_`: it translates as gettext does, and the text knows what it was made of.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext


class Sentence(str):
    """A text in one language that knows its English sentence and its values."""

    english: str
    values: Mapping[str, Any]

    def __mod__(self, values: Mapping[str, Any]) -> "Sentence":
        return sentence(self.english, values)


def sentence(english: str, values: Mapping[str, Any] | None = None) -> Sentence:
    """The sentence in the reader's language; `%` fills in values, as with any text."""
    text = gettext(english)
    made = Sentence(text % values if values else text)
    made.english, made.values = english, values or {}
    return made


def pack_text(text: str) -> Any:
    """Return the text in its stored form: a sentence by its English and its values, anything else as it is."""
    return {"sentence": text.english, "values": dict(text.values)} if isinstance(text, Sentence) else text


def again(row: Any) -> str:
    """The text that `pack_text` stored, in the reader's language; old rows hold texts in the importer's language."""
    return sentence(row["sentence"], row["values"]) if isinstance(row, dict) else row
