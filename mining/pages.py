"""What the pages and files of a run are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import translation

from mining import pictures
from mining.domain.report import itemset_metrics, itemsets, read, rule_metrics, rules, sure, trusted
from mining.engines.columns import Columns
from mining.engines.exports import document, graphml, itemsets_csv, rules_csv
from mining.engines.reasons import CHOICES
from mining.engines.warnings import sentences
from mining.forms import RuleTableForm, TableForm
from mining.headings import headings
from mining.models import MiningResult, MiningRun
from surveys.domain.questionnaire.promise import covered, promised


def report(run: MiningRun, query: QueryDict) -> dict[str, Any]:
    """The context of a run's page."""
    result = MiningResult.objects.filter(run=run).first()
    asked = {"survey": run.survey.slug, **{name: value for name, value in run.parameters.items() if value is not False}}
    context: dict[str, Any] = {"run": run, "survey": run.survey, "result": result, "asked": urlencode(asked)}
    if result is None:
        return context
    columns = read(bytes(result.columns))
    of_rules, of_itemsets = rule_metrics(columns), itemset_metrics(columns)
    rule_form = RuleTableForm(query, prefix="r", labels=columns.labels, columns=of_rules)
    itemset_form = TableForm(query, prefix="i", labels=columns.labels, columns=of_itemsets)
    rule_wish, itemset_wish = rule_form.wish(), itemset_form.wish()
    version = run.snapshot.version
    return {
        **context,
        "summary": result.summary,
        "promise": promised(version.design),
        "covered": covered(version.design, bool(version.parsed.open_questions)),
        "share_direct": result.summary["direct"] / result.summary["n"],
        "warnings": sentences(result.summary["warnings"], result.summary["n"], translation),
        "rule_form": rule_form,
        "rule_kept": _kept(query, rule_form),
        "rule_headings": headings(of_rules, rule_wish, query, "r"),
        "rules": rules(columns, rule_wish),
        "rule_pages": _pager(query, "r"),
        "rule_order": rule_wish.order,
        "trusted": int((sure(columns) if rule_wish.redundant else trusted(columns)).sum()),  # of those in the table
        "rule_by_trust": _pager(query, "r", "order", "ascending"),
        "itemset_form": itemset_form,
        "itemset_kept": _kept(query, itemset_form),
        "itemset_headings": headings(of_itemsets, itemset_wish, query, "i"),
        "itemsets": itemsets(columns, itemset_wish),
        "itemset_pages": _pager(query, "i"),
        "pictures": pictures.drawn(run, columns, result.summary),
    }


def _kept(query: QueryDict, form: TableForm) -> list[tuple[str, str]]:
    """What a filter sends along: the order of its table, and all of the other table; not the page."""
    own = {field.html_name for field in form.visible_fields()} | {form.add_prefix("page")}
    return [(name, str(value)) for name, value in query.items() if name not in own]


def _pager(query: QueryDict, prefix: str, *without: str) -> str:
    """The address of the page without its number, so that links to other pages keep every filter."""
    kept = query.copy()
    for name in ("page", *without):
        kept.pop(f"{prefix}-{name}", None)
    return kept.urlencode()


def _document(run: MiningRun) -> Iterator[str]:
    summary = run.result.summary
    # Programs read the sentence here, in English; the code under which it is kept is ours.
    summary = summary | {"why": CHOICES.get(summary["why"], "")}
    return document(
        _columns(run),
        **{name: summary[name] for name in ("engine", "estimator", "seconds")},
        survey=run.survey.slug,
        snapshot=run.snapshot.sha256,
        parameters=run.parameters,
        summary=summary,
    )


def _columns(run: MiningRun) -> Columns:
    return Columns.from_bytes(bytes(run.result.columns))


EXPORTS: dict[str, tuple[str, Callable[[MiningRun], Iterator[str]]]] = {
    "rules.csv": ("text/csv; charset=utf-8", lambda run: rules_csv(_columns(run))),
    "itemsets.csv": ("text/csv; charset=utf-8", lambda run: itemsets_csv(_columns(run))),
    "result.json": ("application/json", _document),
    "rules.graphml": ("application/graphml+xml", lambda run: graphml(_columns(run))),
}
