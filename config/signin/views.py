"""The pages on which staff sign in and change their password."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any

from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from allauth.account.utils import perform_login
from allauth.core import context
from django.contrib import messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from config.signin import attempts, factor, first_password, hashing

log = logging.getLogger(__name__)

LONGEST_BODY = 16 * 1024  # a name, a password, a token and an address within the site: a tenth of it

View = Callable[..., HttpResponse]


def small_form(view: View) -> View:
    """Refuse a body that no such form has, before a byte of it is read: the check of its token would read it whole.

    A browser that has tried too often gets 429, with the seconds to wait.
    """
    protected = csrf_protect(view)

    @csrf_exempt  # until the body is known to be small
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST":
            length = request.META.get("CONTENT_LENGTH") or ""
            if "Transfer-Encoding" in request.headers or not length.isdecimal():
                return HttpResponse(gettext("Send the form whole, with its length."), status=411)
            if int(length) > LONGEST_BODY:
                return HttpResponse(gettext("This is longer than any sign-in."), status=413)
        response = protected(request, *args, **kwargs)
        for refusal in _too_many_attempts(response):
            response.status_code = 429
            response["Retry-After"] = str(refusal.seconds)
        return response

    return answer


def _too_many_attempts(response: HttpResponse) -> list[attempts.TooManyAttemptsError]:
    form = (getattr(response, "context_data", None) or {}).get("form")
    fields = form.errors.as_data().values() if isinstance(form, BaseForm) else ()
    return [error for errors in fields for error in errors if isinstance(error, attempts.TooManyAttemptsError)]


class SignInForm(AdminAuthenticationForm):
    """Name and password of staff. Every refusal says the same, whether or not there is such an account."""

    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not name or not password:
            return self.cleaned_data
        try:
            with (
                attempts.count_attempt(self.request, name, "password") as attempt,
                hashing.queue_as_known() if attempt.known else nullcontext(),
            ):
                return super().clean()
        except attempts.TooManyAttemptsError:
            raise
        except ValidationError:
            _log_refusal(name)
            raise


class PasswordForm(PasswordChangeForm):
    """A new password of one's own. Guesses of the old one are limited, for somebody may sit at another's session."""

    def clean_old_password(self) -> str:
        with attempts.count_attempt(context.request, self.user.get_username(), "password"), hashing.queue_as_known():
            return str(super().clean_old_password())


class SignIn(LoginView):
    authentication_form = SignInForm
    template_name = "account/login.html"

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.method == "GET" and request.user.is_active and request.user.is_staff:
            return HttpResponseRedirect(reverse("studio:home"))
        return super().dispatch(request, *args, **named)  # type: ignore[return-value]  # it is no stream

    def form_valid(self, form: Any) -> HttpResponse:
        """Go on to the second factor, or sign in. The session gets a new key: who knows the old one stays out."""
        user = form.get_user()
        self.request.session.cycle_key()
        self.request.session[factor.PASSWORD_GIVEN] = user.get_session_auth_hash()
        return perform_login(self.request, user, redirect_url=self.get_success_url())


class ChangePassword(PasswordChangeView):
    form_class = PasswordForm
    template_name = "account/password.html"

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, gettext("Your password was changed."))
        response = super().form_valid(form)
        reauthenticate_by_password(self.request)  # the old one was just given
        return response

    def get_success_url(self) -> str:
        return first_password.take_wanted_page(self.request) or reverse("account")


def _log_refusal(name: str) -> None:
    """Log a refused sign-in, with the name only if there is such an account: what was typed may be a password."""
    if User.objects.filter(username=name).exists():
        log.warning("A sign-in as %s was refused.", name)
    else:
        log.warning("A sign-in was refused: there is no such account.")
