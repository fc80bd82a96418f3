"""Django's administration: raw tables, for superusers and repairs. All others are led to the surveys."""

from typing import Any

from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.sites import AdminSite
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse_lazy


class Administration(AdminSite):
    site_header = site_title = "Candor"
    site_url = reverse_lazy("studio:home")  # type: ignore[assignment]  # its types name no lazy string
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        guarded = super().admin_view(view, cacheable)

        def show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.user.is_authenticated and not self.has_permission(request):
                return redirect("studio:home")
            return guarded(request, *args, **kwargs)

        return show


class AdministrationConfig(SimpleAdminConfig):
    default_site = "config.administration.Administration"
