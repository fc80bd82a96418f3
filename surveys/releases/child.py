"""What the process does that makes one release; `surveys.children.warm` forks it for surveys.releases.work."""

import signal

from django.conf import settings

from surveys.children import cap_memory
from surveys.releases.make import make

NAME = "releasing"


def main(pk: int, token: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # of a terminal, which asks the worker, too
    make(pk, token, cap_memory(settings.MINING_MEMORY_MIB))
