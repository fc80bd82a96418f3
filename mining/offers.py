"""What mining adds to the pages, the rehearsals, the reports and the study pack of a survey."""

from collections.abc import Iterable, Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from mining import report_part
from mining.domain.files import FILES
from mining.domain.request import has_options
from mining.domain.withheld_results import without_withheld
from mining.models import MiningRun
from surveys.domain.people.roles import Action, may
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot, Survey, SurveyVersion
from surveys.offers import OFFERS, STANDING
from surveys.results import study_pack
from surveys.results.sections import SECTIONS, TABS


def offer(request: HttpRequest, survey: Survey) -> tuple[str, str] | None:
    """Offer the button that starts a run, to people who may start and see runs, once there is a snapshot."""
    rights = (Action.MINE, Action.FINDINGS)
    if latest(survey) is None or not all(may(request.user, action, survey) for action in rights):
        return None
    return gettext("Mine"), f"{reverse('mining_start')}?survey={survey.slug}"


OFFERS.append(offer)


def run_state(snapshot: Snapshot) -> str | None:
    """The mining that is still going on for a rehearsal."""
    run = MiningRun.objects.filter(snapshot=snapshot).last()
    if run is None:
        return gettext("It will be mined in a moment.") if has_options(snapshot) else None
    return gettext("It is mined: %(doing)s") % {"doing": run.doing or run.get_state_display()} if run.is_open else None


STANDING.append(run_state)


def findings(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[bytes]]]:
    """For the study pack: the files of every finished run on the snapshot."""
    done = MiningRun.objects.filter(snapshot=snapshot, result__isnull=False)
    for run in without_withheld(done).select_related("result"):
        for name, (_kind, lines) in FILES.items():
            yield f"rules/run-{run.pk}-{name}", (line.encode() for line in lines(run))


study_pack.ADDED.append(findings)
SECTIONS.append(report_part.SECTION)


def together(request: HttpRequest, version: SurveyVersion) -> tuple[str, str] | None:
    """Beside the report: the newest run of the version, or the form that starts one, for those who may see runs."""
    if not may(request.user, Action.FINDINGS, version.survey):
        return None
    runs = MiningRun.objects.filter(snapshot__version=version)
    run = runs.filter(state=MiningRun.State.DONE).first() or runs.first()
    if run is not None:
        return gettext("What goes together"), run.get_absolute_url()
    named = offer(request, version.survey)
    return (gettext("What goes together"), named[1]) if named else None


TABS.append(together)
