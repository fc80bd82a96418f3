"""The chart of ± points against people, a curve for each way."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from privacy.output import format_count
from privacy.plan.connections import roughly
from surveys.domain.questionnaire.forecast import Forecast
from surveys.percent import NO_FIGURE
from surveys.studio.forecast_words import points, range_of_points

MORE = 4  # times as many people halve every error
FEWEST = 1 / 4  # of the people who are expected: the chart begins there
SPAN = 256  # the chart ends with so many times as many people
STEPS = 64  # of a curve


@dataclass(frozen=True)
class Curve:
    """The error of one way by the number of people, in percent of the chart; `links`: where links are likely found.

    `band`: from the best known answer to the worst known one, where they differ.
    """

    name: str
    look: str
    points: str
    band: str
    links: tuple[str, str] | None
    figures: tuple[str, ...]


def chart(count: int, ways: list[tuple[str, Forecast]]) -> dict[str, Any]:
    """± points against people, a curve for each way; where the first one tells nothing, only the number of people."""
    here = ways[0][1]
    assert here.most is not None  # asked for where answers have options
    if not here.most < 1:
        return {"too_few": format_count(count)}
    fewest = count * FEWEST
    highest = 100 * max(
        _error(one, max(fewest, one.respondents * one.shown.disguised / one.each)) for _name, one in ways if one.each
    )
    step = next(size for size in (0.5, 1, 2, 5, 10, 20) if size * 5 >= min(100, highest))
    lines = math.ceil(min(100, highest) / step)
    top = lines * step
    sizes = [round(fewest * MORE**power) for power in range(5)]
    curves = [
        _curve(name, look, one, fewest, top, sizes) for (name, one), look in zip(ways, ("", "b", "c"), strict=False)
    ]
    return {
        "curves": curves,
        "has_links": any(curve.links for curve in curves),
        "grid": [(f"±{step * line:g}", f"{100 - 100 * line / lines:.2f}%") for line in range(1, lines + 1)],
        "axis": [(format_count(size), f"{25 * place}%") for place, size in enumerate(sizes)],
        "rows": [
            (format_count(size), [curve.figures[place] for curve in curves])
            for place, size in enumerate(sizes)
            if place
        ],
        "halves": not any(one.lasting for _name, one in ways),
        "needed": [
            format_count(roughly(one.people_in_reach)) if one.people_in_reach else NO_FIGURE for _name, one in ways
        ],
        "n": format_count(count),
        "error": points(here.most),
        "place": ("25%", f"{100 - 10000 * here.most / top:.2f}%"),
    }


def _error(one: Forecast, people: float) -> float:
    """The error with other people than those of the forecast; of fewer than are shown nothing is known."""
    enough = people * one.each >= one.shown.disguised * one.respondents * (1 - 1e-9)
    return one.most_of(people) if enough and one.most is not None and one.most < math.inf else math.inf


def _least_error(one: Forecast, people: float) -> float:
    """The error of the answer that is known best, with this number of people."""
    return one.least_of(people) if _error(one, people) < math.inf else math.inf


def _differ(one: Forecast) -> bool:
    """Whether answers are known differently well."""
    return one.most is not None and one.least is not None and points(one.least) != points(one.most)


def _curve(name: str, look: str, one: Forecast, fewest: float, top: float, sizes: list[int]) -> Curve:
    """The curve of one way by its forecast: four times as many people halve the error."""

    def spot(people: float, error: Callable[[Forecast, float], float] = _error) -> tuple[float, float]:
        return 100 * math.log(people / fewest, SPAN), 100 - 10000 * error(one, people) / top

    sizes_drawn = [fewest * SPAN ** (place / STEPS) for place in range(STEPS + 1)]
    places = [spot(people) for people in sizes_drawn]
    band = [*places, *(spot(people, _least_error) for people in reversed(sizes_drawn))] if _differ(one) else []
    links = (
        spot(one.people_for_links) if one.people_for_links and fewest <= one.people_for_links <= fewest * SPAN else None
    )
    return Curve(
        name,
        look,
        " ".join(f"{x:.2f} {y:.2f}" for x, y in places if y >= 0),
        " ".join(f"{x:.2f} {max(y, 0):.2f}" for x, y in band),
        (f"{links[0]:.2f}%", f"{links[1]:.2f}%") if links and links[1] >= 0 else None,
        tuple(range_of_points(_least_error(one, size), _error(one, size)) for size in sizes),
    )
