"""An axis of a chart: its extent, its round ticks and how they are written."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from privacy.draw.labels import shorten_apart, text_width, wrap

_COUNTABLE = 4  # from this span on, values that are all whole get whole ticks
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """What one axis shows; where `low` or `high` is not given, the data decide.

    `names` makes it an axis of names: value 0 is the first, 1 the second and so on. What is wider than `widest` is
    broken into `lines`, and what is still longer is cut.
    """

    label: str = ""
    log: bool = False
    percent: bool = False
    low: float | None = None
    high: float | None = None
    names: tuple[str, ...] = ()
    widest: float = math.inf
    lines: int = 1

    @property
    def name_lines(self) -> list[str]:
        """The names as they are written, each perhaps on several lines; a word that is too long for one is cut."""
        for share in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5):  # a line ends where a word does, so that less fits
            broken = [wrap(name, self.widest) for name in shorten_apart(self.names, share * self.lines * self.widest)]
            if all(len(one) <= self.lines and max(map(text_width, one), default=0) <= self.widest for one in broken):
                return ["\n".join(one) for one in broken]
        return shorten_apart(self.names, self.widest)


@dataclass(frozen=True)
class AxisScale:
    """An axis with both ends known; `position` gives the place of a value as a share of its length."""

    axis: Axis
    low: float
    high: float
    whole: bool = False  # its values are whole numbers, and so are its ticks

    def shows(self, value: float) -> bool:
        return math.isfinite(value) and not (self.axis.log and value <= 0)

    def position(self, value: float) -> float:
        if self.axis.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return about `most` values inside the extent, or fewer, with their texts."""
        axis = self.axis
        if axis.names:
            return [(float(index), name) for index, name in enumerate(axis.name_lines)]
        if axis.log:
            values = _log_ticks(self.low, self.high, most)
        else:
            values = _linear_ticks(self.low, self.high, most, self.whole)
        return list(zip(values, _number_labels(values, axis), strict=True))


def scale_for(axis: Axis, values: Iterable[float]) -> AxisScale:
    """Return the scale that shows every finite value (if logarithmic, every positive one) with some space around it."""
    if axis.names:
        return AxisScale(axis, -0.5, len(axis.names) - 0.5)
    shown = [value for value in values if math.isfinite(value) and (value > 0 or not axis.log)] or [1.0]
    low, high = min(shown), max(shown)
    if axis.log:
        air = max((high / low) ** 0.04, 1.05)
        aired = replace(axis, low=low / air, high=high * air)
    else:
        air = 0.04 * (high - low) or 0.04 * abs(high) or 0.04
        starts_at_zero = low == 0 or 0 < low < 0.35 * high
        aired = replace(axis, low=0.0 if starts_at_zero else low - air, high=high if low < high == 0 else high + air)
    start = axis.low if axis.low is not None else aired.low
    end = axis.high if axis.high is not None else aired.high
    assert start is not None
    assert end is not None
    if not start < end or (axis.log and start <= 0):
        raise ValueError(f"an axis from {start:g} to {end:g} has no length")
    whole = max(shown) - min(shown) >= _COUNTABLE and all(float(value).is_integer() for value in shown)
    return AxisScale(axis, start, end, whole)


def _linear_ticks(low: float, high: float, most: int, whole: bool = False) -> list[float]:
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= rough * (1 - 1e-9))
    if whole:
        step = math.ceil(step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for digits in ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        values = [d * 10.0**power for power in range(first, last + 1) for d in digits]
        inside = [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
        if len(inside) <= most:
            break
    if len(inside) < 3 and high / low < 10:
        return [value for value in _linear_ticks(low, high, most) if value > 0]
    every = math.ceil(len(inside) / most)
    return [value for value in inside if every == 1 or round(math.log10(value)) % every == 0]


def _number_labels(values: list[float], axis: Axis) -> list[str]:
    if axis.percent:
        values = [100 * value for value in values]
    unit = " %" if axis.percent else ""
    if axis.log and values and values[-1] >= 10 * values[0]:
        return [_log_text(value) + unit for value in values]
    step = min((abs(b - a) for a, b in pairwise(values)), default=1.0)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    if round(step, decimals) != round(step, decimals + 1):
        decimals += 1  # steps of 2.5, .25, ...
    return [_with_decimals(value, decimals) + unit for value in values]


def _with_decimals(value: float, decimals: int) -> str:
    return f"{value + 0.0:,.{decimals}f}".replace(",", "\u202f").replace("-", "−")


def _log_text(value: float) -> str:
    power = math.floor(math.log10(value) + 1e-9)
    if -4 <= power <= 4:
        return _with_decimals(value, max(0, -power))
    digit = round(value / 10.0**power)
    return ("" if digit == 1 else f"{digit}·") + f"10{str(power).translate(_SUPERSCRIPT)}"
