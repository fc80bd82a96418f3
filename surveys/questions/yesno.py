"""Yes or no, or with options of its own: yes, no, and "prefer not to say".

Without "options" they are "0" and "1". An open answer is the option's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.design import YES_NO
from privacy.errors import EntryError
from surveys.questions.entered import Entered, as_entered, at, chance_of_yes, options_in
from surveys.questions.question import Disguise, Entry, Question, QuestionType, label
from surveys.questions.values import is_option, own_item, values_of


def _read(question: Question, entry: Entry) -> Question:
    return replace(question, options=values_of(question, entry) if "options" in entry else YES_NO)


def _write(entered: Entered, languages: Sequence[str]) -> Entry:
    return {"options": options_in(entered.options, languages)} if entered.options else {}


def _named(entered: Entered, value: str, language: str) -> str:
    words = label(entered, value, language)
    return {"1": _("Yes"), "0": _("No")}.get(value, words) if words == value else words


def _entered(entered: Entered, theta: float | None) -> list[Entry]:
    name = entered.question.identifier
    if not entered.options:
        return [{"id": name, "theta": chance_of_yes(entered, None, theta)}]
    if len(entered.options) < 2:
        raise EntryError("a choice needs at least two options.", at=at(entered, "options"))
    return [{"id": name, **as_entered(entered, entered.options)}]


TYPE = QuestionType(
    name="yesno",
    label=gettext_lazy("yes or no"),
    fields=frozenset(("options", "shuffle")),
    rows=gettext_lazy("Without options of your own the answers are yes and no."),
    uses=frozenset(("options", "shuffle", "theta")),
    read=_read,
    fits=is_option,
    write=_write,
    named=_named,
    disguise=Disguise(
        items=own_item,
        entered=_entered,
        is_yes_no=lambda entered: tuple(option.value for option in entered.options) in ((), YES_NO),
        has_theta=lambda entered: not entered.options,
    ),
)
