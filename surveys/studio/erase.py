"""Erasing by hand: the page names what will go, and what stays, and asks for the short name before it does it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.admin.steps import EraseForm
from surveys.domain.closed import erase as erasing
from surveys.domain.people.roles import Action
from surveys.domain.responses import counts
from surveys.models import Survey
from surveys.studio.access import studio


@studio(Action.ERASE, "GET", "POST")
def erase(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET says what will happen; POST with the short name erases."""
    form = EraseForm(survey, *([request.POST] if request.method == "POST" else []))
    if form.erases(request):
        return redirect("studio:erased")
    sealed = counts.of_survey(survey)
    context = {
        "survey": survey,
        "form": form,
        "versions": survey.versions.count(),
        "sealed": sealed.answers if sealed else "",
        "refers": erasing.what_refers_to(survey),
    }
    return render(request, "studio/erase.html", context, status=422 if form.is_bound else 200)
