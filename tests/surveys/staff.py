"""Somebody of the staff, and what a page answers them."""

from typing import Any

from django.contrib.auth.models import Permission, User
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import Client, RequestFactory
from django.urls import resolve


def somebody(*permissions: str) -> User:
    """With these permissions on surveys, or with every right where none are named."""
    user = User.objects.create_user(
        f"may-{'-'.join(permissions) or 'all'}", is_staff=True, is_superuser=not permissions
    )
    user.user_permissions.set(Permission.objects.filter(codename__in=[f"{name}_survey" for name in permissions]))
    return user


def browser_of(user: User) -> Client:
    """In which this person has signed in."""
    client = Client()
    client.force_login(user)
    return client


def visit(user: User, url: str, data: dict[str, Any] | None = None) -> Any:
    """The answer of a page, not rendered: its context is what the tests read, and rendering takes most of the time."""
    request = RequestFactory().get(url) if data is None else RequestFactory().post(url, data)
    request.user = user
    request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
    request._messages = CookieStorage(request)  # type: ignore[attr-defined]
    match = resolve(url.partition("?")[0])
    return match.func(request, *match.args, **match.kwargs)
