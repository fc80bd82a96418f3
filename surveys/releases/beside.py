"""Releases of a version side by side: what each loses, how surely people are found, and which one no other beats."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from django.utils.translation import gettext as _

from privacy.draw.axis import Axis
from privacy.draw.chart import Line, Points, chart
from privacy.release.measures.bounds import Point, bounds_in_symbols, front
from privacy.release.methods.lattice import Node
from privacy.release.models import in_symbols
from surveys.models import TableRelease
from surveys.percent import percent_alone
from surveys.sentences import join_sentences

FEWEST, MOST = 2, 40  # tables in a picture


@dataclass(frozen=True)
class ReleaseBeside:
    """A release in the list: its figures as people read them, and whether no other of its kind beats it in both."""

    release: TableRelease
    asked: str
    alike: str = ""
    lost: str = ""
    found: str = ""
    moved: str = ""
    best: bool = False


@dataclass
class ReleasesBeside:
    """All releases of a version, the newest first, and a picture for each set of what others may know."""

    rows: list[ReleaseBeside] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)


def side_by_side(releases: Iterable[TableRelease]) -> ReleasesBeside:
    """Compare tables that suppose that others know the same; what is lost of other answers is no common measure."""
    made = list(releases)
    points = {one.pk: _point(one.pk, one.report) for one in made if one.report}
    known: dict[tuple[str, ...], list[Point]] = {}
    for one in made:
        if one.pk in points:
            known.setdefault(tuple(sorted(one.report.get("known", ()))), []).append(points[one.pk])
    best = {node for group in known.values() if len(group) >= FEWEST for node in _unbeaten(group)}
    beside = ReleasesBeside()
    for one in made:
        if (point := points.get(one.pk)) is None:
            beside.rows.append(ReleaseBeside(one, _asked(one)))
            continue
        shown = percent_alone(point.loss), percent_alone(point.leakage), _largest_move(one.report)
        alike = str(one.report["metrics"]["k"])
        beside.rows.append(ReleaseBeside(one, _asked(one), alike, *shown, best=point.node in best))
    beside.pictures = [_picture(group[:MOST]) for group in known.values() if len(group) >= FEWEST]
    return beside


def _asked(release: TableRelease) -> str:
    """What each group and the table had to fulfil, and by which method; nothing of what an older site was asked."""
    spec = release.spec
    asked = [*in_symbols(spec.get("model", {})), *bounds_in_symbols(spec.get("bounds", {}))]
    return _("; ").join([*asked, spec["method"]]) if spec else ""


def _unbeaten(points: list[Point]) -> set[Node]:
    """The tables of a front, and all that lose and tell as much as one of them."""
    best = {(round(one.loss, 9), one.leakage) for one in front(points)}
    return {one.node for one in points if (round(one.loss, 9), one.leakage) in best}


def _largest_move(report: dict[str, Any]) -> str:
    """The largest share of people whom a reader takes for others, in one question or in the table that was compared."""
    found = [one["after"] for one in report.get("kept", ()) if one["about"] in ("shares", "table")]
    return percent_alone(max(found, default=0.0)) if "kept" in report else ""


def _point(pk: int, report: dict[str, Any]) -> Point:
    """The share of what others may know that is lost, on average, and the share of people that they find."""
    lost = report.get("lost", {}).values()
    return Point((pk,), fmean(lost) if lost else 0.0, report["metrics"]["risk"]["marketer"])


def _picture(points: list[Point]) -> str:
    """Each table by its number, its figures in per cent as in the list beside it, and a line through the front."""
    across, up = _("lost of what others may know, in per cent"), _("people that are found, in per cent")
    best = front(points)
    least = _unbeaten(points) if len(best) == 1 else ()
    line = Line("", [100 * one.loss for one in best], [100 * one.leakage for one in best])
    numbers, said = [str(number) for point in points for number in point.node], _("loses and tells least")
    tables = Points(
        "",
        [100 * one.loss for one in points],
        [100 * one.leakage for one in points],
        labels=[f"{_('Release')} {number}" for number in numbers],
        notes=[f"{one}, {said}" if point.node in least else one for one, point in zip(numbers, points, strict=True)],
    )
    described = join_sentences(
        _("Release %(number)s: %(lost)s lost, %(found)s found.")
        % {"number": number, "lost": percent_alone(point.loss), "found": percent_alone(point.leakage)}
        for number, point in zip(numbers, points, strict=True)
    )
    series = (tables, line) if len(best) > 1 else (tables,)
    return chart(_("Loss and risk of each table"), series, Axis(across), Axis(up, low=0), description=described)
