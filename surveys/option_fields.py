"""The form that asks for the options of an analysis, made from their table."""

from typing import Any

from django import forms
from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from privacy.options import Option, Options
from privacy.options.kinds import Flag, NumberValue, OneOf, Whole


def options_form(options: Options, model: type[Model]) -> type[forms.Form]:
    """A form with a field for each option that pages offer, called as its column of the model."""
    return type("OptionsForm", (forms.Form,), {one.name: _field(one, model) for one in options.for_place("page")})


def _field(one: Option, model: type[Model]) -> forms.Field:
    """A field; what its value may be is checked where the request is made, in its words."""
    column: Any = model._meta.get_field(one.name)
    needed = one.required or one.begins is not None  # others take their default where they are left empty
    said: dict[str, Any] = {"label": capfirst(column.verbose_name), "help_text": _(one.hint) if one.hint else ""}
    said |= {"initial": one.begins if needed else one.default, "required": needed}
    kind = one.kind
    if isinstance(kind, Flag):
        return forms.BooleanField(**said)
    if isinstance(kind, NumberValue):
        return forms.FloatField(**said)
    if isinstance(kind, Whole):
        return forms.IntegerField(**said)
    if isinstance(kind, OneOf):
        return forms.ChoiceField(choices=[(word, _(label)) for word, label in kind.offers.items()], **said)
    return forms.CharField(max_length=getattr(kind, "longest", None), **said)
