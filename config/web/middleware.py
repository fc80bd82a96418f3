"""The headers of every page, unless its view sets stricter ones, and the answer when the site cannot serve."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation

from config.run import pooler
from config.signin.hashing import HashingBusyError
from config.web.lanes import lane
from surveys.domain.database import busy
from surveys.domain.page import bundle

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    **{name: bundle.GUARDS[name] for name in ("Cross-Origin-Resource-Policy", "Permissions-Policy")},
}

GetResponse = Callable[[HttpRequest], HttpResponse]


def security_headers(get_response: GetResponse) -> GetResponse:
    """Add HEADERS to every page; where a view has set one of them itself, that one stays."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def same_in_every_language(get_response: GetResponse) -> GetResponse:
    """Take the language from the headers of public answers: they are the same in each, so caches need keep only one."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Cache-Control", "").startswith("public"):
            varies = [name for name in response.get("Vary", "").split(", ") if name not in ("", "Accept-Language")]
            del response["Content-Language"], response["Vary"]
            if varies:
                response["Vary"] = ", ".join(varies)
        return response

    return middleware


def language_of_address(get_response: GetResponse) -> GetResponse:
    """Show a page that everybody may read in the language that its address names; staff have a cookie for that."""

    def middleware(request: HttpRequest) -> HttpResponse:
        language = request.GET.get("language")
        if language in dict(settings.LANGUAGES) and not request.path.startswith(settings.STAFF_PATH):
            translation.activate(language)
        return get_response(request)

    return middleware


def is_busy(error: BaseException | None) -> bool:
    """Whether the site cannot serve anybody now: too many passwords are being checked, or the database is busy."""
    return isinstance(error, HashingBusyError) or busy.is_busy(error)


def busy_response(request: HttpRequest) -> HttpResponse:
    response: HttpResponse
    if request.content_type == "application/json":
        response = JsonResponse({"error": "The site is busy: please send this again in a moment."}, status=503)
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = busy.RETRY_AFTER
    response["Cache-Control"] = "no-store"
    return response


class BusyDatabase:
    """Answer 503 with Retry-After in place of an error page. Nothing was stored, so the same request may come again."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return busy_response(request) if is_busy(error) else None


def say_which_way(get_response: GetResponse) -> GetResponse:
    """Show a page with a way on if somebody opens an address of staff that only takes a form."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Answer as the next one does; a 405 of staff becomes a page."""
        response = get_response(request)
        if response.status_code != 405 or not request.path_info.startswith(settings.STAFF_PATH):
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page

    return middleware


def serve_one_database(get_response: GetResponse) -> GetResponse:
    """Turn respondents away while PgBouncer leads to another database: what they send there nobody would ever seal.

    A proxy need not ask /readyz, so it may send them all the same. People inside come in, and *System* tells them.
    """
    if not pooler.is_used():
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        of_respondents = lane(request.method or "", request.path_info) in ("questionnaires", "messages")
        return busy_response(request) if of_respondents and not pooler.was_same() else get_response(request)

    return middleware
