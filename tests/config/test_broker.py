"""A person who can write to the broker gets no code run in the web server, and stops neither it nor the worker.

That the worker runs none is tried where a whole site runs, in test_serve.py.
"""

import json
import pickle
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.test import Client

from config.celery import app as celery_app
from config.run import cache as config_cache, messages
from config.run.broker import socket_path
from config.signin import attempts
from mining.domain.request import TAKE
from surveys.domain.messages import rate
from surveys.domain.questionnaire.publish import publish
from surveys.notes import WAITING
from tests.clocks import set_time
from tests.config.planting import Plant
from tests.servers import PATIENCE, running_broker, wait_until
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """The file that shows that planted code has run."""
    return tmp_path / "ran"


def test_planted_code_runs_where_it_is_unpickled(ran: Path) -> None:
    """What the other tests plant is dangerous where it is unpickled."""
    pickle.loads(pickle.dumps(Plant(ran)))
    assert ran.exists()


@pytest.fixture
def silent_broker(settings: Any) -> Iterator[socket.socket]:
    """A machine that takes connections, and a broker there that says nothing; the site's cache is to use it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        options = {**settings.CACHES["default"]["OPTIONS"], "socket_timeout": 0.1}
        place = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": place, "OPTIONS": options}}
        yield server


def connections(server: socket.socket) -> int:
    """How many have come since somebody asked last."""
    count = 0
    with suppress(BlockingIOError):
        while True:
            server.accept()[0].close()
            count += 1
    return count


def test_a_broker_that_is_away_is_asked_now_and_then(
    silent_broker: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else waits for it: not this thread, and not another one, whose connections are its own."""
    now = 1000.0
    set_time(monkeypatch, config_cache, lambda: now)
    for expected in (1, 0, 0):
        assert rate.check_stored("203.0.113.5") == rate.Counters([])
        assert connections(silent_broker) == expected
    with ThreadPoolExecutor(1) as another:
        assert another.submit(rate.check_stored, "203.0.113.5").result() == rate.Counters([])
    assert connections(silent_broker) == 0
    now += config_cache.ALONE
    rate.check_stored("203.0.113.5")
    rate.check_stored("203.0.113.5")
    assert connections(silent_broker) == 1


def test_a_broker_that_answers_again_is_asked_by_all(broker: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who asked after some seconds has found out for everybody."""
    now, path = 1000.0, broker.connection_pool.connection_kwargs["path"]
    set_time(monkeypatch, config_cache, lambda: now)
    config_cache._ask_again[None, None, path] = now + 1
    pools = [config_cache.Pool(redis.UnixDomainSocketConnection, path=path) for _ in range(2)]
    with pytest.raises(redis.ConnectionError, match="did not answer a few seconds ago"):
        redis.Redis(connection_pool=pools[0]).ping()
    now += 1
    assert [redis.Redis(connection_pool=pool).ping() for pool in pools] == [True, True]


def test_a_machine_that_says_nothing_is_waited_for_a_second(settings: Any) -> None:
    """Also where it does not even refuse a connection, for which redis-py waits five seconds by itself."""
    options = cache._cache.get_client().connection_pool.connection_kwargs  # type: ignore[attr-defined]
    assert (options["socket_connect_timeout"], options["socket_timeout"]) == (1, 1)


def test_a_pickle_in_the_cache_is_never_run(broker: redis.Redis, ran: Path) -> None:
    """Under the names of the key and of every count, which are asked for with every message; respondents are served."""
    version, client = publish(make_survey()), Client(REMOTE_ADDR="203.0.113.5")
    assert send(client, "study", submission(version)).status_code == 201
    window = int(time.time()) // rate.WINDOW
    names = [f":1:rate-key-{window + later}".encode() for later in range(3)]
    for name in {*names, *broker.keys("*rate*")}:
        broker.set(name, pickle.dumps(Plant(ran)), ex=60)
    answers = [send(client, "study", submission(version)).status_code for _ in range(3)]
    malformed = send(client, "study", b"{").status_code
    for name in names:
        broker.delete(name)
    assert (answers, malformed, ran.exists()) == ([201] * 3, 400, False)


@pytest.mark.parametrize("written", [b"[" * 999, b'"word"'], ids=["deep", "text"])
def test_json_that_others_write_stops_nobody(broker: redis.Redis, written: bytes) -> None:
    """Under the names of the keys and of every count: responses are taken, and passwords looked at."""
    version, client = publish(make_survey()), Client(REMOTE_ADDR="203.0.113.5")
    guess = {"username": "ann", "password": "battery staple"}
    window = int(time.time()) // rate.WINDOW
    send(client, "study", submission(version))
    client.post("/staff/admin/login/", guess)
    answers = []
    for pattern in ("*rate-key*", "*signin*-key*", "*rate*", "*signin*"):
        attempts.ALONE.clear()  # on a busy machine all four fall into one window of these counts
        names = {name for name in broker.keys(pattern) if str(window).encode() in name}
        for name in names:
            broker.set(name, written, ex=60)
        answers += [send(client, "study", submission(version)).status_code]
        answers += [client.post("/staff/admin/login/", guess).status_code]
        for name in broker.keys("*rate*") + broker.keys("*signin*"):
            broker.delete(name)
        send(client, "study", submission(version))
        client.post("/staff/admin/login/", guess)
    assert answers == [201, 200] * 4


def test_the_cache_holds_json(broker: redis.Redis) -> None:
    """Texts and numbers as they are read by anybody; another value is not taken as one."""
    cache.set("text", "word", 60)
    cache.set("number", 7, 60)
    held = [broker.get(":1:text"), broker.get(":1:number")]
    assert (held, cache.get_many(["text", "number"])) == ([b'"word"', b"7"], {"text": "word", "number": 7})
    broker.set(":1:text", pickle.dumps("word"))
    with pytest.raises(ValueError, match=r"codec can.t decode|Expecting value"):
        cache.get("text")
    broker.delete(":1:text", ":1:number")


def test_celery_takes_json_alone() -> None:
    """For tasks, results, events, and the messages that control a worker, whose mailbox takes the same."""
    settings = celery_app.conf
    serializers = (settings.task_serializer, settings.result_serializer, settings.event_serializer)
    assert (settings.accept_content, settings.result_accept_content, serializers) == (["json"], ["json"], ("json",) * 3)
    assert celery_app.control.mailbox.accept == ["json"]


def test_a_path_too_long_for_a_socket_gives_way_to_a_short_private_one(tmp_path: Path) -> None:
    """The broker answers there, in a folder that only its owner may enter."""
    path = socket_path(tmp_path / ("x" * 120))
    with running_broker(path) as client:
        assert (client.ping(), path.parent.stat().st_mode & 0o077) == (True, 0)
    shutil.rmtree(path.parent)


@pytest.mark.long
def test_no_message_stops_a_worker(broker: redis.Redis, worker: subprocess.Popen[bytes]) -> None:
    """What Celery would obey of anybody who writes into the broker: to listen no more, to end, to tell its settings."""
    orders: list[tuple[str, dict[str, object]]] = [
        ("cancel_consumer", {"queue": WAITING}),
        ("rate_limit", {"task_name": TAKE, "rate_limit": "1/h"}),
        ("time_limit", {"task_name": TAKE, "hard": 1, "soft": 1}),
        ("pool_shrink", {"n": 1}),
        ("shutdown", {}),
    ]
    for order, arguments in orders:
        celery_app.control.broadcast(order, arguments=arguments)
    told = celery_app.control.inspect(timeout=PATIENCE, limit=1).conf() or {}
    assert [list(answer) for answer in told.values()] == [["error"]]
    for _ in range(2):
        celery_app.send_task(TAKE, (0,), ignore_result=True)
    wait_until(lambda: broker.llen(WAITING) == 0, PATIENCE, "both notes are taken")
    wait_until(lambda: celery_app.control.ping(limit=1, timeout=1), PATIENCE, "the worker answers")
    assert worker.poll() is None


def note(broker: redis.Redis, headers: dict[str, Any]) -> str:
    """As this site writes one, but for these headers; of a queue to which nobody listens."""
    celery_app.send_task(TAKE, (0,), ignore_result=True, queue="nobodys")
    written = json.loads(broker.lpop("nobodys"))
    return json.dumps(written | {"headers": written["headers"] | headers})


HEADERS: list[dict[str, Any]] = [
    {"id": None},
    {"task": ["a"]},
    {"timelimit": ["a", "b"]},
    {"eta": "2999-01-01T00:00:00"},
    {"task": "celery.backend_cleanup"},
]


@pytest.mark.long
def test_no_malformed_message_stops_a_worker(broker: redis.Redis, worker: subprocess.Popen[bytes]) -> None:
    """Such a one ended the worker, or was fetched for ever: nothing that came after it was done."""
    for text in ["no JSON", "7", "[" * 100_000, "{}", *(note(broker, headers) for headers in HEADERS)]:
        broker.lpush(WAITING, text)
        celery_app.send_task(TAKE, (0,), ignore_result=True)
        wait_until(lambda: broker.llen(WAITING) + broker.hlen("unacked") == 0, PATIENCE, "what came after it is taken")
    assert (worker.poll(), bool(celery_app.control.ping(limit=1, timeout=PATIENCE))) == (None, True)


def message_of(task: str = TAKE, keys: Any = (7,), named: Any = (), follows: Any = ()) -> SimpleNamespace:
    """A message as Kombu reads it from the broker."""
    headers = {"task": task, "timelimit": [None, None], "eta": None, "retries": 0}
    return SimpleNamespace(headers=headers, payload=[list(keys), dict(named), dict(follows)])


@pytest.mark.parametrize(
    "strange",
    [
        message_of("celery.backend_cleanup"),
        message_of(keys=[]),
        message_of(keys=[7, 8]),
        message_of(keys=["7"]),
        message_of(keys=[True]),
        message_of(named={"run_id": 7}),
        message_of(follows={"chain": [{"task": "celery.backend_cleanup"}]}),
    ],
)
def test_what_is_no_note_is_refused(strange: SimpleNamespace) -> None:
    """A task of Celery's own, other arguments than one key, and anything that shall follow."""
    with pytest.raises(ValueError, match=r"^$"):
        messages.require_note(strange)


def test_a_note_is_heard() -> None:
    """As Celery writes it, with empty places for what could follow."""
    messages.require_note(message_of(follows={"callbacks": None, "chain": None}))


def test_no_slow_command_stays_in_the_private_broker(tmp_path: Path) -> None:
    """It would hold by what visitors are counted, and for longer than they are."""
    with running_broker(tmp_path / "run" / "broker.sock") as client:
        client.config_set("slowlog-log-slower-than", 0)  # every command is slow
        client.set("visitor", 1)
        assert client.slowlog_get() == []
