"""Form fields of the questionnaire: texts in each of its languages, and the values that kinds of block ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.design.forms import FormField, Value
from surveys.domain.questionnaire.languages import language_name
from surveys.kinds import BLOCK_FIELDS, OPTION_FIELDS, QUESTION_FIELDS, asked_by, names_of
from surveys.questions import TYPES

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
        case Value.CHOICE:
            choices = [("", "—"), *((choice.value, gettext_lazy(choice.label)) for choice in field.choices)]
            return forms.ChoiceField(choices=choices, **options)


def declared_share(field: FormField) -> forms.Field:
    """The form field of one share of a list, which is asked beside its option."""
    return declared(replace(field, value=Value.SHARE))


def in_rows(fields: Collection[FormField]) -> list[Any]:
    """Single values side by side in one row, and each list of values in a row of its own."""
    wide = [field.name for field in fields if field.value is Value.SHARES]
    return [tuple(field.name for field in fields if field.name not in wide), *wide]
