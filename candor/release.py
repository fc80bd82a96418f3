"""How recognisable a table makes people, and what it tells of them, before it leaves the house."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from candor import arguments
from candor.results import Result, TextColumns
from privacy import release as core
from privacy.errors import InputError
from privacy.output import strict

if TYPE_CHECKING:
    import pandas as pd

_MEANING = {
    "k": "the smallest class",
    "l, distinct": "the fewest sensitive values in a class",
    "l, entropy": "the same, counted by how evenly they occur",
    "t": "how far a class is from the whole table, at most",
    "discernibility": "the sum of squared class sizes",
    "average class": "records per class",
    "unicity": "the share of records that are alone in their class",
    "prosecutor": "the chance to find somebody known to be in the table, at most",
    "journalist": "the same without knowing that, at most",
    "marketer": "the share of all people that are found, on average",
    "homogeneity": "the share of records whose class tells the sensitive value",
}


@dataclass(frozen=True, repr=False)
class Measures(Result):
    """What a table gives away as it stands; `candor.measure` makes it."""

    classes: core.Classes
    measures: core.Measures
    attacks: tuple[core.Attack, ...]

    @property
    def k(self) -> int:
        """How many records the smallest class has."""
        return self.measures.k

    def told(self) -> Iterator[str | TextColumns]:
        classes, rows = self.classes, self._rows()
        hidden = f", {classes.suppressed} records suppressed" if classes.suppressed else ""
        yield f"{classes.records} records in {len(classes.sizes)} classes{hidden}"
        yield TextColumns(["measure", "value", ""], [[name, value, _MEANING[name]] for name, value in rows])
        if self.measures.recursive:
            yield ""
            yield "Recursive (c, l)-diversity holds for every c above these"
            yield TextColumns(["l", "c"], list(self.measures.recursive.items()))
        yield ""
        yield TextColumns(
            ["attack", "tried", "succeeded", "share"],
            [[attack.name, attack.tried, attack.succeeded, attack.share] for attack in self.attacks],
        )

    def picture(self) -> str:
        """The share of records in classes up to each size."""
        from privacy.draw.chart import Axis, Line, chart

        sizes, counts = np.unique(self.classes.sizes, return_counts=True)
        shares = np.cumsum(sizes * counts) / self.classes.records
        return chart(
            "How many records share their class with few others",
            [Line("", sizes.tolist(), shares.tolist(), markers=len(sizes) < 30)],
            Axis("records in the class, at most", log=True),
            Axis("share of records", percent=True, low=0),
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per measure."""
        import pandas as pd

        more = [(f"c, l = {length}", c) for length, c in self.measures.recursive.items()]
        return pd.DataFrame([*self._rows(), *more], columns=["measure", "value"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor measure`."""
        document: dict[str, Any] = strict(
            {"metrics": self.measures.to_json(), "attacks": [attack.to_json() for attack in self.attacks]}
        )
        return document

    def _rows(self) -> list[tuple[str, float]]:
        measures = self.measures
        return [
            ("k", measures.k),
            ("l, distinct", measures.distinct),
            ("l, entropy", measures.entropy),
            ("t", measures.t),
            ("discernibility", measures.discernibility),
            ("average class", measures.average_class),
            ("unicity", measures.unicity),
            ("prosecutor", measures.prosecutor),
            ("journalist", measures.journalist),
            ("marketer", measures.marketer),
            ("homogeneity", measures.homogeneity),
        ]


def measure(frame: "pd.DataFrame", quasi: Sequence[str], sensitive: str) -> Measures:
    """Measure how recognisable a table makes people, and how diverse what it tells of them is.

    Parameters
    ----------
    frame : DataFrame
        A row per person. A row whose quasi-identifiers are all ``*`` is suppressed.
    quasi : sequence of str
        The columns that others may know: the quasi-identifiers.
    sensitive : str
        The column that they may not learn.

    Returns
    -------
    Measures

    Raises
    ------
    InputError
        Where a column is missing or named twice, or there are no rows.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 20, 30, 30], "disease": ["flu", "cold", "flu", "flu"]})
    >>> candor.measure(frame, ["age"], "disease").to_frame().head(3)
           measure  value
    0            k    2.0
    1  l, distinct    1.0
    2   l, entropy    1.0
    """
    import pandas as pd

    frame, names = arguments.frame(frame), list(arguments.texts(quasi, "quasi"))
    sensitive = arguments.text(sensitive, "sensitive")
    columns = {}
    for name in {*names, sensitive} & set(frame.columns):
        if not isinstance(frame[name], pd.Series):
            raise InputError(f"frame: the column {name!r} stands twice.")
        columns[name] = frame[name].to_numpy(dtype=object, copy=True)
        if not all(isinstance(value, Hashable) for value in columns[name]):
            raise InputError(f"frame: the column {name!r} holds what is neither a number nor text.")
        columns[name][frame[name].isna()] = None  # who has no value is told apart by that, as by a value
    return measured(columns, names, sensitive)


def measured(columns: "dict[str, np.ndarray]", quasi: Sequence[str], sensitive: str) -> Measures:
    """Measure a table that is given by its columns."""
    for place, name in enumerate((*quasi, sensitive)):
        if name not in columns:
            raise InputError(f"The table has no column {name!r}.")
        if name in (*quasi, sensitive)[:place]:
            raise InputError(f"The column {name!r} is named twice.")
    classes = core.classes_of([columns[name] for name in quasi], columns[sensitive])
    return Measures(classes, core.measure(classes), core.attacks(classes))
