"""The distribution of a number or a place: how true answers are spread over bins, from disguised records."""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats
from privacy.design.distributions import Bins, Distribution
from privacy.errors import InputError
from privacy.reconstruct.likelihood import Fit, climb
from privacy.records import Records

__all__ = ["Shares", "most_likely", "reconstruct_distribution"]

DRAWS = 200
MOST_WORK = 2**22  # bins × draws: fewer surveys are repeated for a fine grid
LEAST_DRAWS = 25
LIMIT = 2_000
TOLERANCE = 1e-2  # in units of log-likelihood: less than anybody could tell from the records


@dataclass(frozen=True)
class Shares:
    """The share of each bin with its standard error about the population; `draws` are those of repeated surveys.

    `seen` and `placed` are the counts that they come from: those of disguised records and of true answers.
    """

    item: str
    n: int
    direct: int
    level: float
    shares: Floats
    se: Floats
    draws: Floats
    seen: Floats
    placed: Floats
    distribution: Distribution

    @property
    def figures(self) -> dict[str, Any]:
        """What else is known of it, such as the mean of a number or the share of a zone, with the errors."""
        return self.distribution.figures(self.seen, self.placed, self.shares, self.draws, self.level)

    def to_json(self) -> dict[str, Any]:
        """Return an entry of `distributions` in the JSON of `candor reconstruct`."""
        own = {"item": self.item, "edges": self.distribution.edges}
        return own | {"shares": self.shares.tolist(), "se": self.se.tolist()} | self.figures


def reconstruct_distribution(
    records: Records, item: str, bins: Bins | None = None, level: float = 0.95, seed: int = 0
) -> Shares:
    """Estimate how the true answers to an item on a grid are distributed.

    Parameters
    ----------
    records : Records
        Disguised records with the design they were disguised by.
    item : str
        A number or a place of the design.
    bins : tuple of int, optional
        How many bins: one count for a number, columns and rows for a place.
    level : float
        The confidence level of the intervals.
    seed : int
        Of the surveys that are drawn anew from this one for the errors (bootstrap).

    Returns
    -------
    Shares

    Raises
    ------
    InputError
        Where the item has options and no grid, or there is nobody to tell of.
    """
    design = records.design
    column = design.column(item)
    of_bins = design.blocks[design.place(column)[0]].distribution
    if of_bins is None:
        raise InputError(f"{item!r} has options; ask for patterns of it, or for its table.")
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    if not len(records):
        raise InputError("There are no records to reconstruct from.")
    distribution = of_bins(bins)
    codes = records.codes[:, column]
    seen = distribution.seen(codes[~records.direct])
    placed = distribution.placed(codes[records.direct])
    shares = distribution.binned(_stratified(distribution, seen[np.newaxis], placed[np.newaxis]))[0]
    rng = np.random.default_rng(seed)
    count = max(LEAST_DRAWS, min(DRAWS, MOST_WORK // prod(distribution.shape)))
    groups = _redrawn(rng, seen, placed, count)
    draws = distribution.binned(_stratified(distribution, *groups))
    se = draws.std(axis=0, ddof=1)
    return Shares(item, len(records), int(records.direct.sum()), level, shares, se, draws, seen, placed, distribution)


def most_likely(distribution: Distribution, seen: Floats) -> list[Fit]:
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


def _stratified(distribution: Distribution, seen: Floats, placed: Floats) -> Floats:
    """k·P₀ + (1 − k)·P₁ for each pair of tables: the direct group as it answered, the disguised one reconstructed."""
    disguised = seen.reshape(len(seen), -1).sum(axis=1)
    direct = placed.reshape(len(placed), -1).sum(axis=1)
    shares = placed.copy()
    told = disguised > 0
    if told.any():
        fits = most_likely(distribution, seen[told])
        of_disguised = np.stack([fit.shares for fit in fits]).reshape(-1, *distribution.shape)
        weights = disguised[told].reshape(-1, *[1] * len(distribution.shape))
        shares[told] += weights * of_disguised
    total: Floats = (disguised + direct).reshape(-1, *[1] * len(distribution.shape))
    return shares / total


def _redrawn(rng: np.random.Generator, seen: Floats, placed: Floats, count: int) -> tuple[Floats, Floats]:
    """Surveys of as many respondents, drawn from these; who answers directly is chance, too."""
    both = np.concatenate([seen.ravel(), placed.ravel()])
    tables = rng.multinomial(int(both.sum()), both / both.sum(), size=count).astype(float)
    return tables[:, : seen.size].reshape(-1, *seen.shape), tables[:, seen.size :].reshape(-1, *placed.shape)
