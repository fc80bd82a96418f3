"""The respondents of a regression: disguised records under one design or several, and undisguised columns.

One item may be of the stochastic lie detector (Moshagen, Musch and Erdfelder 2012), by which others collected data:
P(yes | carrier) = t and P(yes | other) = 1 − p. A table of it is P(record | truth) = fixed + t·moving. Two groups with
different p, or a group that was asked directly, tell t.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import ITEM_MODELS
from privacy.design import Design, arguments
from privacy.design.channels import Literal
from privacy.design.reading import document, mapping, only_keys, quote, text
from privacy.errors import InputError
from privacy.files import read_text
from privacy.records import Records
from privacy.records.columns import texts_of
from privacy.records.open_columns import Column, column as read_column, groups, missing, records_of
from privacy.regress.hidden import NOT_ASKED, Hidden, HiddenPart, LieDetectorPart, Tables, parts_of


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
        values = read_column(columns, self.item, "model")
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


Codes = NDArray[np.int64]


def read_designs(path: str | Path) -> dict[str, Design]:
    """Read several designs from a JSON object {value: design}.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write('{"north": {"model": "warner", "theta": 0.75, "items": ["drugs"]}}')
    ...     file.flush()
    ...     list(read_designs(file.name))
    ['north']
    """
    content = document(read_text(path), "the file of designs")
    if not content:
        raise InputError(f"{path}: it holds no design.")
    designs = {}
    for value, entry in content.items():
        try:
            designs[value] = Design.parse(mapping(entry, "design"))
        except InputError as error:
            raise InputError(f"{path}: {value!r}: {error}") from None
    return designs


@dataclass(frozen=True)
class Respondents:
    """`codes` has the option of each disguised item, or NOT_ASKED; `design_of` and `table_of` say what disguised it."""

    designs: tuple[Design, ...]
    design_of: NDArray[np.intp]
    codes: Mapping[str, Codes]
    direct: NDArray[np.bool_]
    columns: Mapping[str, Column]
    model: LieDetector | None = None
    table_of: NDArray[np.intp] | None = None

    @classmethod
    def of_records(cls, records: Records) -> "Respondents":
        """The respondents of records of one design, with their undisguised columns."""
        codes = {item.id: _codes_of_item(records, index) for index, item in enumerate(records.design.items)}
        return cls((records.design,), np.zeros(len(records), np.intp), codes, records.direct, records.open_columns)

    @classmethod
    def of_columns(
        cls,
        columns: Mapping[str, Column],
        source: str | Path,
        design: Design | None = None,
        designs: tuple[Mapping[str, Design], str] | None = None,
        model: LieDetector | None = None,
    ) -> "Respondents":
        """Read columns under one design, or under several that a column names; one item may be a model's.

        Columns that name no item are open.
        """
        rows = len(next(iter(columns.values()), ()))
        own: dict[str, Design]
        if designs is None:
            own, design_of = ({"": design} if design is not None else {}), np.zeros(rows, np.intp)
        else:
            by, name = designs
            place, there = groups(columns, name, "designs")
            strange = [value for value in there if value not in by]
            if strange:
                raise InputError(f"designs: {name!r} holds {quote(strange[0])}, for which no design is given.")
            own, design_of = {value: by[value] for value in there}, place
        codes: dict[str, Codes] = {}
        direct = np.zeros(rows, bool)
        for number, each in enumerate(own.values()):
            here = design_of == number
            records = records_of({name: column[here] for name, column in columns.items()}, each, source, gaps=True)
            direct[here] = records.direct
            for column, item in enumerate(each.items):
                codes.setdefault(item.id, np.full(rows, NOT_ASKED, np.int64))[here] = _codes_of_item(records, column)
        table_of = None
        if model is not None:
            if model.item in codes:
                raise InputError(f"model: {model.item!r} is also an item of the design; remove it from one of them.")
            codes[model.item], table_of, asked_directly = model.read(columns)
            direct = direct | asked_directly
        taken = {*codes, "direct"}
        rest = {name: column for name, column in columns.items() if name not in taken}
        return cls(tuple(own.values()), design_of, codes, direct, rest, model, table_of)

    def __len__(self) -> int:
        return len(self.direct)

    @cached_property
    def naming(self) -> Design | None:
        """A design that has every disguised item once, so that literals can be read."""
        blocks = list(self.designs[0].blocks) if self.designs else []
        known = {item.id for block in blocks for item in block.items}
        for design in self.designs[1:]:
            for block in design.blocks:
                if not known & {item.id for item in block.items}:
                    blocks.append(block)
                    known |= {item.id for item in block.items}
        if self.model is not None:
            blocks += self.model.naming.blocks
        return Design(tuple(blocks), True) if blocks else None

    def answers_behind(self, literals: Sequence[Literal]) -> tuple[Hidden, list[str], list[tuple[int, ...]]]:
        """The hidden answers of these literals, the names of their items in order, and the classes of each item."""
        naming = self.naming
        if naming is None or not literals:
            return Hidden((), np.zeros((len(self), 0), np.int64), self.direct, self.design_of), [], []
        wanted: dict[int, list[frozenset[int]]] = {}
        for item, matching in literals:
            wanted.setdefault(item, []).append(matching)
        names = [naming.items[column].id for column in sorted(wanted)]
        classes = [_classes(len(naming.items[column].options), wanted[column]) for column in sorted(wanted)]
        own = [index for index, name in enumerate(names) if self.model is None or name != self.model.item]
        for place in own:
            options = naming.items[naming.column(names[place])].options
            if any(design.items[design.column(names[place])].options != options for design in self.designs):
                raise InputError(f"designs: {names[place]!r} must have the same options in all designs.")
        group = self.design_of
        if self.table_of is not None:
            group = group * (int(self.table_of.max(initial=0)) + 1) + self.table_of
        _, place_of, group = np.unique(group, return_index=True, return_inverse=True)
        designs = [self.designs[self.design_of[row]] for row in place_of] if self.designs else []
        design_parts, order = parts_of(designs, [names[place] for place in own], [classes[place] for place in own])
        parts: list[HiddenPart] = [*design_parts]
        chosen = [own[place] for place in order]
        if len(own) < len(names):
            assert self.model is not None
            assert self.table_of is not None
            tables = list(self.model.tables.values())
            parts.append(LieDetectorPart(tuple(tables[self.table_of[row]] for row in place_of)))
            chosen += [index for index in range(len(names)) if index not in own]
        seen = np.empty((len(self), len(chosen)), np.int64)
        shown = {**self.codes, **self._words_alone(names)}
        for column, place in enumerate(chosen):
            codes = shown[names[place]]
            if place in own:
                kinds = np.array([*classes[place], NOT_ASKED])  # the last one is found at −1
                codes = kinds[codes]
            seen[:, column] = codes
        hidden = Hidden(tuple(parts), seen, self.direct, group.ravel())
        return hidden, [names[place] for place in chosen], [classes[place] for place in chosen]

    def _words_alone(self, names: Sequence[str]) -> dict[str, Codes]:
        """The codes of these answers where they are sent as words; a word that holds other answers, too, shows none."""
        shown: dict[str, Codes] = {}
        for number, design in enumerate(self.designs):
            here = np.flatnonzero((self.design_of == number) & ~self.direct)
            for block in design.blocks:
                places = [index for index, item in enumerate(block.items) if item.id in names]
                words = block.patterns.word_list if places else None
                if words is None:
                    if places and block.items[0].numbers:
                        block.patterns.along((), places, ())  # which is refused
                    continue
                codes = words.showing(np.column_stack([self.codes[item.id][here] for item in block.items]), places)
                for place in places:
                    name = block.items[place].id
                    shown.setdefault(name, self.codes[name].copy())[here] = codes[:, place]
        return shown

    def select(self, rows: NDArray[np.bool_]) -> "Respondents":
        return replace(
            self,
            design_of=self.design_of[rows],
            codes={name: codes[rows] for name, codes in self.codes.items()},
            direct=self.direct[rows],
            columns={name: column[rows] for name, column in self.columns.items()},
            table_of=None if self.table_of is None else self.table_of[rows],
        )


def _codes_of_item(records: Records, column: int) -> Codes:
    codes = records.codes[:, column].astype(np.int64)
    codes[codes == records.design.not_asked] = NOT_ASKED
    return codes


def _classes(options: int, literals: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Number the options by which of the literals they match: equal classes match the same; class 0 matches fewest."""
    matches = [tuple(option in literal for literal in literals) for option in range(options)]
    order = sorted(set(matches), key=lambda match: (sum(match), match))
    return tuple(order.index(match) for match in matches)
