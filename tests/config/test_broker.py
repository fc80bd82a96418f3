"""Whoever can write to the broker gets no code run, in the web server or in the worker, and stops neither."""

import pickle
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.test import Client
from kombu import Exchange

from config import celery_app
from config.run.broker import socket_path
from surveys.domain.messages import rate
from surveys.domain.questionnaire.publish import publish
from tests.servers import PATIENCE, running_broker, wait_until
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission


class Plant:
    """Becomes a file when somebody unpickles it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """The file that shows that planted code has run."""
    return tmp_path / "ran"


def test_a_plant_would_run(ran: Path) -> None:
    """What the other tests plant is dangerous where it is unpickled."""
    pickle.loads(pickle.dumps(Plant(ran)))
    assert ran.exists()


@pytest.mark.django_db
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


@pytest.mark.django_db
@pytest.mark.parametrize("written", [b"[" * 999, b'"word"'], ids=["deep", "text"])
def test_json_that_others_write_stops_nobody(broker: redis.Redis, written: bytes) -> None:
    """Under the names of the keys and of every count: responses are taken, and passwords looked at."""
    version, client = publish(make_survey()), Client(REMOTE_ADDR="203.0.113.5")
    guess = {"username": "ann", "password": "battery staple"}
    window = int(time.time()) // rate.WINDOW
    send(client, "study", submission(version))
    client.post("/admin/login/", guess)
    answers = []
    for pattern in ("*rate-key*", "*signin*-key*", "*rate*", "*signin*"):
        names = {name for name in broker.keys(pattern) if str(window).encode() in name}
        for name in names:
            broker.set(name, written, ex=60)
        answers += [send(client, "study", submission(version)).status_code]
        answers += [client.post("/admin/login/", guess).status_code]
        for name in broker.keys("*rate*") + broker.keys("*signin*"):
            broker.delete(name)
        send(client, "study", submission(version))
        client.post("/admin/login/", guess)
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
    told = (settings.task_serializer, settings.result_serializer, settings.event_serializer)
    assert (settings.accept_content, settings.result_accept_content, told) == (["json"], ["json"], ("json",) * 3)
    assert celery_app.control.mailbox.accept == ["json"]


def test_a_path_too_long_for_a_socket_gives_way_to_a_short_private_one(tmp_path: Path) -> None:
    """The broker answers there, in a folder that only its owner may enter."""
    path = socket_path(tmp_path / ("x" * 120))
    with running_broker(path) as client:
        assert (client.ping(), path.parent.stat().st_mode & 0o077) == (True, 0)
    shutil.rmtree(path.parent)


def test_a_pickle_in_the_queue_is_never_run(broker: redis.Redis, worker: subprocess.Popen[bytes], ran: Path) -> None:
    """As a task, and as a message of control: the worker, a process of its own, drops both and goes on."""
    task = {"task": "mining.tasks.mine", "id": "1", "args": [Plant(ran)], "kwargs": {}}
    control = {"method": "ping", "arguments": {"x": Plant(ran)}, "destination": None}
    with celery_app.connection() as connection, connection.Producer(serializer="pickle") as producer:
        producer.publish(task, routing_key="celery", exchange="", headers={"task": "mining.tasks.mine", "id": "1"})
        producer.publish([[Plant(ran)], {}, {}], routing_key="celery", exchange="")
        producer.publish(control, exchange=Exchange("celery.pidbox", type="fanout"))
    wait_until(lambda: broker.llen("celery") == 0, PATIENCE, "the worker has taken everything")
    wait_until(lambda: celery_app.control.ping(timeout=0.5), PATIENCE, "the worker answers")
    assert (worker.poll(), ran.exists()) == (None, False)
