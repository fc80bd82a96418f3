"""A question as a researcher entered it, and how its rows and numbers become parts of its published entry."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError
from surveys.questions.rows import SKIP

Texts = dict[str, str]

LARGEST = 1e300  # beyond it a whole number is no float


@dataclass(frozen=True, eq=False)
class EnteredBlock:
    """Items disguised together. `settings` are the values that its kind asks for, by their names (surveys.kinds)."""

    name: str
    kind: str
    settings: Mapping[str, Any]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> str:
        """Where a refusal says that it stands."""
        return f"block '{self.name}'"


@dataclass(frozen=True, eq=False)
class EnteredOption:
    """An option of a choice, or one yes/no item of a question with several answers."""

    value: str
    label: Texts
    last: bool
    settings: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Question:
    """A question with its options. `block` disguises it; None: it is an undisguised one. `when`: the condition, if
    any. `no_skip` says why it has no "prefer not to say".
    """

    id: str
    type: str
    page: int
    block: EnteredBlock | None
    text: Texts
    help: Texts
    low: Texts
    high: Texts
    required: bool
    shuffle: bool
    min: str
    max: str
    settings: Mapping[str, Any]
    no_skip: str
    when: Mapping[str, Any] | None
    out: Sequence[str]
    enough: Mapping[str, int]
    parameter: str
    chances: str
    pipes: Mapping[str, Texts]
    media: Mapping[str, Any] | None
    options: tuple[EnteredOption, ...]

    def __str__(self) -> str:
        return self.id

    @property
    def place(self) -> str:
        return f"question '{self.id}'"

    @property
    def words(self) -> str:
        """Its text in the first language that has one; else its name."""
        return next(filter(None, self.text.values()), self.id)


def list_questions(questions: Iterable[Question]) -> str:
    """The words of each, one after the other."""
    return _(", ").join(f"“{question.words}”" for question in questions)


def in_languages(words: Texts, languages: Sequence[str]) -> Texts:
    """The text in the languages of the survey; what was written in others stays with the draft."""
    return {tag: words.get(tag, "") for tag in languages}


def write_text(texts: Texts, language: str, value: str) -> None:
    if text := value.replace("\r\n", "\n").strip():
        texts[language] = text
    else:
        texts.pop(language, None)


def options_in(options: Sequence[EnteredOption], languages: Sequence[str]) -> list[dict[str, Any]]:
    """The entries of options that one answer chooses among."""
    return [{"value": option.value, **_with_label(option, languages)} for option in options]


def items_in(options: Sequence[EnteredOption], languages: Sequence[str]) -> list[dict[str, Any]]:
    """The entries of rows that have names of their own in records."""
    return [{"id": option.value, **_with_label(option, languages)} for option in options]


def _with_label(option: EnteredOption, languages: Sequence[str]) -> dict[str, Any]:
    return {"label": in_languages(option.label, languages)} | ({"last": True} if option.last else {})


def lacks_options(entered: Question) -> str:
    if any(option.value != SKIP for option in entered.options):
        return ""
    return _("“%(name)s” has no options yet.") % {"name": entered.words}


def lacks_ends(entered: Question) -> str:
    return "" if entered.min or entered.max else _("“%(name)s” has no ends yet.") % {"name": entered.words}


def bounds(entered: Question) -> dict[str, int | float]:
    """`min` and `max` as numbers, where they were entered."""
    written = {"min": entered.min, "max": entered.max}
    return {name: _number(entered, name, text) for name, text in written.items() if text}


def ends_in(entered: Question, languages: Sequence[str]) -> dict[str, Any]:
    """The words at the two ends of a scale."""
    low, high = entered.low, entered.high
    if not any(low.values()) and not any(high.values()):
        return {}
    return {"ends": {"low": in_languages(low, languages), "high": in_languages(high, languages)}}


def _number(entered: Question, name: str, written: str) -> int | float:
    for read in (int, float):
        try:
            number = read(written)
        except ValueError:
            continue
        if abs(number) < LARGEST:
            return number
    raise EntryError("'{written}' is not a number.", at=f"{entered.place}.{name}", written=written)


def one_item(entered: Question, options: Sequence[str] | None) -> EnteredItem:
    """The question as one item, with what was entered for the disguise of the question and of each of its options."""
    values = {**entered.settings, **shares_of(entered.options)}
    return EnteredItem(entered.id, None if options is None else tuple(options), values)


def shares_of(options: Sequence[EnteredOption]) -> dict[str, list[Any]]:
    """The values that were entered for the disguise of each option; None where a field is empty."""
    rows = [option.settings for option in options]
    return {name: [row.get(name) for row in rows] for name in sorted({name for row in rows for name in row})}


def item_of_row(entered: Question, row: EnteredOption) -> EnteredItem:
    """One of several items of a question, with what was entered for it, or else for the whole question."""
    return EnteredItem(row.value, None, {**entered.settings, **row.settings})
