"""A task is only a hint: what to look at. What there is to do, and who does it, stands in the database."""

from celery import shared_task
from celery.signals import worker_shutting_down

from mining.domain.request import TAKE
from mining.domain.run import RUNNER
from surveys.domain.database.jobs import request_shutdown


@worker_shutting_down.connect
def _note_shutdown(**_: object) -> None:
    request_shutdown()


@shared_task(name=TAKE)
def take(run_id: int) -> None:
    RUNNER.work(run_id)
