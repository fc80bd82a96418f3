"""The pages on which a survey is tried, published, closed or erased: GET explains the step, POST does it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from privacy.errors import EntryError, InputError
from privacy.records.csv_rows import csv_text
from surveys.admin import panel
from surveys.admin.shared import is_administration, step_page
from surveys.domain.closed import erase as erasing
from surveys.domain.drafts import published
from surveys.domain.messages import invite as inviting
from surveys.domain.people import log
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire import publish as publishing
from surveys.domain.questionnaire.check import unreasoned
from surveys.domain.questionnaire.languages import sentence_of
from surveys.domain.questionnaire.testable import crowd, of_draft
from surveys.domain.questionnaire.trial import trial
from surveys.domain.questionnaire.write import Draft
from surveys.models import Invitation, Survey, SurveyVersion

Step = Callable[[HttpRequest, Survey], HttpResponse]


def step(action: Action) -> Callable[[Step], Callable[..., HttpResponse]]:
    """A page of one survey, for people who may do this with it."""

    def decorate(page: Step) -> Callable[..., HttpResponse]:
        @require_http_methods(["GET", "POST"])
        @wraps(page)
        def answer(request: HttpRequest, pk: int) -> HttpResponse:
            survey = get_object_or_404(Survey, pk=pk)
            if not may(request.user, action, survey):
                raise PermissionDenied
            return page(request, survey)

        return answer

    return decorate


class OverrideForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=1000,
        help_text=gettext_lazy("Respondents are shown your name and this reason before they answer."),
    )


class InvitationsForm(forms.Form):
    label = forms.CharField(
        label=gettext_lazy("Name of the batch"), max_length=100, help_text=gettext_lazy("For you only.")
    )
    count = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=100_000)


class DrawForm(forms.Form):
    def __init__(self, survey: Survey, *args: Any) -> None:
        super().__init__(*args)
        self.fields["batch"] = forms.ModelChoiceField(survey.invitation_batches)


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
        """Erase the survey and say so, if its name was typed and nothing is in the way; else the form says why."""
        if not self.is_valid():
            return False
        try:
            erasing.erase(self.survey)
        except InputError as error:
            self.add_error(None, sentence_of(error))
            return False
        messages.success(request, _("“%(title)s” is erased.") % {"title": self.survey.title})
        return True


@step(Action.WRITE)
def preview(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Open the draft in the page that respondents will use; each trial ends the one before."""
    if request.method != "POST":
        return to_page(request, survey)
    try:
        started = trial(survey)
    except InputError as error:
        messages.error(request, sentence_of(error))
        return to_page(request, survey)
    return redirect(reverse("trial", args=[started.code]) + f"#v={started.sha256}")


@step(Action.PUBLISH)
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    draft = Draft.stored(survey)
    context = panel.panel(survey) | {
        "announced": list(panel.announced(panel.drafted(draft))),
        "unreasoned": unreasoned(draft),
    }
    if "refused" not in context:
        context["crowd"] = crowd(of_draft(draft))
    posted = request.POST if request.method == "POST" else None
    form = OverrideForm(posted, initial={"reason": survey.override_reason}) if context.get("over_limit") else None
    if posted is not None and (form is None or form.is_valid()):
        try:
            reason = form.cleaned_data["reason"] if form else ""
            version = published.publish(survey, str(request.user), reason)
        except InputError as error:
            messages.error(request, sentence_of(error))
        else:
            _done(request, survey, _("Version %(number)s is published.") % {"number": version.number})
            return redirect("admin:surveys_surveyversion_change", version.pk)
    return step_page(request, survey, "publish", _("Publish"), context | {"form": form})


@step(Action.PUBLISH)
def close(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        try:
            publishing.close(survey)
        except InputError as error:
            messages.error(request, sentence_of(error))
        else:
            _done(request, survey, _("The survey is closed. What is still waiting is sealed within a minute."))
        return to_page(request, survey)
    return step_page(request, survey, "close", _("Close"), {})


@step(Action.PUBLISH)
def invite(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The batches of invitations, and a form for another. After sending, the form is empty again."""
    form = InvitationsForm(request.POST if request.method == "POST" else None)
    version = survey.versions.last()
    if form.is_valid() and version is not None:
        label, count = form.cleaned_data["label"], form.cleaned_data["count"]
        try:
            inviting.add_batch(survey, label, count)
        except EntryError as error:
            form.add_error(error.at or None, sentence_of(error))
        else:
            log.note(survey, request.user, _("Invitations “%(label)s”: %(count)s.") % {"label": label, "count": count})
            return redirect("admin:surveys_survey_invite", survey.pk)
    batches = survey.invitation_batches.annotate(drawn=Exists(Invitation.objects.filter(batch=OuterRef("pk"))))
    return step_page(
        request,
        survey,
        "invite",
        _("Invite"),
        {"form": form, "version": version, "batches": batches.order_by("-pk")},
    )


@step(Action.PUBLISH)
def draw(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Draw the links of one batch, once, and give them as a file."""
    version = survey.versions.last()
    form = DrawForm(survey, request.POST)
    if version is None or not form.is_valid():
        return redirect("admin:surveys_survey_invite", survey.pk)
    batch = form.cleaned_data["batch"]
    try:
        secrets = inviting.draw(batch)
    except InputError as error:
        messages.error(request, sentence_of(error))
        return redirect("admin:surveys_survey_invite", survey.pk)
    return links_file(request, version, secrets, f"invitations-{survey.slug}-{batch.pk}.csv")


def links_file(request: HttpRequest, version: SurveyVersion, secrets: Iterable[str], name: str) -> HttpResponse:
    """The links of a batch, as a file. They are in this response and nowhere else: only hashes are kept."""
    link = panel.link(request, version)
    return HttpResponse(
        csv_text([["link"], *([f"{link}&i={secret}"] for secret in secrets)], "\r\n"),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@step(Action.ERASE)
def erase(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = EraseForm(survey, *([request.POST] if request.method == "POST" else []))
    if form.erases(request):
        return redirect("admin:surveys_survey_changelist" if is_administration(request) else "studio:home")
    return step_page(request, survey, "erase", _("Erase"), {"form": form})


def _done(request: HttpRequest, survey: Survey, sentence: str) -> None:
    """Show the sentence to the person, and note it in the survey's history."""
    messages.success(request, sentence)
    log.note(survey, request.user, sentence)


def to_page(request: HttpRequest, survey: Survey) -> HttpResponseRedirect:
    """Back to the page of the survey: in the administration, or in the studio for who has a role in it."""
    name = "admin:surveys_survey_change" if is_administration(request) else "studio:write"
    return HttpResponseRedirect(reverse(name, args=[survey.pk]))
