"""One address cannot send without end, and no address is kept to know that."""

from typing import Any

import pytest
import redis
from django.test import Client

from surveys.domain.messages import rate
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import SurveyVersion
from tests.clocks import set_time, stop_windows
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission

ADDRESS = "203.0.113.77"


@pytest.fixture
def version(monkeypatch: pytest.MonkeyPatch) -> SurveyVersion:
    stop_windows(monkeypatch)
    monkeypatch.setattr(rate, "STORED", 3)
    monkeypatch.setattr(rate, "REFUSED", 4)
    return publish(make_survey())


@pytest.fixture
def counts(broker: redis.Redis) -> redis.Redis:
    forget(broker)
    return broker


def forget(counts: redis.Redis) -> None:
    for name in counts.keys("*rate-*"):
        counts.delete(name)


def statuses(version: SurveyVersion, count: int, address: str = ADDRESS) -> list[int]:
    client = Client(REMOTE_ADDR=address)
    return [send(client, "study", submission(version)).status_code for _ in range(count)]


def test_over_the_limit_is_429_and_says_when(counts: redis.Redis, version: SurveyVersion) -> None:
    """The fourth message of three is refused with the seconds to wait; another address is served."""
    assert statuses(version, 4) == [201, 201, 201, 429]
    refusal = send(Client(REMOTE_ADDR=ADDRESS), "study", submission(version))
    assert 0 < int(refusal["Retry-After"]) <= rate.WINDOW
    assert statuses(version, 1, "203.0.113.78") == [201]


@pytest.mark.parametrize("address", ["203.0.113.79", "2001:db8:1:2::3"])
def test_a_message_asks_the_broker_three_times(counts: redis.Redis, version: SurveyVersion, address: str) -> None:
    """The key of the window and the counts before it is stored; all that is counted, at once, after it."""
    statuses(version, 1)  # of another address: it draws the key
    counts.config_resetstat()
    statuses(version, 1, address)
    calls = {
        name.removeprefix("cmdstat_"): statistics["calls"] for name, statistics in counts.info("commandstats").items()
    }
    networks = 1 if "." in address else 3
    counted = {"set": networks, "incrby": networks, "multi": 1, "exec": 1}  # one message to the broker
    assert {name: calls.get(name) for name in ("get", "mget", *counted)} == {"get": 1, "mget": 1, **counted}
    assert calls.keys() <= {"get", "mget", *counted, "config|resetstat", "client|setinfo", "select"}


@pytest.mark.parametrize("other", ["2001:db8:1:2:ffff::9", "[2001:db8:1:2::4]:5000"])
def test_half_an_ipv6_address_is_one_sender(counts: redis.Redis, version: SurveyVersion, other: str) -> None:
    """A device that changes the other half is still the same, also where a proxy writes brackets and a port."""
    assert statuses(version, 3, "2001:db8:1:2::3") == [201] * 3
    assert statuses(version, 1, other) == [429]


def test_ipv6_networks_share_their_budgets_upward(counts: redis.Redis, version: SurveyVersion) -> None:
    """Each /64 of a /56 has three messages, but the /56 has six and the /48 twelve; another /48 is another."""
    sent = [statuses(version, 3, f"2001:db8:7:{subnet:x}::1") for subnet in (0x100, 0x101, 0x102)]
    assert sent == [[201] * 3, [201] * 3, [429] * 3]  # the third is in the same /56
    sent = [statuses(version, 3, f"2001:db8:7:{subnet:x}::1") for subnet in (0x200, 0x300, 0x400)]
    assert sent == [[201] * 3, [201] * 3, [429] * 3]  # and this /48 has had twelve
    assert statuses(version, 1, "2001:db8:8::1") == [201]


def send_malformed(count: int, address: str = ADDRESS) -> list[int]:
    return [send(Client(REMOTE_ADDR=address), "study", b"{").status_code for _ in range(count)]


def test_malformed_messages_leave_the_network_its_budget(counts: redis.Redis, version: SurveyVersion) -> None:
    """However many of them one device sends, its neighbours' answers are stored."""
    send_malformed(50)
    assert statuses(version, 3) == [201] * 3


def test_of_too_many_refused_messages_no_reason_is_given(counts: redis.Redis, version: SurveyVersion) -> None:
    """They are asked to wait; another network reads what is wrong."""
    assert send_malformed(6) == [400] * 4 + [429] * 2
    refusal = send(Client(REMOTE_ADDR=ADDRESS), "study", b"{")
    assert 0 < int(refusal["Retry-After"]) <= rate.WINDOW
    assert send_malformed(1, "203.0.113.78") == [400]


def test_ipv6_networks_share_the_budget_of_refusals_too(counts: redis.Redis, version: SurveyVersion) -> None:
    """A device that changes its /64 with every message uses up the budget of its /56, and then of its /48."""
    assert [send_malformed(1, f"2001:db8:9:{number:x}::1") for number in range(9)] == [[400]] * 8 + [[429]]
    assert [send_malformed(1, f"2001:db8:9:{number:x}00::1") for number in range(1, 9)] == [[400]] * 7 + [[429]]


def test_an_honest_device_always_hears_why(counts: redis.Redis, version: SurveyVersion) -> None:
    """Beside a neighbour who floods: the receipt of what was stored, and that the survey has closed, are no refusals
    that count, and nothing is stored again, so they use up no budget either.
    """
    send_malformed(9)
    kept, client = submission(version), Client(REMOTE_ADDR=ADDRESS)
    assert [send(client, "study", kept).status_code for _ in range(6)] == [201, *[200] * 5]
    close(version.survey)
    assert statuses(version, 6) == [410] * 6


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"body": b"{"}, 400),
        ({"body": b"{}"}, 422),
        ({"body": b" " * 70_000}, 413),
        ({"body": b"{}", "headers": {"Origin": "https://elsewhere.example"}}, 403),
        ({"body": b"{}", "headers": {"Content-Type": "text/plain"}}, 415),
        ({"body": b"{}", "slug": "nowhere"}, 422),
    ],
)
def test_each_refusal_counts(counts: redis.Redis, version: SurveyVersion, sent: dict[str, Any], status: int) -> None:
    """Whatever no page of this site sends."""
    client = Client(REMOTE_ADDR=ADDRESS)
    answers = [
        send(client, sent.get("slug", "study"), sent["body"], **sent.get("headers", {})).status_code for _ in range(5)
    ]
    assert answers == [status] * 4 + [429]


@pytest.mark.parametrize("written", [f"::ffff:{ADDRESS}", f"64:ff9b::{ADDRESS}", f"{ADDRESS}:5000"])
def test_an_ipv4_address_is_itself_however_it_is_written(
    counts: redis.Redis, version: SurveyVersion, written: str
) -> None:
    """As a server that listens on IPv6 too, a translating network or a proxy writes it; its neighbour is another."""
    assert statuses(version, 3) == [201] * 3
    assert statuses(version, 1, written) == [429]
    assert statuses(version, 1, written.replace(".77", ".78")) == [201]


@pytest.mark.parametrize("written", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "[::1]:5000"])
def test_this_machine_itself_is_not_limited(counts: redis.Redis, version: SurveyVersion, written: str) -> None:
    """Behind a proxy that passes no address everybody would be one sender."""
    assert statuses(version, 4, written) == [201] * 4


def test_what_is_counted_ends_with_its_window(
    counts: redis.Redis, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Key and counts live for what is left of the ten minutes, not for ten minutes more."""
    set_time(monkeypatch, rate, lambda: 8 * rate.WINDOW - 20)
    statuses(version, 1)
    left = [counts.ttl(name) for name in counts.keys("*rate-*")]
    assert len(left) == 2
    assert all(0 < seconds <= 20 for seconds in left)


def test_what_is_stored_as_a_window_ends_counts_nowhere(
    counts: redis.Redis, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window that is over gets no count, which would outlive its key; the new one has not looked at the sender."""
    now = float(8 * rate.WINDOW - 1)
    set_time(monkeypatch, rate, lambda: now)
    counters = rate.check_stored(ADDRESS)
    now += 1
    rate.count_stored(counters)
    assert [name for name in counts.keys("*rate-*") if b"key" not in name] == []


def test_the_broker_holds_no_address(counts: redis.Redis, version: SurveyVersion) -> None:
    """Neither as text nor as bytes, in names or values; everything there ends within the window."""
    statuses(version, 2)
    for name in counts.keys("*rate-*"):
        held = bytes(name) + bytes(counts.get(name) or b"")
        assert ADDRESS.encode() not in held
        assert bytes(map(int, ADDRESS.split("."))) not in held
        assert 0 < counts.ttl(name) <= rate.WINDOW


def test_another_window_has_another_key(counts: redis.Redis, version: SurveyVersion) -> None:
    """What an address hashed to is found nowhere once the window is over."""
    statuses(version, 1)
    first = set(counts.keys("*rate-*"))
    forget(counts)
    statuses(version, 1)
    second = set(counts.keys("*rate-*"))
    assert len(first) == len(second) == 2
    assert len(first & second) <= 1  # the name of the key may be the same, the hash is not


def test_without_a_broker_nobody_is_turned_away(version: SurveyVersion, settings: Any) -> None:
    """Collecting goes on, and refusals give their reasons; the limits return with the broker."""
    settings.CACHES = {
        "default": {
            "BACKEND": "config.run.cache.BrokerCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
    assert (statuses(version, 5), send_malformed(6)) == ([201] * 5, [400] * 6)


@pytest.mark.parametrize("written", [b"x", b"9" * 5000, b'{"a": 1}', b"[" * 900, None])
def test_what_others_write_to_the_broker_turns_nobody_away(
    counts: redis.Redis, version: SurveyVersion, written: bytes | None
) -> None:
    """Under the name of the key, which can be guessed, and of a count: text, numbers, or another type of value."""
    statuses(version, 1)
    for name in counts.keys("*rate-*"):
        counts.delete(name)
        counts.lpush(name, "x") if written is None else counts.set(name, written)
    assert statuses(version, 2) == [201] * 2


@pytest.mark.parametrize("proxy", [True, False])
def test_nobody_chooses_their_address(counts: redis.Redis, version: SurveyVersion, settings: Any, proxy: bool) -> None:
    """Behind a proxy that counts which it wrote down last, and without one the header is not read."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if proxy else None
    client = Client(REMOTE_ADDR="127.0.0.1" if proxy else ADDRESS)
    written = f", {ADDRESS}" if proxy else ""
    answers = [
        send(client, "study", submission(version), **{"X-Forwarded-For": f"198.51.100.{number}{written}"})
        for number in range(4)
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
