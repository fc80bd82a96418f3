"""A further table from one that is out: columns are dropped and values made coarser, by the released file alone.

Everybody who has the released table can make the further one, so both together tell what the first tells alone. A
second table from the records tells more: a person is in the classes of both, and the value is one that both have
(complementary release; Sweeney 2002, section 5.2). So a spec names columns and their labels here, and nothing that asks
for a look at records: no model, no rows to suppress, no draws.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from privacy.design import Design, arguments
from privacy.design.reading import document, mapping, only_keys, quote, whole_number
from privacy.errors import InputError
from privacy.files import read_text
from privacy.output import count_of
from privacy.release.anonymize import sort_by_content
from privacy.release.classes import SUPPRESSED, Columns, texts_of
from privacy.release.specs import SHAPES, read_column
from privacy.result import DataFrame, Result, TextColumns, data_frame

WITHDRAWN = (
    "earlier and fingerprint are gone, since a program cannot know which tables are out: make a further table from the "
    "released file, with candor coarsen."
)


@dataclass(frozen=True, repr=False, eq=False)
class Coarsened(Result):
    """A further table from a released one; `candor.coarsen` makes it. `before` are the columns of the released one."""

    columns: dict[str, list[str]]
    before: Mapping[str, Sequence[str]]
    design: Design | None  # by which its disguised columns are read

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())))

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.rows, 'row')}; the released table tells all that is in them."
        yield ""
        yield TextColumns(["column", "values", "before"], self._counts())

    def _counts(self) -> list[list[Any]]:
        kept = {name: len(set(column)) for name, column in self.columns.items()}
        return [[name, kept.get(name), len(set(column))] for name, column in self.before.items()]

    def to_frame(self) -> DataFrame:
        return data_frame(self.columns)

    def to_json(self) -> dict[str, Any]:
        counts = [dict(zip(("column", "values", "before"), row, strict=True)) for row in self._counts()]
        return {"rows": self.rows, "columns": counts}


def coarsen(
    frame: DataFrame | Columns, spec: "Mapping[str, Any] | str | Path", *, design: Design | None = None
) -> Coarsened:
    """Make a further table from a released one, by columns that are dropped and values that become coarser.

    Parameters
    ----------
    frame : DataFrame, or mapping of str to texts
        The released table, not the records that it was made from.
    spec : mapping or path
        The columns that are kept, and how their values become coarser, as docs/release.md describes them, or a JSON
        file of them.
    design : Design, optional
        By which disguised columns of the released table are read. They are kept as they are, or dropped.

    Raises
    ------
    InputError
        Where table and spec do not fit.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> released = pd.DataFrame({"age": ["[20, 30)", "[30, 40]"], "town": ["Ulm", "*"], "disease": ["flu", "cold"]})
    >>> ages = [["[20, 30)", "[20, 40]", "*"], ["[30, 40]", "[20, 40]", "*"]]
    >>> candor.coarsen(released, {"columns": {"age": {"hierarchy": ages}, "disease": {}}}).to_frame()
            age disease
    0  [20, 40]    cold
    1  [20, 40]     flu
    """
    released, folder = texts_of(frame), Path()
    if not isinstance(spec, Mapping):
        path = arguments.path(spec, "spec")
        spec, folder = read_text(path), path.parent
    entry = document(spec, "spec")
    only_keys(entry, ("candor", "columns"), "spec")
    asked = {name: mapping(one, f"columns.{name}") for name, one in mapping(entry.get("columns"), "columns").items()}
    if not asked:
        raise InputError("columns: name at least one column that is kept.")
    if stray := next((name for name in asked if name not in released), None):
        raise InputError(f"columns: the released table has no column {quote(stray)}; it has {', '.join(released)}.")
    kept = {name: _make_coarser(released[name], name, one, folder) for name, one in asked.items()}
    read = design and _read_what_is_kept(design, asked)
    return Coarsened(sort_by_content(kept, len(next(iter(kept.values()))))[0], released, read)


def _make_coarser(column: Sequence[str], name: str, entry: Mapping[str, Any], folder: Path) -> list[str]:
    """The labels of a level in place of values; what is suppressed stays so."""
    where = f"columns.{name}"
    only_keys(entry, (*SHAPES, "level"), where)
    shape = {key: value for key, value in entry.items() if key != "level"}
    values = sorted({*column} - {SUPPRESSED})
    if not shape or not values:
        return list(column)
    tree = read_column({"role": "quasi", **shape}, where, folder).hierarchy(values)
    level = whole_number(entry, "level", where) if "level" in entry else 1
    if not 0 <= level <= tree.height:
        raise InputError(f"{where}.level: {level} is not a level from 0 to {tree.height}.")
    places = tree.places[level][tree.encode(values, name)].tolist()
    labels = {value: tree.labels[level][place] for value, place in zip(values, places, strict=True)}
    return [labels.get(value, value) for value in column]


def _read_what_is_kept(design: Design, asked: Mapping[str, Mapping[str, Any]]) -> Design | None:
    """The part of a design that reads the columns that are kept; None where none of them is disguised."""
    blocks = []
    for block in design.blocks:
        names = [item.id for item in block.items]
        if changed := next((name for name in names if asked.get(name)), None):
            raise InputError(f"columns.{changed}: its design reads it as it is disguised; keep it so, or drop it.")
        if asked.keys() >= {*names}:
            blocks.append(block)
        elif part := next((name for name in names if name in asked), None):
            raise InputError(f"columns.{part}: {', '.join(names)} are disguised together; keep or drop all of them.")
    return Design(tuple(blocks), design.direct) if blocks else None
