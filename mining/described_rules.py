"""Rules as pages and reports describe them: in sentences, with their reviews and what those who read say."""

from dataclasses import replace
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import translation

from mining.domain.files import columns_of_run, read_columns
from mining.domain.report import arrange
from mining.engines.columns import Columns, item_of
from mining.models import MiningRun, RuleReview
from mining.sentences import figures_to_say, sentence_as_html, short_names, truth
from surveys.results.figures import Figure
from surveys.results.report_part import beside, own_literals
from surveys.results.words import VersionWords

AT_ONCE = 5  # of these stand open, the others behind one press


def columns_to_report(run: MiningRun) -> Columns:
    """The result of a run without rules about the questions that show who reads: people who do not make these."""
    anchors = {*map(item_of, own_literals(run.snapshot.version.parsed))}
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
        "anchor": sha256(short.encode()).hexdigest()[:12],
        "reviews": reviews.get(short, []),
        "verdict": _verdict(reviews.get(short, [])),
        "table": _table_address(run, row),
    }


def _verdict(reviews: list[RuleReview]) -> RuleReview | None:
    """The review that counts: the last one with a verdict, or the last note where there is none."""
    judged = (one for one in reviews if one.verdict != RuleReview.Verdict.NONE)
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


def rules_of(run: MiningRun) -> frozenset[str]:
    """The short names of all rules of a run."""
    columns = columns_of_run(run)
    sides = (columns.sides(place) for place in range(len(columns.itemset)))
    return frozenset(short_names({"antecedent": a, "consequent": c}) for a, c in sides)


def figures_of_those_who_read(run: MiningRun, rules: list[dict[str, Any]]) -> tuple[list[Figure], list[str]]:
    """What those who read say of these rules where two questions tell them apart, or the sentence that nobody can."""
    if not rules:
        return [], []
    texts = [" => ".join(",".join(one["row"][side]) for side in ("antecedent", "consequent")) for one in rules]
    return beside(run.snapshot.version.parsed).rules(run.snapshot, texts, translation.get_language() or "en")
