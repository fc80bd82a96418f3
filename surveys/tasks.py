"""A task is only a hint: what to look at. What there is to do, and who does it, stands in the database."""

from celery import shared_task

from surveys.domain.mail import notices, send
from surveys.domain.rehearsal.ask import fill
from surveys.notes import MAKE_RELEASE, REHEARSE, SEND_MAIL, SEND_NOTICES
from surveys.releases.claim import RUNNER


@shared_task(name=MAKE_RELEASE)
def make_release(pk: int) -> None:
    """Look at a release, and make it if nobody else does."""
    RUNNER.work(pk)


@shared_task(name=REHEARSE)
def rehearse(pk: int) -> None:
    """Look at a rehearsal, and let simulated people answer if nobody has."""
    fill(pk)


@shared_task(name=SEND_MAIL)
def send_mail(pk: int) -> None:
    """Look at the mail of a survey, and send some of what is due unless another worker does."""
    send.send(pk)


@shared_task(name=SEND_NOTICES)
def send_notices(pk: int) -> None:
    """Look at what there is to say to the people of a survey, and send it once."""
    notices.send(pk)
