"""The second factor of staff: set up, asked for, lost, removed; codes have budgets, and their secrets are encrypted."""

import json
import re
from typing import Any

import pytest
import redis
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from config.signin import factor
from tests.config.signing_in import RIGHT, SECRET, WRONG, guess, now, stranger

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def counts(broker: redis.Redis, app_codes: None) -> redis.Redis:
    for name in broker.keys("*signin-*"):
        broker.delete(name)
    return broker


@pytest.fixture
def ann() -> User:
    return User.objects.create_superuser("ann", password=RIGHT)


@pytest.fixture
def with_app(ann: User, counts: redis.Redis) -> User:
    TOTP.activate(ann, SECRET)
    RecoveryCodes.activate(ann)
    return ann


def wrong() -> str:
    """A code that no app shows at this time."""
    return next(code for code in ("000000", "111111") if code != now())


def recovery_code(user: User) -> str:
    return str(Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()[0])


def give(client: Client, code: str) -> Any:
    return client.post("/staff/admin/account/code/", {"code": code})


def sign_in_and_confirm(user: User) -> Client:
    """Somebody who is signed in, and has just confirmed it."""
    client = stranger()
    client.force_login(user)
    client.post("/staff/admin/account/confirm/", {"password": RIGHT})
    return client


def is_in(client: Client) -> bool:
    return client.get("/staff/studio/").status_code == 200


def test_the_password_alone_opens_nothing(with_app: User) -> None:
    """It leads to the page that asks for a code; what was asked for comes after it."""
    client = stranger()
    answer = client.post("/staff/admin/login/", {"username": "ann", "password": RIGHT, "next": "/staff/people/"})
    assert answer["Location"] == "/staff/admin/account/code/"
    assert not is_in(client)
    assert give(client, now())["Location"] == "/staff/people/"
    assert is_in(client)


def test_the_page_for_a_code_is_for_those_who_gave_a_password(with_app: User) -> None:
    """Nobody else learns who has a second factor."""
    assert stranger().get("/staff/admin/account/code/")["Location"] == "/staff/admin/login/"
    assert give(stranger(), now())["Location"] == "/staff/admin/login/"


def test_a_code_opens_once(with_app: User) -> None:
    """A person who has seen it being typed is too late."""
    code = now()
    first, second = stranger(), stranger()
    guess(first, RIGHT)
    guess(second, RIGHT)
    assert give(first, code).status_code == 302
    assert give(second, code).status_code == 200
    assert not is_in(second)


def test_a_session_that_somebody_planted_stays_theirs(with_app: User) -> None:
    """The key of a session changes with the password and again with the code: an earlier one opens nothing."""
    TOTP.activate(User.objects.create_superuser("bob", password=RIGHT), SECRET)
    bob, browser, between = stranger(), stranger(), stranger()
    guess(bob, RIGHT, "bob")
    browser.cookies.load(bob.cookies.output(header=""))
    guess(browser, RIGHT)
    between.cookies.load(browser.cookies.output(header=""))

    assert give(bob, now())["Location"] == "/staff/admin/login/"
    assert give(browser, now())["Location"] == "/staff/studio/"
    assert [is_in(client) for client in (bob, between, browser)] == [False, False, True]


def test_a_recovery_code_opens_once(with_app: User) -> None:
    code = recovery_code(with_app)
    opened = []
    for client in (stranger(), stranger()):
        guess(client, RIGHT)
        give(client, code)
        opened.append(is_in(client))
    assert opened == [True, False]


def test_codes_are_guessed_five_times_and_then_wait(with_app: User) -> None:
    """Also the right one waits; 429 and the seconds."""
    client = stranger()
    guess(client, RIGHT)
    assert [give(client, wrong()).status_code for _ in range(5)] == [200] * 5
    refused = give(client, now())
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 600
    assert "Too many attempts to sign in." in refused.content.decode()
    assert not is_in(client)


def test_guessed_codes_do_not_keep_out_whoever_was_here_before(with_app: User) -> None:
    """A thief of the password can use up the budget of codes; a known browser has its own."""
    known = stranger()
    guess(known, RIGHT)
    give(known, recovery_code(with_app))
    known.post("/staff/admin/logout/")
    for number in range(5):
        thief = stranger(f"198.51.100.{number}")
        guess(thief, RIGHT)
        for _ in range(5):
            give(thief, wrong())
    guess(known, RIGHT)
    assert give(known, now()).status_code == 302


def test_without_a_broker_a_recovery_code_opens(with_app: User, settings: Any) -> None:
    """Nothing remembers which code of an app was used, so none is taken; the page says what to do."""
    settings.CACHES = {"default": {"BACKEND": "config.run.cache.BrokerCache", "LOCATION": "redis://127.0.0.1:1/0"}}
    client = stranger()
    guess(client, RIGHT)
    assert "codes from an app cannot be checked. Use a recovery code." in give(client, now()).content.decode()
    assert give(client, recovery_code(with_app)).status_code == 302


def test_a_long_code_is_refused_unread(with_app: User) -> None:
    client = stranger()
    guess(client, RIGHT)
    assert give(client, "1" * 20_000).status_code == 413


def test_an_app_is_set_up_with_its_code_and_gives_recovery_codes(ann: User, counts: redis.Redis) -> None:
    """The password is asked for again; the secret stands on the page as text and as a picture."""
    client = stranger()
    client.force_login(ann)
    assert client.get("/staff/admin/account/app/")["Location"].startswith("/staff/admin/account/confirm/")
    assert client.post("/staff/admin/account/confirm/?next=/staff/admin/account/app/", {"password": RIGHT})[
        "Location"
    ] == ("/staff/admin/account/app/")
    page = client.get("/staff/admin/account/app/").content.decode()
    (groups,) = re.findall(r"<code>((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})</code>", page)
    secret = groups.replace(" ", "")
    assert re.search(r'<svg [^>]*class="code"', page)
    assert client.post("/staff/admin/account/app/", {"code": "12345"}).status_code == 200
    answer = client.post("/staff/admin/account/app/", {"code": now(secret)})
    assert answer["Location"] == "/staff/admin/account/recovery/"
    codes = re.findall(r"<code>(\d{8})</code>", client.get("/staff/admin/account/recovery/").content.decode())
    assert len(set(codes)) == 10
    assert "10 recovery codes are left." in client.get("/staff/admin/account/").content.decode()


def test_a_wrong_password_confirms_nothing_and_has_the_budget_of_a_sign_in(with_app: User) -> None:
    """A person who finds an open session can neither remove the second factor nor guess the password there."""
    client = stranger()
    client.force_login(with_app)
    for _ in range(5):
        assert client.post("/staff/admin/account/confirm/", {"password": WRONG}).status_code == 200
    refused = client.post("/staff/admin/account/confirm/", {"password": RIGHT})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 600
    assert "Too many attempts" in refused.content.decode()
    assert client.get("/staff/admin/account/app/remove/")["Location"].startswith("/staff/admin/account/confirm/")
    assert guess(stranger(), RIGHT).status_code == 429


def test_a_removed_app_is_asked_for_no_more(with_app: User) -> None:
    """Its recovery codes go with it."""
    client = sign_in_and_confirm(with_app)
    assert client.post("/staff/admin/account/app/remove/")["Location"] == "/staff/admin/account/"
    assert not Authenticator.objects.exists()
    assert guess(stranger(), RIGHT)["Location"] == "/staff/studio/"


def test_nobody_without_an_app_is_asked_for_its_code(with_app: User) -> None:
    client, page = sign_in_and_confirm(with_app), "/staff/admin/account/confirm/code/"
    assert "please give a code of your app, or a recovery code" in client.get(page).content.decode()
    with_app.authenticator_set.filter(type=Authenticator.Type.TOTP).delete()
    assert "please give a recovery code" in client.get(page).content.decode()
    assert not factor.Authenticate(user=with_app).has_app()


def test_new_recovery_codes_end_the_old_ones(with_app: User) -> None:
    old = recovery_code(with_app)
    sign_in_and_confirm(with_app).post("/staff/admin/account/recovery/new/")
    client = stranger()
    guess(client, RIGHT)
    assert give(client, old).status_code == 200
    assert give(client, recovery_code(with_app)).status_code == 302


def test_secrets_lie_encrypted_and_follow_secret_key(with_app: User, settings: Any) -> None:
    """A person who has only the database has no code; a site that exchanges its SECRET_KEY keeps second factors."""
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert SECRET not in stored
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another-key-" * 6
    assert list(factor.renew_secrets()) == []
    settings.SECRET_KEY_FALLBACKS = []
    assert list(factor.renew_secrets()) == []
    assert Authenticator.objects.get(type="totp").wrap().validate_code(now())


def test_a_lost_secret_key_is_said_and_lets_nobody_in(with_app: User, settings: Any) -> None:
    """One sentence for each at the start, one on the page."""
    settings.SECRET_KEY = "another-key-" * 6
    sentence = (
        "The second factor of ann was encrypted under another SECRET_KEY: start the site with that one, or name it in "
        "SECRET_KEY_FALLBACKS."
    )
    assert list(factor.renew_secrets()) == [sentence] * 2
    client = stranger()
    guess(client, RIGHT)
    assert "the second factor was encrypted under another SECRET_KEY" in give(client, now()).content.decode()
    assert not is_in(client)


def test_whoever_has_lost_everything_is_let_in_from_the_machine(with_app: User, capsys: Any) -> None:
    """`manage.py remove_second_factor NAME`; a name that is none is refused in one sentence."""
    call_command("remove_second_factor", "ann")
    call_command("remove_second_factor", "ann")
    assert capsys.readouterr().out == (
        "ann can now sign in with the password alone.\nann could already sign in with the password alone.\n"
    )
    assert guess(stranger(), RIGHT)["Location"] == "/staff/studio/"
    with pytest.raises(CommandError, match=r"^There is no account nobody\.$"):
        call_command("remove_second_factor", "nobody")


def act(client: Client, what: str, person: User) -> Any:
    return client.post("/staff/people/", {"do": what, "pk": person.pk}, follow=True)


@pytest.mark.parametrize("what", ["end", "factor", "kind"])
def test_a_found_session_changes_nobody(with_app: User, what: str) -> None:
    """The page of people is only looked at; what changes somebody asks first for the password, and nothing was done."""
    boss = User.objects.create_superuser("boss", password=RIGHT)
    client, hers = stranger(), stranger()
    client.force_login(boss)
    hers.force_login(with_app)

    page = act(client, what, with_app)

    assert page.redirect_chain == [("/staff/admin/account/confirm/?next=%2Fstaff%2Fpeople%2F", 302)]
    assert page.content.decode().count("Nothing was changed yet: confirm that it is you, then do it again.") == 1
    assert '<a href="/staff/people/">Cancel</a>' in page.content.decode()
    assert (Authenticator.objects.count(), is_in(hers)) == (2, True)
    assert client.get("/staff/people/").status_code == 200


def test_codes_are_guessed_five_times_from_everywhere(with_app: User) -> None:
    """A person who has the password and many addresses gains no more guesses of a code by them."""
    statuses = []
    for number in range(7):
        client = stranger(f"203.0.113.{number}")
        guess(client, RIGHT)
        statuses.append(give(client, wrong()).status_code)
    assert statuses == [200] * 5 + [429] * 2


def test_a_sign_in_that_waits_for_its_code_ends_with_the_password(with_app: User) -> None:
    """Who had the old password may have the code, too: they get in with neither."""
    client = stranger()
    guess(client, RIGHT)
    with_app.set_password("another one, 37")
    with_app.save()
    answer = give(client, now())
    assert answer["Location"] == "/staff/admin/login/"
    assert "The password was changed meanwhile: sign in again." in client.get("/staff/admin/login/").content.decode()
    assert not is_in(client)


def test_everybody_sees_and_ends_their_own_sessions(ann: User, counts: redis.Redis) -> None:
    """One, all others, or all; those of others are not touched, whatever is sent."""
    ben = stranger()
    ben.force_login(User.objects.create_superuser("ben"))
    here, there, elsewhere = stranger(), stranger(), stranger()
    for client in (here, there, elsewhere):
        client.force_login(ann)
    page = here.get("/staff/admin/account/")
    assert len(page.context["sessions"]) == 3
    assert here.session.session_key not in page.content.decode()
    (mark,) = [one.mark for one in page.context["sessions"] if one.key == there.session.session_key]
    here.post("/staff/admin/account/", {"end": mark})
    assert [is_in(client) for client in (here, there, elsewhere)] == [True, False, True]
    here.post("/staff/admin/account/", {"end": "others"})
    assert [is_in(client) for client in (here, elsewhere, ben)] == [True, False, True]
    here.post("/staff/admin/account/", {"end": "all"})
    assert [is_in(client) for client in (here, ben)] == [False, True]


@pytest.mark.parametrize(
    "name",
    [
        "account",
        "account_reauthenticate",
        "mfa_reauthenticate",
        "mfa_reauthenticate_webauthn",
        "mfa_activate_totp",
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_generate_recovery_codes",
        "mfa_add_webauthn",
    ],
)
def test_the_pages_of_an_account_are_for_those_who_are_signed_in(name: str) -> None:
    answer = stranger().get(reverse(name))
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/staff/admin/login/")


def test_a_confirmation_leads_nowhere_outside(ann: User, counts: redis.Redis) -> None:
    client = stranger()
    client.force_login(ann)
    answer = client.post("/staff/admin/account/confirm/?next=https://evil.example/", {"password": RIGHT})
    assert answer["Location"] == "/staff/studio/"
