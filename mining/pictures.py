"""Pictures of a result, drawn on the server; the tables beside them hold the same figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from mining.domain.report import strongest
from mining.engines.found import NONE, Found
from mining.engines.literals import literals
from mining.models import MiningRun
from privacy.chart import Axis, Line, Mark, Points, chart
from privacy.design import ONE, CoinBlock, Design

_MOST_ITEMSETS = 25
_MOST_RULES = 200


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


def errors(found: Found, block: CoinBlock, summary: dict[str, Any]) -> str:
    """The standard error of a support at this n against p, for several k and this survey's noise.

    What figure 1 of the improved grouped unrelated-question paper shows, for the largest itemset of each length here.
    """
    n, k = summary["n"], summary["direct"] / summary["n"]
    noise = dict(zip(*_chances(block), strict=True))
    grid = np.linspace(0.05, 1, 39)
    series = []
    for length in range(1, found.items.shape[1] + 1):
        place = int(np.argmax((found.items != NONE).sum(axis=1) == length))
        names = found.names(place)
        chance = float(np.prod([noise[name] for name in names]))
        support = float(np.clip(found.itemsets["support"][place], 0, 1))
        seen = grid * support + (1 - grid) * chance
        variance = k * support * (1 - support) + (1 - k) * seen * (1 - seen) / grid**2
        series.append(Line(", ".join(names), grid.tolist(), _percent(np.sqrt(variance / n))))
    return chart(
        _("Standard error against p, with this survey's n, k and noise"),
        series,
        Axis(_("p, the chance that the truth stays")),
        Axis(_("standard error, percentage points"), log=True),
        marks=[Mark(_("this survey"), x=block.keep / ONE)],
        width=640,
        height=380,
    )


def _chances(block: CoinBlock) -> tuple[list[str], list[float]]:
    of = literals(Design((block,), True), negated=True)
    return list(of.labels), of.chance.tolist()


def _percent(values: np.ndarray) -> list[float]:
    return [float(value) for value in 100 * values]


def of(run: MiningRun, found: Found, summary: dict[str, Any]) -> list[str]:
    """The pictures of a report, as far as there is something to draw."""
    drawn = []
    if len(found.items):
        drawn.append(supports(found))
    if len(found.itemset):
        drawn.append(rules(found))
    block = run.snapshot.version.design.blocks[0]
    if len(found.items) and len(run.snapshot.version.design.blocks) == 1 and isinstance(block, CoinBlock):
        drawn.append(errors(found, block, summary))
    return drawn
