"""A load test of a running site, from the machine it runs on: people who open a demo, answer it and send.

    python -m benchmarks.load [http://127.0.0.1:8000/s/demo-ten/] [--name survey.example.org]
                              [--people 2000] [--at-once 16] [--seconds 60]

Each of them does what a respondent's device does: it fetches the page, the questionnaire, disguises made-up answers and
sends them, again and again until they are accepted. Only simulated surveys are taken, because what is sent is counted.
The rate limit counts networks and leaves the machine itself out, so that other machines would soon be turned away.
A site behind a proxy answers to its own name alone, and only to what came by HTTPS: by `--name` requests say both, as
those of the proxy do.
"""

import argparse
import http.client
import ipaddress
import json
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import cycle, islice
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from privacy.design import Design
from privacy.design.items import Item
from privacy.disguise import disguise
from privacy.output import as_table

PATIENCE = 30.0
AHEAD = 4096  # so many different submissions are made before the clock starts


@dataclass
class SenderLog:
    """What one sender saw: seconds of each request by its kind, and how often it was turned away with which status."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"page": [], "questionnaire": [], "response": []})
    away: Counter[str] = field(default_factory=Counter)


def main() -> None:
    parser = argparse.ArgumentParser(description="Open, answer and send a simulated survey of a site on this machine.")
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8000/s/demo-ten/")
    parser.add_argument("--name", help="the name of the site, where it answers to no other: as if its proxy asked")
    parser.add_argument("--people", type=int, default=2_000, help="how many respondents, at most")
    parser.add_argument("--at-once", type=int, default=16, help="how many of them at the same time")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long, at most")
    options = parser.parse_args()
    url = urlsplit(options.address)
    host, port = url.hostname or "", url.port or 80
    if url.scheme != "http" or not is_this_machine(host):
        parser.error(f"{options.address} is not on this machine: name it as http://127.0.0.1:8000/s/demo-ten/.")
    path = url.path.rstrip("/")
    asked = {"Host": options.name, "X-Forwarded-Proto": "https"} if options.name else {}
    bodies = make_submissions(*questionnaire(parser, host, port, path, asked), min(options.people, AHEAD))
    end = time.monotonic() + options.seconds
    start = time.monotonic()
    with ThreadPoolExecutor(options.at_once) as pool:
        shares = [options.people // options.at_once + (place < options.people % options.at_once)
                  for place in range(options.at_once)]  # fmt: skip
        mine = [islice(cycle(bodies), place, None, options.at_once) for place in range(options.at_once)]
        logs = list(pool.map(lambda share, texts: respond(host, port, path, asked, share, texts, end), shares, mine))
    spent = time.monotonic() - start
    rows = []
    for kind in ("page", "questionnaire", "response"):
        times = np.array([second for one in logs for second in one.seconds[kind]])
        middle, late, worst = 1000 * np.percentile(times, [50, 99, 100]) if len(times) else (np.nan,) * 3
        rows.append(
            [kind, len(times), round(len(times) / spent, 1), *(round(float(x), 1) for x in (middle, late, worst))]
        )
    print(as_table(["what", "answered", "a second", "p50, ms", "p99, ms", "worst, ms"], rows))
    away = sum((one.away for one in logs), Counter[str]())
    print(
        "\nTurned away: " + (", ".join(f"{status} {count} times" for status, count in sorted(away.items())) or "nobody")
    )


def is_this_machine(host: str) -> bool:
    try:
        addresses = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(address).is_loopback for address in addresses)


def questionnaire(
    parser: argparse.ArgumentParser, host: str, port: int, path: str, asked: dict[str, str]
) -> tuple[bytes, dict[str, Any]]:
    """The bytes of the questionnaire, and what they say; a sentence where nobody should send made-up answers to it."""
    try:
        with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as connection:
            connection.request("GET", f"{path}/questionnaire", headers=asked)
            answer = connection.getresponse()
            content = answer.read()
    except OSError as error:
        parser.error(f"http://{host}:{port} does not answer ({error}): start the site first.")
    if answer.status in (301, 400):
        parser.error("The site answers to another name: say which, as in --name survey.example.org.")
    if answer.status != 200:
        parser.error(f"{path}/questionnaire answers {answer.status}: name a survey that collects.")
    source = json.loads(content)
    open_questions = any(
        "type" in question and not question.get("sensitive")
        for page in source["pages"]
        for question in page["questions"]
    )
    if "simulated" not in source or source["access"] != "open" or open_questions:
        parser.error(
            f"{path} is not a simulated survey without undisguised questions: what is sent to it would be counted."
        )
    return content, source


def make_submissions(content: bytes, source: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Submissions of made-up people, each disguised as its device would."""
    design = Design.parse(source["design"])
    chance = np.random.default_rng()
    answers = np.column_stack([chance.choice(truths(item), count) for item in design.items])
    records = disguise(design, answers.astype(design.code_type))
    version, pad = sha256(content).hexdigest(), int(str(source["pad"]))
    bodies = []
    for codes in records.codes.tolist():
        record = [None if code == design.not_asked else code for code in codes]
        body = {"version": version, "key": "0" * 32, "direct": 0, "record": record, "open": {}, "pad": ""}
        bodies.append({**body, "pad": " " * (pad - len(json.dumps(body)))})
    return bodies


def truths(item: Item) -> np.ndarray:
    """The codes of answers that somebody may give."""
    codes = np.arange(item.field(optional=False).size)
    return codes[item.can_be_true(codes)]


def respond(
    host: str, port: int, path: str, asked: dict[str, str], people: int, bodies: Iterator[dict[str, Any]], end: float
) -> SenderLog:
    """One sender after another over one connection, as a proxy keeps it; a broken one is opened again."""
    log = SenderLog()
    with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as connection:
        for body in islice(bodies, people):
            if time.monotonic() > end:
                break
            text = json.dumps({**body, "key": os.urandom(16).hex()}).encode()
            ask(connection, log, "page", "GET", f"{path}/", asked, None)
            ask(connection, log, "questionnaire", "GET", f"{path}/questionnaire", asked, None)
            sent = {**asked, "Content-Type": "application/json"}
            while not ask(connection, log, "response", "POST", f"{path}/responses", sent, text):
                if time.monotonic() > end:
                    break
                time.sleep(0.05)
    return log


def ask(
    connection: http.client.HTTPConnection,
    log: SenderLog,
    kind: str,
    method: str,
    path: str,
    headers: dict[str, str],
    body: bytes | None,
) -> bool:
    """Whether it was answered as a respondent needs it."""
    start = time.monotonic()
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        log.away[type(error).__name__] += 1
        return False
    if answer.status not in (200, 201):
        log.away[str(answer.status)] += 1
        return False
    log.seconds[kind].append(time.monotonic() - start)
    return True


if __name__ == "__main__":
    main()
