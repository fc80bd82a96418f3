"""What goes together: the form that looks for more, the report of each search, the list of what waits for review."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
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
from mining.domain.files import FILES, WHY, is_withheld, mark_withheld, without_withheld
from mining.domain.request import estimate_seconds, minable, name_of, presets, request_run, run_again, say_duration
from mining.forms import ReviewForm, StartForm
from mining.models import MiningRun, RuleReview
from mining.offers import last_result
from privacy.errors import InputError
from surveys import lists
from surveys.access import also_of_rehearsals, staff_only
from surveys.domain.people.roles import Action, everywhere, may, surveys_of
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot, Survey
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
    """What waits for reviewers: each survey with its newest result, first those of which nobody has said anything."""
    if not has_some(request.user, Action.FINDINGS):
        raise PermissionDenied
    of_survey = Q(version__survey=OuterRef("pk")) | Q(run__snapshot__version__survey=OuterRef("pk"))
    said = RuleReview.objects.filter(of_survey).order_by().values(every=Value(1))
    results = without_withheld(MiningRun.objects.filter(result__isnull=False))
    rows = surveys_of(request.user, Action.FINDINGS).annotate(
        run=Subquery(results.filter(snapshot__version__survey=OuterRef("pk")).values("pk")[:1]),
        looked_at=Coalesce(Subquery(said.annotate(rules=Count("rule", distinct=True)).values("rules")), 0),
    )
    # Whether they are enough would tell, beside the number of the others, how few answered directly.
    answered = Snapshot.objects.filter(version__survey=OuterRef("pk"))
    rows = rows.filter(Exists(answered)).order_by(Least("looked_at", 1), "-pk")
    page = lists.page_of(request, rows)
    # The number of rules, without the columns of the result that it stands beside.
    found = results.annotate(found=KeyTextTransform("rules", "result__summary")).in_bulk([one.run for one in page])
    context = {"title": gettext("To review"), "page": page, "rows": [(one, found.get(one.run)) for one in page]}
    return render(request, "mining/to_review.html", context)


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
        "presets": [
            (
                one,
                say_duration(estimate_seconds(snapshot, one.options)),
                one is chosen and "min_support" not in request.GET,
            )
            for one in offered
        ],
        "may_run": may_run,
        "people": counts.of_snapshot(snapshot),
        "sealed": snapshot.last_day,
    }
    try:
        minable(survey)
    except InputError as error:
        return render(request, "mining/search.html", context | {"refused": sentence_of(error)})
    data = data_of(version)
    if together.has_pairs(data):
        reviews, shown = described_rules.reviews_of(version), together.every_sure_pair(data)
        for pair in shown["said"]:
            pair["verdict"] = described_rules.last_verdict(reviews.get(pair["short"], []))
        context |= {
            "shown": shown,
            "template": together.TEMPLATE,
            "judge": "mining/judge.html",
            "verdicts": RuleReview.JUDGED,
        }
        if may(request.user, Action.REVIEW, survey):
            context["address"] = reverse("mining_pair_review", args=[survey.pk])
    return render(request, "mining/search.html", context)


@also_of_rehearsals(Action.REVIEW, "POST")
def review_pair(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Keep what somebody thinks of a pair that is sure without a search."""
    try:
        version = minable(survey).version
    except InputError as error:
        raise Http404 from error
    pairs = together.every_sure_pair(data_of(version))["said"]
    review = RuleReview(version=version)
    return _keep(request, review, {pair["short"] for pair in pairs}, reverse("mining_start", args=[survey.pk]))


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
        takes = say_duration(estimate_seconds(run.snapshot, run.parameters))
        context |= {"until_then": last_result(run), "name": name_of(run), "takes": takes}
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
    return _keep(request, RuleReview(run=run), described_rules.rules_of(run), run.get_absolute_url())


def _keep(request: HttpRequest, review: RuleReview, rules: Collection[str], back: str) -> HttpResponse:
    """Keep a review of one of these rules, and lead back to its place on the page; or say why not."""
    review.by, review.at = request.user, timezone.now()  # type: ignore[assignment]
    form = ReviewForm(request.POST, instance=review, rules=rules)
    if form.is_valid():
        form.save()
    else:
        for sentences in form.errors.values():
            messages.error(request, join_sentences(sentences))
    query = QueryDict(request.POST.get("query", "")).urlencode()
    return redirect(f"{back}?{query}#r-{together.anchor_of(request.POST.get('rule', ''))}")


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
