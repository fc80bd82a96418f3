"""A named model as a design: what every model does with its arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

from candor import arguments
from candor.designs import Design

__all__ = ["Items", "named_design", "plain"]

Items = Sequence[str] | Mapping[str, Sequence[str]]


def named_design(model: str, items: Items, ask: int | None, direct: bool, **fields: Any) -> Design:
    """The design of a model by its name in JSON, with its items and its own fields."""
    entry: dict[str, Any] = {"candor": 1, "direct": direct, "model": model, "items": _entries(items)}
    entry |= {name: plain(value) for name, value in fields.items()}
    return Design.parse(entry if ask is None else entry | {"ask": plain(ask)})


def _entries(items: Items) -> Any:
    if isinstance(items, Mapping):
        return [{"id": name, "options": list(arguments.texts(options, name))} for name, options in items.items()]
    if isinstance(items, str):
        return items  # a lone text is refused as no list
    return list(arguments.texts(items, "items"))


def plain(value: Any) -> Any:
    """Python's own number of one of numpy's, and a list of any sequence of them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(map(plain, value)) if isinstance(value, list | tuple) else value
