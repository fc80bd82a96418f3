"""The password that the first start generates: it opens one page, on which it is changed.

Accounts that were there before, and passwords that an administrator sets for others, are not concerned.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from config.models import GeneratedPassword

MUST_CHANGE = "must_change_password"
_WANTED = "page_before_password_change"
ALLOWED_PAGES = ("password_change", "account_logout", "set_language")
GetResponse = Callable[[HttpRequest], HttpResponse]


def password_file() -> Path:
    """Return the file that holds the first password until it is changed, if there was no terminal."""
    return settings.CANDOR_DATA / "first_password"


def make_administrator(keep: bool) -> str:
    """Make the first administrator, and return the password. With `keep` it is also written to the file."""
    password = secrets.token_urlsafe(12)
    if keep:  # before there is an account: a file of a start that did not get further is written over
        descriptor = os.open(password_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "w") as written:
            os.fchmod(descriptor, 0o600)
            written.write(f"{password}\n")
    with transaction.atomic():
        GeneratedPassword.objects.create(user=User.objects.create_superuser("admin", password=password))
    return password


def forget_changed() -> None:
    """A duty of each host, and done at each start: remove the file once the password was changed, on whatever host."""
    if password_file().exists() and User.objects.exists() and not GeneratedPassword.objects.exists():
        password_file().unlink(missing_ok=True)


def is_generated(user: Any) -> bool:
    return GeneratedPassword.objects.filter(user_id=user.pk).exists()


def mark_session(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:  # noqa: ARG001  user_logged_in names it
    """Mark a session that begins with a generated password, so that others cost no query for each page."""
    if is_generated(user):
        request.session[MUST_CHANGE] = True


def must_change(get_response: GetResponse) -> GetResponse:
    """Lead people with the generated password to the page that changes it, from every page of staff."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return (_page_that_changes_it(request) if _is_of_staff(request) else None) or get_response(request)

    return middleware


def _is_of_staff(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.path.startswith(settings.STAFF_PATH)


def _page_that_changes_it(request: HttpRequest) -> HttpResponse | None:
    # The user is asked for first: that ends a session whose password has been changed elsewhere.
    if not request.user.is_authenticated or not request.session.get(MUST_CHANGE):
        return None
    if not is_generated(request.user):
        del request.session[MUST_CHANGE]
        return None
    if request.path in map(reverse, ALLOWED_PAGES):
        return None
    if request.method == "GET":
        request.session[_WANTED] = request.get_full_path()
    return HttpResponseRedirect(reverse("password_change"))


def take_wanted_page(request: HttpRequest) -> str:
    """The page that somebody wanted before the password had to be changed, or ""; it is given out once."""
    return request.session.pop(_WANTED, "")


class NotTheGenerated:
    """Refuses the generated password as the new one, and notes a change (one of AUTH_PASSWORD_VALIDATORS)."""

    def validate(self, password: str, user: User | None = None) -> None:
        if user is not None and is_generated(user) and user.check_password(password):
            raise ValidationError(self.get_help_text(), code="generated")

    def password_changed(self, password: str, user: User) -> None:
        deleted, _ = GeneratedPassword.objects.filter(user_id=user.pk).delete()
        if deleted:
            password_file().unlink(missing_ok=True)

    def get_help_text(self) -> str:
        return _("Choose another password than the one generated at the first start of this site.")
