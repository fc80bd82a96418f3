"""Notices to the owners and editors of a survey: the first answers, the end that comes, the end.

They say nothing that the page of the survey does not say at that moment, and no number.
Where the site has no mail server there are none.
"""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys import notes
from surveys.domain.mail.send import is_refused
from surveys.domain.people.roles import Role
from surveys.models import Notice, Survey

SOON = timedelta(days=3)  # before the closing date

log = logging.getLogger(__name__)


def send_due_notices() -> None:
    """A duty: leave a hint for a worker at each survey of which there is a notice to send."""
    if "host" in settings.MAIL:
        notes.leave_again(hint, sorted({survey.pk for kind in NOTICES for survey in _surveys_without(kind)}))


def hint(pk: int) -> bool:
    """Leave a hint that this survey has notices to send; False if it could not be left."""
    return notes.leave(notes.SEND_NOTICES, pk, waits=f"the notices of survey {pk} wait for the next look")


def send(pk: int) -> None:
    """Send what notices are due of a survey: each at most once, also where a worker is killed."""
    for kind in NOTICES:
        for survey in _surveys_without(kind).filter(pk=pk):
            _made, is_new = Notice.objects.get_or_create(survey=survey, kind=kind)
            try:
                if is_new:
                    _mail_notice(survey, kind)
            except (SMTPException, OSError, ValueError) as error:
                log.warning("A notice of survey %s was not taken (%s) and is sent later.", pk, type(error).__name__)
                Notice.objects.filter(survey=survey, kind=kind).delete()


def _surveys_without(kind: str) -> QuerySet[Survey]:
    """The surveys with real respondents for which this kind of notice is due and was not sent."""
    collected = Survey.objects.filter(NOTICES[kind](), versions__isnull=False, rehearses=None, simulated=False)
    return collected.exclude(notices__kind=kind).distinct()


NOTICES = {
    "first": lambda: Q(versions__snapshots__isnull=False, closed_at=None),
    "soon": lambda: Q(closed_at=None, closes_at__gt=timezone.now(), closes_at__lte=timezone.now() + SOON),
    "closed": lambda: Q(closed_at__isnull=False),
}


def _mail_notice(survey: Survey, kind: str) -> None:
    """Write to each person once; an error, so that it is tried again, only if nobody was reached but might be later."""
    roles = survey.memberships.filter(role__in=(Role.OWNER, Role.EDITOR), user__is_active=True)
    reached, trouble = False, None
    for address in roles.exclude(user__email="").values_list("user__email", flat=True):
        try:
            with get_connection(**settings.MAIL) as outbox:
                EmailMessage(
                    " ".join(survey.title.split()), _sentence(survey, kind), to=[address], connection=outbox
                ).send()
            reached = True
        except (SMTPException, OSError, ValueError) as error:
            trouble = trouble if is_refused(error) or isinstance(error, ValueError) else error
    if trouble and not reached:
        raise trouble


def _sentence(survey: Survey, kind: str) -> str:
    if kind == "first":
        return _("The first answers are sealed. The page of the survey counts them in hundreds.")
    if kind == "closed":
        return _say_end(survey)
    assert survey.closes_at is not None
    return _("It closes on %(day)s.") % {"day": date_format(timezone.localtime(survey.closes_at), "Y-m-d H:i e")}


def _say_end(survey: Survey) -> str:
    """Why the survey has ended. Nothing says whether a person or the quota closed it, so a quota leaves both open."""
    assert survey.closed_at is not None
    if survey.closes_at is not None and survey.closes_at <= survey.closed_at:
        return _("It takes no more answers: its closing date has come.")
    if survey.quota is None:
        return _("It takes no more answers: somebody has closed it.")
    return _("It takes no more answers: its quota is reached, or somebody has closed it.")
