"""What the process does that mines one run; `mining.warm` forks it.

It caps its own address space, tells progress and its end on stdout, and writes its result only while the token is still
that of the run's claim.
"""

import json
import logging
import resource
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections

from mining.domain.claim import fail, finish
from mining.domain.reasons import RunError
from mining.domain.result import mine_run
from mining.domain.run import ENDED
from mining.engines.progress import READING
from mining.models import MiningRun
from privacy.errors import InputError

logger = logging.getLogger(__name__)
RUNS = MiningRun.objects.select_related("snapshot__version__survey")  # with all that is asked of a run's row
_EVERY = 0.5  # seconds between two lines of progress


@contextmanager
def capped_memory(mebibytes: int) -> Iterator[None]:
    """Let allocations fail beyond this much address space, instead of the whole machine running out.

    Only while mining: what is written afterwards must not fail for want of memory.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = mebibytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


class Progress:
    """Tells where the work is: every phase when it begins, then at most twice a second, so that it costs nothing.

    That a run begins with reading was noted when it was claimed.
    """

    def __init__(self) -> None:
        self.due = time.monotonic() + _EVERY
        self.phase = READING

    def __call__(self, phase: str, level: int, candidates: int, share: float) -> None:
        now = time.monotonic()
        if phase != self.phase or now >= self.due:
            self.phase, self.due = phase, now + _EVERY
            told = {"phase": phase, "level": level, "candidates": candidates, "share": round(share, 4)}
            print(json.dumps(told), flush=True)


def main(run_id: int, token: str) -> None:
    with ExitStack() as crews:  # it ends when what becomes of the run is stored
        _mine(run_id, token, crews)
        print(json.dumps(ENDED), flush=True)


def _mine(run_id: int, token: str, crews: ExitStack) -> None:
    run = RUNS.get(pk=run_id)
    try:
        with capped_memory(settings.MINING_MEMORY_MIB):
            summary, columns = mine_run(run, Progress(), token, crews)
        finish(run_id, token, summary, columns)
    except InputError as error:
        fail(run_id, token, error)
    except OperationalError:
        raise  # the database is away: another attempt may find it there
    except MemoryError:
        # It may have struck where a transaction ended: what is written in one that nobody commits is lost.
        connection.close()
        del connections[DEFAULT_DB_ALIAS]
        fail(run_id, token, RunError("memory", most=settings.MINING_MEMORY_MIB))
    except Exception as error:  # the same records would break it again
        logger.exception("Mining run %s broke.", run_id)
        fail(run_id, token, RunError("broke", error=type(error).__name__))
