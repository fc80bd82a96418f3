"""What an earlier version tells a second wave: how common each disguised answer is."""

import math
from typing import Any

from privacy.design.items import Item
from privacy.design.patterns import Pattern
from privacy.errors import EntryError
from surveys.models import Survey, SurveyVersion
from surveys.results.earlier import version_of
from surveys.results.report import data_of
from surveys.shares import estimate_shares

USUAL_TOP = 16  # sets that a second wave is to find


def possible_first(survey: Survey) -> SurveyVersion | None:
    """The version whose figures may choose what a second wave asks; None where there is none, or it is one itself."""
    version = version_of(survey)
    return None if version is None or version.parsed.asks_others else version


def list_after(version: SurveyVersion) -> dict[str, Any]:
    """What the draft of a second wave keeps of a version: its shares; EntryError where it has too few."""
    shares = _shares_of_figures(version)
    if len(shares) < 2:
        raise EntryError("Version {number} tells too few shares for a second wave.", number=version.number)
    return {"version": version.sha256, "of": version.number, "top": USUAL_TOP, "shares": shares}


def _shares_of_figures(version: SurveyVersion) -> dict[str, list[float]]:
    """The [share, error] of every disguised answer that may be reported, by the answer as a pattern writes it."""
    data = data_of(version)
    design = data.sealed.design
    literals = [
        (text, Pattern(((column, frozenset([code])),)))
        for column, item in enumerate(design.items)
        if item.has_options
        for code, text in enumerate(_texts(item))
    ]
    known = estimate_shares(data.for_single_answers, [pattern for _, pattern in literals], data.least, data.least_alone)
    return {
        text: [share.all.value, share.all.se]
        for (text, _), share in zip(literals, known, strict=True)
        if share.all and 0 < share.all.se < math.inf
    }


def _texts(item: Item) -> list[str]:
    """Each answer to an item as a pattern writes it."""
    return [f"!{item.id}", item.id] if item.boolean else [f"{item.id}={option}" for option in item.options]
