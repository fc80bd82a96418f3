"""A task is only a hint: what to look at. What there is to do, and who does it, stands in the database."""

from celery import shared_task
from celery.signals import worker_shutting_down

from mining.domain import ending
from mining.domain.crew import copies
from mining.domain.run import help_with, work
from mining.queues import JOIN, TAKE, TIDY


@worker_shutting_down.connect
def _give_back(**_: object) -> None:
    ending.ask_to_end()


@shared_task(name=TAKE)
def take(run_id: int) -> None:
    """Look at a run, and work on it if nobody else does."""
    work(run_id)


@shared_task(name=JOIN)
def join(run_id: int) -> None:
    """Count for whoever leads this run, if somebody does."""
    help_with(run_id)


@shared_task(name=TIDY)
def tidy() -> None:
    """Remove copies of parts that nobody may read or needs any more, on the machine of each worker."""
    copies.tidy()
