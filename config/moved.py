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
def redirect_to_name(request: HttpRequest, name: str, _rest: str = "", **address: object) -> HttpResponse:
    """Redirect to the page of this name, with the query."""
    return _redirect(request, reverse(name, kwargs=address))


@require_safe
def redirect_below(request: HttpRequest, start: str, rest: str = "") -> HttpResponse:
    """Redirect to the same address below another start."""
    return _redirect(request, f"{settings.STAFF_PATH}{start}{rest}")


def _redirect(request: HttpRequest, address: str) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{address}?{query}" if query else address)


_SURVEY = "admin/surveys/survey/<int:pk>/"
addresses: list[URLPattern] = [
    path("admin/", redirect_to_name, {"name": "studio:home"}),
    path("admin/surveys/survey/", redirect_to_name, {"name": "studio:home"}),
    path("admin/system/", redirect_to_name, {"name": "system"}),
    path("admin/account/invitations/", redirect_to_name, {"name": "people"}),
    path("admin/auth/<path:_rest>", redirect_to_name, {"name": "people"}),
    path("people/<path:_rest>", redirect_to_name, {"name": "people"}),
    path("admin/mining/miningrun/", redirect_below, {"start": "runs/"}),
    path("admin/mining/miningrun/<path:rest>", redirect_below, {"start": "runs/"}),
    path("admin/surveys/survey/add/", redirect_to_name, {"name": "studio:home"}),
    path("admin/surveys/question/", redirect_to_name, {"name": "studio:home"}),
    path("admin/surveys/question/<path:_rest>", redirect_to_name, {"name": "studio:home"}),
    path("admin/surveys/surveyversion/<int:pk>/change/", redirect_to_name, {"name": "studio:version"}),
    path("admin/surveys/surveyversion/<path:rest>", redirect_below, {"start": "studio/versions/"}),
    *(
        path(f"{_SURVEY}{old}/", redirect_to_name, {"name": f"studio:{new}"})
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
