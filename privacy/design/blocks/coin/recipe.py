"""How settings become a coin block."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from privacy.design.notation import write_ask
from privacy.design.recipes import EnteredItem, Recipe, Values, require_setting
from privacy.draws.ready import draw_of
from privacy.draws.sources import SOURCES
from privacy.draws.ways import WAYS
from privacy.errors import EntryError


def _item_entry(values: Values, item: EnteredItem) -> dict[str, Any]:
    if item.options is None:
        own_first = (item.values.get("noise"), item.values.get("theta"), values.get("theta"))
        theta = next((share for share in own_first if share is not None), None)
        if theta is None:
            raise EntryError("give θ, the chance that noise says yes, here or in its block.", at="theta")
        return {"id": item.id, "theta": theta}
    if item.values.get("theta") is not None:
        raise EntryError("θ is for yes/no answers under a coin: leave it empty.", at="theta")
    given = item.values.get("noise") or [None] * len(item.options)
    if all(share is None for share in given):
        given = [1 / len(item.options)] * len(item.options)
    if any(share is None for share in given):
        raise EntryError("give the noise of every option, or of none.", at="options")
    return {"id": item.id, "options": list(item.options), "noise": given}


def _block_entries(values: Values, items: Sequence[dict[str, Any]], *, each: bool) -> list[dict[str, Any]]:
    if values.get("keep") is None:
        raise EntryError("a coin needs p, the chance that the truth is kept.", at="keep")
    block = {"keep": values["keep"], **write_ask(values.get("ask"))}
    if each and "ask" not in block:
        return [block | {"items": [item]} for item in items]
    return [block | {"items": list(items)} | ({"coin": "each"} if each else {})]


def _person_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A block that people draw themselves; where its way hides a yes alone, it is one-sided."""
    way, source, part = (require_setting(values, name) for name in ("draw_way", "source", "part"))
    if way not in WAYS or source not in SOURCES:
        raise EntryError(
            "people do not draw by “{way}” with “{source}” here: choose another.", at="draw_way", way=way, source=source
        )
    ask = write_ask(values.get("ask"))
    draw = draw_of(way, source, part, ask.get("ask", len(items)), values.get("fact"), lot=bool(values.get("lot")))
    own = {} if WAYS[way].hides_no else {"harmless": "0"}
    return [{"by": "person", "draw": draw, **ask, "items": [item | own for item in items]}]


RECIPES: tuple[Recipe, ...] = (
    *(
        Recipe(
            name=name,
            takes=lambda item: not item.scale,
            write_item=_item_entry,
            write=partial(_block_entries, each=each),
        )
        for name, each in (("coin", False), ("each", True))
    ),
    # Who presses is asked a plain question: "yes" and "no" are the buttons.
    Recipe(name="by-person", takes=lambda item: item.options is None and not item.scale, write=_person_entries),
)
