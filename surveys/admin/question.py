"""The page of one question: its options, its range, its condition and all its texts. The survey's page leads to it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from privacy.design.forms import FormField
from privacy.errors import EntryError
from surveys.admin.fields import declared, declared_share, in_rows, shown_value
from surveys.admin.forms import OptionForm, QuestionForm, asking
from surveys.admin.shared import CheckedAdmin, RowsInline
from surveys.admin.steps import to_page
from surveys.domain.exchange.apart import read_apart
from surveys.domain.questionnaire.zones import made_of_zones
from surveys.kinds import OPTION_FIELDS, QUESTION_FIELDS
from surveys.models import Option, Question, Survey


class OptionInline(RowsInline):
    model = Option
    form = asking(OptionForm, {name: declared_share(field) for name, field in OPTION_FIELDS.items()})
    fk_field = "question"
    fields = (("position", "value", *OPTION_FIELDS, "last"), "label")

    def survey_of(self, obj: Question | None) -> Survey | None:
        return obj.survey if obj is not None else None


@admin.register(Question)
class QuestionAdmin(CheckedAdmin):
    form = asking(QuestionForm, {name: declared(field) for name, field in QUESTION_FIELDS.items()})
    change_form_template = "admin/surveys/question/change_form.html"
    inlines = (OptionInline,)
    fieldsets = (
        (None, {"fields": (("page", "position"), ("identifier", "type"), "text", "help")}),
        (_("Disguise"), {"fields": ("block", *in_rows(QUESTION_FIELDS.values()), "no_skip")}),
        (_("Range and order"), {"fields": (("minimum", "maximum"), "low", "high", "shuffle")}),
        (_("Open questions"), {"fields": ("required", "when")}),
    )

    def survey_of(self, obj: Question | None) -> Survey | None:
        return obj.survey if obj is not None else None

    @admin.display(description=_("Only when"))
    def when(self, question: Question) -> str:
        """The condition for people who may only look; for others it is a field of the form."""
        return f"{question.when_question}: {question.when_values}" if question.when_question else "–"

    def get_urls(self) -> list[Any]:
        zones = path(
            "<path:object_id>/zones/", admin.site.admin_view(self.made_of_zones), name="surveys_question_zones"
        )
        return [zones, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The file of an outline is read before the survey is locked; what was read of it takes its place."""
        if request.method == "POST" and (file := request.FILES.get("map:file")):
            cell = request.POST.get("map:cell", "").strip()
            try:
                outline = read_apart(request.user.pk, "outline", file.read(), float(cell) if cell else None)
            except EntryError as error:
                outline = error
            except ValueError:
                outline = EntryError("A map has a width, a height and a cell, all numbers.")
            request.FILES["map:file"] = outline
        return super().change_view(request, object_id, form_url, extra_context)

    @method_decorator(require_POST)
    def made_of_zones(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """What becomes of the zones that are entered on the page, saved or not."""
        question = self.get_object(request, object_id)
        if question is None:
            raise Http404
        if not self.has_change_permission(request, question):
            raise PermissionDenied
        form = self.get_form(request, question, change=True)(request.POST, instance=question)
        if wrong := [form.errors[name][0] for name in ("map", "zones") if name in form.errors]:
            return JsonResponse({"merged": [], "said": " ".join(wrong)})
        made = made_of_zones(form.cleaned_data.get("block"), question.settings)
        return JsonResponse({"merged": made.zones, "said": made.said})

    def has_module_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Questions are added on the page of their survey."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Questions are deleted on the page of their survey."""
        return False

    def changelist_view(self, _request: HttpRequest, _extra_context: dict[str, Any] | None = None) -> HttpResponse:
        raise Http404

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.survey = obj.survey
        return form

    def log_change(self, request: HttpRequest, obj: Question, message: Any) -> LogEntry:
        """Note the change in the history of the survey, so that it is deleted when the survey is erased."""
        own = {"name": str(Question._meta.verbose_name), "object": str(obj)}
        notes = [{"changed": own | part["changed"]} if "changed" in part else part for part in message]
        entry: LogEntry = admin.site.get_model_admin(Survey).log_change(request, obj.survey, notes)
        return entry

    def response_post_save_change(self, request: HttpRequest, obj: Question) -> HttpResponseRedirect:
        return to_page(request, obj.survey)


def entered_value(field: FormField) -> Any:
    """A value of the disguise for people who may only look; for others it is a field of the form."""

    @admin.display(description=capfirst(_(field.label)))
    def shown(_admin: Any, row: Question | Option) -> str:
        return shown_value(field, row.settings)

    return shown


for page, fields in ((QuestionAdmin, QUESTION_FIELDS), (OptionInline, OPTION_FIELDS)):
    for name, field in fields.items():
        setattr(page, name, entered_value(field))
