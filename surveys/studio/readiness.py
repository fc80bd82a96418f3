"""Whether the results of a survey can be read and its files taken, and if not, from when on: notes of its steps."""

from math import inf

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from privacy.output import whole
from surveys.domain.exports.noisy import is_drawn
from surveys.domain.exports.sheet import refusal
from surveys.domain.questionnaire.publish import is_closed
from surveys.domain.responses import counts, disclosure, snapshots
from surveys.models import Inbox, Snapshot, Survey, SurveyVersion

Stand = tuple[bool, str]  # whether it is ready, and the note


def report(survey: Survey, version: SurveyVersion | None) -> Stand:
    """Of the report that *Results* leads to; `version` is the survey's newest one."""
    snapshot = snapshots.latest(survey)
    if snapshot and (not counts.missing(snapshot.version) or _is_few_and_enough(snapshot)):
        return True, _("can be read")
    return False, _ended(survey) or _from(survey.least, version)


def files(survey: Survey, version: SurveyVersion | None, early: bool) -> Stand:
    """Of the files of responses, of any version; of a draft, `early` says whether they may be had while it collects."""
    newest = {one.version_id: one for one in _of(survey).order_by("id")}
    settled = {*disclosure.last_snapshots().filter(version__survey=survey).values_list("pk", flat=True)}
    if any(_can_take(one, one.pk in settled or survey.simulated) for one in newest.values()):
        return True, _("can be taken")
    central = version is not None and version.parsed.central
    if central and any(map(is_drawn, newest.values())):
        return True, _("counts can be taken")
    if said := _ended(survey):
        return False, said
    if central:
        return False, _("counts, after you close")
    if version.parsed.early if version else early:
        return False, _("from %(n)s answers on") % {"n": whole(survey.least)}
    return False, _("after you close")


def _of(survey: Survey) -> QuerySet[Snapshot]:
    return Snapshot.objects.filter(version__survey=survey).select_related("version__survey")


def _can_take(snapshot: Snapshot, settled: bool) -> bool:
    """As `refusal` says, which is asked where it reads what nothing else tells: it may lock the survey."""
    version = snapshot.version
    if version.parsed.central:
        return False
    if snapshot.respondents < version.survey.least:
        return settled and disclosure.is_enough(snapshot)
    if version.parsed.open_questions and version.design.direct:
        return refusal(snapshot) is None
    return settled or version.parsed.early


def _is_few_and_enough(snapshot: Snapshot) -> bool:
    return disclosure.is_of_few(snapshot) and disclosure.is_enough(snapshot)


def _ended(survey: Survey) -> str:
    """Why nothing can be had of a survey that has ended; empty while it has not."""
    if not is_closed(survey):
        return ""
    if survey.closed_at is None or Inbox.objects.filter(version__survey=survey).exists():
        return _("after the last answers are sealed")
    return _("too few answered")


def _from(least: int, version: SurveyVersion | None) -> str:
    """From how many answers on there is a report; once closed, disguised ones are shown of fewer people."""
    numbers = {"n": whole(least), "few": disclosure.FEWEST}
    if least <= disclosure.FEWEST or (version and not _shows_few(version)):
        return _("from %(n)s answers on") % numbers
    return _("from %(n)s answers on; disguised ones from %(few)s once closed") % numbers


def _shows_few(version: SurveyVersion) -> bool:
    blocks = version.design.blocks
    return bool(blocks) and all(block.gamma < inf for block in blocks) and not version.parsed.central
