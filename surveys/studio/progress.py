"""How many answers have come, told in hundreds, and of what is sealed alone: so it tells on nobody.

Sealed answers come in batches of twenty or more, of which nobody knows who is among them (docs/trust.md says why even
their exact number would tell on nobody); how many wait is shown to no one.
"""

from __future__ import annotations

from django.db.models import Max
from django.utils.translation import gettext as _

from privacy.output import whole
from surveys.models import Snapshot, Survey

STEP = 100


def sealed(survey: Survey) -> int:
    """The sealed answers of all versions, as their last snapshots list them."""
    rows = Snapshot.objects.filter(version__survey=survey).values("version").annotate(most=Max("respondents"))
    return sum(row["most"] for row in rows)


def rounded(count: int) -> int:
    """The last full hundred before so many answers."""
    return max(count - 1, 0) // STEP * STEP


def in_words(count: int) -> str:
    """So many sealed answers in words; nothing where there are no more than a hundred."""
    return _("more than %(count)s answers") % {"count": whole(rounded(count))} if count > STEP else ""
