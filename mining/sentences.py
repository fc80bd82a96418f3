"""Rules as sentences in the words of the questions, and the one place that says which figures they speak of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from surveys.results.words import Words


@dataclass(frozen=True)
class Spoken:
    """What a sentence says of a rule: how many of the condition have the conclusion, and how many of all have it."""

    share: float
    low: float
    high: float
    among_all: float


def spoken(row: dict[str, Any]) -> Spoken:
    """The figures of a rule that people are told. Whatever is said of a rule in words takes them from here."""
    return Spoken(row["confidence"], row["confidence_low"], row["confidence_high"], row["consequent_support"])


def sentence(row: dict[str, Any], words: Words) -> str:
    """“Of those who used drugs, about 57 % (49–65 %) also cheated in exams; among all it is 35 %.”"""
    told = spoken(row)
    said = {
        "condition": words.all_told(row["antecedent"]),
        "conclusion": words.all_told(row["consequent"]),
        "share": _whole(told.share),
        "low": _whole(told.low),
        "high": _whole(told.high),
        "all": _whole(told.among_all),
    }
    if math.isfinite(told.low) and math.isfinite(told.high):
        return (
            _(
                "Of those who %(condition)s, about %(share)s %% (%(low)s–%(high)s %%) also %(conclusion)s; among all "
                "it is %(all)s %%."
            )
            % said
        )
    return (
        _(
            "Of those who %(condition)s, about %(share)s %% also %(conclusion)s, but it may be any share; among all it "
            "is %(all)s %%."
        )
        % said
    )


def short_names(row: dict[str, Any]) -> str:
    """The rule by the short names of its items, as files and commands have it."""
    return f"{', '.join(row['antecedent'])} ⇒ {', '.join(row['consequent'])}"


def _whole(share: float) -> str:
    """A share in whole percent."""
    return f"{100 * share:.0f}".replace("-0", "0").replace("-", "−") if math.isfinite(share) else "–"
