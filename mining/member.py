"""What the process does that counts for a run which another process leads; `surveys.children.warm` forks it.

It caps its own address space, tells on stdout that it does not stand still, and ends when its leader is gone.
"""

import logging
import os

from django.conf import settings

from mining.child import beating, prepare
from mining.domain.crew.member import count_for
from surveys.children import capped_memory

__all__ = ["NAME", "main", "prepare"]

logger = logging.getLogger(__name__)
NAME = "counting"


def main(run_id: int, token: str) -> None:
    try:
        with beating(), capped_memory(settings.MINING_MEMORY_MIB):
            count_for(run_id, token, lambda: os._exit(0))
    except Exception as error:  # the leader counts what was asked of this process
        logger.warning("A process that counted for run %s ended (%s).", run_id, type(error).__name__)
        raise SystemExit(1) from error
