"""The pages of results: the report of a version, and its pictures as files."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from privacy.errors import InputError
from surveys.admin.shared import may
from surveys.domain.questionnaire.languages import said
from surveys.models import SurveyVersion
from surveys.results import figures, report

View = Callable[..., HttpResponse]


def of_version(view: View) -> View:
    """A page about one version, for people who may look at surveys."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, pk: int, **address: str) -> HttpResponse:
        if not (may(request, "view") or may(request, "change")):
            raise PermissionDenied
        version = get_object_or_404(SurveyVersion.objects.select_related("survey"), pk=pk)
        return view(request, version, **address)

    return answer


@of_version
def results(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """The whole report of a version; what cannot be told stands first."""
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "report", {"refused": said(error)})
    shown = [(part, part.context()) for part in report.parts(data, request.user.has_perm)]
    return page(request, version, "report", {"data": data, "parts": shown, "citation": figures.citation(data)})


@of_version
def picture(request: HttpRequest, version: SurveyVersion, key: str, name: str) -> HttpResponse:
    """A picture of a part as a file, with its title, caption and source."""
    try:
        data = report.data_of(version)
        part = report.part(data, key, request.user.has_perm)
    except InputError:
        part = None
    return picture_of(part, name, figures.citation(data) if part else "")


def picture_of(part: Any, name: str, source: str) -> HttpResponse:
    """The file of one of the figures of a part; 404 where it has none of this name that can be drawn."""
    drawn = part.context()["figures"] if part else ()
    figure = next((each for each in drawn if each.name == name and each.svg), None)
    if figure is None:
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.svg"',
        "Content-Security-Policy": "default-src 'none'",
        "Cache-Control": "no-store",
    }
    return HttpResponse(figures.document(figure, source), content_type="image/svg+xml", headers=headers)


def page(request: HttpRequest, version: SurveyVersion, name: str, context: dict[str, Any]) -> HttpResponse:
    """A page of results with its navigation."""
    return TemplateResponse(
        request,
        f"admin/surveys/results/{name}.html",
        {
            **admin.site.each_context(request),
            "title": _("Results"),
            "subtitle": str(version),
            "opts": SurveyVersion._meta,
            "version": version,
            "here": name,
            **context,
        },
    )


def addresses() -> list[URLPattern]:
    view = admin.site.admin_view
    return [
        path("<int:pk>/results/", view(results), name="surveys_results"),
        path("<int:pk>/results/<str:key>/<str:name>.svg", view(picture), name="surveys_results_picture"),
    ]
