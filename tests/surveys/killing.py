"""Many devices that send again until they are answered, while processes of the site are killed with -9."""

import http.client
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path

from surveys.models import SurveyVersion
from tests.servers import PATIENCE, Site
from tests.surveys.sending import submission

SENDERS = 16
WEB_WORKER, SEALING_JOB = "web worker", "sealing job"


class Device:
    """Keeps a connection and sends the same bytes until they are accepted."""

    def __init__(self, port: int, slug: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.path = f"/s/{slug}/responses"

    def send(self, body: bytes) -> int:
        while True:
            try:
                self.connection.request("POST", self.path, body, {"Content-Type": "application/json"})
                answer = self.connection.getresponse()
                answer.read()
                if answer.status in (200, 201):
                    return answer.status
                assert answer.status == 503, f"refused with {answer.status}"
            except (OSError, http.client.HTTPException):
                self.connection.close()  # the next request opens it again
            time.sleep(0.05)


def send_all(port: int, slug: str, bodies: list[bytes]) -> Counter[int]:
    """How many were answered with which status, once all are."""

    def send(mine: list[bytes]) -> list[int]:
        device = Device(port, slug)
        with closing(device.connection):
            return [device.send(body) for body in mine]

    with ThreadPoolExecutor(SENDERS) as pool:
        return Counter(chain.from_iterable(pool.map(send, [bodies[place::SENDERS] for place in range(SENDERS)])))


def number_submissions(version: SurveyVersion, count: int, first: int = 0) -> list[bytes]:
    """Submissions of one length, as the respondent's page pads them, that differ by their number `n`."""
    made = []
    for number in range(first, first + count):
        message = submission(version, record=[number & 1, number >> 1 & 1, number >> 2 & 1], open={"n": number})
        message["pad"] = " " * (version.parsed.pad - len(json.dumps(message)))
        made.append(json.dumps(message).encode())
    return made


@contextmanager
def killing(site: Site, victims: Iterable[str], pause: float) -> Iterator[Counter[str]]:
    """These processes of the site, one every `pause` seconds; how many of each have been killed."""
    done, killed = threading.Event(), Counter[str]()

    def kill() -> None:
        for victim in victims:
            before = killed[victim]
            while killed[victim] == before:  # one that is gone is killed when it has come again
                if done.wait(pause):
                    return
                killed[victim] += kill_one(site, victim)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        done.set()
        killer.join()


def kill_one(site: Site, victim: str) -> int:
    """A worker of gunicorn, its master or the sealing job; the site starts each again. 0 where it is gone already."""
    try:
        target = site.pid("web server" if victim == WEB_WORKER else victim)
        if victim == WEB_WORKER:
            target = int(Path(f"/proc/{target}/task/{target}/children").read_text().split()[0])
        os.kill(target, signal.SIGKILL)
    except (OSError, ValueError, IndexError):
        return 0
    return 1
