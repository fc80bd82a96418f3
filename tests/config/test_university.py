"""Signing in with the university's account: a real provider, in a process of its own, says who comes."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, RequestFactory

from config.environment import University
from config.models import SiteRight
from config.signin import attempts, invitations, sessions, university
from tests.config.signing_in import SECRET
from tests.servers import PATIENCE, Quiet, answering, free_port, listens, stop, wait_until

BEGIN, BACK = "/staff/admin/account/university/", "/staff/admin/account/university/back/"
NOBODY = "Nobody was invited with this account of Example University"
AWAY = "Example University does not answer as it should"
# A provider whose clock is so many seconds off, and whose tokens last five minutes, as many do.
PROVIDER = """
import sys, time
from datetime import datetime
port, off, real = sys.argv[1], float(sys.argv[2]), time.time
time.time = lambda: real() + off
from oidc_provider_mock import _app
from oidc_provider_mock.__main__ import run
_app.datetime = type("Off", (datetime,), {"now": lambda zone=None: datetime.fromtimestamp(time.time(), zone)})
run(["--port", port, "--token-max-age", "300"])
"""


@contextmanager
def provider(off: int = 0) -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", PROVIDER, str(port), str(off)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: listens(port), PATIENCE, "the provider answers")
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


@pytest.fixture(scope="module")
def started() -> Iterator[str]:
    with provider() as issuer:
        yield issuer


@pytest.fixture
def issuer(started: str, settings: Any) -> str:
    settings.OIDC = University(started, "candor", "s3cret", "Example University")
    return started


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser("root")


def leave(client: Client, **asked: str) -> str:
    """The address at the provider that a browser is led to, from the page of an invitation where it has one."""
    if "invitation" in asked:
        page = client.get(f"/staff/admin/account/invited/{asked['invitation']}/").content.decode()
        asked["mark"] = page.partition("&amp;mark=")[2].partition('"')[0]
    return str(client.get(BEGIN, asked)["Location"])


def agree(address: str, subject: str, **claims: Any) -> str:
    """The address on this site that the provider sends somebody back to; claims are what it says of the person."""
    at = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    body = json.dumps({"email": "ann@uni.example", "email_verified": True, **claims})
    requests.put(f"{at}/users/{subject}", body, headers={"Content-Type": "application/json"}, timeout=60)
    answer = requests.post(address, {"sub": subject}, allow_redirects=False, timeout=60)
    back = urlsplit(answer.headers["Location"])
    return f"{back.path}?{back.query}"


def come(client: Client, subject: str, asked: dict[str, str] | None = None, **claims: Any) -> Any:
    return client.get(agree(leave(client, **(asked or {})), subject, **claims))


def invited(admin: User, name: str = "ann@uni.example") -> dict[str, str]:
    return {"invitation": invitations.make(admin, name, SiteRight.BEGINS)[1]}


def is_in(client: Client) -> bool:
    return client.get("/staff/studio/").status_code == 200


def said(client: Client) -> str:
    return client.get("/staff/admin/login/").content.decode()


def test_an_invited_person_comes_with_the_account_and_comes_again(client: Client, admin: User, issuer: str) -> None:
    """The invitation binds issuer and subject, and nothing else that the provider knows; then it is used."""
    asked = invited(admin)
    link = f"/staff/admin/account/invited/{asked['invitation']}/"
    page = client.get(link).content.decode()
    assert f"{BEGIN}?invitation={asked['invitation']}&amp;mark=" in page
    assert come(client, "ann-1", asked)["Location"] == "/staff/studio/"
    kept = SocialAccount.objects.get()
    assert (kept.user.username, kept.provider, kept.uid, kept.extra_data) == ("ann@uni.example", issuer, "ann-1", {})
    again = Client()
    assert "Log in with Example University" in said(again)
    assert come(again, "ann-1", {"next": "/staff/studio/add/"})["Location"] == "/staff/studio/add/"
    assert (is_in(client), is_in(again), kept.user.check_password("") is False) == (True, True, True)
    assert "You have none here" in client.get("/staff/admin/account/").content.decode()
    late = Client()
    assert late.get(leave(late, **asked).replace("..", "/staff/admin/account")).status_code == 404


def test_only_the_subject_is_asked_for(client: Client, issuer: str) -> None:
    """With a proof that the code is brought back by the browser it was given to."""
    asked = parse_qs(urlsplit(leave(client)).query)
    assert (asked["scope"], asked["code_challenge_method"]) == (["openid"], ["S256"])


def test_nobody_comes_who_was_not_invited(client: Client, admin: User, issuer: str) -> None:
    """Whatever address the provider vouches for: also that of somebody here, and of somebody who runs the site."""
    User.objects.filter(pk=admin.pk).update(email="ann@uni.example", username="ann@uni.example")
    come(client, "stranger", preferred_username="ann@uni.example")
    assert NOBODY in said(client)
    assert (is_in(client), User.objects.count(), SocialAccount.objects.count()) == (False, 1, 0)


def test_the_same_address_or_the_subject_of_another_issuer_is_somebody_else(
    client: Client, admin: User, issuer: str
) -> None:
    """An address is given to somebody else when its first owner has left; a subject is not. A site that changes to
    another provider lets nobody in by the numbers of the first.
    """
    come(Client(), "ann-1", invited(admin))
    come(client, "ann-2")
    assert (NOBODY in said(client), is_in(client)) == (True, False)
    SocialAccount.objects.update(provider="https://other.example")
    come(client, "ann-1")
    assert (NOBODY in said(client), is_in(client)) == (True, False)


def test_one_account_of_the_university_is_one_person_here(client: Client, admin: User, issuer: str) -> None:
    """A second invitation stays open for whom it is for."""
    come(Client(), "ann-1", invited(admin))
    come(client, "ann-1", second := invited(admin, "ben"))
    assert "already bound to another account here" in said(client)
    assert (is_in(client), invitations.find(second["invitation"]) is None) == (False, False)


def test_an_account_has_the_way_in_that_its_last_link_chose(client: Client, admin: User, issuer: str) -> None:
    """Somebody with a password gets a link, and has none any more; another link, and has one again."""
    ann = User.objects.create_superuser("ann", password="correct horse")
    came = come(client, "ann-1", {"invitation": invitations.make_again(admin, ann)})
    ann.refresh_from_db()
    assert (came["Location"], is_in(client), ann.check_password("correct horse")) == ("/staff/studio/", True, False)
    words = {"new_password1": "a long enough secret 17", "new_password2": "a long enough secret 17"}
    client.post(f"/staff/admin/account/invited/{invitations.make_again(admin, ann)}/", words)
    come(other := Client(), "ann-1")
    assert (is_in(client), is_in(other), SocialAccount.objects.count()) == (False, False, 0)


@pytest.mark.parametrize(
    ("claims", "asked"),
    [
        ({}, True),
        ({"amr": ["pwd"]}, True),
        ({"amr": "mfa"}, True),
        ({"amr": ["pwd", "mfa"]}, False),
        ({"acr": "https://refeds.org/profile/mfa"}, False),
    ],
)
def test_our_second_factor_is_asked_for_where_none_was_used(
    client: Client, admin: User, issuer: str, claims: dict[str, Any], asked: bool
) -> None:
    come(Client(), "ann-1", invited(admin))
    TOTP.activate(User.objects.get(username="ann@uni.example"), SECRET)
    answer = come(client, "ann-1", **claims)
    assert (answer["Location"] == "/staff/admin/account/code/", is_in(client)) == (asked, not asked)


def test_a_second_factor_is_not_replaced_by_the_link_for_a_password(client: Client, admin: User, issuer: str) -> None:
    """Somebody who found the link binds an account of their own, and has a second factor there."""
    ann = User.objects.create_superuser("ann", password="correct horse")
    TOTP.activate(ann, SECRET)
    for asked in ({"invitation": invitations.make_again(admin, ann)}, {}):
        answer = come(client, "mallory", asked, amr=["mfa"])
        assert (answer["Location"], is_in(client)) == ("/staff/admin/account/code/", False)


@pytest.mark.parametrize("letters", [191, 192])
def test_the_longest_subject(client: Client, admin: User, issuer: str, letters: int) -> None:
    """One that PostgreSQL has no room for ends in a sentence, and the invitation is still there for another way."""
    come(client, "s" * letters, asked := invited(admin))
    fits = letters == 191 or connection.vendor == "sqlite"
    assert (is_in(client), invitations.find(asked["invitation"]) is None) == (fits, fits)
    come(other := Client(), "s" * letters)
    assert (is_in(other), AWAY in said(client), NOBODY in said(other)) == (fits, not fits, not fits)


def test_who_is_removed_is_out_and_stays_out(client: Client, admin: User, issuer: str) -> None:
    come(client, "ann-1", invited(admin))
    ann = User.objects.get(username="ann@uni.example")
    admin.set_password("correct horse")
    admin.save()
    runs = Client()
    runs.force_login(admin)
    runs.post("/staff/admin/account/confirm/", {"password": "correct horse"})
    assert (is_in(client), len(sessions.open_sessions(ann))) == (True, 1)
    runs.post("/staff/people/", {"do": "end", "pk": ann.pk})
    assert (is_in(client), sessions.open_sessions(ann)) == (False, [])
    come(client, "ann-1")
    assert (NOBODY in said(client), is_in(client)) == (True, False)


def test_a_replayed_code_opens_nothing(client: Client, admin: User, issuer: str) -> None:
    """Neither the same address again, nor its code in another browser, nor in another sign-in of the same one."""
    come(Client(), "ann-1", invited(admin))
    used = agree(leave(client), "ann-1")
    client.get(used)
    assert is_in(client)
    client.logout()
    client.get(used)
    assert ("was not finished: begin again" in said(client), is_in(client)) == (True, False)
    other = Client()
    other.get(used)
    assert ("was not finished: begin again" in said(other), is_in(other)) == (True, False)
    code = parse_qs(urlsplit(used).query)["code"][0]
    state = parse_qs(urlsplit(leave(other)).query)["state"][0]
    other.get(BACK, {"code": code, "state": state})
    assert (AWAY in said(other), is_in(other)) == (True, False)


def test_who_changes_their_mind_is_told_how_to_go_on(client: Client, issuer: str) -> None:
    state = parse_qs(urlsplit(leave(client)).query)["state"][0]
    client.get(BACK, {"error": "access_denied", "state": state})
    assert "was not finished: begin again" in said(client)


@pytest.mark.parametrize(("off", "lets_in"), [(300, True), (-301, False)])
def test_a_clock_that_is_five_minutes_off(admin: User, settings: Any, off: int, lets_in: bool) -> None:
    """A token from the future is fresh, for its code was; one that has run out is refused, and the page says why."""
    with provider(off) as issuer:
        settings.OIDC = University(issuer, "candor", "s3cret", "Example University")
        come(client := Client(), "ann-1", invited(admin))
        assert is_in(client) == lets_in
        assert lets_in or "The clock of this site or that of Example University is wrong" in said(client)
        assert User.objects.count() == 1 + lets_in


class Liar(Quiet):
    """Says that it is another issuer than the one that was asked for."""

    def answer(self) -> None:
        at = f"http://127.0.0.1:{self.server.server_address[1]}"  # type: ignore[index]
        body = {"issuer": "https://other.example", "authorization_endpoint": at, "token_endpoint": at}
        self.reply(json.dumps(body).encode(), [("Content-Type", "application/json")])


class Silent(Liar):
    def answer(self) -> None:
        self.reply(b"Bad gateway", status=502)


class Garbled(Liar):
    def answer(self) -> None:
        self.reply(b'["no", "such", "thing"]')


class Dripping(Liar):
    def answer(self) -> None:
        self.send_response_only(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        with suppress(OSError):
            for _ in range(1000):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.02)


@pytest.mark.parametrize("kind", [Liar, Silent, Garbled, Dripping, None])
def test_an_issuer_that_does_not_answer_as_it_should(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, kind: type[Liar] | None
) -> None:
    """One sentence on the page of the sign-in, where the password still works; nothing is kept of the visitor."""
    monkeypatch.setattr(university, "SLOWEST", 0.2)

    def begin(port: int) -> None:
        settings.OIDC = University(f"http://127.0.0.1:{port}", "candor", "s3cret", "Example University")
        assert leave(client) == "/staff/admin/login/"

    if kind is None:
        begin(free_port())
    else:
        with answering(ThreadingHTTPServer(("127.0.0.1", 0), kind)) as server:
            begin(server.server_address[1])
    assert (AWAY in said(client), settings.SESSION_COOKIE_NAME in client.cookies) == (True, False)


class Odd(Quiet):
    """A provider that knows no PKCE, signs nothing, and answers the question for a token as `says` has it."""

    kind = "application/json"
    status = 200
    says: Any = None
    asked: list[str]

    def answer(self) -> None:
        at = f"http://127.0.0.1:{self.server.server_address[1]}"  # type: ignore[index]
        self.asked.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/token":
            says = self.says if isinstance(self.says, bytes) else json.dumps(self.says).encode()
            self.reply(says, [("Content-Type", self.kind), ("Location", f"{at}/inside")], self.status)
        else:
            body = {"authorization_endpoint": f"{at}/ask", "token_endpoint": f"{at}/token", "jwks_uri": at}
            body["issuer"] = at
            self.reply(json.dumps(body).encode(), [("Content-Type", "application/json")])


@pytest.fixture
def odd(settings: Any) -> Iterator[type[Odd]]:
    kind = type("Own", (Odd,), {"asked": []})
    with answering(ThreadingHTTPServer(("127.0.0.1", 0), kind)) as server:
        at = f"http://127.0.0.1:{server.server_address[1]}"
        settings.OIDC = University(at, "candor", "s3cret", "Example University")
        yield kind


def come_to(odd: type[Odd], client: Client, asked: dict[str, str], issuer: str, **claims: Any) -> None:
    """Come back from it with a token that has the nonce of this sign-in, unless claims have another."""
    sent = parse_qs(urlsplit(leave(client, **asked)).query)
    own = {"iss": issuer, "aud": "candor", "sub": "ann-1", "exp": int(time.time()) + 60, "nonce": sent["nonce"][0]}
    if not odd.says:
        stated = {name: claim for name, claim in (own | claims).items() if claim is not None}
        odd.says = {"access_token": "a", "id_token": jwt.encode(stated, "", "none")}
    client.get(BACK, {"code": "c", "state": sent["state"][0]})


@pytest.mark.parametrize(
    ("claims", "lets_in"),
    [
        ({}, True),
        ({"azp": "candor"}, True),
        ({"nonce": "of another"}, False),
        ({"nonce": None}, False),
        ({"azp": "another", "aud": ["candor", "another"]}, False),
        ({"exp": None}, False),
    ],
)
def test_a_token_for_another_sign_in_opens_nothing(
    client: Client, admin: User, odd: type[Odd], settings: Any, claims: dict[str, Any], lets_in: bool
) -> None:
    """Where a provider does not bind a code to the browser, a stolen one is of no use either, nor one for others."""
    come_to(odd, client, invited(admin), settings.OIDC.issuer, **claims)
    assert (is_in(client), User.objects.count()) == (lets_in, 1 + lets_in)


@pytest.mark.parametrize(
    ("kind", "status", "says"),
    [
        ("text/json", 200, b'{\n "access_token": "t0ken", "id_token": "t0ken"}'),
        ("application/json", 200, {"id_token": "t0ken", "refresh_token": "t0ken"}),
        ("application/json", 307, {"access_token": "t0ken"}),
        ("application/json", 200, {"access_token": "t0ken", "expires_in": 10**15}),
        ("application/json", 200, b"[" * 100_000),
        ("application/json", 200, b'{"access_token": "t0ken' + b"n" * university.LONGEST + b'"}'),
    ],
)
def test_an_answer_without_a_token_is_neither_followed_nor_logged(
    client: Client, odd: type[Odd], caplog: pytest.LogCaptureFixture, kind: str, status: int, says: Any
) -> None:
    """Whatever it is: another address, another form, a number or a length beyond all."""
    odd.kind, odd.status, odd.says = kind, status, says
    come_to(odd, client, {}, "")
    assert (AWAY in said(client), "t0ken" in caplog.text, "/inside" in odd.asked) == (True, False, False)


def test_a_provider_names_no_address_without_tls(settings: Any, rf: RequestFactory) -> None:
    """No signature is looked at, so a token must come by TLS also where the provider is set up wrongly."""
    settings.OIDC = University("https://uni.example", "candor", "s3cret", "Example University")
    dialogue = university.Dialogue(rf.get(BEGIN), settings.OIDC.issuer)
    at = {"authorization_endpoint": "https://uni.example/a", "token_endpoint": "http://uni.example/t"}
    dialogue._openid_config = {"issuer": "https://uni.example"} | at
    with pytest.raises(OAuth2Error, match="without TLS"):
        str(dialogue.access_token_url)


def test_a_session_does_not_hold_the_link_of_an_invitation(client: Client, admin: User, issuer: str) -> None:
    """Somebody who leaves and does not come back leaves a row behind: who reads the database makes no account by it."""
    asked = invited(admin)
    leave(client, **asked)
    assert asked["invitation"] not in str([one.get_decoded() for one in Session.objects.all()])


def test_a_token_of_another_issuer_is_refused(
    client: Client, admin: User, issuer: str, caplog: pytest.LogCaptureFixture
) -> None:
    """And one for another site: the provider must have made it for this one."""
    come(Client(), "ann-1", invited(admin))
    for name in ("iss", "aud"):
        claims: dict[str, Any] = {name: "https://other.example"}
        come(client, "ann-1", **claims)
        assert (AWAY in said(client), is_in(client)) == (True, False)
    assert caplog.text.count("(Invalid id_token)") == 2


def test_only_pages_of_this_site_lead_there(client: Client, admin: User, issuer: str) -> None:
    """Another's could bind a visitor to an invitation of its own."""
    asked = client.get(BEGIN, invited(admin), headers={"Sec-Fetch-Site": "cross-site"})
    assert asked["Location"] == "/staff/admin/login/"
    assert urlsplit(leave(client, next="https://other.example/")).netloc == urlsplit(issuer).netloc


def test_a_mailed_address_binds_nobody_to_an_invitation(client: Client, admin: User, issuer: str) -> None:
    """It leads to the page of the invitation, where a visitor decides: also one that has opened the page before, or
    has the mark of somebody else's session. Such an address names no site that it came from.
    """
    asked = invited(admin)
    link, led = f"/staff/admin/account/invited/{asked['invitation']}/", f"../invited/{asked['invitation']}/"
    assert client.get(BEGIN, asked)["Location"] == led
    client.get(link)
    leave(other := Client(), **asked)
    for mark in ("", "None", other.session[invitations.MARK]):
        assert client.get(BEGIN, asked | {"mark": mark})["Location"] == led
    assert client.get(BEGIN, {"invitation": "no/such"}, follow=True).status_code == 404
    assert come(client, "ann-1", asked)["Location"] == "/staff/studio/"


def test_few_wait_for_the_provider_and_an_address_leaves_so_often(
    client: Client, issuer: str, monkeypatch: pytest.MonkeyPatch, one_window: None
) -> None:
    for _ in range(3):
        university.WAITING.acquire()
    try:
        assert leave(client) == "/staff/admin/login/"
    finally:
        for _ in range(3):
            university.WAITING.release()
    assert "Too many people are signing in" in said(client)
    monkeypatch.setattr(attempts, "DEPARTURES", 0)
    stranger = Client(REMOTE_ADDR="203.0.113.78")
    assert leave(stranger) == "/staff/admin/login/"
    assert "Too many attempts to sign in" in said(stranger)


def test_who_has_no_password_confirms_at_the_university(client: Client, admin: User, issuer: str) -> None:
    """What asks for a password again asks the provider, who must say that it asked the person just now."""
    come(client, "ann-1", invited(admin))
    come(Client(), "ben-2", invited(admin, "ben"))
    for wanted in ("/staff/admin/account/tokens/", "/staff/admin/account/app/"):
        assert client.get(wanted)["Location"].startswith(f"{BEGIN}?next=")
    address = leave(client, next=wanted)
    assert (parse_qs(urlsplit(address).query)["prompt"], "max_age=0" in address) == (["login"], True)
    now = int(time.time())
    for subject, at in (("ben-2", now), ("ann-1", now - 600)):
        assert come(client, subject, {"next": wanted}, auth_time=at)["Location"] == "/staff/admin/account/"
        assert client.get(wanted).status_code == 302
    assert come(client, "ann-1", {"next": wanted}, auth_time=now)["Location"] == wanted
    assert client.get(wanted).status_code == 200


def test_without_the_settings_there_is_nothing_of_it(client: Client, admin: User) -> None:
    page = client.get(f"/staff/admin/account/invited/{invited(admin)['invitation']}/").content.decode()
    assert ("university" in page, "university" in said(client)) == (False, False)
    assert [client.get(one).status_code for one in (BEGIN, BACK)] == [404, 404]
