"""The page on which a survey is written, and the list of surveys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.forms import ModelForm
from django.forms.formsets import all_valid
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from surveys.admin import files, panel, steps
from surveys.admin.fields import declared, in_rows
from surveys.admin.forms import BlockForm, SurveyForm, asking, blocks_in
from surveys.admin.shared import CheckedAdmin, RowsInline, may
from surveys.domain.questionnaire import ending, publish
from surveys.domain.questionnaire.write import Draft
from surveys.domain.responses import counts
from surveys.kinds import BLOCK_FIELDS
from surveys.models import Block, Page, Question, Survey
from surveys.offers import OFFERS


class OfSurvey(RowsInline):
    fk_field = "survey"

    def survey_of(self, obj: Survey | None) -> Survey | None:
        return obj


class BlockInline(OfSurvey):
    model = Block
    form = asking(BlockForm, {name: declared(field) for name, field in BLOCK_FIELDS.items()})
    fields = (("position", "name", "kind"), *in_rows(BLOCK_FIELDS.values()))


class PageInline(OfSurvey):
    model = Page
    fields = (("position", "title"),)


class QuestionInline(OfSurvey):
    model = Question
    fields = (("page", "position", "identifier", "type", "block"), "text")
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        return super().get_queryset(request).prefetch_related("options")


@admin.register(Survey)
class SurveyAdmin(CheckedAdmin):
    form = SurveyForm
    change_form_template = "admin/surveys/survey/change_form.html"
    list_display = ("title", "slug", "state", "number", "sealed")
    search_fields = ("title", "slug")
    ordering = ("title",)
    actions = None
    inlines = (BlockInline, PageInline, QuestionInline)
    fieldsets = (
        (None, {"fields": ("title", ("slug", "languages"))}),
        (gettext_lazy("What respondents read"), {"fields": ("heading", "who", "why", "consent", "closing", "closed")}),
        (
            gettext_lazy("Who may answer, and when"),
            {
                "fields": (
                    ("access", "direct"),
                    "lot",
                    ("anchor", "anchor_share"),
                    "comprehension",
                    ("early", "beside"),
                    ("opens_at", "closes_at"),
                    "quota",
                    "least",
                    "expected",
                )
            },
        ),
    )
    add_fieldsets = ((None, {"fields": ("title", "slug", "languages")}),)

    def survey_of(self, obj: Survey | None) -> Survey | None:
        return obj

    def has_change_permission(self, request: HttpRequest, _obj: Survey | None = None) -> bool:
        """Also a closed survey: the text that it shows once it is closed may always be changed."""
        return may(request, "change")

    def may_rewrite(self, request: HttpRequest, survey: Survey) -> bool:
        return super().has_change_permission(request, survey)

    def has_delete_permission(self, _request: HttpRequest, _obj: Survey | None = None) -> bool:
        """Never here: erasing has a page of its own, which asks for the survey's name."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Survey]:
        surveys = super().get_queryset(request).filter(rehearses=None)
        return counts.listed(surveys.annotate(versions_count=Count("versions")))

    def get_fieldsets(self, request: HttpRequest, obj: Survey | None = None) -> Any:
        """A new survey begins with name and languages. Who may only look reads the questionnaire in the template."""
        if obj is None:
            return self.add_fieldsets
        if self.may_rewrite(request, obj):
            return self.fieldsets
        still_open = ((None, {"fields": ("closed",)}),) if self.has_change_permission(request, obj) else ()
        return (*still_open, *self.fieldsets[2:])

    def get_inlines(self, request: HttpRequest, obj: Survey | None) -> Any:
        return self.inlines if obj is not None and self.may_rewrite(request, obj) else ()

    def get_readonly_fields(self, _request: HttpRequest, obj: Survey | None = None) -> tuple[str, ...]:
        """After publication the short name stays (links hold it), and so does the smallest report that was promised."""
        if obj is None:
            return ()
        if obj.closed_at is not None:
            return tuple(flatten_fieldsets(self.fieldsets[2:]))
        return ("slug", "least") if obj.versions.exists() else ()

    def get_prepopulated_fields(self, _request: HttpRequest, obj: Survey | None = None) -> dict[str, Sequence[str]]:
        return {} if obj is not None else {"slug": ("title",)}

    def _create_formsets(self, request: HttpRequest, obj: Any, change: bool) -> Any:
        """A question may choose a block that is entered together with it."""
        formsets, inlines = super()._create_formsets(request, obj, change)
        if formsets:
            blocks, _pages, questions = formsets
            chosen = blocks_in(blocks)
            for row in questions.forms:
                row.offer(chosen)
        return formsets, inlines

    def save_related(self, request: HttpRequest, form: ModelForm[Survey], formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if not change:
            Block.objects.create(survey=form.instance, name=_("Sensitive questions"))

    def response_add(self, request: HttpRequest, obj: Survey, _post_url_continue: str | None = None) -> HttpResponse:
        """Go on to the page with the texts and the questions."""
        return steps.to_page(request, obj)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        survey = self.get_object(request, object_id)
        context: dict[str, Any] = {}
        if survey is not None:
            context = panel.panel(survey) | {
                "may_change": self.may_rewrite(request, survey),
                "may_erase": may(request, "delete"),
                "may_take": may(request, "change"),
                "show_save_and_add_another": False,
                "offered": [entry for offer in OFFERS if (entry := offer(request, survey))],
            }
            if version := context["version"]:
                context |= panel.links(request, version)
            if not context["may_change"]:
                context["questionnaire"] = panel.questionnaire(panel.drafted(Draft.stored(survey)))
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def endings(self, obj: Survey) -> list[str]:
        """Also the survey itself, if its closing date has passed already."""
        return [*ending.endings(obj), *super().endings(obj)]

    def save_model(self, request: HttpRequest, obj: Survey, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.versions.exists():
            publish.close_ended(obj)

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:pk>/check/", self.admin_site.admin_view(self.check_entered), name="surveys_survey_check")
        pages = (steps.preview, steps.publish, steps.close, steps.invite, steps.draw, files.files, steps.erase)
        return (
            [own]
            + [
                path(
                    f"<int:pk>/{page.__name__}/",
                    self.admin_site.admin_view(page),
                    name=f"surveys_survey_{page.__name__}",
                )
                for page in pages
            ]
            + super().get_urls()
        )

    @method_decorator(require_POST)
    def check_entered(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What the questionnaire would promise as it stands in the browser; nothing is saved."""
        survey = get_object_or_404(Survey, pk=pk)
        if not self.may_rewrite(request, survey):
            raise PermissionDenied
        form: Any = self.get_form(request, survey, change=True)(request.POST, instance=survey)
        formsets, _inlines = self._create_formsets(request, form.instance, change=True)
        if form.is_valid() and all_valid(formsets):
            context = panel.protection_context(form.draft(*formsets))
        else:
            context = {"refused": _("This cannot be saved as it is.")}
        return TemplateResponse(request, "admin/surveys/protection.html", context | {"unsaved": True})

    @admin.display(description=gettext_lazy("state"))
    def state(self, survey: Survey) -> str:
        return panel.state(survey, survey.versions_count > 0)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("version"))
    def number(self, survey: Survey) -> str:
        return str(survey.versions_count or "–")  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("sealed responses"))
    def sealed(self, survey: Survey) -> str:
        return str(counts.of_listed(survey) or "–")
