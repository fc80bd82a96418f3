"""What is printed of careless people: how many there are, and figures of the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from privacy.choices import DEVICE, EACH, ONES, SAME
from privacy.compliance.following import Following, plain_is_as_good
from privacy.output import count_of, to_json_value
from privacy.reconstruct.anchors import Interval
from privacy.result import DataFrame, Result, TextColumns, data_frame

_ASSUMED = {
    None: "Assumed: all these items are alike to careless people; each of them answers by a rate of their own, or by "
    "one button. Corrected figures are of the others. Nothing tells how many press yes and no in turn, unless each "
    "person gets the items in an order of their own.",
    EACH: "Assumed: a careless person answers all these items so, each by itself and with one rate of yes. Corrected "
    "figures are of the others.",
    SAME: "Assumed: a careless person answers all these items so, by one button for all of them. Corrected figures are "
    "of the others.",
    ONES: "Assumed: a careless person presses the same button in both looks. Who presses anything stays unseen.",
}
AT_LEAST = (
    "Nothing finds people concerned who hide by pressing the other button: of a share, read the low end as “at least”."
)


@dataclass(frozen=True)
class AttentiveFigure:
    """A share, or the confidence of a rule: as everybody answered, and of attentive people.

    Where one anchor cannot tell how many are careless, there is no `attentive` figure, and it lies `between` two.
    """

    figure: str
    n: int
    answered: float
    answered_se: float
    attentive: float | None
    se: float | None
    between: Interval | None
    ci: Interval
    plain: float | None = None  # of those who answered directly, where the others drew themselves

    @property
    def plain_is_as_good(self) -> bool:
        """Whether those who answered directly say as much, with fewer people."""
        if self.plain is None or self.attentive is None or self.se is None:
            return False
        return plain_is_as_good(self.attentive, self.se, self.plain)

    @property
    def feasible(self) -> float | None:
        """The share within 0 and 1 that is nearest."""
        return None if self.attentive is None else min(max(self.attentive, 0.0), 1.0)

    def to_json(self) -> dict[str, Any]:
        names = ("figure", "n", "answered", "answered_se", "attentive", "feasible", "se")
        between = list(self.between) if self.between else None
        found = {name: getattr(self, name) for name in names} | {"between": between, "ci": list(self.ci)}
        return found | ({} if self.plain is None else {"plain": self.plain, "plain_is_as_good": self.plain_is_as_good})


@dataclass(frozen=True, repr=False)
class Careless(Result):
    """How many answer without reading, their rate of yes, and figures of the others; `candor.careless` makes it.

    `share` and `rate` are None where one anchor alone cannot tell them; then their intervals say what it leaves open.
    `given` is whether the rate was given; `presses` is None where figures hold whatever careless people press;
    `fits` is whether the anchors agree with what is assumed, and None where they do not tell. `most` is the bound on
    the share of careless people that was then assumed. `following` is of people who draw themselves: how far anchors
    lie from what they are where all follow the draw.
    """

    n: int
    estimator: str
    disguiser: str
    level: float
    share: float | None
    share_ci: Interval
    rate: float | None
    rate_ci: Interval
    given: bool
    presses: str | None
    fits: bool | None
    most: float | None
    figures: tuple[AttentiveFigure, ...]
    following: Following | None = None

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.n, 'record')}; {self.estimator} estimator"
        yield _share_line("Careless people", self.share, self.share_ci)
        of = "Their rate of yes" if self.disguiser == DEVICE else "Their rate of records that say yes"
        if self.given and self.rate is not None:
            yield f"{of}: {self.rate:.4g}, as given"
        elif self.rate is not None or self.share is None:
            yield _share_line(of, self.rate, self.rate_ci)
        if self.following:
            yield from self.following.lines()
        yield ""
        of_all, own = ["of all", "se"], ["of attentive", "se"] if self.share is not None else ["at least", "at most"]
        rows = []
        for one in self.figures:
            answered, corrected = [one.answered, one.answered_se], [*(one.between or (one.attentive, one.se))]
            ends = one.ci if np.isfinite(one.ci).all() else (None, None)  # infinite ones tell nothing
            own_first = [*corrected, *ends, *answered]
            rows.append([one.figure, one.n, *(own_first if self.following else [*answered, *corrected, *ends])])
        heads = [*own, "low", "high", *of_all] if self.following else [*of_all, *own, "low", "high"]
        yield TextColumns(["figure", "n", *heads], rows)
        yield ""
        if self.most is not None:
            yield f"One anchor alone cannot tell more. At most {self.most:.4g} are assumed to be careless."
        yield _ASSUMED[self.presses]
        if self.fits is False and self.presses is None:
            yield "The anchors contradict that: careless people seem to tell these items apart."
        elif self.fits is False:
            other = SAME if self.presses == EACH else EACH
            yield f"The anchors contradict that: their answers go together otherwise. Compare with presses {other}."
        if self.following:
            yield AT_LEAST
        for one in self.figures:
            if one.plain_is_as_good:
                yield f"{one.figure}: a plain question was as good, with fewer people; {one.plain:.4f} of them said so."

    def to_frame(self) -> DataFrame:
        """Return a row for each figure."""
        return data_frame(self.to_json()["figures"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor careless`."""
        said = {name: getattr(self, name) for name in ("n", "estimator", "disguiser", "level")}
        said["careless"] = {"share": self.share, "ci": list(self.share_ci)}
        said["rate"] = {"share": self.rate, "ci": list(self.rate_ci), "given": self.given}
        said |= {name: getattr(self, name) for name in ("presses", "fits", "most")}
        following = {} if self.following is None else {"following": self.following.to_json()}
        return to_json_value(said | {"figures": [one.to_json() for one in self.figures]} | following)


def _share_line(of: str, share: float | None, ci: Interval) -> str:
    ends = f"{ci[0]:.4f} to {ci[1]:.4f}"
    return f"{of}: {ends}" if share is None else f"{of}: {share:.4f} ({ends})"
