"""The sheets of a version: their fields, and the lots of sheets that are alike.

A sheet's lot is public: which items it asks, which look it has, and how far the windows of facts are turned. All draws
of a sheet are turned together: each share is exact, and pairs are wrong by the product of two seasons alone.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import lcm

from privacy.design import Design
from privacy.own_draw.person_draw import LOOK, Drawn, PersonDraw
from privacy.own_draw.sources import SOURCES
from surveys.definition import Definition, asked_items
from surveys.features.paper import LOT, VERSION, boxes
from surveys.models import SurveyVersion
from surveys.questions import PublishedQuestion

MARK = 8  # digits of the version's hash that a sheet prints


@dataclass(frozen=True)
class SheetField:
    """A question with boxes to cross, or one of its items."""

    name: str
    question: PublishedQuestion
    place: int | None  # of its item among those of the design; None: it is undisguised

    @cached_property
    def boxes(self) -> tuple[str, ...]:
        """What each box says: of a drawn answer what is pressed, 1 before 0."""
        return ("1", "0") if self.place is not None else boxes(self.question)

    @property
    def required(self) -> bool:
        return self.place is not None or self.question.required


@dataclass(frozen=True)
class SheetLot:
    """Sheets that are alike: which items they ask, which look they have, and how far windows of facts are turned."""

    asked: frozenset[int]
    look: int
    turn: int


@dataclass(frozen=True)
class SheetForm:
    """What the sheets of a version hold, by their lots."""

    version: SurveyVersion
    fields: tuple[SheetField, ...]
    lots: tuple[SheetLot, ...]
    swapped: frozenset[int]  # the items whose record is turned over in the second look

    @property
    def mark(self) -> str:
        return self.version.sha256[:MARK]

    def lot_name(self, lot: SheetLot) -> str:
        """The number of a lot as sheets print it and as it is typed: all have as many digits."""
        return f"{self.lots.index(lot) + 1:0{len(str(len(self.lots)))}}"

    @property
    def says_look(self) -> bool:
        """Whether a response says which look it had."""
        return any(question.id == LOOK for question in self.version.parsed.beside_records)

    @property
    def columns(self) -> list[str]:
        return [VERSION, *([LOT] if len(self.lots) > 1 else []), *(field.name for field in self.fields)]

    def group_of(self, field: SheetField) -> int | str:
        """What is alike in fields that one draw answers: their block; an undisguised one stands alone."""
        return field.name if field.place is None else self.version.design.place(field.place)[0]

    def draw_of(self, field: SheetField) -> PersonDraw | None:
        """How a field is drawn; None of an undisguised one."""
        place = self.group_of(field)
        return self.version.design.blocks[place].draw if isinstance(place, int) else None

    def fields_of(self, lot: SheetLot) -> list[SheetField]:
        return [field for field in self.fields if field.place is None or field.place in lot.asked]


def form_of(version: SurveyVersion) -> SheetForm:
    definition = version.parsed
    return SheetForm(
        version, tuple(_fields(definition)), tuple(_lots(definition.design)), _items_with_looks(definition.design)
    )


def _fields(definition: Definition) -> Iterator[SheetField]:
    places = {item.id: place for place, item in enumerate(definition.design.items)}
    for question in definition.questions:
        names = [name for name, _values in asked_items(question)] if question.sensitive else [question.id]
        for name in names:
            yield SheetField(name, question, places.get(name) if question.sensitive else None)


def _items_with_looks(design: Design) -> frozenset[int]:
    """The places of items that have two looks."""
    blocks = zip(design.blocks, design.first_columns, strict=True)
    return frozenset(
        place
        for block, first in blocks
        if block.draw and block.draw.way.look
        for place in range(first, first + len(block.items))
    )


def _lots(design: Design) -> Iterator[SheetLot]:
    """All sheets that people may get, equally likely, in a fixed order."""
    ways = [
        combinations(range(first, first + len(block.items)), block.items_per_person)
        for block, first in zip(design.blocks, design.first_columns, strict=True)
    ]
    looks = range(2 if _items_with_looks(design) else 1)
    draws = [block.draw.drawn for block in design.blocks if block.draw]
    for chosen, look, turn in product(product(*ways), looks, _turns(draws)):
        yield SheetLot(frozenset(place for part in chosen for place in part), look, turn)


def count_lots(design: Design) -> int:
    """How many kinds of sheets a design makes of which people draw everything."""
    return sum(1 for _lot in _lots(design))


def _turns(draws: Sequence[Drawn]) -> range:
    """How far a lot turns the windows of facts: as few turns as give each outcome each meaning as often as all do."""
    by_lot = [drawn for drawn in draws if drawn.lot]
    whole = lcm(*(len(drawn.labels) for drawn in by_lot))
    for step in range(whole, 0, -1):
        steps = range(0, whole, step)
        if whole % step == 0 and all(_is_even(drawn, steps) for drawn in by_lot):
            return steps
    raise AssertionError  # all turns are even


def turn_outcomes(drawn: Drawn, turn: int) -> list[tuple[list[str], str]]:
    """The outcomes as a sheet has them, with what they say: a lot lets each stand for the one so many places on."""
    circle = list(SOURCES[drawn.source].chances)
    by = turn if drawn.lot else 0
    moved = {label: circle[(place + by) % len(circle)] for place, label in enumerate(circle)}
    return [
        (sorted((moved[label] for label in outcome.labels), key=circle.index), outcome.says)
        for outcome in drawn.outcomes
    ]


def _is_even(drawn: Drawn, turns: range) -> bool:
    """Whether over these turns each outcome has each meaning equally often."""
    met: dict[str, Counter[str]] = {label: Counter() for label in drawn.labels}
    for turn in turns:
        for labels, says in turn_outcomes(drawn, turn):
            for label in labels:
                met[label][says] += 1
    first, *others = met.values()
    return all(other == first for other in others)


def draw_together(form: SheetForm, lot: SheetLot) -> list[list[SheetField]]:
    """The fields of a lot in their order; those that one draw answers stay together, where the first of them is."""
    groups: dict[int | str, list[SheetField]] = {}
    for field in form.fields_of(lot):
        groups.setdefault(form.group_of(field), []).append(field)
    return list(groups.values())
