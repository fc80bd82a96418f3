"""The lists of words that a draft may choose from: how sharply each tells single answers, and how sharply pairs."""

import json
import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from privacy.draw.axis import Axis
from privacy.draw.chart import Line, Points, chart
from privacy.errors import InputError
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import PROPOSAL, front_of_draft, is_proposed
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.studio.forecast_words import is_known, points


@dataclass(frozen=True)
class ListRow:
    """A list: how exact single answers are with it, and pairs; what makes it, and the change that takes it."""

    widths: tuple[float, float]
    cap: str
    heavier: str
    change: str

    @property
    def points(self) -> list[str]:
        return [points(width) for width in self.widths]


def context(draft: Draft) -> dict[str, Any]:
    """The front of lists as a picture and a table; nothing where there is no choice."""
    rows = list[ListRow]()
    with suppress(InputError):  # while it has no design
        rows = list(_not_beaten(_rows(draft)))
    if len(rows) < 2:
        return {}
    proposed = is_proposed(draft.document)
    mark, axes = _("proposed") if proposed else _("in use"), [_("each answer, in points"), _("each pair, in points")]
    return {
        "rows": rows,
        "mark": mark,
        "axes": axes,
        "picture": _picture(rows, mark, *axes),
        "propose": "" if proposed else json.dumps({"do": "protect", "field": "by", "value": PROPOSAL}),
    }


def _rows(draft: Draft) -> Iterator[ListRow]:
    for one in front_of_draft(draft).lists:
        settings = draft.document["blocks"][0]["settings"] if one.usual else one.settings
        single, pair = settings.get("weights") or (1, 1)
        change = {"do": "block", "place": 0, "field": "settings", "value": {"groups": "", "least": "", **settings}}
        there = draft if one.usual else Draft.from_document(draft.survey, apply(draft.survey, draft.document, change))
        known = forecast_draft(there)
        widths = known.most or 0.0, known.pairs
        if all(map(is_known, widths)):
            cap, heavier = (f"{figure:.3g}" for figure in (settings["cap"], pair / single))
            yield ListRow(widths, cap, heavier, "" if one.usual else json.dumps(change))


def _not_beaten(rows: Iterable[ListRow]) -> Iterator[ListRow]:
    """The list of now, and those that tell pairs more sharply than all that tell single answers as sharply."""
    least = math.inf
    for row in sorted(rows, key=lambda row: row.widths):
        if row.widths[1] < least or not row.change:
            yield row
        least = min(row.widths[1], least)


def _picture(rows: list[ListRow], mark: str, across: str, up: str) -> str:
    """Each list by its number in the table, with a line through all of them."""
    x, y = ([100 * row.widths[at] for row in rows] for at in range(2))
    notes = [str(number) if row.change else f"{number}, {mark}" for number, row in enumerate(rows, 1)]
    own = [number for number, row in enumerate(rows) if not row.change]
    marked = Points("", [x[number] for number in own], [y[number] for number in own])
    series: list[Line | Points] = [Points("", x, y, notes=notes), marked, Line("", x, y)]
    described = _("The longer sides of the intervals that a report prints, as in the table.")
    title = _("Lists of words: single answers against pairs")
    return chart(title, series, Axis(across), Axis(up, low=0), description=described, width=400, height=320)
