"""Itemsets and rules that hold among true answers, mined from disguised records."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from candor import arguments
from candor.results import WIDTH, Result, TextColumns
from mining.engines.exports import itemset_names, printed, rule_names, whole_counts
from mining.engines.findings import Findings, findings
from mining.engines.reasons import CHOICES
from mining.engines.request import ENGINES, MiningRequest
from mining.engines.trust import by_trust, reported
from mining.engines.warnings import sentences
from privacy.choices import ESTIMATORS, EVERY_CASES
from privacy.design.reading import entries, shown
from privacy.errors import InputError
from privacy.output import counted
from privacy.reconstruct import metrics
from privacy.reconstruct.sampling import Sampling

if TYPE_CHECKING:
    import pandas as pd

    from privacy.records import Records

LUCK = (
    "* The strongest rules of any survey owe part of their strength to luck; these figures are pulled towards what "
    "itemsets of the same length show, as far as their own error warrants, and the intervals allow for that."
)
READ_FIRST = [
    *("antecedent", "consequent", "support", "support se"),
    *("confidence", "confidence low", "confidence high", "lift", "p", "q"),
]
_DRAWN, _NAMED = 60, 6  # rules in a picture, and how many of them by name


@dataclass(frozen=True, repr=False, eq=False)
class Mined(Result):
    """Itemsets and rules with their error; `candor.mine` makes it."""

    findings: Findings

    @cached_property
    def rules(self) -> "pd.DataFrame":
        """A row per rule: both sides, mlxtend's metrics by their names, standard errors, intervals, p, q and flags.

        Of support, confidence, lift and leverage the columns are as ``confidence se``, ``confidence low`` and
        ``confidence high``. Those of support, confidence and lift that stay true after selection begin with
        ``shrunken``; they are not a number where they cannot be had. Of the rules with a `q` up to .05 about one in
        twenty at the most comes from independent answers. ``redundant`` rules say nothing that a shorter one does not
        say.
        """
        import pandas as pd

        columns = self.findings.columns
        sides = [",".join(side) for place in range(len(columns.itemset)) for side in columns.sides(place)]
        names = {"antecedent": _names(sides[0::2]), "consequent": _names(sides[1::2])}
        return pd.DataFrame(names | {name: columns.rules[name] for name in rule_names(columns)})

    @cached_property
    def itemsets(self) -> "pd.DataFrame":
        """A row per itemset, shorter ones first: its pattern, support, standard error, interval and more."""
        import pandas as pd

        columns = self.findings.columns
        names = {"itemset": _names([",".join(columns.names(place)) for place in range(len(columns.items))])}
        figures = whole_counts(columns.itemsets)
        return pd.DataFrame(names | {name: figures[name] for name in itemset_names(columns)})

    @property
    def warnings(self) -> list[str]:
        """What to beware of, in sentences."""
        summary = self.findings.summary
        return sentences(summary["warnings"], summary["n"])

    def contents(self) -> Iterator[str | TextColumns]:
        columns, summary = self.findings.columns, self.findings.summary
        omitted = summary["left_out"]
        direct = f"{summary['direct'] or omitted} of them direct{' and left out' if omitted else ''}"
        drawn = self.findings.mined.lattice.drawn
        sample = "" if drawn is None or drawn.weight.is_simple else ", for the population that they were drawn from"
        yield f"{counted(summary['n'] + omitted, 'record')}, {direct}; {summary['estimator']} estimator{sample}"
        names = [key for metric in metrics.printed_of_itemsets() for key in (metric.key, *metric.error_keys[:1])]
        names += [] if np.isnan(columns.itemsets["feasible"]).all() else ["feasible"]
        figures_of_itemsets = whole_counts(columns.itemsets)
        itemsets = [
            [",".join(columns.names(place)), *(figures_of_itemsets[name][place].item() for name in names)]
            for place in range(len(columns.items))
        ]
        if itemsets:
            yield TextColumns(["itemset", *names], itemsets)
            yield ""
        else:
            yield "No itemset reaches this support."
        places = by_trust(columns.rules, ~columns.rules["redundant"]).tolist()
        star = "*" if reported(columns.rules)["shrunken"][places].any() else ""
        figures = _printed(columns.rules, star)
        rules = [[self._name(place), *(float(values[place]) for values in figures.values())] for place in places]
        yield TextColumns(["rule", *figures], rules) if rules else "No rule reaches these thresholds."
        if star:
            yield fill(LUCK, WIDTH)
        hidden = len(columns.itemset) - len(rules)
        engine = f"engine {summary['engine']}: {CHOICES[summary['why']]}"
        yield fill(f"({hidden} redundant rules not shown; {engine})" if hidden else f"({engine})", WIDTH)
        yield from (fill(sentence, WIDTH) for sentence in self.warnings)

    def picture(self) -> str:
        """The rules to trust most by support and confidence, coloured by lift; without rules the largest itemsets."""
        from privacy.draw.chart import Axis, Points, chart

        rules = self.findings.columns.rules
        best = by_trust(rules, ~rules["redundant"])[:_DRAWN]
        if not len(best):
            return self._largest_itemsets()
        shown = {name: values[best].tolist() for name, values in reported(rules).items()}
        names = [self._name(place) for place in best.tolist()]
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
            notes=[name if place < _NAMED else "" for place, name in enumerate(names)],
        )
        axes = Axis("support", percent=True), Axis("confidence", percent=True)
        return chart("Rules by support and confidence, with 95 % intervals", [points], *axes)

    def _largest_itemsets(self) -> str:
        from candor import pictures

        columns = self.findings.columns
        places = np.argsort(-columns.itemsets["support"], kind="stable")[: pictures.MOST_ROWS]
        support, low, high, feasible = (
            columns.itemsets[name][places].tolist() for name in ("support", "low", "high", "feasible")
        )
        names = [",".join(columns.names(place)) for place in places.tolist()]
        intervals = list(zip(low, high, strict=True))
        return pictures.supports("Itemsets by support, with 95 % intervals", names, support, intervals, feasible)

    def to_frame(self, *, all: bool = False) -> "pd.DataFrame":
        """Return a row per rule.

        Parameters
        ----------
        all : bool
            Whether with every column of `rules`, or with the ten that people read first: both sides, support with its
            standard error, confidence with its interval, lift, p and q.

        Returns
        -------
        DataFrame

        Examples
        --------
        >>> import candor, pandas as pd
        >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
        >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
        >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
        >>> mined = candor.mine(records, min_support=0.05, engine="bitset")
        >>> mined.to_frame().shape, mined.to_frame(all=True).shape
        ((2, 10), (2, 44))
        """
        return self.rules if arguments.flag(all, "all") else self.rules[READ_FIRST]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor mine`."""
        document: dict[str, Any] = json.loads("".join(printed(self.findings)))
        return document

    def _name(self, rule: int) -> str:
        antecedent, consequent = self.findings.columns.sides(rule)
        return f"{','.join(antecedent)} => {','.join(consequent)}"


def _printed(rules: Mapping[str, np.ndarray], star: str) -> dict[str, np.ndarray]:
    """The figures of rules that are printed, by their headings; the star marks others than `Mined.rules` has.

    The first one stands with its interval, and after all that stay true after selection with its raw figure and error.
    """
    shown = reported(rules)
    first, *others = metrics.printed()
    feasible = rules[f"feasible {first.key}"]
    fitted = {} if np.isnan(feasible).all() else {"feasible": feasible}
    return {
        f"{first.key}{star}": shown[first.key],
        f"low{star}": shown[f"{first.key} low"],
        f"high{star}": shown[f"{first.key} high"],
        **{f"{metric.key}{star}": shown[metric.key] for metric in others if metric in metrics.SHRINKING},
        f"raw {first.key}": rules[first.key],
        "raw se": rules[f"{first.key} se"],
        **fitted,
        **{metric.key: rules[metric.key] for metric in others if metric not in metrics.SHRINKING},
    }


def _names(names: list[str]) -> np.ndarray:
    """A column of texts, also where there are none: pandas would take an empty one for numbers."""
    return np.array(names, object)


def mine(
    records: "Records",
    min_support: float,
    min_confidence: float = 0.5,
    *,
    max_length: int = 3,
    negated: bool = False,
    estimator: str = "stratified",
    engine: str = "auto",
    cases: str = "available",
    least: int = 100,
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
    bins: str | Mapping[str, str | Sequence[float]] = "",
) -> Mined:
    """Find the itemsets and rules above thresholds, by reconstructed support.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    min_support : float
        The smallest support, above 0.
    min_confidence : float
        The smallest confidence.
    max_length : int
        The longest itemset, 1 to 6.
    negated : bool
        Whether to mine what people do not do, too: ``!drugs``.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    engine : {'auto', 'bitset', 'mlxtend'}
        Both find the same. mlxtend comes with ``pip install 'candor[mining]'``.
    cases : {'available', 'complete', 'least-squares'}
        As in `candor.reconstruct`. By least squares there are no shrunken figures, and no weights, clusters and strata.
    least : int
        Nothing is reported about an itemset that fewer respondents were asked all of, and a direct group of which
        fewer were is left out.
    weights, cluster, strata : str, optional
        Open columns that say how respondents were drawn. Figures are then those of the population, with the errors of
        such a sample; no feasible values are fitted, and the groups are not compared. The engine is bitset.
    bins : str or mapping, optional
        Numbers and places that stand in itemsets as bins, such as ``{"age": [18, 30, 50], "home": "zones"}`` or
        ``"age=18,30,50;home=zones"``: a number by the edges between its bins, a place by its zones. Inside a bin people
        are taken to be spread as the number is among all; not to be had by the pooled estimator.

    Returns
    -------
    Mined
        Its `rules` and `itemsets` are DataFrames. In `rules` the standard errors are the columns ``support se``,
        ``confidence se``, ``lift se`` and ``leverage se``; the ends of the 95 % intervals are ``support low`` and
        ``support high``, ``confidence low`` and ``confidence high``, ``lift low`` and ``lift high``, ``leverage low``
        and ``leverage high``; ``q`` is the false discovery rate. In `itemsets` they are ``se``, ``low`` and ``high``.
        ``shrunken support``, ``shrunken confidence`` and ``shrunken lift``, each with ``se``, ``low`` and ``high``,
        stay true after selection.

    Raises
    ------
    InputError
        Where a threshold makes no sense or there are no records.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> rules = candor.mine(records, min_support=0.05, engine="bitset").rules
    >>> rules[["antecedent", "consequent", "confidence", "confidence se", "q"]].round(3)
      antecedent consequent  confidence  confidence se    q
    0      drugs   cheating       1.048          0.045  0.0
    1   cheating      drugs       0.521          0.022  0.0
    """
    records = arguments.records(records)
    request = MiningRequest(
        arguments.number(min_support, "min_support"),
        arguments.number(min_confidence, "min_confidence"),
        arguments.whole(max_length, "max_length"),
        arguments.flag(negated, "negated"),
        arguments.choice(estimator, "estimator", ESTIMATORS),
        arguments.choice(engine, "engine", ENGINES),
        arguments.choice(cases, "cases", EVERY_CASES),
        arguments.whole(least, "least"),
        bins=_written(bins),
    )
    sampling = None
    if not (weights is None and cluster is None and strata is None):
        sampling = Sampling.of(records.open_columns, len(records), weights, cluster, strata)
    return Mined(findings([(records.codes, records.direct)], records.design, request, sampling=sampling))


def _written(bins: str | Mapping[str, str | Sequence[float]]) -> str:
    """Bins as the command takes them."""
    if isinstance(bins, str):
        return bins
    if not isinstance(bins, Mapping):
        raise InputError(f"bins: {shown(bins)} is neither a text nor a mapping, such as {{'age': [18, 30, 50]}}.")
    return ";".join(f"{name}={_edges(own, f'bins[{name!r}]')}" for name, own in bins.items())


def _edges(own: str | Sequence[float], name: str) -> str:
    if isinstance(own, str):
        return own
    edges = entries(own)
    if edges is None:
        raise InputError(f"{name}: {shown(own)} is neither text nor a list of numbers.")
    return ",".join(f"{arguments.number(edge, name):.15g}" for edge in edges)
