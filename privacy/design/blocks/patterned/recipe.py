"""How settings become a patterned block."""

from collections.abc import Sequence
from typing import Any

from privacy.design.notation import write_ask
from privacy.design.recipes import Recipe, Values
from privacy.errors import EntryError


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ask = write_ask(values.get("ask"))
    table, gamma = values.get("patterned"), values.get("patterned_gamma")
    if table is not None and gamma:
        raise EntryError("Give either the table of patterns, or its γ.", at="patterned")
    if table is not None:
        return [{"patterned": table, "items": list(items), **ask}]
    if gamma is None:
        raise EntryError("a patterned block needs its table, or γ.", at="patterned_gamma")
    return [{"model": "patterned", "gamma": gamma, "items": list(items), **ask}]


def _items_needed(values: Values) -> int:
    if values.get("ask") is not None:
        return max(values["ask"], 2)
    table = values.get("patterned")
    return max(len(table).bit_length() - 1, 2) if isinstance(table, list) else 2


RECIPES: tuple[Recipe, ...] = (
    Recipe(name="patterned", takes=lambda item: item.boolean, write=_block_entries, needs=_items_needed),
)
