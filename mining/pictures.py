"""Pictures of a result, drawn on the server, each with a table of the figures it shows."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from string import ascii_uppercase

import numpy as np
from django.utils.translation import gettext as _, ngettext

from mining.domain.report import strongest_to_draw
from mining.engines.columns import Columns
from mining.graph import best_confidences, item_graph
from mining.models import MiningRun
from privacy.draw.chart import Axis, Mark, Points, chart
from privacy.draw.labels import SIZE
from surveys.displays import Table
from surveys.domain.responses import counts, disclosure
from surveys.results.figures import Figure, caption, describe_disguise
from surveys.sentences import join_sentences

_MOST_ITEMSETS = 25
_MOST_SCATTERED = 50
_MOST_NAMED = 6
_NEAR = 0.8  # a confidence above it has the line at 100 % drawn, which else would only press the rules together
_MOST_GROUPS = 12
_MOST_COLUMNS = 6
_MOST_IN_GRAPH = 30
_NAME = 9 * SIZE  # the width of a name
WIDE, NARROW = 560, 340  # of pictures: with room for words beside them, and on a phone
_MOST_LIFT = 20.0  # beyond it noise speaks, which must not decide who goes with whom


def _figure(
    name: str, title: str, svg: str, caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]
) -> Figure:
    return Figure(name, title, caption, svg, Table(tuple(head), tuple(map(tuple, rows))))


def supports(columns: Columns, width: int = WIDE) -> Figure:
    places = np.argsort(-columns.itemsets["support"], kind="stable")[:_MOST_ITEMSETS]
    names = tuple(", ".join(columns.names(place)) for place in places.tolist())
    shown = {name: _percent(values[places]) for name, values in columns.itemsets.items()}
    # xgettext:no-python-format
    interval = _("95 % interval")
    head = [_("itemset"), _("support, %"), interval]
    series = [
        Points(
            # xgettext:no-python-format
            _("estimate and 95 % interval"),
            shown["support"],
            range(len(places)),
            left=shown["low"],
            right=shown["high"],
            labels=names,
        )
    ]
    rows = [
        [name, _one_digit(support), f"{_one_digit(low)} … {_one_digit(high)}"]
        for name, support, low, high in zip(names, *(shown[name] for name in ("support", "low", "high")), strict=True)
    ]
    if "truth" in shown:
        series.append(Points(_("truth (simulated)"), shown["truth"], range(len(places))))
        head, rows = (
            [*head, _("truth, %")],
            [[*row, _one_digit(truth)] for row, truth in zip(rows, shown["truth"], strict=True)],
        )
    title, axis = _("Supports of the largest itemsets"), _axis_of_names(names, width)
    svg = chart(
        title,
        series,
        Axis(_("share of respondents, %")),
        axis,
        width=width,
        height=84 + _height_of_row(axis) * len(places),
        fluid=False,
    )
    return _figure("itemsets", title, svg, "", head, rows)


def rules(strongest: Columns, width: int = WIDE) -> Figure:
    """The rules to be trusted most by support and confidence, coloured by lift, with their intervals; few by name."""
    shown = {name: values[:_MOST_SCATTERED] for name, values in strongest.rules.items()}
    sides = [[", ".join(side) for side in strongest.sides(index)] for index in range(len(shown["lift"]))]
    labels = [" ⇒ ".join(both) for both in sides]
    named = labels[:_MOST_NAMED]
    ends = ("", " low", " high")
    support, confidence = ([shown[f"{name}{end}"] for end in ends] for name in ("support", "confidence"))
    leftmost = 0.5 * support[0].min()  # an end below 0 has no place on a logarithmic axis
    title = _("Support and confidence of the rules to trust most")
    svg = chart(
        title,
        [
            Points(
                "",
                _percent(support[0]),
                _percent(confidence[0]),
                low=_percent(confidence[1]),
                high=_percent(confidence[2]),
                left=_percent(np.maximum(support[1], leftmost)),
                right=_percent(support[2]),
                labels=labels,
                values=shown["lift"].tolist(),
                values_label=_("lift"),
                notes=[str(index + 1) if index < len(named) else "" for index in range(len(labels))],
            )
        ],
        Axis(_("support, % (logarithmic)"), log=True),
        Axis(_("confidence, %")),
        marks=[Mark("100 %", y=100)] if confidence[0].max() > _NEAR else [],
        width=width,
        height=414,
        fluid=False,
    )
    figures = zip(*(_percent(values) for values in (*support, *confidence)), strict=True)
    # xgettext:no-python-format
    crosses = _("Crosses are 95 % intervals.")
    return _figure(
        "rules",
        title,
        svg,
        join_sentences(
            [
                crosses,
                _("Rules to trust most: %(rules)s. Point at any circle to see its name.")
                % {"rules": _names_behind_marks(count(1), named)},
            ]
        ),
        [_("rule"), _("support, %"), _("confidence, %"), _("lift")],
        [
            [label, _with_interval(*ends[:3]), _with_interval(*ends[3:]), f"{lift:.2f}"]
            for label, ends, lift in zip(labels, figures, shown["lift"].tolist(), strict=True)
        ],
    )


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{_one_digit(value)} ({_one_digit(low)} … {_one_digit(high)})"


def _names_behind_marks(marks: Iterable[object], names: Sequence[str]) -> str:
    """The names, each behind the mark by which a picture has it: a whole name has no room there."""
    return _("; ").join(f"{mark}: {name}" for mark, name in zip(marks, names, strict=False))


def matrix(strongest: Columns, width: int = WIDE) -> Figure:
    """Groups of antecedents against consequents, after the grouped matrix of Hahsler and Karpienko (2017).

    Columns are the consequents of most rules. Antecedents whose rules lift the same consequents alike are one row; a
    rule there is not lifts by 1.
    """
    drawn, figures = len(strongest.itemset), strongest.rules
    at = {index: tuple(map(", ".join, strongest.sides(index))) for index in range(drawn)}
    consequents = [name for name, _count in Counter(then for _if, then in at.values()).most_common(_MOST_COLUMNS)]
    at = {place: side for place, side in at.items() if side[1] in consequents}
    antecedents = list(dict.fromkeys(if_ for if_, _then in at.values()))
    lifts = np.ones((len(antecedents), len(consequents)))
    for place, (if_, then) in at.items():
        lifts[antecedents.index(if_), consequents.index(then)] = figures["lift"][place]
    group = dict(zip(antecedents, _groups(lifts), strict=True))
    cells: dict[tuple[int, int], list[int]] = {}
    for place, (if_, then) in at.items():
        cells.setdefault((group[if_], consequents.index(then)), []).append(place)
    members: list[list[str]] = [
        [name for name in antecedents if group[name] == row] for row in sorted(set(group.values()))
    ]
    names = tuple(_group_name(here) for here in members)
    lift, support = (
        [float(np.median(figures[name][places])) for places in cells.values()] for name in ("lift", "support")
    )
    title, axis = _("Rules: if the row, then the column"), _axis_of_names(names, width)
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
        Axis(names=tuple(ascii_uppercase[: len(consequents)])),
        axis,
        width=width,
        height=114 + max(30, _height_of_row(axis)) * len(names),
        fluid=False,
    )
    return _figure(
        "groups",
        title,
        svg,
        _(
            "Columns are %(columns)s. Of the %(rules)s rules to trust most; conditions with similar effects share a "
            "row. A larger circle is a higher support. Support and lift are medians of the rules of a circle."
        )
        % {"rules": drawn, "columns": _names_behind_marks(ascii_uppercase, consequents)},
        [_("conditions"), _("conclusion"), _("rules"), _("lift"), _("support, %")],
        [
            ["; ".join(members[row]), consequents[column], str(len(places)), f"{one:.2f}", f"{100 * share:.1f}"]
            for ((row, column), places), one, share in zip(cells.items(), lift, support, strict=True)
        ],
    )


def _groups(lifts: np.ndarray) -> list[int]:
    """The group of each row of `lifts`, alike rows together; groups have numbers from 0, by their first members."""
    if len(lifts) <= _MOST_GROUPS:
        return list(range(len(lifts)))
    from scipy.cluster.hierarchy import fcluster, linkage  # slow to import, and most pages do without

    near = np.clip(np.nan_to_num(lifts, nan=1.0), 0.0, _MOST_LIFT)
    raw = fcluster(linkage(near, "average"), _MOST_GROUPS, "maxclust").tolist()
    order = list(dict.fromkeys(raw))
    return [order.index(one) for one in raw]


def _group_name(members: list[str]) -> str:
    others = len(members) - 1
    more = ngettext("%(first)s and %(count)s more", "%(first)s and %(count)s more", others)
    return more % {"first": members[0], "count": others} if others else members[0]


def graph(strongest: Columns, width: int = WIDE) -> Figure:
    drawn = min(len(strongest.itemset), _MOST_IN_GRAPH)
    arrows, title = best_confidences(strongest, drawn), _("Items of the rules to trust most")
    svg = item_graph(title, arrows, width)
    return _figure(
        "items",
        title,
        svg,
        _(
            "An arrow leads from a condition to a conclusion, by the best confidence of the %(count)s rules to trust "
            "most."
        )
        % {"count": drawn},
        [_("condition"), _("conclusion"), _("confidence, %")],
        [[start, end, f"{100 * confidence:.1f}"] for (start, end), confidence in arrows.items()],
    )


def _axis_of_names(names: tuple[str, ...], width: int) -> Axis:
    return Axis(names=names, widest=min(2 * _NAME, 0.42 * width), lines=3)


def _height_of_row(axis: Axis) -> int:
    return 8 + 16 * max(name.count("\n") + 1 for name in axis.name_lines)


def _percent(values: np.ndarray) -> list[float]:
    return [float(value) for value in 100 * values]


def _one_digit(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


def as_files(run: MiningRun, columns: Columns, n: int) -> list[Figure]:
    """The pictures as files: the caption says how the figures came about, and from how many people."""
    version = run.snapshot.version
    people = counts.to_report(n, disclosure.is_settled(run.snapshot))
    disguise = describe_disguise(version, [item.id for item in version.design.items])
    made = caption(disguise, people, lines=False)
    figures = [tab.draw(WIDE) for tab in tabs(columns)]
    return [replace(each, caption=join_sentences([each.caption, made]), disguise=disguise) for each in figures]


@dataclass(frozen=True)
class PictureTab:
    """A picture; `draw` makes it of a width."""

    name: str
    label: str
    draw: Callable[[int], Figure]


def tabs(columns: Columns) -> list[PictureTab]:
    """The pictures of a report that have something to draw."""
    made = []
    strongest = strongest_to_draw(columns)
    if len(strongest.itemset) > 1:  # one rule alone is read faster than drawn
        made = [
            PictureTab("rules", _("Common and strong"), partial(rules, strongest)),
            PictureTab("groups", _("By condition"), partial(matrix, strongest)),
            PictureTab("items", _("Network"), partial(graph, strongest)),
        ]
    if len(columns.items):
        made.append(PictureTab("itemsets", _("Answers together"), partial(supports, columns)))
    return made
