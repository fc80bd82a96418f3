"""Whether records follow their design in what is public of them, and what forged ones could move."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.results import Result, TextColumns
from privacy.guarantee import traces as core
from privacy.output import counted, strict

if TYPE_CHECKING:
    import pandas as pd

    from privacy.records import Records


@dataclass(frozen=True, repr=False)
class Traces(Result):
    """Tests of what forged records leave; `candor.traces` makes it."""

    traces: core.Traces

    @property
    def found(self) -> bool:
        """Whether some test finds that the records do not follow the design."""
        return bool(self.traces.departing)

    def contents(self) -> Iterator[str | TextColumns]:
        tests = self.traces.tests
        yield counted(self.traces.n, "record")
        rows = [[test.block, test.of, test.n, test.at, test.p, test.corrected] for test in tests]
        yield TextColumns(["block", "test of", "n", "farthest off", "p", "corrected p"], rows)
        for test in tests:
            if test.of in (core.ANCHOR, core.ARMS):
                yield from _power(test)
        yield ""
        if self.found:
            yield "The records do not follow the design: responses may be forged, or a device did not disguise."
        else:
            yield "Nothing speaks against the design. Records that were forged with care leave no trace."

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each test."""
        import pandas as pd

        return pd.DataFrame(self.to_json()["tests"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor traces`."""
        document: dict[str, Any] = strict(self.traces.to_json())
        return document


def _power(test: core.Trace) -> Iterator[str]:
    """What such a test can find at all."""
    kinds = [("devices that do not disguise", test.bypass), ("random answers", test.random)]
    parts = [f"{kind} from {100 * share:.2g} % on" for kind, share in kinds if share is not None]
    yield ""
    yield f"The test of {test.of} finds {' and '.join(parts) or 'neither'} in four surveys of five."


def traces(records: "Records", *, anchors: Mapping[str, float] | None = None, other: "Records | None" = None) -> Traces:
    """Test whether records follow their design in what is public of them.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    anchors : mapping of str to float, optional
        Answers, such as ``drugs`` or ``age=50+``, with the share that is known of the disguised respondents.
    other : Records, optional
        Those of a second arm: of respondents whom the lot gave another design.

    Returns
    -------
    Traces
        For each block whether what was asked, answers by what else was asked, and the answers themselves can have come
        from the design, whatever is true of the respondents; then whether anchors come out as known, and arms alike.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> design = candor.models.improved_grouped(["drugs", "cheating", "theft"], p=0.5, theta=0.5, ask=2)
    >>> frame = pd.DataFrame({"drugs": [0] * 900, "cheating": [0] * 900, "theft": [0] * 900})
    >>> candor.traces(candor.disguise(frame, design, seed=1)).found
    False
    """
    given = [] if anchors is None else arguments.pairs(anchors, "anchors")
    known = {
        arguments.text(answer, "anchors"): arguments.number(share, f"anchors[{answer!r}]") for answer, share in given
    }
    return Traces(core.traces(arguments.records(records), known, None if other is None else arguments.records(other)))
