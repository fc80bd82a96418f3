"""Pictures of a result, drawn on the server; the tables beside them hold the same figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from mining.domain.report import strongest
from mining.engines.found import NONE, Found
from mining.engines.literals import literals
from mining.graph import item_graph
from mining.models import MiningRun
from privacy.chart import Axis, Line, Mark, Points, chart
from privacy.design import ONE, CoinBlock, Design

_MOST_ITEMSETS = 25
_MOST_RULES = 200
_MOST_IN_MATRIX = 40
_MOST_COLUMNS = 8
_MOST_IN_GRAPH = 30


def supports(found: Found) -> str:
    """The largest itemsets with their intervals."""
    places = np.argsort(-found.itemsets["support"], kind="stable")[:_MOST_ITEMSETS]
    names = tuple(", ".join(found.names(place)) for place in places.tolist())
    series = [
        Points(
            # xgettext:no-python-format
            _("estimate and 95 % interval"),
            _percent(found.itemsets["support"][places]),
            range(len(places)),
            left=_percent(found.itemsets["low"][places]),
            right=_percent(found.itemsets["high"][places]),
            labels=names,
        )
    ]
    if "truth" in found.itemsets:
        series.append(Points(_("truth (simulated)"), _percent(found.itemsets["truth"][places]), range(len(places))))
    return chart(
        _("Supports of the largest itemsets"),
        series,
        Axis(_("share of respondents, %")),
        Axis(names=names),
        width=640,
        height=110 + 24 * len(places),
    )


def rules(found: Found) -> str:
    """Rules by support and confidence, coloured by lift, with standard errors."""
    places = strongest(found, _MOST_RULES)
    columns = {name: values[places] for name, values in found.rules.items()}
    labels = []
    for place in places.tolist():
        antecedent, consequent = found.sides(place)
        labels.append(f"{', '.join(antecedent)} ⇒ {', '.join(consequent)}")
    return chart(
        _("Rules by support and confidence, with standard errors"),
        [
            Points(
                "",
                _percent(columns["support"]),
                _percent(columns["confidence"]),
                low=_percent(columns["confidence"] - columns["confidence se"]),
                high=_percent(columns["confidence"] + columns["confidence se"]),
                left=_percent(columns["support"] - columns["support se"]),
                right=_percent(columns["support"] + columns["support se"]),
                labels=labels,
                values=columns["lift"].tolist(),
                values_label=_("lift"),
            )
        ],
        Axis(_("support, %")),
        Axis(_("confidence, %")),
        width=640,
        height=460,
    )


def matrix(found: Found) -> str:
    """Antecedents against consequents: the grouped matrix, coloured by lift."""
    sides: dict[int, tuple[str, str]] = {}
    columns: list[str] = []
    for place in strongest(found, _MOST_IN_MATRIX).tolist():
        antecedent, consequent = (", ".join(side) for side in found.sides(place))
        if consequent not in columns and len(columns) < _MOST_COLUMNS:
            columns.append(consequent)
        if consequent in columns:
            sides[place] = antecedent, consequent
    rows = list(dict.fromkeys(antecedent for antecedent, _ in sides.values()))
    drawn = chart(
        _("Rules: if the row, then the column"),
        [
            Points(
                "",
                [columns.index(consequent) for _, consequent in sides.values()],
                [rows.index(antecedent) for antecedent, _ in sides.values()],
                labels=[f"{antecedent} ⇒ {consequent}" for antecedent, consequent in sides.values()],
                values=found.rules["lift"][list(sides)].tolist(),
                values_label=_("lift"),
            )
        ],
        Axis(names=tuple(columns)),
        Axis(names=tuple(rows)),
        width=max(640, 135 * len(columns) + 200),
        height=140 + 24 * len(rows),
    )
    return drawn.replace('class="chart"', 'class="chart wide"', 1) if len(columns) > 3 else drawn


def errors(found: Found, block: CoinBlock, summary: dict[str, Any]) -> list[str]:
    """The standard error of supports at this n against p and against k, with this survey's noise.

    What figure 1 of the improved grouped unrelated-question paper shows, for the largest itemset of each length here.
    """
    n, share, keep = summary["n"], summary["direct"] / summary["n"], block.keep / ONE
    grid = np.linspace(0.05, 1, 39)
    shares = np.linspace(0, 1, 41)
    by_p, by_k = [], []
    noise = dict(zip(*_chances(block), strict=True))
    lengths = (found.items != NONE).sum(axis=1)
    for length in range(1, found.items.shape[1] + 1):
        here = np.flatnonzero(lengths == length)
        if not len(here):  # all of its itemsets are just below the threshold
            continue
        place = int(here[np.argmax(found.itemsets["support"][here])])
        names = found.names(place)
        support = float(np.clip(found.itemsets["support"][place], 0, 1))
        chance = float(np.prod([noise[name] for name in names]))
        name = ", ".join(names)
        by_p.append(Line(name, grid.tolist(), _percent(_error(n, grid, share, support, chance))))
        by_k.append(Line(name, shares.tolist(), _percent(_error(n, keep, shares, support, chance))))
    of_error = Axis(_("standard error, percentage points"), log=True)
    return [
        chart(
            _("Standard error against p, with this survey's n and k"),
            by_p,
            Axis(_("p, the chance that the truth stays")),
            of_error,
            marks=[Mark(_("this survey"), x=keep)],
            width=640,
            height=380,
        ),
        chart(
            _("Standard error against k, with this survey's n and p"),
            by_k,
            Axis(_("k, the share of direct answers")),
            of_error,
            marks=[Mark(_("this survey"), x=share)],
            width=640,
            height=380,
        ),
    ]


def _error(n: int, p: np.ndarray | float, k: np.ndarray | float, support: float, chance: float) -> np.ndarray:
    """Of the stratified estimate where both groups answer alike."""
    seen = p * support + (1 - p) * chance
    return np.sqrt((k * support * (1 - support) + (1 - k) * seen * (1 - seen) / np.square(p)) / n)


def _chances(block: CoinBlock) -> tuple[list[str], list[float]]:
    of = literals(Design((block,), True), negated=True)
    return list(of.labels), of.chance.tolist()


def _percent(values: np.ndarray) -> list[float]:
    return [float(value) for value in 100 * values]


def of(run: MiningRun, found: Found, summary: dict[str, Any]) -> list[str]:
    """The pictures of a report, as far as there is something to draw."""
    if not len(found.items):
        return []
    drawn = [supports(found)]
    if len(found.itemset):
        drawn += [rules(found), matrix(found), item_graph(found, strongest(found, _MOST_IN_GRAPH).tolist())]
    blocks = run.snapshot.version.design.blocks
    if len(blocks) == 1 and isinstance(blocks[0], CoinBlock) and not run.snapshot.version.design.sampled:
        drawn += errors(found, blocks[0], summary)
    return drawn
