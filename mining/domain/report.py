"""Reading a result: itemsets and rules filtered, sorted and cut into pages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from mining.engines.columns import (
    NONE,
    Columns,
    are_listed,
    are_trustworthy,
    by_trust,
    figures_to_report,
    item_of,
    sure,
)
from privacy.reconstruct import metrics
from privacy.reconstruct.metrics import ENDS, Metric

PAGE = 10  # so that the pictures below a table are not far
MOST_DRAWN = 200


@dataclass(frozen=True)
class Wish:
    """What part of a table is asked for; empty fields ask for everything. Rules without an order stand by trust."""

    order: str
    descending: bool = True
    antecedent: str = ""
    consequent: str = ""
    item: str = ""
    length: int | None = None
    at_most: Mapping[str, float] = field(default_factory=dict)  # by metric
    redundant: bool = False
    literals: frozenset[str] | None = None  # the literals that a search has found; rules hold one of them
    page: int = 1


@dataclass(frozen=True)
class Slice:
    rows: list[dict[str, Any]]
    count: int
    page: int
    pages: int
    label: str


@dataclass(frozen=True)
class ReportCell:
    """One figure in a row, with its standard error and interval."""

    metric: Metric
    value: float
    error: dict[str, float] | None


def arrange(columns: Columns, without: Collection[str] = ()) -> Columns:
    """Add columns that follow from others: lengths, figures to print, error W; and of rules which are listed, which are
    sure, and the place of each by trust. Rules about the items `without` are left out.
    """
    apart = [index for index, label in enumerate(columns.labels) if item_of(label) in without]
    columns = columns.with_rules(~np.any(np.isin(columns.items[columns.itemset], apart), axis=1))
    itemsets = {"length": (columns.items != NONE).sum(axis=1)}
    nothing = np.full(len(columns.itemset), np.nan)  # of a result from before there were shrunken figures
    columns = columns.with_columns({}, {key: columns.rules.get(key, nothing) for key in metrics.shrunken_keys()})
    rules = {f"reported {name}": values for name, values in figures_to_report(columns.rules).items()}
    rules |= {"listed": are_listed(columns.rules), "sure": sure(columns)}
    rules["place"] = np.argsort(by_trust(columns, np.ones(len(columns.itemset), bool)))
    if "truth" in columns.itemsets:
        itemsets["w"] = np.abs(columns.itemsets["support"] - columns.itemsets["truth"])
        rules["w"] = np.abs(columns.rules["support"] - columns.rules["true support"])
    if "true confidence" in columns.rules:
        for key, name in (("confidence w", "confidence"), ("shrunken confidence w", "shrunken confidence")):
            rules[key] = np.abs(columns.rules[name] - columns.rules["true confidence"])
    return columns.with_columns(itemsets, rules)


def rules(columns: Columns, wish: Wish, shown: Sequence[Metric]) -> Slice:
    """The rules that are wished, with a cell for each metric shown."""

    def row(place: int) -> dict[str, Any]:
        own = rule_at(columns, place)
        cells = [_cell(metric, own) for metric in shown]
        return own | {
            "cells": [_with_interval(cell, own) if cell.metric in metrics.SHRUNKEN else cell for cell in cells]
        }

    keep = columns.rules["listed"].copy()
    if not wish.redundant:
        keep &= ~columns.rules["redundant"]
    for key, most in wish.at_most.items():
        keep &= columns.rules[key] <= most
    items = columns.items[columns.itemset]
    if wish.length is not None:
        keep &= columns.itemsets["length"][columns.itemset] == wish.length
    for label, side in ((wish.item, None), (wish.antecedent, True), (wish.consequent, False)):
        if label:
            keep &= _has_literal(columns, items, label, side)
    if wish.literals is not None:
        keep &= np.isin(items, [columns.labels.index(label) for label in wish.literals]).any(axis=1)
    in_order = wish if wish.order else replace(wish, order="place", descending=False)
    places = _sort(np.flatnonzero(keep), columns.rules[in_order.order], in_order)
    return _page(places, wish, row, _("Pages of rules"))


def itemsets(columns: Columns, wish: Wish, shown: Sequence[Metric]) -> Slice:
    keep = np.ones(len(columns.items), dtype=bool)
    if wish.length is not None:
        keep &= columns.itemsets["length"] == wish.length
    if wish.item:
        keep &= (columns.items == columns.labels.index(wish.item)).any(axis=1)
    places = _sort(np.flatnonzero(keep), columns.itemsets[wish.order], wish)
    return _page(places, wish, lambda place: _itemset_at(columns, place, shown), _("Pages of itemsets"))


def strongest(columns: Columns, count: int) -> np.ndarray:
    """The positions of the most reliable rules."""
    return by_trust(columns, are_trustworthy(columns))[:count]


def strongest_to_draw(columns: Columns) -> Columns:
    """The most reliable rules in their order, with the figures to report, for pictures; none without a figure."""
    figures = figures_to_report(columns.rules)
    places = by_trust(columns, are_trustworthy(columns) & figures["shrunken"])[:MOST_DRAWN]
    return columns.with_columns({}, figures).with_rules(places)


def largest_difference(one: Columns, other: Columns) -> float | None:
    """By how much any support, confidence or lift of two results differs; None where their rules are not the same."""
    rules = [np.column_stack([each.items[each.itemset], each.antecedent]) for each in (one, other)]
    if one.labels != other.labels or rules[0].shape != rules[1].shape:
        return None
    places = [np.lexsort(rows.T) for rows in rules]
    if not np.array_equal(rules[0][places[0]], rules[1][places[1]]):
        return None
    figures = [np.stack([each.rules[metric.key] for metric in metrics.SHRINKING])[:, at] for each, at in
               zip((one, other), places, strict=True)]  # fmt: skip
    apart = np.abs(np.subtract(*figures), where=np.isfinite(figures).all(axis=0), out=np.zeros_like(figures[0]))
    return float(apart.max(initial=0.0))


def _has_literal(columns: Columns, items: np.ndarray, label: str, antecedent: bool | None) -> np.ndarray:
    """Which rules hold this literal: as a condition if `antecedent`, as a conclusion if not, anywhere if None."""
    here = items == columns.labels.index(label)
    if antecedent is None:
        return np.any(here, axis=1)
    side = (columns.antecedent[:, None].astype(np.int64) >> np.arange(items.shape[1])) & 1 == antecedent
    return np.any(here & side, axis=1)


def _sort(places: np.ndarray, values: np.ndarray, wish: Wish) -> np.ndarray:
    key = values[places]
    return places[np.argsort(-key if wish.descending else key, kind="stable")]


def _page(places: np.ndarray, wish: Wish, row: Any, label: str) -> Slice:
    pages = max(-(-len(places) // PAGE), 1)
    page = min(max(wish.page, 1), pages)
    rows = [row(place) for place in places[(page - 1) * PAGE : page * PAGE].tolist()]
    return Slice(rows, len(places), page, pages, label)


def rule_at(columns: Columns, place: int) -> dict[str, Any]:
    """A rule as a row of a table: its columns, by names with underscores, and both sides."""
    antecedent, consequent = columns.sides(place)
    row: dict[str, Any] = {_row_key(name): values[place].item() for name, values in columns.rules.items()}
    return row | {"antecedent": antecedent, "consequent": consequent}


def _cell(metric: Metric, row: dict[str, Any]) -> ReportCell:
    error = None
    if metric.with_error:
        error = {end: row[_row_key(key)] for end, key in zip(ENDS, metric.error_keys, strict=True)}
    return ReportCell(metric, row[_row_key(metric.key)], error)


def _with_interval(cell: ReportCell, row: dict[str, Any]) -> ReportCell:
    """The cell of a shrunken figure with the errors to report; a rule without the figure has its raw interval there."""
    key = _row_key(cell.metric.key).replace("shrunken", "reported")
    return replace(cell, error={end: row[f"{key}_{end}"] for end in ENDS})


def _row_key(key: str) -> str:
    return key.replace(" ", "_")


def _itemset_at(columns: Columns, place: int, shown: Sequence[Metric]) -> dict[str, Any]:
    row: dict[str, Any] = {_row_key(name): values[place].item() for name, values in columns.itemsets.items()}
    cells = [_cell(metric, row) for metric in shown]
    return row | {"items": columns.names(place), "cells": cells}
