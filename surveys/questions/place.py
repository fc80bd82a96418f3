"""A place on a map of whole cells, with an outline or without, always disguised. An answer is its cell, "x:y".

"map" holds the "width", "height" and "cell" of the map; with an outline also its "lines", [x, y, x, y, …] in the same
units, and "degrees": west, south, and the units of a degree to the east and to the north, by which a device that asks
its owner can find itself on the map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.design.forms import EnteredItem
from privacy.design.grid.maps import read_map
from privacy.errors import EntryError
from surveys.questions.asks import Asks
from surveys.questions.entered import Entered
from surveys.questions.outline import check_lines
from surveys.questions.question import Disguise, Entry, PublishedQuestion, QuestionType
from surveys.questions.shown import on_map

SIZE = ("width", "height", "cell")
NO_MAP = {"width": 100, "height": 100, "cell": 1}  # stands in until one is entered


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    where = f"question '{question.id}'.map"
    if not question.sensitive:
        raise EntryError(
            "a place is always disguised: give the question a block.", at=f"question '{question.id}'.block"
        )
    own = entry.get("map")
    if not isinstance(own, dict) or not set(SIZE) <= set(own) <= {*SIZE, "lines", "degrees"}:
        raise EntryError("a map has a width, a height and a cell.", at=where)
    steps, _cell = read_map({name: own[name] for name in SIZE}, where)
    if not check_lines(own.get("lines", []), own["width"], own["height"]):
        raise EntryError("its lines lie on the map, and are not too many.", at=where)
    if not _are_degrees(own.get("degrees", [0, 0, 1, 1])):
        raise EntryError("its degrees are four numbers.", at=where)
    return replace(question, grid=steps)


def _are_degrees(degrees: Any) -> bool:
    return isinstance(degrees, list) and len(degrees) == 4 and all(type(one) in (int, float) for one in degrees)


def _map(entered: Entered) -> Mapping[str, Any]:
    settings: Mapping[str, Any] = entered.question.settings
    return settings.get("map") or {}


def _write(entered: Entered, languages: Sequence[str]) -> Entry:
    del languages
    return {"map": dict(_map(entered) or NO_MAP)}


def _lacks(entered: Entered) -> str:
    return "" if _map(entered) else _("“%(name)s” has no map yet.") % {"name": entered.question.identifier}


def _entered(entered: Entered) -> list[EnteredItem]:
    own = _map(entered) or NO_MAP
    scale = {name: own[name] for name in SIZE}
    return [EnteredItem(entered.question.identifier, (), entered.question.settings, scale)]


TYPE = QuestionType(
    name="place",
    label=gettext_lazy("place on a map"),
    asks=Asks.PLACE,
    fields=frozenset(("map",)),
    uses=frozenset(("map",)),
    read=_read,
    fits=lambda _question, _value: False,  # there is no open answer
    made_up=lambda _question, _chance: None,
    shown=on_map,
    longest=lambda _question: 0,
    write=_write,
    lacks=_lacks,
    disguise=Disguise(
        items=lambda question: ((question.id, question.grid),),
        entered=_entered,
        on_grid=True,
        scale=lambda settings: dict.fromkeys(SIZE) | ({"zones": settings["zones"]} if settings.get("zones") else {}),
    ),
)
