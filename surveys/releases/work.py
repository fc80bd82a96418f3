"""Making a release as workers do: a process of its own makes the table, inside the caps that a mining run has."""

import logging

from django.conf import settings

from surveys.children.forked import Forked, end_after, start
from surveys.releases.claim import claim, dead_process_error, fail, keep_claim, retry
from surveys.releases.reasons import TableError

log = logging.getLogger(__name__)


def work(pk: int) -> None:
    """Make a release unless somebody else does: claim it, and wait for the process that makes it."""
    token = claim(pk)
    if token is None:
        return
    with keep_claim(pk, token), end_after(start_process(pk, token)) as process:
        try:
            status = process.wait(settings.MINING_SECONDS)
        except TimeoutError:
            fail(pk, token, TableError("late", most=settings.MINING_SECONDS))
            return
    if status:
        log.warning("The process making release %s ended with status %s.", pk, status)
        retry(pk, token, dead_process_error())


def start_process(pk: int, token: str) -> Forked:
    return start("surveys.releases.child", pk, token)
