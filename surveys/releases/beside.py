"""Releases of a version side by side: what each loses, how surely people are found, and which one no other beats."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from django.utils.translation import gettext as _

from privacy.release.measures.bounds import Point, bounds_in_symbols, front
from privacy.release.methods.lattice import Node
from privacy.release.models import in_symbols
from surveys.models import TableRelease
from surveys.percent import percent_alone


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


def side_by_side(releases: Iterable[TableRelease]) -> list[ReleaseBeside]:
    """Compare tables that suppose that others know the same; what is lost of other answers is no common measure."""
    made = list(releases)
    points = {one.pk: _point(one.pk, one.report) for one in made if one.report}
    known: dict[tuple[str, ...], list[Point]] = {}
    for one in made:
        if one.pk in points:
            known.setdefault(tuple(sorted(one.report.get("known", ()))), []).append(points[one.pk])
    best = {node for group in known.values() if len(group) > 1 for node in _unbeaten(group)}
    rows = []
    for one in made:
        if (point := points.get(one.pk)) is None:
            rows.append(ReleaseBeside(one, _asked(one)))
            continue
        shown = percent_alone(point.loss), percent_alone(point.leakage), _largest_move(one.report)
        alike = str(one.report["metrics"]["k"])
        rows.append(ReleaseBeside(one, _asked(one), alike, *shown, best=point.node in best))
    return rows


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
