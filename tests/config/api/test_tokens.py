"""How long a token of the API is good, and how often somebody may try wrong ones."""

from collections.abc import Callable

import pytest
import redis
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from config.signin import factor
from tests.config.api.conftest import caller, person, token_of
from tests.config.signing_in import ADDRESS, RIGHT, SECRET, stranger

pytestmark = pytest.mark.usefixtures("one_window")


def change_password(user: User) -> None:
    user.set_password("another one, 37")
    user.save()


CHANGES: dict[str, Callable[[User], object]] = {
    "another password": change_password,
    "an app is added": lambda user: TOTP.activate(user, "A" * 32),
    "new recovery codes": RecoveryCodes.activate,
    "a part is removed": lambda user: Authenticator.objects.get(user=user).delete(),
    "all is removed from the machine": lambda user: call_command("remove_second_factor", user.get_username()),
    "all is removed by a superuser": factor.remove,
}


@pytest.mark.parametrize("change", CHANGES)
def test_tokens_end_with_the_password_or_second_factor_under_which_they_were_made(change: str) -> None:
    """A person who had a stolen password keeps no way in; tokens of other people stay."""
    user, other = person("ann"), person("ben")
    if "removed" in change:
        TOTP.activate(user, SECRET)
    hers, his = caller(token_of(user)), caller(token_of(other))
    before = [ask("GET", "/surveys").status_code for ask in (hers, his)]
    CHANGES[change](user)
    assert (before, [ask("GET", "/surveys").status_code for ask in (hers, his)]) == ([200, 200], [401, 200])


def test_tokens_outlive_the_use_of_a_second_factor() -> None:
    """A code that is given changes nothing; nor does a sign-in, which may store the password under a newer hash."""
    user = person("ann")
    user.set_password(RIGHT)
    user.save()
    TOTP.activate(user, SECRET)
    ask = caller(token_of(user))
    Authenticator.objects.get(user=user).record_usage()
    User.objects.filter(pk=user.pk).update(password=user.password.replace("$1000$", "$999$"))
    Client().post(reverse("account_login"), {"username": "ann", "password": RIGHT})
    assert ask("GET", "/surveys").status_code == 200


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("password_change", "A new password ends all API tokens."),
        ("api_tokens", "All your tokens end when your password or your second factor changes."),
    ],
)
def test_the_page_says_that_tokens_end(name: str, sentence: str) -> None:
    """Before the change, where it is made and where the tokens are; and after it, how many ended."""
    user = person("ann")
    user.set_password(RIGHT)
    user.save()
    token_of(user)
    client = stranger()
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": RIGHT})
    page = client.get(reverse(name)).content.decode()
    new = {"old_password": RIGHT, "new_password1": "another one, 37", "new_password2": "another one, 37"}
    changed = client.post(reverse("password_change"), new, follow=True).content.decode()

    assert sentence in page
    assert "1 API token of ann ended." in changed


def send(text: str, address: str = ADDRESS) -> HttpResponse:
    return Client(REMOTE_ADDR=address).get("/api/surveys", headers={"Authorization": f"Bearer {text}"})


@pytest.fixture
def counts(broker: redis.Redis) -> redis.Redis:
    for name in broker.keys("*token-*"):
        broker.delete(name)
    return broker


def test_one_wrong_token_is_looked_at_five_times_from_an_address(counts: redis.Redis) -> None:
    """Then it waits, as a wrong password does, with the seconds; other addresses and other tokens do not."""
    good = token_of(person("ann"))
    answers = [send("candor_ended") for _ in range(7)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429] * 2
    assert 0 < int(answers[-1]["Retry-After"]) <= 600
    assert answers[-1].json()["detail"].startswith("Too many wrong tokens came from this address: wait ")
    assert (send("candor_ended", "198.51.100.7").status_code, send(good).status_code) == (401, 200)


def test_twenty_wrong_tokens_are_looked_at_from_an_address(counts: redis.Redis) -> None:
    """Then a good one waits, too; a good one before that is never counted, however often it comes."""
    good = token_of(person("ann"))
    assert {send(good).status_code for _ in range(30)} == {200}
    assert [send(f"candor_{number}").status_code for number in range(22)] == [401] * 20 + [429] * 2
    assert (send(good).status_code, send(good, "198.51.100.7").status_code) == (429, 200)


def test_wrong_tokens_keep_nobody_from_signing_in(counts: redis.Redis) -> None:
    """A program that goes on with what has ended has a budget apart from that of the people at its address."""
    User.objects.create_superuser("ann", password=RIGHT)
    for number in range(25):
        send(f"candor_{number}")
    answer = stranger().post(reverse("account_login"), {"username": "ann", "password": RIGHT})
    assert answer.status_code == 302
