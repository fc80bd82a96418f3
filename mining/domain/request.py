"""Asking for a run: it is checked, noted once, and the workers are given a hint."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _, ngettext

from mining.domain.checks import check_request, require_minable
from mining.domain.claim import sweep
from mining.engines.lattice import MOST_JOINT
from mining.engines.options import MINE
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from privacy.design.patterns import possible_itemsets
from privacy.reconstruct.discoveries import MOST_LOOKED_AT
from privacy.reconstruct.pairs import answers_in_pairs, count_pairs
from surveys import notes
from surveys.domain.people.log import note_down
from surveys.domain.questionnaire.expected import usual_thresholds
from surveys.domain.questionnaire.guess import guess_of_version
from surveys.domain.responses import snapshots
from surveys.models import Snapshot, Survey, SurveyVersion

TAKE = "mining.tasks.take"  # the task that looks at a run


def minable(survey: Survey) -> Snapshot:
    """The survey's last snapshot; InputError while nothing may be reported from it."""
    return require_minable(survey, snapshots.latest(survey))


def request_run(survey: Survey, request: MiningRequest, user: User | None = None) -> MiningRun:
    """The run with these parameters on the survey's last snapshot: the existing one, or a new one."""
    with transaction.atomic():
        # Sealing locks the same row: the snapshot must not be replaced between looking and referring to it.
        Survey.objects.select_for_update(no_key=True).filter(pk=survey.pk).first()
        snapshot = minable(survey)
        check_request(snapshot, request)
        run, new = MiningRun.objects.get_or_create(
            snapshot=snapshot,
            **{name: getattr(request, name) for name in MiningRequest.STORED},
            defaults={"requested_at": timezone.now(), "requested_by": user},
        )
        if new:
            if user is not None:
                note_down(
                    survey,
                    user,
                    "Rules were searched for: support %(support)s, confidence %(confidence)s, up to %(length)s items.",
                    support=run.min_support,
                    confidence=run.min_confidence,
                    length=run.max_length,
                )
            transaction.on_commit(lambda: hint(run.pk))
    return run


def run_again(run: MiningRun) -> bool:
    """Queue a run that ended; its result stays until the new one replaces it."""
    with transaction.atomic():
        queued = (
            MiningRun.objects.filter(pk=run.pk)
            .exclude(state__in=(MiningRun.State.QUEUED, MiningRun.State.RUNNING))
            .update(
                state=MiningRun.State.QUEUED,
                ended_for={},
                attempts=0,
                phase="",
                level=0,
                candidates=0,
                share=0,
                requested_at=timezone.now(),
                started_at=None,
                ended_at=None,
            )
        )
        if queued:
            transaction.on_commit(lambda: hint(run.pk))
    return bool(queued)


def hint(run_id: int) -> bool:
    """Tell the workers to look at a run. Should the broker be away, the sweeper tells them later."""
    MiningRun.objects.filter(pk=run_id).update(hinted_at=Now())
    return notes.leave(TAKE, run_id, waits=f"run {run_id} waits for the sweeper")


def mine_rehearsals() -> None:
    """A duty: mine what simulated people have answered to a draft, as the usual form does."""
    answered = Snapshot.objects.filter(version__survey__rehearses__isnull=False, version__survey__erasing_since=None)
    for snapshot in answered.exclude(pk__in=MiningRun.objects.values("snapshot")).select_related("version__survey"):
        if has_options(snapshot):
            request_run(snapshot.version.survey, MiningRequest(*thresholds_for(snapshot.version)))


def thresholds_for(version: SurveyVersion) -> tuple[float, float]:
    """The support and the confidence that the form begins with."""
    return usual_thresholds(version.design, guess_of_version(version))


@dataclass(frozen=True)
class Preset:
    """What somebody may look for without knowing what a threshold is: `options` of a request."""

    name: str
    label: str
    about: str
    options: dict[str, Any]


def presets(version: SurveyVersion) -> tuple[Preset, ...]:
    """The usual one is the first; figures are those with which this version is searched."""
    support, confidence = thresholds_for(version)
    rare = float(f"{0.3 * support:.1g}")
    usual = {"min_support": support, "min_confidence": confidence}
    shares = {"usual": f"{100 * support:g}", "rare": f"{100 * rare:g}"}
    return (
        Preset(
            "three",
            _("Up to three together"),
            _("Also what goes with two answers at once. Errors are wider."),
            usual | {"max_length": 3},
        ),
        Preset(
            "rare",
            _("Rarer things"),
            _("Also what fewer than %(usual)s of 100 people do, down to %(rare)s. Ranges are wide.") % shares,
            usual | {"min_support": rare, "max_length": 3},
        ),
        Preset(
            "negated",
            _("Also what people do not do"),
            _("Also pairs in which one answer is “No”. Many more, mostly weak."),
            usual | {"max_length": 2, "negated": True},
        ),
    )


def name_of(run: MiningRun) -> str:
    """The name of the preset that this search is, or its thresholds."""
    asked = run.parameters
    usual = {name: MINE[name].default for name in MiningRequest.STORED}
    named = (one.label for one in presets(run.snapshot.version) if asked == usual | one.options)
    return next(named, capfirst(run.label))


def estimate_seconds(snapshot: Snapshot, options: Mapping[str, Any]) -> float:
    """How long a search takes: as measured by its size, at the speed of the last ones of the version or the site."""
    ended = MiningRun.objects.filter(state=MiningRun.State.DONE, started_at__isnull=False, ended_at__isnull=False)
    ended = ended.select_related("snapshot__version__survey")
    last = [*ended.filter(snapshot__version=snapshot.version)[:5]] or ended[:5]
    speeds = [
        (run.ended_at - run.started_at).total_seconds() / _seconds_by_size(run.snapshot, run.parameters)
        for run in last
        if run.ended_at and run.started_at
    ]
    return _seconds_by_size(snapshot, options) * (median(speeds) if speeds else 1.0)


def _seconds_by_size(snapshot: Snapshot, options: Mapping[str, Any]) -> float:
    """Seconds of a processor, measured with 5 to 40 questions and 1 000 to 100 000 answers.

    Pairs and the covariance of itemsets take nearly all of them; of more itemsets than `MOST_JOINT` none is computed.
    """
    answers = answers_in_pairs(snapshot.version.design)
    literals = Counter(column for column, _options in answers for _sign in range(1 + options.get("negated", False)))
    itemsets = sum(possible_itemsets([*literals.values()], options["max_length"]))
    pairs = count_pairs(answers)
    of_pairs = 0.015 * pairs if pairs <= MOST_LOOKED_AT else 0.0
    return 1 + of_pairs + 0.004 * min(itemsets, MOST_JOINT) + 2e-5 * itemsets + 1e-5 * snapshot.respondents


def say_duration(seconds: float) -> str:
    """
    >>> say_duration(3), say_duration(44), say_duration(80), say_duration(100)
    ('A few seconds.', 'Less than a minute.', 'About a minute.', 'About 2 minutes.')
    """
    if seconds > settings.MINING_SECONDS:
        return _("Probably too long: a search ends after %(n)s minutes.") % {"n": settings.MINING_SECONDS // 60}
    if seconds < 5:
        return _("A few seconds.")
    if seconds < 45:
        return _("Less than a minute.")
    minutes = max(round(seconds / 60), 1)
    return ngettext("About a minute.", "About %(n)s minutes.", minutes) % {"n": minutes}


def has_options(snapshot: Snapshot) -> bool:
    """Whether there are items other than numbers and places, which have rules only if somebody chooses bins."""
    return any(item.has_options for item in snapshot.version.design.items)


def start_due_runs() -> None:
    """A duty: hint again at runs that a dead worker left, or whose hint was lost."""
    notes.leave_again(hint, sweep())
