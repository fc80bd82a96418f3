"""Who may open a page of the studio: people who are signed in, and for a survey those whose role allows the action.

A survey that somebody may not see is not there for them (404), but for what they may do with it nevertheless; what they
may not do with one that they see is refused (403). Nothing of a page is kept by a browser.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from surveys.domain.people.roles import Action, may
from surveys.models import Survey, SurveyVersion

Page = Callable[..., HttpResponse]


def staff_only(*methods: str) -> Callable[[Page], Page]:
    """Open the page to signed-in staff only."""

    def decorate(page: Page) -> Page:
        shown: Page = staff_member_required(login_url="account_login")(page)
        return require_http_methods(methods or ("GET", "HEAD"))(never_cache(shown))

    return decorate


def studio(action: Action, *methods: str) -> Callable[[Page], Page]:
    """Open the page of a survey to people whose role allows the action."""
    surveys = Survey.objects.filter(rehearses=None)
    return _page_of(lambda pk: surveys.filter(pk=pk).first(), lambda survey: survey, action, methods)


def also_of_rehearsals(action: Action, *methods: str) -> Callable[[Page], Page]:
    """Open the page of a survey or of a rehearsal to people whose role in the survey allows the action."""
    return _page_of(lambda pk: Survey.objects.filter(pk=pk).first(), lambda survey: survey, action, methods)


def of_version(action: Action, *methods: str) -> Callable[[Page], Page]:
    """Open the page of a version, also of a rehearsal, to people whose role allows the action."""
    versions = SurveyVersion.objects.select_related("survey")
    return _page_of(lambda pk: versions.filter(pk=pk).first(), lambda version: version.survey, action, methods)


def _page_of(
    find: Callable[[int], Any], survey_of: Callable[[Any], Survey], action: Action, methods: tuple[str, ...]
) -> Callable[[Page], Page]:
    """Decorate a view: it gets the object with the number in its address from `find`, if the person may see it."""

    def decorate(page: Page) -> Page:
        @staff_only(*methods)
        @wraps(page)
        def answer(request: HttpRequest, pk: int, **address: Any) -> HttpResponse:
            found = find(pk)
            allowed = found is not None and may(request.user, action, survey_of(found))
            if found is None or not (allowed or may(request.user, Action.SEE, survey_of(found))):
                raise Http404
            if not allowed:
                raise PermissionDenied
            return page(request, found, **address)

        return answer

    return decorate
