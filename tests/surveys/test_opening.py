"""Many boxes are opened by several processes: the same comes out, and nothing is left, whichever of them dies."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import boxes, seal, waiting
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, SurveyVersion
from tests.servers import PATIENCE, wait_until
from tests.surveys.inbox import responses_waiting, wait
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers

PIECES = [[b"%d of %d" % (number, piece) for number in range(10)] for piece in range(7)]


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Three, also on a smaller machine and for few boxes; those that were started."""
    started: list[subprocess.Popen[bytes]] = []
    process_of = boxes._process

    @contextmanager
    def note_process(private_keys: boxes.Keys) -> Iterator[subprocess.Popen[bytes]]:
        with process_of(private_keys) as process:
            started.append(process)
            yield process

    monkeypatch.setattr(waiting, "PIECE", 20)
    monkeypatch.setattr(boxes, "MANY", 100)
    monkeypatch.setattr(boxes, "processors", lambda: 3)
    monkeypatch.setattr(boxes, "_process", note_process)
    return started


@pytest.fixture
def keys() -> dict[bytes, list[X25519PrivateKey]]:
    """Of two rounds."""
    return {name: [X25519PrivateKey.generate()] for name in (b"first", b"second")}


@pytest.fixture
def version() -> SurveyVersion:
    survey = make_survey()
    add_question(survey, "n", type="number")
    return publish(survey)


def seal_pieces(keys: dict[bytes, list[X25519PrivateKey]]) -> Iterator[list[boxes.Waiting]]:
    """The pieces, to the two rounds in turns."""
    rounds = list(keys)
    for piece in PIECES:
        rows = []
        for place, content in enumerate(piece):
            name = rounds[place % 2]
            public = keys[name][0].public_key().public_bytes_raw()
            rows.append((content, name, boxes.close(content, [public], b"here" + content), b"here" + content))
        yield rows


def test_several_processes_open_what_one_opens_in_the_same_order(keys: Any, processes: Any) -> None:
    """No matter which is done first; and all of them have ended afterwards."""
    with boxes.openers(100, keys) as open_pieces:
        assert list(open_pieces(seal_pieces(keys))) == [(content, content) for piece in PIECES for content in piece]
    assert [process.returncode for process in processes] == [0, 0, 0]


def test_few_boxes_are_opened_by_the_sealing_job_itself(keys: Any, processes: Any) -> None:
    """A process would need longer to start."""
    with boxes.openers(99, keys) as open_pieces:
        assert len(list(open_pieces(seal_pieces(keys)))) == 70
    assert processes == []


def test_a_box_that_no_key_opens_is_told_by_a_process(keys: Any, processes: Any) -> None:
    """As by the sealing job; none of the processes stays behind."""
    others = {name: [X25519PrivateKey.generate()] for name in keys}
    with (
        pytest.raises(ValueError, match="No key opens this box"),
        boxes.openers(100, others) as open_pieces,
    ):
        list(open_pieces(seal_pieces(keys)))
    assert None not in [process.returncode for process in processes]


def test_each_response_is_sealed_once_by_several_processes(version: SurveyVersion, processes: Any) -> None:
    """With its record and its answers; one batch stays, and comes with the last."""
    wait(version, [Stored(b"\0", b'{"n":%d}' % number) for number in range(120)])
    seal.seal_all()
    assert (len(processes), Inbox.objects.count()) == (3, 20)
    close(version.survey)
    seal.seal_closed()
    snapshot = latest(version.survey)
    assert snapshot is not None
    assert sorted(answer["n"] for answer in open_answers(snapshot)) == list(range(120))


@pytest.mark.long
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_process_that_is_killed_loses_nothing(
    version: SurveyVersion, processes: Any, monkeypatch: Any, caplog: Any, after: int
) -> None:
    """The sealing fails, is named in the log, and is done by the next round."""
    wait(version, [Stored(b"\0", b'{"n":%d}' % number) for number in range(120)])
    sends = boxes._send
    given = []

    def kill_later(process: subprocess.Popen[bytes], message: object) -> None:
        sends(process, message)
        given.append(process)
        if len(given) == 3 + after:  # keys for three, then pieces
            process.kill()
            process.wait()

    with monkeypatch.context() as first:
        first.setattr(boxes, "_send", kill_later)
        seal.seal_all()
    assert "were not sealed" in caplog.text
    assert (latest(version.survey), len(responses_waiting(version))) == (None, 120)
    seal.seal_all()
    snapshot = latest(version.survey)
    assert snapshot is not None
    assert (snapshot.respondents, Inbox.objects.count()) == (100, 20)
    assert None not in [process.returncode for process in processes]


def test_processes_end_with_a_sealing_job_that_is_killed(keys: Any, processes: Any) -> None:
    """Nobody closes their pipes then but the system."""
    reader, tell = os.pipe()
    job = os.fork()
    if job == 0:
        try:
            with boxes.openers(100, keys) as open_pieces:
                opens = open_pieces(seal_pieces(keys))
                next(opens)
                os.write(tell, b" ".join(b"%d" % process.pid for process in processes))
                signal.pause()
        finally:
            os._exit(1)
    os.close(tell)
    started = [int(number) for number in os.read(reader, 100).split()]
    assert len(started) == 3
    os.kill(job, signal.SIGKILL)
    os.waitpid(job, 0)
    wait_until(lambda: not any(map(lives, started)), PATIENCE, "all have ended")


def lives(process: int) -> bool:
    """A process that has ended and that nobody waits for is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
