"""Somebody of the staff, and what a page answers them."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import Client, RequestFactory
from django.urls import resolve
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer


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


def let_in(user: User, context: BrowserContext, live: LiveServer) -> None:
    """From here on every page of this context is seen by this person."""
    session = browser_of(user).cookies["staff_session"].value
    context.add_cookies([{"name": "staff_session", "value": session, "url": live.url}])


def page_of(
    user: User, browser: Browser, live: LiveServer, language: str = "en-GB", width: int = 1280, colours: Any = "light"
) -> Page:
    """A page of a browser of its own, in which this person has signed in; who asks for it closes its context."""
    context = browser.new_context(locale=language, viewport={"width": width, "height": 800}, color_scheme=colours)
    let_in(user, context, live)
    return context.new_page()


def visit(user: User, url: str, data: dict[str, Any] | None = None) -> Any:
    """The answer of a page, not rendered: its context is what the tests read, and rendering takes most of the time."""
    request = RequestFactory().get(url) if data is None else RequestFactory().post(url, data)
    request.user = user
    request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
    request._messages = CookieStorage(request)  # type: ignore[attr-defined]
    match = resolve(url.partition("?")[0])
    return match.func(request, *match.args, **match.kwargs)


def leave_unwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pages say is not written out: whom they let in is decided before."""
    monkeypatch.setattr("django.template.base.Template._render", lambda *_: "<p hidden></p>")
