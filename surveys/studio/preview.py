"""The respondent's own page on a draft, beside the questionnaire that is being written.

It is the very page that respondents get, byte for byte, at an address of its own: only there may it stand in a frame of
this site. It reads the draft as it is stored now. What is sent from it is thrown away: nothing is stored or counted.

At the address of a case (`CASES`) it shows what people meet who come so to the newest version: the site answers as it
would, and looks up, stores and uses up nothing. An invitation is signed there with a key that everybody knows.
"""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from privacy.errors import InputError
from surveys.access import studio
from surveys.definition import BODY_LIMIT, Definition
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.mail.send import SERVER_ERRORS, send_example
from surveys.domain.page import bundle
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import trial
from surveys.domain.responses.groups import limits_of_groups
from surveys.domain.responses.receive import refusal_of_closed
from surveys.features import parameters
from surveys.models import Mailing, Survey, SurveyVersion
from surveys.sentences import sentence_of
from surveys.studio.ways import INSIDE, MAIL, TESTED
from surveys.studio.write import POLICY

FRAMED = {
    "Content-Security-Policy": bundle.CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


FIRST, SECOND_DEVICE, GROUP_FULL, OVER = CASES = ("first", "again", "group", "over")
# The product of two Mersenne primes: what this key signs proves nothing, and no survey takes it.
_P, _Q, _E = 2**521 - 1, 2**1279 - 1, 65537
_LENGTH = 225  # bytes
_D = pow(_E, -1, (_P - 1) * (_Q - 1))


@studio(Action.SEE)
def page(request: HttpRequest, survey: Survey, name: str = "") -> HttpResponse:
    """The respondent's page, or the sentence that says why there is nothing to show yet."""
    try:
        (definition_tested if name else _definition)(survey)
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
def questionnaire(_request: HttpRequest, survey: Survey, name: str = "") -> HttpResponse:
    try:
        definition = (definition_tested if name else _definition)(survey)
    except InputError as error:
        return JsonResponse({"error": "draft", "message": sentence_of(error)}, status=404)
    if name == OVER:
        closed = refusal_of_closed(survey)
        return JsonResponse({"error": closed.code, **closed.more}, status=closed.status)
    return HttpResponse(definition.to_bytes(), headers=bundle.FETCHED)


@csrf_exempt  # it changes nothing, and the respondent's page sends no cookie by which anybody could be known
@require_POST
def responses(_request: HttpRequest, pk: int, name: str = "") -> HttpResponse:
    """A receipt of nothing: what was sent is not even read."""
    del pk, name
    return JsonResponse({"receipt": secrets.token_hex(32)}, status=201)


@csrf_exempt  # as above
@require_POST
def invitations(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """Sign as the site signs for an invitation, by the key that everybody knows; of a second device it is used."""
    del pk
    if name == SECOND_DEVICE:
        return JsonResponse({"error": "spent"}, status=409)
    try:
        text = json.loads(request.read(BODY_LIMIT + 1))["blinded"]
        blinded = int.from_bytes(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (KeyError, TypeError, ValueError):
        return JsonResponse({"error": "invitation"}, status=403)
    return JsonResponse({"signature": _to_text(pow(blinded, _D, _P * _Q))})


@require_safe
def groups(_request: HttpRequest, pk: int, name: str = "") -> HttpResponse:
    """Say of each group of which people can be enough that they are, in that case; only of what is published."""
    version = SurveyVersion.objects.filter(survey=pk, survey__rehearses=None).last() if name == GROUP_FULL else None
    full = limits_of_groups(version.parsed) if version else {}
    return JsonResponse({question: list(answers) for question, answers in full.items()})


@studio(Action.SEE)
def in_frame(request: HttpRequest, survey: Survey) -> HttpResponse:
    """A page that holds the survey, as a page of another site would."""
    try:
        context = {"survey": survey, "address": _address(survey, FIRST)}
    except InputError as error:
        return render(request, "studio/no_preview.html", {"why": sentence_of(error)})
    response = render(request, "studio/in_frame.html", context)
    response["Content-Security-Policy"] = POLICY
    return response


@studio(Action.PUBLISH, "POST")
def start_test(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Lead to what somebody meets who comes in this way, and keep the day; a letter goes to who asks, and to nobody
    else.
    """
    way, case = request.POST.get("way", ""), request.POST.get("case", "")
    if way not in TESTED or case not in CASES:
        raise Http404
    try:
        address = _address(survey, case)
        if way == MAIL:
            send_example(survey.mailing, request.user.email, request.build_absolute_uri(address))  # type: ignore[union-attr]
    except (InputError, Mailing.DoesNotExist, *SERVER_ERRORS) as error:
        said = sentence_of(error) if isinstance(error, InputError) else _("The letter could not be sent.")
        messages.error(request, said)
        return _back_to(survey, way)
    version = survey.versions.last()
    tested = {"on": timezone.localdate().isoformat(), "version": version.number if version else 0}
    Survey.objects.filter(pk=survey.pk).update(tested={**(survey.tested or {}), way: tested})
    if way == MAIL:
        messages.success(request, _("The letter is sent to %(address)s.") % {"address": request.user.email})  # type: ignore[union-attr]
        return _back_to(survey, way)
    return redirect(reverse("studio:preview-frame", args=[survey.pk]) if way == INSIDE else address)


def _back_to(survey: Survey, way: str) -> HttpResponse:
    return redirect(reverse("studio:fieldwork", args=[survey.pk]) + f"?way={way}#{way}")


def _address(survey: Survey, case: str) -> str:
    """A link to a case; nobody has come by it before, so that a device remembers nothing."""
    definition, somebody = definition_tested(survey), secrets.token_urlsafe(16)
    visit = {"v": sha256(definition.to_bytes()).hexdigest(), "i": somebody}
    visit |= dict.fromkeys(parameters(definition.source), somebody)
    return reverse("studio:preview-as", args=[survey.pk, case]) + "#" + urlencode(visit)


def definition_tested(survey: Survey) -> Definition:
    """The newest version, or else the draft, with a mark that it is tried and with the key that everybody knows."""
    version = survey.versions.last()
    source = (version.parsed if version else _definition(survey)).source
    access = source["access"] if version else read_document(survey)["access"]
    own = {entry: one for entry, one in source.items() if entry not in ("pad", "key")}
    key = {"key": {"n": _to_text(_P * _Q), "e": "AQAB"}} if access == Survey.Access.INVITATION else {}
    return Definition.parse({**own, "trial": True, "access": access, **key})


def _to_text(number: int) -> str:
    return urlsafe_b64encode(number.to_bytes(_LENGTH)).decode().rstrip("=")


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
