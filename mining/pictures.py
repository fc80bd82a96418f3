"""Pictures of a result, drawn on the server, each with its figures in a table: one of its own, or that it stands at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from scipy.cluster.hierarchy import fcluster, linkage

from mining import expected
from mining.domain.report import strongest
from mining.engines.found import Found
from mining.engines.literals import literals
from mining.graph import best_confidences, item_graph
from mining.models import MiningRun
from privacy.chart import Axis, Line, Mark, Points, chart

_MOST_ITEMSETS = 25
_MOST_RULES = 200
_MOST_GROUPS = 12
_MOST_COLUMNS = 6
_MOST_IN_GRAPH = 30
_LONGEST_NAME = 20
_MOST_LIFT = 20.0  # beyond it noise speaks, which must not decide who goes with whom


@dataclass(frozen=True)
class Picture:
    """An image, words below it, and its figures: the first cell of a row is what the row is about."""

    title: str
    svg: str
    caption: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def supports(found: Found) -> Picture:
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
    title = _("Supports of the largest itemsets")
    svg = chart(
        title,
        series,
        Axis(_("share of respondents, %")),
        Axis(names=names),
        width=640,
        height=110 + 24 * len(places),
    )
    return Picture(title, svg)


def rules(found: Found) -> Picture:
    """Rules by support and confidence, coloured by lift, with standard errors."""
    places = strongest(found, _MOST_RULES)
    columns = {name: values[places] for name, values in found.rules.items()}
    labels = []
    for place in places.tolist():
        antecedent, consequent = found.sides(place)
        labels.append(f"{', '.join(antecedent)} ⇒ {', '.join(consequent)}")
    title = _("Rules by support and confidence, with standard errors")
    svg = chart(
        title,
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
    return Picture(title, svg)


def matrix(found: Found) -> Picture:
    """Groups of antecedents against consequents, after the grouped matrix of Hahsler and Karpienko (2017).

    Columns are the consequents of most rules. Antecedents whose rules lift the same consequents alike are one row; a
    rule there is not lifts by 1.
    """
    sides = {place: found.sides(place) for place in strongest(found, _MOST_RULES).tolist()}
    at = {place: (", ".join(if_), ", ".join(then)) for place, (if_, then) in sides.items()}
    consequents = [name for name, _count in Counter(then for _if, then in at.values()).most_common(_MOST_COLUMNS)]
    at = {place: side for place, side in at.items() if side[1] in consequents}
    antecedents = list(dict.fromkeys(if_ for if_, _then in at.values()))
    lifts = np.ones((len(antecedents), len(consequents)))
    for place, (if_, then) in at.items():
        lifts[antecedents.index(if_), consequents.index(then)] = found.rules["lift"][place]
    group = dict(zip(antecedents, _groups(lifts), strict=True))
    cells: dict[tuple[int, int], list[int]] = {}
    for place, (if_, then) in at.items():
        cells.setdefault((group[if_], consequents.index(then)), []).append(place)
    members: list[list[str]] = [
        [name for name in antecedents if group[name] == row] for row in sorted(set(group.values()))
    ]
    names = tuple(_group_name(here) for here in members)
    lift, support = (
        [float(np.median(found.rules[name][places])) for places in cells.values()] for name in ("lift", "support")
    )
    title = _("Rules: if the row, then the column")
    svg = chart(
        title,
        [
            Points(
                "",
                [column for _row, column in cells],
                [row for row, _column in cells],
                labels=[f"{names[row]} ⇒ {consequents[column]}" for row, column in cells],
                values=lift,
                values_label=_("lift"),
                sizes=support,
            )
        ],
        Axis(names=tuple(_short(name) for name in consequents)),
        Axis(names=tuple(_short(name, 2 * _LONGEST_NAME) for name in names)),
        width=max(640, 120 * len(consequents) + 300),
        height=140 + 30 * len(names),
    )
    return Picture(
        title,
        svg.replace('class="chart"', 'class="chart wide"', 1) if len(consequents) > 2 else svg,
        _(
            "Conditions that raise the same conclusions alike stand in one row, at most %(rows)s rows of the %(rules)s "
            "strongest rules. The larger a circle, the higher the support; both figures are medians of its rules."
        )
        % {"rows": _MOST_GROUPS, "rules": _MOST_RULES},
        [_("conditions"), _("conclusion"), _("rules"), _("lift"), _("support, %")],
        [
            ["; ".join(members[row]), consequents[column], str(len(places)), f"{one:.2f}", f"{100 * share:.1f}"]
            for ((row, column), places), one, share in zip(cells.items(), lift, support, strict=True)
        ],
    )


def _groups(lifts: np.ndarray) -> list[int]:
    """The group of each row, numbered from 0 in the order in which their first members come."""
    if len(lifts) <= _MOST_GROUPS:
        return list(range(len(lifts)))
    near = np.clip(np.nan_to_num(lifts, nan=1.0), 0.0, _MOST_LIFT)
    raw = fcluster(linkage(near, "average"), _MOST_GROUPS, "maxclust").tolist()
    order = list(dict.fromkeys(raw))
    return [order.index(one) for one in raw]


def _group_name(members: list[str]) -> str:
    others = len(members) - 1
    more = ngettext("%(first)s and %(count)s more", "%(first)s and %(count)s more", others)
    return more % {"first": members[0], "count": others} if others else members[0]


def _short(name: str, longest: int = _LONGEST_NAME) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def graph(found: Found) -> Picture:
    """The items of the strongest rules, joined from condition to conclusion."""
    arrows = best_confidences(found, strongest(found, _MOST_IN_GRAPH).tolist())
    return Picture(
        _("Items of the strongest rules"),
        item_graph(arrows),
        _("An arrow leads from a condition to a conclusion; the wider, the higher the best confidence along it."),
        [_("condition"), _("conclusion"), _("best confidence, %")],
        [[start, end, f"{100 * confidence:.1f}"] for (start, end), confidence in arrows.items()],
    )


def errors(run: MiningRun, found: Found, summary: dict[str, Any]) -> list[Picture]:
    """The standard error of supports against p, where there are coins, or else n, and against k.

    For the largest itemset of each length, with this survey's design and this run's estimator.
    """
    of = literals(run.snapshot.version.design, run.negated)
    estimator, n, share = summary["estimator"], summary["n"], summary["direct"] / summary["n"]
    lengths = found.itemsets["length"]
    places = [np.flatnonzero(lengths == length) for length in np.unique(lengths)]
    largest = [expected.seen(found, of, int(here[np.argmax(found.itemsets["support"][here])])) for here in places]
    words = {"estimator": run.get_estimator_display()}
    caption = _("For the largest itemset of each length, by the estimator of this run: %(estimator)s.") % words
    keeps = expected.coins(of.design)
    grid = np.linspace(0, 1, 41)
    if keeps:
        p = np.linspace(0.05, 1, 39)
        first = _against(
            _("Standard error against p, with this survey's n and k"),
            Axis(_("p, the chance that the truth stays")),
            p,
            {one.name: one.errors(estimator, share, p=p) for one in largest},
            keeps,
            caption,
        )
    else:
        times = np.geomspace(0.25, 16, 37)
        first = _against(
            _("Standard error against n, with this survey's design and k"),
            Axis(_("n, the number of respondents"), log=True),
            n * times,
            {one.name: one.errors(estimator, np.full(len(times), share), times=times) for one in largest},
            [n],
            caption,
        )
    second = _against(
        _("Standard error against k, with this survey's n and design"),
        Axis(_("k, the share of direct answers")),
        grid,
        {one.name: one.errors(estimator, grid) for one in largest},
        [share],
        caption,
    )
    return [first, second]


def _against(
    title: str, axis: Axis, x: np.ndarray, lines: dict[str, np.ndarray], here: Sequence[float], caption: str
) -> Picture:
    svg = chart(
        title,
        [Line(name, x.tolist(), _percent(error)) for name, error in lines.items()],
        axis,
        Axis(_("standard error, percentage points"), log=True),
        marks=[Mark(_("this survey"), x=value) for value in here],
        width=640,
        height=380,
    )
    rows = [[f"{x[at]:.4g}", *(f"{100 * error[at]:.2f}" for error in lines.values())] for at in range(0, len(x), 4)]
    return Picture(title, svg, caption, [axis.label, *lines], rows)


def _percent(values: np.ndarray) -> list[float]:
    return [float(value) for value in 100 * values]


def of(run: MiningRun, found: Found, summary: dict[str, Any]) -> dict[str, list[Picture]]:
    """The pictures of a report, by the table they stand at, as far as there is something to draw."""
    drawn: dict[str, list[Picture]] = {"rules": [], "itemsets": [], "errors": []}
    if len(found.itemset):
        drawn["rules"] = [rules(found), matrix(found), graph(found)]
    if len(found.items):
        drawn["itemsets"] = [supports(found)]
        drawn["errors"] = errors(run, found, summary)
    return drawn
