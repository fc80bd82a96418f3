"""The pages of a draft, and the one address to which all its changes are sent."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError
from surveys.access import studio
from surveys.domain.drafts import history as changes
from surveys.domain.drafts.history import ConflictError, Editor
from surveys.domain.exchange.apart import read_apart
from surveys.domain.people.roles import Action, actions, may
from surveys.domain.questionnaire.closing import is_over
from surveys.domain.questionnaire.document import Draft, current_draft, read_document
from surveys.models import Survey
from surveys.results import earlier
from surveys.sentences import capital, language_name, sentence_of
from surveys.studio import panes, rail, sheet
from surveys.studio.alternatives import CARDS, price_of_skipping, prices_of, works_of
from surveys.studio.history import name_parts, offers
from surveys.studio.protection import lists_context

LONGEST_CHANGE = 2 * 2**20
# The page holds the preview of its own draft, which is a page of this site.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@studio(Action.SEE)
def write(request: HttpRequest, survey: Survey, step: str = "write") -> HttpResponse:
    """The questionnaire to be edited in place, or its protection; who may not write reads it."""
    writes = may(request.user, Action.WRITE, survey) and survey.closed_at is None
    kept = current_draft(survey)
    draft = Draft.from_document(survey, kept.document)
    beside = request.GET.get("beside", "")
    version = survey.versions.last()
    shown_panels = panes.render_panels(draft, step, writes=writes)
    response = render(
        request,
        f"studio/{step}.html",
        {
            "survey": survey,
            "step": step,
            "number": kept.number,
            "writes": writes,
            "version": version,
            "is_over": version is not None and is_over(survey),
            "offers": offers(survey, request.user, step) if writes else {},  # type: ignore[arg-type]
            "beside": beside,
            "others": [(tag, language_name(tag)) for tag in draft.languages[1:]],
            "panels": shown_panels,
            "folds": [panel for panel in shown_panels.values() if panel.title],
            "keys": _keys(),
            **(sheet.context(draft, beside, writes=writes) if step == "write" else {}),
        },
    )
    response["Content-Security-Policy"] = POLICY
    return response


def _keys() -> list[tuple[str, str]]:
    return [
        ("↑ ↓", _("to the question before or after")),
        ("Enter", _("open or close it")),
        ("Esc", _("close it from inside")),
        ("Alt+↑ Alt+↓", _("move it")),
        ("D", _("duplicate it")),
        ("N", _("add a question below it")),
        ("Del", _("delete it")),
        ("Ctrl+Z Ctrl+Y", _("undo, redo")),
        ("?", _("show these keys")),
    ]


@studio(Action.WRITE, "POST")
def change(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Make, undo or redo a change, or look: {"base", "tab", "step", "beside", "have", "change": {"do": …}}.

    The answer shows what is now on the page of the step; of parts whose marks are in `have` it holds the names alone.
    """
    if request.content_type != "application/json":
        return JsonResponse({"refused": _("Send a change as JSON.")}, status=415)
    try:
        if int(request.headers.get("Content-Length") or 0) > LONGEST_CHANGE:
            return JsonResponse({"refused": _("This change is too long.")}, status=413)
        sent = json.loads(request.body, parse_constant=_refuse_nan)
        wanted, have = sent["change"], dict(sent.get("have") or {})
        step, beside = str(sent.get("step", changes.WRITE))[:10], str(sent.get("beside", ""))
        by = Editor(request.user, str(sent["tab"])[:32], int(sent["base"]), step)  # type: ignore[arg-type]
        ways = {"undo": changes.undo, "redo": changes.redo, "look": lambda _survey, _by: None}
        way = ways.get(wanted["do"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return JsonResponse({"refused": _("This is not a change.")}, status=400)
    try:
        if way:
            way(survey, by)
        else:
            changes.change(survey, by, _read_earlier(survey, _read_upload(request, wanted)))
    except ConflictError as conflict:
        names = list(dict.fromkeys(name_parts(survey, conflict.parts)))
        now = _now(request, survey, step, beside)
        return JsonResponse({"conflict": sentence_of(conflict), "parts": names, **now}, status=409)
    except InputError as error:
        return JsonResponse({"refused": capital(sentence_of(error)), "at": getattr(error, "at", "")}, status=422)
    return JsonResponse(_now(request, survey, step, beside, have))


def _read_upload(request: HttpRequest, wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replace an uploaded file by its content, before the survey is locked for the change."""
    file = wanted.get("value") if wanted.get("field") == "outline" else None
    if not file or not isinstance(file, str):
        return wanted
    return {**wanted, "value": read_apart(request.user.pk, "outline", file.encode(), None)}


def _read_earlier(survey: Survey, wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add what a version's figures say, which are computed before the survey is locked for the change."""
    if wanted.get("do") != "guesses":
        return wanted
    if (version := earlier.version_of(survey)) is None:
        raise EntryError(earlier.NOTHING_SEALED)
    return {**wanted, "words": earlier.guesses_of_figures(version)}


@studio(Action.SEE)
def alternatives(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The prices of other ways: they take longer than a change may. `works`: of what would work instead."""
    document = read_document(survey)
    context: dict[str, Any] = {
        "survey": survey,
        "writes": may(request.user, Action.WRITE, survey) and survey.closed_at is None,
    }
    if "works" in request.GET:
        context |= {"id": "works", "heading": _("What would work"), "cards": works_of(survey, document)}
    else:
        prices = prices_of(survey, document)
        drawn = [price for price in prices[:CARDS] if price.change]
        lines = [price for price in prices if price not in drawn]
        heading = _("Other ways to do it")
        fronts = lists_context(Draft.from_document(survey, document))
        context |= {"id": "prices", "heading": heading, "cards": drawn, "lines": lines, "lists": fronts}
    return render(request, "studio/alternatives.html", context)


@studio(Action.SEE)
def price(_request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """What "prefer not to say" costs at an undisguised question: working it out for each question would hold up a
    change.
    """
    return HttpResponse(escape(price_of_skipping(survey, read_document(survey), name)))


def _refuse_nan(name: str) -> float:
    """NaN and infinities are no JSON, though Python reads them."""
    raise ValueError(name)


def _now(
    request: HttpRequest, survey: Survey, step: str, beside: str, have: Mapping[str, str] = sheet.NOTHING
) -> dict[str, Any]:
    """The draft as the page shows it after a change."""
    kept = current_draft(survey)
    draft = Draft.from_document(survey, kept.document)
    return {
        "number": kept.number,
        "sheet": sheet.sheet(draft, beside, have) if step == "write" else "",
        "panels": panes.changes_of_panels(draft, step, have, {"rail": _steps(request, survey, step)}),
        "title": kept.document["title"],
        **offers(survey, request.user, step),  # type: ignore[arg-type]
    }


def _steps(request: HttpRequest, survey: Survey, step: str) -> panes.RenderedPane:
    """The steps beside the page: what is written and protected may stand at something else now."""
    stand = tuple(rail.steps(survey, survey.versions.last(), actions(request.user, survey)))
    return panes.RenderedPane("rail", "", rail.steps_html(stand, step))
