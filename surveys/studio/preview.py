"""The respondent's own page on a draft, beside the questionnaire that is being written.

It is the very page that respondents get, byte for byte, at an address of its own: only there may it stand in a frame of
this site. It reads the draft as it is stored now. What is sent from it is thrown away: nothing is stored or counted.
"""

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from privacy.errors import InputError
from surveys.access import studio
from surveys.definition import Definition
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.page import bundle
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.languages import sentence_of
from surveys.domain.questionnaire.trial import trial
from surveys.models import Survey

FRAMED = {
    "Content-Security-Policy": bundle.CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


@studio(Action.SEE)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The respondent's page, or the sentence that says why there is nothing to show yet."""
    try:
        _definition(survey)
    except InputError as error:
        response = render(request, "studio/no_preview.html", {"why": sentence_of(error)})
        response["X-Frame-Options"] = FRAMED["X-Frame-Options"]
        response["Content-Security-Policy"] = (
            "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'self'"
        )
        return response
    headers = {**bundle.headers(bundle.PAGE), **FRAMED}
    return HttpResponse(bundle.files()[bundle.PAGE].body, headers=headers)


@studio(Action.SEE)
def questionnaire(_request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        definition = _definition(survey)
    except InputError as error:
        return JsonResponse({"error": "draft", "message": sentence_of(error)}, status=404)
    return HttpResponse(definition.to_bytes(), headers=bundle.FETCHED)


@csrf_exempt  # it changes nothing, and the respondent's page sends no cookie by which anybody could be known
@require_POST
def responses(_request: HttpRequest, pk: int) -> HttpResponse:
    """A receipt of nothing: what was sent is not even read."""
    del pk
    return JsonResponse({"receipt": secrets.token_hex(32)}, status=201)


def _definition(survey: Survey) -> Definition:
    """What respondents would get, as far as it is written: in place of a translation that is missing, the main text."""
    return compose(draft_without_gaps(survey, read_document(survey)), trial=True)


@studio(Action.WRITE, "POST")
def start_trial(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Open the draft under a link that nobody can guess, for other devices and people; it ends the trial before."""
    try:
        started = trial(survey)
    except InputError as error:
        messages.error(request, sentence_of(error))
        return redirect("studio:try", survey.pk)
    return redirect(reverse("trial", args=[started.code]) + f"#v={started.sha256}")
