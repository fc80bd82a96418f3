"""Results that must not be shown: made when runs still counted direct answers that nothing hides.

Every share of such a result mixes both groups, so that two of them tell on one direct respondent, and nothing of one
can be shown. What is stored stays as it is; a run made again is shown.
"""

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy

from mining.models import MiningRun
from surveys.domain.responses import disclosure

WHY = gettext_lazy(
    "An earlier version made this run, and its figures contain direct answers. Together they could reveal one "
    "person's answer, so none is shown. Run it again to see what may be reported."
)


def mark_withheld(runs: QuerySet[MiningRun]) -> QuerySet[MiningRun]:
    """Annotate each run with `withheld`: whether its figures mix in direct answers and must not be shown."""
    settled = Exists(disclosure.last_snapshots().filter(pk=OuterRef("snapshot")))
    mixed = Q(result__summary__direct__gt=0, snapshot__version__survey__simulated=False)
    withheld = mixed & (~Q(settled) | Q(result__summary__gated__isnull=True))
    yes, no = Value(True), Value(False)
    return runs.annotate(withheld=Case(When(withheld, then=yes), default=no, output_field=BooleanField()))


def is_withheld(run: MiningRun) -> bool:
    return bool(run.withheld)  # type: ignore[attr-defined]


def without_withheld(runs: QuerySet[MiningRun]) -> QuerySet[MiningRun]:
    return mark_withheld(runs).filter(withheld=False)  # type: ignore[misc]
