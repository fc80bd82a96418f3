"""Working on a run: what mining says to the runner of jobs (`surveys.domain.database.jobs`)."""

import os

from django.conf import settings

from mining.domain.claim import LEASES
from mining.engines.reasons import MiningError
from surveys.domain.database.jobs import Runner
from surveys.domain.database.leases import MOST_ATTEMPTS

_LARGE, _KEPT = 16 << 20, 64 << 20  # bytes: what goes back to the system when it is freed, and what is kept beside it


def counting_environment() -> dict[str, str]:
    """The environment variables to set for such a process, besides those of this one.

    One thread: a worker has its own processor, and threads would only wait for it.

    What NumPy frees is kept for the next array: to fetch it from the system again took a fifth of the processor time.
    It comes in pages of two megabytes where Linux and its C library can do so: pages of four kilobytes took a seventh
    of a run of a million responses. Of several tunables of one name the last holds, so the operator's. One arena: a
    thread that only tells that its process lives would else take 64 megabytes of the memory that is capped.

    >>> counting_environment()["OMP_NUM_THREADS"]
    '1'
    """
    kept = {"MALLOC_MMAP_THRESHOLD_": str(_LARGE), "MALLOC_TRIM_THRESHOLD_": str(_KEPT), "MALLOC_ARENA_MAX": "1"}
    tuned = ":".join(filter(None, ["glibc.malloc.hugetlb=1", os.environ.get("GLIBC_TUNABLES")]))
    return {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "GLIBC_TUNABLES": tuned} | kept


RUNNER = Runner(
    LEASES,
    "mining.child",
    lambda: MiningError("late", most=settings.MINING_SECONDS),
    lambda status: MiningError("stopped", status=status, attempts=MOST_ATTEMPTS),
    lambda: MiningError("memory", most=settings.MINING_MEMORY_MIB),
    counting_environment,
)
