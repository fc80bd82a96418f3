"""The respondents of a regression: disguised records under one design or several, a model's item, and undisguised
columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.reading import document, mapping, quote
from privacy.errors import InputError
from privacy.files import read_text
from privacy.records import Records
from privacy.records.open_columns import Column, groups, records_of
from privacy.regress.hidden import NOT_ASKED, Hidden, HiddenPart, parts_of
from privacy.regress.lie_detector import LieDetector, LieDetectorPart

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
        codes = {item.id: _codes_of_item(records, place) for place, item in enumerate(records.design.items)}
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
        own = [place for place, name in enumerate(names) if self.model is None or name != self.model.item]
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
            chosen += [place for place in range(len(names)) if place not in own]
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
                places = [place for place, item in enumerate(block.items) if item.id in names]
                words = block.patterns.word_list if places else None
                if words is None:
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
