"""Form fields of the questionnaire: texts in each of its languages, and the values that kinds of block ask for."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.design.forms import FormField, Value
from privacy.design.grid.maps import read_map
from privacy.draw.map import Map, draw_map
from privacy.errors import EntryError
from surveys.domain.questionnaire.languages import language_name, sentence_of
from surveys.kinds import BLOCK_FIELDS, OPTION_FIELDS, QUESTION_FIELDS, asked_by, names_of
from surveys.questions import TYPES
from surveys.questions.outline import check_lines
from surveys.questions.place import SIZE

Texts = dict[str, str]


class TextsWidget(forms.Widget):
    """One box for each language, named `<field>:<tag>`."""

    use_fieldset = True

    def __init__(self, label: str = "", rows: int = 1) -> None:
        super().__init__()
        self.label, self.rows = label, rows
        self.tags: Sequence[str] = ("en",)

    def id_for_label(self, _id: str) -> str:
        return ""

    def render(
        self,
        name: str,
        value: Texts | None,
        attrs: Mapping[str, Any] | None = None,
        renderer: Any = None,  # noqa: ARG002
    ) -> SafeString:
        texts = value if isinstance(value, dict) else {}
        described = (attrs or {}).get("aria-describedby", "")
        boxes = format_html_join(
            "",
            '<div class="text"><label for="{}" class="{}"><span class="visually-hidden">{}, </span>{}</label>'
            '<textarea id="{}" name="{}" rows="{}" cols="40" lang="{}" dir="auto"{}>\n{}</textarea></div>',
            (
                (
                    self._id(attrs, name, tag),
                    "language" if len(self.tags) > 1 else "language visually-hidden",
                    self.label,
                    language_name(tag),
                    self._id(attrs, name, tag),
                    f"{name}:{tag}",
                    self.rows,
                    tag,
                    format_html(' aria-describedby="{}"', described) if described else "",
                    texts.get(tag, ""),
                )
                for tag in self.tags
            ),
        )
        return format_html('<div class="texts">{}</div>', boxes)

    def value_from_datadict(self, data: Mapping[str, Any], _files: MultiValueDict[str, Any], name: str) -> Texts:
        return {tag: data.get(f"{name}:{tag}", "") for tag in self.tags}

    def value_omitted_from_data(self, data: Mapping[str, Any], _files: Mapping[str, Any], name: str) -> bool:
        return all(f"{name}:{tag}" not in data for tag in self.tags)

    def _id(self, attrs: Mapping[str, Any] | None, name: str, tag: str) -> str:
        return f"{(attrs or {}).get('id', f'id_{name}')}:{tag}"


class TextsField(forms.Field):
    """A dict from language tag to text. Texts in languages that the survey no longer has stay in the draft."""

    widget: TextsWidget

    def __init__(self, *, rows: int = 1, label: str = "", **options: Any) -> None:
        super().__init__(label=label, **{**options, "required": False, "widget": TextsWidget(label, rows)})
        self.kept: Texts = {}

    def set_languages(self, tags: Sequence[str], stored: Texts) -> None:
        self.widget.tags = tags
        self.kept = {tag: text for tag, text in stored.items() if tag not in tags}

    def clean(self, value: Texts) -> Texts:
        field = forms.CharField(required=False)
        return _without_empty({**self.kept, **{tag: field.clean(text) for tag, text in _unix(value).items()}})

    def has_changed(self, initial: Texts | None, data: Texts | None) -> bool:
        entered = {tag: text.strip() for tag, text in _unix(data or {}).items()}
        return _without_empty({**self.kept, **entered}) != _without_empty(initial or {})


def _unix(texts: Texts) -> Texts:
    """The texts with one character for each line end; browsers send two."""
    return {tag: text.replace("\r\n", "\n") for tag, text in texts.items()}


def _without_empty(texts: Texts) -> Texts:
    return {tag: text for tag, text in texts.items() if text}


class SharesField(forms.CharField):
    """Shares as people write them (0.5, 0.3, 0.2), kept as a list of numbers."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[float] | None:  # type: ignore[override]
        if value in self.empty_values:
            return None
        try:
            return [float(share) for share in str(value).strip("[] ").split(",")]
        except ValueError:
            raise ValidationError(_("Write numbers with commas between them: 0.5, 0.3, 0.2.")) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return self.to_python(data) != initial
        except ValidationError:
            return True


class ZonesField(forms.CharField):
    """Rectangles of a map, one a line, kept as lists of four numbers."""

    widget = forms.Textarea({"rows": 4, "cols": 30, "class": "zones", "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(" ".join(map(str, zone)) for zone in value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[list[float]] | None:  # type: ignore[override]
        if value in self.empty_values:
            return None
        if isinstance(value, list):
            return value
        try:
            lines = [line.replace(",", " ").split() for line in str(value).splitlines() if line.strip()]
            zones = [[_number(number) for number in line] for line in lines]
        except ValueError:
            zones = [[]]
        if any(len(zone) != 4 for zone in zones):
            raise ValidationError(_("Write four numbers a line: left, bottom, width and height."))
        return zones or None

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return self.to_python(data) != (initial or None)
        except ValidationError:
            return True


def _number(text: str) -> int | float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return int(number) if number.is_integer() else number


class MapWidget(forms.Widget):
    """Width, height and cell of a map, a file with its outline, and the map as it is stored."""

    needs_multipart_form = True
    use_fieldset = True

    def id_for_label(self, _id: str) -> str:
        return ""

    def render(
        self,
        name: str,
        value: Any,
        attrs: Mapping[str, Any] | None = None,
        renderer: Any = None,  # noqa: ARG002
    ) -> SafeString:
        own = value if isinstance(value, dict) else {}
        id_ = (attrs or {}).get("id", f"id_{name}")
        labels = {"width": _("width"), "height": _("height"), "cell": _("cell")}
        numbers = format_html_join(
            "",
            '<div><label for="{0}_{1}">{2}</label> <input type="number" step="any" min="0" id="{0}_{1}" name="{3}:{1}" '
            'value="{4}"></div>',
            ((id_, part, label, name, own.get(part, "")) for part, label in labels.items()),
        )
        stored = own.get("stored") or json.dumps({key: own[key] for key in ("lines", "degrees") if key in own})
        file = format_html(
            '<div><label for="{0}_file">{1}</label> <input type="file" id="{0}_file" name="{2}:file" '
            'accept=".json,.geojson,application/geo+json"></div><input type="hidden" name="{2}:stored" value="{3}">',
            id_,
            _("outline (GeoJSON)"),
            name,
            stored,
        )
        plain = (
            format_html(
                '<div><label><input type="checkbox" name="{}:plain"> {}</label></div>',
                name,
                _("no outline, a plain grid"),
            )
            if stored != "{}"
            else ""
        )
        return format_html('<div class="map-entry">{}{}{}{}</div>', numbers, file, plain, _drawn(own))

    def value_from_datadict(
        self, data: Mapping[str, Any], files: MultiValueDict[str, Any], name: str
    ) -> dict[str, Any]:
        own = {part: data.get(f"{name}:{part}", "") for part in ("width", "height", "cell", "stored", "plain")}
        return own | {"file": files.get(f"{name}:file")}

    def value_omitted_from_data(self, data: Mapping[str, Any], _files: Mapping[str, Any], name: str) -> bool:
        return f"{name}:width" not in data


def _drawn(own: Mapping[str, Any]) -> SafeString | str:
    """The map as it is stored; where the page runs its script, another stands in its place that takes zones, too."""
    if not all(isinstance(own.get(part), int | float) for part in ("width", "height")):
        return ""
    # What privacy.draw makes is markup of numbers and escaped words.
    return mark_safe(draw_map(_("The map"), Map(own["width"], own["height"], own.get("lines", ()))))


class MapField(forms.Field):
    """A map as the published question has it: width, height and cell, and perhaps the lines of an outline.

    In place of a file stands what was read of it, or what refuses it (QuestionAdmin).
    """

    widget = MapWidget

    def clean(self, value: Any) -> dict[str, Any] | None:
        numbers = [str(value.get(part, "")).strip() for part in SIZE]
        with _as_validation():
            if isinstance(value.get("file"), EntryError):
                raise value["file"]
            if value.get("file"):
                return value["file"]
            if not any(numbers):
                return None
            own: dict[str, Any] = dict(zip(SIZE, map(_number, numbers), strict=True))
            read_map(own, "")
            outline_kept = {} if value.get("plain") else json.loads(value.get("stored") or "{}")
            lines = outline_kept.get("lines")
            if lines and check_lines(lines, own["width"], own["height"]):
                own |= {"lines": lines, "degrees": outline_kept.get("degrees")}
            return own

    def has_changed(self, initial: Any, data: Any) -> bool:
        if data.get("file"):
            return True
        try:
            return self.clean(data) != (initial or None)
        except ValidationError:
            return True


@contextmanager
def _as_validation() -> Iterator[None]:
    try:
        yield
    except EntryError as error:
        raise ValidationError(sentence_of(error)) from None
    except (ValueError, AttributeError):
        raise ValidationError(_("A map has a width, a height and a cell, all numbers.")) from None


class UsingSelect(forms.Select):
    """A select that names the form fields it decides on, and with each choice those that the choice uses.

    Styles and script of the page read these names.
    """

    decides: Collection[str]

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return super().get_context(name, value, (attrs or {}) | {"data-decides": " ".join(self.decides)})

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-uses"] = " ".join(sorted(self.used_by(value)))
        return option

    def used_by(self, value: Any) -> Iterable[str]:
        raise NotImplementedError


class TypeSelect(UsingSelect):
    """The types of question, each with a sentence about the rows below the question."""

    decides = (
        *sorted({name for own in TYPES.values() for name in own.uses}),
        *(name for name, field in QUESTION_FIELDS.items() if field.yes_no),
    )

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-rows"] = TYPES[value].rows
        disguise = TYPES[value].disguise
        if disguise and disguise.own_block:
            option["attrs"]["data-open"] = True
        return option

    def used_by(self, value: Any) -> Iterable[str]:
        disguise = TYPES[value].disguise
        own = {name for name, field in QUESTION_FIELDS.items() if disguise and disguise.yes_no and field.yes_no}
        return TYPES[value].uses | own | ({"block"} if disguise else set())


class KindSelect(UsingSelect):
    """The kinds of block."""

    decides = tuple(BLOCK_FIELDS)

    def used_by(self, value: Any) -> Iterable[str]:
        return names_of(value)


class BlockSelect(UsingSelect):
    """The blocks of a survey, and the choice of no block."""

    decides = (*QUESTION_FIELDS, *OPTION_FIELDS, "required", "when")

    def used_by(self, value: Any) -> Iterable[str]:
        return asked_by(value.instance.kind) if value else ("required", "when")


def declared(field: FormField) -> forms.Field:
    """The form field of a value that a kind of block asks for."""
    options: dict[str, Any] = {
        "required": False,
        "label": capfirst(gettext_lazy(field.label)),
        "help_text": gettext_lazy(field.help) if field.help else "",
    }
    match field.value:
        case Value.SHARE:
            return forms.FloatField(min_value=0.0, max_value=1.0, **options)
        case Value.NUMBER:
            return forms.FloatField(**options)
        case Value.COUNT:
            return forms.IntegerField(min_value=0, **options)
        case Value.SHARES:
            return SharesField(**options)
        case Value.MAP:
            return MapField(**options)
        case Value.ZONES:
            return ZonesField(**options)
        case Value.CHOICE:
            choices = [("", "—"), *((choice.value, gettext_lazy(choice.label)) for choice in field.choices)]
            return forms.ChoiceField(choices=choices, **options)


def shown_value(field: FormField, settings: Mapping[str, Any]) -> str:
    """A value as people read it who may not change it: a map is drawn with its zones."""
    value: Any = settings.get(field.name)
    if value in (None, "", []):
        return "–"
    match field.value:
        case Value.MAP:
            size = _("{width:g} wide, {height:g} high, cells of {cell:g}").format(**value)
            map_ = Map(value["width"], value["height"], value.get("lines", ()), settings.get("zones") or ())
            return format_html("{}<br>{}", size, mark_safe(draw_map(_("The map"), map_)))
        case Value.ZONES:
            lines = [(f"{left:g}–{left + wide:g}, {bottom:g}–{bottom + high:g}",) for left, bottom, wide, high in value]
            return format_html_join(mark_safe("<br>"), "{}", lines)
        case _:
            return str(value)


def declared_share(field: FormField) -> forms.Field:
    """The form field of one share of a list, which is asked beside its option."""
    return declared(replace(field, value=Value.SHARE))


def in_rows(fields: Collection[FormField]) -> list[Any]:
    """Single values side by side in one row, and each list of values in a row of its own."""
    wide = [field.name for field in fields if field.value in (Value.SHARES, Value.MAP, Value.ZONES)]
    return [tuple(field.name for field in fields if field.name not in wide), *wide]
