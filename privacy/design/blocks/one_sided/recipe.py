"""How settings become a one-sided block."""

from collections.abc import Sequence
from typing import Any

from privacy.design import recipes
from privacy.design.notation import write_ask
from privacy.design.recipes import Recipe, Values
from privacy.errors import EntryError


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    if values.get("turned") is None:
        raise EntryError("a one-sided block needs g, the chance that a harmless answer is turned.", at="turned")
    if len({item["harmless"] for item in items}) > 1:
        raise EntryError("its questions have different harmless answers; use a block for each.")
    return [{"one-sided": values["turned"], "items": list(items), **write_ask(values.get("ask"))}]


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name="one-sided",
        # Respondents read which of "yes" and "no" is not hidden; under other words that would be the wrong one.
        takes=lambda item: item.options is None,
        write_item=lambda values, item: recipes.bare_item(values, item) | {"harmless": item.values["harmless"]},
        write=_block_entries,
    ),
)
