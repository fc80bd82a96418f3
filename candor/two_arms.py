"""Whether two arms of different strength tell the same shares."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.results import Result, TextColumns
from privacy.output import counted, strict
from privacy.reconstruct import arms as core

if TYPE_CHECKING:
    import pandas as pd

    from privacy.records import Records


@dataclass(frozen=True, repr=False)
class Arms(Result):
    """Two arms held against each other; `candor.arms` makes it."""

    arms: core.Arms

    @property
    def alike(self) -> bool | None:
        """Whether nothing speaks against the same shares in both arms; None where there is nothing to compare."""
        return self.arms.alike

    def contents(self) -> Iterator[str | TextColumns]:
        arms = self.arms
        yield f"{counted(arms.n[0], 'record')} of the weaker arm, {arms.n[1]} of the stronger one"
        if arms.drawn < core.LEVEL:
            yield f"Chance shares them out so unevenly in few surveys (p = {arms.drawn:.2g})."
        if not arms.answers:
            yield "There are not two arms to compare."
            return
        rows = [
            [one.answer, one.weaker, one.stronger, one.difference, *one.ci, one.p, one.share, one.share_se]
            for one in arms.answers
        ]
        headings = ["answer", "weaker", "stronger", "difference", "from", "to", "corrected p", "of both", "se"]
        yield TextColumns(headings, rows)
        yield ""
        yield f"All answers together: p = {arms.p:.3g}."
        kinds = [("devices that do not disguise", arms.bypass), ("records drawn at random", arms.noise)]
        parts = [f"{kind} from {100 * share:.2g} % on" for kind, share in kinds if share is not None]
        yield f"Such a test finds {' and '.join(parts) or 'nothing'} in four surveys of five."
        yield ""
        if not self.alike:
            yield "The arms tell different shares: devices do not disguise as they say, or responses are forged."
        else:
            yield "Nothing speaks against the arms. People who answer at random move both alike, and are not seen here."

    def picture(self) -> str:
        """The difference of the arms in each answer, with its interval."""
        from candor import pictures

        answers = self.arms.answers[: pictures.MOST_ROWS]
        return pictures.differences(
            "Weaker less stronger arm, with its interval",
            [one.answer for one in answers],
            [one.difference for one in answers],
            [one.ci for one in answers],
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each answer."""
        import pandas as pd

        return pd.json_normalize(self.to_json()["answers"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor arms`."""
        document: dict[str, Any] = strict(self.arms.to_json())
        return document


def arms(records: "Records", *, least: int = 1) -> Arms:
    """Say whether the two arms of a design tell the same shares, as honest devices do.

    Parameters
    ----------
    records : Records
        With the open column ``arm``, as `candor.disguise` makes it and ``read_records(…, open_columns=True)`` reads it.
    least : int
        Answers that fewer of either arm were asked are left out.

    Returns
    -------
    Arms
        Of each answer both shares, their difference with its interval, and what both arms tell together; p of all
        differences, and what such a test can find.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> block = {"keep": 0.6, "stronger": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}
    >>> design = candor.Design.parse({"blocks": [block]})
    >>> frame = pd.DataFrame({"drugs": [1] * 600 + [0] * 1400})
    >>> candor.arms(candor.disguise(frame, design, seed=3)).alike
    True
    """
    return Arms(core.arms(arguments.records(records), arguments.whole(least, "least")))
