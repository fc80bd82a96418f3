"""Redirect old addresses of staff pages, for bookmarks and links in e-mails."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_safe


@require_safe
def redirect_to_staff(request: HttpRequest) -> HttpResponse:
    """Redirect an old address of staff to the same one below STAFF_PATH."""
    return HttpResponseRedirect(settings.STAFF_PATH + request.get_full_path()[1:])


@require_safe
def to(request: HttpRequest, name: str, _rest: str = "", **address: object) -> HttpResponse:
    """Redirect to the page of this name, with the query."""
    return _to(request, reverse(name, kwargs=address))


@require_safe
def below(request: HttpRequest, start: str, rest: str = "") -> HttpResponse:
    """Redirect to the same address below another start."""
    return _to(request, f"{settings.STAFF_PATH}{start}{rest}")


def _to(request: HttpRequest, address: str) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{address}?{query}" if query else address)


_SURVEY = "admin/surveys/survey/<int:pk>/"
addresses: list[URLPattern] = [
    path("admin/system/", to, {"name": "system"}),
    path("admin/account/invitations/", to, {"name": "people"}),
    path("admin/auth/<path:_rest>", to, {"name": "people"}),
    path("people/<path:_rest>", to, {"name": "people"}),
    path("admin/mining/miningrun/", below, {"start": "runs/"}),
    path("admin/mining/miningrun/<path:rest>", below, {"start": "runs/"}),
    path("admin/surveys/survey/add/", to, {"name": "studio:home"}),
    path("admin/surveys/question/", to, {"name": "studio:home"}),
    path("admin/surveys/question/<path:_rest>", to, {"name": "studio:home"}),
    path("admin/surveys/surveyversion/<int:pk>/change/", to, {"name": "studio:version"}),
    path("admin/surveys/surveyversion/<path:rest>", below, {"start": "studio/versions/"}),
    *(
        path(f"{_SURVEY}{old}/", to, {"name": f"studio:{new}"})
        for old, new in (
            ("change", "write"),
            ("preview", "publish"),
            ("publish", "publish"),
            ("close", "close"),
            ("invite", "fieldwork"),
            ("files", "files"),
            ("erase", "erase"),
            ("history", "log"),
        )
    ),
]
