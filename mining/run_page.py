"""The page of a run, and the pictures of a run as files."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import translation
from django.utils.translation import gettext

from mining import pictures
from mining.described_rules import AT_ONCE, columns_to_report, describe_rule, in_words, reviews_of, say_reviews
from mining.domain.files import WHY, is_withheld, round_columns, round_summary
from mining.domain.report import Wish, itemsets, largest_difference, rules
from mining.domain.request import name_of
from mining.engines.columns import Columns
from mining.engines.warnings import not_listed
from mining.forms import FilterForm, RuleFilterForm
from mining.limits import links, no_links, precision, say_raw, warnings_of
from mining.models import MiningResult, MiningRun, RuleReview
from privacy.output import format_count
from privacy.reconstruct import metrics
from privacy.reconstruct.metrics import Metric
from surveys.domain.questionnaire.promise import promise_in_chances, promise_scope
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import cite
from surveys.results.figures import Figure
from surveys.results.following import say_of_all
from surveys.results.words import words_of
from surveys.times import day

USUAL = ["shrunken confidence", "consequent support", "shrunken lift", "shrunken support", "q"]  # columns people read


def report(run: MiningRun, query: QueryDict) -> dict[str, Any]:
    """The context of the page of a run: of its rules, itemsets and pictures what the query asks for."""
    result = MiningResult.objects.filter(run=run).first()
    asked = {name: value for name, value in run.parameters.items() if value is not False}
    context: dict[str, Any] = {"run": run, "survey": run.survey, "cited": cite(run.snapshot), "result": result}
    context |= {"asked": urlencode(asked), "asked_of": asked}
    if is_withheld(run):
        return context | {"result": None, "withheld": WHY}
    if result is None:
        return context
    columns, summary = columns_to_report(run), round_summary(result.summary, run.snapshot)
    people = counts.to_report(result.summary["n"], summary["exact"])
    of_rules = metrics.metrics_to_show((*metrics.SHRUNKEN, *metrics.RULE_METRICS), columns.rules)
    of_itemsets = metrics.metrics_to_show(metrics.ITEMSET_METRICS, columns.itemsets)
    version = run.snapshot.version
    words = words_of(version, translation.get_language() or "en")
    named = [(label, f"{words.short_entry(label)} ({label})") for label in columns.labels]
    chosen = [metric.key for metric in of_rules if metric.key in query.getlist("r-columns", USUAL)]
    rule_form = RuleFilterForm(query, prefix="r", labels=named, columns=of_rules)
    itemset_form = FilterForm(query, prefix="i", labels=named, columns=of_itemsets)
    rule_wish, itemset_wish = rule_form.wish(), itemset_form.wish()
    if rule_form.search_text:
        literals = frozenset(label for label in columns.labels if words.finds(label, rule_form.search_text))
        rule_wish = replace(rule_wish, literals=literals)
    shown = rules(columns, rule_wish, of_rules)
    sets = itemsets(round_columns(columns, exact=people.exact), itemset_wish, of_itemsets)
    for row in sets.rows:
        row["named"] = "; ".join(map(words.short_entry, row["items"]))
    reviews = reviews_of(version)
    spoken = [describe_rule(run, row, words, reviews) for row in shown.rows]
    drawings = pictures.tabs(in_words(columns, words))
    drawing = next(
        (drawing for drawing in drawings if drawing.name == query.get("picture")), drawings[0] if drawings else None
    )
    sound = columns.rules["sure"] & columns.rules["listed"]
    if not rule_wish.redundant:
        sound &= ~columns.rules["redundant"]
    first = AT_ONCE if shown.page == 1 else len(spoken)
    open_ = first if sound.any() else 0  # what chance can have made is not the first that is read
    return {
        **context,
        "summary": summary,
        "people": people,
        "left_out": counts.to_report(summary["left_out"], people.exact),
        "searched": gettext("%(what)s, searched on %(day)s in %(answers)s.")
        % {"what": name_of(run), "day": day(run.requested_at), "answers": people.answers},
        "promise": promise_in_chances(version.design, version.parsed.source),
        "covered": promise_scope(version.design, bool(version.parsed.open_questions)),
        "share_direct": result.summary["direct"] / max(result.summary["n"], 1),
        "warnings": [
            *warnings_of(summary, run.survey.least),
            *say_raw(version.design, columns),
            *say_of_all(version.parsed),
        ],
        "no_links": None if sound.any() else no_links(run, columns, people),
        "compared": _compare_engines(run, result),
        "precision": precision(columns),
        "links": links(run, columns),
        "rule_form": rule_form,
        "rule_kept": _fields_to_keep(query, rule_form),
        "rule_headings": headings([rule for rule in of_rules if rule.key in chosen], rule_wish, query, "r"),
        "rules": shown,
        "columns": [(rule.key, translation.gettext(rule.heading), rule.key in chosen) for rule in of_rules],
        "chosen": chosen,
        "unchosen": [(name, value) for name, value in _query_pairs(query) if name not in ("r-columns", "r-page")],
        "sentences": spoken,
        "at_once": spoken[:open_],
        "more": spoken[open_:],
        "not_listed": not_listed(columns.rules, translation, redundant=rule_wish.redundant),
        "shrunken": any(row["reported_shrunken"] for row in shown.rows),
        "verdicts": RuleReview.JUDGED,
        "rule_pages": _pager(query, "r"),
        "rule_order": rule_wish.order,
        "all_rules": len(columns.itemset),
        "trusted": int(sound.sum()),
        "looked_at": say_reviews(columns, sound, reviews),
        "rule_by_trust": _pager(query, "r", "order", "ascending"),
        "itemset_form": itemset_form,
        "itemset_kept": _fields_to_keep(query, itemset_form),
        "itemset_headings": headings(of_itemsets, itemset_wish, query, "i"),
        "itemsets": sets,
        "rule_asked": any(name in query for name in ("r-order", "r-columns")),
        "picture_asked": "picture" in query,
        "itemset_asked": any(name.startswith("i-") for name in query),
        "itemset_pages": _pager(query, "i"),
        "drawings": [
            (one.label, _pager(query, "", "picture") + f"&picture={one.name}", one is drawing) for one in drawings
        ],
        "pictures": [(drawing.draw(pictures.WIDE), drawing.draw(pictures.NARROW).svg)] if drawing else [],
    }


def _compare_engines(run: MiningRun, result: MiningResult) -> str:
    """Whether the newest search of the same by the other engine found the same; "" where there is none."""
    same = {f"run__{name}": value for name, value in run.parameters.items() if name != "engine"}
    results = MiningResult.objects.filter(run__snapshot=run.snapshot, **same).order_by("-run")
    other = results.exclude(summary__engine=result.summary["engine"]).first()
    if other is None:
        return ""
    columns = Columns.from_bytes(bytes(result.columns))
    apart = largest_difference(columns, Columns.from_bytes(bytes(other.columns)))
    if apart is None:
        return gettext("The two engines found different rules, so one of them has an error. Please report it.")
    said = gettext("Both engines found the same %(rules)s rules. Their figures differ by %(apart)s at the most.")
    return said % {"rules": format_count(len(columns.itemset)), "apart": f"{apart:.1g}"}


def pictures_of(run: MiningRun) -> list[Figure]:
    result = MiningResult.objects.filter(run=run).first()
    if result is None or is_withheld(run):
        return []
    words = words_of(run.snapshot.version, translation.get_language() or "en")
    return pictures.as_files(run, in_words(columns_to_report(run), words), result.summary["n"])


@dataclass(frozen=True)
class Heading:
    """A column; `sorted` is how the table is sorted by it, in the words of aria-sort, or empty."""

    label: str
    help: str
    anchor: str
    query: str
    ascending: bool  # what its link asks for
    sorted: str


def headings(metrics: Iterable[Metric], wish: Wish, query: QueryDict, prefix: str) -> list[Heading]:
    """A heading for each column. Its link keeps every filter, of both tables, and begins at the first page.

    The first click shows what is most worth seeing, the next one turns the order round.
    """
    made = []
    for metric in metrics:
        here = metric.key == wish.order
        ascending = wish.descending if here else metric.smallest_first
        asked = query.copy()
        for field in ("page", "ascending"):
            asked.pop(f"{prefix}-{field}", None)
        asked[f"{prefix}-order"] = metric.key
        if ascending:
            asked[f"{prefix}-ascending"] = "on"
        now = "" if not here else "descending" if wish.descending else "ascending"
        label, explained = gettext(metric.heading), gettext(metric.help) if metric.help else ""
        anchor = f"{prefix}-{metric.key.replace(' ', '-')}"
        made.append(Heading(label, explained, anchor, asked.urlencode(), ascending, now))
    return made


def _fields_to_keep(query: QueryDict, form: FilterForm) -> list[tuple[str, str]]:
    """The fields that a filter form keeps: the order of its table and all of the other table, but no page."""
    own = {field.html_name for field in form.visible_fields()} | {form.add_prefix("page")}
    return [(name, value) for name, value in _query_pairs(query) if name not in own]


def _query_pairs(query: QueryDict) -> list[tuple[str, str]]:
    """Each name in the query with each of its values."""
    return [(name, str(value)) for name, values in query.lists() for value in values]


def _pager(query: QueryDict, prefix: str, *without: str) -> str:
    """The address of the page without its number, so that links to other pages keep every filter."""
    kept = query.copy()
    for name in ("page", *without):
        kept.pop(f"{prefix}-{name}" if prefix else name, None)
    return kept.urlencode()
