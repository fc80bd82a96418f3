"""The pages of staff lie below one path, and so do their cookies: no other page of the site hears who has signed in."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.publish import publish
from surveys.results import sharing
from tests.config.signing_in import RIGHT
from tests.surveys.making import make_survey

STAFF = "/staff/"


def test_a_survey_never_hears_who_has_signed_in(live: LiveServer, page: Page) -> None:
    """Somebody signs in, chooses a language, is shown a message, and answers a survey in the same browser."""
    ann = User.objects.create_superuser("ann", password=RIGHT)
    version = publish(make_survey())
    _made, token = sharing.share(version, "Colleague", ["answers"], 30, ann)
    heard: dict[str, list[str]] = {}

    def hear(request: Request) -> None:
        path = request.url.removeprefix(live.url)
        heard.setdefault("staff" if path.startswith(STAFF) else path, []).extend(
            name for name in request.all_headers() if name == "cookie"
        )

    page.context.on("request", hear)
    page.goto(live.url + reverse("account"))
    page.get_by_role("button", name="简体中文").click()
    page.get_by_label("用户名").fill("ann")
    page.get_by_label("密码").fill(RIGHT)
    page.get_by_role("button", name="登录").click()
    page.get_by_role("button", name="结束其他所有会话").click()
    page.locator(".messages").wait_for()
    outside = [f"/s/study/#v={version.sha256}", "/t/none/test/", f"/r/{token}/", "/", "/api/", "/robots.txt"]
    pages = [page.context.new_page() for _ in outside]  # side by side: each waits until nothing is asked any more
    for other, address in zip(pages, outside, strict=True):
        other.goto(live.url + address)
    for other in pages:
        other.wait_for_load_state("networkidle")

    assert {cookie["path"] for cookie in page.context.cookies()} == {STAFF}
    assert heard.pop("staff")
    assert {address.partition("#")[0] for address in outside} < {address.partition("#")[0] for address in heard}
    assert {path: names for path, names in heard.items() if names} == {}


def test_cookies_of_an_earlier_version_are_forgotten(client: Client) -> None:
    """They came to every page. The first page of staff removes them, and the named person signs in once more."""
    ann = User.objects.create_superuser("ann", password=RIGHT)
    client.force_login(ann)
    old = client.cookies.pop(settings.SESSION_COOKIE_NAME).value
    for name in ("sessionid", "csrftoken", "django_language", "messages"):
        client.cookies[name] = old
    answer = client.get(reverse("studio:home"))

    assert answer["Location"].startswith(reverse("account_login"))
    removed = {name: (one["path"], one["max-age"]) for name, one in answer.cookies.items() if name in client.cookies}
    assert removed == dict.fromkeys(("sessionid", "csrftoken", "django_language", "messages"), ("/", 0))


def test_no_survey_page_sets_or_removes_a_cookie(client: Client) -> None:
    """Its bytes and headers are those that were published, whatever a browser shows."""
    client.cookies["sessionid"] = "old"
    assert [client.get(address).cookies.output() for address in ("/s/study/", "/t/none/test/", "/r/x/", "/")] == [
        ""
    ] * 4


@pytest.mark.parametrize("address", ["/", "/api/"])
def test_a_visitor_chooses_a_language_by_the_address(client: Client, address: str) -> None:
    """No cookie is needed: each page links to itself in the other language."""
    english = client.get(address)
    chinese = client.get(f"{address}?language=zh-hans")
    assert 'href="?language=zh-hans"' in english.content.decode()
    assert 'href="?language=en"' in chinese.content.decode()
    assert (english["Content-Language"], chinese["Content-Language"]) == ("en", "zh-hans")
    assert client.get(f"{address}?language=xx")["Content-Language"] == "en"
    assert not chinese.cookies


def test_a_page_that_is_refused_shows_a_way_on(client: Client) -> None:
    """One sentence, in the shell of the site for those who work here; a stranger reads nothing of it."""
    survey = make_survey()
    ann = User.objects.create_user("ann", is_staff=True)
    give(survey, ann, Role.VIEWER)
    client.force_login(ann)
    refused = {
        403: client.get(f"/staff/studio/{survey.pk}/publish/"),
        404: client.get("/staff/studio/99/"),
        405: client.get(f"/staff/studio/{survey.pk}/dates/"),
    }
    for status, answer in refused.items():
        assert answer.status_code == status
        assert f'href="{reverse("studio:home")}"' in answer.content.decode()
    client.logout()
    assert "header" not in client.get("/staff/nowhere/").content.decode()


# Pages around the surveys are for everybody's eyes, and in both languages.


Axe = Callable[[Page], list[str]]


def sign_in(page: Page, live: LiveServer) -> None:
    page.goto(f"{live.url}/staff/studio/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log in").click()


@pytest.fixture
def administrator(transactional_db: None) -> User:
    return User.objects.create_superuser("ann", password="correct horse")


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_administration_is_accessible_to_everybody(
    administrator: User, live: LiveServer, browser: Browser, axe: Axe, scheme: str
) -> None:
    """axe-core finds nothing on the way in, on the own account and the list of people; no policy blocks anything."""
    complaints: list[str] = []
    context = browser.new_context(color_scheme=scheme, locale="en-GB")
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{live.url}/staff/studio/")
    problems = axe(page)
    sign_in(page, live)
    problems += axe(page)
    blocked = []
    for address in ("admin/account/", "people/", "system/"):
        page.goto(f"{live.url}/staff/{address}")
        blocked += complaints
        problems += axe(page)  # which itself tries styles here that the policy refuses
        complaints.clear()
    context.close()
    assert (problems, blocked) == ([], [])


@pytest.mark.long
def test_the_language_is_switched_in_place(administrator: User, live: LiveServer, page: Page) -> None:
    """One press, and the same page speaks Chinese; one more, and it speaks English again."""
    sign_in(page, live)
    page.goto(f"{live.url}/staff/people/")
    page.locator("header summary").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page).to_have_url(f"{live.url}/staff/people/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.locator("header summary").click()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_language_is_chosen_before_signing_in(live: LiveServer, page: Page) -> None:
    """Who cannot read the page that asks for a password cannot get past it; where they were going is kept."""
    page.goto(f"{live.url}/staff/admin/login/?next=/staff/people/")
    page.get_by_role("button", name="简体中文").click()
    expect(page).to_have_url(f"{live.url}/staff/admin/login/?next=/staff/people/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(page.get_by_role("button", name="English")).to_be_visible()
