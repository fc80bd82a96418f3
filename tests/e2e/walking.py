"""How the walks through a survey's whole life begin."""

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer


def sign_in(page: Page, live: LiveServer) -> None:
    page.on("dialog", lambda dialog: dialog.accept())  # leaving a page asks nothing; a surprise would hang
    User.objects.create_superuser("ada", password="a long password")
    page.goto(live.url + reverse("studio:home"))
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Log in").click()
