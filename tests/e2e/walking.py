"""How the walks through a survey's whole life begin."""

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer


def sign_in(page: Page, live: LiveServer) -> None:
    page.on("dialog", lambda dialog: dialog.accept())  # leaving a page asks nothing; a surprise would hang
    client = Client()
    client.force_login(User.objects.create_superuser("ada"))
    name = settings.SESSION_COOKIE_NAME
    place = live.url + settings.SESSION_COOKIE_PATH
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": place}])
    page.goto(live.url + settings.STAFF_PATH + "studio/")
