"""One answer among "options". An undisguised answer is the option's value."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy

from privacy.design.recipes import EnteredItem
from surveys.questions.entered import Question, lacks_options, one_item, options_in
from surveys.questions.one_answer import OneAnswer, own_item
from surveys.questions.question import Asks, Disguise, Entry, PublishedQuestion
from surveys.questions.rows import OPTIONS, POINTS
from surveys.questions.values import values_of


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    return [one_item(entered, [option.value for option in entered.options])]


class Choice(OneAnswer):
    name = "choice"
    label = gettext_lazy("one of several")
    asks = Asks.ONE_OF
    fields = frozenset(("options", "shuffle"))
    uses = frozenset(("options", "shuffle"))
    groups = (OPTIONS,)
    scales = POINTS
    skipped = ()
    disguise = Disguise(items=own_item, entered=_items_to_disguise)

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        return replace(question, options=values_of(question, entry))

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return {"options": options_in(entered.options, languages)} if entered.options else {}

    def lacks(self, entered: Question) -> str:
        return lacks_options(entered)


TYPE = Choice()
