"""What pages and commands report of mined records: columns, and a summary."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from textwrap import fill
from typing import Any

import numpy as np

from mining.engines.columns import Columns, are_listed, by_trust, columns_of, figures_to_report
from mining.engines.exports import document, itemset_names, rule_names, whole_counts
from mining.engines.lattice import Lattice
from mining.engines.mine import MinedLattice, mine
from mining.engines.reasons import CHOICES
from mining.engines.request import MiningRequest, Progress, silent
from mining.engines.shrunken_rules import add_shrunk_figures, with_pairs
from mining.engines.warnings import not_listed, sentences, warnings
from privacy.design import Design, arguments
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import states_from_supports
from privacy.output import count_of
from privacy.reconstruct import metrics
from privacy.reconstruct.discoveries import MOST_LOOKED_AT
from privacy.reconstruct.group_difference import GroupComparison, comparable, compare
from privacy.reconstruct.pairs import Pairs, answers_in_pairs, count_pairs, look_at_pairs
from privacy.records import Records
from privacy.records.bits import Batch
from privacy.records.count_tables import CountTables
from privacy.records.packing import pack, unpack
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

LUCK = (
    "* The strongest rules of any survey are partly luck. These figures are shrunk towards those of all pairs, or of "
    "longer itemsets of the same length, the more the larger their error, and the intervals allow for that. Pairs with "
    "a list of words, or with an answer that nearly nobody or everybody gives, have the raw figure, and an interval "
    "that allows for the choice among all pairs."
)
READ_FIRST = [
    *("antecedent", "consequent", "support", "support se"),
    *("confidence", "confidence low", "confidence high", "lift", "p", "q"),
]
_DRAWN, _NAMED = 60, 6  # rules in a picture, and how many of them by name


@dataclass(frozen=True, repr=False, eq=False)
class Mined(Result):
    """Itemsets and rules with their error; `candor.mine` makes it.

    It holds what was mined, its columns, and a summary: what a first page says without reading them.
    """

    mined: MinedLattice
    columns: Columns
    summary: dict[str, Any]

    @cached_property
    def rules(self) -> DataFrame:
        """A row per rule: both sides, mlxtend's metrics by their names, standard errors, intervals, p, q and flags.

        Of support, confidence, lift and leverage the columns are as ``confidence se``, ``confidence low`` and
        ``confidence high``. Those of support, confidence and lift that stay true after selection begin with
        ``shrunken``; they are not a number where they cannot be had. Of the rules with a `q` up to .05 about one in
        twenty at the most comes from independent answers. ``redundant`` rules say nothing that a shorter one does not
        say. Of rules that are not ``listed`` the records do not bound the confidence.
        """
        columns = self.columns
        sides = [",".join(side) for index in range(len(columns.itemset)) for side in columns.sides(index)]
        names = {"antecedent": _text_column(sides[0::2]), "consequent": _text_column(sides[1::2])}
        return data_frame(names | {name: columns.rules[name] for name in rule_names(columns)})

    @cached_property
    def itemsets(self) -> DataFrame:
        """A row per itemset, shorter ones first: its pattern, support, standard error, interval and more."""
        columns = self.columns
        names = {"itemset": _text_column([",".join(columns.names(index)) for index in range(len(columns.items))])}
        figures = whole_counts(columns.itemsets)
        return data_frame(names | {name: figures[name] for name in itemset_names(columns)})

    @property
    def warnings(self) -> list[str]:
        summary = self.summary
        return sentences(summary["warnings"], summary["n"])

    def contents(self) -> Iterator[str | TextColumns]:
        columns, summary = self.columns, self.summary
        omitted = summary["left_out"]
        direct = f"{summary['direct'] or omitted} of them direct{' and left out' if omitted else ''}"
        drawn = self.mined.lattice.drawn
        sample = "" if drawn is None or drawn.weight.is_simple else ", for the population that they were drawn from"
        yield f"{count_of(summary['n'] + omitted, 'record')}, {direct}; {summary['estimator']} estimator{sample}"
        names = [key for metric in metrics.itemset_metrics_to_print() for key in (metric.key, *metric.error_keys[:1])]
        figures_of_itemsets = whole_counts(columns.itemsets)
        itemsets = [
            [",".join(columns.names(index)), *(figures_of_itemsets[name][index].item() for name in names)]
            for index in range(len(columns.items))
        ]
        if itemsets:
            yield TextColumns(["itemset", *names], itemsets)
            yield ""
        else:
            yield "No itemset reaches this support."
        places = by_trust(columns, ~columns.rules["redundant"] & columns.rules["listed"]).tolist()
        star = "*" if figures_to_report(columns.rules)["shrunken"][places].any() else ""
        figures = _figures_to_print(columns.rules, star)
        rules = [
            [self._rule_as_text(place), *(float(values[place]) for values in figures.values())] for place in places
        ]
        if why := next((one["why"] for one in summary["warnings"] if one["code"] == "raw"), None):
            known = figures_to_report(columns.rules)["shrunken"]
            figures["no figure"] = known
            rules = [[*row, None if known[place] else why] for place, row in zip(places, rules, strict=True)]
        unlisted = not_listed(columns.rules)
        if rules:
            yield TextColumns(["rule", *figures], rules)
        elif not unlisted:
            yield "No rule reaches these thresholds."
        if unlisted:
            yield fill(unlisted, WIDTH)
        if star:
            yield fill(LUCK, WIDTH)
        yield fill(f"(engine {summary['engine']}: {CHOICES[summary['why']]})", WIDTH)
        yield from (fill(sentence, WIDTH) for sentence in self.warnings)

    def picture(self) -> str:
        """The rules to trust most by support and confidence, coloured by lift; without any the largest itemsets."""
        from privacy.draw.chart import Axis, Points, chart

        rules = self.columns.rules
        figures = figures_to_report(rules)
        best = by_trust(self.columns, ~rules["redundant"] & rules["listed"] & figures["shrunken"])[:_DRAWN]
        if not len(best):
            return self._largest_itemsets()
        shown = {name: values[best].tolist() for name, values in figures.items()}
        names = [self._rule_as_text(place) for place in best.tolist()]
        points = Points(
            "",
            shown["support"],
            shown["confidence"],
            low=shown["confidence low"],
            high=shown["confidence high"],
            left=shown["support low"],
            right=shown["support high"],
            labels=names,
            values=shown["lift"],
            values_label="lift",
            notes=[name if index < _NAMED else "" for index, name in enumerate(names)],
        )
        axes = Axis("support", percent=True), Axis("confidence", percent=True)
        return chart("Rules by support and confidence, with 95 % intervals", [points], *axes)

    def _largest_itemsets(self) -> str:
        from privacy.draw import named_rows

        columns = self.columns
        places = np.argsort(-columns.itemsets["support"], kind="stable")[: named_rows.MOST_ROWS]
        support, low, high = (columns.itemsets[name][places].tolist() for name in ("support", "low", "high"))
        names = [",".join(columns.names(place)) for place in places.tolist()]
        intervals = list(zip(low, high, strict=True))
        return named_rows.supports("Itemsets by support, with 95 % intervals", names, support, intervals)

    def to_frame(self, *, all: bool = False) -> DataFrame:
        """Return a row per rule that is listed.

        Parameters
        ----------
        all : bool
            Whether to return all of `rules`: also rules that are not listed, and every column. Otherwise there are the
            ten columns that people read first: both sides, support with its standard error, confidence with its
            interval, lift, p and q.

        Examples
        --------
        >>> import candor, pandas as pd
        >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
        >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
        >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
        >>> mined = candor.mine(records, min_support=0.05, engine="bitset")
        >>> mined.to_frame().shape, {*mined.to_frame()} < {*mined.to_frame(all=True)}
        ((2, 10), True)
        """
        if arguments.flag(all, "all"):
            return self.rules
        return self.rules.loc[self.columns.rules["listed"], READ_FIRST].reset_index(drop=True)

    def to_mlxtend(self, *, support_only: bool = False) -> DataFrame:
        """Return the itemsets as mlxtend's functions take them: the columns `support` and `itemsets`.

        Parameters
        ----------
        support_only : bool
            Whether to return every itemset, for ``association_rules(…, support_only=True)``. Otherwise an itemset is
            left out if one of its parts is below the threshold by its own estimate: `association_rules` looks up
            all parts.

        Examples
        --------
        >>> import candor, pandas as pd
        >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
        >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
        >>> mined = candor.mine(candor.disguise(frame, design, direct=0.2, seed=7), min_support=0.05)
        >>> from mlxtend.frequent_patterns import association_rules
        >>> association_rules(mined.to_mlxtend(), min_threshold=0.9)["antecedents"].tolist()
        [frozenset({'drugs'})]
        """
        columns = self.columns
        support = columns.itemsets["support"].tolist()
        closed: dict[frozenset[str], float] = {}
        for index, share in enumerate(support):  # shorter ones first
            itemset = frozenset(columns.names(index))
            if support_only or len(itemset) == 1 or all(itemset - {literal} in closed for literal in itemset):
                closed[itemset] = share
        return data_frame({"support": list(closed.values()), "itemsets": list(closed)})

    def to_json(self) -> dict[str, Any]:
        return json.loads("".join(json_chunks(self)))

    def _rule_as_text(self, rule: int) -> str:
        antecedent, consequent = self.columns.sides(rule)
        return f"{','.join(antecedent)} => {','.join(consequent)}"


def _figures_to_print(rules: Mapping[str, np.ndarray], star: str) -> dict[str, np.ndarray]:
    """The printed figures of rules by their headings; a star marks those that differ from `Mined.rules`.

    The first one stands with its interval, and after all that stay true after selection with its raw figure and error.
    A rule without such figures has the raw interval alone, as far as it goes: its raw figure lies in it.
    """
    shown = figures_to_report(rules)
    first, *others = metrics.metrics_to_print()
    low, high = (np.where(shown["shrunken"], rules[f"shrunken {key}"], rules[key]) for key in first.error_keys[1:])
    return {
        f"{first.key}{star}": shown[first.key],
        f"low{star}": low,
        f"high{star}": high,
        **{f"{metric.key}{star}": shown[metric.key] for metric in others if metric in metrics.SHRINKING},
        f"raw {first.key}": rules[first.key],
        "raw se": rules[f"{first.key} se"],
        **{metric.key: rules[metric.key] for metric in others if metric not in metrics.SHRINKING},
    }


def _text_column(names: list[str]) -> np.ndarray:
    """A column of texts, also where there are none: pandas would take an empty one for numbers."""
    return np.array(names, object)


def json_chunks(mined: Mined) -> Iterator[str]:
    """The findings as JSON, piece by piece, as `candor mine --json` prints them.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> batch = np.array([[1, 1], [0, 0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> made = findings([batch], design, MiningRequest(min_support=0.1, min_confidence=0.5))
    >>> json.loads("".join(json_chunks(made)))["n"]
    1000
    """
    summary = mined.summary
    names = ("engine", "estimator", "cases", "seconds", "n", "direct")
    warnings = sentences(summary["warnings"], summary["n"])
    return document(mined.columns, **{name: summary[name] for name in names}, warnings=warnings)


def findings(
    batches: Iterable[Batch] | CountTables,
    design: Design,
    request: MiningRequest,
    progress: Progress = silent,
    sampling: Sampling | None = None,
    *,
    mlxtend_rules: bool = False,
    pairs: Pairs | None = None,
) -> Mined:
    """Mine the records, which may come one batch after the other; with a sampling, figures are of its population.

    `pairs` are those of the survey; without them the records' own are looked at, where they are few and no sampling is
    given. Records are kept packed for that.

    `seconds` in the summary are those of all this work, comparing included. With `mlxtend_rules` mlxtend
    makes the rules where it can in a second, as on a site; the summary then says who made them. Raises `MiningError`
    where the request is too much, or asks for an engine that cannot take the records.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> batch = np.array([[1], [0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> findings([batch], design, MiningRequest(min_support=0.1, min_confidence=0.5)).summary["itemsets"]
    1
    """
    start = time.perf_counter()
    answers, kept = answers_in_pairs(design), list[np.ndarray]()
    looking = pairs is None and sampling is None and 0 < count_pairs(answers) <= MOST_LOOKED_AT
    if looking and not isinstance(batches, CountTables):
        batches = _keep_packed(batches, design, kept)
    mined = mine(batches, design, request, progress, sampling, mlxtend_rules=mlxtend_rules)
    lattice = mined.lattice
    columns = add_shrunk_figures(mined, columns_of(mined), request.estimator)
    if kept and len(columns.itemset):
        records = unpack(design, np.concatenate(kept))
        shown = ~records.direct if lattice.left_out else np.ones(len(records), bool)
        pairs = look_at_pairs(Records(design, records.codes[shown], records.direct[shown]), answers, request.least)
    elif looking and isinstance(batches, CountTables) and len(columns.itemset):
        pairs = look_at_pairs(batches.without_direct() if lattice.left_out else batches, answers, request.least)
    columns = with_pairs(columns, pairs or Pairs(()), design)
    columns = columns.with_columns({}, {"listed": are_listed(columns.rules)})
    groups = compare_groups(lattice, request.least)
    disguised, direct = (int(size) for size in lattice.sizes)
    summary = {
        "n": direct + disguised,
        "direct": direct,
        "left_out": lattice.left_out,
        "estimator": request.estimator,
        "cases": request.cases,
        "engine": mined.engine,
        "why": mined.why,
        "candidates": lattice.candidates,
        "itemsets": len(columns.items),
        "rules": len(columns.itemset),
        "redundant": int(columns.rules["redundant"].sum()),
        "groups": groups.to_json(),
        "warnings": warnings(mined, columns, groups, request),
        "seconds": time.perf_counter() - start,
    }
    if mined.rules_by:
        summary["rules_by"] = mined.rules_by
    return Mined(mined, columns, summary)


def _keep_packed(batches: Iterable[Batch], design: Design, kept: list[np.ndarray]) -> Iterator[Batch]:
    """Yield the batches, and keep what they say in some bits a record."""
    for codes, direct in batches:
        if len(codes):
            kept.append(pack(Records(design, np.asarray(codes), direct)))
        yield codes, direct


def compare_groups(lattice: Lattice, least: int) -> GroupComparison:
    """Compare both groups in every answer of the design that at least `least` respondents of each group were asked.

    Nothing is compared where the figures are those of a population, because this question is about these respondents.
    """
    if lattice.drawn is not None:
        return GroupComparison(())
    literals = lattice.literals
    answers = zip(literals.column.tolist(), literals.option.tolist(), literals.positive.tolist(), strict=True)
    place_of = {(column, option): index for index, (column, option, positive) in enumerate(answers) if positive}
    patterns = comparable(literals.design)
    places = [place_of[column, min(options)] for ((column, options),) in (pattern.literals for pattern in patterns)]
    counts = states_from_supports(lattice.singles[places].astype(np.int64))
    return compare(literals.design, patterns, counts, least)
