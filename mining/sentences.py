"""Rules as sentences in the words of the questions, and the one place that says which figures they speak of."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from surveys.percent import whole_percent
from surveys.results.figures import keep_together
from surveys.results.scale import OnScale
from surveys.results.words import VersionWords


@dataclass(frozen=True)
class Spoken:
    """What a sentence says of a rule: how many of the condition have the conclusion, and how many of all have it.

    Where luck cannot be allowed for, both shares are not a number, and the interval is all that is known.
    """

    share: float
    low: float
    high: float
    among_all: float


def figures_to_say(row: dict[str, Any]) -> Spoken:
    """The figures that people read about a rule. Every sentence about a rule takes them from here.

    They are those that stay true after selection; a rule that has none has an interval alone.
    """
    names = ("confidence", "confidence_low", "confidence_high", "consequent_support")
    return Spoken(*(row[f"reported_{name}"] for name in names))


def sentence_as_html(row: dict[str, Any], words: VersionWords) -> SafeString:
    """“Of those who used drugs, about 57 % (49–65 %) cheated in exams; among all it is 35 %.”

    The answers that go together are bold.
    """
    figures = figures_to_say(row)
    said = {
        "condition": format_html("<b>{}</b>", words.join(row["antecedent"])),
        "conclusion": format_html("<b>{}</b>", words.join(row["consequent"])),
        "share": whole_percent(figures.share),
        "interval": _interval(figures),
        "all": whole_percent(figures.among_all),
    }
    if isfinite(figures.share):
        text = _(
            "Of those who %(condition)s, about %(share)s %% (%(interval)s) %(conclusion)s; among all it is %(all)s %%."
        )
    else:
        text = _(
            "Of those who %(condition)s, %(interval)s %(conclusion)s. This interval does not allow for luck, so there "
            "is no best guess."
        )
    return mark_safe(keep_together(text % said))


def truth(row: dict[str, Any]) -> str:
    """Return the simulated truth of a rule as a sentence; "" for real respondents."""
    if "true_consequent_support" not in row:
        return ""
    return _("Simulated truth: %(share)s %% of them, and %(all)s %% of all.") % {
        "share": whole_percent(row["true_confidence"]),
        "all": whole_percent(row["true_consequent_support"]),
    }


def scale_of(row: dict[str, Any]) -> OnScale:
    """The figures that the sentence about a rule says, for the picture beside it."""
    said = figures_to_say(row)
    among = said.among_all if isfinite(said.among_all) else None
    return OnScale(said.share, said.low, said.high, row.get("true_confidence"), among)


def _interval(figures: Spoken) -> str:
    """The interval of a listed rule in words. An end outside of 0 to 1 is left out; only one of them can be there."""
    ends = {"low": whole_percent(figures.low), "high": whole_percent(figures.high)}
    if figures.low <= 0:
        return _("at most %(high)s %%") % ends
    if figures.high >= 1:
        return _("at least %(low)s %%") % ends
    return _("%(low)s–%(high)s %%") % ends


def short_names(row: dict[str, Any]) -> str:
    return f"{', '.join(row['antecedent'])} ⇒ {', '.join(row['consequent'])}"
