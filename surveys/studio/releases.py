"""The pages of releases: what is to be made of the responses, how far it is, what came of it, and its files."""

from collections.abc import Mapping
from itertools import zip_longest
from math import inf, isfinite
from typing import Any

import numpy as np
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.translation import get_language, gettext as _, gettext_lazy

from privacy.draw.lattice import LatticeWords, lattice
from privacy.errors import InputError
from privacy.records.csv_rows import csv_text
from privacy.release import METHODS, as_csv
from privacy.release.measures.beliefs import posterior
from privacy.release.measures.bounds import LEAKAGES, Point, bounds_in_symbols, front_picture
from privacy.release.measures.kept import ABOUT, OF_NUMBERS, KeptFigure, picture as kept_picture
from privacy.release.measures.sample import OF_SAMPLES
from privacy.release.methods.full_domain import LOSSES
from privacy.release.models import CONDITIONS, in_symbols
from surveys.access import of_version
from surveys.domain.exports.columns import columns_of
from surveys.domain.people import log
from surveys.domain.people.roles import Action
from surveys.domain.responses.snapshots import cite_hash
from surveys.models import SurveyVersion, TableRelease
from surveys.percent import percent_alone
from surveys.questions.question import ColumnKind
from surveys.releases import decide
from surveys.releases.ask import ask, check
from surveys.releases.beside import side_by_side
from surveys.releases.form import ReleaseForm
from surveys.releases.further import FurtherForm, rows_of_table
from surveys.releases.reasons import reason_of
from surveys.releases.table import has_texts, releasable_columns, risk, sensitive_columns
from surveys.releases.words import ColumnWords, words_of_columns
from surveys.sentences import sentence_of
from surveys.studio.results import page

FIRST_ROWS = 10
MOST_MINIMAL = 20  # nodes that are listed
FILES = [
    ("csv", gettext_lazy("The table (CSV)")),
    ("html", gettext_lazy("The report (HTML)")),
    ("json", gettext_lazy("The report (JSON)")),
]
DESIGN = "design", gettext_lazy("The design of disguised columns (JSON)")


@of_version(Action.TAKE, "GET", "POST")
def releases(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """The releases of a version, the risk of its responses, and the form by which to ask for another one.

    Once one is out, others are made from it alone. Only for those who may take files: the risk and the first rows come
    from the responses as they are, behind no gate.
    """
    language = get_language() or "en"
    beside = side_by_side(version.releases.defer("table"))
    if released := [row.release for row in beside if row.release.state == TableRelease.State.DONE]:
        return page(request, version, "releases", {"released": released, "beside": beside})
    try:
        columns = releasable_columns(version, language)
        before = _risk(version, [column.name for column in columns])
    except InputError as error:
        return page(request, version, "releases", {"refused": sentence_of(error)})
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    words = words_of_columns(version, language)
    form = ReleaseForm(request.user.pk, columns, sensitive_columns(version), words, *posted)
    chosen: dict[str, Any] | None = None
    if posted and form.is_valid():
        if request.POST.get("do") == "make":
            try:
                return redirect("studio:release", version.pk, ask(version, form.spec, request.user, form.to_compare).pk)
            except InputError as error:
                form.add_error(None, sentence_of(error))
        else:
            chosen = {
                "risks": _risk(version, form.quasi_identifiers),
                "known": _("; ").join(words.list_titles(form.quasi_identifiers)),
            }
            try:
                check(version, form.spec)
            except InputError as error:
                form.add_error(None, sentence_of(error))
    context = {
        "form": form,
        "columns": [(column.title, len(column.values), column.k, column.alone) for column in columns],
        "before": before,
        "chosen": chosen,
        "texts": has_texts(version) and ("records" if version.parsed.keeps_texts_in_records else "texts") + ".csv",
        "beside": beside,
    }
    return page(request, version, "releases", context)


def _risk(version: SurveyVersion, known: list[str]) -> list[tuple[str, str]]:
    """The risks of the responses as they are, from somebody who knows these columns of everybody."""
    if not known:
        return []
    measures, attacks = risk(version, known)
    words = words_of_columns(version, get_language() or "en")
    risks = [(name, value) for name, value in _risks(measures.to_json())]
    for attack in attacks[1:]:
        if attack.kind == "homogeneity" and attack.succeeded:
            share = _("%(some)s of %(of)s") % {"some": attack.succeeded, "of": attack.tried}
            risks.append(
                (
                    _("direct respondents whose answer to “%(item)s” is known") % {"item": words.title(attack.about)},
                    share,
                )
            )
    return risks


@of_version(Action.TAKE)
def release(request: HttpRequest, version: SurveyVersion, number: int) -> HttpResponse:
    """Where a release stands, and what came of it."""
    row = get_object_or_404(TableRelease, version=version, pk=number)
    context = {
        "release": row,
        "reason": sentence_of(reason) if (reason := reason_of(row)) else "",
        "files": _files(row) if row.state == TableRelease.State.DONE else [],
        **_release_context(row),
        "front": _front(row),
        "kept": _comparison(row),
    }
    return page(request, version, "release", context)


def _files(row: TableRelease) -> list[tuple[str, Any]]:
    """The files of a released table; disguised columns are read by their design."""
    return [*FILES, DESIGN] if row.report.get("design") else FILES


@of_version(Action.TAKE)
def progress(_request: HttpRequest, version: SurveyVersion, number: int) -> HttpResponse:
    """Where a release stands, for the page that shows it live."""
    small = TableRelease.objects.defer("table", "report")
    row = get_object_or_404(small, version=version, pk=number)
    doing = row.get_step_display() if row.state == TableRelease.State.RUNNING else ""
    state = row.get_state_display()
    return JsonResponse({"open": row.is_open, "state": state, "doing": doing, "counted": "", "share": row.share})


@of_version(Action.TAKE, "POST")
def decision(request: HttpRequest, version: SurveyVersion, number: int, what: str) -> HttpResponse:
    """Release what was made, or stop or discard it."""
    row = get_object_or_404(TableRelease, version=version, pk=number)
    if what == "publish":
        if decide.release(row.pk):
            log.note_down(
                version.survey,
                request.user,
                "Released: table %(number)s of version %(version)s.",
                number=row.pk,
                version=version.number,
            )
    elif not decide.discard(row.pk):
        messages.info(request, _("This release had ended already."))
    return redirect("studio:release", version.pk, number)


@of_version(Action.TAKE)
def file(_request: HttpRequest, version: SurveyVersion, number: int, kind: str) -> HttpResponse:
    """The table as CSV, or its report as JSON or HTML."""
    row = get_object_or_404(TableRelease, version=version, pk=number, state=TableRelease.State.DONE)
    name = f"{version.survey.slug}-{version.number}-release-{row.pk}.{kind}"
    if kind == "csv":
        answer = HttpResponse(csv_text(rows_of_table(row), "\r\n"), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        head = {
            "candor": 1,
            "survey": version.survey.slug,
            "version": version.number,
            "snapshot": cite_hash(version.survey, row.snapshot),
        }
        asked = {name: value for name, value in (row.spec or row.asked).items() if name != "seed"}  # lots are nobody's
        asked |= {"population": _everybody(asked)} if "population" in asked else {}
        answer = JsonResponse(head | {"asked": asked} | _report_to_publish(row.report))
    elif kind == "design" and (design := row.report.get("design")):
        answer, name = JsonResponse(design), f"{name}.json"
    elif kind == "html":
        row.report = _report_to_publish(row.report)
        context = {
            "release": row,
            "cited": cite_hash(version.survey, row.snapshot),
            "version": version,
            "language": get_language(),
            **_release_context(row),
        }
        answer = HttpResponse(render_to_string("surveys/release.html", context))
    else:
        raise Http404
    return _as_file(answer, name)


@of_version(Action.TAKE, "GET", "POST")
def further(request: HttpRequest, version: SurveyVersion, number: int) -> HttpResponse:
    """Another table from one that is out, as a file; or its design, or the spec by which `candor coarsen` makes it."""
    row = get_object_or_404(TableRelease, version=version, pk=number, state=TableRelease.State.DONE)
    form = FurtherForm(row, words_of_columns(version, get_language() or "en"), *filter(None, [request.POST]))
    if not (request.method == "POST" and form.is_valid()):
        return page(request, version, "further", {"release": row, "form": form})
    kind, name = request.POST.get("do"), f"{version.survey.slug}-{version.number}-release-{row.pk}-further"
    if kind == "spec":
        return _as_file(JsonResponse(form.spec), f"{name}.spec.json")
    if kind == "design" and form.made.design:
        return _as_file(JsonResponse(form.made.design.to_json()), f"{name}.design.json")
    table = as_csv(form.made.columns)
    return _as_file(HttpResponse(table, content_type="text/csv; charset=utf-8"), f"{name}.csv")


def _as_file(answer: HttpResponse, name: str) -> HttpResponse:
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


_OF_SIZES = ("k", "discernibility", "average_class", "unicity", "risk")  # figures that no sensitive answer changes


# figures of tables that are not released
_OF_OTHERS = ("front", "rule", "minimal", "holding", "path", "distorted", "kept")
_OF_COVERS = ("penalty", "penalty_sum")  # what labels of local methods cover follows from whose answers are alike


def _report_to_publish(report: dict[str, Any]) -> dict[str, Any]:
    """The report with levels in the order of the attributes, which not every database keeps.

    Figures of tables that are not released stay here, which levels would have satisfied the model among them, and of
    the table as it was all but how many are alike.
    """
    report = {name: value for name, value in report.items() if name.removesuffix("_infinite") not in _OF_OTHERS}
    report["before"] = {name: value for name, value in report["before"].items() if name in _OF_SIZES}
    known = report.get("known")
    if not report["node"]:
        report["metrics"] = {name: value for name, value in report["metrics"].items() if name not in _OF_COVERS}
        report["lost"] = {}
    elif known:
        report["node"] = {name: report["node"][name] for name in known}
    return report


def _release_context(made: TableRelease) -> dict[str, Any]:
    """What a page and a report say of a table that was made, in the words of its questions."""
    report = made.report
    if not report:
        return {}
    # The questions that others may know; in a report of an older site the group stood among them.
    known = [name for name in report.get("known") or report["node"] if name != "direct"]
    words = words_of_columns(made.version, get_language() or "en")
    head, *rows = rows_of_table(made)
    before, after = _risks(report["before"]), _risks(report["metrics"])
    spec = made.spec
    least = spec.get("model", {}).get("l", {}).get("l", 0) or made.asked.get("l", 0)
    return {
        **{
            key: [_(sentence).format(**words.figures(figures)) for sentence, figures in report.get(key, [])]
            for key in ("allowed", "rule")
        },
        "method": _(METHODS[spec["method"]].about) if spec else "",
        "model": _model(spec, somebody=bool(report["direct"] or report.get("undisguised"))),
        "known": known,
        "risks": [(name, old, new) for (_, old), (name, new) in zip_longest(before, after, fillvalue=("", "–"))],
        "people": (everybody := _everybody(spec)).get("size"),
        "counted": everybody.get("counted"),
        "sample": _sample(report["metrics"].get("sample", {})),
        "masked": [(words.title(name), count) for name, count in report.get("masked", {}).items() if count],
        "lost": [
            (words.title(name), percent_alone(share))
            for name in known
            if (share := report["lost"].get(name)) is not None
        ],
        "attacks": [
            (words.attack(attack["name"]), attack["tried"], attack["succeeded"], percent_alone(attack["share"]))
            for attack in report["attacks"]
            if "worlds" not in attack  # of older sites, where it may say that 0 tables were tried
        ],
        "beliefs": _beliefs(report["metrics"].get("beliefs", {}).get("positive")),
        "judged": [
            (
                words.title(one["item"]),
                floatformat(one["gamma"], -2),
                len(one["classes"]),
                sum(own["shown"] >= min(max(least, 2), len(one["values"])) for own in one["classes"]),
                one["direct"]["l"]["distinct"] if one["direct"] else "–",
            )
            for one in report["disguised"]
        ],
        "drawn": [
            (words.title(one["column"]), floatformat(one["gamma"], -2), *_accuracy(one))
            for one in report.get("drawn", ())
        ],
        "numbers": " --distribution ".join(one["column"] for one in report.get("drawn", ()) if "range" in one),
        "head": words.list_titles(head),
        "rows": [
            [words.value(name, cell) for name, cell in zip(head, row, strict=True)] for row in rows if row[0] != "*"
        ][:FIRST_ROWS],
        **_lattice(report, known, words),
    }


def _accuracy(drawn: Mapping[str, Any]) -> tuple[str, str]:
    """How much of a disguised question stays, and how exact a share of it is, or its mean."""
    kept = percent_alone(drawn["keep"])
    if "within" in drawn:
        kept = _("%(share)s within %(distance)s") % {"share": kept, "distance": f"{drawn['within']:g}"}
    if "error_of_mean" in drawn:
        return kept, _("%(error)s (mean)") % {"error": f"{drawn['error_of_mean']:.2g}"}
    return kept, _("%(error)s (share)") % {"error": percent_alone(drawn["error"])}


def _everybody(spec: Mapping[str, Any]) -> dict[str, Any]:
    """How many people there are of whom the rows are a sample, and whether a table counted them: it stays here."""
    population = spec.get("population", {})
    if "table" not in population:
        return {"size": population["size"]} if population else {}
    return {"size": sum(map(int, population["table"][population["count"]])), "counted": True}


def _sample(figures: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """The risks among all people: what each is, its estimate, and what found it."""
    return [
        (_(sample.meaning), _say(found["value"], counts=sample.at_least), _(found["by"]))
        for sample in OF_SAMPLES
        if (found := figures.get(sample.key))
    ]


def _say(figure: float, *, counts: bool) -> str:
    """A count of people, or a share."""
    return f"{figure:.0f}" if counts else percent_alone(figure)


def _beliefs(rise: dict[str, Any] | None) -> list[tuple[str, str, str]]:
    """How sure the group that tells most makes people who thought a value half, as or twice as likely (theorem 3.1)."""
    if not rise:
        return []
    among, after = rise["before"], rise["after"]
    thought = [(_("half as likely"), among / 2), (_("as likely"), among), (_("twice as likely"), among * 2)]
    return [
        (name, percent_alone(own), percent_alone(posterior([after, 1 - after], [own, 1 - own], [among, 1 - among])[0]))
        for name, own in thought
        if own < 1
    ]


def _lattice(report: dict[str, Any], known: list[str], words: ColumnWords) -> dict[str, Any]:
    """The levels that were taken, and the lattice as a picture and a table where it is not to be published."""
    if not report["node"]:
        return {}
    heights = report["heights"][-len(known) :]  # the flag of the group, once the first, has no level above itself
    node, titles = tuple(report["node"][name] for name in known), words.list_titles(known)
    taken = {"levels": list(zip(titles, node, heights, strict=True))}
    if "minimal" not in report:
        return taken
    holding = np.array([one == "1" for one in report["holding"]]).reshape([height + 1 for height in heights])
    minimal = [tuple(one[name] for name in known) for one in report["minimal"]]
    legend = LatticeWords(
        _("does not hold"), _("holds"), _("minimal"), _("taken"), _("levels in all"), _("the path of the search")
    )
    title = _("Levels of what others may know")
    path = [tuple(one) for one in report.get("path") or ()]  # older reports have none
    return taken | {
        "svg": lattice(title, holding, minimal, node, legend),
        "path": lattice(title, holding, minimal, node, legend, path) if path else "",
        "steps": len(path),
        "names": titles,
        "minimal": minimal[:MOST_MINIMAL],
    }


def _front(made: TableRelease) -> dict[str, Any] | None:
    """What each table of the front loses and what it tells, where that was asked for; not for a file."""
    if not made.report.get("front"):
        return None
    points = [
        Point(tuple(node), loss, inf if leakage is None else float(leakage))
        for node, loss, leakage in made.report["front"]
    ]
    known, words = made.report["known"], words_of_columns(made.version, get_language() or "en")
    taken = tuple(made.report["node"][name] for name in known)
    loses, tells = _(LOSSES[made.spec["minimise"]].label), _(LEAKAGES[made.spec["front"]].meaning)
    svg = front_picture(
        _("Loss and what the table tells"), points, taken, loses, tells, words.list_titles(known), _("taken")
    )
    return {"svg": svg, "points": points, "loses": loses, "tells": tells}


def _comparison(made: TableRelease) -> dict[str, Any] | None:
    """What the table keeps of the answers, as a picture and a table; not for a file. Older reports have none."""
    measured = {column.name for column in columns_of(made.version.parsed) if column.kind is ColumnKind.NUMBER}
    figures = [
        one
        for one in map(KeptFigure.from_json, made.report.get("kept", ()))
        if one.about in ABOUT  # reports of older sites have what a tree foretold
        and (
            one.about not in OF_NUMBERS or measured.issuperset(one.name.split(", "))
        )  # codes of options are no numbers
    ]
    if not figures:
        return None
    words = words_of_columns(made.version, get_language() or "en")
    names = [
        _("%(figure)s %(columns)s")
        % {"figure": _(ABOUT[figure.about]), "columns": words.quote(figure.name.split(", "))}
        for figure in figures
    ]
    svg = kept_picture(figures, names, _("What the table moves"), _("difference"), _("none"))
    rows = [
        (name, *(_say_kept(figure, end) for end in (figure.before, figure.after)))
        for name, figure in zip(names, figures, strict=True)
    ]
    return {"svg": svg, "rows": rows}


def _say_kept(one: KeptFigure, figure: float | None) -> str:
    """A mean or a correlation as a number, all else as a share."""
    if figure is None or not isfinite(figure):
        return ""
    return f"{figure:.3g}" if one.about in OF_NUMBERS else percent_alone(figure)


def _risks(metrics: dict[str, Any]) -> list[tuple[str, str]]:
    risks, alike = metrics["risk"], metrics.get("homogeneous_classes")  # which older reports have not
    hasr = [] if alike is None else [(_("groups whose answers are the same (HASR)"), percent_alone(alike))]
    return [
        (_("fewest who are alike"), str(metrics["k"])),
        (_("share of people who are alone"), percent_alone(metrics["unicity"])),
        (_("chance to find somebody, at most"), percent_alone(risks["prosecutor"])),
        (_("chance to find somebody, on average"), percent_alone(risks["marketer"])),
        *hasr,
    ]


def _model(spec: dict[str, Any], *, somebody: bool) -> str:
    """What was asked of every class and of the table, shortly; of answers only where somebody's are true."""
    model = spec.get("model", {})
    if not somebody and model.keys() & CONDITIONS.keys():
        return _("k = %(k)s; nothing of answers, since nobody answered directly") % {"k": model["k"]}
    return "; ".join([*in_symbols(model), *bounds_in_symbols(spec.get("bounds", {}))])
