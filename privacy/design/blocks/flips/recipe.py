"""How settings become a flip block."""

from collections.abc import Sequence
from typing import Any

from privacy.design.notation import write_ask
from privacy.design.recipes import Recipe, Values
from privacy.errors import EntryError


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ask = write_ask(values.get("ask"))
    flips, gamma, radius = (values.get(name) for name in ("flips", "gamma", "radius"))
    if flips is not None and (gamma or radius is not None):
        raise EntryError("Give either the flips, or γ and radius.", at="flips")
    if flips is not None:
        return [{"flips": flips, "items": list(items), **ask}]
    if gamma is None or radius is None:
        raise EntryError("a flip block needs its flips, or γ and radius.", at="gamma" if gamma is None else "radius")
    return [{"model": "flip", "gamma": gamma, "radius": radius, "items": list(items), **ask}]


def _items_needed(values: Values) -> int:
    if values.get("ask") is not None:
        return max(values["ask"], 1)
    flips = values.get("flips")
    return len(flips) - 1 if isinstance(flips, list) else (values.get("radius") or 0) + 1


RECIPES: tuple[Recipe, ...] = (
    Recipe(name="flip", takes=lambda item: item.boolean, write=_block_entries, needs=_items_needed),
)
