"""Yes or no, or with options of its own: yes, no, and "prefer not to say".

Without "options" they are "0" and "1". An open answer is the option's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.design import YES_NO
from privacy.design.forms import EnteredItem
from surveys.displays import Shares
from surveys.questions.asks import Asks
from surveys.questions.entered import Entered, one_item, options_in
from surveys.questions.question import Answers, Categories, Disguise, Entry, PublishedQuestion, QuestionType, label
from surveys.questions.rows import OPTIONS, YES_AND_NO
from surveys.questions.shown import one_answer, options
from surveys.questions.values import is_option, own_item, values_of


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    return replace(question, options=values_of(question, entry) if "options" in entry else YES_NO)


def _write(entered: Entered, languages: Sequence[str]) -> Entry:
    return {"options": options_in(entered.options, languages)} if entered.options else {}


def _named(entered: Entered, value: str, language: str) -> str:
    text = label(entered, value, language)
    return {"1": _("Yes"), "0": _("No")}.get(value, text) if text == value else text


def _shown(answers: Answers) -> list[Shares]:
    """Of yes and no, the share of yes says it all."""
    (shares,) = one_answer(answers)
    if answers.question.options != YES_NO or not shares.rows:
        return [shares]
    return [replace(shares, rows=(replace(shares.rows[1], label=_("Yes")),), together=None)]


def _categories(answers: Answers) -> list[Categories]:
    (axis,) = options(answers)
    return [replace(axis, labels=(_("No"), _("Yes"))) if answers.question.options == YES_NO else axis]


def _entered(entered: Entered) -> list[EnteredItem]:
    return [one_item(entered, [option.value for option in entered.options] or None)]


TYPE = QuestionType(
    name="yesno",
    label=gettext_lazy("yes or no"),
    asks=Asks.YES_OR_NO,
    fields=frozenset(("options", "shuffle")),
    uses=frozenset(("options", "shuffle")),
    groups=(replace(OPTIONS, optional=True),),
    skipped=YES_AND_NO,
    read=_read,
    fits=is_option,
    shown=_shown,
    categories=_categories,
    write=_write,
    named=_named,
    disguise=Disguise(
        items=own_item,
        entered=_entered,
        yes_no=True,
    ),
)
