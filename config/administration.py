"""The administration, whose index lists surveys and mining first, because people come for them."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from surveys.domain.database import damage

FIRST = ["surveys", "mining"]


class Administration(AdminSite):
    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        def place(app: dict[str, Any]) -> int:
            return FIRST.index(app["app_label"]) if app["app_label"] in FIRST else len(FIRST)

        return sorted(super().get_app_list(request, app_label), key=place)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"damaged": damage.is_reported()}

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """With a page about the running of the site.

        Without the redirect to an object's page on the site: none has one, and the redirect would fail.
        """
        own = [path("system/", self.admin_view(self.system), name="system")]
        return own + [route for route in super().get_urls() if getattr(route, "name", None) != "view_on_site"]

    def system(self, request: HttpRequest) -> HttpResponse:
        """How the site runs, for those who run it; other staff have no such page."""
        from config.run import last_backup, state  # loads models, which are not there yet when this class is
        from surveys.domain.closed import statement

        if not request.user.is_superuser:
            raise PermissionDenied
        context = {**self.each_context(request), "title": _("System")}
        heard, mining = state.broker(), state.runs()
        context |= {"ready": state.readiness(), "broker": heard, "runs": mining, "versions": state.versions()}
        context["lists"] = statement.being_made()
        if (age := last_backup.age()) is not None:
            context |= {"backup_hours": age / 3600, "backup_late": age > last_backup.LATE}
        context["takes_none"] = state.takes_none(heard, mining)
        return TemplateResponse(request, "admin/system.html", context)

    @method_decorator(csrf_exempt)  # checked inside, once the body is known to be small
    @method_decorator(never_cache)
    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from config.signin.views import SignIn, small_form  # loads models, which are not there yet when this class is

        @small_form
        def page(request: HttpRequest) -> HttpResponse:
            index = reverse("admin:index", current_app=self.name)
            if request.method == "GET" and self.has_permission(request):
                return HttpResponseRedirect(index)
            context = {**self.each_context(request), "title": _("Log in"), "subtitle": None}
            context |= {"app_path": request.get_full_path(), "username": request.user.get_username()}
            if REDIRECT_FIELD_NAME not in request.GET | request.POST:
                context[REDIRECT_FIELD_NAME] = index
            request.current_app = self.name
            sign_in: Any = SignIn.as_view(extra_context=context | (extra_context or {}))
            return sign_in(request)

        return page(request)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # 429 is none of a template
        from django.contrib.auth.views import PasswordChangeView

        from config.signin.first_password import is_generated
        from config.signin.views import PasswordForm, small_form

        generated = is_generated(request.user)
        # Until the generated password is changed, every link of the sidebar leads back here.
        context = {**self.each_context(request), "is_generated": generated, "is_nav_sidebar_enabled": not generated}
        context |= extra_context or {}
        request.current_app = self.name
        page: Any = PasswordChangeView.as_view(
            form_class=PasswordForm,
            success_url=reverse("admin:password_change_done", current_app=self.name),
            extra_context=context,
        )
        return small_form(page)(request)


class AdministrationConfig(SimpleAdminConfig):
    """Its pages are imported with the addresses: the worker and the sealing job have none."""

    default_site = "config.administration.Administration"
