"""The pages of releases: what is to be released and how, how far it is, and what came of it with its files."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from privacy.draw.lattice import Words, lattice
from privacy.errors import InputError
from surveys.admin.results import of_version, page
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.languages import said
from surveys.models import SurveyVersion, TableRelease
from surveys.releases.ask import ask
from surveys.releases.make import IN_STEPS, KEPT, KNOWN, open_questions
from surveys.results.tables import Variable

FIRST_ROWS = 10
LEFT_OUT = ""
FILES = [
    ("csv", gettext_lazy("The table (CSV)")),
    ("html", gettext_lazy("The report (HTML)")),
    ("json", gettext_lazy("The report (JSON)")),
]
ROLES = [
    (LEFT_OUT, gettext_lazy("left out")),
    (KNOWN, gettext_lazy("others may know it")),
    (IN_STEPS, gettext_lazy("others may know it; join neighbours")),
    (KEPT, gettext_lazy("nobody knows it; publish as it is")),
]


class ReleaseForm(forms.Form):
    k = forms.IntegerField(
        label=gettext_lazy("At least so many alike (k)"),
        min_value=2,
        max_value=10_000,
        initial=5,
        help_text=gettext_lazy("Respondents of a group with the same answers to what others may know."),
    )
    l = forms.IntegerField(  # noqa: E741 — its name in the literature
        label=gettext_lazy("At least so many answers (l)"),
        min_value=1,
        max_value=100,
        initial=2,
        help_text=gettext_lazy("Different answers to each disguised question among direct respondents who are alike."),
    )
    share = forms.FloatField(
        label=gettext_lazy("Hide at most this share"), min_value=0, max_value=0.5, initial=0.05, localize=False
    )

    def __init__(self, questions: list[Variable], *args: Any) -> None:
        super().__init__(*args)
        self.questions = [one.axis.name for one in questions]
        for one in questions:
            self.fields[f"role-{one.axis.name}"] = forms.ChoiceField(
                label=one.axis.heading, choices=ROLES, required=False, initial=LEFT_OUT
            )

    def asked(self, language: str) -> dict[str, Any]:
        roles = {name: self.cleaned_data[f"role-{name}"] for name in self.questions}
        chosen = {name: role for name, role in roles.items() if role}
        return {"roles": chosen, "language": language} | {name: self.cleaned_data[name] for name in ("k", "l", "share")}


@require_http_methods(["GET", "POST"])
def releases(request: HttpRequest, pk: int) -> HttpResponse:
    """The releases of a version, and the form that asks for another one."""
    version = get_object_or_404(SurveyVersion.objects.select_related("survey"), pk=pk)
    if not may(request.user, Action.SEE if request.method == "GET" else Action.TAKE, version.survey):
        raise PermissionDenied
    language = get_language() or "en"
    try:
        questions = open_questions(version, language)
    except InputError as error:
        return page(request, version, "releases", {"refused": said(error)})
    form = ReleaseForm(questions, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("admin:surveys_release", pk, ask(version, form.asked(language), request.user).pk)
        except InputError as error:
            form.add_error(None, said(error))
    context = {
        "form": form,
        "questions": questions,
        "releases": version.releases.all(),
        "may_release": may(request.user, Action.TAKE, version.survey),
    }
    return page(request, version, "releases", context)


@of_version
def release(request: HttpRequest, version: SurveyVersion, number: str) -> HttpResponse:
    """Where a release stands, and what came of it."""
    found = get_object_or_404(TableRelease, version=version, pk=number)
    reason = said(found.reason) if found.reason else ""
    return page(request, version, "release", {"release": found, "reason": reason, "files": FILES, **_shown(found)})


@of_version
def file(request: HttpRequest, version: SurveyVersion, number: str, kind: str) -> HttpResponse:
    """The table as CSV, or its report as JSON or HTML."""
    if not may(request.user, Action.TAKE, version.survey):
        raise PermissionDenied
    found = get_object_or_404(TableRelease, version=version, pk=number, state=TableRelease.State.DONE)
    name = f"{version.survey.slug}-{version.number}-release-{found.pk}.{kind}"
    if kind == "csv":
        answer = HttpResponse(bytes(found.table), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        told = {"candor": 1, "survey": version.survey.slug, "version": version.number, "snapshot": found.snapshot}
        answer = JsonResponse(told | {"asked": found.asked} | found.report)
    elif kind == "html":
        context = {"release": found, "version": version, "language": get_language(), **_shown(found)}
        answer = HttpResponse(render_to_string("surveys/release.html", context))
    else:
        raise Http404
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


def _shown(found: TableRelease) -> dict[str, Any]:
    """What a page and a report say of a release that was made."""
    report = found.report
    if not report:
        return {}
    names = list(report["node"])
    shape = [height + 1 for height in report["heights"]]
    holding = np.array([one == "1" for one in report["holding"]]).reshape(shape)
    words = Words(_("does not hold"), _("holds"), _("minimal"), _("taken"), _("levels in all"))
    node = tuple(report["node"].values())
    minimal = [tuple(one.values()) for one in report["minimal"]]
    table = list(csv.reader(io.StringIO(bytes(found.table).decode(), newline="")))
    before, after = report["before"], report["metrics"]
    return {
        "k": after["k"],
        "known": ", ".join(names[1:]),
        "risks": [
            (_("fewest who are alike"), before["k"], after["k"]),
            (_("share of people who are alone"), _percent(before["unicity"]), _percent(after["unicity"])),
            (
                _("chance to find somebody, at most"),
                _percent(before["risk"]["prosecutor"]),
                _percent(after["risk"]["prosecutor"]),
            ),
            (
                _("chance to find somebody, on average"),
                _percent(before["risk"]["marketer"]),
                _percent(after["risk"]["marketer"]),
            ),
        ],
        "svg": lattice(_("Levels of what others may know"), holding, minimal, node, words),
        "levels": [
            (name, level, height, _percent(report["lost"][name]))
            for (name, level), height in zip(report["node"].items(), report["heights"], strict=True)
        ][1:],
        "minimal": [one[1:] for one in minimal[:20]],
        "names": names[1:],
        "judged": [
            (
                one["item"],
                one["gamma"],
                len(one["classes"]),
                sum(own["shown"] >= min(found.asked["l"], len(one["values"])) for own in one["classes"]),
                one["direct"] and one["direct"]["l"]["distinct"],
            )
            for one in report["disguised"]
        ],
        "head": table[0],
        "rows": [row for row in table[1:] if "*" not in row[: len(names)]][:FIRST_ROWS],
    }


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def addresses() -> list[URLPattern]:
    view = admin.site.admin_view
    return [
        path("<int:pk>/results/releases/", view(releases), name="surveys_releases"),
        path("<int:pk>/results/releases/<int:number>/", view(release), name="surveys_release"),
        path("<int:pk>/results/releases/<int:number>/release.<str:kind>", view(file), name="surveys_release_file"),
    ]
