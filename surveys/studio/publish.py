"""The page before publishing: what is missing, what is worth a look, what freezes; its button publishes."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.people import log
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire import publish as publishing
from surveys.domain.questionnaire.check import ask_for_reasons
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.languages import sentence_of
from surveys.domain.questionnaire.link import address
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.models import Survey
from surveys.studio.checklist import checklist
from surveys.studio.staff_part import cards


class OverrideForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=1000,
        help_text=gettext_lazy("Respondents are shown your name and this reason before they answer."),
    )


@studio(Action.PUBLISH, "GET", "POST")
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET shows the list; POST publishes what it showed, and leads to the page of the fieldwork."""
    if survey.closed_at is not None:
        return redirect("studio:fieldwork", survey.pk)
    if request.method == "GET":
        return _page(request, survey, None, "")
    form = OverrideForm(request.POST) if "reason" in request.POST else None
    if form and not form.is_valid():
        return _page(request, survey, form, "")
    if sentence := ask_for_reasons(Draft.load(survey)):
        return _page(request, survey, form, sentence)
    try:
        version = publishing.publish(survey, str(request.user), form.cleaned_data["reason"] if form else "")
    except InputError as error:
        return _page(request, survey, form, sentence_of(error))
    sentence = log.note_down(survey, request.user, "Version %(number)s was published.", number=version.number)
    messages.success(request, sentence)
    return redirect("studio:fieldwork", survey.pk)


def _page(request: HttpRequest, survey: Survey, form: OverrideForm | None, refused: str) -> HttpResponse:
    draft = Draft.load(survey)
    listed = checklist(draft)
    version = survey.versions.last()
    context = {
        "survey": survey,
        "address": address(request.build_absolute_uri("/"), survey),
        "form": (form or OverrideForm(initial={"reason": survey.override_reason})) if listed.over_limit else None,
        "refused": refused,
        "list": listed,
        "shown": minimum_of_draft(draft).sentence,
        **cards(draft),
        "version": version,
        "unchanged": version is not None and publishing.is_of(version, draft),
    }
    return render(request, "studio/publish.html", context, status=422 if request.method == "POST" else 200)
