"""Rules as pages and reports describe them: in sentences, with their reviews and what those who read say."""

from collections import Counter
from dataclasses import replace
from math import nan
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from mining.domain.files import columns_of_run, read_columns
from mining.domain.report import arrange
from mining.engines.columns import Columns, item_of
from mining.models import MiningRun, RuleReview
from surveys.models import SurveyVersion
from surveys.results.following import known_literals
from surveys.results.scale import OnScale
from surveys.results.together import anchor_of, say_link
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
        **describe_link(row, words),
        "short": short,
        "named": ["; ".join(map(words.short_entry, row[side])) for side in ("antecedent", "consequent")],
        "anchor": anchor_of(short),
        "reviews": reviews.get(short, []),
        "verdict": last_verdict(reviews.get(short, [])),
        "table": _table_address(run, row),
    }


def last_verdict(reviews: list[RuleReview]) -> RuleReview | None:
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


def reviews_of(version: SurveyVersion) -> dict[str, list[RuleReview]]:
    """By a rule what people said of it, the last first: in any search of the version, or before there was one."""
    reviews: dict[str, list[RuleReview]] = {}
    of_version = Q(version=version) | Q(run__snapshot__version=version)
    for review in RuleReview.objects.filter(of_version).select_related("by"):
        reviews.setdefault(review.rule, []).append(review)
    return reviews


def say_reviews(columns: Columns, sure: np.ndarray, reviews: dict[str, list[RuleReview]]) -> str:
    """How many of the sure rules reviewers accepted, doubt or rejected, and how many nobody has looked at."""
    sides = (columns.sides(place) for place in np.flatnonzero(sure).tolist())
    shorts = (short_names({"antecedent": a, "consequent": c}) for a, c in sides)
    last = Counter(review.verdict if (review := last_verdict(reviews.get(one, []))) else "" for one in shorts)
    said = _("%(accept)s accepted, %(doubt)s doubted, %(reject)s rejected, %(none)s not looked at yet.")
    return said % {value or "none": last[value] for value in ("accept", "doubt", "reject", "")}


def rules_of(run: MiningRun) -> frozenset[str]:
    """The short names of all rules of a run."""
    columns = columns_of_run(run)
    sides = (columns.sides(index) for index in range(len(columns.itemset)))
    return frozenset(short_names({"antecedent": a, "consequent": c}) for a, c in sides)


def describe_link(row: dict[str, Any], words: VersionWords) -> dict[str, Any]:
    """The figures that people read about a rule: those that stay true after selection, in the words of the report."""
    share, low, high = (row[f"reported_{name}"] for name in ("confidence", "confidence_low", "confidence_high"))
    those = OnScale(share, low, high, row.get("true_confidence"))
    others = OnScale(row["others"], row["others_low"], row["others_high"], _true_others(row))
    return say_link(words, row["antecedent"], row["consequent"], those, others, sure=row["sure"])


def _true_others(row: dict[str, Any]) -> float | None:
    """Of simulated people without the antecedent, how many have the consequent."""
    if "true_consequent_support" not in row:
        return None
    both, confidence = row["true_support"], row["true_confidence"]
    without = 1 - both / confidence if confidence else 1.0
    return (row["true_consequent_support"] - both) / without if without else nan


def short_names(row: dict[str, Any]) -> str:
    return f"{', '.join(row['antecedent'])} ⇒ {', '.join(row['consequent'])}"
