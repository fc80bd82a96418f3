"""Yes or no, or with options of its own: yes, no, and "prefer not to say".

Without "options" they are "0" and "1". An undisguised answer is the option's value.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import YES_NO
from privacy.design.recipes import EnteredItem
from surveys.displays import Shares
from surveys.questions.entered import Question, one_item, options_in
from surveys.questions.one_answer import OneAnswer, own_item
from surveys.questions.question import Answers, Asks, Categories, Disguise, Entry, PublishedQuestion
from surveys.questions.rows import OPTIONS, YES_AND_NO
from surveys.questions.values import values_of


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    return [one_item(entered, [option.value for option in entered.options] or None)]


class YesNo(OneAnswer):
    name = "yesno"
    label = gettext_lazy("yes or no")
    asks = Asks.YES_OR_NO
    fields = frozenset(("options", "shuffle"))
    uses = frozenset(("options", "shuffle"))
    groups = (replace(OPTIONS, optional=True),)
    skipped = YES_AND_NO
    disguise = Disguise(items=own_item, entered=_items_to_disguise, yes_no=True)

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        return replace(question, options=values_of(question, entry) if "options" in entry else YES_NO)

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return {"options": options_in(entered.options, languages)} if entered.options else {}

    def answer_text(self, entered: Question, value: str, language: str) -> str:
        text = super().answer_text(entered, value, language)
        return {"1": _("Yes"), "0": _("No")}.get(value, text) if text == value else text

    def displays(self, answers: Answers) -> list[Shares]:
        """Show the share of yes, which implies that of no."""
        (shares,) = super().displays(answers)
        if answers.question.options != YES_NO or not shares.rows:
            return [shares]
        return [replace(shares, rows=(replace(shares.rows[1], label=_("Yes")),), together=None)]

    def categories(self, answers: Answers) -> list[Categories]:
        (axis,) = super().categories(answers)
        return [replace(axis, labels=(_("No"), _("Yes"))) if answers.question.options == YES_NO else axis]


TYPE = YesNo()
