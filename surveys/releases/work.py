"""Making a release as workers do: a process of its own makes the table, inside the caps that a mining run has."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

from django.conf import settings

from surveys.releases.claim import claim, fail, give_back, renewed
from surveys.releases.reasons import TableError

log = logging.getLogger(__name__)


def work(pk: int) -> None:
    """Take the release if it is free, and see it to its end."""
    token = claim(pk)
    if token is None:
        return
    with renewed(pk, token), _process(pk, token) as process:
        try:
            status = process.wait(settings.MINING_SECONDS)
        except subprocess.TimeoutExpired:
            fail(pk, token, TableError("late", most=settings.MINING_SECONDS))
            return
        finally:
            process.kill()
    if status:
        log.warning("The process making release %s ended with status %s.", pk, status)
        give_back(pk, token)


def _process(pk: int, token: str) -> subprocess.Popen[bytes]:
    """It ends when its standard input closes, however the worker ends; one thread, because others count beside it."""
    command = [sys.executable, "-m", "surveys.releases.child", str(pk), token]
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdin=subprocess.PIPE, cwd=settings.BASE_DIR, env=os.environ | alone)
