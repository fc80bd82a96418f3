"""The administration, whose index lists surveys and mining first, because people come for them."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from surveys.domain.database import damage

FIRST = ["surveys", "mining"]
OWN_ADDRESSES = {"auth/user/": "people/", "mining/miningrun/": "runs/"}


class Administration(AdminSite):
    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        def place(app: dict[str, Any]) -> int:
            return FIRST.index(app["app_label"]) if app["app_label"] in FIRST else len(FIRST)

        return sorted(super().get_app_list(request, app_label), key=place)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"damaged": damage.is_reported()}

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Below the path of staff: people and runs at addresses of their own, all else below admin/.

        Without the redirect to an object's page on the site: none has one, and the redirect would fail.
        """
        inside, own = [], []
        for route in super().get_urls():
            address = OWN_ADDRESSES.get(str(route.pattern))
            if address and isinstance(route, URLResolver):
                own.append(path(address, include(route.url_patterns)))
            elif getattr(route, "name", None) != "view_on_site":
                inside.append(route)
        return [*own, path("admin/", include(inside))]

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
