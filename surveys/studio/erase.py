"""Erasing by hand: the page names what will go, and what stays, and asks for the short name before it does it.

The records of what was erased are for those who had a role in it, and for administrators.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.apps import apps
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import staff_only, studio
from surveys.domain.closed import erase as erasing
from surveys.domain.closed.erase import DATE, records
from surveys.domain.people.roles import Action, everywhere
from surveys.models import Erasure, Survey, TableRelease
from surveys.sentences import sentence_of


class EraseForm(forms.Form):
    slug = forms.CharField(
        label=gettext_lazy("Short name of the survey"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, survey: Survey, *args: Any) -> None:
        super().__init__(*args)
        self.survey = survey

    def clean_slug(self) -> str:
        if self.cleaned_data["slug"] != self.survey.slug:
            raise forms.ValidationError(_("Type “%(name)s” to erase this survey.") % {"name": self.survey.slug})
        return self.survey.slug

    def erases(self, request: HttpRequest) -> bool:
        """Erase the survey and say so, if its name was typed; else the form says why."""
        if not self.is_valid():
            return False
        try:
            erasing.erase(self.survey)
        except InputError as error:
            self.add_error(None, sentence_of(error))
            return False
        messages.success(request, _("“%(title)s” is erased.") % {"title": self.survey.title})
        return True


@studio(Action.ERASE, "GET", "POST")
def erase(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET says what will happen; POST with the short name erases."""
    form = EraseForm(survey, *([request.POST] if request.method == "POST" else []))
    if form.erases(request):
        return redirect("studio:erased")
    context = {
        "survey": survey,
        "form": form,
        "versions": survey.versions.count(),
        "findings": _named(erasing.what_goes_along(survey)),
    }
    return render(request, "studio/erase.html", context, status=422 if form.is_bound else 200)


def _named(made: Mapping[str, int]) -> list[tuple[str, int]]:
    """Counts of rows by what their models are called; of a model that is no more there is the label."""
    names = {model._meta.label_lower: model._meta.verbose_name_plural for model in apps.get_models()}
    names[TableRelease._meta.label_lower] = _("released tables")
    return sorted((str(names.get(label.lower(), label)), count) for label, count in made.items())


MOST = 200


@staff_only()
def erasures(request: HttpRequest) -> HttpResponse:
    rows = Erasure.objects.order_by("-id")
    if not everywhere(request.user, Action.SEE):
        rows = rows.filter(people=request.user.pk)
    shown = [
        (
            record,
            datetime.fromisoformat(record.said["erased"]),
            record.said["why"] == DATE,
            _named(record.said.get("made", {})),
        )
        for record in records(rows[:MOST])
    ]
    return render(request, "studio/erased.html", {"records": shown})
