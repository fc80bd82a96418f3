"""Working on a run: the worker claims it, a child process does the work, and the worker watches over both.

The child ends when the pipe from its worker closes, however the worker ended.
"""

from __future__ import annotations

import json
import logging
import os
import select
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from kombu.exceptions import OperationalError

from mining.domain import ending
from mining.domain.claim import claim, fail, give_back, hand_back, held_token, renew
from mining.domain.crew.copies import tidy
from mining.domain.reasons import RunError
from mining.engines.allocating import counting_environment
from mining.queues import JOIN
from surveys import notes
from surveys.children import forked
from surveys.children.forked import Forked, ended
from surveys.domain.database.leases import MOST_ATTEMPTS

logger = logging.getLogger(__name__)
ENDED = "ended"  # what a child says last: what becomes of its run is stored
BEAT = b"{}\n"  # what it says while there is nothing to tell
_LOOK = 0.5  # seconds between looks at a child
_BEGIN = 60.0  # seconds until it says something first: it may still have to import everything
_TIDY = 60.0  # seconds between looks at the copies


def work(run_id: int) -> None:
    """Take the run if it is free, and see it to its end."""
    token = claim(run_id)
    if token is None:
        return
    with ending.held_back(), ended(start_child(run_id, token)) as child:
        _watch(child, run_id, token)


def help_with(run_id: int) -> None:
    """Count for whoever works on the run, until they need it no more."""
    token = held_token(run_id)
    if not token:
        return
    deadline = time.monotonic() + settings.MINING_SECONDS
    with ended(forked.start("mining.member", run_id, token, tuned=counting_environment())) as child:
        for _ in _heard(child, run_id):
            if time.monotonic() >= deadline:
                return


def _call(run_id: int, members: int) -> None:
    """Ask so many idle workers to count for the run. While the broker is away its leader goes on alone."""
    with suppress(OperationalError):
        for _ in range(members):
            notes.send(JOIN, run_id)


def start_child(run_id: int, token: str) -> Forked:
    """The process that mines."""
    return forked.start("mining.child", run_id, token, tuned=counting_environment())


def _watch(child: Forked, run_id: int, token: str) -> None:
    now = time.monotonic()
    deadline, beat = now + settings.MINING_SECONDS, now + settings.MINING_LEASE / 4
    progress: dict[str, Any] = {}
    for said in _heard(child, run_id):
        _call(run_id, said.pop("call", 0))
        progress |= said
        if ENDED in progress:
            break
        now = time.monotonic()
        if now >= deadline:
            fail(run_id, token, RunError("late", most=settings.MINING_SECONDS))
            return
        if progress or now >= beat:
            if not renew(run_id, token, **progress):
                return  # cancelled, or given up for dead: the child's result is not wanted any more
            progress, beat = {}, now + settings.MINING_LEASE / 4
    if ending.is_asked() and ENDED not in progress:
        child.kill()  # first: it may hold a lock that this waits for
        hand_back(run_id, token)
        return
    try:
        status = child.wait(settings.MINING_LEASE)  # it makes copies, and is not cut off in the middle of them
    except TimeoutError:
        return
    if status != 0:
        logger.warning("The process mining run %s ended with status %s.", run_id, status)
        give_back(run_id, token, RunError("stopped", status=status, attempts=MOST_ATTEMPTS))


def _heard(child: Forked, run_id: int) -> Iterator[dict[str, Any]]:
    """What the child said, at each look at it, until it ends, is killed because it stands still, or the worker shall
    end. Copies are tidied meanwhile."""
    tidied = time.monotonic()
    quiet, most_quiet = 0.0, max(settings.MINING_LEASE, _BEGIN)  # seconds for which the child said nothing, by looks
    while not ending.is_asked():
        ready, _, _ = select.select([child.stdout], [], [], _LOOK)
        quiet += _LOOK
        said: dict[str, Any] = {}
        if ready:
            lines = os.read(child.stdout.fileno(), 65536)
            if not lines:
                return
            quiet, most_quiet = 0.0, settings.MINING_LEASE
            said = _said(lines)
        if quiet >= most_quiet:
            logger.warning("The process working on run %s stands still.", run_id)
            child.kill()
            return
        yield said
        tidied = _tidied(tidied)


def _tidied(before: float) -> float:
    """Tidy the copies here once a minute, and say when: the note to do so waits as long as every slot has work."""
    now = time.monotonic()
    if now < before + _TIDY:
        return before
    try:
        tidy()
    except (DatabaseError, OSError) as error:  # the next minute may do it; a run is not lost by that
        logger.warning("Copies of parts were not tidied (%s).", type(error).__name__)
    return now


def _said(lines: bytes) -> dict[str, Any]:
    """What these lines say; of what comes twice the last. Half a line is only a newer figure lost, or a call."""
    said: dict[str, Any] = {}
    for line in lines.split(b"\n"):
        with suppress(ValueError, TypeError):
            said |= json.loads(line)
    return said
