"""Reading a result: itemsets and rules filtered, sorted and cut into pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from mining.engines.columns import NONE, Columns
from mining.engines.rules import WITH_ERROR

PAGE = 20  # so that the pictures below a table are not far
BEYOND_CHANCE = 0.05  # the largest q
# The columns of the two tables, in the order shown; a table can be sorted by each that the result has.
RULE_COLUMNS = (
    *WITH_ERROR,
    "q",
    "w",
    "p",
    "antecedent support",
    "consequent support",
    "conviction",
    "zhangs_metric",
    "jaccard",
    "certainty",
    "kulczynski",
)
ITEMSET_COLUMNS = ("support", "observed", "n", "length", "truth", "w")


@dataclass(frozen=True)
class Wish:
    """What part of a table is asked for; empty fields ask for everything. Rules without an order stand by trust."""

    order: str
    descending: bool = True
    antecedent: str = ""
    consequent: str = ""
    item: str = ""
    length: int | None = None
    max_q: float | None = None
    redundant: bool = False
    page: int = 1


@dataclass(frozen=True)
class Slice:
    """One page of a table: rows, and where it lies in the whole."""

    rows: list[dict[str, Any]]
    count: int
    page: int
    pages: int
    label: str


def read(columns: bytes) -> Columns:
    """A stored result, with the columns that follow from others: lengths, and W where the truth is known."""
    found = Columns.from_bytes(columns)
    itemsets, rules = {"length": (found.items != NONE).sum(axis=1)}, {}
    if "truth" in found.itemsets:
        itemsets["w"] = np.abs(found.itemsets["support"] - found.itemsets["truth"])
        rules["w"] = np.abs(found.rules["support"] - found.rules["true support"])
    return found.with_columns(itemsets, rules)


def rules(found: Columns, wish: Wish) -> Slice:
    """Rules that meet the wish."""
    keep = np.ones(len(found.itemset), dtype=bool)
    if not wish.redundant:
        keep &= ~found.rules["redundant"]
    if wish.max_q is not None:
        keep &= found.rules["q"] <= wish.max_q
    items = found.items[found.itemset]
    if wish.length is not None:
        keep &= found.itemsets["length"][found.itemset] == wish.length
    for label, side in ((wish.item, None), (wish.antecedent, True), (wish.consequent, False)):
        if label:
            keep &= _holds(found, items, label, side)
    places = _sorted(np.flatnonzero(keep), found.rules[wish.order], wish) if wish.order else by_trust(found, keep)
    return _page(places, wish, lambda place: _rule(found, place), _("Pages of rules"))


def itemsets(found: Columns, wish: Wish) -> Slice:
    """Itemsets that meet the wish."""
    keep = np.ones(len(found.items), dtype=bool)
    if wish.length is not None:
        keep &= found.itemsets["length"] == wish.length
    if wish.item:
        keep &= (found.items == found.labels.index(wish.item)).any(axis=1)
    places = _sorted(np.flatnonzero(keep), found.itemsets[wish.order], wish)
    return _page(places, wish, lambda place: _itemset(found, place), _("Pages of itemsets"))


def strongest(found: Columns, count: int) -> np.ndarray:
    """The places of the rules that can be trusted most, for pictures."""
    return by_trust(found, trusted(found))[:count]


def trusted(found: Columns) -> np.ndarray:
    """Which rules say something: neither redundant nor doubtful."""
    return ~found.rules["redundant"] & sure(found)


def sure(found: Columns) -> np.ndarray:
    """Rules whose sides more than chance has brought together, with estimates that a population could have."""
    beyond: np.ndarray = ~found.rules["infeasible"] & (found.rules["q"] <= BEYOND_CHANCE)
    return beyond


def by_trust(found: Columns, keep: np.ndarray) -> np.ndarray:
    """The places of the rules to keep, those first that can be trusted most.

    A doubtful one comes after all others, however high its confidence: it is noise that makes the highest. Of both
    kinds the one that is confident even at the lower end of its interval comes first.
    """
    places = np.flatnonzero(keep)
    low = np.nan_to_num(found.rules["confidence low"], nan=-np.inf)
    return places[np.lexsort((-low[places], ~sure(found)[places]))]


def _holds(found: Columns, items: np.ndarray, label: str, antecedent: bool | None) -> np.ndarray:
    """Rules that hold a literal, on one side or on either."""
    here = items == found.labels.index(label)
    if antecedent is None:
        return np.any(here, axis=1)
    side = (found.antecedent[:, None].astype(np.int64) >> np.arange(items.shape[1])) & 1 == antecedent
    return np.any(here & side, axis=1)


def _sorted(places: np.ndarray, values: np.ndarray, wish: Wish) -> np.ndarray:
    key = values[places]
    return places[np.argsort(-key if wish.descending else key, kind="stable")]


def _page(places: np.ndarray, wish: Wish, row: Any, label: str) -> Slice:
    pages = max(-(-len(places) // PAGE), 1)
    page = min(max(wish.page, 1), pages)
    rows = [row(place) for place in places[(page - 1) * PAGE : page * PAGE].tolist()]
    return Slice(rows, len(places), page, pages, label)


def _rule(found: Columns, place: int) -> dict[str, Any]:
    antecedent, consequent = found.sides(place)
    row: dict[str, Any] = {name.replace(" ", "_"): values[place].item() for name, values in found.rules.items()}
    row |= {"antecedent": antecedent, "consequent": consequent}
    row["errors"] = {
        name: {end: row[f"{name}_{end}"] for end in ("se", "low", "high")} | {"value": row[name]} for name in WITH_ERROR
    }
    return row


def _itemset(found: Columns, place: int) -> dict[str, Any]:
    row = {name: values[place].item() for name, values in found.itemsets.items()}
    error = {end: row[end] for end in ("se", "low", "high")} | {"value": row["support"]}
    return row | {"items": found.names(place), "error": error}
