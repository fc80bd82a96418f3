"""The most likely distribution behind a channel of one's own."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from candor.results import Result, TextColumns
from privacy.output import counted, strict
from privacy.reconstruct import likelihood as core

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike


class Fit(Result, core.Fit):
    """The most likely distribution, and how it was reached; `candor.em` makes it.

    `shares` has the share of each input; `gap` bounds the log-likelihood that a better one could gain.
    """

    def contents(self) -> Iterator[str | TextColumns]:
        yield TextColumns(["input", "share"], [list(row) for row in enumerate(self.shares.tolist())])
        end = "" if self.converged else "; it has not converged"
        yield f"log-likelihood {self.log_likelihood:.6g} after {counted(self.iterations, 'iteration')}{end}"

    def picture(self) -> str:
        """The share of each input, of which no error is known."""
        from candor import pictures
        from privacy.draw.chart import Axis, Points

        shares = self.shares[: pictures.MOST_ROWS].tolist()
        names = [f"input {place}" for place in range(len(shares))]
        said = [f"{name}: {share:.6g}" for name, share in zip(names, shares, strict=True)]
        points = Points("", shares, range(len(shares)), labels=said)
        return pictures.rows("The most likely shares", names, [points], Axis("share", percent=True, low=0))

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each input."""
        import pandas as pd

        return pd.DataFrame({"input": range(len(self.shares)), "share": self.shares})

    def to_json(self) -> dict[str, Any]:
        """Return the shares, and how they were reached."""
        document: dict[str, Any] = strict(vars(self) | {"shares": self.shares.tolist()})
        return document


def em(channel: "ArrayLike", counts: "ArrayLike", *, limit: int = core.LIMIT) -> Fit:
    """Fit the distribution of a channel's inputs to counts of its outputs, by maximum likelihood.

    Parameters
    ----------
    channel : matrix
        P(output y | input x) at [x, y].
    counts : array
        How often each output was observed.
    limit : int
        The most iterations.

    Returns
    -------
    Fit

    Raises
    ------
    InputError
        Where the channel or the counts are none, or do not fit each other.

    Examples
    --------
    >>> import candor
    >>> fit = candor.em([[0.75, 0.25], [0.25, 0.75]], [60, 40])
    >>> fit.to_frame().round(3)
       input  share
    0      0    0.7
    1      1    0.3
    """
    return Fit(**vars(core.em(channel, counts, limit=limit)))
