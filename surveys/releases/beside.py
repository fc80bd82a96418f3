"""Releases of a version side by side: what each loses, how surely people are found, and which one no other beats."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from django.utils.translation import gettext as _

from privacy.release.bounds import Point, front, front_picture
from surveys.models import TableRelease
from surveys.percent import percent_alone

FEWEST, MOST = 2, 40  # tables in a picture


@dataclass(frozen=True)
class ReleaseBeside:
    """A release in the list: its figures as people read them, and whether no other of its kind beats it in both."""

    release: TableRelease
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
    best = {point.node for group in known.values() if len(group) >= FEWEST for point in front(group)}
    beside = ReleasesBeside()
    for one in made:
        if (point := points.get(one.pk)) is None:
            beside.rows.append(ReleaseBeside(one))
            continue
        shown = percent_alone(point.loss), percent_alone(point.leakage), _largest_move(one.report)
        beside.rows.append(ReleaseBeside(one, str(one.report["metrics"]["k"]), *shown, best=point.node in best))
    beside.pictures = [_picture(group[:MOST]) for group in known.values() if len(group) >= FEWEST]
    return beside


def _largest_move(report: dict[str, Any]) -> str:
    """The largest share of people whom a reader takes for others, in one question or in the table that was compared."""
    found = [one["after"] for one in report.get("kept", ()) if one["about"] in ("shares", "table")]
    return percent_alone(max(found, default=0.0)) if "kept" in report else ""


def _point(pk: int, report: dict[str, Any]) -> Point:
    """The share of what others may know that is lost, on average, and the share of people that they find."""
    lost = report.get("lost", {}).values()
    return Point((pk,), fmean(lost) if lost else 0.0, report["metrics"]["risk"]["marketer"])


def _picture(points: list[Point]) -> str:
    title = _("Loss and risk of each table")
    across, up = _("lost of what others may know, in per cent"), _("people that are found, in per cent")
    best = {point.node for point in front(points)}
    chosen = next(iter(best)) if len(best) == 1 else ()
    in_percent = [Point(one.node, 100 * one.loss, 100 * one.leakage) for one in points]  # as the table beside has them
    return front_picture(title, in_percent, chosen, across, up, [_("Release")], _("loses and tells least"))
