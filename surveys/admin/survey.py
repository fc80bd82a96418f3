"""The raw table of surveys in Django's admin, to be searched. What is done with a survey is done in the studio."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from surveys.domain.people.roles import Action, everywhere
from surveys.domain.responses import counts
from surveys.models import Survey
from surveys.studio.status import state as state_of


@admin.register(Survey)
class SurveyAdmin(admin.ModelAdmin):
    list_display = ("title_with_link", "slug", "state", "number", "count_of_responses")
    list_display_links = None
    search_fields = ("title", "slug")
    ordering = ("title",)
    actions = None

    def has_view_permission(self, request: HttpRequest, _obj: Survey | None = None) -> bool:
        return everywhere(request.user, Action.SEE)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Survey]:
        surveys = super().get_queryset(request).filter(rehearses=None)
        return counts.add_counts(surveys.annotate(versions_count=Count("versions")))

    @admin.display(description=gettext_lazy("survey"), ordering="title")
    def title_with_link(self, survey: Survey) -> str:
        return format_html('<a href="{}">{}</a>', reverse("studio:write", args=[survey.pk]), survey.title)

    @admin.display(description=gettext_lazy("state"))
    def state(self, survey: Survey) -> str:
        return state_of(survey, survey.versions_count)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("version"))
    def number(self, survey: Survey) -> str:
        return str(survey.versions_count or "–")  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("sealed responses"))
    def count_of_responses(self, survey: Survey) -> str:
        return str(counts.of_row(survey) or "–")
