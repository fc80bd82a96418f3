"""Trying a draft with simulated people: ask for it, see where it stands, read its report, throw it away."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from privacy.output import tenths
from surveys.access import studio
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.compose import design_or_none
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.forecast import largest_bias
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.minimum import FEWEST
from surveys.domain.rehearsal.ask import MOST, begin, rehearsal, throw_away
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey
from surveys.offers import STANDING
from surveys.sentences import sentence_of
from surveys.studio.protection import rows_of, summary_of
from surveys.studio.staff_part import for_all_faults


class RehearseForm(forms.Form):
    respondents = forms.IntegerField(
        label=gettext_lazy("How many people"),
        min_value=FEWEST,
        max_value=MOST,
        error_messages=for_all_faults(gettext_lazy("How many people: write a whole number from 20 to 20 000.")),
    )


@studio(Action.SEE)
def rehearse(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _page(request, survey)


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
    apart, draft = rehearsal(survey), Draft.load(survey)
    context = {
        "survey": survey,
        "form": form or RehearseForm(initial={"respondents": min(max(survey.expected, FEWEST), MOST)}),
        "apart": apart,
        "writes": may(request.user, Action.WRITE, survey),
        "takes": may(request.user, Action.TAKE, survey),
        "publishes": may(request.user, Action.PUBLISH, survey),
        "closed": survey.closed_at is not None,
        "guessed": summary_of(draft),
        "wrong": _if_wrong(draft),
        **_stands(apart),
    }
    return render(request, "studio/rehearsal.html", context, status=422 if form else 200)


def _if_wrong(draft: Draft) -> str:
    """Which way a wrong guess moves figures; empty while there is no design."""
    if (design := design_or_none(draft)) is None:
        return ""
    guess, people = guess_of(draft), draft.document["expected"]
    half, usual, twice = (largest_bias(design, people, guess, times) for times in (0.5, 1.0, 2.0))
    if half is None or usual is None or twice is None:
        return (
            ""
            if rows_of(design)
            else _("A wrong guess moves no figure to one side: the disguise is taken out, whatever people say.")
        )
    return _(
        "If rare answers are twice as common as you guess, their shares come out up to %(twice)s points too low on "
        "average, instead of %(usual)s; if half as common, %(half)s. Never too high: intervals reach as far as that."
    ) % {"half": _in_points(half), "usual": _in_points(usual), "twice": _in_points(twice)}


def _in_points(share: float) -> str:
    return tenths(100 * share)


def _stands(apart: Survey | None) -> dict[str, Any]:
    """What is being done, or None once all is; how far it is; and the answers, once there are any."""
    if apart is None:
        return {"doing": None, "share": 0.0}
    snapshot = latest(apart)
    if snapshot is None:
        return {"doing": _("Simulated people are answering."), "share": 0.0}
    doing = next((said for stands in STANDING if (said := stands(snapshot))), None)
    return {"doing": doing, "share": 0.5 if doing else 1.0, "snapshot": snapshot}
