"""The administration, whose index lists surveys and mining first, because people come for them."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver

from surveys.domain import damage

FIRST = ["surveys", "mining"]


class Administration(AdminSite):
    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        def place(app: dict[str, Any]) -> int:
            return FIRST.index(app["app_label"]) if app["app_label"] in FIRST else len(FIRST)

        return sorted(super().get_app_list(request, app_label), key=place)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"damaged": damage.is_reported()}

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Without the redirect to an object's page on the site: none has one, and the redirect would fail."""
        return [route for route in super().get_urls() if getattr(route, "name", None) != "view_on_site"]


class AdministrationConfig(AdminConfig):
    default_site = "config.administration.Administration"
