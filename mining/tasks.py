"""A task is only a hint: which run to look at. What there is to do, and who does it, stands in the database."""

from celery import shared_task

from mining.domain.run import work


@shared_task
def take(run_id: int) -> None:
    """Look at a run, and work on it if nobody else does."""
    work(run_id)
