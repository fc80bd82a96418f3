"""manage.py tend: the duties that are done again and again, beside the web server and the worker.

Every app lists its duties in its AppConfig, as pairs: a dotted path to a function without arguments, and the seconds to
wait before it is called again. A duty that found somebody in its way returns False, and is called again after longer
and longer pauses; one that has done a part of its work returns MORE, and is called again in the next turn. `duties` are
done by one process of all hosts, which leads; `duties_of_each_host`, such as to have a key ready, by each. Nothing is
lost if this process dies, because each duty finds its work in the database, and another host leads within seconds.
"""

import logging
import signal
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils.module_loading import import_string

from surveys.domain.database import damage, duties
from surveys.domain.database.hosts import Leader

log = logging.getLogger(__name__)

_LONGEST = 180.0  # seconds for which somebody in the way of a duty is left alone: the pause between two sealings


@dataclass
class Duty:
    name: str
    do: Callable[[], object]
    pause: float
    is_of_each_host: bool
    due: float = 0.0
    waits: float = 0.0  # seconds, after it was last tried
    has_more: bool = False


class Command(BaseCommand):
    requires_system_checks = ()  # they load every page; the web server does, too

    help = "Seal responses, remove their traces, and do what else the apps list as duties, until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once", action="store_true", help="do every duty once, also where another machine leads, and end"
        )

    def handle(self, *, once: bool, **_options: Any) -> None:
        """Do the duties of all apps when they are due, until a signal ends it; `once`: each until nothing is left."""
        damage.refuse_half()
        leader = Leader()
        listed = [
            Duty(name, do if once or is_of_each_host else partial(leader.do, do), pause, is_of_each_host)
            for app in apps.get_app_configs()
            for kind, is_of_each_host in (("duties_of_each_host", True), ("duties", False))
            for name, pause in getattr(app, kind, ())
            for do in [import_string(name)]
        ]
        stopped = threading.Event()
        if not once:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: stopped.set())
        while True:
            for duty in listed:
                if not stopped.is_set():
                    do_if_due(duty, lambda: once or leader.leads())
                while once and duty.has_more:
                    do_if_due(duty, lambda: True)
            if once or stopped.wait(1.0):
                leader.resign()
                return


def do_if_due(duty: Duty, leads: Callable[[], bool]) -> None:
    """Do a duty that is due. Where another host leads it stays due, and is done at once if this one takes over."""
    if duty.due > time.monotonic():
        return
    close_old_connections()  # before it is asked who leads: from then on a leader keeps to one session
    if duty.is_of_each_host or leads():
        done = _do(duty)
        duty.has_more = done is duties.MORE
        duty.waits = _pause_after(duty, done)
        duty.due = time.monotonic() + duty.waits


def _pause_after(duty: Duty, done: object) -> float:
    """Twice as long as last time where somebody was in the way: a dump takes hours, and others wait behind each try."""
    if done is duties.MORE:
        return 0.0
    if done is not False:
        return duty.pause
    return max(duty.pause, min(2 * max(duty.waits, duty.pause), _LONGEST))


def _do(duty: Duty) -> object:
    """What the duty returns; None where it fails."""
    duties.begin_duty()
    try:
        done = duty.do()
        if done is False or done is duties.MORE:
            duties.put_off(duty.name)
        else:
            duties.end_duty(duty.name)
    except Exception as error:
        log.exception("The duty %s failed and will be tried again.", duty.name)
        duties.end_duty(duty.name, error)
        return None
    finally:
        close_old_connections()
    return done
