"""The parameters of a design in a line, as captions of figures have them."""

from collections.abc import Collection, Mapping
from typing import Any

from privacy.design.design import Design

_MOST = 12  # values of a list that stand in a line; of more only the first, and how many there are
_OF_ITEMS = ("theta", "noise")  # the other keys of an item say what is asked


def parameters(design: Design, items: Collection[str]) -> str:
    """The parameters of the blocks of these items by their JSON keys; for a list of lists or of entries, its length.

    A text for each different block, with semicolons between them.

    >>> design = Design.parse({"blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]})
    >>> parameters(design, ["drugs"])
    'p = 0.3, θ = 0.6'
    >>> item = {"id": "home", "width": 1000, "height": 800, "cell": 1}
    >>> zones = [[400, 300, 200, 200], [0, 0, 300, 100]]
    >>> town = Design.parse({"blocks": [{"place": "zones", "epsilon": 2, "zones": zones, "items": [item]}]})
    >>> parameters(town, ["home"])
    'place = zones, ε = 2, side = 300, zones = 2'
    >>> words = [{"word": item, "base": 0.01, "own": 0.1} for item in "abcdefghijklmno"]
    >>> parameters(Design.parse({"blocks": [{"one-of": 0.3, "words": words, "items": [*"abcdefghijklmno"]}]}), ["a"])
    'cap = 3.333 words, words = 15'
    """
    lists: dict[str, None] = {}
    for block in design.blocks:
        own = block.describe()
        entries = own.pop("items")
        chosen = [{key: entry[key] for key in _OF_ITEMS if key in entry} for entry in entries if entry["id"] in items]
        if not chosen:
            continue
        if "ask" in own:
            own["ask"] = f"{own['ask']}/{len(entries)}"
        lines = [_line(entry, block.symbols) for entry in (own, *chosen)]
        lists[", ".join(filter(None, dict.fromkeys(lines)))] = None
    return "; ".join(lists)


def _line(entry: Mapping[str, Any], symbols: Mapping[str, str]) -> str:
    return ", ".join(f"{symbols.get(key, key)} = {_in_short(value, symbols)}" for key, value in entry.items())


def _in_short(value: Any, symbols: Mapping[str, str]) -> str:
    """A value: of a long list its first three and its length, of a list of lists or objects the length alone."""
    if isinstance(value, Mapping):
        return f"({_line(value, symbols)})"
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple | Mapping):
            return str(len(value))
        if len(value) > _MOST:
            return "(" + ", ".join([*(_in_short(one, symbols) for one in value[:3]), "…"]) + f" {len(value)})"
        return "(" + ", ".join(_in_short(one, symbols) for one in value) + ")"
    return value if isinstance(value, str) else f"{value:.4g}"
