"""The second factor of staff: the codes of an app, recovery codes, security keys. django-allauth checks and keeps them.

docs/decisions/0015-sign-in.md says why. What is ours: codes have the budgets of passwords
(config.signin.attempts), secrets lie in the database encrypted, and nothing is mailed.
"""

import base64
import logging
from collections.abc import Iterator
from typing import Any

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from redis import RedisError

from config.signin import attempts, hashing
from surveys.domain.database import wrapping

log = logging.getLogger(__name__)

PLACE = "second factor"
PASSWORD_GIVEN = "password_given"  # in a session that waits for a code: a hash that changes with the password
SECRETS = ("secret", "seed")  # where the library keeps the secret of an app, and what recovery codes are made from


class Account(DefaultAccountAdapter):
    """What happens when all that was asked for has been given."""

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in, unless the password was changed while the sign-in waited for its code."""
        begun = request.session.pop(PASSWORD_GIVEN, None)
        if begun is None or not constant_time_compare(begun, user.get_session_auth_hash()):
            log.warning("A sign-in as %s began with a password that has changed since.", user.get_username())
            messages.warning(request, gettext("The password was changed meanwhile: sign in again."))
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_login")))
        super().login(request, user)

    def post_login(self, request: HttpRequest, user: User, **given: Any) -> HttpResponse:
        response = super().post_login(request, user, **given)
        log.info("%s signed in.", user.get_username())
        attempts.remember(request, response, user.get_username())
        return response

    def add_message(
        self, request: HttpRequest, level: int, message_template: Any = None, *more: Any, **given: Any
    ) -> None:
        """Say what was changed, but greet nobody."""
        if message_template != "account/messages/logged_in.txt":
            super().add_message(request, level, message_template, *more, **given)

    def send_mail(self, *_: Any, **__: Any) -> None:
        """Send nothing: this site mails nothing about accounts."""

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The university first, for people who sign in with its account: nobody knows a password of theirs."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if not (settings.OIDC and user.socialaccount_set.exists()):
            return methods
        sentence = gettext("Use your account of %(name)s") % {"name": settings.OIDC.name}
        return [{"id": "university", "description": sentence, "url": reverse("university")}, *methods[1:]]

    def reauthenticate(self, user: User, password: str) -> bool:
        """True if the password is right, which is asked for before something that matters; else a ValidationError."""
        with attempts.count_attempt(self.request, user.get_username(), "password"), hashing.queue_as_known():
            if user.check_password(password):
                return True
            log.warning("A confirmation as %s was refused.", user.get_username())
            raise self.validation_error("incorrect_password")


class SecondFactor(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return base64.b64encode(wrapping.wrap(text.encode(), PLACE)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return wrapping.unwrap(base64.b64decode(encrypted_text), PLACE).decode()

    def get_totp_label(self, user: User) -> str:
        return f"{user.get_username()} · {context.request.get_host()}"

    def build_totp_svg(self, url: str) -> str:
        """The address as a QR code: one path, without a style of its own."""
        return segno.make(url, error="m").svg_inline(border=4, omitsize=True, svgclass="code", lineclass="dots")


class CodeForm:
    """A form for a code, which has the budgets of a password."""

    user: User

    def has_app(self) -> bool:
        """Whether codes come from an app; somebody with a security key alone has recovery codes."""
        return Authenticator.objects.filter(user=self.user, type=Authenticator.Type.TOTP).exists()

    def clean_code(self) -> str:
        try:
            with attempts.count_attempt(context.request, self.user.get_username(), "code"):
                try:
                    code: str = super().clean_code()  # type: ignore[misc]
                except ValidationError:
                    log.warning("A second factor of %s was refused.", self.user.get_username())
                    raise
                return code
        except RedisError:  # it remembers which code was used; recovery codes do without
            raise ValidationError(
                gettext("A part of this site is down, so codes from an app cannot be checked. Use a recovery code."),
                code="away",
            ) from None
        except wrapping.UnknownSecretKeyError:
            raise ValidationError(
                gettext("Codes cannot be checked: the second factor was encrypted under another SECRET_KEY."),
                code="unreadable",
            ) from None


class Authenticate(CodeForm, AuthenticateForm):
    """The code that is asked for after the password."""


class Reauthenticate(CodeForm, ReauthenticateForm):
    """The code that is asked for again before something that matters."""


def remove(user: User) -> int:
    """Remove everything but the password, for somebody who has lost it. Returns how many there were."""
    return Authenticator.objects.filter(user=user).delete()[0]


def renew_secrets() -> Iterator[str]:
    """Encrypt every secret under today's SECRET_KEY; a sentence for each that no known SECRET_KEY opens."""
    for kept in Authenticator.objects.select_related("user"):
        for name in SECRETS:
            try:
                again = name in kept.data and wrapping.rewrap(base64.b64decode(kept.data[name]), PLACE)
            except wrapping.UnknownSecretKeyError:
                yield (
                    f"The second factor of {kept.user} was encrypted under another SECRET_KEY: start the site with "
                    "that one, or name it in SECRET_KEY_FALLBACKS."
                )
                continue
            if again:
                kept.data[name] = base64.b64encode(again).decode()
                kept.save(update_fields=["data"])
