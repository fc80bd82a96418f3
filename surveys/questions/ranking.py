"""An order of several "items": the first place, the second, and so on. It cannot be disguised.

An undisguised answer is an object from the name of each item to its place, "1" for the first, as if each item were a
statement whose points are the places; so it is filed as statements are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from surveys.displays import Shares
from surveys.questions.coarse import Coarse, coarse_options
from surveys.questions.entered import Question, items_in
from surveys.questions.make_displays import open_options, place_among
from surveys.questions.matrix import Matrix
from surveys.questions.question import Answers, Asks, Categories, Entry, Given, PublishedQuestion
from surveys.questions.rows import OPTIONS
from surveys.questions.values import entry_items, steps

MOST = 20


def _first_item(answer: Mapping[str, str]) -> str:
    return next(item for item, place in answer.items() if place == "1")


class Ranking(Matrix):
    name = "ranking"
    label = gettext_lazy("order of several (not disguised)")
    asks = Asks.ORDER_OF
    fields = frozenset(("items", "shuffle"))
    uses = frozenset(("options", "shuffle"))
    groups = (replace(OPTIONS, are_items=True),)
    scales = ()
    disguise = None

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        items = entry_items(question, entry)
        if not 2 <= len(items) <= MOST:
            raise EntryError("an order is of 2 to {most} answers.", at=f"question '{question.id}'.options", most=MOST)
        places = steps(question.id, 1, len(items))
        return replace(question, items=items, options=places, min=1, max=len(items))

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        """Whether every item has a place, and each place is of one item."""
        return super().fits(question, value) and isinstance(value, dict) and {*value.values()} == {*question.options}

    def simulate(self, question: PublishedQuestion, chance: np.random.Generator) -> dict[str, str]:
        places = chance.permutation(len(question.items)) + 1
        return {item: str(place) for item, place in zip(question.items, places, strict=True)}

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return {"items": items_in(entered.options, languages)}

    def lacks(self, entered: Question) -> str:
        return "" if len(entered.options) > 1 else _("“%(name)s” needs two answers to order.") % {"name": entered.words}

    def coarse(self, question: PublishedQuestion, given: Given, silent: int | None, least: int) -> Coarse:
        """Each place of each answer is a class where no place is rare; else each answer in the first place is."""
        places = [
            given.times[[answer[item] == place for answer in given.different]].sum()
            for item in question.items
            for place in question.options
        ]
        if min(places) >= least and (silent is None or silent >= least):
            return Coarse(lambda answer: answer)
        first = Given([_first_item(answer) for answer in given.different], given.times)
        one = coarse_options(question.items, first.count(question.items), least, silent)
        return Coarse(lambda answer: {one.of(_first_item(answer)): "1"}, {one.silence: "1"} if one.silence else None)

    def displays(self, answers: Answers) -> list[Shares]:
        """How common each place of each answer is, if none of these figures is of a few people; else what came first.

        Each place is taken by everybody once. So figures of all answers but one tell those of the last, also one that
        would not be shown.
        """
        places = super().displays(answers) if all(len(answer) > 1 for answer in answers.given.different) else []
        if places and all(display.rows and all(row.all for row in display.rows) for display in places):
            return places
        question = replace(answers.question, options=answers.question.items)
        given = Given([_first_item(answer) for answer in answers.given.different], answers.given.times)
        labels = [answers.label(item) for item in question.items]
        return [open_options(replace(answers, question=question), question.id, given, labels, _("In the first place"))]

    @staticmethod
    def _is_whole(answer: Mapping[str, str]) -> bool:
        return len(answer) > 1

    def categories(self, answers: Answers) -> list[Categories]:
        """An axis of what came first."""
        items = answers.question.items
        labels, place = tuple(map(answers.label, items)), place_among(items)
        return [Categories(answers.question.id, answers.text, labels, lambda answer: place(_first_item(answer)))]

    def answers(self, _question: PublishedQuestion) -> tuple[str, ...]:
        """Nothing: a condition cannot depend on an order."""
        return ()

    def values(self, _answer: Mapping[str, str]) -> tuple[str, ...]:
        return ()

    def parts(self, _question: PublishedQuestion) -> list[list[str]]:
        return []
