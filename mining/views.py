"""Mining runs: their list, the form that starts one, and the report of each."""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from mining import described_rules, run_page
from mining.domain import claim
from mining.domain.files import FILES, WHY, is_withheld, mark_withheld
from mining.domain.request import request_run, run_again, thresholds_for
from mining.forms import ReviewForm, StartForm
from mining.models import MiningRun
from privacy.errors import InputError
from privacy.output import format_count
from surveys import lists
from surveys.access import staff_only
from surveys.domain.people.roles import Action, everywhere, may, surveys_of
from surveys.models import Survey
from surveys.results import figures
from surveys.results.figures import picture_file
from surveys.results.sections import tabs
from surveys.sentences import colon, join_sentences

View = Callable[..., HttpResponseBase]
EARLIER = 8  # runs in the menu of one; the list has all


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


class RunsFilter(forms.Form):
    state = forms.ChoiceField(label=_("state"), choices=[("", _("any")), *MiningRun.State.choices], required=False)
    survey = forms.ModelChoiceField(Survey.objects.none(), label=_("survey"), required=False, empty_label=_("any"))

    def __init__(self, query: QueryDict, runs: QuerySet[MiningRun]) -> None:
        super().__init__(query)
        surveys = Survey.objects.filter(pk__in=runs.values("snapshot__version__survey")).order_by("title")
        titles = Counter(surveys.values_list("title", flat=True))
        field: Any = self.fields["survey"]
        field.queryset = surveys
        field.label_from_instance = lambda one: f"{one} ({one.slug})" if titles[one.title] > 1 else str(one)


@staff_only("GET", "HEAD", "POST")
def runs(request: HttpRequest) -> HttpResponse:
    """The list; those who may delete runs can do it with several at once."""
    listed = visible(request.user)
    may_delete = request.user.has_perm("mining.delete_miningrun")
    if request.method == "POST":
        if not may_delete:
            raise PermissionDenied
        return lists.delete(request, lists.rows_with_tick(request, listed), reverse("mining_runs"))
    form = RunsFilter(request.GET, listed)
    if form.is_valid():
        asked = {"state": form.cleaned_data["state"], "snapshot__version__survey": form.cleaned_data["survey"]}
        listed = listed.filter(**{name: value for name, value in asked.items() if value})
    # The number of rules, without the columns of the result that it stands beside.
    page = lists.page_of(request, listed.annotate(rules_found=KeyTextTransform("rules", "result__summary")))
    context = {
        "title": gettext("Mining runs"),
        "form": form,
        "page": page,
        "rows": [(run, run_state(run)) for run in page],
        "may_run": has_some(request.user, Action.MINE),
        "may_delete": may_delete,
    }
    return render(request, "mining/runs.html", context)


def run_state(run: Any) -> str:
    if run.state == MiningRun.State.DONE and is_withheld(run):
        return gettext("not shown")
    if run.state == MiningRun.State.DONE:
        rules = int(run.rules_found)
        return ngettext("%(count)s rule", "%(count)s rules", rules) % {"count": format_count(rules)}
    return f"{run.get_state_display()}{colon()}{run.reason}" if run.reason else run.get_state_display()


@staff_only("GET", "HEAD", "POST")
def start(request: HttpRequest) -> HttpResponse:
    """The start form; the same request leads to the same run."""
    if not has_some(request.user, Action.MINE):
        raise PermissionDenied
    if not has_some(request.user, Action.FINDINGS):
        refusal = gettext("To start runs you must also be allowed to view them; ask an administrator for both.")
        messages.error(request, refusal)
        return redirect("studio:home")
    survey = Survey.objects.filter(slug=request.GET.get("survey", "")).first()
    version = survey.versions.last() if survey else None
    begins = dict(zip(("min_support", "min_confidence"), thresholds_for(version), strict=True)) if version else {}
    initial = {**begins, **request.GET.dict(), "survey": survey}
    form = StartForm(surveys_of(request.user, Action.MINE), request.POST or None, initial=initial)
    if form.is_valid():
        try:
            run = request_run(form.cleaned_data["survey"], form.request, request.user)  # type: ignore[arg-type]
            return redirect(run)
        except InputError as error:
            form.refuse(error)
    return render(request, "mining/start.html", {"title": gettext("Mine a survey"), "form": form})


@of_run()
def report(request: HttpRequest, run: MiningRun) -> HttpResponse:
    """The report of a run, or its progress; its address is the permanent link to the run."""
    context = {
        "title": gettext("What goes together"),
        "subtitle": str(run),
        "version": run.snapshot.version,
        "tabs": tabs(request, run.snapshot.version, "together"),
        "earlier": visible(request.user).filter(snapshot__version__survey=run.survey).exclude(pk=run.pk)[:EARLIER],
        "may_run": may(request.user, Action.MINE, run.survey),
        "may_review": may(request.user, Action.REVIEW, run.survey),
        "may_delete": request.user.has_perm("mining.delete_miningrun"),
        **run_page.report(run, request.GET),
    }
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
        messages.info(request, gettext("This run had ended already."))
    return redirect(run)


@of_run("POST", action=Action.MINE)
def again(request: HttpRequest, run: MiningRun) -> HttpResponse:
    if not run_again(run):
        messages.info(request, gettext("This run has not ended yet."))
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
    return redirect(f"{run.get_absolute_url()}?{query}#rules")


@of_run("GET", "HEAD", "POST")
def delete(request: HttpRequest, run: MiningRun) -> HttpResponse:
    if not request.user.has_perm("mining.delete_miningrun"):
        raise PermissionDenied
    return lists.delete(request, MiningRun.objects.filter(pk=run.pk), reverse("mining_runs"))


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
