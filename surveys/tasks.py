"""A task is only a hint: what to look at. What there is to do, and who does it, stands in the database."""

from celery import shared_task

from surveys.domain.rehearsal.fill import fill
from surveys.releases.work import work


@shared_task
def make_release(pk: int) -> None:
    """Look at a release, and make it if nobody else does."""
    work(pk)


@shared_task
def rehearse(pk: int) -> None:
    """Look at a rehearsal, and let simulated people answer if nobody has."""
    fill(pk)
