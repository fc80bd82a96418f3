"""Statements on one scale: a radio table, which is a list of statements on phones. Each is an item with its own name.

"items" are the statements. The scale is "min" to "max", whole numbers with words at its "ends", or "options": points
with a label each. An undisguised answer is an object from the name of a statement to the value of its point; statements
without an answer are not in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError
from surveys.displays import Shares
from surveys.questions.coarse import Coarse, are_enough, coarse_options
from surveys.questions.entered import (
    EnteredOption,
    Question,
    bounds,
    ends_in,
    in_languages,
    items_in,
    lacks_ends,
    shares_of,
)
from surveys.questions.make_displays import open_options, open_steps, option_shares, place_among
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
from surveys.questions.rows import POINTS, RowGroup
from surveys.questions.values import entry_items, steps, values_of


def _names_statement(value: str) -> bool:
    """Statements have names, which begin with a letter; what does not is the value of a point."""
    return value[:1].isalpha()


def _is_point(row: EnteredOption) -> bool:
    return not _names_statement(row.value)


def _points(entered: Question) -> list[EnteredOption]:
    return [row for row in entered.options if _is_point(row)]


def _statements(entered: Question) -> list[EnteredOption]:
    return [row for row in entered.options if not _is_point(row)]


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    """An item for each statement; noise is alike for all of them, so it is entered at the points."""
    if any(row.settings for row in _statements(entered)):
        raise EntryError("noise belongs to the points of the scale, not to a statement.", at=f"{entered.place}.options")
    points, ends = _points(entered), bounds(entered)
    options = tuple(point.value for point in points)
    if ends and not points:
        options = steps(entered.id, ends.get("min"), ends.get("max"))
    names = [row.value for row in _statements(entered)] or [entered.id]
    return [EnteredItem(name, options, {**entered.settings, **shares_of(points)}) for name in names]


def _ratings_of(given: Given, item: str) -> Given:
    """The points that people gave to a statement."""
    rated = np.array([item in answer for answer in given.different], bool)
    return Given([answer[item] for answer in given.different if item in answer], given.times[rated])


class Matrix(QuestionType):
    name = "matrix"
    label = gettext_lazy("statements on one scale")
    asks = Asks.OF_STATEMENTS
    fields = frozenset(("items", "options", "shuffle", "min", "max", "ends"))
    uses = frozenset(("options", "min", "max", "low", "high", "shuffle"))
    has_items = True
    groups: tuple[RowGroup, ...] = (
        RowGroup("statements", gettext_lazy("Statements, one a line"), are_items=True, holds=_names_statement),
        RowGroup(
            "points",
            gettext_lazy("Points of the scale, one a line"),
            numbered=True,
            optional=True,
            holds=lambda value: not _names_statement(value),
        ),
    )
    scales = POINTS
    disguise: Disguise | None = Disguise(
        items=lambda question: ((item, question.options) for item in question.items), entered=_items_to_disguise
    )

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        items = entry_items(question, entry)
        if "options" not in entry:
            low, high = entry.get("min"), entry.get("max")
            return replace(question, items=items, min=low, max=high, options=steps(question.id, low, high))
        if entry.keys() & {"min", "max", "ends"}:
            raise EntryError(
                "the scale is either min to max with words at its ends, or points of its own.",
                at=f"question '{question.id}'.min",
            )
        return replace(question, items=items, options=values_of(question, entry))

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        """Whether at least one statement is answered, and all of them where an answer is required."""
        if not isinstance(value, dict) or not value or not value.keys() <= set(question.items):
            return False
        points = [isinstance(point, str) and point in question.options for point in value.values()]
        return all(points) and not (question.required and len(points) < len(question.items))

    def simulate(self, question: PublishedQuestion, chance: np.random.Generator) -> dict[str, str]:
        one = super().simulate
        return {item: one(question, chance) for item in question.items}

    def longest(self, question: PublishedQuestion) -> int:
        point = super().longest(question)
        return 2 + sum(len(f'"{item}":,') + point for item in question.items)

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        entry = {"items": items_in(_statements(entered), languages)} | ends_in(entered, languages)
        points = [{"value": row.value, "label": in_languages(row.label, languages)} for row in _points(entered)]
        return entry | ({"options": points} if points else bounds(entered))

    def lacks(self, entered: Question) -> str:
        if not _statements(entered):
            return _("“%(name)s” has no statements yet.") % {"name": entered.words}
        return "" if _points(entered) else lacks_ends(entered)

    def answers(self, question: PublishedQuestion) -> Iterable[str]:
        return (f"{item}={point}" for item in question.items for point in question.options)

    def values(self, answer: Mapping[str, str]) -> Iterable[str]:
        return (f"{item}={point}" for item, point in answer.items())

    def parts(self, question: PublishedQuestion) -> list[list[str]]:
        return [[f"{item}={point}" for point in question.options] for item in question.items]

    def answer_text(self, entered: Question, value: str, language: str) -> str:
        item, _equals, point = value.partition("=")
        return f"{super().answer_text(entered, item, language)}: {super().answer_text(entered, point, language)}"

    def columns(self, question: PublishedQuestion) -> Sequence[OpenColumn]:
        """The point of each statement."""
        return [
            OpenColumn(item, ColumnKind.CHOICE, lambda answer, item=item: answer.get(item), question.options, item)  # type: ignore[misc]
            for item in question.items
        ]

    def displays(self, answers: Answers) -> list[Shares]:
        """Return a display for each statement: how common each point of the scale is."""
        question = answers.question
        labels = [answers.label(point) for point in question.options]
        shown = []
        for item in question.items:
            heading = answers.label(item)
            if question.sensitive:
                shown.append(option_shares(answers, item, labels, heading))
            else:
                on_scale = open_options if question.min is None else open_steps
                shown.append(on_scale(answers, item, _ratings_of(answers.given, item), labels, heading))
        return shown

    def coarse(self, question: PublishedQuestion, given: Given, silent: int | None, least: int) -> Coarse:
        """Each point of each statement is a class, but for the rare ones; statements of too few people are left out."""
        of_item: dict[str, Coarse] = {}
        for item in question.items:
            rated = _ratings_of(given, item)
            unrated = None if silent is None else silent + given.people - rated.people
            if are_enough(rated.people, least, unrated):
                of_item[item] = coarse_options(question.options, rated.count(question.options), least, unrated)

        def classes_of(answer: Mapping[str, str]) -> dict[str, str]:
            points = {item: one.of(answer[item]) if item in answer else one.silence for item, one in of_item.items()}
            return {item: point for item, point in points.items() if point}

        apart = frozenset(f"{item}={point}" for item, one in of_item.items() for point in one.apart)
        return Coarse(classes_of, classes_of({}) or None, apart)

    def categories(self, answers: Answers) -> list[Categories]:
        """An axis for each statement on a scale."""
        question = answers.question
        labels = tuple(answers.label(value) for value in question.options)
        place = place_among(question.options)

        def of_item(item: str) -> Categories:
            heading = f"{answers.text} {answers.label(item)}"
            return Categories(item, heading, labels, lambda answer: place(answer.get(item)))

        return [of_item(item) for item in question.items]
