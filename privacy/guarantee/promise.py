"""What a design promises, as exact numbers rounded so that they never promise too much.

γ and ε are those of `privacy.guarantee.bounds`. The blocks of a design use randomness of their own, so a respondent's γ
is the product over blocks, and some record reaches it.

A kind of block may protect one of an item's two answers alone. Its γ is infinite then, and `odds` is what it does
promise: how much the odds of the protected answers can grow. Where every answer is protected, the odds are γ.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from privacy.design import Block, Design, arguments
from privacy.design.design import require_design
from privacy.design.gammas import Gamma, at_least, outward, round_up
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.guarantee.bounds import epsilon, figures, posterior_bound, probability
from privacy.guarantee.sentences import explain, notes
from privacy.output import to_json_value
from privacy.result import DataFrame, Result, TextColumns, data_frame

if TYPE_CHECKING:
    from privacy.guarantee.crowd import Crowd
    from privacy.guarantee.forged import Forged

_PRIORS = tuple(share / 100 for share in range(101))
_ZONE = ("left", "bottom", "width", "height")


@dataclass(frozen=True, repr=False)
class Guarantee(Result):
    """What a design promises to a respondent who answers disguised; `candor.guarantee` makes it.

    Figures are exact fractions; where they are printed or become floats they are rounded so that they never promise too
    much.
    """

    design: Design
    prior: Fraction
    shuffled: "Crowd | None" = None
    """What the records of so many people tell about one of them, once nothing tells whose is whose."""
    forged: "tuple[Forged, ...]" = ()
    """How far one forged response of so many moves a figure, by the number of answers in it."""

    @property
    def gamma(self) -> Gamma:
        """The largest factor by which a record can change the odds between two true answers; infinity is a float."""
        return self.design.gamma

    @property
    def odds(self) -> Gamma:
        """γ; for a design that protects only some answers, the largest factor by which the odds of these can grow."""
        return self.design.odds

    @property
    def leaves_open(self) -> bool:
        """Whether some answers are not protected, so that the odds of the protected ones are the promise."""
        return self.odds != self.gamma

    @property
    def epsilon(self) -> float:
        """The logarithm of γ, rounded up."""
        return epsilon(self.gamma)

    @property
    def posterior(self) -> Fraction:
        """The largest probability that somebody who sees the record can give a fact of this prior."""
        return posterior_bound(self.prior, self.gamma)

    @property
    def posterior_odds(self) -> Fraction:
        """The largest probability that somebody who sees the record can give a protected fact, by the odds."""
        return posterior_bound(self.prior, self.odds)

    @property
    def sentences(self) -> list[str]:
        """The promise in words and frequencies, as respondents read it; rounded so as never to promise too much."""
        return [str(one) for one in explain(self.design)]

    def contents(self) -> Iterator[str | TextColumns]:
        headings = ["", "asked", "gamma", "epsilon", *(["odds"] if self.leaves_open else [])]
        rows: list[list[object]] = []
        for name, asked, gamma, odds in self._promises():
            own = (gamma, epsilon(gamma), *([odds] if self.leaves_open else []), posterior_bound(self.prior, odds))
            rows.append([name, asked, *(float(round_up(figure, 6)) for figure in own)])
        yield TextColumns([*headings, f"{float(self.prior):g} becomes at most"], rows)
        for note in notes(self.design):
            yield ""
            yield note
        for block in (block for block in self.design.blocks if "epsilon_zones" in block.figures):
            yield ""
            zones = (block.figures[name] for name in ("merged", "epsilon_zones", "epsilon_within"))
            rows = [[*zone[:4], *factors] for zone, *factors in zip(*zones, strict=True)]
            yield TextColumns([*_ZONE, "epsilon against any other place", "within the zone"], rows)
        if self.design.direct:
            yield ""
            yield "The direct group answers undisguised and has no such protection."
        if self.shuffled is not None:
            yield ""
            yield from self._say_crowd(self.shuffled)

    def _say_crowd(self, crowd: "Crowd") -> Iterator[str | TextColumns]:
        if crowd.epsilon < self.epsilon:
            yield (
                f"Among {crowd.n} people, if records cannot be linked to people: epsilon "
                f"{round_up(crowd.epsilon, 3)} but for a chance of {crowd.delta:g}."
            )
        else:
            yield f"A crowd of {crowd.n} people adds nothing that can be promised."
        yield ""
        rows = [[one.length, one.shift, one.needed(0.05) if 0 < one.shift < math.inf else None] for one in self.forged]
        yield TextColumns(["answers in a figure", "one forged response moves it by", "forged for 5 points"], rows)

    def picture(self) -> str:
        """Draw the belief in a fact before a record is seen against the largest possible belief after."""
        from privacy.draw.chart import Axis, Line, Mark, chart

        bounds = [float(posterior_bound(prior, self.odds)) for prior in _PRIORS]
        posterior = float(round_up(100 * self.posterior_odds, 3))
        return chart(
            "What one record can do to a belief",
            [Line("at most", _PRIORS, bounds), Line("unchanged", (0, 1), (0, 1))],
            Axis("thought likely before", percent=True, low=0, high=1),
            Axis("thought likely after", percent=True, low=0, high=1),
            description=f"{100 * float(self.prior):g} % becomes at most {posterior:g} %.",
            marks=[Mark(f"{100 * float(self.prior):g} %", x=float(self.prior))],
        )

    def to_frame(self) -> DataFrame:
        """Return a row for the whole record, for each block and for each item alone, rounded outward."""
        rows: list[list[object]] = []
        for name, asked, gamma, odds in self._promises():
            posterior = outward(posterior_bound(self.prior, odds))
            rows.append([name.strip(), asked, outward(gamma), epsilon(gamma), outward(odds), posterior])
        headings = ["part", "asked", "gamma", "epsilon", "odds", "posterior"]
        return data_frame(rows, columns=headings).astype({"asked": "Int64"})

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor guarantee`: floats rounded outward, "Infinity" where there is no protection."""
        # Most items of a block are disguised alike: what they promise is rounded once.
        said, posteriors = cache(figures), cache(partial(_posteriors, self.prior))
        document: dict[str, Any] = {
            **said(self.gamma, self.odds),
            "prior": float(self.prior),
            **posteriors(self.gamma, self.odds),
            "blocks": [
                {
                    **said(block.gamma, block.odds),
                    **posteriors(block.gamma, block.odds),
                    "asked": block.items_per_person,
                    **block.figures,
                    "items": [
                        {"id": name, **said(gamma, odds), **posteriors(gamma, odds)}
                        for name, gamma, odds in _promises_of_items(block)
                    ],
                }
                for block in self.design.blocks
            ],
        }
        if self.shuffled is not None:
            crowd = self.shuffled
            document["shuffled"] = {"epsilon": to_json_value(crowd.epsilon), "delta": crowd.delta, "n": crowd.n}
            document["forged"] = [{"length": one.length, "shift": to_json_value(one.shift)} for one in self.forged]
        return document

    def _promises(self) -> Iterator[tuple[str, int | None, Gamma, Gamma]]:
        """For the whole record, each block and each item alone: its name, how many items are asked, γ and odds."""
        asked = sum(block.items_per_person for block in self.design.blocks)
        yield "whole record", asked, self.gamma, self.odds
        for index, block in enumerate(self.design.blocks, start=1):
            yield f"block {index}", block.items_per_person, block.gamma, block.odds
            for name, gamma, odds in _promises_of_items(block):
                yield f"  {name}, alone", None, gamma, odds


def guarantee(
    design: Design,
    prior: float | Fraction = Fraction(1, 20),
    respondents: int | None = None,
    delta: float | None = None,
) -> Guarantee:
    """Return what a design promises to those who answer disguised.

    Parameters
    ----------
    design : Design
        The design that disguises their answers.
    prior : float
        How likely a fact was thought before the answer was seen.
    respondents : int, optional
        How many answer disguised: then also what a crowd of them adds, and how far one forged response moves a figure.
        Where undisguised answers are published with the records, the smallest crowd that shares all of them.
    delta : float, optional
        Of the crowd: the chance that more is revealed, 1e-6 where none is given.

    Returns
    -------
    Guarantee
        γ, ε and how likely the fact can be thought afterwards: in total, per block and per item.

    Raises
    ------
    InputError
        Where the prior is no share.

    Examples
    --------
    >>> import candor
    >>> candor.guarantee(candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6), prior=0.05)
                       asked    gamma   epsilon  0.05 becomes at most
    whole record           2  3.67858   1.30253              0.162205
    block 1                2  3.67858   1.30253              0.162205
      drugs, alone         -  2.07143  0.728239             0.0983051
      cheating, alone      -  2.07143  0.728239             0.0983051
    <BLANKLINE>
    The direct group answers undisguised and has no such protection.
    """
    require_design(design)
    if delta is not None and respondents is None:
        raise InputError(f"delta: {quote(delta)} goes with respondents.")
    before = probability(arguments.exact_number(prior, "prior"))
    made = Guarantee(design, before)
    if respondents is None:
        return made
    from privacy.guarantee.crowd import promise_of_crowd
    from privacy.guarantee.forged import effects_of_forgery

    n = arguments.whole_number(respondents, "respondents")
    crowd = promise_of_crowd(design, n, 1e-6 if delta is None else arguments.number(delta, "delta"))
    return replace(made, shuffled=crowd, forged=tuple(effects_of_forgery(design, n)))


def _promises_of_items(block: Block) -> Iterator[tuple[str, Gamma, Gamma]]:
    """For each item its name, and the γ and the odds of its disguised answer alone."""
    for index, item in enumerate(block.items):
        yield item.id, block.item_gamma(index), block.item_odds(index)


def _posteriors(prior: Fraction, gamma: Gamma, odds: Gamma) -> dict[str, float]:
    """For JSON: how likely a fact of this prior can become, by γ, and by the odds where these differ."""
    bounds = {"posterior": gamma} | ({} if odds == gamma else {"posterior_odds": odds})
    return {name: at_least(posterior_bound(prior, factor)) for name, factor in bounds.items()}
