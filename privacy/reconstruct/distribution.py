"""The distribution of a number or a place: how true answers are spread over bins, from disguised records.

Each group, direct and disguised, is fitted by itself and counts by its size, as the stratified estimator has it. Where
neighbouring bins are expected to be alike the fit is smooth (`privacy.reconstruct.smoothing`), else it maximises the
likelihood. Errors of the latter are those of surveys redrawn from the records (bootstrap), each fitted in the same
way; those of a smooth fit come from its posterior, and the share of people above a number has an interval of its own
(`privacy.reconstruct.two_sides`). Where respondents were not drawn alike, weights take the place of
counts, surveys are redrawn as the first one was, and a smooth fit takes the weights for as many respondents as they
are worth.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import arguments
from privacy.design.channels import Floats
from privacy.design.grid.distributions import Counted, GridDistribution as Binning, ends_of_shares
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.estimate.intervals import Interval, by_group, standard_errors, wilson
from privacy.estimate.likelihood import Fit, climb
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.options import Options, check_arguments, tables
from privacy.output import count_of as counted_words, to_json_value
from privacy.reconstruct.smoothing import smoothest
from privacy.reconstruct.two_sides import interval_above
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns, data_frame

DRAWS = 200
MOST_WORK = 2**17  # bins × draws: fewer surveys are redrawn for a fine grid
_STEPS = 20  # pieces below which people are counted, to see what clusters move
_RARE = 0.02  # of people, below or above a piece: there clusters tell little
LEAST_DRAWS = 25
LIMIT = 2_000
_FEW = 500  # respondents: of fewer, numbers that many share are further off behind noise than errors say
_ALIKE = 1e-9  # of a share: less is rounding
TOLERANCE = 1e-2  # in units of log-likelihood: less than anybody could tell from the records


@dataclass(frozen=True, repr=False, eq=False)
class Distribution(Result):
    """The share of people in each bin of a number or a place; `candor.distribution` makes it.

    `shares` has the share of each bin, of a place in rows from the bottom, and `se` their standard errors about the
    population; `draws` are the shares of repeated surveys, or drawn from the posterior. `pieces` has what bins are
    sums of, first the shares and then the draws.

    Where all records are alike the error is not known, and NaN.
    `thresholds` are numbers at or above which the share of people is printed, too.
    `counted` is what they come from; `redrawn` is that of the repeated surveys, where respondents were not drawn alike,
    and `squares` what the squares of their weights come to.
    """

    item: str
    n: int
    direct: int
    level: float
    shares: Floats
    se: Floats
    draws: Floats
    pieces: Floats
    counted: Counted
    redrawn: tuple[Counted, ...]
    squares: Counted | None
    distribution: Binning
    worth: Counted  # `counted`, scaled to how many respondents drawn alike these are worth
    thresholds: tuple[float, ...] = ()

    @property
    def figures(self) -> dict[str, Any]:
        """Further figures with errors, such as the mean of a number or the share of a zone."""
        return self.distribution.figures(self.counted, self.pieces, self.level, self.redrawn)

    @property
    def exposed(self) -> Floats:
        """How many people are certainly in each bin, as their records are true; infinite if nothing is disguised there.

        With weights it is how many respondents drawn alike they are worth (Kish 1965).
        """
        known = self.distribution.people_in_sight(self.counted)
        if self.squares is None:
            return known
        squares = self.distribution.people_in_sight(self.squares)
        divisible = np.isfinite(known) & (squares > 0)
        return np.divide(known**2, squares, out=np.where(np.isinf(known), np.inf, 0.0), where=divisible).round(6)

    @property
    def intervals(self) -> Floats:
        """The ends of the interval of each bin: low and high along the first axis."""
        return ends_of_shares(self.shares, self.draws, self.level)

    @property
    def edges(self) -> Any:
        return self.distribution.edges

    def on(self, map: str, crs: str = "planar") -> "Distribution":
        """Return the same of a place in coordinates of your own: edges and zones are then in these.

        Parameters
        ----------
        map : str
            ``left,bottom,right,top`` in these coordinates, or a GeoJSON file, where the map of the design lies.
        crs : {'planar', 'EPSG:4326'}
            Coordinates in one unit, such as metres, or longitudes and latitudes.

        Raises
        ------
        InputError
            Where the item is a number, or the map has another shape than the design's.
        """
        from privacy.places import read_map

        own = read_map(map, crs)
        if self.shares.ndim < 2:
            raise InputError(f"{self.item!r} is a number; only a place lies on a map.")
        mechanism = self.distribution.mechanism  # type: ignore[attr-defined]
        steps = own.steps(mechanism.columns, mechanism.rows)
        laid = replace(self.distribution, laid=(own.left, own.bottom, *steps))  # type: ignore[type-var]
        return replace(self, distribution=laid)

    def above(self, threshold: float) -> tuple[float, float, float]:
        """Return the share of people whose number is the threshold or more, and the ends of its interval.

        Parameters
        ----------
        threshold : float
            Numbers are looked at one by one where there are at most 200 of them, and at the ends. Elsewhere people
            are taken to be spread evenly inside a cell of several, and the interval holds every other way.

        Returns
        -------
        share, low, high : float

        Raises
        ------
        InputError
            Where the item is a place.

        Examples
        --------
        >>> import candor, numpy as np, pandas as pd
        >>> block = {"number": "square-wave", "epsilon": 3, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}
        >>> design = candor.Design.parse({"blocks": [block]})
        >>> records = candor.disguise(pd.DataFrame({"age": np.repeat([30, 70], 5000)}), design, seed=7)
        >>> share, low, high = candor.distribution(records, "age", bins=10).above(50)
        >>> round(share, 1)
        0.5
        """
        if self.shares.ndim > 1:
            raise InputError(f"{self.item!r} is a place; only numbers can be compared.")
        parts = self.distribution.above(arguments.exact_number(threshold, "threshold"))  # type: ignore[attr-defined]
        least, even, most = parts
        share = float(self.pieces[0] @ even)
        low, high = self._ends_above(least)
        if (least < most).any():  # a cell of several numbers is cut
            high = self._ends_above(most)[1]
        return share, min(low, share), max(high, share)

    def _ends_above(self, part: Floats) -> tuple[float, float]:
        """The interval of the share of people in the cells of which `part` is 1, from one cell up.

        The groups are put together by MOVER (Zou and Donner 2008), each by its size, as their shares are.
        """
        own, (seen, placed) = self.distribution, self.worth
        sizes, cut = (float(seen.sum()), float(placed.sum())), int((part == 0).sum())
        shares = self.pieces @ part
        direct = float(placed @ part) / (sizes[1] or 1.0)
        disguised = float(np.clip((shares[0] * sum(sizes) - direct * sizes[1]) / (sizes[0] or 1.0), 0, 1))
        groups: list[tuple[Floats, Floats, Interval]] = []
        if sizes[0]:
            assert own.rows is not None  # of a number
            near = disguised, float(shares[1:].std(ddof=1))
            ends = interval_above(own.channel, seen, own.rows, own.ways_to_heap, cut, near, self.level)  # type: ignore[attr-defined]
            groups.append(
                (np.array(sizes[0] / sum(sizes)), np.array(disguised), (np.array(ends[0]), np.array(ends[1])))
            )
        if sizes[1]:
            share = np.array(direct)
            groups.append((np.array(sizes[1] / sum(sizes)), share, wilson(share, np.array(sizes[1]), self.level)))
        of_all = sum(weight * share for weight, share, _ in groups)
        low, high = by_group(np.asarray(of_all), groups, np.zeros(()), self.level)
        return max(float(low), 0.0), min(float(high), 1.0)

    def picture(self) -> str:
        """The histogram of a number, with the interval of each bin."""
        from privacy.draw.histogram import histogram

        if self.shares.ndim > 1:
            return ""
        lows, highs = self.intervals.tolist()
        parts = list(zip(self.shares.tolist(), lows, highs, strict=True))
        labels = [f"{low:g} to below {high:g}" for low, high in pairwise(self.edges)]
        return histogram(f"Distribution of {self.item}", self.edges, parts, labels)

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{self.item}: {counted_words(self.n, 'record')}, {self.direct} of them direct"
        yield TextColumns(*self.distribution.table(self.shares, self.se))
        yield from self.distribution.summary(self.figures)
        for number, (share, low, high) in self._far_shares().items():
            yield f"{number:g} or more: {share:.4f}, from {low:.4f} to {high:.4f}"
        if "mean" in self.figures and self.n < _FEW:
            yield f"Of fewer than {_FEW} respondents these intervals hold the truth less often than they say."

    def _far_shares(self) -> dict[float, tuple[float, float, float]]:
        """The share of people at or above each threshold, with the ends of its interval."""
        return {number: self.above(number) for number in self.thresholds}

    def to_frame(self) -> DataFrame:
        """Return a row per bin, all digits kept."""
        headings, rows = self.distribution.table(self.shares, self.se)
        return data_frame(rows, columns=list(headings))

    def to_json(self) -> dict[str, Any]:
        """Return an entry of `distributions` in the JSON of `candor reconstruct`."""
        own = {"item": self.item, "edges": self.edges}
        far = [
            {"number": number, "share": share, "ci": [low, high]}
            for number, (share, low, high) in self._far_shares().items()
        ]
        bins = {"shares": self.shares.tolist(), "se": self.se.tolist()}
        return to_json_value(own | bins | self.figures | ({"above": far} if far else {}))


@check_arguments(Options("distribution", tables.SAMPLING))
def distribution(
    records: Records,
    item: str,
    *,
    bins: int | Sequence[int] | None = None,
    level: float = 0.95,
    seed: int = 0,
    sample: Sample | Sampling | None = None,
    heaps: Sequence[float | Fraction] = (),
) -> Distribution:
    """Estimate how the true answers to a number or a place are distributed.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    item : str
        An item that lies on a grid.
    bins : int or pair of int, optional
        How many bins a number has, or columns and rows a map has; as many as suit the item where they are not given.
    level : float
        The confidence level of the intervals.
    seed : int
        Of what is drawn for the errors.
    sample : Sample, optional
        How respondents were drawn and what is known of the population, as in `candor.reconstruct`. Shares are then
        those of the population, and the surveys for the errors are redrawn in the same way.
    heaps : sequence of float
        Answers of a number that many people may share, such as the tens. The least and the greatest number are always
        looked at so.

    Raises
    ------
    InputError
        Where the item is unknown, has options, or cannot have so many bins.

    Examples
    --------
    >>> import candor, numpy as np, pandas as pd
    >>> block = {"number": "square-wave", "epsilon": 3, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}
    >>> design = candor.Design.parse({"blocks": [block]})
    >>> people = pd.DataFrame({"age": np.repeat([30, 70], 5000)})
    >>> table = candor.disguise(people, design, seed=7).to_frame().assign(stands_for=np.repeat([4, 1], 5000))
    >>> records = candor.Records.from_frame(table, design)
    >>> for sample in (None, candor.Sample(weights="stands_for")):
    ...     print(round(candor.distribution(records, "age", bins=10, sample=sample).above(50)[0], 1))
    0.5
    0.2

    Half of these people never did it. A popular number at an end of the range need not be named.

    >>> block["items"] = [{"id": "times", "min": 0, "max": 60, "step": 1}]
    >>> design = candor.Design.parse({"blocks": [block]})
    >>> people = pd.DataFrame({"times": np.r_[np.zeros(5000, int), np.random.default_rng(1).integers(1, 61, 5000)]})
    >>> records = candor.disguise(people, design, seed=7)
    >>> round(candor.distribution(records, "times", heaps=[10, 20]).above(1)[0], 1)
    0.5
    """
    require_records(records)
    item = arguments.text(item, "item")
    counts = None if bins is None else arguments.wholes(bins, "bins")
    if counts is not None and len(counts) == 1 and not isinstance(bins, Integral):
        raise InputError(f"bins: {quote(bins)} is a list; write one count of bins without a list.")
    sampling = Sampling.of(sample, records.open_columns, len(records))
    level = arguments.number(level, "level")
    round_numbers = [arguments.exact_number(value, "heaps") for value in heaps]
    design = records.design
    column = design.column(item)
    of_bins = design.blocks[design.place(column)[0]].distribution
    if of_bins is None:
        raise InputError(f"{item!r} has options; ask for patterns of it, or for its table.")
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    binning = of_bins(counts, round_numbers)
    codes, direct = records.codes[:, column], records.direct

    def count_table(weights: Floats | None = None) -> Counted:
        """Count the disguised records by what they show, and the direct ones by bin; or sum their weights."""
        own, others = (None, None) if weights is None else (weights[direct], weights[~direct])
        return binning.count_records(codes[~direct], others), binning.count_direct(codes[direct], own)

    count = max(LEAST_DRAWS, min(DRAWS, MOST_WORK // prod(binning.shape)))
    random = np.random.default_rng(arguments.seed(seed))
    first = count_table(None if sampling is None else sampling.weights)
    squares = None if sampling is None else count_table(sampling.weights**2)
    repeated = () if sampling is None else tuple(map(count_table, sampling.redrawn(count, random)))
    if sampling is None:
        wide, tables = 1.0, _redraw(first, count, random)
    else:
        few = max(sampling.freedom, 1)
        wide = standard_errors(level, few) / standard_errors(level)  # few clusters tell errors badly
        repeated = tuple(_stretch(first, each, wide) for each in repeated)
        most = _worth_below(binning, codes, direct, sampling) / wide**2
        tables = _of_worth(binning, [first, *repeated], len(records), most)
    pieces = _of_both(binning, tables, random)
    worth = tables[0][0], tables[1][0]
    shares, draws = binning.bin_shares(pieces[:1])[0], binning.bin_shares(pieces[1:])
    se = draws.std(axis=0, ddof=1) / wide
    if se.max() < _ALIKE:  # records that are all alike do not show how they vary
        se = np.full_like(se, np.nan)
    se = np.where(binning.unseen, np.nan, se)
    people = len(records), int(direct.sum())
    return Distribution(item, *people, level, shares, se, draws, pieces, first, repeated, squares, binning, worth)


def most_likely(distribution: Binning, seen: Floats) -> list[Fit]:
    """Fit shares to disguised records by maximum likelihood, for each table of counts along the first axis."""
    shape, counts = distribution.shape, seen.reshape(len(seen), -1)

    def evaluate(rows: Floats, places: NDArray[np.intp]) -> tuple[Floats, Floats]:
        expected = distribution.forward(rows.reshape(-1, *shape))
        here = counts[places].reshape(expected.shape)
        logs = np.log(expected, out=np.zeros_like(expected), where=here > 0)
        ratios = np.divide(here, expected, out=np.zeros_like(expected), where=here > 0)
        heights: Floats = (here * logs).reshape(len(rows), -1).sum(axis=1)
        return heights, distribution.back(ratios).reshape(len(rows), -1)

    start = np.full((len(seen), prod(shape)), 1 / prod(shape))
    return climb(start, counts.sum(axis=1), evaluate, LIMIT, TOLERANCE)


def _redraw(counted: Counted, count: int, rng: np.random.Generator) -> Counted:
    """The tables of the survey and of `count` surveys redrawn from it, along the first axis; so is who is direct."""
    seen, placed = counted
    everybody = np.concatenate([seen.ravel(), placed.ravel()])
    n = everybody.sum()
    drawn = rng.multinomial(int(n), everybody / n, size=count).astype(float)
    return (
        np.concatenate([seen[np.newaxis], drawn[:, : seen.size].reshape(-1, *seen.shape)]),
        np.concatenate([placed[np.newaxis], drawn[:, seen.size :].reshape(-1, *placed.shape)]),
    )


def _stretch(first: Counted, redrawn: Counted, times: float) -> Counted:
    """The tables of a survey that differs so many times as much; no cell has less than nothing."""
    seen, placed = (np.maximum(one + times * (other - one), 0.0) for one, other in zip(first, redrawn, strict=True))
    return seen, placed


def _worth_below(distribution: Binning, codes: NDArray[Any], direct: NDArray[np.bool_], sampling: Sampling) -> float:
    """The part of a respondent drawn alike that one is worth for shares of people below a piece, at the least.

    Clusters differ in where their people lie. That moves such shares far more than those of single pieces.
    """
    if distribution.rows is None:
        return 1.0
    pieces = prod(distribution.shape)
    edges = np.unique(np.linspace(0, pieces, _STEPS + 1).round())[1:-1, np.newaxis]
    below, likely = (np.arange(pieces) < edges).astype(float), distribution.forward(np.eye(pieces))
    said = np.concatenate([below @ likely / np.maximum(likely.sum(axis=0), np.finfo(float).tiny), below], axis=1)
    known, place = np.unique(codes[direct], return_inverse=True)
    own = np.array([distribution.count_direct(one).argmax() for one in known[:, np.newaxis]], np.intp)
    cell = codes.astype(np.intp)
    cell[direct] = likely.shape[1] + own[place] if len(own) else 0
    shares = np.bincount(cell, sampling.weights, said.shape[1])
    total = shares.sum()
    mean = said @ shares / total
    alike = (said**2 @ shares / total - mean**2) / len(codes)
    parts = ((row[cell] - centre) / total for row, centre in zip(said, mean, strict=True))
    apart = np.diag(sampling.covariance_of(parts, len(said)))
    some = (np.minimum(mean, 1 - mean) > _RARE) & (alike > 0) & (apart > 0)
    return float((alike[some] / apart[some]).min(initial=np.inf))


def _of_worth(distribution: Binning, surveys: Sequence[Counted], n: int, most: float) -> Counted:
    """Stack the weighted tables of the survey and of those redrawn, scaled to their effective number of respondents.

    As many respondents drawn alike would vary as much, on the mean of all pieces (the design effect of Rao and Scott
    1981) and in what the records tell of them: each respondent has noise of their own, also where answers are alike.
    They are worth `most` at the most. A smooth fit and its errors depend on it; other errors are those of the surveys
    redrawn.
    """
    seen, placed = (np.stack([survey[place] for survey in surveys]) for place in (0, 1))
    if distribution.rows is None:
        return seen, placed
    one = np.eye(prod(distribution.shape))
    weights = np.concatenate([distribution.forward(one), one], axis=1)
    everybody = np.concatenate([seen, placed], axis=1)
    shares = everybody / everybody.sum(axis=1, keepdims=True)
    alike = float((weights**2 @ shares[0] - (weights @ shares[0]) ** 2).sum()) / n
    apart = float((shares[1:] @ weights.T).var(axis=0, ddof=1).sum())
    worth = min(alike / apart if apart > 0 else 1.0, most)
    return seen * worth, placed * worth


def _of_both(distribution: Binning, tables: Counted, rng: np.random.Generator) -> Floats:
    """The shares of both groups together, weighted by size: a row for the survey and for each redrawn one."""
    total = np.zeros((len(tables[0]), *distribution.shape))
    n = sum(_table_sizes(table) for table in tables)
    for table, fitted in zip(tables, (_shares_of_disguised, _direct), strict=True):
        if table[0].any():
            total += _by_survey(_table_sizes(table) / n, distribution) * fitted(distribution, table, rng)
    return total


def _shares_of_disguised(distribution: Binning, tables: Floats, rng: np.random.Generator) -> Floats:
    """The shares of true answers for each table of disguised records; the first is the survey itself."""
    if distribution.rows is not None:
        return _smooth(distribution, distribution.forward(np.eye(prod(distribution.shape))), tables, rng)
    counted = _table_sizes(tables) > 0
    shares = np.zeros((len(tables), *distribution.shape))
    fits = most_likely(distribution, tables[counted])
    shares[counted] = np.stack([fit.shares for fit in fits]).reshape(-1, *distribution.shape)
    return shares


def _direct(distribution: Binning, tables: Floats, rng: np.random.Generator) -> Floats:
    """The shares for each table of true answers, of the direct group."""
    if distribution.rows is not None:
        return _smooth(distribution, np.eye(prod(distribution.shape)), tables, rng)
    sizes = _by_survey(_table_sizes(tables), distribution)
    return np.divide(tables, sizes, out=np.zeros_like(tables), where=sizes > 0)


def _smooth(distribution: Binning, channel: Floats, tables: Floats, rng: np.random.Generator) -> Floats:
    """A smooth fit to the first table, and shares drawn from its posterior for all others."""
    fitted = smoothest(channel, tables[0], distribution.rows, distribution.free)
    return np.concatenate([fitted.shares[np.newaxis], fitted.draws(len(tables) - 1, rng)])


def _table_sizes(tables: Floats) -> Floats:
    return tables.reshape(len(tables), -1).sum(axis=1)


def _by_survey(values: Floats, distribution: Binning) -> Floats:
    """Shape one value for each survey so that it multiplies the survey's table of shares."""
    return values.reshape(-1, *[1] * len(distribution.shape))
