"""The stochastic lie detector (Moshagen, Musch and Erdfelder 2012), by which others collected data of one yes/no item.

P(yes | carrier) = t and P(yes | other) = 1 − p. A table of it is P(record | truth) = fixed + t·moving. Two groups with
different p, or a group that was asked directly, tell t.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
class LieDetector:
    """`tables` has P(record | truth) for each group by its name, "" for the only one; `direct` groups have none."""

    item: str
    group: str | None
    direct: tuple[str, ...]
    tables: Mapping[str, Tables]
    independent: bool

    @property
    def parameter(self) -> str | None:
        """The share that is fitted, by its name; None where it is known."""
        return "t" if any(moving is not None for _, moving in self.tables.values()) else None

    @property
    def naming(self) -> Design:
        """A design that holds the item alone, so that its literals are read as any item's are."""
        return Design.parse({"blocks": [{"keep": 1, "items": [{"id": self.item, "theta": 0.5}]}]})

    def read(self, columns: Mapping[str, Column]) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.bool_]]:
        """Each respondent's record (−1 where there is none), the number of the table, and who was asked directly."""
        values = column(columns, self.item, "model")
        codes, labels = np.full(len(values), -1), texts_of(values)
        for code in (0, 1):
            codes[labels == str(code)] = code
        wrong = (codes < 0) & ~missing(values)
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"model: respondent {row + 1} has {quote(values[row])} in {self.item!r}; it must be from 0 to 1."
            )
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
        if self.parameter and not direct.any():
            asked = [
                table.tobytes() for number, (table, _) in enumerate(self.tables.values()) if (group == number).any()
            ]
            if len(set(asked)) < 2:
                raise InputError(
                    "model: t cannot be estimated from one group; give two groups with different p, a direct group, or "
                    "t itself."
                )
        return codes.astype(np.int64), group, direct


@dataclass(frozen=True)
class LieDetectorPart:
    """The part of the hidden answers that it disguises; a table for each group of respondents."""

    tables: tuple[Tables, ...]
    sizes: tuple[int, ...] = (2,)
    record_sizes: tuple[int, ...] = (2,)
    reads_whole: bool = False

    def channel(self, group: int, asked: Sequence[int]) -> Tables:
        """P(seen | truth) for a group of respondents, and what the fitted share adds for each of its units."""
        return self.tables[group]


def read_model(name: str, options: str | bytes | Mapping[str, Any]) -> LieDetector:
    """Read the model from its name and its options.

    `options`: a JSON object: `item`, the column of the answers, and `p`, the chances of the procedure, are needed.

    >>> model = read_model("sld", {"item": "rrt", "group": "condition", "p": {"1": 0.2, "2": 0.8}, "direct": ["0"]})
    >>> model.parameter, model.tables["1"][0].round(3).tolist()
    ('t', [[0.2, 0.8], [1.0, 0.0]])
    """
    arguments.choice(name, "model", ITEM_MODELS)
    given = document(options, "the options of the model")
    only_keys(given, ("item", "p", "group", "direct", "independent", "t"), "options")
    item = text(given, "item", "options")
    t = _read_share(given["t"], "options.t") if "t" in given else None
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
    tables = {
        str(label): _tables(_read_share(p, f"options.p[{label!r}]" if label else "options.p"), t)
        for label, p in by_group.items()
    }
    return LieDetector(item, group, tuple(map(str, direct)), tables, independent)


def _tables(p: float, t: float | None) -> Tables:
    """P(record | truth) of others and of carriers, and what t adds where it is to be fitted."""
    if t is not None:
        return np.array([[p, 1 - p], [1 - t, t]]), None
    return np.array([[p, 1 - p], [1.0, 0.0]]), np.array([[0.0, 0.0], [-1.0, 1.0]])


def _read_share(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"{where}: {quote(value)} is not a share from 0 to 1.")
    return float(value)
