"""The front page, what machines ask every site for, how the site runs, and the page after an error of the program."""

import inspect
import sys
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language, gettext as _
from django.views.debug import technical_500_response
from django.views.defaults import (
    bad_request as bad_request_page,
    page_not_found as not_found_page,
    server_error as error_page,
)

from config.run import last_backup, state
from config.web.limits import SENTENCES
from config.web.middleware import busy_response, is_busy
from surveys.access import staff_only
from surveys.domain.closed import statement
from surveys.domain.database import clock
from surveys.models import SurveyVersion

# People for ten questions to which about 5 of 100 say yes: asked directly, and enough with the defaults of the studio.
COST = ("315", "6\N{NO-BREAK SPACE}600")


def home(request: HttpRequest) -> HttpResponse:
    """The front page, with links to all demos that collect. A link holds the hash that the questionnaire must have."""
    collecting = SurveyVersion.objects.filter(survey__simulated=True, survey__rehearses=None, survey__closed_at=None)
    newest = {version.survey_id: version for version in collecting.select_related("survey").order_by("survey_id", "id")}
    language = get_language()
    demos = [
        {
            "address": f"/s/{version.survey.slug}/#v={version.sha256}",
            "title": titles.get(language) or next(iter(titles.values())),
        }
        for version in newest.values()
        for titles in [version.parsed.source["title"]]
    ]
    asked, disguised = COST
    return render(request, "home.html", {"demos": demos, "asked": asked, "disguised": disguised})


def robots(_request: HttpRequest) -> HttpResponse:
    """Keep search engines out of the pages of staff alone.

    A survey's pages say `noindex` themselves. An engine that may not read them never sees this, and would list the bare
    link where another site names it.
    """
    return HttpResponse(f"User-agent: *\nDisallow: {settings.STAFF_PATH}\n", content_type="text/plain")


def security_contact(_request: HttpRequest) -> HttpResponse:
    """Whom to tell about a weakness of this site (RFC 9116); 404 where the operator has named nobody."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = timezone.now() + timedelta(days=30)  # required; people who keep a copy ask again after a month
    lines = (f"Contact: {settings.SECURITY_CONTACT}", f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}")
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's page, without its token for forms: looking for that would read once more what cannot be read.

    Behind another web server, a request that is too large gets the same answer as from `config.web.limits`.
    """
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(f"{SENTENCES[413]}\n", status=413, content_type="text/plain; charset=utf-8")
    return inspect.unwrap(bad_request_page)(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's page, likewise without its token for forms."""
    return inspect.unwrap(not_found_page)(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 also if the database was busy outside a view, for example when a session could not be stored."""
    if is_busy(sys.exc_info()[1]):
        return busy_response(request)
    return traceback_page(request) if may_see_traceback(request) else error_page(request)


def may_see_traceback(request: HttpRequest) -> bool:
    """Whether a developer on this machine, and not through a proxy, asked for a page of staff or the API.

    An error of a respondent's request is in the log alone, which shows no values of variables.
    """
    is_of_staff = request.path_info.startswith((settings.STAFF_PATH, "/api/"))
    is_local = request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1")
    is_forwarded = any(name.startswith(("Forwarded", "Via", "X-Forwarded-", "X-Real-Ip")) for name in request.headers)
    return settings.DEVELOPMENT and is_of_staff and is_local and not is_forwarded


def traceback_page(request: HttpRequest) -> HttpResponse:
    """Django's page, with its own style and script; its button that would publish the traceback does nothing."""
    answer: HttpResponse = technical_500_response(request, *sys.exc_info())
    inline = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'none'"
    answer["Content-Security-Policy"] = inline
    return answer


@staff_only()
def system(request: HttpRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise PermissionDenied
    heard, mining, age = state.broker(), state.runs(), last_backup.age()
    context = {
        "title": _("System"),
        "ready": state.readiness(),
        "broker": heard,
        "runs": mining,
        "versions": state.versions(),
        "takes_none": state.takes_none(heard, mining),
        "clocks": clock.difference() // timedelta(minutes=1),
        "lists": statement.statement_progress(),
    }
    if age is not None:
        context |= {"backup_hours": age / 3600, "backup_late": age > last_backup.LATE}
    return render(request, "system.html", context)
