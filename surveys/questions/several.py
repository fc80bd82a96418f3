"""Any number of answers out of several "items": each of them is a yes/no item with a name of its own.

An open answer is the list of the items that hold, in the order of the questionnaire.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext_lazy

from privacy.design import YES_NO
from privacy.design.forms import EnteredItem
from surveys.questions.asks import Asks
from surveys.questions.columns import column_of_each_item
from surveys.questions.entered import Entered, item_of_row, items_in, lacks_options
from surveys.questions.question import Disguise, Entry, PublishedQuestion, QuestionType
from surveys.questions.rows import OPTIONS
from surveys.questions.shown import several_answers, yes_or_no
from surveys.questions.values import items_of


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    return replace(question, items=items_of(question, entry))


def _write(entered: Entered, languages: Sequence[str]) -> Entry:
    return {"items": items_in(entered.options, languages)}


def _fits(question: PublishedQuestion, value: object) -> bool:
    """The items that were ticked, in the order of the questionnaire."""
    return isinstance(value, list) and value == [item for item in question.items if item in value]


def _made_up(question: PublishedQuestion, chance: np.random.Generator) -> list[str]:
    """Half of the people tick an item."""
    return [item for item in question.items if chance.random() < 0.5]


def _entered(entered: Entered) -> list[EnteredItem]:
    return [item_of_row(entered, row) for row in entered.options]


TYPE = QuestionType(
    name="several",
    label=gettext_lazy("several of several"),
    asks=Asks.ANY_OF,
    fields=frozenset(("items", "shuffle")),
    rows=gettext_lazy("Each option is a yes/no item, with its value as the name in records."),
    uses=frozenset(("options", "shuffle")),
    has_items=True,
    groups=(replace(OPTIONS, are_items=True),),
    read=_read,
    fits=_fits,
    made_up=_made_up,
    columns=column_of_each_item,
    shown=several_answers,
    categories=yes_or_no,
    longest=lambda question: 2 + sum(len(item) + 3 for item in question.items),
    write=_write,
    lacks=lacks_options,
    answers=lambda question: question.items,
    said=lambda answer: answer,
    disguise=Disguise(
        items=lambda question: ((item, YES_NO) for item in question.items),
        entered=_entered,
        yes_no=True,
    ),
)
