"""Staff sign in; guessing is slow for strangers, open for those who were here before, and shown to nobody."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
import redis
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.test import Client

from config.signin import attempts, hashing
from surveys.domain.messages import rate
from tests.cases import first
from tests.config.signing_in import ADDRESS, RIGHT, WRONG, guess, stranger
from tests.servers import PATIENCE

pytestmark = pytest.mark.usefixtures("one_window")

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann", password=RIGHT, is_staff=True)


@pytest.fixture
def counts(broker: redis.Redis) -> redis.Redis:
    for name in broker.keys("*signin-*"):
        broker.delete(name)
    return broker


def statuses(client: Client, times: int, **given: Any) -> list[int]:
    return [guess(client, **given).status_code for _ in range(times)]


@contextmanager
def fill_queue(queue: str) -> Iterator[None]:
    """As many are checked or wait as may."""
    for _ in range(hashing.WAITING):
        assert hashing.QUEUES[queue].acquire(blocking=False)
    try:
        yield
    finally:
        for _ in range(hashing.WAITING):
            hashing.QUEUES[queue].release()


def test_the_sixth_guess_from_one_address_waits_and_is_told_how_long(counts: redis.Redis, ann: User) -> None:
    """Also if it is right: 429, a sentence with the minutes, and Retry-After."""
    client = stranger()
    assert statuses(client, 5) == [200] * 5
    refused = guess(client, RIGHT)
    assert (refused.status_code, refused["Retry-After"]) == (429, "500")
    assert "Too many attempts to sign in. Please wait 9 minutes, then try again." in refused.content.decode()
    assert guess(stranger("203.0.113.78"), RIGHT).status_code == 302


def test_forty_guesses_at_once_are_five(counts: redis.Redis, ann: User) -> None:
    """An attempt counts before its password is looked at."""
    assert attempts.FROM_ONE_ADDRESS_AT_ONE_ACCOUNT == 5
    request = SimpleNamespace(META={"REMOTE_ADDR": ADDRESS}, COOKIES={}, headers={})
    begun = []

    def begin() -> None:
        try:
            begun.append(attempts.begin(request, "ann", "password"))  # type: ignore[arg-type]
        except attempts.TooManyAttemptsError:
            begun.append(None)

    threads = [threading.Thread(target=begin) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(begun), begun.count(None)) == (40, 35)


def test_what_is_right_costs_nothing(counts: redis.Redis, ann: User) -> None:
    """A person may sign in as often as they like."""
    assert statuses(stranger(), 12, password=RIGHT) == [302] * 12


def test_one_address_tries_twenty_times_in_all(counts: redis.Redis) -> None:
    """Whatever the names, and however they are spread over half an IPv6 address."""
    addresses = [f"2001:db8:1:2::{number:x}" for number in range(21)]
    assert [guess(stranger(a), name=f"person{a}").status_code for a in addresses] == [200] * 20 + [429]


def test_one_account_is_tried_twenty_times_from_everywhere(counts: redis.Redis, ann: User) -> None:
    """Another spelling of the name is the same account; another account is not touched."""
    tries = [guess(stranger(f"198.51.100.{n}"), name=("ann", "ANN", "ａｎｎ")[n % 3]).status_code for n in range(21)]
    assert tries == [200] * 20 + [429]
    assert guess(stranger(), name="ben").status_code == 200


def test_from_one_address_nobody_uses_up_what_others_may_try(counts: redis.Redis, ann: User) -> None:
    """Refused guesses are not counted against the account."""
    statuses(stranger(), 60)
    assert guess(stranger("203.0.113.78"), RIGHT).status_code == 302


def test_an_attack_does_not_keep_out_whoever_was_here_before(counts: redis.Redis, ann: User) -> None:
    """A browser in which the account has signed in has a budget of its own, which guessing there uses up."""
    known = stranger()
    guess(known, RIGHT)
    known.post("/staff/admin/logout/")
    for number in range(21):
        guess(stranger(f"198.51.100.{number}"))
    statuses(stranger(), 6)
    assert guess(stranger("203.0.113.99"), RIGHT).status_code == 429
    assert guess(known, RIGHT).status_code == 302
    assert statuses(known, 11) == [200] * 10 + [429]


def test_a_known_browser_is_known_for_its_own_account(counts: redis.Redis, ann: User) -> None:
    """A person who has an account has no other budget for those of others; a forged cookie is none."""
    User.objects.create_user("ben", password=RIGHT, is_staff=True)
    insider = stranger()
    guess(insider, RIGHT, name="ben")
    assert statuses(insider, 6) == [200] * 5 + [429]
    forger = stranger("203.0.113.78")
    forger.cookies[attempts.COOKIE] = "made:up"
    assert statuses(forger, 6) == [200] * 5 + [429]


def test_the_cookie_of_a_known_browser_names_nobody(counts: redis.Redis, ann: User) -> None:
    """It is for the pages of staff, no script reads it, and it lasts ninety days."""
    cookie = guess(stranger(), RIGHT).cookies[attempts.COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/staff/", True, "Lax")
    assert cookie["max-age"] == 90 * 24 * 3600
    device, marks = attempts._browser(SimpleNamespace(COOKIES={attempts.COOKIE: cookie.value})).values()  # type: ignore[arg-type]
    assert "ann" not in f"{device}{marks}"


def test_the_broker_holds_neither_names_nor_addresses(counts: redis.Redis, ann: User) -> None:
    """Hashes under a key that ends with its window."""
    guess(stranger())
    held = {bytes(name): bytes(counts.get(name) or b"") for name in counts.keys("*signin-*")}
    assert len(held) == 6  # three counts, and a key for each of their purposes
    assert all(0 < counts.ttl(name) <= rate.WINDOW for name in held)
    for text in (b"ann", ADDRESS.encode(), bytes(map(int, ADDRESS.split(".")))):
        assert [name for name, value in held.items() if text in name.rpartition(b"-")[2] + value] == []


def test_without_a_broker_each_process_counts_and_says_so(
    ann: User, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody is let through more often, and nobody is kept out; the log has one sentence."""
    settings.CACHES = {"default": {"BACKEND": "config.run.cache.BrokerCache", "LOCATION": "redis://127.0.0.1:1/0"}}
    assert statuses(stranger(), 6) == [200] * 5 + [429]
    assert guess(stranger("203.0.113.78"), RIGHT).status_code == 302
    sentence = "The broker does not answer: each process counts attempts to sign in separately."
    assert [record.getMessage() for record in caplog.records].count(sentence) == 1


def test_no_answer_tells_whether_there_is_such_an_account(counts: redis.Redis, ann: User) -> None:
    """Unknown, wrong, not staff, no longer active, without a password: the same page, and one hash each."""
    User.objects.create_user("guest", password=RIGHT)
    User.objects.create_user("gone", password=RIGHT, is_staff=True, is_active=False)
    User.objects.create_user("keyless", is_staff=True)
    pages = {}
    for number, name in enumerate(("nobody", "ann", "guest", "gone", "keyless")):
        with pytest.MonkeyPatch.context() as patch:
            hashes: list[str] = []
            encode = hashing.OneAtATime.encode
            patch.setattr(hashing.OneAtATime, "encode", lambda *given: (hashes.append("one"), encode(*given))[1])  # noqa: B023
            password = RIGHT if name in ("guest", "gone") else WRONG
            answer = guess(stranger(f"203.0.113.{number}"), password, name)
        pages[name] = (answer.status_code, len(hashes), answer.context["form"].non_field_errors())
    assert set(map(str, pages.values())) == {str(pages["nobody"])}
    assert pages["nobody"][:2] == (200, 1)


def test_the_log_says_who_came_and_who_was_refused(
    counts: redis.Redis, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    """The name of an account and nothing else that was typed, which may be a password; no address."""
    caplog.set_level(logging.INFO, "config")
    client = stranger()
    guess(client)
    guess(client, name=RIGHT)
    guess(client, RIGHT)
    statuses(stranger(), 6)
    assert [record.getMessage() for record in caplog.records if record.name.startswith("config")] == [
        "A sign-in as ann was refused.",
        "A sign-in was refused: there is no such account.",
        "ann signed in.",
        *["A sign-in as ann was refused."] * 4,
        "Too many attempts to sign in (signin-pair): further attempts wait.",
    ]


def test_the_old_password_is_not_guessed_at_a_session_that_was_left_open(counts: redis.Redis, ann: User) -> None:
    """The page that changes it has the budgets of signing in: five wrong ones from one address, then 429."""
    client = stranger()
    client.force_login(ann)
    fields = {"old_password": WRONG, "new_password1": "paper clip stapler", "new_password2": "paper clip stapler"}

    answers = [client.post("/staff/admin/password_change/", fields) for _ in range(6)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 600
    ann.refresh_from_db()
    assert ann.check_password(RIGHT)


def test_too_many_at_once_are_told_to_come_again(counts: redis.Redis, ann: User) -> None:
    """503 at once, which takes no thread from respondents, and no attempt is counted."""
    client = stranger()
    with fill_queue("anybody"):
        refused = [guess(client, RIGHT) for _ in range(8)]
    assert {(answer.status_code, answer["Retry-After"]) for answer in refused} == {(503, "5")}
    assert guess(client, RIGHT).status_code == 302


def test_a_flood_does_not_keep_a_known_browser_waiting(counts: redis.Redis, ann: User) -> None:
    """It hashes beside the flood, not behind it."""
    known = stranger()
    guess(known, RIGHT)
    known.post("/staff/admin/logout/")
    with fill_queue("anybody"):
        assert guess(known, RIGHT).status_code == 302


def test_one_password_is_hashed_at_a_time_on_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who comes meanwhile waits for the lock; three may, and no more."""
    begun, go_on = threading.Semaphore(0), threading.Event()
    running, most = [0], [0]

    def slow(self: Any, *given: Any) -> str:
        running[0] += 1
        most[0] = max(most[0], running[0])
        begun.release()
        go_on.wait(PATIENCE)
        running[0] -= 1
        return "hash"

    monkeypatch.setattr("django.contrib.auth.hashers.PBKDF2PasswordHasher.encode", slow)
    threads = [
        threading.Thread(target=hashing.OneAtATime().encode, args=("word", "salt")) for _ in range(hashing.WAITING)
    ]
    for thread in threads:
        thread.start()
    assert begun.acquire(timeout=PATIENCE)
    while hashing.QUEUES["anybody"].acquire(blocking=False):  # until all three have come
        hashing.QUEUES["anybody"].release()
    with pytest.raises(hashing.HashingBusyError):
        hashing.OneAtATime().encode("word", "salt")
    go_on.set()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_passwords_of_earlier_versions_open_as_before(counts: redis.Redis, ann: User) -> None:
    """What is stored has the same form; nobody must change anything at an upgrade."""
    ann.password = PBKDF2PasswordHasher().encode(RIGHT, "salt", 900)
    ann.save()
    client = stranger()
    assert guess(client, RIGHT)["Location"] == "/staff/studio/"
    assert client.get("/staff/studio/").status_code == 200


@pytest.mark.parametrize("kind", [FORM, "multipart/form-data; boundary=x", "text/plain"])
def test_a_long_body_is_refused_unread(kind: str) -> None:
    """However it is packed, nothing of it is read or written to a folder."""
    answer = Client().generic("POST", "/staff/admin/login/", b"x" * (16 * 1024 + 1), kind)
    assert (answer.status_code, answer.content) == (413, b"This is longer than any sign-in.")
    assert not hasattr(answer.wsgi_request, "_post")


def test_a_body_of_unknown_length_is_refused_unread() -> None:
    answer = Client().generic("POST", "/staff/admin/login/", b"", FORM, headers={"Transfer-Encoding": "chunked"})
    assert (answer.status_code, answer.content) == (411, b"Send the form whole, with its length.")


def test_a_page_of_another_site_cannot_sign_anybody_in(counts: redis.Redis, ann: User) -> None:
    """The form's token is still asked for."""
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/staff/admin/login/", urlencode({"username": "ann", "password": RIGHT}), FORM)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "next_page",
    first(
        3,
        [
            "https://evil.example/",
            "//evil.example/",
            "/\\evil.example",
            "\\\\evil.example",
            "https:evil.example",
            "http:///evil.example",
            "javascript:alert(1)",
            " //evil.example",
            "/\t/evil.example",
        ],
    ),
)
def test_nothing_leads_out_of_the_site(counts: redis.Redis, ann: User, next_page: str) -> None:
    """A person who signs in, or is signed in, and is sent on with such a `next` comes to a page that is there."""
    client = stranger()
    answer = client.post(
        f"/staff/admin/login/?{urlencode({'next': next_page})}", {"username": "ann", "password": RIGHT}
    )
    assert (answer.status_code, answer["Location"]) == (302, "/staff/studio/")
    asked = [
        client.get(f"/staff/admin/{page}?{urlencode({'next': next_page})}") for page in ("login/", "password_change/")
    ]
    asked.append(client.post("/staff/language/", {"language": "en", "next": next_page}))
    asked.append(client.post("/staff/admin/logout/", {"next": next_page}))
    for response in asked:
        assert "evil.example" not in response.get("Location", "")


def test_a_form_in_another_alphabet_is_refused_in_place_of_an_error() -> None:
    """Forms are UTF-8; a request that says otherwise gets 400, with forged cookies too, and 404 where no page is."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["staff_csrf"] = "a" * 32
    answers = [
        client.generic("POST", path, b"a=%ff", content_type=f"{FORM}; charset=utf-7").status_code
        for path in ("/staff/admin/x/", "/nothing", "/staff/people/", "/staff/admin/login/")
    ]
    assert answers == [404, 404, 400, 400]
