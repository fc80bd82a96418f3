"""One answer among "options". An open answer is the option's value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy

from privacy.design.forms import EnteredItem
from surveys.questions.asks import Asks
from surveys.questions.entered import Entered, lacks_options, one_item, options_in
from surveys.questions.question import Disguise, Entry, PublishedQuestion, QuestionType
from surveys.questions.rows import OPTIONS, POINTS
from surveys.questions.shown import one_answer, options
from surveys.questions.values import is_option, own_item, values_of


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    return replace(question, options=values_of(question, entry))


def _write(entered: Entered, languages: Sequence[str]) -> Entry:
    return {"options": options_in(entered.options, languages)} if entered.options else {}


def _entered(entered: Entered) -> list[EnteredItem]:
    return [one_item(entered, [option.value for option in entered.options])]


TYPE = QuestionType(
    name="choice",
    label=gettext_lazy("one of several"),
    asks=Asks.ONE_OF,
    fields=frozenset(("options", "shuffle")),
    uses=frozenset(("options", "shuffle")),
    groups=(OPTIONS,),
    scales=POINTS,
    skipped=(),
    read=_read,
    fits=is_option,
    shown=one_answer,
    categories=options,
    write=_write,
    lacks=lacks_options,
    disguise=Disguise(items=own_item, entered=_entered),
)
