"""A shared report: chosen parts, for everybody who has the link. No cookie is read, nobody signs in."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found

from privacy.errors import InputError
from surveys.domain.messages import rate
from surveys.models import SharedReport, SurveyVersion
from surveys.results import figures, report, sharing
from surveys.results.figures import picture_file
from surveys.results.reading import ReportData
from surveys.sentences import sentence_of

READ = 300  # pages and pictures that one network may read in a window, and as many wrong links as it may try
HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cache-Control": "no-store",
}
View = Callable[..., HttpResponse]


def for_token(view: View) -> View:
    """A page behind a shared link: limited, never kept or indexed, and 404 where the link opens nothing.

    A link that opens nothing has the same headers: it may be a good one, cut short.
    """

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, token: str, **address: str) -> HttpResponse:
        try:
            rate.count_read(rate.address_of(request), READ)
        except rate.TooManyMessagesError as too_many:
            response = HttpResponse(status=429)
            response["Retry-After"] = str(too_many.seconds)
        else:
            shared = sharing.find_report(token)
            try:
                response = view(request, shared, **address) if shared else page_not_found(request, Http404())
            except Http404 as missing:
                response = page_not_found(request, missing)
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return answer


@for_token
def report_by_link(request: HttpRequest, shared: SharedReport) -> HttpResponse:
    """The parts that were chosen, in the reader's language."""
    token = (request.resolver_match.kwargs if request.resolver_match else {})["token"]
    return as_readers_see_it(request, shared.version, shared.parts, lambda key: ["shared-picture", token, key])


def as_readers_see_it(
    request: HttpRequest, version: SurveyVersion, keys: Sequence[str], picture: Callable[[str], list[Any]] | None = None
) -> HttpResponse:
    """The page with these parts as a reader gets it; without `picture` staff look at it before they share it."""
    context: dict[str, object] = {
        "version": version,
        "shared": True,
        "heading": figures.heading(version, report.language()),
    }
    try:
        data = report.data_of(version)
        parts = [(part, part.context()) for part in _parts(keys, data)]
    except InputError as error:
        return TemplateResponse(request, "surveys/shared.html", context | {"refused": sentence_of(error)})
    picture = picture or (lambda key: ["studio:results-picture", version.pk, key])
    addresses = [reverse(name, args=[*args, "NAME"]) for name, *args in (picture(part.key) for part, _ in parts)]
    addressed = [(part, shown, address) for (part, shown), address in zip(parts, addresses, strict=True)]
    context |= {"data": data, **report.fold_parts(addressed), "citation": figures.citation(data.snapshot)}
    return TemplateResponse(request, "surveys/shared.html", context)


@for_token
def picture(_request: HttpRequest, shared: SharedReport, key: str, name: str) -> HttpResponse:
    """A picture of one of the chosen parts, as a file."""
    try:
        data = report.data_of(shared.version)
        part = next((part for part in _parts(shared.parts, data) if part.key == key), None)
        return picture_file(part.context()["figures"] if part else (), name, figures.citation(data.snapshot))
    except InputError:
        raise Http404 from None


def _parts(keys: Sequence[str], data: ReportData) -> list[report.ReportPart]:
    """Return the chosen parts that still exist; the person who shared them was allowed to see them."""
    parts = (report.part(data, key, lambda _action: True) for key in keys)
    return [part for part in parts if part is not None]
