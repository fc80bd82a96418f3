"""Trying a draft with simulated people: ask for it, see where it stands, read its report, throw it away."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.languages import sentence_of
from surveys.domain.rehearsal.ask import FEWEST, MOST, begin, rehearsal, throw_away
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey
from surveys.offers import STANDING
from surveys.studio.guess import said_of


class RehearseForm(forms.Form):
    respondents = forms.IntegerField(label=gettext_lazy("How many people"), min_value=FEWEST, max_value=MOST)


@studio(Action.SEE)
def rehearse(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _page(request, survey)


@studio(Action.SEE)
def redirect_old_address(_request: HttpRequest, survey: Survey) -> HttpResponse:
    """Redirect from the address of earlier versions."""
    return redirect("studio:try", survey.pk)


@studio(Action.WRITE, "POST")
def start(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Let simulated people answer the draft as it is; those who did before go."""
    form = RehearseForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, form)
    try:
        begin(survey, form.cleaned_data["respondents"])
    except InputError as error:
        form.add_error(None, sentence_of(error))
        return _page(request, survey, form)
    return redirect("studio:try", survey.pk)


@studio(Action.WRITE, "POST")
def discard(request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        throw_away(survey)
    except InputError as error:
        messages.error(request, sentence_of(error))
    else:
        messages.success(request, _("The simulated answers and their report were deleted."))
    return redirect("studio:try", survey.pk)


@studio(Action.SEE)
def progress(_request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the progress of a rehearsal, for the page that is updated live (surveys/live.js)."""
    stands = _stands(rehearsal(survey))
    doing = {"open": stands["doing"] is not None, "doing": stands["doing"] or "", "share": stands["share"]}
    return JsonResponse({**doing, "state": "", "counted": ""})


def _page(request: HttpRequest, survey: Survey, form: RehearseForm | None = None) -> HttpResponse:
    apart = rehearsal(survey)
    shown = form or RehearseForm(initial={"respondents": min(max(survey.expected, FEWEST), MOST)})
    context = {
        "survey": survey,
        "form": shown,
        "apart": apart,
        "writes": may(request.user, Action.WRITE, survey),
        "takes": may(request.user, Action.TAKE, survey),
        "publishes": may(request.user, Action.PUBLISH, survey),
        "guessed": said_of(Draft.load(survey)),
        **_stands(apart),
    }
    return render(request, "studio/rehearsal.html", context, status=422 if form else 200)


def _stands(apart: Survey | None) -> dict[str, Any]:
    """What is being done, or None once all is; how far it is; and the answers, once there are any."""
    if apart is None:
        return {"doing": None, "share": 0.0}
    snapshot = latest(apart)
    if snapshot is None:
        return {"doing": _("Simulated people are answering."), "share": 0.0}
    doing = next((said for stands in STANDING if (said := stands(snapshot))), None)
    return {"doing": doing, "share": 0.5 if doing else 1.0, "snapshot": snapshot}
