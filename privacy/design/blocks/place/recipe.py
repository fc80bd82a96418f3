"""How settings become a place: a block of its own for each, the map and the zones with the item."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from privacy.design import recipes
from privacy.design.recipes import Advised, Recipe, Values

SQUARE, ZONES = "square", "zones"  # in a design, and the names of the two recipes


def _block_entries(values: Values, items: Sequence[dict[str, Any]], *, name: str) -> list[dict[str, Any]]:
    own = {"place": name, "epsilon": recipes.require_setting(values, "epsilon")}
    if values.get("side") is not None:
        own["side"] = values["side"]
    return [_entry(own, **item) for item in items]


def _entry(own: dict[str, Any], *, zones: Any = None, **item: Any) -> dict[str, Any]:
    """A block's JSON from its settings and one item; the zones of the item are moved to the block."""
    return own | ({} if zones is None else {"zones": zones}) | {"items": [item]}


_KEYS = ("width", "height", "cell", "zones")

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name=SQUARE,
        takes=lambda item: "width" in item.scale,
        write=partial(_block_entries, name=SQUARE),
        advised=Advised(_KEYS, lambda entry: "width" in entry and "zones" not in entry, recipes.of_epsilon),
    ),
    Recipe(
        name=ZONES,
        takes=lambda item: "width" in item.scale,
        write_item=lambda values, item: recipes.bare_item(values, item) | {"zones": item.values["zones"]},
        write=partial(_block_entries, name=ZONES),
        advised=Advised(_KEYS, lambda entry: "width" in entry and "zones" in entry, recipes.of_epsilon),
    ),
)
