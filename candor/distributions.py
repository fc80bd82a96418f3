"""How numbers and places are distributed, recovered from disguised records with its error."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from candor import arguments
from candor.results import Result, TextColumns
from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.output import counted, strict
from privacy.reconstruct.distribution import BinShares, reconstruct_distribution
from privacy.reconstruct.sampling import Sampling

if TYPE_CHECKING:
    import pandas as pd

    from privacy.records import Records


@dataclass(frozen=True, repr=False, eq=False)
class Distribution(Result):
    """The share of people in each bin of a number or a place; `candor.distribution` makes it."""

    estimate: BinShares

    @property
    def item(self) -> str:
        return self.estimate.item

    @property
    def n(self) -> int:
        """How many records there are."""
        return self.estimate.n

    @property
    def edges(self) -> Any:
        """Where the bins begin and end."""
        return self.estimate.distribution.edges

    @property
    def shares(self) -> np.ndarray:
        """The share of each bin; of a place in rows from the bottom."""
        return self.estimate.shares

    @property
    def se(self) -> np.ndarray:
        """Their standard errors about the population."""
        return self.estimate.se

    @property
    def figures(self) -> dict[str, Any]:
        """What else is known of it, such as the mean of a number, with the intervals."""
        return self.estimate.figures

    def above(self, threshold: float) -> tuple[float, float, float]:
        """Return the share of people whose number is the threshold or more, and the ends of its interval.

        Parameters
        ----------
        threshold : float
            Inside a bin people are taken to be spread evenly.

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
            raise InputError(f"{self.item!r} is a place; only a number lies above another.")
        edges, level = np.array(self.edges), self.estimate.level
        parts = np.clip((edges[1:] - arguments.number(threshold, "threshold")) / np.diff(edges), 0, 1)
        low, high = np.quantile(self.estimate.draws @ parts, [(1 - level) / 2, (1 + level) / 2])
        return float(self.shares @ parts), float(low), float(high)

    def picture(self) -> str:
        """The histogram of a number, with the interval of each bin."""
        from privacy.draw.histogram import histogram

        if self.shares.ndim > 1:
            return ""
        lows, highs = self.estimate.intervals.tolist()
        parts = list(zip(self.shares.tolist(), lows, highs, strict=True))
        labels = [f"{low:g} to below {high:g}" for low, high in pairwise(self.edges)]
        return histogram(f"Distribution of {self.item}", self.edges, parts, labels)

    def contents(self) -> Iterator[str | TextColumns]:
        estimate = self.estimate
        yield f"{self.item}: {counted(estimate.n, 'record')}, {estimate.direct} of them direct"
        yield TextColumns(*estimate.distribution.table(estimate.shares, estimate.se))
        yield from estimate.distribution.summary(self.figures)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per bin, all digits kept."""
        import pandas as pd

        headings, rows = self.estimate.distribution.table(self.shares, self.se)
        return pd.DataFrame(rows, columns=list(headings))

    def to_json(self) -> dict[str, Any]:
        """Return an entry of `distributions` in the JSON of `candor reconstruct`."""
        document: dict[str, Any] = strict(self.estimate.to_json())
        return document


def distribution(
    records: "Records",
    item: str,
    *,
    bins: int | Sequence[int] | None = None,
    level: float = 0.95,
    seed: int = 0,
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
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
        Of the surveys that are drawn anew from this one for the errors.
    weights, cluster, strata : str, optional
        Open columns that say how respondents were drawn. Shares are then those of the population, and the surveys for
        the errors are drawn anew in the same way.

    Returns
    -------
    Distribution

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
    >>> for weights in (None, "stands_for"):
    ...     print(round(candor.distribution(records, "age", bins=10, weights=weights).above(50)[0], 1))
    0.5
    0.2
    """
    records, item = arguments.records(records), arguments.text(item, "item")
    counts = None if bins is None else arguments.wholes(bins, "bins")
    if counts is not None and len(counts) == 1 and not isinstance(bins, Integral):
        raise InputError(f"bins: {shown(bins)} is a list, as of edges; one count of bins is written without a list.")
    alike = weights is None and cluster is None and strata is None
    drawn = None if alike else Sampling.of(records.open_columns, len(records), weights, cluster, strata)
    level = arguments.number(level, "level")
    return Distribution(reconstruct_distribution(records, item, counts, level, arguments.seed(seed), drawn))
