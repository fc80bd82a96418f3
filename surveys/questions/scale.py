"""A step on a scale of whole numbers from "min" to "max", with words at its "ends".

Its options in the design are the steps as decimal strings, and so is an undisguised answer.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy

from privacy.design.recipes import EnteredItem
from surveys.displays import Shares
from surveys.questions.entered import Question, bounds, ends_in, lacks_ends, one_item
from surveys.questions.make_displays import open_steps
from surveys.questions.one_answer import OneAnswer, own_item
from surveys.questions.question import Answers, Asks, Disguise, Entry, PublishedQuestion
from surveys.questions.rows import NUMBERS
from surveys.questions.values import steps


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    ends = bounds(entered)
    return [one_item(entered, steps(entered.id, ends.get("min"), ends.get("max")) if ends else ())]


class Scale(OneAnswer):
    name = "scale"
    label = gettext_lazy("scale")
    asks = Asks.ON_A_SCALE
    fields = frozenset(("min", "max", "ends"))
    uses = frozenset(("min", "max", "low", "high"))
    scales = NUMBERS
    disguise = Disguise(items=own_item, entered=_items_to_disguise)

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        low, high = entry.get("min"), entry.get("max")
        return replace(question, min=low, max=high, options=steps(question.id, low, high))

    def displays(self, answers: Answers) -> Sequence[Shares]:
        """How common each step is; where they were not disguised, their mean and median, too."""
        if answers.question.sensitive:
            return super().displays(answers)
        return [open_steps(answers, answers.question.id, answers.given, answers.question.options)]

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return bounds(entered) | ends_in(entered, languages)

    def lacks(self, entered: Question) -> str:
        return lacks_ends(entered)


TYPE = Scale()
