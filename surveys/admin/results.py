"""The pages of results: the report of a version, and its pictures as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from privacy.errors import InputError
from surveys.admin.shared import may
from surveys.domain.questionnaire.languages import said
from surveys.models import SurveyVersion
from surveys.results import figures, report, tables

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


class TableForm(forms.Form):
    """Which questions a table is of; the first two disguised ones, as long as nothing is chosen."""

    answer = forms.ChoiceField(label=gettext_lazy("How common is"))
    by = forms.ChoiceField(label=gettext_lazy("by"))
    also = forms.ChoiceField(label=gettext_lazy("and by"), required=False)

    def __init__(self, query: QueryDict, variables: Sequence[tables.Variable]) -> None:
        names = [each.axis.name for each in variables if each.sensitive]
        first = dict(zip(("answer", "by"), names, strict=False))
        super().__init__({**first, **query.dict()})
        disguised, everything = _choices(variables, (True,)), _choices(variables, (True, False))
        self.fields["answer"].choices = disguised  # type: ignore[attr-defined]
        self.fields["by"].choices = everything  # type: ignore[attr-defined]
        self.fields["also"].choices = [("", "–"), *everything]  # type: ignore[attr-defined]

    def names(self) -> list[str]:
        return [name for name in (self.cleaned_data[field] for field in self.fields) if name]


def _choices(variables: Sequence[tables.Variable], kinds: Sequence[bool]) -> list[Any]:
    """The questions in two groups: disguised ones, and open ones."""
    titles = {True: _("Disguised"), False: _("Open")}
    groups = [
        (titles[kind], [(each.axis.name, each.axis.heading) for each in variables if each.sensitive is kind])
        for kind in kinds
    ]
    return [group for group in groups if group[1]]


@of_version
def table(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """A table of two or three questions, chosen in the address, so that a table can be linked to."""
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "table", {"refused": said(error)})
    form = TableForm(request.GET, tables.variables(data, get_language() or "en"))
    context: dict[str, Any] = {"data": data, "form": form, "citation": figures.citation(data)}
    if form.is_valid():
        key = report.table_key(form.names())
        chosen = report.part(data, key, request.user.has_perm)
        try:
            context |= {"part": chosen, "context": chosen.context() if chosen else None}
        except InputError as error:
            context["why_not"] = said(error)
    return page(request, version, "table", context)


@of_version
def versions(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """How answers moved from version to version."""
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "versions", {"refused": said(error)})
    part = report.part(data, "versions", request.user.has_perm)
    assert part is not None  # it is in every report
    context = {"data": data, "parts": [(part, part.context())], "citation": figures.citation(data)}
    return page(request, version, "versions", context)


@of_version
def picture(request: HttpRequest, version: SurveyVersion, key: str, name: str) -> HttpResponse:
    """A picture of a part as a file, with its title, caption and source."""
    try:
        data = report.data_of(version)
        return picture_of(report.part(data, key, request.user.has_perm), name, figures.citation(data))
    except InputError:
        raise Http404 from None


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
        path("<int:pk>/results/table/", view(table), name="surveys_results_table"),
        path("<int:pk>/results/versions/", view(versions), name="surveys_results_versions"),
        path("<int:pk>/results/<str:key>/<str:name>.svg", view(picture), name="surveys_results_picture"),
    ]
