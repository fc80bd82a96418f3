"""The disguised records that can only be the truth."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from candor.results import MOST_ROWS, Result, TextColumns
from privacy.output import counted, strict
from privacy.reconstruct import group_difference as core

if TYPE_CHECKING:
    import pandas as pd

    from privacy.records import Records


class Leak(Result, core.Leak):
    """Disguised records that can only be the truth in some block; `candor.leak` makes it.

    `rows` are their rows, from 0, and `share` is their share of the disguised records. Only the first rows are printed.
    """

    def contents(self) -> Iterator[str | TextColumns]:
        some = counted(len(self.rows), "record")
        yield f"{some} can only be the truth: {self.share:.4g} of those that are disguised"
        if len(self.rows):
            yield TextColumns(["row"], [[row] for row in self.rows[:MOST_ROWS].tolist()])
        if len(self.rows) > MOST_ROWS:
            yield f"… and {counted(len(self.rows) - MOST_ROWS, 'more row')}"

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each of these records."""
        import pandas as pd

        return pd.DataFrame({"row": self.rows})

    def to_json(self) -> dict[str, Any]:
        """Return the rows and the share."""
        document: dict[str, Any] = strict({"rows": self.rows.tolist(), "share": self.share})
        return document


def leak(records: "Records") -> Leak:
    """List the disguised records that surely tell the truth of a block, such as mixed ones of the grouped model.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.

    Returns
    -------
    Leak

    Raises
    ------
    InputError
        Where these are no records.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 1], "cheating": [0, 1, 0, 1]})
    >>> design = candor.models.grouped(["drugs", "cheating"], p=0.5, theta=0.5)
    >>> candor.leak(candor.disguise(frame, design, seed=2))
    1 record can only be the truth: 0.25 of those that are disguised
    row
      0
    """
    measured = core.leak(records)
    return Leak(measured.rows, measured.share)
