"""How often somebody may try to sign in. Nobody's account is ever locked: docs/decisions/0015-sign-in.md says why.

Attempts are counted in windows of ten minutes, under the keyed hashes of the rate limit (surveys.domain.messages.rate),
so that neither an address nor a typed name is kept. An attempt counts before the password is looked at, since
otherwise forty at once would be forty guesses, and is taken back if it was right. A browser in which somebody has
signed in before has a budget of its own for that account: what strangers do cannot use it up. If the broker is away,
each process counts alone.
"""

import logging
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext
from redis import RedisError

from config.run.cache import OneProcess
from surveys.domain.messages import rate

log = logging.getLogger(__name__)

FROM_ONE_ADDRESS_AT_ONE_ACCOUNT = 5
FROM_ONE_ADDRESS = 20  # at all accounts together: a department behind one address mistypes more than a person does
# From everywhere. Who tries codes has the password already, and a code has a million values: fewer there. Each wrong
# token counts as an account: a program that goes on with one that has ended leaves its neighbours most of their budget.
AT_ONE_ACCOUNT = {"password": 20, "code": 5, "token": 20}
FROM_A_KNOWN_BROWSER = 10
DEPARTURES = 200  # from one address to the university's sign-in: nothing is guessed there

COOKIE = "known_browser"
COOKIE_SECONDS = 90 * 24 * 3600
ACCOUNTS_OF_A_BROWSER = 8  # the newest ones, so that the cookie stays small

ALONE = OneProcess("sign-in", {"OPTIONS": {"MAX_ENTRIES": 10_000}})


class TooManyAttemptsError(ValidationError):
    """Says in the form how long to wait."""

    def __init__(self, seconds: int) -> None:
        minutes = -(-seconds // 60)
        sentence = ngettext(
            "Too many attempts to sign in. Please wait %(minutes)d minute, then try again.",
            "Too many attempts to sign in. Please wait %(minutes)d minutes, then try again.",
            minutes,
        )
        super().__init__(sentence % {"minutes": minutes}, code="wait")
        self.seconds = seconds


@dataclass(frozen=True)
class Budget:
    purpose: str
    subject: bytes
    limit: int


@dataclass(frozen=True)
class Attempt:
    budgets: tuple[Budget, ...]
    known: bool  # in a browser in which this account has signed in before

    def take_back(self) -> None:
        """Count the attempt as never made: the password was right, or nobody looked at it."""
        for budget in self.budgets:
            _count(budget, -1)


@contextmanager
def count_attempt(request: HttpRequest, name: str, what: str) -> Iterator[Attempt]:
    """Count the password or code that is checked in this block, unless it is right or is never looked at.

    It is wrong if a ValidationError says so. Any other error means that too many came at once, or that something is
    away: then nothing was looked at.
    """
    attempt = begin(request, name, what)
    try:
        yield attempt
    except ValidationError:
        raise
    except BaseException:
        attempt.take_back()
        raise
    attempt.take_back()


def begin(request: HttpRequest, name: str, what: str) -> Attempt:
    """Count an attempt to give the password (or the code) of the account, before it is looked at, or refuse it.

    The narrowest budget is asked first, and those after a refusal are left alone: from one address nobody can use up
    what others may try at the account.
    """
    device = _device(request, name)
    budgets = _budgets(request, name, what, device)
    _refuse_over(budgets)
    return Attempt(budgets, known=device is not None)


@contextmanager
def count_if_wrong(request: HttpRequest, text: str) -> Iterator[None]:
    """Count the token that is checked in this block if a ValidationError says that it is wrong.

    It is not counted before it is looked at: programs send a good one many times at once, and nobody guesses 256 bits.
    """
    budgets = _budgets(request, text, "token", None)
    _refuse_over(budgets, 0)
    try:
        yield
    except ValidationError:
        _refuse_over(budgets)
        raise


def count_departure(request: HttpRequest) -> None:
    """Count somebody who leaves to sign in elsewhere, for each asks that site and leaves a row: many come from one."""
    sender = rate.sender_of(rate.address_of(request))
    if sender is not None:
        _refuse_over((Budget("signin-elsewhere", sender, DEPARTURES),))


def _refuse_over(budgets: tuple[Budget, ...], count: int = 1) -> None:
    """Add `count` attempts to each budget, and refuse if one is over its limit; with 0, if one more would be."""
    for budget in budgets:
        tries = _count(budget, count) + 1 - count
        if count and tries == budget.limit + 1:
            log.warning("Too many attempts to sign in (%s): further attempts wait.", budget.purpose)
        if tries > budget.limit:
            raise TooManyAttemptsError(rate.seconds_of_window())


def _budgets(request: HttpRequest, name: str, what: str, device: str | None) -> tuple[Budget, ...]:
    """The budgets that an attempt counts in, the narrowest first; a known browser (`device`) has one of its own."""
    account = f"{what}\0{_same(name)}".encode()
    if device is not None:
        return (Budget("signin-known", account + b"\0" + device.encode(), FROM_A_KNOWN_BROWSER),)
    kind = "token" if what == "token" else "signin"  # programs at an address leave its people their budget
    everywhere = Budget(f"{kind}-account", account, AT_ONE_ACCOUNT[what])
    sender = rate.sender_of(rate.address_of(request))
    if sender is None:  # this machine, or a proxy that passes no address
        return (everywhere,)
    return (
        Budget(f"{kind}-pair", account + b"\0" + sender, FROM_ONE_ADDRESS_AT_ONE_ACCOUNT),
        Budget(f"{kind}-address", sender, FROM_ONE_ADDRESS),
        everywhere,
    )


def _count(budget: Budget, change: int = 1) -> int:
    """Add to the count of a budget and return the sum; without the broker this process counts alone."""
    with suppress(RedisError, ValueError):  # the broker cannot be reached, or has just forgotten the count
        return rate.count_subject(budget.purpose, budget.subject, change)
    if rate.count_subject("signin-alone", b"", store=ALONE) == 1:
        log.warning("The broker does not answer: each process counts attempts to sign in separately.")
    return rate.count_subject(budget.purpose, budget.subject, change, ALONE)


def _same(name: str) -> str:
    """One spelling for all spellings of a name that a person might take for the same."""
    return unicodedata.normalize("NFKC", name).casefold()


# ---- browsers in which somebody has signed in before -------------------------------------------------------------


def remember(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Let the browser prove from now on that this account has signed in there. It opens nothing."""
    browser = _browser(request)
    accounts = [_mark(name), *(mark for mark in browser["accounts"] if mark != _mark(name))][:ACCOUNTS_OF_A_BROWSER]
    response.set_cookie(
        COOKIE,
        signing.dumps({"device": browser["device"], "accounts": accounts}, salt=COOKIE),
        max_age=COOKIE_SECONDS,
        path=settings.STAFF_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device(request: HttpRequest, name: str) -> str | None:
    """The number of the browser, if this account has signed in there."""
    browser = _browser(request)
    return browser["device"] if _mark(name) in browser["accounts"] else None


def is_known(cookies: dict[str, str]) -> bool:
    """Whether somebody has signed in before in the browser that sends these cookies. No database is asked."""
    return _read_cookie(cookies) is not None


def _browser(request: HttpRequest) -> dict[str, Any]:
    return _read_cookie(request.COOKIES) or {"device": secrets.token_urlsafe(12), "accounts": []}


def _read_cookie(cookies: dict[str, str]) -> dict[str, Any] | None:
    with suppress(signing.BadSignature):
        return signing.loads(cookies.get(COOKIE, ""), salt=COOKIE, max_age=COOKIE_SECONDS)
    return None


def _mark(name: str) -> str:
    """Return the mark of an account for the cookie; it does not reveal the name."""
    return salted_hmac(COOKIE, _same(name)).hexdigest()[:16]
