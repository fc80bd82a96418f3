"""Rules as pages and reports describe them: in sentences, with their reviews and what those who read say."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from math import isfinite, nan
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from mining.domain.files import columns_of_run, read_columns
from mining.domain.report import arrange
from mining.engines.columns import Columns, item_of
from mining.models import MiningRun, RuleReview
from surveys.percent import whole_percent
from surveys.results.figures import keep_together
from surveys.results.following import known_literals
from surveys.results.scale import OnScale
from surveys.results.together import say_vaguely
from surveys.results.words import VersionWords

AT_ONCE = 5  # of these stand open, the others behind one press


def columns_to_report(run: MiningRun) -> Columns:
    """The result of a run without rules about the questions that show who reads: people who do not make these."""
    anchors = {*map(item_of, known_literals(run.snapshot.version.parsed))}
    return arrange(read_columns(run), anchors)


def describe_rule(
    run: MiningRun, row: dict[str, Any], words: VersionWords, reviews: dict[str, list[RuleReview]]
) -> dict[str, Any]:
    """Return a rule for the page: its sentence, short names, reviews, and the address of its table."""
    short = short_names(row)
    return {
        "row": row,
        "scale": figures_to_say(row),
        "sentence": sentence_as_html(row, words),
        "truth": truth(row),
        "short": short,
        "named": ["; ".join(map(words.short_entry, row[side])) for side in ("antecedent", "consequent")],
        "anchor": anchor(short),
        "reviews": reviews.get(short, []),
        "verdict": _verdict(reviews.get(short, [])),
        "table": _table_address(run, row),
    }


def anchor(short: str) -> str:
    """The name of the place of a rule on its page, by its short names."""
    return sha256(short.encode()).hexdigest()[:12]


def _verdict(reviews: list[RuleReview]) -> RuleReview | None:
    """The review that counts: the last one with a verdict, or the last note where there is none."""
    judged = (review for review in reviews if review.verdict != RuleReview.Verdict.NONE)
    return next(judged, reviews[0] if reviews else None)


def is_rejected(rule: dict[str, Any]) -> bool:
    return rule["verdict"] is not None and rule["verdict"].verdict == RuleReview.Verdict.REJECT


def in_words(columns: Columns, words: VersionWords) -> Columns:
    """Return the columns with words in place of codes, for pictures."""
    return replace(columns, labels=tuple(map(words.brief, columns.labels)))


def _table_address(run: MiningRun, row: dict[str, Any]) -> str:
    """The address of the table of a rule's questions, to which another question can be added; empty for long rules."""
    names = [item_of(each) for each in (*row["consequent"], *row["antecedent"])]
    if len(row["consequent"]) > 1 or len(names) > 3:
        return ""
    address = reverse("studio:results-table", args=[run.snapshot.version_id])
    return f"{address}?{urlencode(dict(zip(('answer', 'by', 'also'), names, strict=False)))}"


def reviews_of(run: MiningRun) -> dict[str, list[RuleReview]]:
    reviews: dict[str, list[RuleReview]] = {}
    for review in run.reviews.select_related("by"):
        reviews.setdefault(review.rule, []).append(review)
    return reviews


def say_reviews(columns: Columns, sure: np.ndarray, reviews: dict[str, list[RuleReview]]) -> str:
    """How many of the sure rules reviewers accepted, doubt or rejected, and how many nobody has looked at."""
    sides = (columns.sides(place) for place in np.flatnonzero(sure).tolist())
    shorts = (short_names({"antecedent": a, "consequent": c}) for a, c in sides)
    last = Counter(review.verdict if (review := _verdict(reviews.get(one, []))) else "" for one in shorts)
    said = _("%(accept)s accepted, %(doubt)s doubted, %(reject)s rejected, %(none)s not looked at yet.")
    return said % {value or "none": last[value] for value in ("accept", "doubt", "reject", "")}


def rules_of(run: MiningRun) -> frozenset[str]:
    """The short names of all rules of a run."""
    columns = columns_of_run(run)
    sides = (columns.sides(index) for index in range(len(columns.itemset)))
    return frozenset(short_names({"antecedent": a, "consequent": c}) for a, c in sides)


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
