"""Bounds on figures of a whole table, and the front of what generalising loses against what the table tells.

The notes on anonymity of 2019, (4): the best table among those with D ≤ D₀ and L ≤ L₀. D is what a table loses, L what
it tells, such as mutual information (3); both are figures of the table that is published.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from privacy.design.reading import mapping, number
from privacy.errors import EntryError, InputError
from privacy.release.classes import NEAR
from privacy.release.measures import LOSS, MEASURES, TELLS, Measure, TableMeasures
from privacy.release.measures.everybody import Known
from privacy.release.measures.sample import OF_SAMPLES, PEOPLE, SampleMeasure
from privacy.release.reasons import ReleaseError

BOUNDED: dict[str, Measure] = {one.key: one for one in (*MEASURES, *OF_SAMPLES) if one.about in (LOSS, TELLS)}
LEAKAGES = {key: one for key, one in BOUNDED.items() if one.about == TELLS and not one.at_least}


@dataclass(frozen=True)
class Point:
    """A table: its levels, what generalising loses in it, and what it tells."""

    node: tuple[int, ...]
    loss: float
    leakage: float


def read_bounds(entry: Any) -> dict[str, float]:
    """Read the member `bounds` of a spec.

    >>> read_bounds({"information": 0.5, "penalty": 0.4})
    {'information': 0.5, 'penalty': 0.4}
    """
    named = mapping(entry, "bounds")
    bounds = {key: float(number(named, key, "bounds")) for key in named}
    for key, bound in bounds.items():
        figure(key, "bounds", BOUNDED)
        if not bound >= 0:
            raise InputError(f"bounds.{key}: {bound:g} is below 0.")
    return bounds


def figure(key: Any, where: str, known: Mapping[str, Measure] = LEAKAGES) -> str:
    """Return the key of a figure; refuse a key that is not `known`."""
    if key not in known:
        raise InputError(f"{where}: {key!r} is not one of {', '.join(known)}.")
    return str(key)


def join_bounds(some: Mapping[str, float], others: Mapping[str, float]) -> dict[str, float]:
    """The stricter of two bounds on each figure.

    >>> join_bounds({"t": 0.5, "k_map": 3}, {"k_map": 5})
    {'t': 0.5, 'k_map': 5}
    """
    joined = dict(some)
    for key, bound in others.items():
        stricter = max if BOUNDED[key].at_least else min
        joined[key] = stricter(bound, joined.get(key, bound))
    return joined


def bounds_in_symbols(bounds: Mapping[str, float]) -> list[str]:
    """Write bounds as people do; of a stored release also those on figures that there are no more, by their keys.

    >>> bounds_in_symbols({"marketer": 0.05, "k_map": 5})
    ['marketer ≤ 0.05', 'k-map ≥ 5']
    """
    named = {key: BOUNDED.get(key, Measure(key, key, "")) for key in bounds}
    return [f"{named[key].name} {'≥' if named[key].at_least else '≤'} {most:g}" for key, most in bounds.items()]


def require_known(key: str, where: str, sensitive: bool, population: Known | None, levels: bool) -> None:
    """Refuse a figure that needs sensitive values, or something of the population, where the spec has none.

    `levels`: no person fits two classes.
    """
    declared = BOUNDED[key]
    if declared.of_values and not sensitive:
        raise InputError(f"{where}: {key} needs a sensitive attribute, but no column has that role.")
    if not isinstance(declared, SampleMeasure):
        return
    if population is None:
        raise EntryError("{figure} needs population.", at=where, figure=key)
    if declared.needs == PEOPLE and not (population.people is not None and levels):
        raise EntryError("{figure} needs population.table, and full-domain.", at=where, figure=key)


def meets_bounds(measures: TableMeasures, bounds: Mapping[str, float]) -> bool:
    return not any(_beyond(measures, bounds))


def _beyond(measures: TableMeasures, bounds: Mapping[str, float]) -> Iterator[str]:
    """The figures that are beyond their bounds; an infinite one is beyond all."""
    for key, bound in bounds.items():
        value = value_of(measures, key)
        if not (value >= bound - NEAR if BOUNDED[key].at_least else value <= bound + NEAR):
            yield key


def require_within(measures: TableMeasures, bounds: Mapping[str, float]) -> None:
    """Refuse a table that misses a bound, naming the bound and the gap."""
    for key in _beyond(measures, bounds):
        code = "low" if BOUNDED[key].at_least else "bound"
        raise ReleaseError(code, at=f"bounds.{key}", value=f"{value_of(measures, key):.6g}", bound=f"{bounds[key]:g}")


def value_of(measures: TableMeasures, key: str) -> float:
    """The figure of a table with this key; 0 if nobody has a sensitive value."""
    if key in measures.sample:
        return measures.sample[key].value
    value = getattr(measures, key)
    return 0.0 if value is None else float(value)


def front_picture(
    title: str, points: Sequence[Point], chosen: tuple[int, ...], across: str, up: str, names: Sequence[str], taken: str
) -> str:
    """Draw a front: every point is a table, named by its levels.

    >>> front_picture("Front", [Point((2,), 1.0, 3.0)], (2,), "loss", "t", ["age"], "taken").count("age 2")
    1
    """
    from privacy.draw.chart import Axis, Points, chart

    tables = Points(
        "",
        [one.loss for one in points],
        [one.leakage for one in points],
        labels=[", ".join(f"{name} {level}" for name, level in zip(names, one.node, strict=True)) for one in points],
        notes=[taken if one.node == chosen else "" for one in points],
    )
    return chart(title, [tables], Axis(across), Axis(up, low=0))


def front(points: Sequence[Point]) -> tuple[Point, ...]:
    """The tables that no other one beats in both loss and disclosure, in the order of their loss.

    >>> [point.node for point in front([Point((0,), 1, 3), Point((1,), 2, 3), Point((2,), 3, 1)])]
    [(0,), (2,)]
    """
    best: list[Point] = []
    for point in sorted(points, key=lambda one: (round(one.loss, 9), one.leakage, one.node)):  # sums differ by digits
        if not best or point.leakage < best[-1].leakage - NEAR:
            best.append(point)
    return tuple(best)
