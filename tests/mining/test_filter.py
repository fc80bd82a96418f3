"""The filter of rules in a browser: what it finds is shown as soon as it is chosen."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.mining.surveys import finished_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.long
def test_what_a_filter_finds_is_shown_at_once(live: LiveServer, browser: Browser, client: Client) -> None:
    """Without a press of the button: the focus stays in the field, the number is read aloud, the address holds it."""
    run = finished_run()
    client.force_login(User.objects.create_superuser("admin"))
    context = browser.new_context(locale="en-GB")
    context.add_cookies([{"name": "staff_session", "value": client.cookies["staff_session"].value, "url": live.url}])
    page = context.new_page()
    page.goto(f"{live.url}{run.get_absolute_url()}")
    page.evaluate("window.stayed = true")
    page.get_by_label("Search in the questions").fill("nowhere")
    page.get_by_label("Search in the questions").blur()
    expect(page.get_by_text("No rule meets this.")).to_be_visible()
    expect(page.locator("#rules-found [role=status]")).to_contain_text("0 rules ·")
    page.get_by_label("Search in the questions").fill("")
    page.get_by_text("More filters").click()
    then = page.get_by_label("Then:")
    then.focus()
    then.select_option("q1")
    expect(page.locator("#rules-found .in-words").first).to_contain_text("q1?")
    expect(page).to_have_url(re.compile("r-consequent=q1"))
    stayed, focused = page.evaluate("[window.stayed === true, document.activeElement.name]")
    context.close()
    assert (stayed, focused) == (True, "r-consequent")
