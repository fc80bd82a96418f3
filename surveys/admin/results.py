"""The pages of results: the report of a version, and its pictures as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from privacy.errors import InputError
from surveys.admin.shared import is_administration
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.languages import language_name, said
from surveys.models import Phrase, Survey, SurveyVersion
from surveys.results import figures, report, sharing, tables
from surveys.results.picture_file import picture_file
from surveys.results.words import words_of

View = Callable[..., HttpResponse]


def of_version(view: View) -> View:
    """A page about one version, for people who may look at the survey."""
    return require_safe(_checked(view, Action.SEE))


def changing(view: View) -> View:
    """A page that also changes something, for people who may take files of the survey."""
    return require_http_methods(["GET", "POST"])(_checked(view, Action.TAKE))


def _checked(view: View, action: Action) -> View:
    @wraps(view)
    def answer(request: HttpRequest, pk: int, **address: str) -> HttpResponse:
        version = get_object_or_404(SurveyVersion.objects.select_related("survey"), pk=pk)
        if not may(request.user, action, version.survey):
            raise PermissionDenied
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
    context = {"data": data, "parts": shown, "first": report.first(shown), "citation": figures.citation(data.snapshot)}
    return page(request, version, "report", context)


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
    form = TableForm(request.GET, tables.variables(data, report.language()))
    context: dict[str, Any] = {"data": data, "form": form, "citation": figures.citation(data.snapshot)}
    if form.is_valid():
        key = report.table_key(form.names())
        chosen = report.part(data, key, request.user.has_perm)
        try:
            context |= {"part": chosen, "context": chosen.context() if chosen else None}
        except InputError as error:
            context["why_not"] = said(error)
    return page(request, version, "table", context)


class RegressionForm(forms.Form):
    """Which answer is to be explained, and by which other questions; the first two disguised ones to begin with."""

    answer = forms.ChoiceField(label=gettext_lazy("What goes with the answer"))
    on = forms.MultipleChoiceField(label=gettext_lazy("Explained by"), widget=forms.CheckboxSelectMultiple)
    together = forms.BooleanField(label=gettext_lazy("With two questions: also what both do together"), required=False)

    def __init__(self, query: QueryDict, variables: Sequence[tables.Variable]) -> None:
        disguised = [each.axis for each in variables if each.sensitive]
        # Of two answers the last is offered: the odds of the other one are its inverse.
        offered = [
            (f"{axis.name}.{place}", f"{axis.heading} {axis.labels[place]}")
            for axis in disguised
            for place in range(1 if len(axis.labels) == 2 else 0, len(axis.labels))
        ]
        begin = {"answer": offered[0][0], "on": [axis.name for axis in disguised[1:2]]} if offered else {}
        asked = {"answer": query.get("answer"), "on": query.getlist("on"), "together": query.get("together")}
        given = asked if "answer" in query else begin
        super().__init__(given)
        self.fields["answer"].choices = offered  # type: ignore[attr-defined]
        self.fields["on"].choices = _choices(variables, (True, False))  # type: ignore[attr-defined]

    def key(self) -> str:
        return report.regression_key(*(self.cleaned_data[name] for name in ("answer", "on", "together")))


@of_version
def regression(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """What goes with an answer, chosen in the address."""
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "regression", {"refused": said(error)})
    form = RegressionForm(request.GET, tables.variables(data, report.language()))
    context: dict[str, Any] = {"data": data, "form": form, "citation": figures.citation(data.snapshot)}
    if form.is_valid():
        chosen = report.part(data, form.key(), request.user.has_perm)
        try:
            context |= {"part": chosen, "context": chosen.context() if chosen else None}
        except InputError as error:
            context["why_not"] = said(error)
    return page(request, version, "regression", context)


@of_version
def versions(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """How answers moved from version to version."""
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "versions", {"refused": said(error)})
    part = report.part(data, "versions", request.user.has_perm)
    assert part is not None  # it is in every report
    context = {"data": data, "parts": [(part, part.context())], "citation": figures.citation(data.snapshot)}
    return page(request, version, "versions", context)


@of_version
def picture(request: HttpRequest, version: SurveyVersion, key: str, name: str) -> HttpResponse:
    """A picture of a part as a file, with its title, caption and source."""
    try:
        data = report.data_of(version)
        part = report.part(data, key, request.user.has_perm)
        return picture_file(part.context()["figures"] if part else (), name, figures.citation(data.snapshot))
    except InputError:
        raise Http404 from None


class ShareForm(forms.Form):
    """Which parts somebody gets to read, and until when."""

    label = forms.CharField(
        label=gettext_lazy("For whom"), max_length=100, help_text=gettext_lazy("For you only: to tell links apart.")
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days until it ends"), min_value=1, max_value=sharing.LONGEST, initial=30
    )
    parts = forms.MultipleChoiceField(label=gettext_lazy("What is shown"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, offered: Sequence[report.Part], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["parts"].choices = [(part.key, part.title) for part in offered]  # type: ignore[attr-defined]
        self.fields["parts"].initial = [part.key for part in offered]


@changing
def share(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """The links to this report: a new one, whose address is shown this once, and those there are, to take back."""
    context: dict[str, Any] = {}
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "share", {"refused": said(error)})
    allowed = request.user.has_perm
    asked = [part for key in request.GET.getlist("part") if (part := report.part(data, key, allowed))]
    if version.survey.versions.count() > 1 and (moved := report.part(data, "versions", allowed)):
        asked.append(moved)
    offered = [*report.parts(data, allowed), *asked]
    form = ShareForm(offered, request.POST if "label" in request.POST else None)
    if "revoke" in request.POST:
        sharing.revoke(get_object_or_404(version.shared_reports, pk=request.POST["revoke"]))
        _log(request, version, _("A shared report was taken back."))
        return redirect("admin:surveys_results_share", version.pk)
    if form.is_valid():
        values = form.cleaned_data
        user: Any = request.user
        shared, token = sharing.share(version, values["label"], values["parts"], values["days"], user)
        _log(request, version, _("A report was shared: %(label)s.") % {"label": shared.label})
        context["link"] = request.build_absolute_uri(reverse("shared-report", args=[token]))
        form = ShareForm(offered)
    return page(request, version, "share", context | {"form": form, "links": version.shared_reports.all()})


def _log(request: HttpRequest, version: SurveyVersion, message: str) -> None:
    admin.site.get_model_admin(Survey).log_change(request, version.survey, message)


@changing
def words(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """How answers are told in sentences, in each language of the questionnaire."""
    source = version.parsed.source
    rows = [
        (item, value, answer, f"{item.name}:{value}")
        for item in words_of(version, report.language()).items.values()
        for value, answer in item.answers.items()
    ]
    if request.method == "POST":
        with transaction.atomic():
            for item, value, _answer, name in rows:
                texts = {tag: request.POST.get(f"{name}:{tag}", "").strip()[:200] for tag in source["languages"]}
                Phrase.objects.update_or_create(
                    survey=version.survey, item=item.name, value=value, defaults={"words": texts}
                )
        messages.success(request, _("The words of the report are kept."))
        return redirect("admin:surveys_results_words", version.pk)
    stored = {(each.item, each.value): each.words for each in version.survey.phrases.all()}
    shown = [
        {
            "item": item,
            "answer": answer,
            "fields": [
                (f"{name}:{tag}", language_name(tag), tag, stored.get((item.name, value), {}).get(tag, ""))
                for tag in source["languages"]
            ],
        }
        for item, value, answer, name in rows
    ]
    return page(request, version, "words", {"rows": shown})


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
            "may_change": may(request.user, Action.TAKE, version.survey),
            "administration": is_administration(request),
            **context,
        },
    )


def addresses() -> list[URLPattern]:
    view = admin.site.admin_view
    return [
        path("<int:pk>/results/", view(results), name="surveys_results"),
        path("<int:pk>/results/table/", view(table), name="surveys_results_table"),
        path("<int:pk>/results/regression/", view(regression), name="surveys_results_regression"),
        path("<int:pk>/results/versions/", view(versions), name="surveys_results_versions"),
        path("<int:pk>/results/share/", view(share), name="surveys_results_share"),
        path("<int:pk>/results/words/", view(words), name="surveys_results_words"),
        path("<int:pk>/results/<str:key>/<str:name>.svg", view(picture), name="surveys_results_picture"),
    ]
