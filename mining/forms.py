"""What people enter: what to search for, and which part of a table to see."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.db.models import Model
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _

from mining.domain.report import Wish
from mining.engines.options import LONGEST, MINE
from mining.engines.request import MiningRequest
from mining.models import MiningRun, RuleReview
from privacy.errors import InputError
from privacy.options import Option, Options
from privacy.options.option import Flag, NumberValue, OneOf, Whole
from privacy.reconstruct.metrics import Metric
from surveys.sentences import sentence_of

Named = tuple[str, str]
"""A literal, and what a list shows of it."""


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


class StartForm(options_form(MINE, MiningRun)):  # type: ignore[misc]  # made from the table of options
    """A request for a search; values that make no sense are refused by `MiningRequest` itself, in its words."""

    def refuse(self, error: InputError) -> None:
        """Show the refusal at the field it is about; other refusals are shown above all fields."""
        self.add_error(error.at if error.at in self.fields else None, sentence_of(error))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors:
            try:
                self.request = MiningRequest(**{name: one for name, one in values.items() if one not in ("", None)})
            except InputError as error:
                self.refuse(error)
        return values


class FilterForm(forms.Form):
    """Which part of a table to see; it travels in the address, so that a view of a table can be linked to.

    What a table is sorted by is chosen in its headings.
    """

    item = forms.ChoiceField(label=_("With the item"), required=False)
    length = forms.IntegerField(label=_("Length"), required=False, min_value=1, max_value=LONGEST)
    order = forms.ChoiceField(required=False, widget=forms.HiddenInput)
    ascending = forms.BooleanField(required=False, widget=forms.HiddenInput)
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    first_order = "support"

    def __init__(self, query: QueryDict, *, prefix: str, labels: Sequence[Named], columns: Sequence[Metric]) -> None:
        super().__init__(query, prefix=prefix)
        for name in ("item", "antecedent", "consequent"):
            if name in self.fields:
                self.fields[name].choices = [("", _("any")), *labels]  # type: ignore[attr-defined]
        self.fields["order"].choices = [(metric.key, metric.key) for metric in columns]  # type: ignore[attr-defined]

    def wish(self) -> Wish:
        """The filters that were entered; fields with errors are ignored."""
        self.is_valid()
        values = self.cleaned_data
        return Wish(
            order=values.get("order") or self.first_order,
            descending=not values.get("ascending"),
            antecedent=values.get("antecedent") or "",
            consequent=values.get("consequent") or "",
            item=values.get("item") or "",
            length=values.get("length"),
            at_most=self.at_most(),
            redundant=bool(values.get("redundant")),
            page=values.get("page") or 1,
        )

    def at_most(self) -> dict[str, float]:
        return {}


class RuleFilterForm(FilterForm):
    search = forms.CharField(
        label=_("Search in the questions"), required=False, widget=forms.TextInput(attrs={"type": "search"})
    )
    antecedent = forms.ChoiceField(label=_("If"), required=False)
    consequent = forms.ChoiceField(label=_("Then"), required=False)
    redundant = forms.BooleanField(label=_("also redundant rules"), label_suffix="", required=False)

    first_order = ""  # by trust

    def __init__(self, query: QueryDict, *, prefix: str, labels: Sequence[Named], columns: Sequence[Metric]) -> None:
        super().__init__(query, prefix=prefix, labels=labels, columns=columns)
        self.limited = [metric for metric in columns if metric.at_most]
        for metric in self.limited:
            self.fields[f"max_{metric.key}"] = forms.FloatField(
                label=gettext(metric.at_most), required=False, min_value=0, max_value=1
            )
        limits = [f"max_{metric.key}" for metric in self.limited]
        self.order_fields(["search", "item", "antecedent", "consequent", "length", *limits, "redundant"])

    @property
    def is_narrowed(self) -> bool:
        """Whether any filter but the search is set."""
        return any(value for name, value in self.cleaned_data.items() if name not in ("search", "order", "page"))

    @property
    def search_text(self) -> str:
        return str(self.cleaned_data.get("search") or "").strip()

    def at_most(self) -> dict[str, float]:
        limits = {metric.key: self.cleaned_data.get(f"max_{metric.key}") for metric in self.limited}
        return {key: most for key, most in limits.items() if most is not None}


class ReviewForm(forms.ModelForm):
    class Meta:
        model = RuleReview
        fields = ("rule", "verdict", "note")

    def __init__(self, *args: Any, rules: Collection[str], **named: Any) -> None:
        super().__init__(*args, **named)
        self.rules = rules

    def clean_rule(self) -> str:
        rule: str = self.cleaned_data["rule"]
        if rule not in self.rules:
            raise forms.ValidationError(gettext("This search found no rule “%(rule)s”.") % {"rule": rule})
        return rule

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("verdict") == RuleReview.Verdict.NONE and not values.get("note"):
            raise forms.ValidationError(gettext("Write a note, or choose a verdict."))
        return values
