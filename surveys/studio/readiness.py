"""Whether the results of a survey can be read and its files taken, and if not, from when on: notes of its steps."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from privacy.output import format_count
from surveys.domain.questionnaire.closing import is_closed
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.minimum import minimum_of_draft, minimum_of_version
from surveys.domain.responses import counts, disclosure
from surveys.models import Inbox, Survey, SurveyVersion

Stand = tuple[bool, str]  # whether it is ready, and the note
MANY = 4  # times as many as are needed: then it is not counted how many were asked each question


def stands(draft: Draft, version: SurveyVersion | None, newest: Sequence[Any]) -> tuple[Stand, Stand]:
    """Whether the report can be read and files of responses taken; `version` is the newest, `newest` its snapshots."""
    survey = draft.survey
    ended, early = _reason_of_end(survey, version), draft.document["early"]
    return _report(draft, version, newest[-1:], ended), _files(version, newest, ended, early, survey.least)


def _report(draft: Draft, version: SurveyVersion | None, newest: Sequence[Any], ended: str) -> Stand:
    if any(map(can_read, newest)):
        return True, _("can be read")
    return False, ended or (minimum_of_version(version) if version else minimum_of_draft(draft)).note


def _files(version: SurveyVersion | None, newest: Sequence[Any], ended: str, early: bool, least: int) -> Stand:
    if any(map(can_take, newest)):
        return True, _("can be taken")
    if ended:
        return False, ended
    if version.parsed.early if version else early:
        return False, _("from %(n)s answers on") % {"n": format_count(least)}
    return False, _("after you close")


def can_read(snapshot: Any) -> bool:
    """Whether the report of a snapshot from `counts.newest` shows something."""
    version, shown = snapshot.version, minimum_of_version(snapshot.version)
    if not snapshot.settled:
        return not counts.missing(version, shown.to_begin)
    if disclosure.is_of_few(snapshot) and not disclosure.is_enough(snapshot):
        return False
    people = disclosure.count_people(snapshot, settled=True)
    many = people >= (shown.everything if version.parsed.open_questions else MANY * shown.once_closed)
    return many or disclosure.most_asked(snapshot) >= shown.disguised


def can_take(snapshot: Any) -> bool:
    """Whether files may be taken, from sizes as far as they tell: else answers are read."""
    version, least = snapshot.version, snapshot.version.survey.least
    if not (snapshot.settled or version.parsed.early):
        return False
    people = disclosure.count_people(snapshot, snapshot.settled)
    return people >= least or (snapshot.settled and disclosure.is_enough(snapshot))


def _reason_of_end(survey: Survey, version: SurveyVersion | None) -> str:
    """Say why a survey, or its newest version, that has ended shows nothing yet; empty while it has not ended."""
    if is_closed(survey):
        waits = survey.closed_at is None or Inbox.objects.filter(version__survey=survey).exists()
    elif version is not None and survey.has_ended(version.number):
        waits = Inbox.objects.filter(version=version).exists()
    else:
        return ""
    return _("after the last answers are sealed") if waits else _("too few answered")
