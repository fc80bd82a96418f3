"""Another table from one that is out, by its bytes alone: everybody who has it can make the same. None is stored."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.errors import InputError
from privacy.records.csv_rows import csv_rows, without_apostrophes
from privacy.release.classes import SUPPRESSED
from privacy.release.coarsen import Coarsened, coarsen
from privacy.release.hierarchies import sort_key
from surveys.domain.exchange.people import rows_of
from surveys.models import TableRelease
from surveys.releases.form import MOST_LISTED, SHAPES, labels_field, shape_of
from surveys.releases.table import sensitive_columns
from surveys.releases.words import ColumnWords
from surveys.sentences import sentence_of

_SHAPES = [shape for shape in SHAPES if shape[0] in ("hierarchy", "ranges", "truncate")]


def rows_of_table(row: TableRelease) -> list[list[str]]:
    """The names of the columns and the rows as they are, whichever version wrote them."""
    return [[without_apostrophes(cell) for cell in cells] for cells in csv_rows(bytes(row.table).decode())]


class FurtherForm(forms.Form):
    """Which questions of a released table are kept, and how their answers become coarser.

    Disguised ones are kept as they are, or dropped. `spec` and `made` are there once the form is valid.
    """

    def __init__(self, row: TableRelease, words: ColumnWords, *args: Any) -> None:
        super().__init__(*args)
        head, *rows = rows_of_table(row)
        self.flag, *self.names = head  # who answered directly is needed to read disguised answers, and by nobody else
        self.released = dict(zip(head, zip(*rows, strict=True), strict=True))
        self.items = {column.name for column in sensitive_columns(row.version)}
        self.design = Design.parse(row.report["design"]) if row.report.get("design") else None
        self.words = words
        fixed = self.items | {item.id for item in self.design.items} if self.design else self.items
        for name in self.names:
            self.fields[f"stays-{name}"] = forms.BooleanField(label=words.title(name), required=False, initial=True)
            if name not in fixed:
                self.fields |= self._fields_of_labels(name)

    def _fields_of_labels(self, name: str) -> dict[str, forms.Field]:
        values = sorted({*self.released[name]} - {SUPPRESSED}, key=sort_key)
        listed = "\n".join(f"{value};{value}" for value in values) if len(values) <= MOST_LISTED else ""
        return {
            f"shape-{name}": forms.ChoiceField(label=_("Becomes coarser by"), choices=_SHAPES[::-1], required=False),
            f"levels-{name}": labels_field(_("Levels"), listed),
        }

    @property
    def questions(self) -> list[dict[str, Any]]:
        parts = ("stays", "shape", "levels")
        return [
            {"name": name, "codes": self.words.codes(name)}
            | {part: self[f"{part}-{name}"] for part in parts if f"{part}-{name}" in self.fields}
            for name in self.names
        ]

    def clean(self) -> dict[str, Any]:
        """Make the table; what is wrong is said at its field."""
        given = super().clean() or {}
        columns = {name: self._read_shape(given, name) for name in self.names if given.get(f"stays-{name}")}
        if not columns:
            raise forms.ValidationError(_("Keep at least one question."))
        if self.items & columns.keys():
            columns = {self.flag: {}} | columns
        self.spec: dict[str, Any] = {"candor": 1, "columns": columns}
        if not self.errors:
            self.made: Coarsened = coarsen(self.released, self.spec, design=self.design)
        return given

    def _read_shape(self, given: Mapping[str, Any], name: str) -> dict[str, Any]:
        """How the answers of a column become coarser; nothing where all labels stay."""
        text, values = given.get(f"levels-{name}", "").strip(), sorted({*self.released[name]})
        try:
            shape = _shape_of(given.get(f"shape-{name}", ""), text, values) if text else {}
            coarsen({name: values}, {"columns": {name: shape}})
        except InputError as error:
            self.add_error(f"levels-{name}", sentence_of(error))
            return {}
        return shape


def _shape_of(kind: str, text: str, values: list[str]) -> dict[str, Any]:
    if kind in ("ranges", "truncate"):
        return shape_of(kind, text, values)
    rows = rows_of("\n".join(f"{line.removesuffix(';*')};*" for line in text.splitlines() if line.strip()))
    return {} if all(row[0] == row[1] for row in rows) else {"hierarchy": rows}
