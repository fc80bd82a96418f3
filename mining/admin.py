"""Mining in the administration: the list of runs, a start form, and the report of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from mining import pages
from mining.domain.claim import cancel
from mining.domain.files import FILES
from mining.domain.request import request_run, run_again, to_be_mined
from mining.domain.withheld_results import WHY, is_withheld, mark_withheld, without_withheld
from mining.engines.request import plain
from mining.forms import ReviewForm, StartForm
from mining.models import MiningRun
from privacy.errors import InputError
from privacy.output import whole
from surveys.domain.people.roles import Action, everywhere, may, surveys_of
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot, Survey
from surveys.offers import OFFERS, STANDING
from surveys.results import figures, study_pack
from surveys.results.picture_file import picture_file
from surveys.results.sections import SECTIONS


class OfSurvey(admin.RelatedFieldListFilter):
    """By survey, in the reader's language."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.title = gettext("survey")


@admin.register(MiningRun)
class MiningRunAdmin(admin.ModelAdmin):
    list_display = ("of_survey", "thresholds", "status", "requested_at")
    list_display_links = ("of_survey",)
    list_filter = ("state", ("snapshot__version__survey", OfSurvey))
    list_select_related = ("snapshot__version__survey",)
    change_list_template = "mining/run_list.html"

    @admin.display(description=gettext_lazy("survey"))
    def of_survey(self, run: MiningRun) -> str:
        return str(run.survey)

    @admin.display(description=gettext_lazy("support ≥, confidence ≥, items ≤"))
    def thresholds(self, run: MiningRun) -> str:
        negated = gettext(", with negations") if run.negated else ""
        return format_html(
            '{}, {}, {}{} <span class="mining-how">{}, {}</span>',
            plain(run.min_support),
            plain(run.min_confidence),
            run.max_length,
            negated,
            run.get_estimator_display(),
            run.get_engine_display(),
        )

    @admin.display(description=gettext_lazy("state"))
    def status(self, run: MiningRun) -> str:
        """Where it stands: how many rules it has, why it has no result, or a link to the page that shows it live."""
        if run.state == MiningRun.State.DONE and is_withheld(run):
            return gettext("not shown")
        if run.state == MiningRun.State.DONE:
            rules = int(run.rules_found)  # type: ignore[attr-defined]
            return ngettext("%(count)s rule", "%(count)s rules", rules) % {"count": whole(rules)}
        if run.is_open:
            return format_html('<a href="{}">{}</a>', run.get_absolute_url(), run.get_state_display())
        return f"{run.get_state_display()}: {run.reason}" if run.reason else run.get_state_display()

    def get_queryset(self, request: HttpRequest) -> QuerySet[MiningRun]:
        """With the number of rules, but without the columns of the result they stand in."""
        runs = super().get_queryset(request).annotate(rules_found=KeyTextTransform("rules", "result__summary"))
        if not everywhere(request.user, Action.FINDINGS):
            own, survey = surveys_of(request.user, Action.FINDINGS), "snapshot__version__survey"
            runs = runs.filter(Q(**{f"{survey}__in": own}) | Q(**{f"{survey}__rehearses__in": own}))
        return mark_withheld(runs)

    def has_view_permission(self, request: HttpRequest, obj: MiningRun | None = None) -> bool:
        return self._may(request, Action.FINDINGS, obj)

    def has_add_permission(self, request: HttpRequest, obj: MiningRun | None = None) -> bool:
        return self._may(request, Action.MINE, obj)

    def _may(self, request: HttpRequest, action: Action, run: MiningRun | None) -> bool:
        """Whether the person may do this with the survey of the run, or with some survey."""
        if run is not None:
            return may(request.user, action, run.survey)
        return everywhere(request.user, action) or surveys_of(request.user, action).exists()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": gettext("Mining runs"), **(extra_context or {})})

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("<int:run_id>/progress/", view(self.progress), name="mining_run_progress"),
            path("<int:run_id>/cancel/", view(require_POST(self.cancel)), name="mining_run_cancel"),
            path("<int:run_id>/again/", view(require_POST(self.again)), name="mining_run_again"),
            path("<int:run_id>/review/", view(require_POST(self.review)), name="mining_run_review"),
            path("<int:run_id>/compare/", view(self.compare), name="mining_run_compare"),
            path("<int:run_id>/pictures/<str:name>.svg", view(self.picture), name="mining_run_picture"),
            path("<int:run_id>/<str:name>", view(self.export), name="mining_run_export"),
        ]
        return own + super().get_urls()

    def has_change_permission(self, *_: Any, **__: Any) -> bool:
        """A run is never edited: its page is a report."""
        return False

    def add_view(self, request: HttpRequest, *_: Any, **__: Any) -> HttpResponse:
        """The start form; the same request leads to the same run."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if not self.has_view_permission(request):
            refusal = gettext("Whoever starts runs must be allowed to view them, too; ask an administrator for both.")
            messages.error(request, refusal)
            return redirect("admin:index")
        survey = Survey.objects.filter(slug=request.GET.get("survey", "")).first()
        initial = {**request.GET.dict(), "survey": survey}
        form = StartForm(surveys_of(request.user, Action.MINE), request.POST or None, initial=initial)
        if request.method == "POST" and form.is_valid():
            try:
                run = request_run(form.cleaned_data["survey"], form.request, request.user)  # type: ignore[arg-type]
                return redirect(run)
            except InputError as error:
                form.refuse(error)
        return self._page(request, "mining/start.html", gettext("Mine a survey"), {"form": form})

    def change_view(self, request: HttpRequest, object_id: str, *_: Any, **__: Any) -> HttpResponse:
        """The report of a run, or where it stands; its address is the permanent link to the run."""
        run = self._visible(request, object_id)
        context = {
            "subtitle": str(run),
            "may_run": self.has_add_permission(request, run),
            "may_review": may(request.user, Action.REVIEW, run.survey),
            "may_delete": self.has_delete_permission(request, run),
            **pages.report(run, request.GET),
        }
        return self._page(request, "mining/run.html", gettext("Mining run"), context)

    def progress(self, request: HttpRequest, run_id: int) -> JsonResponse:
        """Where a run stands, for the page that shows it live."""
        run = self._visible(request, run_id)
        return JsonResponse(
            {
                "open": run.is_open,
                "state": run.get_state_display(),
                "doing": run.doing,
                "counted": run.counted,
                "share": run.share,
            }
        )

    def cancel(self, request: HttpRequest, run_id: int) -> HttpResponse:
        run = self._runnable(request, run_id)
        if not cancel(run.pk):
            messages.info(request, gettext("This run had ended already."))
        return redirect(run)

    def again(self, request: HttpRequest, run_id: int) -> HttpResponse:
        run = self._runnable(request, run_id)
        if not run_again(run):
            messages.info(request, gettext("This run has not ended yet."))
        return redirect(run)

    def review(self, request: HttpRequest, run_id: int) -> HttpResponse:
        """Add a review of a rule, and go back to where the rule stands."""
        run = self._visible(request, run_id)
        if not may(request.user, Action.REVIEW, run.survey):
            raise PermissionDenied
        if not hasattr(run, "result") or is_withheld(run):
            raise Http404
        form = ReviewForm(request.POST, rules=pages.rules_of(run))
        if form.is_valid():
            form.instance.run, form.instance.by, form.instance.at = run, request.user, timezone.now()
            form.save()
        else:
            for sentences in form.errors.values():
                messages.error(request, " ".join(map(str, sentences)))
        query = QueryDict(request.POST.get("query", "")).urlencode()
        return redirect(f"{run.get_absolute_url()}?{query}#rules")

    def compare(self, request: HttpRequest, run_id: int) -> HttpResponse:
        """What is new, gone or moved against an earlier run of the same survey."""
        run = self._visible(request, run_id)
        context = {"subtitle": str(run), **pages.compared(run, request.GET)}
        return self._page(request, "mining/compare.html", gettext("Two runs compared"), context)

    def export(self, request: HttpRequest, run_id: int, name: str) -> HttpResponseBase:
        """The whole result as a file."""
        run = self._visible(request, run_id)
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

    def picture(self, request: HttpRequest, run_id: int, name: str) -> HttpResponse:
        """A picture of the report as a file, with its title, caption and source."""
        run = self._visible(request, run_id)
        return picture_file(pages.pictures_of(run), name, figures.citation(run.snapshot))

    def _page(self, request: HttpRequest, template: str, title: str, context: dict[str, Any]) -> TemplateResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        return TemplateResponse(request, template, shared | context)

    def _visible(self, request: HttpRequest, run_id: int | str) -> MiningRun:
        if not self.has_view_permission(request):
            raise PermissionDenied
        run = self.get_object(request, str(run_id))
        if run is None:
            raise Http404
        return run

    def _runnable(self, request: HttpRequest, run_id: int) -> MiningRun:
        run = self._visible(request, run_id)
        if not self.has_add_permission(request, run):
            raise PermissionDenied
        return run


def offer(request: HttpRequest, survey: Survey) -> tuple[str, str] | None:
    """On the page of a survey with sealed responses, for those who may start runs."""
    rights = (Action.MINE, Action.FINDINGS)
    if latest(survey) is None or not all(may(request.user, action, survey) for action in rights):
        return None
    return gettext("Mine"), f"{reverse('admin:mining_miningrun_add')}?survey={survey.slug}"


OFFERS.append(offer)


def standing(snapshot: Snapshot) -> str | None:
    """What is still worked out of the answers of a rehearsal."""
    run = MiningRun.objects.filter(snapshot=snapshot).last()
    if run is None:
        return gettext("It will be mined in a moment.") if to_be_mined(snapshot) else None
    return gettext("It is mined: %(doing)s") % {"doing": run.doing or run.get_state_display()} if run.is_open else None


STANDING.append(standing)


def findings(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[bytes]]]:
    """For the study pack: the files of every finished run on the snapshot."""
    done = MiningRun.objects.filter(snapshot=snapshot, state=MiningRun.State.DONE)
    for run in without_withheld(done).select_related("result"):
        for name, (_kind, lines) in FILES.items():
            yield f"rules/run-{run.pk}-{name}", (line.encode() for line in lines(run))


study_pack.ADDED.append(findings)
SECTIONS.append(pages.SECTION)
