"""How settings become a number with noise: a block of its own for each number."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from privacy.design import recipes
from privacy.design.recipes import Advised, EnteredItem, Recipe, Values


def _item_entry(values: Values, item: EnteredItem) -> dict[str, Any]:
    """Return the item's JSON; while no scale is entered, a scale of two steps that suits every noise."""
    width = values.get("spread") or 1
    return {"id": item.id, **(item.scale or {"min": 0, "max": width, "step": width})}


def _block_entries(values: Values, items: Sequence[dict[str, Any]], *, name: str, own: str) -> list[dict[str, Any]]:
    """A block with the noise `name` for each item; `own` is the setting that it cannot do without."""
    recipes.require_setting(values, own)
    keys = (own,) if own == "epsilon" else (own, "edge", "mix")
    given = {key: values[key] for key in keys if values.get(key) not in (None, "")}
    return [{"number": name, **given, "items": [item]} for item in items]


_ADVISED = Advised(("min", "max", "step"), lambda entry: "min" in entry, recipes.of_epsilon)

RECIPES: tuple[Recipe, ...] = tuple(
    Recipe(
        name=name,
        takes=lambda item: "min" in item.scale,
        write_item=_item_entry,
        write=partial(_block_entries, name=name, own=own),
        advised=advised,
    )
    for name, own, advised in (
        ("uniform", "spread", None),
        ("normal", "spread", None),
        ("square-wave", "epsilon", _ADVISED),
    )
)
