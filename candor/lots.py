"""What the disguise changes, where a lot drew who was asked to answer directly."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.results import Result, TextColumns
from privacy.output import strict
from privacy.reconstruct import lot as core

if TYPE_CHECKING:
    import pandas as pd

    from privacy.records import Records


@dataclass(frozen=True, repr=False)
class Lot(Result):
    """The groups that a lot made; `candor.lot` makes it."""

    lot: core.Lot

    @property
    def changed(self) -> tuple[str, ...]:
        """The answers that the disguise changes, whoever declined."""
        return tuple(effect.kept.answer for effect in self.lot.changed)

    def contents(self) -> Iterator[str | TextColumns]:
        lot = self.lot
        yield f"{lot.direct} of {lot.n} answered directly; the lot gives {lot.share * lot.n:.4g} on average"
        if not lot.effects:
            yield "There are not two groups to compare."
            return
        yield f"Of those who were drawn up to {lot.declined:.1%} may have declined."
        if lot.p < core.LEVEL:
            yield f"So many direct answers come of the lot in few surveys (p = {lot.p:.2g})."
        rows = [
            [
                effect.kept.answer,
                effect.kept.direct,
                effect.kept.disguised,
                *effect.kept.ci,
                effect.kept.corrected,
                *effect.ci,
                effect.p,
            ]
            for effect in lot.effects
        ]
        kept, anyway = ["from", "to", "p, nobody declined"], ["from", "to", "p, whoever declined"]
        yield TextColumns(["answer", "direct", "disguised", *kept, *anyway], rows)
        yield ""
        if self.changed:
            yield f"The disguise changes what people say of {', '.join(self.changed)}."
        elif lot.differing:
            yield "The groups differ; those who declined could explain it as well as the disguise."
        else:
            yield "No difference is found, which does not show that there is none."

    def picture(self) -> str:
        """The difference of the groups in each answer, with its interval whoever declined."""
        from candor import pictures

        effects = self.lot.effects[: pictures.MOST_ROWS]
        return pictures.differences(
            "Direct less disguised, with the interval whoever declined",
            [effect.kept.answer for effect in effects],
            [effect.kept.direct - effect.kept.disguised for effect in effects],
            [effect.ci for effect in effects],
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each answer."""
        import pandas as pd

        return pd.json_normalize(self.to_json()["effects"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor lot`."""
        document: dict[str, Any] = strict(self.lot.to_json())
        return document


def lot(records: "Records", share: float, *, least: int = 1) -> Lot:
    """Say whether the disguise changes what people say, where a lot drew who was asked to answer directly.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave, with direct and disguised respondents.
    share : float
        The chance of being drawn, as the questionnaire has published it (``lot`` in the codebook).
    least : int
        Answers that fewer of either group were asked are left out.

    Returns
    -------
    Lot
        For each answer the difference of the groups, direct less disguised, as if everybody who was drawn had answered
        directly; and the interval of what the disguise changes whoever declined.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> design = candor.models.warner(["drugs"], theta=0.8)
    >>> answers = pd.DataFrame({"drugs": [0, 0, 0, 1] * 500})
    >>> records = candor.disguise(answers, design, direct=0.5, seed=1)
    >>> candor.lot(records, 0.5).changed
    ()
    """
    return Lot(core.lot(arguments.records(records), arguments.number(share, "share"), arguments.whole(least, "least")))
