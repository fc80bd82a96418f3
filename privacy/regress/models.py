"""Models of data that others collected: what a record tells of one hidden answer, perhaps by a share to be fitted.

    kuk   Kuk (1990): r cards are drawn from a deck with the share p₁ of red cards by carriers, p₂ by others; the
          record is the number of red cards
    cdm   cheating detection (Clark and Desharnais 1998): P(yes) = π + (1 − π − γ)·p; the share γ says
          no whatever is true
    sld   stochastic lie detector (Moshagen, Musch and Erdfelder 2012): P(yes | carrier) = t, P(yes | other) = 1 − p

A table of the model is P(record | truth) = fixed + share·moving, where the share is γ or t. Two groups with different
p, or a group that was asked directly, tell it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.choices import ITEM_MODELS
from privacy.design import Design, arguments
from privacy.design.reading import document, mapping, only_keys, quote, text
from privacy.errors import InputError
from privacy.records.open_columns import Column, column, groups, missing
from privacy.records.open_texts import texts_of

Tables = tuple[Floats, Floats | None]


@dataclass(frozen=True)
class ItemModel:
    """One model of one item; `tables` has P(record | truth) for each group by its name, "" for the only one."""

    name: str
    item: str
    values: int  # of a record: 0 … values − 1
    group: str | None
    direct: tuple[str, ...]
    tables: Mapping[str, Tables]
    independent: bool

    @property
    def parameter(self) -> str | None:
        """The share that is fitted, by its name; None where everything is known."""
        return _MODELS[self.name].parameter if any(moving is not None for _, moving in self.tables.values()) else None

    @property
    def naming(self) -> Design:
        """A design that holds the item alone, so that its literals are read as any item's are."""
        return Design.parse({"blocks": [{"keep": 1, "items": [{"id": self.item, "theta": 0.5}]}]})

    def read(self, columns: Mapping[str, Column]) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.bool_]]:
        """Each respondent's record (−1 where there is none), the number of the table, and who was asked directly."""
        values = column(columns, self.item, "model")
        known = {str(value): value for value in range(self.values)}
        empty = missing(values)
        places, there = np.full(len(values), -1), texts_of(values)
        for label, code in known.items():
            places[there == label] = code
        if self.group is None:
            group, direct = np.zeros(len(values), np.intp), np.zeros(len(values), bool)
        else:
            place, names = groups(columns, self.group, "model")
            for name in names:
                if name not in self.tables and name not in self.direct:
                    raise InputError(f"model: {self.group!r} holds {quote(name)}, but the options give no p for it.")
            order = list(self.tables)
            group = np.array([order.index(name) if name in order else 0 for name in names], np.intp)[place]
            direct = np.array([name in self.direct for name in names], bool)[place]
        wrong = (places < 0) & ~empty | direct & (places > 1)
        if wrong.any():
            row = int(wrong.argmax())
            most = 1 if direct[row] else self.values - 1
            raise InputError(
                f"model: respondent {row + 1} has {quote(values[row])} in {self.item!r}; it must be from 0 to {most}."
            )
        if self.parameter and not direct.any():
            fixed = [table.tobytes() for place, (table, _) in enumerate(self.tables.values()) if (group == place).any()]
            if len(set(fixed)) < 2:
                raise InputError(
                    f"model: {self.parameter} cannot be estimated from one group; give two groups with different p, a "
                    f"direct group, or {self.parameter} itself."
                )
        return places.astype(np.int64), group, direct


@dataclass(frozen=True)
class ModelPart:
    """The part of the hidden answers that a model disguises; a table for each group of respondents."""

    tables: tuple[Tables, ...]
    sizes: tuple[int, ...] = (2,)

    @property
    def record_sizes(self) -> tuple[int, ...]:
        return (self.tables[0][0].shape[1],)

    @property
    def reads_whole(self) -> bool:
        return False

    def channel(self, group: int, asked: Sequence[int]) -> Tables:
        """P(seen | truth) for a group of respondents, and what the fitted share adds for each of its units."""
        return self.tables[group]


def read_model(name: str, options: str | bytes | Mapping[str, Any]) -> ItemModel:
    """Read a model from its name and its options.

    `options`: a JSON object: `item`, the column of the answers, and `p`, the chances of the procedure, are needed.

    >>> model = read_model("sld", {"item": "rrt", "group": "condition", "p": {"1": 0.2, "2": 0.8}, "direct": ["0"]})
    >>> model.parameter, model.tables["1"][0].round(3).tolist()
    ('t', [[0.2, 0.8], [1.0, 0.0]])
    """
    arguments.choice(name, "model", ITEM_MODELS)
    given = document(options, "the options of the model")
    model = _MODELS[name]
    only_keys(given, ("item", "p", "group", "direct", "independent", model.option), "options")
    item = text(given, "item", "options")
    repetitions = given.get("repetitions", 1)
    if not isinstance(repetitions, int) or isinstance(repetitions, bool) or not 1 <= repetitions <= 100:
        raise InputError(f"options.repetitions: {quote(repetitions)} is not a whole number from 1 to 100.")
    share = None
    if model.parameter is not None and model.parameter in given:
        share = _read_share(given[model.parameter], f"options.{model.parameter}")
    independent = arguments.flag(given.get("independent", False), "options.independent")
    group = text(given, "group", "options") if "group" in given else None
    if "p" not in given:
        raise InputError("options: p is missing.")
    by_group = mapping(given["p"], "options.p") if group is not None else {"": given["p"]}
    if not by_group:
        raise InputError("options.p: no group is given.")
    direct = given.get("direct", [])
    if not isinstance(direct, list | tuple) or (direct and group is None):
        raise InputError("options.direct: it must list values of the column named in options.group.")
    tables = {}
    for label, p in by_group.items():
        fixed, moving = model.tables(p, f"options.p[{label!r}]" if label else "options.p", repetitions)
        if share is not None and moving is not None:
            fixed, moving = fixed + share * moving, None
        tables[str(label)] = fixed, moving
    return ItemModel(name, item, repetitions + 1, group, tuple(map(str, direct)), tables, independent)


def _kuk_tables(p: Any, where: str, repetitions: int) -> Tables:
    if not isinstance(p, list | tuple) or len(p) != 2:
        raise InputError(f"{where}: {quote(p)} is not two shares, of red cards for carriers and for others.")
    carrier, other = (_read_share(value, where) for value in p)
    rows = [
        [comb(repetitions, red) * share**red * (1 - share) ** (repetitions - red) for red in range(repetitions + 1)]
        for share in (other, carrier)
    ]
    return np.array(rows), None


def _cdm_tables(p: Any, where: str, repetitions: int) -> Tables:
    del repetitions
    share = _read_share(p, where)
    return np.array([[1 - share, share], [0.0, 1.0]]), np.array([[share, -share], [share, -share]])


def _sld_tables(p: Any, where: str, repetitions: int) -> Tables:
    del repetitions
    share = _read_share(p, where)
    return np.array([[share, 1 - share], [1.0, 0.0]]), np.array([[0.0, 0.0], [-1.0, 1.0]])


@dataclass(frozen=True)
class _Model:
    """What a model has of its own: its table for one group's p, and its option, which may be the share to be fitted."""

    tables: Callable[[Any, str, int], Tables]
    option: str
    fitted: bool = True

    @property
    def parameter(self) -> str | None:
        return self.option if self.fitted else None


_MODELS = {
    "kuk": _Model(_kuk_tables, "repetitions", fitted=False),
    "cdm": _Model(_cdm_tables, "gamma"),
    "sld": _Model(_sld_tables, "t"),
}


def _read_share(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"{where}: {quote(value)} is not a share from 0 to 1.")
    return float(value)
