"""What goes together: the form that looks for more, the report of each search, the list of what waits for review."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce, Least
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from mining import described_rules, run_page
from mining.domain import claim
from mining.domain.files import FILES, WHY, is_withheld, mark_withheld
from mining.domain.request import minable, presets, request_run, run_again
from mining.forms import ReviewForm, StartForm
from mining.models import MiningRun, RuleReview
from mining.offers import last_result
from privacy.errors import InputError
from surveys import lists
from surveys.access import also_of_rehearsals, staff_only
from surveys.domain.people.roles import Action, everywhere, may, surveys_of
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey
from surveys.results import figures, together
from surveys.results.figures import picture_file
from surveys.results.report import data_of
from surveys.results.sections import tabs
from surveys.sentences import join_sentences, sentence_of

View = Callable[..., HttpResponseBase]


def has_some(user: Any, action: Action) -> bool:
    """Whether the user may do this with at least one survey."""
    return everywhere(user, action) or surveys_of(user, action).exists()


def visible(user: Any) -> QuerySet[MiningRun]:
    """The runs that the user may see, with `withheld`; PermissionDenied for people who may see none."""
    if not has_some(user, Action.FINDINGS):
        raise PermissionDenied
    runs = mark_withheld(MiningRun.objects.select_related("snapshot__version__survey"))
    if everywhere(user, Action.FINDINGS):
        return runs
    own, survey = surveys_of(user, Action.FINDINGS), "snapshot__version__survey"
    return runs.filter(Q(**{f"{survey}__in": own}) | Q(**{f"{survey}__rehearses__in": own}))


def of_run(*methods: str, action: Action | None = None) -> Callable[[Callable[..., HttpResponseBase]], View]:
    """Make a page of staff that gets the run with this number; the user must see it and may do `action` with it."""

    def decorate(page: Callable[..., HttpResponseBase]) -> View:
        @staff_only(*methods)
        @wraps(page)
        def answer(request: HttpRequest, run_id: int, **address: Any) -> Any:
            run = visible(request.user).filter(pk=run_id).first()
            if run is None:
                raise Http404
            if action is not None and not may(request.user, action, run.survey):
                raise PermissionDenied
            return page(request, run, **address)

        return answer

    return decorate


@staff_only()
def to_review(request: HttpRequest) -> HttpResponse:
    """What waits for reviewers: the newest result of each survey, first those of which nobody has said anything."""
    newest = visible(request.user).filter(result__isnull=False, snapshot__version__survey__rehearses=None)
    latest_of = newest.order_by().values("snapshot__version__survey").annotate(newest=Max("pk")).values("newest")
    said = RuleReview.objects.filter(run=OuterRef("pk")).order_by().values("run")
    rows = (
        visible(request.user)
        .filter(pk__in=latest_of, withheld=False)
        .annotate(
            # The number of rules, without the columns of the result that it stands beside.
            found=KeyTextTransform("rules", "result__summary"),
            looked_at=Coalesce(Subquery(said.annotate(rules=Count("rule", distinct=True)).values("rules")), 0),
        )
    )
    page = lists.page_of(request, rows.order_by(Least("looked_at", 1), "-pk"))
    return render(request, "mining/to_review.html", {"title": gettext("To review"), "page": page})


@staff_only()
def former_form(request: HttpRequest) -> HttpResponse:
    """The address that the form had outside of surveys leads to the one of the survey that it names."""
    survey = surveys_of(request.user, Action.FINDINGS).filter(slug=request.GET.get("survey", "")).first()
    if survey is None:
        return redirect("mining_runs")
    return redirect(f"{reverse('mining_start', args=[survey.pk])}?{request.GET.urlencode()}")


@also_of_rehearsals(Action.FINDINGS, "GET", "HEAD", "POST")
def search(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The pairs that are sure without a search, and the form that looks for more; the same request is the same run."""
    may_run = may(request.user, Action.MINE, survey)
    if request.method == "POST" and not may_run:
        raise PermissionDenied
    snapshot = latest(survey)
    if snapshot is None:
        return redirect("studio:report", survey.pk)
    version = snapshot.version
    offered = presets(version)
    chosen = next((one for one in offered if one.name == request.GET.get("look")), offered[0])
    form = StartForm(request.POST or None, initial={**chosen.options, **request.GET.dict()})
    if form.is_valid():
        try:
            return redirect(request_run(survey, form.request, request.user))  # type: ignore[arg-type]
        except InputError as error:
            form.refuse(error)
    context = {
        "title": gettext("What goes together"),
        "survey": survey,
        "version": version,
        "tabs": tabs(request, version, "together"),
        "form": form,
        "presets": [(one, one is chosen and "min_support" not in request.GET) for one in offered],
        "may_run": may_run,
        "people": counts.of_snapshot(snapshot),
        "sealed": snapshot.last_day,
        "most": settings.MINING_SECONDS // 60,
    }
    try:
        minable(survey)
        pairs = next(iter(together.parts(data_of(version))), None)
    except InputError as error:
        return render(request, "mining/search.html", context | {"refused": sentence_of(error)})
    return render(request, "mining/search.html", context | {"pairs": pairs, "shown": pairs and pairs.context()})


@of_run()
def report(request: HttpRequest, run: MiningRun) -> HttpResponse:
    """The report of a run, or its progress; its address is the permanent link to the run."""
    context = {
        "title": gettext("What goes together"),
        "subtitle": str(run),
        "version": run.snapshot.version,
        "tabs": tabs(request, run.snapshot.version, "together"),
        "earlier": visible(request.user).filter(snapshot__version__survey=run.survey).exclude(pk=run.pk),
        "may_run": may(request.user, Action.MINE, run.survey),
        "may_review": may(request.user, Action.REVIEW, run.survey),
        "may_delete": request.user.has_perm("mining.delete_miningrun"),
        **run_page.report(run, request.GET),
    }
    if run.is_open:
        context["until_then"] = last_result(run)
    return render(request, "mining/run.html", context)


@of_run()
def progress(request: HttpRequest, run: MiningRun) -> JsonResponse:  # noqa: ARG001  every page takes it
    return JsonResponse(
        {
            "open": run.is_open,
            "state": run.get_state_display(),
            "doing": run.doing,
            "counted": run.count_so_far,
            "share": run.share,
        }
    )


@of_run("POST", action=Action.MINE)
def cancel(request: HttpRequest, run: MiningRun) -> HttpResponse:
    if not claim.cancel(run.pk):
        messages.info(request, gettext("This search had ended already."))
    return redirect(run)


@of_run("POST", action=Action.MINE)
def again(request: HttpRequest, run: MiningRun) -> HttpResponse:
    if not run_again(run):
        messages.info(request, gettext("This search has not ended yet."))
    return redirect(run)


@of_run("POST", action=Action.REVIEW)
def review(request: HttpRequest, run: MiningRun) -> HttpResponse:
    if not hasattr(run, "result") or is_withheld(run):
        raise Http404
    form = ReviewForm(request.POST, rules=described_rules.rules_of(run))
    if form.is_valid():
        form.instance.run, form.instance.by, form.instance.at = run, request.user, timezone.now()
        form.save()
    else:
        for sentences in form.errors.values():
            messages.error(request, join_sentences(sentences))
    query = QueryDict(request.POST.get("query", "")).urlencode()
    return redirect(f"{run.get_absolute_url()}?{query}#r-{described_rules.anchor(request.POST.get('rule', ''))}")


@of_run("GET", "HEAD", "POST")
def delete(request: HttpRequest, run: MiningRun) -> HttpResponse:
    if not request.user.has_perm("mining.delete_miningrun"):
        raise PermissionDenied
    return lists.delete(request, MiningRun.objects.filter(pk=run.pk), reverse("mining_start", args=[run.survey.pk]))


@of_run()
def export(request: HttpRequest, run: MiningRun, name: str) -> HttpResponseBase:
    if name not in FILES or not hasattr(run, "result"):
        raise Http404
    if is_withheld(run):
        messages.error(request, WHY)
        return redirect(run)
    kind, lines = FILES[name]
    response = StreamingHttpResponse(lines(run), content_type=kind)
    survey = f"{run.survey.slug}-simulated" if run.survey.simulated else run.survey.slug
    response["Content-Disposition"] = f'attachment; filename="{survey}-run-{run.pk}-{name}"'
    return response


@of_run()
def picture(request: HttpRequest, run: MiningRun, name: str) -> HttpResponse:  # noqa: ARG001  every page takes it
    return picture_file(run_page.pictures_of(run), name, figures.citation(run.snapshot))
