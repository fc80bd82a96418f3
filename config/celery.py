"""The Celery application. Tasks stand in the `tasks` module of each app, and only call functions of its domain."""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import worker_init
from kombu import Queue
from kombu.common import Broadcast

from config.run import (
    alive,  # noqa: F401  a worker says by it that it runs
    messages,
)
from mining.queues import EVERYBODY, JOIN, JOINING, TIDY, WORK
from surveys.domain.database import restoring

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # a worker has no pages; `manage.py prepare` has checked them

# Each worker whose broker went away wrote nine lines about a default of a later Celery, beside the two that say so.
warnings.filterwarnings("ignore", category=CPendingDeprecationWarning)

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Workers listen to all of these. What stands in the queue for everybody reaches each of them that runs, once.
app.conf.task_queues = [Queue(WORK), Queue(JOINING), Broadcast(EVERYBODY)]
app.conf.task_routes = {JOIN: {"queue": JOINING}, TIDY: {"queue": EVERYBODY}}


@worker_init.connect
def refuse_half_database(**_: Any) -> None:
    """Of a worker that begins, before it forks others; who only leaves notes for workers imports this module, too."""
    restoring.refuse_half()


@worker_init.connect
def hear_notes_alone(**_: Any) -> None:
    """Whatever else others write into the broker."""
    messages.hear_notes_alone()
