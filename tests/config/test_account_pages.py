"""The pages of one's own account, in a browser: an app, a security key, sessions; in both languages, for everybody."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.config.signing_in import now

PASSWORD = "correct horse"
ENGLISH = re.compile(r"\b[A-Za-z]{3,} [a-z]{2,}\b")
Axe = Callable[[Page], list[str]]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """At night, in Chinese, on the smallest phone, with a security key that is always touched."""
    context = browser.new_context(locale="zh-CN", viewport={"width": 320, "height": 800}, color_scheme="dark")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": {**options, "automaticPresenceSimulation": True}})
    yield page
    context.close()


@pytest.mark.long
def test_a_second_factor_from_its_setting_up_to_its_use(
    phone: Page, live: LiveServer, axe: Axe, app_codes: None
) -> None:
    """An app and a security key are set up and asked for; no page breaks a rule of access, or of the site's policy,
    speaks English to who reads Chinese, or is wider than a phone.
    """
    User.objects.create_superuser("ann", password=PASSWORD)
    complaints: list[str] = []
    phone.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))

    def look() -> None:
        assert complaints == []
        assert axe(phone) == []
        complaints.clear()  # axe-core itself tries styles that the policy refuses
        assert phone.evaluate("document.documentElement.scrollWidth") <= 320
        assert ENGLISH.findall(phone.locator("#main").inner_text()) == []

    def press(name: str) -> None:
        with phone.expect_navigation():
            phone.locator("#main").get_by_role("button", name=name, exact=True).click()

    def sign_in() -> None:
        phone.goto(f"{live.url}/staff/admin/account/")
        phone.get_by_label("用户名").fill("ann")
        phone.get_by_label("密码").fill(PASSWORD)
        press("登录")

    sign_in()
    look()
    phone.get_by_role("link", name="设置应用").click()
    look()
    phone.get_by_label("密码").fill("wrong")
    press("确认")
    look()
    phone.get_by_label("密码").fill(PASSWORD)
    press("确认")
    look()
    secret = phone.locator("code").inner_text().replace(" ", "")
    phone.locator("#id_code").fill(now(secret))
    press("设置")
    look()
    expect(phone.locator(".codes li")).to_have_count(10)
    recovery_code = phone.locator(".codes li").first.inner_text()
    phone.goto(f"{live.url}/staff/admin/account/key/")
    look()
    press("添加安全密钥")
    phone.goto(f"{live.url}/staff/admin/account/")
    look()
    expect(phone.get_by_text("安全密钥：")).to_be_visible()
    for page in ("app/remove/", "recovery/new/", "confirm/", "confirm/code/", "confirm/key/"):
        phone.goto(f"{live.url}/staff/admin/account/{page}")
        look()
    phone.goto(f"{live.url}/staff/admin/account/")
    phone.get_by_role("link", name=re.compile("^移除 ")).click()
    look()
    phone.goto(f"{live.url}/staff/admin/account/")
    press("结束所有会话，包括当前会话")

    sign_in()
    look()
    press("使用安全密钥")
    expect(phone).to_have_url(f"{live.url}/staff/admin/account/")
    press("结束所有会话，包括当前会话")
    sign_in()
    phone.locator("#id_code").fill("12345")
    press("登录")
    look()
    phone.locator("#id_code").fill(recovery_code)
    press("登录")
    expect(phone).to_have_url(f"{live.url}/staff/admin/account/")


def test_the_fields_of_a_form_have_one_edge(live: LiveServer, page: Page) -> None:
    """Each control is under its label, and all begin and end at one line."""
    page.goto(f"{live.url}/staff/admin/login/")
    labels, controls = (
        [place.bounding_box() or {} for place in page.locator(f"form.card {of}").all()] for of in ("label", "[id^=id_]")
    )
    assert len({(box["x"], box["width"]) for box in controls}) == 1
    assert all(label["y"] + label["height"] <= box["y"] for label, box in zip(labels, controls, strict=True))


def test_people_say_themselves_where_notices_go(client: Client) -> None:
    """An address that is none is refused and shown again; an empty one ends the notices."""
    ann = User.objects.create_user("ann", "", "a-long-password-of-ann", is_staff=True)
    client.force_login(ann)

    def stored(email: str) -> tuple[int, str]:
        answer = client.post("/staff/admin/account/", {"email": email})
        ann.refresh_from_db()
        return answer.status_code, ann.email

    assert stored("ann@example.org") == (302, "ann@example.org")
    assert stored("nobody") == (200, "ann@example.org")
    assert stored("") == (302, "")
