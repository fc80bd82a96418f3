"""Somebody who was invited, in the browsers that people have: from the link to the studio, with a second factor."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import get_language_info, gettext, override
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from config.models import SiteRight
from config.signin import invitations
from tests.config.signing_in import RIGHT, now
from tests.webdriver import Window

GIVEN = "a long enough secret 17"


@dataclass(frozen=True)
class Chromium:
    """A page of Chromium, asked as the other two browsers are."""

    page: Page

    def go(self, address: str) -> None:
        self.page.goto(address)

    def see(self, words: str) -> None:
        expect(self.page.locator("body")).to_contain_text(words)

    def words(self) -> str:
        return self.page.locator("body").inner_text()

    def on_element(self, command: str, xpath: str, text: str = "") -> None:
        element = self.page.locator(f"xpath={xpath}").first
        element.click() if command == "ElementClick" else element.press_sequentially(text)

    def run(self, script: str) -> Any:
        return self.page.evaluate(f"() => {{ {script} }}")


def press(tab: Chromium | Window, name: str) -> None:
    """A button or a link by its words, which are translated."""
    words = gettext(name)
    button = f"self::button[normalize-space() = '{words}'] or self::input[@type = 'submit' and @value = '{words}']"
    tab.on_element("ElementClick", f"//*[{button} or self::a[normalize-space() = '{words}']]")


def press_in_menu(tab: Chromium | Window, name: str) -> None:
    """An entry of one's own menu, which is the last one of the bar."""
    tab.on_element("ElementClick", "(//header//summary)[last()]")
    press(tab, name)


def fill(tab: Chromium | Window, field: str, text: str) -> None:
    tab.on_element("ElementSendKeys", f"//input[@name = '{field}']", text=text)


def walk(tab: Chromium | Window, site: str, language: str, creates: bool) -> None:
    """From the link of the invitation to the studio; what was asked before it stays as it was."""
    kind = SiteRight.BEGINS if creates else SiteRight.INVITED
    _invitation, text = invitations.make(User.objects.create_superuser("root", password=RIGHT), "ann", kind)

    def see(sentence: str) -> None:
        tab.see(gettext(sentence))

    def sign_in() -> None:
        fill(tab, "username", "ann")
        fill(tab, "password", GIVEN)
        press(tab, "Log in")

    tab.go(site + reverse("account_invited", args=[text]))
    tab.see("ann")
    with override(language):
        if gettext("Make the account") not in tab.words():
            press(tab, get_language_info(language)["name_local"])
        see("Make the account")
        fill(tab, "new_password1", GIVEN)
        fill(tab, "new_password2", GIVEN)
        press(tab, "Make the account")
        see("Your account is ready: sign in.")
        sign_in()
        see("Surveys")

        press_in_menu(tab, "Your account")
        press(tab, "Set up an app")
        fill(tab, "password", GIVEN)
        press(tab, "Confirm")
        see("Secret:")
        secret = tab.run("return document.querySelector('code').innerText").replace(" ", "")
        fill(tab, "code", now(secret))
        press(tab, "Set up")
        see("Recovery codes")
        recovery_code = tab.run("return document.querySelector('.codes code').innerText")
        tab.go(site + reverse("studio:home"))
        press_in_menu(tab, "Log out")
        see("Log in again")
        tab.go(site + reverse("studio:home"))
        sign_in()
        see("Please give the code that your app shows now, or a recovery code.")
        fill(tab, "code", recovery_code)
        press(tab, "Log in")

        see("Surveys")
        if creates:
            tab.on_element("ElementClick", "//button[contains(@class, 'first')]")
            see("Before it can be published")
        else:
            see("There is no survey for you yet. The owner of a survey can give you a role in it.")
            assert gettext("New survey") not in tab.words()
    ann = User.objects.get(username="ann")
    assert (ann.is_superuser, ann.has_perm("surveys.add_survey")) == (False, creates)


@pytest.mark.long
@pytest.mark.parametrize(("language", "creates"), [("en", True), ("zh-hans", False)])
def test_an_invited_person_comes_to_the_studio_in_chromium(
    live: LiveServer, browser: Browser, app_codes: None, language: str, creates: bool
) -> None:
    """Invitation, account, second factor, and what was given: to begin surveys, or to help with those of others."""
    context = browser.new_context(locale="en-GB")
    walk(Chromium(context.new_page()), live.url, language, creates)
    context.close()


@pytest.mark.long
@pytest.mark.parametrize(("language", "creates"), [("zh-hans", False), ("en", True)])
def test_an_invited_person_comes_to_the_studio_in_firefox_and_webkit(
    live: LiveServer, window: Window, app_codes: None, language: str, creates: bool
) -> None:
    """The same way, by the rules that these browsers have for what a form may send where."""
    walk(window, live.url, language, creates)
