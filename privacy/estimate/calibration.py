"""Weights that meet what is known of the population: post-stratification, raking, trimmed weights, linear calibration.

A weight is the one before times F(x·λ), x what the respondent adds to each known total, and λ such that all totals are
met (Deville and Särndal 1992). F = exp is raking, by one margin post-stratification; F = 1 + u is the generalised
regression estimator; trimmed, F is cut off at two bounds. λ is where a convex function is least.

Figures by such weights vary only as far as the known totals do not explain them: the part of each respondent becomes
the residual of its regression on x by the weights before, and counts by the weight after (Deville and Särndal 1992,
section 3; Särndal, Swensson and Wretman 1992, section 6.6). That holds for sums over respondents, and so for disguised
answers, of which the inverted value is such a part.

>>> known, before = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]), np.ones(4)
>>> calibrate(known, before, np.array([1.0, 3.0])).tolist()
[0.5, 0.5, 1.5, 1.5]
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.design import arguments
from privacy.design.reading import document, entries, quote
from privacy.errors import EntryError, InputError, InputWarning
from privacy.files import read_text
from privacy.options.notation import number
from privacy.records.csv_rows import read_csv
from privacy.records.open_columns import Column, groups, numbers

RAKING, LINEAR = METHODS = ("raking", "linear")
HEADER = ("variable", "category", "share")
ROUNDED = 0.005  # by so much of its sum a margin may be rounded
_STEPS = 100
_FEW, _HEAVY = 10, 2  # fewer respondents of a category hardly show how they differ, if each stands for more than this
_EXACT = 1e-11  # of all respondents: what a total may miss
_DEPENDENT = 1e-9  # of the largest: smaller singular values are rounding

Bounds = tuple[float, float]
UNTRIMMED: Bounds = (0.0, inf)


@dataclass(frozen=True)
class Margins:
    """What is known of the population: shares of the categories of a variable or several, or the mean of a number.

    Shares may be counts: a margin is divided by its sum, and so is the total of a number.
    """

    categories: Mapping[str, Mapping[str, float]]
    totals: Mapping[str, float]
    method: str = RAKING

    @classmethod
    def parse(cls, value: Any) -> "Margins":
        """Read the margins from a mapping, as JSON files hold it.

        >>> margins = Margins.parse({"margins": {"sex": {"f": 510, "m": 490}, "age": 41500}})
        >>> margins.categories, margins.totals, margins.sum
        ({'sex': {'f': 510.0, 'm': 490.0}}, {'age': 41500.0}, 1000.0)
        """
        if isinstance(value, Margins):
            return value
        if not isinstance(value, Mapping) or not isinstance(value.get("margins"), Mapping) or not value["margins"]:
            raise InputError(
                'margins: they are an object with a margin, such as {"margins": {"sex": {"f": 51, "m": 49}}}.'
            )
        if strange := next((name for name in value if name not in ("margins", "method")), None):
            raise InputError(f"margins: {quote(strange)} is none of margins and method.")
        method = arguments.choice(value.get("method", RAKING), "margins: method", METHODS)
        categories, totals = {}, {}
        for name, known in value["margins"].items():
            if not isinstance(known, Mapping):
                totals[str(name)] = arguments.number(known, f"margins: {name!r}")
                continue
            shares = {
                str(one): arguments.number(share, f"margins: {one!r} of {name!r}") for one, share in known.items()
            }
            if below := next((one for one, share in shares.items() if share < 0), None):
                raise InputError(f"margins: {below!r} of {name!r} is {shares[below]:g}; shares are at least 0.")
            if not sum(shares.values()) > 0:
                raise InputError(f"margins: no category of {name!r} has a share above 0.")
            categories[str(name)] = shares
        return cls(categories, totals, method)._check_sums()

    def _check_sums(self) -> "Margins":
        """Return these margins; refuse sums that differ, or are nearly 1 or 100."""
        sums = {name: sum(shares.values()) for name, shares in self.categories.items()}
        for name, own in sums.items():
            if abs(own - self.sum) > ROUNDED * self.sum:
                raise InputError(
                    f"margins: those of {next(iter(sums))!r} sum to {self.sum:g} and those of {name!r} to {own:g}; "
                    "both are of the same population."
                )
        for name, own in sums.items():
            check_sum(own, repr(name))
        return self

    @property
    def sum(self) -> float:
        """What the shares of the first margin sum to; 1 where there are only means."""
        return next((sum(shares.values()) for shares in self.categories.values()), 1.0)


def check_sum(known: float, name: str) -> None:
    """Refuse a sum of shares that is nearly 1 or 100, but not quite: a category is missing, or one is mistyped.

    A margin may be numbers of people, too; of so few people it has to be written in shares.

    >>> check_sum(99.8, "sex"), check_sum(41_500, "sex")
    (None, None)
    """
    for whole in (1, 100):
        if ROUNDED * whole < abs(known - whole) <= whole / 4:
            raise EntryError(
                "those of {name} sum to {known:g}, not to {whole}.", "margins", name=name, known=known, whole=whole
            )


def read_margins(path: str | Path) -> Margins:
    """Read margins from JSON, or from CSV with the columns variable, category and share."""
    try:
        if Path(path).suffix.lower() != ".csv":
            return Margins.parse(document(read_text(path), "margins"))
        header, rows = read_csv(path)
        if tuple(header) != HEADER:
            raise InputError(f"margins: the columns are {', '.join(header)}, not {', '.join(HEADER)}.")
        known: dict[str, Any] = {}
        for variable, category, share in rows:
            own = known.setdefault(variable, {}) if category else known
            if not isinstance(own, dict) or (category or variable) in own:
                raise InputError(f"margins: {variable!r} has {category or 'a total'!r} twice, or both kinds.")
            own[category or variable] = number(share)
        return Margins.parse({"margins": known})
    except InputError as error:
        raise InputError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None  # a reader may have named it


def read_bounds(trim: Any) -> Bounds:
    """The bounds of trimmed weights, as multiples of the weight before; without any, 0 and infinity.

    >>> read_bounds((0.3, 3))
    (0.3, 3.0)
    """
    if trim is None:
        return UNTRIMMED
    bounds = entries(trim) or []
    low, high = (arguments.number(bound, "trim") for bound in bounds) if len(bounds) == 2 else (inf, -inf)
    if not 0 <= low < 1 < high:
        raise InputError(f"trim: {quote(trim)} is not LOW,HIGH with LOW from 0 to 1 and HIGH above 1, such as 0.3,3.")
    return low, high


@dataclass(frozen=True)
class Target:
    """One known total: its share, or its mean, in the population and among the respondents by the weights before."""

    variable: str
    category: str
    before: float
    share: float


@dataclass(frozen=True)
class Calibration:
    """What weights were calibrated to, of all respondents of the sample: what each adds to the known totals.

    `known` and `totals` are those of the margins, numbers standardised; `basis` spans the same, with ones and without
    what follows from the rest, orthonormal by the weights `before`.
    """

    known: Floats
    totals: Floats
    basis: Floats
    before: Floats
    targets: tuple[Target, ...]
    method: str
    bounds: Bounds

    @classmethod
    def read(
        cls, margins: Margins, columns: Mapping[str, Column], before: Floats, bounds: Bounds = UNTRIMMED
    ) -> "Calibration":
        """Prepare the calibration of weights `before`, of mean 1, to margins; refuse margins that cannot be met."""
        known, totals, targets = [np.ones(len(before))], [1.0], [Target("", "", 1.0, 1.0)]
        for one, values, share in _totals(margins, columns):
            mean = float(before @ values) / len(before)
            spread = float(np.sqrt(before @ (values - mean) ** 2 / len(before))) if not one[1] else 1.0
            centre = mean if not one[1] else 0.0
            if not spread > 0:
                raise InputError(f"margins: {one[0]!r} is {mean:g} for everybody, so no weights change its mean.")
            known.append((values - centre) / spread)
            totals.append((share - centre) / spread)
            targets.append(Target(*one, mean, share))
        table, wanted = np.stack(known, axis=1), np.array(totals) * len(before)
        _, sizes, axes = np.linalg.svd(np.sqrt(before)[:, np.newaxis] * table, full_matrices=False)
        kept = sizes > _DEPENDENT * sizes[0]
        missed = np.abs(wanted - axes[kept].T @ (axes[kept] @ wanted)) / len(before)
        if missed.max() > _DEPENDENT:
            named = sorted(
                {target.variable for target, far in zip(targets, missed, strict=True) if far > _DEPENDENT} - {""}
            )
            raise InputError(
                f"margins: those of {' and '.join(map(repr, named))} contradict each other for these respondents; no "
                "weights meet them all."
            )
        basis = table @ (axes[kept].T / sizes[kept])
        return cls(table, wanted, basis, before, tuple(targets[1:]), margins.method, bounds)

    def weigh(self, before: Floats) -> Floats:
        """Return the weights `before`, changed so that the totals are met."""
        return before * calibrate(self.known, before, self.totals, self.method, self.bounds)

    def residual(self, parts: Floats) -> Floats:
        """What the known totals do not explain of each respondent's part in a figure."""
        return parts - self.basis @ (self.basis.T @ (self.before * parts))

    def nearly_meet(self, weights: Floats, drawn: Floats) -> Floats:
        """Move weights `drawn`, of a resampled survey, one step towards the totals of `weights`; none gets below 0."""
        square = self.basis.T @ (drawn[:, np.newaxis] * self.basis)
        step = np.linalg.lstsq(square, self.basis.T @ (weights - drawn), rcond=None)[0]
        return drawn * np.maximum(1 + self.basis @ step, 0.0)


def calibrate(
    known: Floats, before: Floats, totals: Floats, method: str = RAKING, bounds: Bounds = UNTRIMMED
) -> Floats:
    """The factor by which each weight `before` is multiplied, so that Σ weight·known are the totals.

    `known` has a row for each respondent and a column for each total. By Newton's method on the convex function whose
    slope is what the totals miss.
    """
    low, high = bounds
    if method == RAKING:
        ends = (log(low) if low > 0 else -inf, log(high))
    else:
        ends = (low - 1 if bounds != UNTRIMMED else -inf, high - 1)
    multipliers, scale = np.zeros(known.shape[1]), _EXACT * max(float(before.sum()), 1.0)

    def look(at: Floats) -> tuple[float, Floats, Floats]:
        """The convex function at these multipliers, the factor of each weight, and the slope of each factor."""
        inner = known @ at
        cut = np.clip(inner, *ends)
        with np.errstate(over="ignore", invalid="ignore"):
            ratio = np.exp(cut) if method == RAKING else 1 + cut
            height = ratio if method == RAKING else cut + cut**2 / 2
            slope = np.where(cut == inner, ratio if method == RAKING else 1.0, 0.0)
            return float(before @ (height + ratio * (inner - cut)) - totals @ at), ratio, slope

    height, ratio, slope = look(multipliers)
    for _ in range(_STEPS):
        missed = totals - known.T @ (before * ratio)
        if np.abs(missed).max() <= scale:
            if (ratio < 0).any():
                raise InputError(
                    f"margins: linear calibration gives {int((ratio < 0).sum())} respondents a weight below 0; trim "
                    "the weights, or take the method raking."
                )
            return ratio
        # At a bound the slope is 0: there, far from the end, a step has that of the weights before.
        flat = before * (slope + min(1.0, float(np.abs(missed).max() / before.sum())) * (bounds != UNTRIMMED))
        step = np.linalg.lstsq(known.T @ (flat[:, np.newaxis] * known), missed, rcond=1e-13)[0]
        for _half in range(_STEPS):
            new = look(multipliers + step)
            if np.isfinite(new[0]) and new[0] <= height - 1e-4 * float(missed @ step) + 1e-12 * abs(height):
                break
            step = step / 2
        multipliers, (height, ratio, slope) = multipliers + step, new
    if bounds != UNTRIMMED:
        raise InputError(
            f"trim: weights of {low:g} to {high:g} times those before cannot meet the margins; trim less, or join "
            "categories."
        )
    raise InputError(
        "margins: no weights above 0 meet them all; they contradict each other, or need people of whom nobody is here."
    )


def _totals(margins: Margins, columns: Mapping[str, Column]) -> Iterator[tuple[tuple[str, str], Floats, float]]:
    """The variable and category of each total, what each respondent adds to it, and its share or mean."""
    for variable, shares in margins.categories.items():
        place, there = _categories(variable, columns)
        if lacking := next((one for one in there if not shares.get(one)), None):
            said = "is 0" if lacking in shares else "is missing"
            raise InputError(f"margins: {variable!r} of respondents is {lacking!r}, whose share {said}.")
        if nobody := next((one for one, share in shares.items() if share and one not in there), None):
            raise InputError(f"margins: nobody has {nobody!r} of {variable!r}; join it to another category.")
        _check_few(variable, there, np.bincount(place, minlength=len(there)), shares)
        for at, one in enumerate(there):
            yield (variable, one), (place == at).astype(float), shares[one] / sum(shares.values())
    for variable, total in margins.totals.items():
        known = numbers(columns, variable, "margins")
        yield (variable, ""), known, _mean_of(variable, known, total, margins.sum)


def _check_few(variable: str, there: Sequence[str], people: np.ndarray, shares: Mapping[str, float]) -> None:
    """Refuse one respondent who is to stand for many, and warn of few who are.

    What the margin explains of their answers is nearly all of these, so their part in errors is hardly anything.
    """
    expected = np.array([shares[one] for one in there]) * (people.sum() / sum(shares.values()))
    counted = zip(there, people.tolist(), expected.tolist(), strict=True)
    few = [(one, count) for one, count, wanted in counted if count < _FEW and wanted > _HEAVY * count]
    if alone := next((one for one, count in few if count == 1), None):
        raise InputError(
            f"margins: one respondent alone is {alone!r} of {variable!r} and would stand for many, so no error is "
            "known; join it to another category."
        )
    if few:
        said = ", ".join(f"{one!r} ({count})" for one, count in few)
        warnings.warn(
            f"margins: few are to stand for many as {said} of {variable!r}, so errors come out too small; join "
            "categories.",
            InputWarning,
            stacklevel=2,
        )


def _mean_of(variable: str, known: Floats, total: float, people: float) -> float:
    """The mean that is meant: a total of so many people; beside percentages the number may be the mean itself.

    >>> _mean_of("age", np.array([18.0, 90.0]), 41_500, 1000), _mean_of("age", np.array([18.0, 90.0]), 41.5, 100)
    (41.5, 41.5)
    """
    mean = total / people
    if abs(people - 100) > ROUNDED * 100:
        return mean
    of_one, of_all = (known.min() <= one <= known.max() for one in (total, mean))
    if of_one and of_all and total:
        raise InputError(
            f"margins: {variable!r} is {total:g} beside shares that sum to 100: a mean, or a total of 100 people. "
            "Write shares that sum to 1, and its mean."
        )
    return total if of_one else mean


def _categories(variable: str, columns: Mapping[str, Column]) -> tuple[np.ndarray, Sequence[str]]:
    """The category of each respondent: of one column, or of several with colons between their names."""
    if variable in columns or ":" not in variable:
        return groups(columns, variable, "margins")
    each = [groups(columns, name, "margins") for name in variable.split(":")]
    pairs, place = np.unique(np.stack([own for own, _ in each], axis=1), axis=0, return_inverse=True)
    return place.ravel(), [":".join(names[at] for (_, names), at in zip(each, row, strict=True)) for row in pairs]
