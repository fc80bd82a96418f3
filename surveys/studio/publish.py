"""The page before publishing: what is missing, what is worth a look, what freezes; its button publishes."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.drafts.protect import judge_document
from surveys.domain.people import log
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire import publish as publishing
from surveys.domain.questionnaire.check import ask_for_reasons
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.versions import address
from surveys.models import Survey
from surveys.sentences import sentence_of
from surveys.studio.checklist import checklist, remarks
from surveys.studio.staff_part import cards
from surveys.studio.verdict import say_plain, unmet_of_draft


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
    seen, draft = publishing.count_changes(survey), Draft.load(survey)
    refused = ""
    form = OverrideForm(request.POST) if "reason" in request.POST else None
    if request.method == "POST" and (form is None or form.is_valid()):
        refused = ask_for_reasons(draft)
        if not refused:
            try:
                reason = form.cleaned_data["reason"] if form else ""
                version = publishing.publish(survey, str(request.user), reason, request.POST.get("seen", ""))
            except InputError as error:
                refused = sentence_of(error)
            else:
                said = log.note_down(survey, request.user, "Version %(number)s was published.", number=version.number)
                messages.success(request, said)
                return redirect("studio:fieldwork", survey.pk)
    listed = checklist(draft)
    unmet = unmet_of_draft(draft) if listed.read else []
    newest = survey.versions.last()
    context = {
        "survey": survey,
        "seen": seen,
        "address": address(request.build_absolute_uri("/"), survey),
        "form": (form or OverrideForm(initial={"reason": survey.override_reason})) if listed.over_limit else None,
        "refused": refused,
        "list": listed,
        "unanswered": [*remarks(survey, ((sentence, "protect") for sentence in unmet))],
        "plain": say_plain(judge_document(survey, draft.document)) if listed.read else "",
        **cards(draft),
        "version": newest,
        "unchanged": newest is not None and publishing.is_of(newest, draft),
    }
    return render(request, "studio/publish.html", context, status=422 if request.method == "POST" else 200)
