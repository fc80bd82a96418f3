"""The headers of every page, unless its view sets stricter ones, and the answer when the database is busy."""

import sqlite3
from collections.abc import Callable

from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from config.signin.hashing import TooManyAtOnceError

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
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), interest-cohort=()",
}
RETRY_AFTER_SECONDS = 5
POSTGRESQL_READ_ONLY = "25006"
SQLITE_BUSY = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CORRUPT,  # surveys.domain.damage raises the alarm
    sqlite3.SQLITE_NOTADB,
}

GetResponse = Callable[[HttpRequest], HttpResponse]


def security_headers(get_response: GetResponse) -> GetResponse:
    """Add the headers; where a view has set one of them itself, that one stays."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def is_busy(error: BaseException | None) -> bool:
    """Whether the site cannot serve anybody now. A wrong query is no such thing.

    Too many passwords are being checked, or the database is locked, full, away, read-only or damaged.
    """
    if isinstance(error, TooManyAtOnceError):
        return True
    cause = getattr(error, "__cause__", None)
    if isinstance(error, InternalError):
        return getattr(cause, "sqlstate", None) == POSTGRESQL_READ_ONLY
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_BUSY
    return isinstance(error, (OperationalError, InterfaceError))  # PostgreSQL: the server, not the statement


def busy_response(request: HttpRequest) -> HttpResponse:
    response: HttpResponse
    if request.content_type == "application/json":
        response = JsonResponse({"error": "The site is busy: please send this again in a moment."}, status=503)
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
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
