"""Reading a result: itemsets and rules filtered, sorted and cut into pages, and warnings in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mining.engines.found import NONE, Found
from mining.engines.rules import WITH_ERROR

PAGE = 50
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
ITEMSET_COLUMNS = ("support", "se", "low", "observed", "n", "length", "truth", "w")


@dataclass(frozen=True)
class Wish:
    """What part of a table is asked for; empty fields ask for everything."""

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


def read(columns: bytes) -> Found:
    """A stored result, with the columns that follow from others: lengths, and W where the truth is known."""
    found = Found.from_bytes(columns)
    itemsets, rules = {"length": (found.items != NONE).sum(axis=1)}, {}
    if "truth" in found.itemsets:
        itemsets["w"] = np.abs(found.itemsets["support"] - found.itemsets["truth"])
        rules["w"] = np.abs(found.rules["support"] - found.rules["true support"])
    return found.with_columns(itemsets, rules)


def rules(found: Found, wish: Wish) -> Slice:
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
    return _page(
        np.flatnonzero(keep),
        found.rules[wish.order],
        wish,
        lambda place: _rule(found, place),
        _("Pages of rules"),
    )


def itemsets(found: Found, wish: Wish) -> Slice:
    """Itemsets that meet the wish."""
    keep = np.ones(len(found.items), dtype=bool)
    if wish.length is not None:
        keep &= found.itemsets["length"] == wish.length
    if wish.item:
        keep &= (found.items == found.labels.index(wish.item)).any(axis=1)
    order = found.itemsets[wish.order]
    return _page(np.flatnonzero(keep), order, wish, lambda place: _itemset(found, place), _("Pages of itemsets"))


def strongest(found: Found, count: int) -> np.ndarray:
    """The places of the strongest rules by confidence that are not redundant, for pictures."""
    places = np.flatnonzero(~found.rules["redundant"])
    return places[np.argsort(-found.rules["confidence"][places], kind="stable")[:count]]


def _holds(found: Found, items: np.ndarray, label: str, antecedent: bool | None) -> np.ndarray:
    """Rules that hold a literal, on one side or on either."""
    here = items == found.labels.index(label)
    if antecedent is None:
        return np.any(here, axis=1)
    side = (found.antecedent[:, None].astype(np.int64) >> np.arange(items.shape[1])) & 1 == antecedent
    return np.any(here & side, axis=1)


def _page(places: np.ndarray, values: np.ndarray, wish: Wish, row: Any, label: str) -> Slice:
    key = values[places]
    ordered = places[np.argsort(-key if wish.descending else key, kind="stable")]
    pages = max(-(-len(ordered) // PAGE), 1)
    page = min(max(wish.page, 1), pages)
    rows = [row(place) for place in ordered[(page - 1) * PAGE : page * PAGE].tolist()]
    return Slice(rows, len(ordered), page, pages, label)


def _rule(found: Found, place: int) -> dict[str, Any]:
    antecedent, consequent = found.sides(place)
    row: dict[str, Any] = {name.replace(" ", "_"): values[place].item() for name, values in found.rules.items()}
    row |= {"antecedent": antecedent, "consequent": consequent}
    row["errors"] = {
        name: {end: row[f"{name}_{end}"] for end in ("se", "low", "high")} | {"value": row[name]} for name in WITH_ERROR
    }
    return row


def _itemset(found: Found, place: int) -> dict[str, Any]:
    row = {name: values[place].item() for name, values in found.itemsets.items()}
    return row | {"items": found.names(place)}


def words(warnings: Sequence[dict[str, Any]], n: int) -> list[str]:
    """The warnings of a summary as sentences."""
    return [_WORDS[warning["code"]](warning, n) for warning in warnings]


def _weak(warning: dict[str, Any], n: int) -> str:
    return _(
        "There are too few respondents for these parameters: %(count)s of %(of)s itemsets have a support below two "
        "standard errors. About %(needed)s respondents would be needed where now there are %(n)s."
    ) % {**warning, "needed": f"{warning['needed']:,}", "n": f"{n:,}"}


def _infeasible(warning: dict[str, Any], _n: int) -> str:
    sentence = ngettext(
        "%(count)s itemset has an estimate that no population could have (above 1, or above that of a part of it): "
        "noise can do that.",
        "%(count)s itemsets have estimates that no population could have (above 1, or above that of a part of it): "
        "noise can do that.",
        warning["count"],
    ) % {"count": warning["count"]}
    if not warning["joint"]:
        how = _(
            "A feasible value stands beside each, fitted to that itemset alone, so that these values need not fit each "
            "other: the items concerned have more combinations of answers than one table can hold."
        )
    elif warning.get("gap") is None:
        how = _("A feasible value stands beside each, fitted to all of them together.")
    else:
        how = _(
            "A feasible value stands beside each, fitted to all of them together. That fit was ended early; the best "
            "one would be better by at most %(gap)s in its log-likelihood."
        ) % {"gap": f"{warning['gap']:.2g}"}
    raw = _("Support and confidence have feasible values; lift and leverage, errors and intervals stay raw.")
    return f"{sentence} {how} {raw}"


def _groups(warning: dict[str, Any], _n: int) -> str:
    sentence = _("Those who answered directly answer differently from the others on: %(items)s.") % {
        "items": ", ".join(warning["items"])
    }
    if warning["estimator"] == "stratified":
        return sentence + " " + _("The stratified estimator, used here, is right all the same.")
    return sentence + " " + _("Trust the stratified estimator, not the one used here.")


def _unidentified(warning: dict[str, Any], _n: int) -> str:
    return ngettext(
        "Of %(count)s itemset the disguise leaves nothing that could be recovered; it is not in the tables.",
        "Of %(count)s itemsets the disguise leaves nothing that could be recovered; they are not in the tables.",
        warning["count"],
    ) % {"count": warning["count"]}


_WORDS = {"weak": _weak, "infeasible": _infeasible, "groups": _groups, "unidentified": _unidentified}
