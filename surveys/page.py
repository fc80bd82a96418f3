"""The respondent's page and its files. Nothing here reads the person, a cookie or the survey."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from surveys.domain.page import bundle


@csrf_exempt  # another method gets 405, whatever it carries
@require_safe
def page(request: HttpRequest, name: str = bundle.PAGE, **_address: str) -> HttpResponse:
    """The same bytes at every survey's address, published or not: the page, which asks for its questionnaire itself,
    the one which finds a receipt in the list of a closed survey, and the files that tablets install.
    """
    return answer(request, name, bundle.headers(name))


@csrf_exempt
@require_safe
def file(request: HttpRequest, name: str) -> HttpResponse:
    """A file of the page. The page asks for the modules and styles of its own version; one that is not served here is
    another machine's to serve, so a visit never mixes two versions. At an address without a version browsers ask each
    time.
    """
    own = bundle.names().get(name)
    if own is None:
        raise Http404
    headers = bundle.headers(own)
    if name == own:
        headers["Cache-Control"] = bundle.ASKED
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        return HttpResponseNotModified(headers=headers)
    return answer(request, own, headers)


@csrf_exempt
@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(bundle.manifest(), content_type="text/plain; charset=utf-8")


def answer(request: HttpRequest, name: str, headers: dict[str, str]) -> HttpResponse:
    served = bundle.files()[name]
    small = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(bundle.pack_file(name) if small else served.body, headers=headers)
    if small:
        response["Content-Encoding"] = "gzip"
    response["Vary"] = "Accept-Encoding"
    return response
