"""Models about the whole table, as limits on its figures: each is a member of a model, and a row here.

They are bounds by the names under which people know them. None is about classes alone, so no class can be suppressed
for them: of the tables that fulfil the rest, the best one within them is taken.
"""

from collections.abc import Callable, Mapping
from typing import Any

from privacy.design import arguments
from privacy.design.reading import items, quote
from privacy.errors import InputError


def _read_share(value: Any, where: str) -> float:
    share = float(arguments.read_number(value, where))
    if not 0 <= share <= 1:
        raise InputError(f"{where}: {quote(value)} is not a share from 0 to 1.")
    return share


def _read_k_map(value: Any, where: str) -> dict[str, float]:
    k = arguments.whole_number(value, where)
    if k < 1:
        raise InputError(f"{where}: {k} is below 1.")
    return {"k_map": float(k)}


def _read_presence(value: Any, where: str) -> dict[str, float]:
    ends = [_read_share(one, where) for one in items(value, where)]
    if len(ends) != 2 or ends[0] > ends[1]:
        raise InputError(f"{where}: {quote(value)} is not the least and the largest chance of presence.")
    return {"presence": ends[1], "absence": 1 - ends[0]}


LIMITS: dict[str, Callable[[Any, str], dict[str, float]]] = {
    "average": lambda value, where: {"marketer": _read_share(value, where)},
    "k_map": _read_k_map,
    "presence": _read_presence,
}


def read_limits(model: Mapping[str, Any]) -> dict[str, float]:
    """Read the members of a model that are about the whole table.

    >>> read_limits({"k": 2, "average": 0.1, "presence": [0, "1/2"]})
    {'marketer': 0.1, 'presence': 0.5, 'absence': 1.0}
    """
    found: dict[str, float] = {}
    for name, read in LIMITS.items():
        if name in model:
            found |= read(model[name], f"model.{name}")
    return found
