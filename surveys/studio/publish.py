"""The page before publishing: what is missing, what is worth a look, what freezes; its button publishes."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from privacy.errors import InputError
from surveys.admin import panel
from surveys.admin.steps import OverrideForm
from surveys.domain.drafts import published
from surveys.domain.people import log
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.languages import sentence_of
from surveys.models import Survey, SurveyVersion
from surveys.studio.access import studio
from surveys.studio.checklist import Checklist, checklist


@studio(Action.PUBLISH, "GET", "POST")
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET shows the list; POST publishes what it showed, and leads to the page of the fieldwork."""
    if survey.closed_at is not None:
        return redirect("studio:fieldwork", survey.pk)
    listed = checklist(survey)
    posted = request.POST if request.method == "POST" else None
    form = OverrideForm(posted, initial={"reason": survey.override_reason}) if listed.over_limit else None
    refused = ""
    if posted is not None and listed.missing:
        refused = listed.missing[0].sentence
    elif posted is not None and (form is None or form.is_valid()):
        try:
            reason = form.cleaned_data["reason"] if form else ""
            version = published.publish(survey, str(request.user), reason)
        except InputError as error:
            refused = sentence_of(error)
        else:
            sentence = _("Version %(number)s is published.") % {"number": version.number}
            messages.success(request, sentence)
            log.note(survey, request.user, sentence)
            return redirect("studio:fieldwork", survey.pk)
    wrong = refused or (form is not None and form.is_bound)
    context = {"survey": survey, "form": form, "refused": refused, **_context(survey, listed)}
    return render(request, "studio/publish.html", context, status=422 if wrong else 200)


def _context(survey: Survey, listed: Checklist) -> dict[str, Any]:
    version: SurveyVersion | None = survey.versions.last()
    return {
        "list": listed,
        "version": version,
        "unchanged": version is not None and _is_unchanged(survey, version),
    }


def _is_unchanged(survey: Survey, version: SurveyVersion) -> bool:
    """Also of a version from before something was asked for that its draft does not say."""
    try:
        return panel.is_published(survey, version)
    except InputError:
        return False
