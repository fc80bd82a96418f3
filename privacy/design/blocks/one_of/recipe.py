"""How settings become a list of words: by γ, the cap in answers, the longest word, and what each length weighs."""

from collections.abc import Sequence
from typing import Any

from privacy.design import recipes
from privacy.design.blocks.one_of.design import ALONE
from privacy.design.fields import YES_NO
from privacy.design.recipes import EnteredItem, Recipe, Values
from privacy.errors import EntryError


def _item_entry(values: Values, item: EnteredItem) -> dict[str, Any]:
    """The item with its harmless answer: no, or the first option, unless another is entered; and the one alone."""
    own = recipes.bare_item(values, item) | ({} if item.options is None else {"options": list(item.options)})
    options = item.options or YES_NO
    usual = YES_NO[0] if {*YES_NO} <= {*options} else options[0]
    alone = item.values.get(ALONE)
    return own | {"harmless": item.values.get("harmless") or usual} | ({ALONE: alone} if alone else {})


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    gamma, cap = (values.get(name) for name in ("list_gamma", "cap"))
    if gamma is None:
        raise EntryError("a list of words needs γ, its promise.", at="list_gamma")
    if cap is None:
        raise EntryError("a list of words needs a cap: how many answers of one person it tells in full.", at="cap")
    block = {"model": "one-of", "gamma": gamma, "cap": cap, "items": list(items)}
    return [block | {name: values[name] for name in ("longest", "weights") if values.get(name) is not None}]


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name="one-of",
        takes=lambda item: not item.scale,
        write_item=_item_entry,
        write=_block_entries,
        needs=lambda _values: 1,
    ),
)
