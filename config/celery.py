"""The Celery application. Tasks stand in the `tasks` module of each app, and only call functions of its domain."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

from config.run import (
    heartbeats,  # noqa: F401  a worker says by it that it runs
    messages,
)
from surveys.domain.database import damage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they load every page, and a worker has none

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def refuse_half_database(**_: Any) -> None:
    """Refuse to start a worker on a database whose restore did not end."""
    damage.refuse_half()


@worker_init.connect
def hear_notes_alone(**_: Any) -> None:
    """Make workers ignore everything in the broker except known notes."""
    messages.hear_notes_alone()
