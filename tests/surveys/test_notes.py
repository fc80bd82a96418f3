"""A note that the broker does not take is no error, and the log says what is wrong with the broker."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from kombu import Connection

from config.run import serve
from config.run.broker import socket_path
from surveys import notes
from tests.servers import running_broker

REFUSED = "The broker refuses the name or password of CELERY_BROKER_URL"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[redis.Redis]:
    """A broker for one test, which may change its settings."""
    with running_broker(socket_path(tmp_path)) as client:
        yield client


def path(client: redis.Redis) -> str:
    return str(client.connection_pool.connection_kwargs["path"])


def log_lines(caplog: pytest.LogCaptureFixture, place: str) -> list[str]:
    """What the log says of a note to the broker at this socket."""
    at_once = {"max_retries": 0}  # Kombu would try again for five seconds
    with Connection(f"redis+socket://{place}", transport_options=at_once) as connection:
        notes.leave("look", 7, waits="run 7 waits for the sweeper", connection=connection, retry=False)
    return [record.getMessage() for record in caplog.records if record.name == "surveys.notes"]


def test_a_broker_that_is_not_there_is_away(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    assert log_lines(caplog, str(tmp_path / "none")) == ["The broker is away; run 7 waits for the sweeper."]


def test_a_wrong_password_is_named(caplog: pytest.LogCaptureFixture, own: redis.Redis) -> None:
    """It stays wrong until somebody mends it, and a broker that is away comes back by itself."""
    own.config_set("requirepass", "right")
    assert log_lines(caplog, path(own)) == [f"{REFUSED}; run 7 waits for the sweeper."]


def test_what_else_a_broker_refuses_is_repeated() -> None:
    """Such as that its memory is full: it says so itself."""
    said = [notes.refusal(redis.ResponseError("not allowed.")), notes.refusal(redis.ConnectionError("refused"))]
    assert said == ["The broker refuses: not allowed", ""]


def test_a_note_that_is_taken_is_no_line_of_the_log(caplog: pytest.LogCaptureFixture, own: redis.Redis) -> None:
    assert (log_lines(caplog, path(own)), own.llen("celery")) == ([], 1)


def test_duties_leave_no_note_more_where_a_thousand_wait(own: redis.Redis, settings: Any) -> None:
    """Without a worker they would fill the broker. As soon as workers have taken some, duties go on."""
    settings.REDIS_URL = f"unix://{path(own)}?db=0"
    left: list[int] = []

    def hint(pk: int) -> bool:
        left.append(pk)
        return True

    own.rpush("celery", *range(notes.MANY))
    notes.leave_again(hint, [1, 2])
    assert left == []
    own.lpop("celery")
    notes.leave_again(hint, [1, 2])
    assert left == [1, 2]


def test_a_start_with_a_wrong_password_ends_with_a_sentence(own: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not as a broker that does not answer."""
    own.config_set("requirepass", "right")
    monkeypatch.setattr(serve.settings, "REDIS_URL", f"unix://{path(own)}?db=0")
    with pytest.raises(SystemExit) as ended:
        serve.broker_answers()
    assert str(ended.value) == f"{REFUSED}."
