"""Results that must not be shown: made on a collecting version when runs there still counted direct answers.

Every share of such a result mixes both groups, so that two of them tell on one direct respondent, and nothing of one
can be shown. What is stored stays as it is, and is shown once its snapshot is the last of a closed version.
"""

from __future__ import annotations

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy

from mining.models import MiningRun
from surveys.domain.responses import disclosure

WHY = gettext_lazy(
    "This run was made while the survey collected, before direct answers were kept apart. They are in all of its "
    "figures, so none is shown. Run again, it counts what may be reported."
)


def marked(runs: QuerySet[MiningRun]) -> QuerySet[MiningRun]:
    """These runs, so that `is_withheld` can say it of each."""
    settled = Exists(disclosure.last_snapshots().filter(pk=OuterRef("snapshot")))
    withheld = Q(result__summary__direct__gt=0, snapshot__version__survey__simulated=False) & ~Q(settled)
    yes, no = Value(True), Value(False)
    return runs.annotate(withheld=Case(When(withheld, then=yes), default=no, output_field=BooleanField()))


def is_withheld(run: MiningRun) -> bool:
    """Whether the result of a marked run must not be shown."""
    return bool(run.withheld)  # type: ignore[attr-defined]


def without_withheld(runs: QuerySet[MiningRun]) -> QuerySet[MiningRun]:
    """The marked ones of these runs whose result may be shown."""
    return marked(runs).filter(withheld=False)  # type: ignore[misc]
