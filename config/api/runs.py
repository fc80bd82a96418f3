"""Operations on mining runs: start one, see where it stands, take its findings."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.api import paging
from config.api.address import SURVEY, check_rights, find_survey
from config.api.figures import to_json
from config.api.operation import FILE, Call, Operations, QueryParameter, Reply
from config.api.problems import Problem
from config.api.schemas import body_schema, reference_to
from mining.domain.claim import cancel
from mining.domain.files import FILES, WHY, is_withheld, mark_withheld, round_summary
from mining.domain.request import request_run, run_again
from mining.engines.options import MINE
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from surveys.domain.people.roles import Action, may, surveys_of
from surveys.domain.responses.snapshots import cite

SEE, START = (Action.FINDINGS,), (Action.FINDINGS, Action.MINE)
RUN = "/runs/{run}"
THE_RUN = Reply("the run", reference_to("Run"))
OF_SURVEY = QueryParameter(
    "survey", {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,50}$"}, "only those of this survey"
)
operations = Operations("runs")


def find_run(call: Call) -> MiningRun:
    """The run that the address names; a Problem if the person may not see it, or not do what the call does."""
    run = _runs().filter(pk=call.path["run"]).first()
    if run is None or not may(call.user, Action.FINDINGS, run.survey):
        raise Problem(404, "There is no run with this number.")
    check_rights(call, run.survey)
    return run


def _runs() -> QuerySet[MiningRun]:
    return mark_withheld(MiningRun.objects.select_related("snapshot__version__survey", "result"))


@operations.declare("GET /runs", "read", SEE, paging.answer("Run", "a page of runs"), query=(OF_SURVEY,))
def list_runs(call: Call) -> HttpResponse:
    """Mining runs."""
    rows = _runs().filter(snapshot__version__survey__in=surveys_of(call.user, Action.FINDINGS))
    if call.query["survey"]:
        rows = rows.filter(snapshot__version__survey__slug=call.query["survey"])
    return paging.page_of_rows(call, rows, _run_object)


@operations.declare(
    f"POST {SURVEY}/runs",
    "run",
    START,
    {201: Reply("a new run", reference_to("Run")), 200: Reply("the run there is", reference_to("Run"))},
    body=body_schema(MINE),
    refusals={409: "nothing may be reported of it"},
)
def start_run(call: Call) -> HttpResponse:
    """Mine the last snapshot; the same request is the same run."""
    survey = find_survey(call)
    newest = MiningRun.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    run = request_run(survey, MiningRequest(**call.body), call.user)
    return JsonResponse(_run_object(_runs().get(pk=run.pk)), status=201 if run.pk > newest else 200)


@operations.declare(f"GET {RUN}", "read", SEE, THE_RUN)
def get_run(call: Call) -> HttpResponse:
    """Where a run stands, and its summary once it is done."""
    return JsonResponse(_run_object(find_run(call)))


@operations.declare(f"POST {RUN}/cancel", "run", START, THE_RUN, refusals={409: "it has ended already"})
def cancel_run(call: Call) -> HttpResponse:
    """End a run without a result."""
    run = find_run(call)
    if not cancel(run.pk):
        raise Problem(409, "This run had ended already.")
    run.refresh_from_db()
    return JsonResponse(_run_object(run))


@operations.declare(f"POST {RUN}/again", "run", START, THE_RUN, refusals={409: "it has not ended"})
def repeat_run(call: Call) -> HttpResponse:
    """Do a run that has ended once more."""
    run = find_run(call)
    if not run_again(run):
        raise Problem(409, "This run has not ended yet.")
    run.refresh_from_db()
    return JsonResponse(_run_object(run))


@operations.declare(f"GET {RUN}/files/{{file}}", "read", SEE, FILE, refusals={409: "it has none"})
def get_findings(call: Call) -> HttpResponseBase:
    """The findings as rules.csv, itemsets.csv or result.json."""
    run, name = find_run(call), call.path["file"]
    if name not in FILES:
        raise Problem(404, "There is not a file with this name.")
    if not hasattr(run, "result"):
        raise Problem(409, "This run has no findings.")
    if is_withheld(run):
        raise Problem(409, str(WHY))
    kind, lines = FILES[name]
    return StreamingHttpResponse(lines(run), content_type=kind)


def _run_object(run: MiningRun) -> dict[str, Any]:
    withheld = is_withheld(run)
    has_result = hasattr(run, "result") and not withheld
    return {
        "id": run.pk,
        "survey": run.survey.slug,
        "snapshot": cite(run.snapshot),
        "parameters": run.parameters,
        "state": run.state,
        "doing": str(run.doing),
        "share": run.share,
        "reason": str(WHY) if withheld else run.reason,
        "summary": to_json(round_summary(run.result.summary, run.snapshot)) if has_result else None,
        "files": list(FILES) if has_result else [],
    }
