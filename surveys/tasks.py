"""A task is only a hint: which release to look at. What there is to do, and who does it, stands in the database."""

from celery import shared_task

from surveys.releases.make import work


@shared_task
def make_release(pk: int) -> None:
    """Look at a release, and make it if nobody else does."""
    work(pk)
