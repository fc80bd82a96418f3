"""What the pages of a survey and of its questions share: permissions, form fields, the check of the whole, and the
question before anything ends for good.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Field
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from privacy.errors import InputError
from surveys.admin.forms import RowForm, form_field
from surveys.admin.panel import summary
from surveys.domain.people.roles import Action, everywhere
from surveys.domain.questionnaire.ending import mark
from surveys.domain.questionnaire.protection import protection
from surveys.domain.questionnaire.write import Draft
from surveys.models import Survey


def may(request: HttpRequest, action: str) -> bool:
    """Whether the person may do this with surveys. Blocks, questions and options follow the survey's permissions."""
    return request.user.has_perm(f"surveys.{action}_survey")


def is_administration(request: HttpRequest) -> bool:
    """Whether the person sees surveys in the administration; others come from the studio, and go back there."""
    return everywhere(request.user, Action.SEE)


def step_page(request: HttpRequest, survey: Survey, name: str, title: str, context: dict[str, Any]) -> HttpResponse:
    """A page of one survey that explains something and has a button."""
    return TemplateResponse(
        request,
        f"admin/surveys/survey/{name}.html",
        {
            **admin.site.each_context(request),
            "title": title,
            "subtitle": str(survey),
            "opts": Survey._meta,
            "original": survey,
            "administration": is_administration(request),
            **context,
        },
    )


class EndsForGoodError(Exception):
    """What is about to be saved ends something for good, and the person has not agreed to it yet."""

    def __init__(self, endings: list[str]) -> None:
        self.endings = endings


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

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What is sent is compared with what is stored under the survey's lock, so that two tabs save one by one."""
        if request.method != "POST":
            return super().change_view(request, object_id, form_url, extra_context)
        try:
            with transaction.atomic():
                if (shown := self.get_object(request, object_id)) and (survey := self.survey_of(shown)):
                    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
                return super().change_view(request, object_id, form_url, extra_context)
        except EndsForGoodError as ends:
            return self._ask(request, object_id, ends.endings)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save what ends nothing for good; ask first about what does."""
        if (endings := self.endings(obj)) and request.POST.get("agreed") != mark(endings):
            raise EndsForGoodError(endings)
        super().save_model(request, obj, form, change)

    def endings(self, obj: Any) -> list[str]:
        """What saving the object, with the rows of its page, ends for good: a sentence for each."""
        deleted = [row.instance for formset in obj.formsets for row in formset.deleted_forms if row.instance.pk]
        return [
            _("Deleted with all its texts: %(kind)s “%(name)s”.") % {"kind": row._meta.verbose_name, "name": row}
            for row in deleted
        ]

    def _ask(self, request: HttpRequest, object_id: str, endings: list[str]) -> HttpResponse:
        """Name what will happen. The button sends what was entered once more, with a mark of what was agreed to."""
        survey = self.survey_of(self.get_object(request, object_id))
        assert survey is not None  # it was about to be saved
        kept = [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name not in ("csrfmiddlewaretoken", "agreed")
        ]
        context = {"endings": endings, "kept": [*kept, ("agreed", mark(endings))]}
        return step_page(request, survey, "ask", _("This cannot be undone"), context)

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


class RowsInline(QuestionnaireAdmin, admin.StackedInline):
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
