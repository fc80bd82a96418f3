"""The pages of results: the report of a version, and its pictures as files."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import of_version, studio
from surveys.domain.people import log
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.minimum import minimum_of_draft, minimum_of_version
from surveys.domain.responses.snapshots import latest
from surveys.models import Phrase, Survey, SurveyVersion
from surveys.results import figures, report, sharing
from surveys.results.figures import picture_file
from surveys.results.forms import CompareForm, CrosstabForm, RegressionForm, WeightedForm
from surveys.results.reading import ReportData
from surveys.results.sections import GROUPS, tab, tabs
from surveys.results.words import words_of
from surveys.sentences import language_name, sentence_of
from surveys.shared_report import as_readers_see_it


def rights(request: HttpRequest, version: SurveyVersion) -> report.May:
    """What the reader may do with the survey of the version."""
    return lambda action: may(request.user, action, version.survey)


@studio(Action.SEE)
def newest(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Redirect to the newest version's report; before there is one, say what will be there."""
    snapshot = latest(survey)
    if snapshot is not None:
        return redirect("studio:results", snapshot.version_id)
    version = survey.versions.last()
    shown = minimum_of_version(version) if version else minimum_of_draft(Draft.load(survey))
    return render(request, "studio/results/none.html", {"survey": survey, "shown": shown.sentence})


@of_version(Action.SEE)
def results(request: HttpRequest, version: SurveyVersion, name: str = "report") -> HttpResponse:
    """The whole report of a version, or one part of it; what cannot be reported stands first."""
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, name, {"refused": sentence_of(error)})
    allowed = rights(request, version)
    parts = report.parts(data, allowed) if name == "report" else filter(None, [report.part(data, name, allowed)])
    shown = [(part, part.context(), _picture(version, part)) for part in parts]
    context = {"data": data, **report.fold_parts(shown), "citation": figures.citation(data.snapshot)}
    return page(request, version, name, context)


def _picture(version: SurveyVersion, part: report.ReportPart) -> str:
    """The address of the pictures of a part; in place of "NAME" stands that of one."""
    return reverse("studio:results-picture", args=[version.pk, part.key, "NAME"])


def _on_demand(name: str, form_of: Callable[[QueryDict, ReportData], Any], share: Any) -> Callable[..., HttpResponse]:
    """A page with a form in the address, so that it can be linked to; its valid choice is the key of a part.

    `share` is what the link says that leads to sharing it.
    """

    @of_version(Action.SEE)
    def show(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
        try:
            data = report.data_of(version)
            form = form_of(request.GET, data)
        except InputError as error:
            return page(request, version, name, {"refused": sentence_of(error)})
        context: dict[str, Any] = {"data": data, "form": form, "citation": figures.citation(data.snapshot)}
        context["share"] = share
        if form.is_valid():
            try:
                chosen = report.part(data, form.part().key, rights(request, version))
                if chosen:
                    shown = {"part": chosen, "context": chosen.context()}
                    context |= shown | {"picture_address": _picture(version, chosen)}
            except InputError as error:
                if not request.GET and version.design.has_words:  # the form began with what its list lacks
                    return page(request, version, name, context)
                context["why_not"] = sentence_of(error)
                context["instead"] = form.instead() if isinstance(form, CrosstabForm) else []
        return page(request, version, name, context)

    return show


table = _on_demand("table", CrosstabForm, gettext_lazy("Share this table"))
regression = _on_demand("regression", RegressionForm, gettext_lazy("Share this regression"))
compare = _on_demand("compare", CompareForm, gettext_lazy("Share this comparison"))
weighted = _on_demand("weighted", WeightedForm, gettext_lazy("Share these shares"))


@of_version(Action.SEE)
def picture(request: HttpRequest, version: SurveyVersion, key: str, name: str) -> HttpResponse:
    """A picture of a part as a file, with its title, caption and source."""
    try:
        data = report.data_of(version)
        part = report.part(data, key, rights(request, version))
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
    rejected = forms.ChoiceField(
        label=gettext_lazy("Rules that a reviewer rejected"),
        choices=[
            ("", gettext_lazy("leave them out")),
            ("marked", gettext_lazy("show them last, with the words “A reviewer rejected this rule.”")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, offered: Sequence[report.ReportPart], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["parts"].choices = [(part.key, part.title) for part in offered]  # type: ignore[attr-defined]
        self.fields["parts"].initial = [part.key for part in offered]
        self.without = {part.key: part.without for part in offered if part.without}
        if not self.without:
            del self.fields["rejected"]

    def keys(self) -> list[str]:
        """The keys of the chosen parts, each with or without what reviewers rejected."""
        parts = self.cleaned_data["parts"]
        return parts if self.cleaned_data.get("rejected") else [self.without.get(key, key) for key in parts]


@of_version(Action.TAKE, "GET", "POST")
def share(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """The links to this report: a new one, whose address is shown this once, and those there are, to take back."""
    context: dict[str, Any] = {}
    if version.survey.rehearses_id is not None:
        refused = _("These answers are simulated, to try a draft: their report has no link for others.")
        return page(request, version, "share", {"refused": refused})
    try:
        data = report.data_of(version)
    except InputError as error:
        return page(request, version, "share", {"refused": sentence_of(error)})
    allowed = rights(request, version)
    asked = [part for key in request.GET.getlist("part") if (part := report.ON_DEMAND.find(data, key))]
    if version.survey.versions.count() > 1 and (moved := report.part(data, "versions", allowed)):
        asked.append(moved)
    offered = [*report.parts(data, allowed), *asked]
    form, looks = ShareForm(offered, request.POST if "label" in request.POST else None), "look" in request.POST
    form.fields["label"].required = form.fields["days"].required = not looks
    if "revoke" in request.POST:
        sharing.revoke(get_object_or_404(version.shared_reports, pk=request.POST["revoke"]))
        log.note_down(version.survey, request.user, "A shared report was withdrawn.")
        return redirect("studio:results-share", version.pk)
    if form.is_valid():
        if looks:
            return as_readers_see_it(request, version, form.keys())
        values = form.cleaned_data
        user: Any = request.user
        shared, token = sharing.share(version, values["label"], form.keys(), values["days"], user)
        log.note_down(version.survey, request.user, "A report was shared: %(label)s.", label=shared.label)
        context["link"] = request.build_absolute_uri(reverse("shared-report", args=[token]))
        form = ShareForm(offered)
    return page(request, version, "share", context | {"form": form, "links": version.shared_reports.all()})


@of_version(Action.TAKE, "GET", "POST")
def words(request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """Edit the words for answers, in each language of the questionnaire."""
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
        messages.success(request, _("The words of the report are saved."))
        return redirect("studio:results-words", version.pk)
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
    """A page of results with its tabs."""
    own = {"release": "releases", "further": "releases"}.get(name, name)
    looks_like = {"versions": "report", "pairs": "report"}.get(name, name)
    groups = [tab(version, group, own) for group in GROUPS]
    return TemplateResponse(
        request,
        [f"studio/results/{looks_like}.html", "studio/results/asked.html"],
        {
            "title": _("Results"),
            "subtitle": str(version),
            "version": version,
            "tabs": tabs(request, version, own),
            "groups": groups if any(group.here for group in groups) else [],
            "may_change": may(request.user, Action.TAKE, version.survey),
            **context,
        },
    )
