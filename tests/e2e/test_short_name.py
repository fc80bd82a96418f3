"""The field of the short name in a browser, beside the title that it is made from."""

from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.models import Survey
from tests.e2e.walking import sign_in
from tests.surveys.making import make_survey


def test_the_field_shows_what_is_stored(page: Page, live_server: LiveServer) -> None:
    """The name follows a title into the field that has the focus, and a refusal is beside it."""
    make_survey("taken")
    survey = Survey.objects.create(slug="new-survey", title="New survey")
    sign_in(page, live_server)
    page.goto(live_server.url + reverse("studio:write", args=[survey.pk]))
    page.locator("#opening summary").first.click()
    field = page.get_by_label("Short name, after /s/ in the address")

    page.get_by_label("Title for respondents").fill("Honest exams")
    page.keyboard.press("Tab")
    expect(field).to_be_focused()
    expect(field).to_have_value("honest-exams")
    for typed, shown in (("Mine", "mine"), ("", "honest-exams")):
        field.fill(typed)
        page.keyboard.press("Tab")
        expect(field).to_have_value(shown)
    field.fill("taken")
    page.keyboard.press("Tab")
    expect(page.locator("#wrong")).to_contain_text("Another survey has the short name “taken”")
    survey.refresh_from_db()
    assert survey.slug == "honest-exams"
