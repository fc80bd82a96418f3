"""The process that counts for a run which another process leads: `python -m mining.member RUN TOKEN`.

Started by mining.domain.run. It caps its own address space, and ends when its parent does or when the leader is gone.
"""

import logging
import os
import sys

import django

from mining.child import capped_memory, end_with_parent

logger = logging.getLogger(__name__)


def main(run_id: int, token: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings

    from mining.domain.crew.member import count_for

    try:
        with capped_memory(settings.MINING_MEMORY_MIB):
            count_for(run_id, token, lambda: os._exit(0))
    except Exception as error:  # the leader counts what was asked of this process
        logger.warning("A process that counted for run %s ended (%s).", run_id, type(error).__name__)
        raise SystemExit(1) from error


if __name__ == "__main__":
    end_with_parent()
    main(int(sys.argv[1]), sys.argv[2])
