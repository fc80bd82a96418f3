"""manage.py tend: the duties that are done again and again, beside the web server and the worker.

Every app lists its duties in its AppConfig, as pairs: a dotted path to a function without arguments, and the seconds to
wait before it is called again. Nothing is lost if this process dies, because each duty finds its work in the database.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils.module_loading import import_string

log = logging.getLogger(__name__)


@dataclass
class Duty:
    name: str
    do: Callable[[], object]
    pause: float
    due: float = 0.0


class Command(BaseCommand):
    requires_system_checks = ()  # they import every page; `prepare` has made them

    help = "Seal responses, remove their traces, and do what else the apps list as duties, until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="do every duty once and end")

    def handle(self, *, once: bool, **_options: Any) -> None:
        duties = [
            Duty(name, import_string(name), pause)
            for app in apps.get_app_configs()
            for name, pause in getattr(app, "duties", ())
        ]
        stopped = threading.Event()
        if not once:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: stopped.set())
        while True:
            for duty in duties:
                if not stopped.is_set() and duty.due <= time.monotonic():
                    _do(duty)
                    duty.due = time.monotonic() + duty.pause
            if once or stopped.wait(1.0):
                return


def _do(duty: Duty) -> None:
    close_old_connections()
    try:
        duty.do()
    except Exception:
        log.exception("The duty %s failed; it is tried again.", duty.name)
    finally:
        close_old_connections()
