"""A named model as a design: what every model does with its arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

from privacy.design import Design, arguments
from privacy.errors import InputError

Items = Sequence[str] | Mapping[str, Sequence[str]]


def design_of_model(model: str, items: Items, ask: int | None, direct: bool, **fields: Any) -> Design:
    """The design of a model by its name in JSON, with its items and its own fields."""
    entry = {"model": model, "items": entries_of(items)} | {name: plain(value) for name, value in fields.items()}
    entry |= {"candor": 1, "direct": arguments.flag(direct, "direct")}
    return parse_document(entry if ask is None else entry | {"ask": plain(ask)}, "design")


def parse_document(document: Mapping[str, Any], within: str, **names: str) -> Design:
    """Parse a design. A refusal of a field `within` it names the argument: by `names`, or like the field."""
    try:
        return Design.parse(document)
    except InputError as error:
        place, colon, rule = str(error).removeprefix(f"{within}.").partition(":")
        raise InputError(f"{names.get(place, place)}{colon}{rule}") from None


def entries_of(items: Items) -> Any:
    """The items as a design names them: with their options, where they have some."""
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
