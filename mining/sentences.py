"""Rules as sentences in the words of the questions, and the one place that says which figures they speak of."""

from math import isfinite, nan
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from surveys.percent import whole_percent
from surveys.results.figures import keep_together
from surveys.results.scale import OnScale
from surveys.results.together import say_vaguely
from surveys.results.words import VersionWords


def figures_to_say(row: dict[str, Any]) -> OnScale:
    """The figures that people read about a rule, in its sentence and in the picture beside it.

    They are those that stay true after selection. Where luck cannot be allowed for, both shares are not a number, and
    the interval is all that is known.
    """
    names = ("confidence", "confidence_low", "confidence_high", "consequent_support")
    share, low, high, among = (row[f"reported_{name}"] for name in names)
    share = nan if is_vague(row) else share
    return OnScale(share, low, high, row.get("true_confidence"), among if isfinite(among) else None)


def is_vague(row: dict[str, Any]) -> bool:
    """Whether a rule between two answers is sure, and nobody can say how strong: the others may say so as often."""
    others, low, high = row.get("others", nan), row["reported_confidence_low"], row["reported_confidence_high"]
    return bool(isfinite(others) and row["sure"] and low <= others <= high)


def sentence_as_html(row: dict[str, Any], words: VersionWords) -> SafeString:
    """“Of those who used drugs, about 57 % (49–65 %) cheated in exams; among all it is 35 %.”

    The answers that go together are bold.
    """
    figures = figures_to_say(row)
    low, high = whole_percent(figures.low), whole_percent(figures.high)
    interval = _("%(low)s–%(high)s %%")  # an end outside of 0 to 1 is left out; only one of them can be there
    if figures.low <= 0:
        interval = _("at most %(high)s %%")
    elif figures.high >= 1:
        interval = _("at least %(low)s %%")
    said = {
        "share": whole_percent(figures.share),
        "interval": interval % {"low": low, "high": high},
        "all": whole_percent(row["reported_consequent_support"]),
        "condition": format_html("<b>{}</b>", words.join(row["antecedent"])),
        "conclusion": format_html("<b>{}</b>", words.join(row["consequent"])),
    }
    if is_vague(row):
        text = say_vaguely()
        said = {
            name: format_html("<b>{}</b>", words.brief(row[side][0]))
            for name, side in (("first", "antecedent"), ("second", "consequent"))
        }
    elif isfinite(figures.share):
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


def short_names(row: dict[str, Any]) -> str:
    return f"{', '.join(row['antecedent'])} ⇒ {', '.join(row['consequent'])}"
