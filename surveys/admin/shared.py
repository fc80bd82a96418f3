"""What the pages of a survey and of its questions share: permissions, form fields, and the check of the whole."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Field
from django.http import HttpRequest, HttpResponse

from privacy.errors import InputError
from surveys.admin.forms import RowForm, form_field
from surveys.admin.panel import summary
from surveys.domain.protection import protection
from surveys.domain.write import Draft
from surveys.models import Survey


def may(request: HttpRequest, action: str) -> bool:
    """Whether the person may do this with surveys. Blocks, questions and options follow the survey's permissions."""
    return request.user.has_perm(f"surveys.{action}_survey")


class QuestionnaireAdmin(admin.options.BaseModelAdmin):
    def formfield_for_dbfield(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        return form_field(db_field) or super().formfield_for_dbfield(db_field, request, **kwargs)

    def has_view_permission(self, request: HttpRequest, _obj: Any = None) -> bool:
        return may(request, "view") or may(request, "change")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only a survey that is not closed may be changed."""
        survey = self.survey_of(obj)
        return may(request, "change") and (survey is None or survey.closed_at is None)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def survey_of(self, obj: Any) -> Survey | None:
        raise NotImplementedError


class CheckedAdmin(QuestionnaireAdmin, admin.ModelAdmin):
    """A page whose form checks itself together with its inlines (surveys.admin.forms.CheckedForm)."""

    def _create_formsets(self, request: HttpRequest, obj: Any, change: bool) -> Any:
        formsets, inlines = super()._create_formsets(request, obj, change)  # type: ignore[misc]
        obj.formsets = formsets
        return formsets, inlines

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Show, beside the confirmation, what the questionnaire promises now."""
        survey = self.survey_of(obj)
        assert survey is not None  # a survey, or a question of one, was changed
        if survey.closed_at is not None:
            return super().response_change(request, obj)
        with suppress(InputError):  # an unfinished design promises nothing; its page says what is missing
            promises = protection(Draft.stored(survey))
            level = messages.WARNING if promises.over_limit else messages.INFO
            messages.add_message(request, level, summary(promises))
        return super().response_change(request, obj)


class Rows(QuestionnaireAdmin, admin.StackedInline):
    """An inline whose rows know their survey, its blocks, and the position of a new row."""

    form = RowForm
    extra = 0
    fk_field: str  # the model's foreign key to the object of the page

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        formset = super().get_formset(request, obj, **kwargs)
        rows: Any = formset.form
        survey = self.survey_of(obj)
        if survey is not None:
            rows.survey = survey
            rows.blocks = list(survey.blocks.all()) if "block" in rows.base_fields else ()
            rows.next_position = self.model._default_manager.filter(**{self.fk_field: obj}).count() + 1
        return formset
