"""The pages of releases: what is to be made of the responses, how far it is, what came of it, and its files."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from privacy.draw.lattice import LatticeWords, lattice
from privacy.errors import InputError
from privacy.records.csv_rows import csv_rows, csv_text, without_apostrophes
from privacy.release import METHODS
from surveys.admin.release_form import ReleaseForm
from surveys.admin.results import of_version, page
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.languages import sentence_of
from surveys.models import Survey, SurveyVersion, TableRelease
from surveys.releases import decide
from surveys.releases.ask import ask
from surveys.releases.reasons import reason_of
from surveys.releases.table import disguised_columns, risk, seen_columns

FIRST_ROWS = 10
MOST_MINIMAL = 20  # nodes that are listed
FILES = [
    ("csv", gettext_lazy("The table (CSV)")),
    ("html", gettext_lazy("The report (HTML)")),
    ("json", gettext_lazy("The report (JSON)")),
]


@require_http_methods(["GET", "POST"])
def releases(request: HttpRequest, pk: int) -> HttpResponse:
    """The releases of a version, the risk of its responses, and the form that asks for another one."""
    version = get_object_or_404(SurveyVersion.objects.select_related("survey"), pk=pk)
    if not may(request.user, Action.SEE if request.method == "GET" else Action.TAKE, version.survey):
        raise PermissionDenied
    language = get_language() or "en"
    try:
        columns = seen_columns(version, language)
        before = _risk(version, [one.name for one in columns])
    except InputError as error:
        return page(request, version, "releases", {"refused": sentence_of(error)})
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ReleaseForm(request.user.pk, columns, disguised_columns(version), language, *posted)
    chosen = None
    if posted and form.is_valid():
        if request.POST.get("do") == "make":
            try:
                return redirect("admin:surveys_release", pk, ask(version, form.spec, request.user).pk)
            except InputError as error:
                form.add_error(None, sentence_of(error))
        else:
            chosen = {"risks": _risk(version, form.known), "known": ", ".join(form.known)}
    context = {
        "form": form,
        "columns": columns,
        "before": before,
        "chosen": chosen,
        "releases": version.releases.defer("table", "report", "fingerprint", "asked"),
        "may_release": may(request.user, Action.TAKE, version.survey),
    }
    return page(request, version, "releases", context)


def _risk(version: SurveyVersion, known: list[str]) -> list[tuple[str, str]]:
    """What somebody finds in the responses as they are who knows all of this."""
    if not known:
        return []
    measures, attacks = risk(version, known)
    risks = [(name, value) for name, value in _risks(measures.to_json())]
    for attack in attacks[1:]:
        if attack.kind == "homogeneity" and attack.succeeded:
            share = _("%(some)s of %(of)s") % {"some": attack.succeeded, "of": attack.tried}
            risks.append((_("direct respondents whose answer to “%(item)s” is known") % {"item": attack.about}, share))
    return risks


@of_version
def release(request: HttpRequest, version: SurveyVersion, number: str) -> HttpResponse:
    """Where a release stands, and what came of it."""
    row = get_object_or_404(TableRelease, version=version, pk=number)
    context = {
        "release": row,
        "reason": sentence_of(reason) if (reason := reason_of(row)) else "",
        "files": FILES if row.state == TableRelease.State.DONE else [],
        "may_release": may(request.user, Action.TAKE, version.survey),
        **_shown(row),
    }
    return page(request, version, "release", context)


@of_version
def progress(_request: HttpRequest, version: SurveyVersion, number: str) -> HttpResponse:
    """Where a release stands, for the page that shows it live."""
    small = TableRelease.objects.defer("table", "report", "fingerprint")
    row = get_object_or_404(small, version=version, pk=number)
    doing = row.get_step_display() if row.state == TableRelease.State.RUNNING else ""
    state = row.get_state_display()
    return JsonResponse({"open": row.is_open, "state": state, "doing": doing, "counted": "", "share": row.share})


@require_POST
def decision(request: HttpRequest, pk: int, number: int, what: str) -> HttpResponse:
    """Release what was made, or stop or discard it."""
    row = get_object_or_404(TableRelease.objects.select_related("version__survey"), version=pk, pk=number)
    if not may(request.user, Action.TAKE, row.version.survey):
        raise PermissionDenied
    if what == "publish":
        if decide.release(row.pk):
            admin.site.get_model_admin(Survey).log_change(
                request,
                row.version.survey,
                [{"changed": {"name": _("release"), "object": str(row), "fields": ["state"]}}],
            )
    elif not decide.discard(row.pk):
        messages.info(request, _("This release had ended already."))
    return redirect("admin:surveys_release", pk, number)


@of_version
def file(request: HttpRequest, version: SurveyVersion, number: str, kind: str) -> HttpResponse:
    """The table as CSV, or its report as JSON or HTML."""
    if not may(request.user, Action.TAKE, version.survey):
        raise PermissionDenied
    row = get_object_or_404(TableRelease, version=version, pk=number, state=TableRelease.State.DONE)
    name = f"{version.survey.slug}-{version.number}-release-{row.pk}.{kind}"
    if kind == "csv":
        answer = HttpResponse(csv_text(_table(row), "\r\n"), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        head = {"candor": 1, "survey": version.survey.slug, "version": version.number, "snapshot": row.snapshot}
        answer = JsonResponse(head | {"asked": row.spec or row.asked} | _in_order(row.report))
    elif kind == "html":
        context = {"release": row, "version": version, "language": get_language(), **_shown(row)}
        answer = HttpResponse(render_to_string("surveys/release.html", context))
    else:
        raise Http404
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


def _table(row: TableRelease) -> list[list[str]]:
    """The names of the columns and the rows as they are, whichever version wrote them."""
    return [[without_apostrophes(cell) for cell in cells] for cells in csv_rows(bytes(row.table).decode())]


def _in_order(report: dict[str, Any]) -> dict[str, Any]:
    """The report with nodes in the order of the attributes; not every database keeps that of an object."""
    known = report.get("known")
    if not (known and report["node"]):
        return report
    nodes = [{name: node[name] for name in known} for node in (report["node"], *report["minimal"])]
    return report | {"node": nodes[0], "minimal": nodes[1:]}


def _shown(made: TableRelease) -> dict[str, Any]:
    """What a page and a report say of a table that was made."""
    report = made.report
    if not report:
        return {}
    known = [name for name in report.get("known") or report["node"] if name != "direct"]
    table = _table(made)
    before, after = _risks(report["before"]), _risks(report["metrics"])
    spec = made.spec
    least = spec.get("model", {}).get("l", {}).get("l", 0) or made.asked.get("l", 0)
    return {
        "allowed": [_(sentence).format(**figures) for sentence, figures in report.get("allowed", [])],
        "method": _(METHODS[spec["method"]].about) if spec else "",
        "model": _model(spec.get("model", {})),
        "risks": [(name, old, new) for (name, old), (_name, new) in zip(before, after, strict=True)],
        "lost": [(name, _percent(report["lost"][name])) for name in known],
        "attacks": [
            (attack["name"], attack["tried"], attack["succeeded"], _percent(attack["share"]))
            for attack in report["attacks"]
        ],
        "judged": [
            (
                one["item"],
                one["gamma"],
                len(one["classes"]),
                sum(own["shown"] >= min(max(least, 2), len(one["values"])) for own in one["classes"]),
                one["direct"] and one["direct"]["l"]["distinct"],
            )
            for one in report["disguised"]
        ],
        "head": table[0],
        "rows": [row for row in table[1:] if row[0] != "*"][:FIRST_ROWS],
        **_lattice(report, known),
    }


def _lattice(report: dict[str, Any], known: list[str]) -> dict[str, Any]:
    """The lattice as a picture and a table, where attributes stand on levels."""
    if not report["node"]:
        return {}
    heights = report["heights"][-len(known) :]  # the flag of the group, once the first, has no level above itself
    holding = np.array([one == "1" for one in report["holding"]]).reshape([height + 1 for height in heights])
    minimal = [tuple(one[name] for name in known) for one in report["minimal"]]
    node = tuple(report["node"][name] for name in known)
    words = LatticeWords(_("does not hold"), _("holds"), _("minimal"), _("taken"), _("levels in all"))
    return {
        "svg": lattice(_("Levels of what others may know"), holding, minimal, node, words),
        "names": known,
        "levels": list(zip(known, node, heights, strict=True)),
        "minimal": minimal[:MOST_MINIMAL],
    }


def _risks(metrics: dict[str, Any]) -> list[tuple[str, str]]:
    risks = metrics["risk"]
    return [
        (_("fewest who are alike"), str(metrics["k"])),
        (_("share of people who are alone"), _percent(metrics["unicity"])),
        (_("chance to find somebody, at most"), _percent(risks["prosecutor"])),
        (_("chance to find somebody, on average"), _percent(risks["marketer"])),
    ]


def _model(model: dict[str, Any]) -> str:
    """What was asked of every class, shortly."""
    parts = [f"k = {model['k']}"] if "k" in model else []
    if "l" in model:
        c = f", c = {model['l']['c']}" if "c" in model["l"] else ""
        parts.append(f"l = {model['l']['l']} ({model['l']['kind']}{c})")
    if "t" in model:
        parts.append(f"t = {model['t']['t']} ({model['t']['distance']})")
    if "alpha" in model:
        parts.append(f"α = {model['alpha']}")
    return "; ".join(parts)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def addresses() -> list[URLPattern]:
    view, own = admin.site.admin_view, "<int:pk>/results/releases/<int:number>/"
    return [
        path("<int:pk>/results/releases/", view(releases), name="surveys_releases"),
        path(own, view(release), name="surveys_release"),
        path(f"{own}progress/", view(progress), name="surveys_release_progress"),
        path(f"{own}publish/", view(decision), {"what": "publish"}, name="surveys_release_publish"),
        path(f"{own}discard/", view(decision), {"what": "discard"}, name="surveys_release_discard"),
        path(f"{own}release.<str:kind>", view(file), name="surveys_release_file"),
    ]
