"""How a block is made of a few settings: what was entered for it, as plain data, becomes the design's JSON.

What people read of the settings is not here: the studio has it, by kind.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privacy.design.fields import YES_NO
from privacy.errors import EntryError

Values = Mapping[str, Any]
"""Settings by their names; None, or no entry, where one was left empty."""


@dataclass(frozen=True)
class EnteredItem:
    """An item as it was entered: its options (None: a plain yes/no item), and its own settings.

    An item on a grid has no options, and a `scale`: its keys in the design, such as min, max and step.

    A setting of each option is a list with one entry for each, None where it was left empty. A yes/no item that stands
    in a row of its question has the one share of that row.
    """

    id: str
    options: tuple[str, ...] | None
    values: Values
    scale: Values = field(default_factory=dict)

    @property
    def boolean(self) -> bool:
        return self.options in (None, YES_NO)


@dataclass(frozen=True)
class Advised:
    """How the advisor disguises a number or a place by a recipe.

    keys: all that a question may say of such an item; takes(entry): whether this recipe is for what it says.
    settings(budget): the settings for so much of ln γ.
    """

    keys: tuple[str, ...]
    takes: Callable[[Mapping[str, Any]], bool]
    settings: Callable[[float], dict[str, Any]]


def bare_item(_values: Values, item: EnteredItem) -> dict[str, Any]:
    """An item with only its name and, on a grid, its scale."""
    return {"id": item.id, **item.scale}


def require_setting(values: Values, name: str) -> Any:
    """The value of a block's setting; refused where it was left empty."""
    if values.get(name) is None:
        raise EntryError("{key} is missing.", at=name, key=name)
    return values[name]


@dataclass(frozen=True)
class Recipe:
    """One way of disguising, as settings describe it.

    name: what is stored. takes(item): whether it can disguise the item.
    write_item(values, item): the item in the design's JSON; an EntryError's `at` is the setting of the item.
    write(values, items): the blocks in the design's JSON; an EntryError's `at` is the setting of the block.
    needs(values): how many items the settings imply, at least 1.
    advised: how the advisor takes numbers or places by it; None where it does not.
    """

    name: str
    takes: Callable[[EnteredItem], bool]
    write: Callable[[Values, Sequence[dict[str, Any]]], list[dict[str, Any]]]
    write_item: Callable[[Values, EnteredItem], dict[str, Any]] = bare_item
    needs: Callable[[Values], int] = lambda values: values.get("ask") or 1
    advised: Advised | None = None


def of_epsilon(budget: float) -> dict[str, Any]:
    """The settings of a block whose strength is its ε, for a budget of ln γ."""
    return {"epsilon": budget}
