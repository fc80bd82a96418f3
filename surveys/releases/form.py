"""The form that asks for a release: a role and a hierarchy for each undisguised question, the model, and the method.

It makes a spec, the same that `candor anonymize` takes; what may stand in one is checked where specs are read.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, InputError
from privacy.release import METHODS, parse_spec
from privacy.release.hierarchies import Hierarchy
from privacy.release.measures import LOSS, TELLS
from privacy.release.measures.bounds import BOUNDED
from privacy.release.measures.kept import MOST_CELLS
from privacy.release.measures.sample import SIZE
from privacy.release.methods.channels import read_channel
from privacy.release.methods.full_domain import LOSSES
from privacy.release.models import LIMITS, MODELS, ModelField
from privacy.release.responses import require_unchanged
from surveys.domain.exchange.apart import read_apart
from surveys.domain.exchange.people import COUNT, LABELS, TOO_MANY, rows_of
from surveys.domain.exports.columns import FileColumn
from surveys.releases.channels import CHANNELS, FormChannel, figure, number_of, parts_of, plain
from surveys.releases.table import SeenColumn
from surveys.releases.words import ColumnWords
from surveys.sentences import sentence_of

LEFT_OUT, QUASI, INSENSITIVE, SENSITIVE, DISGUISED = "", "quasi", "insensitive", "sensitive", "disguised"
MOST_RANGES = 1000  # of a width that is entered
MOST_LISTED = 200  # values that are proposed line by line
MOST_LEVELS = 50  # that are shown
EXAMPLES = 6  # labels of a level that are shown

ROLES = [
    (LEFT_OUT, gettext_lazy("left out")),
    (QUASI, gettext_lazy("others may know it: make it coarser")),
    (INSENSITIVE, gettext_lazy("nobody knows it: publish it as it is")),
    (SENSITIVE, gettext_lazy("nobody may learn whose it is: publish it as it is, varied in each group")),
    (DISGUISED, gettext_lazy("nobody may learn it: disguise it, and publish how")),
]
SHAPES = [
    ("ranges", gettext_lazy("ranges of numbers")),
    ("ends", gettext_lazy("both ends of numbers: 20, 80 in a line; - where an end stays")),
    ("truncate", gettext_lazy("leading characters, as of dates and codes")),
    ("neighbours", gettext_lazy("neighbours joined, two by two")),
    ("hierarchy", gettext_lazy("a table of labels")),
]


def _choice(label: Any, help_text: Any = "") -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, help_text=help_text)


def _count(label: Any, help_text: Any, least: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=least, help_text=help_text)


class ReleaseForm(forms.Form):
    """`columns` are the undisguised ones, `items` the disguised questions; `spec` is there once the form is valid.

    `person` is who sends it, with files of hierarchies.
    """

    population = _count(
        gettext_lazy("How many people could have been asked"),
        gettext_lazy(
            "A reader who does not know who answered looks among all these people. Empty: that risk is not shown."
        ),
        1,
    )
    everybody = forms.FileField(
        label=gettext_lazy("or a table of them (CSV)"),
        required=False,
        help_text=gettext_lazy(
            "The codes of the questions that others may know, by their names: a row for each person, or a row for each "
            "combination with their number in the column people. Then the people who fit a group are counted."
        ),
    )
    tells = _choice(
        gettext_lazy("What the whole table may tell"),
        gettext_lazy(
            "Of the tables that satisfy the conditions above, only those within this bound and the next one count."
        ),
    )
    tells_at = figure(gettext_lazy("at most"), most=None)
    loses = _choice(gettext_lazy("What it may lose"))
    loses_at = figure(gettext_lazy("at most"), most=None)
    front = _choice(
        gettext_lazy("Show loss against"),
        gettext_lazy("Full-domain only. For you alone: its figures come from tables that are not released."),
    )
    method = forms.ChoiceField(label=gettext_lazy("Method"), initial="full-domain")
    suppression = figure(
        gettext_lazy("Hide at most this share of rows"),
        gettext_lazy(
            "Hides unusual rows, so that all others stay finer. Hidden rows are a class too and satisfy the "
            "conditions above together. Full-domain only."
        ),
        most=0.5,
        initial=0,
    )
    minimise = forms.ChoiceField(label=gettext_lazy("What to preserve most"), initial="penalty")
    seed = _count(gettext_lazy("Seed"), gettext_lazy("Repeats the same random draws. Empty: new draws each time."), 0)

    compared = forms.MultipleChoiceField(
        label=gettext_lazy("Compare the joint table of"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "The page then shows how far this table of these questions is from that of the responses. For you alone."
        ),
    )

    def __init__(
        self,
        person: int | None,
        columns: Sequence[SeenColumn],
        items: Sequence[FileColumn],
        words: ColumnWords,
        *args: Any,
    ) -> None:
        super().__init__(*args)
        self.words = words
        self.person = person
        self.columns = {one.name: one for one in columns}
        self.items = {one.name: one for one in items}
        self.trees: dict[str, Hierarchy] = {}
        self.fields |= {one.name: _field_of(one) for model in MODELS.values() for one in model.fields}
        choices = {
            "method": _choices(METHODS),
            "minimise": _choices(LOSSES),
            "tells": _figures_to_bound(TELLS),
            "loses": _figures_to_bound(LOSS),
            "front": _figures_to_bound(TELLS),
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]
        self.fields["compared"].choices = [(one.name, one.title) for one in columns]  # type: ignore[attr-defined]
        for one in columns:
            self.fields |= {f"{name}-{one.name}": field for name, field in _fields_of_column(one).items()}
        for item in items:
            self.fields[f"publish-{item.name}"] = forms.BooleanField(
                label=words.title(item.name), required=False, initial=True
            )
            if item.values:
                self.fields[f"tree-{item.name}"] = labels_field(
                    _("Hierarchy of its answers, for the hierarchical distance")
                )

    @property
    def explanations(self) -> list[tuple[str, list[tuple[str, str]]]]:
        asked = [model for model in MODELS.values() if model.fields]
        kinds = [(one.title, one.kinds) for model in asked for one in model.fields if one.kinds]
        said = _("Stops: %(stopped)s. Does not stop: %(left)s.")
        stops = [
            (_(one.label), said % {"stopped": _(one.stopped), "left": _(one.left)})
            for model in asked
            for one in model.stops
        ]
        tables: list[tuple[str, Mapping[str, Any]]] = [
            *((_(title), table) for title, table in kinds),
            (_("Methods"), METHODS),
            (_("What to preserve most"), LOSSES),
        ]
        return [
            (_("What each condition stops"), stops),
            *((title, [(_(one.label), _(one.about)) for one in table.values()]) for title, table in tables),
        ]

    @property
    def conditions(self) -> list[list[forms.BoundField]]:
        """The fields of each model that is asked of every group, and of the list of safe harbour."""
        return [[self[one.name] for one in model.fields] for name, model in MODELS.items() if name not in LIMITS]

    @property
    def limits(self) -> list[forms.BoundField]:
        """The fields about the whole table: of whom it is a sample, models, and bounds."""
        asked = [one.name for model in LIMITS.values() for one in model.fields]
        names = "population", "everybody", *asked, "tells", "tells_at", "loses", "loses_at", "front"
        return [self[name] for name in names]

    @property
    def limits_refused(self) -> bool:
        return any(field.errors for field in self.limits)

    @property
    def questions(self) -> list[dict[str, Any]]:
        parts = ("role", "channel", "shape", "levels", "file", "weight")
        return [
            {
                "seen": one,
                **{part: self[f"{part}-{name}"] for part in parts if f"{part}-{name}" in self.fields},
                "channels": (
                    channels := [
                        (own.label, [self[f"{part}-{name}"] for part in own.fields(one)]) for own in _channels_of(one)
                    ]
                ),
                "refused": any(field.errors for _label, fields in channels for field in fields),
                "tree": _levels(self.trees.get(name), name, self.words),
                "codes": self.words.codes(name),
                "more": max(len(self.trees[name].labels) - MOST_LEVELS, 0) if name in self.trees else 0,
            }
            for name, one in self.columns.items()
        ]

    @property
    def item_fields(self) -> list[dict[str, Any]]:
        return [
            {
                "title": self.words.title(name),
                "publish": self[f"publish-{name}"],
                "tree": self[f"tree-{name}"] if one.values else None,
            }
            for name, one in self.items.items()
        ]

    @property
    def quasi_identifiers(self) -> list[str]:
        return [name for name in self.columns if self.cleaned_data.get(f"role-{name}") == QUASI]

    @property
    def sensitive_columns(self) -> list[str]:
        """The questions that are not disguised and whose answers nobody may learn."""
        return [name for name in self.columns if self.cleaned_data.get(f"role-{name}") == SENSITIVE]

    def clean(self) -> dict[str, Any]:
        """Make the spec; what is wrong is said at its field."""
        given = super().clean() or {}
        attributes = {}
        table = self._everybody(given)
        for name, one in self.columns.items():
            if name in table and "hierarchy" not in one.shape:  # numbers, dates: people may have others
                one = replace(one, values=tuple(dict.fromkeys([*one.values, *table[name]])))
            role = given.get(f"role-{name}")
            if role:
                attributes[name] = {"role": role} | (self._coarser(name, one) if role == QUASI else {})
            if role == DISGUISED:
                attributes[name] |= self._channel(name, one)
            if role == SENSITIVE and "hierarchy" in (entry := self._coarser(name, one)):
                attributes[name]["hierarchy"] = entry["hierarchy"]
        for name in self.items:
            if given.get(f"publish-{name}"):
                attributes[name] = {"role": "sensitive"} | self._tree(name)
        if not self.quasi_identifiers:
            self.add_error(None, _("Mark at least one question as known to others."))
        if self.errors:
            return given
        self.spec = {"candor": 1, "attributes": attributes} | self._model(given) | self._method(given)
        if table:
            self.spec["population"] = {"table": table, "count": COUNT}
        self._try("compared", lambda: self._require_table(given.get("compared", ()), attributes))
        self._try("method", lambda: require_unchanged(given["method"], self.words.quote(self.sensitive_columns)))
        self._try(None, lambda: parse_spec(self.spec))
        return given

    def _everybody(self, given: Mapping[str, Any]) -> dict[str, list[str]]:
        """The table of everybody that was sent, by the questions that others may know; none is empty."""
        if not (file := given.get("everybody")) or not self.quasi_identifiers:
            return {}
        known = self.quasi_identifiers
        table: dict[str, list[str]] = (
            self._try("everybody", lambda: read_apart(self.person, "everybody", file.read(), known)) or {}
        )
        for name in known:
            one = self.columns[name]
            if "hierarchy" in one.shape and (strange := {*table.get(name, ())} - {*one.values}):
                said = _("The file has “%(value)s”, which is no answer to “%(question)s”; its answers are %(known)s.")
                own = {"value": min(strange), "question": self.words.title(name), "known": ", ".join(one.values)}
                self.add_error("everybody", said % own)
        if table and given.get("population"):
            self.add_error("population", _("The table says how many people there are: leave this empty."))
        return table

    def _coarser(self, name: str, one: SeenColumn) -> dict[str, Any]:
        """The entry of the spec by which a column becomes coarser; its hierarchy is kept for the page."""
        entry = self._try(f"levels-{name}", lambda: _read_shape(self.cleaned_data, name, one, self.person)) or {}
        weight = self.cleaned_data.get(f"weight-{name}")
        if entry:
            spec = {"attributes": {name: {"role": QUASI} | entry}, "model": {"k": 1}}
            hierarchy: Hierarchy | None = self._try(
                f"levels-{name}", lambda: _covering(parse_spec(spec).columns[name].hierarchy(one.values), one)
            )
            if hierarchy is not None:
                self.trees[name] = hierarchy
        return entry | ({"weight": weight} if weight else {})

    @property
    def to_compare(self) -> list[str]:
        """The questions whose joint table is compared."""
        return list(self.cleaned_data["compared"])

    def _require_table(self, names: Sequence[str], attributes: Mapping[str, Any]) -> None:
        """Refuse a joint table that cannot be compared before anything is made."""
        if missing := [name for name in names if name not in attributes]:
            raise EntryError("{names} is left out, so no table can be compared.", names=self.words.quote(missing))
        if drawn := [name for name in names if attributes[name]["role"] == DISGUISED]:
            raise EntryError("{names} is disguised, so its tables are reconstructed.", names=self.words.quote(drawn))
        cells = math.prod(len(self.columns[name].values) for name in names)
        if cells > MOST_CELLS:
            raise EntryError("A table of {cells} cells is larger than {most}.", cells=cells, most=MOST_CELLS)

    def _channel(self, name: str, one: SeenColumn) -> dict[str, Any]:
        """The members of a column that is disguised; a refusal is shown at the field that it names."""
        given = self.cleaned_data
        first, *others = _channels_of(one)
        channel = next((own for own in others if own.name == given.get(f"channel-{name}")), first)
        parts = channel.fields(one)
        if any(f"{part}-{name}" in self.errors for part in parts):
            return {}
        try:
            entry = channel.entry(one, {part: given.get(f"{part}-{name}") for part in parts})
            read_channel(entry, name)
            return entry
        except InputError as error:
            field = f"{error.at.rpartition('.')[2]}-{name}"
            self.add_error(field if field in self.fields else f"{next(iter(parts))}-{name}", sentence_of(error))
            return {}

    def _tree(self, name: str) -> dict[str, Any]:
        """The hierarchy of a disguised question's answers, as an entry of the spec."""
        text = self.cleaned_data.get(f"tree-{name}", "").strip()
        if not text:
            return {}
        rows = self._try(f"tree-{name}", lambda: rows_of(text))
        return {"hierarchy": rows} if rows else {}

    def _model(self, given: Mapping[str, Any]) -> dict[str, Any]:
        sensitive = self.sensitive_columns or any(given.get(f"publish-{name}") for name in self.items)
        rows = [row for row in MODELS.values() if row.fields and (sensitive or not row.by_default)]
        members = {row.name: member for row in rows if (member := row.member(given))}
        return {"model": members}

    def _method(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The members of the spec that say by which method, and within which bounds."""
        method = METHODS[given["method"]]
        asked: dict[str, Any] = {"method": given["method"], "minimise": given["minimise"]}
        if method.levels:
            asked["suppression"] = given["suppression"] or 0
        if given["seed"] is not None:
            asked["seed"] = given["seed"]
        bounds = {given[key]: given[f"{key}_at"] for key in ("tells", "loses") if given[key]}
        for key in ("tells", "loses"):
            if (given[f"{key}_at"] is None) == bool(given[key]):
                self.add_error(f"{key}_at", _("Choose a figure and enter a number for it, or neither."))
        population = {"size": given["population"]} if given["population"] else {}
        more = {"bounds": bounds, "front": given["front"], "population": population}
        return asked | {name: value for name, value in more.items() if value}

    def _try(self, field: str | None, make: Any) -> Any:
        """Call a function; show its refusal at the field."""
        try:
            return make()
        except InputError as error:
            self.add_error(field, sentence_of(error))
            return None


def _field_of(asked: ModelField) -> forms.Field:
    """The field by which a page asks for a part of a model."""
    label, about = _(asked.label), _(asked.about) if asked.about else ""
    if asked.tick:
        return forms.BooleanField(label=label, required=False, help_text=about)
    if asked.kinds:
        choices = [("", _("not asked")), *_choices(asked.kinds)]
        return forms.ChoiceField(label=label, required=False, help_text=about, choices=choices, initial=asked.usual)
    if asked.whole:
        limits = {"min_value": asked.least, "max_value": asked.most, "initial": asked.usual}
        return forms.IntegerField(label=label, required=asked.usual is not None, help_text=about, **limits)
    return figure(label, about, most=asked.most, min_value=asked.least, initial=asked.usual)


def _choices(table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The entries of a table with their names in the reader's language."""
    return [(name, _(entry.label)) for name, entry in table.items()]


def _figures_to_bound(about: str) -> list[tuple[str, str]]:
    """The figures that a page can bound from above; the site knows how many people there are, and no more of them."""
    known = (
        (key, one)
        for key, one in BOUNDED.items()
        if one.about == about and not one.at_least and getattr(one, "needs", SIZE) == SIZE
    )
    return [("", _("not asked")), *((key, _(one.meaning)) for key, one in known)]


def _covering(tree: Hierarchy, one: SeenColumn) -> Hierarchy:
    """Return the hierarchy, or refuse one that lacks a value of the column."""
    tree.encode(one.values, one.name)
    return tree


def _channels_of(one: SeenColumn) -> list[FormChannel]:
    """The channels that a column can go through; none where it cannot be disguised."""
    return [channel for channel in CHANNELS if channel.fits(one)]


def _fields_of_column(one: SeenColumn) -> dict[str, forms.Field]:
    shape, levels = _shape_in_words(one.shape)
    roles = [entry for entry in ROLES if entry[0] != DISGUISED or _channels_of(one)]
    channels = _channels_of(one)
    own = {part: field for channel in channels for part, field in channel.fields(one).items()}
    if len(channels) > 1:
        choices = [(channel.name, channel.label) for channel in channels]
        own["channel"] = forms.ChoiceField(label=_("What is disguised"), choices=choices, required=False)
    return own | {
        "role": forms.ChoiceField(label=_("Role"), choices=roles, required=False),
        "shape": forms.ChoiceField(
            label=_("Becomes coarser by"),
            choices=[entry for entry in SHAPES if entry[0] != "neighbours" or one.in_order],
            initial=shape,
            required=False,
        ),
        "levels": labels_field(_("Levels"), levels),
        "file": forms.FileField(label=_("or from a file, value;label;*"), required=False),
        "weight": figure(_("Weight"), most=None),
    }


def labels_field(label: str, initial: str = "") -> forms.CharField:
    area = forms.Textarea(attrs={"rows": min(max(initial.count("\n") + 2, 3), 8), "spellcheck": "false"})
    return forms.CharField(label=label, required=False, widget=area, initial=initial)


def _shape_in_words(shape: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a shape, and the text for the field of its levels."""
    if "ranges" in shape:
        return "ranges", "\n".join(", ".join(map(str, level)) for level in shape["ranges"])
    if "truncate" in shape:
        return "truncate", ", ".join(map(str, shape["truncate"]))
    rows = shape["hierarchy"]
    return "hierarchy", "\n".join(";".join(row) for row in rows) if len(rows) <= MOST_LISTED else ""


def _read_shape(given: Mapping[str, Any], name: str, one: SeenColumn, person: int | None) -> dict[str, Any]:
    text, file = given.get(f"levels-{name}", "").strip(), given.get(f"file-{name}")
    if file:
        return {"hierarchy": read_apart(person, "hierarchy", file.read())}
    kind = given.get(f"shape-{name}")
    if kind == "neighbours":
        return {"hierarchy": _neighbours(one.values)}
    if not text:
        return one.shape if kind == _shape_in_words(one.shape)[0] else {}
    return shape_of(kind, text, one.values)


def shape_of(kind: str | None, text: str, values: Sequence[str]) -> dict[str, Any]:
    """How values become coarser, by the text of the field of levels."""
    if kind in ("ranges", "ends") and len(parts_of(text)) > LABELS:
        raise EntryError(TOO_MANY, most=LABELS)
    if kind == "ranges":
        return {"ranges": ranges_of(text, values)}
    if kind == "ends":
        lines = [
            [None if part == "-" else plain(number_of(part)) for part in parts_of(line)] for line in text.splitlines()
        ]
        return {"ends": [line for line in lines if line]}
    if kind == "truncate":
        return {"truncate": [int(part) if part.isdecimal() and len(part) < 10 else part for part in parts_of(text)]}
    return {"hierarchy": rows_of(text)}


def _neighbours(values: Sequence[str]) -> list[list[str]]:
    """Join two neighbours, then four, and so on; an answer that nobody gave stays by itself."""
    listed = [value for value in values if value]
    rows = [[value] for value in values]
    width = 2
    while width < len(listed):
        for place, row in enumerate(rows):
            first = place - place % width
            last = min(first + width, len(listed)) - 1
            joined = place < len(listed) and first < last
            row.append(f"{listed[first]} … {listed[last]}" if joined else row[0])
        width *= 2
    return [[*row, "*"] for row in rows]


def ranges_of(text: str, values: Sequence[str]) -> list[list[int | float]]:
    """Break points of each line; a line with one number is a width, and its ranges hold all values."""
    lines = [[number_of(part) for part in parts_of(line)] for line in text.splitlines() if line.strip()]
    widths = [line[0] for line in lines if len(line) == 1]
    if any(width <= 0 for width in widths):
        raise EntryError("A width is above 0.")
    given = [number_of(value) for value in values if value]
    if widths and given:
        widest = max(widths)
        low = math.floor(min(given) / widest) * widest
        count = max(math.ceil((max(given) - low) / widest), 1)
        if count * widest / min(widths) > MOST_RANGES:
            raise EntryError("A width of {width} makes more than {most} ranges.", width=min(widths), most=MOST_RANGES)
        if sum(count * widest / width for width in widths) > LABELS:
            raise EntryError(TOO_MANY, most=LABELS)
        for line in lines:
            if len(line) == 1:
                line[:] = [low + step * line[0] for step in range(int(count * widest / line[0]) + 1)]
    return [[plain(point) for point in line] for line in lines]


def _levels(tree: Hierarchy | None, name: str, words: ColumnWords) -> list[dict[str, Any]]:
    if tree is None:
        return []
    shown = [[words.value(name, label) for label in labels[:EXAMPLES]] for labels in tree.labels[:MOST_LEVELS]]
    return [
        {"level": level, "count": len(labels), "labels": own, "more": len(labels) > EXAMPLES}
        for level, (labels, own) in enumerate(zip(tree.labels, shown, strict=False))
    ]
