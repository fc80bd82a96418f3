"""A place on a map of whole cells, with an outline or without, always disguised. An answer is its cell, "x:y".

"map" holds the "width", "height" and "cell" of the map; with an outline also its "lines", [x, y, x, y, …] in the same
units, and "degrees": west, south, and the units of a degree to the east and to the north, by which a device that asks
its owner can find itself on the map.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, sqrt
from typing import Any

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.block import Block
from privacy.design.fields import Steps, read_map
from privacy.design.recipes import EnteredItem
from privacy.design.sentences import three_digits
from privacy.draw.map import Map
from privacy.errors import EntryError
from privacy.location.outline import check_lines
from privacy.reconstruct.distribution import Distribution, distribution
from surveys.displays import PlaceMap
from surveys.questions.coarse import pool
from surveys.questions.entered import Question
from surveys.questions.question import Answers, Asks, Disguise, Entry, PublishedQuestion, QuestionType
from surveys.sentences import join_sentences
from surveys.shares import bins_of_report, many_enough

SIZE = ("width", "height", "cell")
NO_MAP = {"width": 100, "height": 100, "cell": 1}  # stands in until one is entered


def check_map(own: Any, where: str) -> tuple[Steps, ...]:
    """The columns and rows of a map; an EntryError says why it is none."""
    if not isinstance(own, dict) or not set(SIZE) <= set(own) <= {*SIZE, "lines", "degrees"}:
        raise EntryError("a map has a width, a height and a cell.", at=where)
    steps, _cell = read_map({name: own[name] for name in SIZE}, where)
    if not check_lines(own.get("lines", []), own["width"], own["height"]):
        raise EntryError("its lines lie on the map, and are not too many.", at=where)
    degrees = own.get("degrees", [0, 0, 1, 1])
    if not (isinstance(degrees, list) and len(degrees) == 4 and {*map(type, degrees)} <= {int, float}):
        raise EntryError("its degrees are four numbers.", at=where)
    return steps


def _map(entered: Question) -> Mapping[str, Any]:
    settings: Mapping[str, Any] = entered.settings
    return settings.get("map") or {}


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    own = _map(entered) or NO_MAP
    scale = {name: own[name] for name in SIZE}
    return [EnteredItem(entered.id, (), entered.settings, scale)]


def _true_share(answers: Answers, column: int) -> Callable[[float, float, float, float], float] | None:
    """A function for the share of simulated people in a rectangle of the map, by the middle of their cells, or None."""
    pairs, cell = answers.simulated, answers.entry["map"]["cell"]
    if pairs is None:
        return None
    x, y = (
        (place + 0.5) * cell for place in np.divmod(pairs[0][:, column].astype(float), len(answers.question.grid[1]))
    )

    def share(left: float, bottom: float, width: float, height: float) -> float:
        inside = (left <= x) & (x < left + width) & (bottom <= y) & (y < bottom + height)
        return float(inside.mean())

    return share


def _notes_below_map(block: Block, answers: Answers, estimated: Distribution, *, hidden: bool) -> Iterator[str]:
    """The sentence below a map of answers."""
    yield _("Reported places are {distance} away from true ones (root mean square) if people live evenly.").format(
        distance=three_digits(sqrt(block.figures["expected_squared_error"]))
    )
    side, edges = block.figures["side"], estimated.distribution.edges
    if min(np.diff(edges[axis]).min() for axis in "xy") < side:
        yield _(
            "Where places are hidden, reports show nothing finer than a square of {side} by {side}: narrower cells may "
            "have larger errors there than shown."
        ).format(side=three_digits(side))
    if estimated.distribution.unseen.any():
        yield _(
            "Reports do not show where people are in a zone that is little longer than this square: cells that cut it "
            "are blank, and the zone has a share of its own."
        )
    if (pairs := answers.simulated) is not None:
        column, cell = answers.records.design.column(answers.question.id), answers.entry["map"]["cell"]
        true, sent = (np.divmod(codes[:, column].astype(float), len(answers.question.grid[1])) for codes in pairs)
        squared = sum((one - other) ** 2 for one, other in zip(true, sent, strict=True))
        yield _("The simulated people of this demonstration are {distance} away from theirs.").format(
            distance=three_digits(cell * sqrt(np.mean(squared)))
        )
    if hidden:
        yield _("Cells of fewer than %(least)s people are blank.") % {"least": answers.least}


def _share_of_hidden(estimated: Distribution, hidden: np.ndarray) -> tuple[float, float] | None:
    """Return the share of all hidden cells together, and its error."""
    if hidden.all() or not hidden.any():
        return None
    return float(estimated.shares[hidden].sum()), float(estimated.draws[:, hidden].sum(axis=1).std(ddof=1))


def _none_where_hidden(values: np.ndarray, seen: np.ndarray) -> tuple[tuple[float | None, ...], ...]:
    """Rows of values, None where they are not shown."""
    return tuple(
        tuple(float(value) if tell else None for value, tell in zip(row, tells, strict=True))
        for row, tells in zip(values, seen, strict=True)
    )


class Place(QuestionType):
    name = "place"
    label = gettext_lazy("place on a map")
    asks = Asks.PLACE
    fields = frozenset(("map",))
    uses = frozenset(("map",))
    disguise = Disguise(
        items=lambda question: ((question.id, question.grid),),
        entered=_items_to_disguise,
        on_grid=True,
        scale=lambda settings: dict.fromkeys(SIZE) | ({"zones": settings["zones"]} if settings.get("zones") else {}),
    )

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        where = f"question '{question.id}'.map"
        if not question.sensitive:
            raise EntryError(
                "a place is always disguised: give the question a block.", at=f"question '{question.id}'.block"
            )
        return replace(question, grid=check_map(entry.get("map"), where))

    def write(self, entered: Question, _languages: Sequence[str]) -> Entry:
        return {"map": dict(_map(entered) or NO_MAP)}

    def lacks(self, entered: Question) -> str:
        return "" if _map(entered) else _("“%(name)s” has no map yet.") % {"name": entered.words}

    def displays(self, answers: Answers) -> list[PlaceMap]:
        """Return the map: the share of people in each cell of a grid and in each zone.

        What is sent from outside the zones is true: a cell there is reported as an undisguised answer is, if enough are
        there. Where they are few there is no map: the shares of the zones, with their errors, would tell how many.
        Until the version has closed nothing is shown where some places are true: shares of the others tell how many.
        """
        question = answers.question
        answers = answers.with_item(question.id)
        records, design = answers.records, answers.records.design
        n, column = len(records), design.column(question.id)
        if answers.worth(np.ones(n, bool)) < answers.least_alone:
            return [PlaceMap(question.id, 0)]
        block = design.blocks[design.place(column)[0]]
        if block.gamma == inf and not answers.settled:
            said = _("Places are reported after the version has closed, because places outside the zones are true.")
            return [PlaceMap(question.id, 0, said=said)]
        true = block.certain(records.codes[:, [column]])
        if block.gamma == inf and answers.worth(true) < answers.least:
            said = _("Fewer than %(least)s people are outside the zones, too few to report on.")
            return [PlaceMap(question.id, 0, said=said % {"least": answers.least})]
        estimated = distribution(records, question.id, bins=bins_of_report(question.grid), sample=answers.sampling)
        exposed = estimated.exposed.ravel()
        many = many_enough(exposed, answers.least)
        if answers.coarse:
            in_sight = np.isfinite(exposed)
            many[in_sight] = pool(exposed[in_sight], answers.least)[0]
        seen = many.reshape(estimated.exposed.shape) & ~estimated.distribution.unseen
        map_, figures = answers.entry["map"], block.figures
        return [
            PlaceMap(
                question.id,
                n,
                said=join_sentences(_notes_below_map(block, answers, estimated, hidden=not many.all())),
                map_=Map(
                    map_["width"],
                    map_["height"],
                    map_.get("lines", ()),
                    figures.get("merged", ()),
                    figures.get("epsilon_zones", ()),
                ),
                edges=estimated.distribution.edges,
                shares=_none_where_hidden(estimated.shares, seen),
                errors=_none_where_hidden(estimated.se, seen),
                zones=tuple(estimated.figures.get("zones", [])),
                rest=_share_of_hidden(estimated, ~seen),
                true_share=_true_share(answers, column),
            )
        ]

    def fits(self, _question: PublishedQuestion, _value: object) -> bool:
        return False  # there is no undisguised answer

    def longest(self, _question: PublishedQuestion) -> int:
        return 0

    def simulate(self, _question: PublishedQuestion, _chance: np.random.Generator) -> None:
        """Return None: places are not made up."""
