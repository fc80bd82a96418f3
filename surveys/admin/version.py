"""The page of a published version: everything can be read, nothing can be changed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern

from surveys.admin import panel, releases, results
from surveys.domain.people.roles import Action, everywhere, may
from surveys.domain.questionnaire import publish
from surveys.models import SurveyVersion


@admin.register(SurveyVersion)
class SurveyVersionAdmin(admin.ModelAdmin):
    change_form_template = "admin/surveys/surveyversion/change_form.html"
    fields = ()

    def has_module_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: SurveyVersion | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: SurveyVersion | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: SurveyVersion | None = None) -> bool:
        return everywhere(request.user, Action.SEE) or (obj is not None and may(request.user, Action.SEE, obj.survey))

    def get_urls(self) -> list[URLPattern]:
        return results.addresses() + releases.addresses() + super().get_urls()

    def changelist_view(self, _request: HttpRequest, _extra_context: dict[str, Any] | None = None) -> HttpResponse:
        raise Http404

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        version = self.get_object(request, object_id)
        context: dict[str, Any] = {}
        if version is not None:
            context = {
                **panel.links(request, version),
                "questionnaire": panel.questionnaire(version.parsed.source),
                **panel.sealed(version.snapshots.select_related("version__survey").last()),
                "closed": publish.is_closed(version.survey) or version != version.survey.versions.last(),
                **panel.frozen_context(version),
            }
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))
