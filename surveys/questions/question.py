"""A question as the server knows it, and what a type of question, a module each, has to tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.forms import EnteredItem
from surveys.questions.entered import Entered

Entry = dict[str, Any]  # a question of the published definition, as its JSON has it


@dataclass(frozen=True)
class Question:
    """What the server must know of a question to accept an answer; the words stay in the document."""

    id: str
    type: str
    sensitive: bool
    required: bool = False
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    min: int | float | str | None = None
    max: int | float | str | None = None
    when: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Disguise:
    """How the answers of a type become items of the design.

    items      name and options of every item; the columns of records
    entered    the same from what was entered, with what its block asks of them; no options while they are still missing
    yes_no     whether they are yes/no items, unless options are entered
    """

    items: Callable[[Question], Iterable[tuple[str, tuple[str, ...]]]]
    entered: Callable[[Entered], list[EnteredItem]]
    yes_no: bool = False


def longest_option(question: Question) -> int:
    return max(len(json.dumps(value, ensure_ascii=False).encode()) for value in question.options)


def label(entered: Entered, value: str, language: str) -> str:
    """The words of the option in the language, or its value where there are none."""
    return next((option.label.get(language) for option in entered.options if option.value == value), None) or value


def limits(entry: Entry) -> str:
    """What `min` and `max` allow, for whoever reads a questionnaire; empty where they allow everything."""
    low, high = entry.get("min"), entry.get("max")
    if low is not None and high is not None:
        return _("from %(least)s to %(most)s") % {"least": low, "most": high}
    if low is not None:
        return _("at least %(least)s") % {"least": low}
    return "" if high is None else _("at most %(most)s") % {"most": high}


@dataclass(frozen=True)
class QuestionType:
    """One type of question.

    name, label   in the definition and the database; for whoever writes a questionnaire
    fields        of its entry in the published definition, beside those that every question has
    uses          the form fields that mean something for it, "options" for the rows below it
    rows          what those rows are, for whoever enters them
    has_items     its rows are statements or facts with names of their own in records, not options of one answer
    read          the question with what its own fields say; refuses what is wrong with them
    fits          whether a value that has arrived answers the question
    longest       bytes of its longest open answer, as JSON
    write         its own fields of the entry, from what was entered, in these languages
    lacks         what is still to be entered on the question's own page, as a sentence; empty: nothing
    answers       what a condition of a later question may name
    said          what an open answer means to such a condition
    named         an answer of `answers` in words: of a question as it was entered, in a language
    limits        what its entry allows, in words
    disguise      None where only open questions are of this type
    """

    name: str
    label: Any  # a lazy translation
    fields: frozenset[str]
    uses: frozenset[str]
    read: Callable[[Question, Entry], Question]
    fits: Callable[[Question, Any], bool]
    longest: Callable[[Question], int] = longest_option
    write: Callable[[Entered, Sequence[str]], Entry] = lambda _entered, _languages: {}
    lacks: Callable[[Entered], str] = lambda _entered: ""
    has_items: bool = False
    answers: Callable[[Question], Iterable[str]] = lambda question: question.options
    said: Callable[[Any], Iterable[str]] = lambda answer: (answer,)
    named: Callable[[Entered, str, str], str] = label
    limits: Callable[[Entry], str] = limits
    disguise: Disguise | None = None
    rows: Any = ""
