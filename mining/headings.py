"""The headings of a table: links that sort it, and say how it is sorted."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext

from mining.domain.report import Wish
from privacy.reconstruct.metrics import Metric


@dataclass(frozen=True)
class Heading:
    """A column; `sorted` is how the table is sorted by it, in the words of aria-sort, or empty."""

    label: str
    help: str
    anchor: str
    query: str
    ascending: bool  # what its link asks for
    sorted: str


def headings(metrics: Iterable[Metric], wish: Wish, query: QueryDict, prefix: str) -> list[Heading]:
    """A heading for each column. Its link keeps every filter, of both tables, and begins at the first page.

    The first click shows what is most worth seeing, the next one turns the order round.
    """
    made = []
    for metric in metrics:
        here = metric.key == wish.order
        ascending = wish.descending if here else metric.smallest_first
        asked = query.copy()
        for field in ("page", "ascending"):
            asked.pop(f"{prefix}-{field}", None)
        asked[f"{prefix}-order"] = metric.key
        if ascending:
            asked[f"{prefix}-ascending"] = "on"
        now = "" if not here else "descending" if wish.descending else "ascending"
        label, explained = gettext(metric.heading), gettext(metric.help) if metric.help else ""
        anchor = f"{prefix}-{metric.key.replace(' ', '-')}"
        made.append(Heading(label, explained, anchor, asked.urlencode(), ascending, now))
    return made
