"""The headings of a table: links that sort it, and say how it is sorted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from mining.domain.report import Wish

_WORDS = {
    "support": _("support"),
    "confidence": _("confidence"),
    "lift": _("lift"),
    "leverage": _("leverage"),
    "q": "q",
    "w": "W",
    "p": "p",
    "antecedent support": _("antecedent support"),
    "consequent support": _("consequent support"),
    "conviction": _("conviction"),
    "zhangs_metric": _("Zhang's metric"),
    "jaccard": _("Jaccard"),
    "certainty": _("certainty"),
    "kulczynski": _("Kulczynski"),
    "observed": _("observed"),
    "n": "n",
    "length": _("length"),
    "truth": _("truth"),
}
_SMALLEST_FIRST = ("p", "q", "length")


@dataclass(frozen=True)
class Heading:
    """A column; `sorted` is how the table is sorted by it, in the words of aria-sort, or empty."""

    label: str
    anchor: str
    query: str
    ascending: bool  # what its link asks for
    sorted: str


def headings(names: Iterable[str], wish: Wish, query: QueryDict, prefix: str) -> list[Heading]:
    """A heading for each column. Its link keeps every filter, of both tables, and begins at the first page.

    The first click shows what is most worth seeing, the next one turns the order round.
    """
    made = []
    for name in names:
        here = name == wish.order
        ascending = wish.descending if here else name in _SMALLEST_FIRST
        asked = query.copy()
        for field in ("page", "ascending"):
            asked.pop(f"{prefix}-{field}", None)
        asked[f"{prefix}-order"] = name
        if ascending:
            asked[f"{prefix}-ascending"] = "on"
        now = "" if not here else "descending" if wish.descending else "ascending"
        made.append(Heading(str(_WORDS[name]), f"{prefix}-{name.replace(' ', '-')}", asked.urlencode(), ascending, now))
    return made
