"""The addresses that the respondent's page asks: questionnaire, responses, invitations, receipts. They speak JSON only.

No session and no cookie is read here, no address is kept, and nothing that a person sent is echoed or logged.
"""

import logging
import re
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from surveys.definition import BODY_LIMIT
from surveys.domain.database import busy, damage
from surveys.domain.database.busy import reconnecting
from surveys.domain.messages import rate
from surveys.domain.messages.submission import Refused
from surveys.domain.page import bundle
from surveys.domain.questionnaire.media import find_medium
from surveys.domain.questionnaire.versions import definition_bytes, get_public_survey, newest, parse_version
from surveys.domain.responses.groups import full_groups
from surveys.domain.responses.receive import (
    check_collecting,
    exchange_invitation,
    is_receipt,
    is_trial_receipt,
    receive,
    receive_trial,
)
from surveys.media import content_type
from surveys.models import ReceiptPiece, Statement, Trial

log = logging.getLogger(__name__)
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
_BUSY = Refused(503, "busy", "The server is busy; your device will try again.")
_RECEIPT = re.compile(r"[0-9a-f]{64}")


def endpoint(method: str) -> Callable[[View[P]], View[P]]:
    """Let a view answer one method, and turn each refusal into a sentence in JSON.

    Caches may store only what the view allows, and never a refusal.
    """

    def decorate(view: View[P]) -> View[P]:
        @csrf_exempt  # no cookie gives a request any rights; a foreign Origin is refused below
        @wraps(view)
        def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                if request.method == "OPTIONS" and _is_own_page(request):
                    return _open_to_own_page(request, HttpResponse(status=204))
                if request.method != method:
                    raise Refused(405, "method", f"This address answers only {method}.")
                if method == "POST":
                    _check_origin(request)
                response = view(request, *args, **kwargs)
            except Refused as refusal:
                response = _refusal(_count(request, refusal))
            except (Http404, ObjectDoesNotExist):  # the second if the survey has just been erased
                response = _refusal(_count(request, Refused(404, "unknown", "There is nothing at this address.")))
            except Error as error:  # of the database
                if not busy.is_busy(error):
                    raise
                if damage.is_damage(error):
                    damage.report(str(error))
                else:
                    log.warning("The database could not serve a request (%s).", busy.why(error))
                response = _refusal(_BUSY)
            if response.status_code == 405:
                response["Allow"] = method
            if response.status_code == 503:
                response["Retry-After"] = busy.RETRY_AFTER
            response.headers.setdefault("Cache-Control", "no-store")
            response["X-Robots-Tag"] = "noindex"
            return _open_to_own_page(request, response)

        return answer

    return decorate


def taking(view: Callable[Concatenate[HttpRequest, P], tuple[HttpResponse, bool]]) -> View[P]:
    """Let a view take messages, if their network may still send; it returns its answer and whether that counts."""

    @endpoint("POST")
    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        counters = rate.check_stored(rate.address_of(request))
        response, counts = view(request, *args, **kwargs)
        if counts:
            rate.count_stored(counters)
        return response

    return answer


@endpoint("GET")
def questionnaire(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the published bytes, the same for everybody; a browser that has them gets 304."""
    check_inbox()
    version = reconnecting(lambda: newest(slug))
    check_collecting(version)
    headers = bundle.survey_headers(version.sha256)
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(definition_bytes(version.sha256), headers=headers)


@endpoint("GET")
def version(_request: HttpRequest, slug: str, sha256: str) -> HttpResponse:
    """Say that the survey had this version; 404 if it had none: a link to another is of no page of this site."""
    get_object_or_404(get_public_survey(slug).versions, sha256=sha256)
    return JsonResponse({"known": True})


@endpoint("GET")
def groups(_request: HttpRequest, slug: str) -> HttpResponse:
    """The answers that enough people have given, by question; each device asks before it knows any answer."""
    version = newest(slug)
    check_collecting(version)
    return JsonResponse(full_groups(version, parse_version(version.sha256)))


@endpoint("GET")
def medium(_request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Serve a picture or a sound to those who know the hash of its bytes; it opens in no window of its own."""
    if (found := find_medium(slug, name)) is None:
        raise Http404
    headers = {**bundle.FETCHED, "Content-Type": content_type(name), "Content-Disposition": "attachment"}
    return HttpResponse(bytes(found.body), headers=headers)


@taking
def responses(request: HttpRequest, slug: str) -> tuple[HttpResponse, bool]:
    check_inbox()
    receipt, is_new = receive(slug, read_body(request))
    return JsonResponse({"receipt": receipt}, status=201 if is_new else 200), is_new


@taking
def invitations(request: HttpRequest, slug: str) -> tuple[HttpResponse, bool]:
    check_inbox()
    return JsonResponse({"signature": exchange_invitation(get_public_survey(slug), read_body(request))}), True


@endpoint("GET")
def receipts(_request: HttpRequest, slug: str, receipt: str) -> HttpResponse:
    """Say that a response with this receipt is stored; 404 if none is."""
    return _receipt_answer(_RECEIPT.fullmatch(receipt) is not None and is_receipt(receipt, get_public_survey(slug)))


@endpoint("GET")
def statement(_request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the statement of a closed survey; 409 until it is closed and sealed, so that nothing shows who came."""
    stated = Statement.published.filter(survey__slug=slug).first()
    if stated is None:
        get_public_survey(slug)
        raise Refused(409, "collecting", "There is no list of receipts before the survey has closed and is sealed.")
    return HttpResponse(bytes(stated.content), headers=bundle.FETCHED)


@endpoint("GET")
def receipt_piece(_request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Serve a piece of the sorted list of receipts. Nobody is asked which of them is theirs."""
    stated = Statement.published.filter(survey__slug=slug)
    piece = get_object_or_404(ReceiptPiece, statement__in=stated, number=number)
    return HttpResponse(bytes(piece.receipts), content_type="application/octet-stream")


@endpoint("GET")
def trial_questionnaire(_request: HttpRequest, code: str) -> HttpResponse:
    return HttpResponse(bytes(get_object_or_404(Trial, code=code).definition), headers=bundle.FETCHED)


@endpoint("GET")
def trial_groups(_request: HttpRequest, code: str) -> HttpResponse:
    """No group of a trial has enough people."""
    get_object_or_404(Trial, code=code)
    return JsonResponse({})


@taking
def trial_responses(request: HttpRequest, code: str) -> tuple[HttpResponse, bool]:
    receipt, is_new = receive_trial(get_object_or_404(Trial, code=code), read_body(request))
    return JsonResponse({"receipt": receipt}, status=201 if is_new else 200), is_new


@endpoint("GET")
def trial_receipts(_request: HttpRequest, code: str, receipt: str) -> HttpResponse:
    trial = get_object_or_404(Trial, code=code)
    return _receipt_answer(_RECEIPT.fullmatch(receipt) is not None and is_trial_receipt(receipt, trial))


def read_body(request: HttpRequest) -> bytes:
    if request.content_type != "application/json":
        raise Refused(415, "type", "This address reads only application/json.")
    return request.read(BODY_LIMIT + 1)


def check_inbox() -> None:
    """Refuse the request as busy where a response could not be kept, because the database is damaged."""
    if damage.inbox_is_damaged():
        raise _BUSY


def _is_own_page(request: HttpRequest) -> bool:
    """Whether the respondent's page asks from the origin that it has for itself (`PAGE_ORIGIN`)."""
    return bool(settings.PAGE_ORIGIN) and request.headers.get("Origin") == settings.PAGE_ORIGIN


def _open_to_own_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the page at `PAGE_ORIGIN` read the answer: https://fetch.spec.whatwg.org/#http-cors-protocol."""
    if settings.PAGE_ORIGIN:
        patch_vary_headers(response, ["Origin"])
    if _is_own_page(request):
        response["Access-Control-Allow-Origin"] = settings.PAGE_ORIGIN
        response["Access-Control-Allow-Headers"] = "Content-Type"
        response["Access-Control-Expose-Headers"] = "Retry-After"
    return response


def _check_origin(request: HttpRequest) -> None:
    """Refuse a POST from a page of another site; a browser names the origin of the page in every POST."""
    origin = request.headers.get("Origin")
    if origin not in (None, f"{request.scheme}://{request.get_host()}") and not _is_own_page(request):
        raise Refused(403, "origin", "Pages of other sites may not send here.")


def _receipt_answer(is_known: bool) -> HttpResponse:
    if not is_known:
        raise Refused(404, "unknown", "No response has this receipt.")
    return JsonResponse({"received": True})


def _count(request: HttpRequest, refusal: Refused) -> Refused:
    """Count a refused message that no page of this site sends; after too many, return a refusal without reason.

    What an honest device may hear (the survey has closed or changed, the invitation or the key was used, the site is
    busy) it always hears.
    """
    if request.method == "POST" and refusal.status in (400, 403, 404, 413, 415, 422):
        try:
            rate.count_refused(rate.address_of(request))
        except rate.TooManyMessagesError as too_often:
            return too_often
    return refusal


def _refusal(refusal: Refused) -> JsonResponse:
    answer = {"error": refusal.code, "message": refusal.message, **refusal.more}
    response = JsonResponse(answer, status=refusal.status)
    if isinstance(refusal, rate.TooManyMessagesError):
        response["Retry-After"] = str(refusal.seconds)
    return response
