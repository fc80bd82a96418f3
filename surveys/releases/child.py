"""The process that makes one release: `python -m surveys.releases.child ID TOKEN`, started by surveys.releases.work."""

# ruff: noqa: E402 - the settings must be read before models are imported
import os
import signal
import sys
import threading

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings

from surveys.children import capped_memory, end_with_parent, wait_for_locks
from surveys.releases.make import make

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # of a terminal, which asks the worker, too
    wait_for_locks()
    threading.Thread(target=end_with_parent, daemon=True).start()
    make(int(sys.argv[1]), sys.argv[2], capped_memory(settings.MINING_MEMORY_MIB))
