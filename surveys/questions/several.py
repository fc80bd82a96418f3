"""Any number of answers out of several "items": each of them is a yes/no item with a name of its own.

An undisguised answer is the list of the items that hold, in the order of the questionnaire.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import YES_NO
from privacy.design.patterns import Pattern
from privacy.design.recipes import EnteredItem
from surveys.displays import ShareRow, Shares
from surveys.questions.coarse import POOLED_OR_SILENT, Coarse, pool, too_few
from surveys.questions.entered import Question, item_of_row, items_in, lacks_options
from surveys.questions.make_displays import yes_of_each
from surveys.questions.question import (
    Answers,
    Asks,
    Categories,
    ColumnKind,
    Disguise,
    Entry,
    Given,
    OpenColumn,
    PublishedQuestion,
    QuestionType,
)
from surveys.questions.rows import OPTIONS
from surveys.questions.values import entry_items
from surveys.shares import many_enough, share_of_count


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    return [item_of_row(entered, row) for row in entered.options]


class Several(QuestionType):
    name = "several"
    label = gettext_lazy("several of several")
    asks = Asks.ANY_OF
    fields = frozenset(("items", "shuffle"))
    uses = frozenset(("options", "shuffle"))
    has_items = True
    groups = (replace(OPTIONS, are_items=True),)
    disguise = Disguise(
        items=lambda question: ((item, YES_NO) for item in question.items), entered=_items_to_disguise, yes_no=True
    )

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        return replace(question, items=entry_items(question, entry))

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        """Whether it is a list of items of the question, in the order of the questionnaire."""
        return isinstance(value, list) and value == [item for item in question.items if item in value]

    def simulate(self, question: PublishedQuestion, chance: np.random.Generator) -> list[str]:
        """The items that one simulated person ticks, each with a chance of one half."""
        return [item for item in question.items if chance.random() < 0.5]

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return {"items": items_in(entered.options, languages)}

    def columns(self, question: PublishedQuestion) -> Sequence[OpenColumn]:
        """Whether each item was ticked."""
        return [
            OpenColumn(item, ColumnKind.CHOICE, lambda answer, item=item: str(int(item in answer)), YES_NO, item)  # type: ignore[misc]
            for item in question.items
        ]

    def displays(self, answers: Answers) -> list[Shares]:
        """Return how many people ticked each answer."""
        question, given, least = answers.question, answers.given, answers.least
        labels = [answers.label(item) for item in question.items]
        if question.sensitive:
            design = answers.records.design
            patterns = [Pattern(((design.column(item), frozenset([1])),)) for item in question.items]
            return [yes_of_each(answers, question.id, labels, patterns)]
        n = given.people
        if n < least:
            return [Shares(question.id, 0)]
        rows = []
        for item, label in zip(question.items, labels, strict=True):
            count = int(given.times[[item in answer for answer in given.different]].sum())
            rows.append(
                ShareRow(label, share_of_count(count, n) if many_enough([count, n - count], least).all() else None)
            )
        or_none = any(POOLED_OR_SILENT in answer for answer in given.different)
        return [Shares(question.id, n, tuple(rows), or_none=or_none)]

    def coarse(self, question: PublishedQuestion, given: Given, silent: int | None, least: int) -> Coarse:
        """Each item is ticked or not; an item of which one of these is rare is ticked by nobody.

        Few people without an answer are among those who ticked nothing. Every answer says so, also if there are none.
        """
        shown = set()
        for item in question.items:
            ticked = int(given.times[[item in answer for answer in given.different]].sum())
            if pool([ticked, given.people - ticked], least, silent)[0][0]:
                shown.add(item)
        pooled = [] if too_few(silent, least) is None else [POOLED_OR_SILENT]
        return Coarse(
            lambda answer: [*(item for item in answer if item in shown), *pooled], pooled or None, frozenset(shown)
        )

    def categories(self, answers: Answers) -> list[Categories]:
        """An axis for each item of a question with several answers: was it ticked or not?"""
        said = (_("No"), _("Yes"))

        def of_item(item: str) -> Categories:
            heading = f"{answers.text} {answers.label(item)}"
            return Categories(item, heading, said, lambda answer: int(item in answer))

        return [of_item(item) for item in answers.question.items]

    def longest(self, question: PublishedQuestion) -> int:
        return 2 + sum(len(item) + 3 for item in question.items)

    def lacks(self, entered: Question) -> str:
        return lacks_options(entered)

    def answers(self, question: PublishedQuestion) -> Sequence[str]:
        return question.items

    def values(self, answer: Sequence[str]) -> Sequence[str]:
        return answer

    def parts(self, question: PublishedQuestion) -> list[tuple[str, str]]:
        """Each item is ticked, or it is not."""
        return [(item, "") for item in question.items]
