"""What designs promise: one of them, and several that the same person answered."""

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.results import Result, TextColumns
from privacy import guarantee as core
from privacy.guarantee import ledger as core_ledger
from privacy.output import strict

if TYPE_CHECKING:
    import pandas as pd

    from privacy.design import Design
    from privacy.guarantee.answers import AnswerMeasures
    from privacy.guarantee.crowd import Crowd
    from privacy.guarantee.forged import Forged

_PRIORS = tuple(share / 100 for share in range(101))


@dataclass(frozen=True, repr=False)
class Guarantee(Result):
    """What a design promises to a respondent who answers disguised; `Design.guarantee` makes it.

    Figures are exact fractions; where they are printed or become floats they are rounded so that they never promise too
    much.
    """

    promise: core.Guarantee
    design: "Design"
    shuffled: "Crowd | None" = None
    """What the records of so many people tell about one of them, once nothing tells whose is whose."""
    forged: "tuple[Forged, ...]" = ()
    """How far one forged response of so many moves a figure, by the number of answers in it."""
    measures: "tuple[AnswerMeasures, ...] | None" = None
    """What the stored answer to each question tells on average, of questions with options."""

    @property
    def gamma(self) -> Fraction | float:
        """The largest factor by which a record can change the odds between two true answers; infinity is a float."""
        return self.promise.gamma

    @property
    def odds(self) -> Fraction | float:
        """γ, or for a design that protects only some answers the most that the odds of these can grow."""
        return self.promise.odds

    @property
    def epsilon(self) -> float:
        """The logarithm of γ, rounded up."""
        return self.promise.epsilon

    @property
    def prior(self) -> Fraction:
        return self.promise.prior

    @property
    def posterior(self) -> Fraction:
        """How likely a fact of this prior can at most be thought once the record is seen."""
        return self.promise.posterior

    @property
    def posterior_odds(self) -> Fraction:
        """The same bound by the odds: how likely a fact that is protected can at most be thought."""
        return self.promise.posterior_odds

    @property
    def sentences(self) -> list[str]:
        """The promise in words and frequencies, as respondents read it; rounded so as never to promise too much."""
        return [str(one) for one in core.explain(self.design)]

    def contents(self) -> Iterator[str | TextColumns]:
        one_sided = self.promise.one_sided
        headings = ["", "asked", "gamma", "epsilon", *(["odds"] if one_sided else [])]
        rows: list[list[object]] = []
        for name, asked, gamma, odds in self._lines():
            own = (gamma, core.epsilon(gamma), *([odds] if one_sided else []), core.posterior_bound(self.prior, odds))
            rows.append([name, asked, *(float(core.rounded_up(figure, 6)) for figure in own)])
        yield TextColumns([*headings, f"{float(self.prior):g} becomes at most"], rows)
        for note in core.notes(self.design):
            yield ""
            yield note
        if self.design.arms:
            stronger = float(core.rounded_up(self.design.arms[1].gamma, 6))
            yield ""
            yield (
                f"Half of the devices, drawn by chance, disguise more strongly: gamma {stronger:g} for them. What is "
                "said above is of the others, and holds whichever is drawn."
            )
        if self.design.direct:
            yield ""
            yield "The direct group answers undisguised and has no such protection."
        if self.shuffled is not None:
            yield ""
            yield from self._of_many(self.shuffled)
        if self.measures is not None:
            yield ""
            yield from self._of_answers(self.measures)

    def _of_many(self, crowd: "Crowd") -> Iterator[str | TextColumns]:
        if crowd.epsilon < self.epsilon:
            yield (
                f"Among {crowd.n} people, if nothing tells whose record is whose: epsilon "
                f"{core.rounded_up(crowd.epsilon, 3)} but for a chance of {crowd.delta:g}."
            )
        else:
            yield f"A crowd of {crowd.n} people adds nothing that can be promised."
        yield ""
        yield TextColumns(
            ["answers in a figure", "one forged response moves it by", "forged for 5 points"],
            [[one.length, one.shift, one.needed(0.05) if 0 < one.shift < math.inf else None] for one in self.forged],
        )

    def _of_answers(self, measures: "Sequence[AnswerMeasures]") -> Iterator[str | TextColumns]:
        if measures:
            thought = f"{float(self.prior):g}"
            yield f"What one stored answer tells on average, where the answer named here was thought {thought} likely:"
            yield TextColumns(
                ["", "answer", "bits unknown", "bits told", "stored is true", "two answers differ by"],
                [[one.id, one.answer, one.entropy, one.information, one.true, one.variation] for one in measures],
            )
        if len(measures) < len(self.design.items):
            yield "Numbers and places have too many answers for these figures."

    def picture(self) -> str:
        """What is thought of a fact before a record is seen, against what can at most be thought after."""
        from privacy.draw.chart import Axis, Line, Mark, chart

        bounds = [float(core.posterior_bound(prior, self.odds)) for prior in _PRIORS]
        posterior = float(core.rounded_up(100 * self.posterior_odds, 3))
        return chart(
            "What one record can do to a belief",
            [Line("at most", _PRIORS, bounds), Line("unchanged", (0, 1), (0, 1))],
            Axis("thought likely before", percent=True, low=0, high=1),
            Axis("thought likely after", percent=True, low=0, high=1),
            description=f"{100 * float(self.prior):g} % becomes at most {posterior:g} %.",
            marks=[Mark(f"{100 * float(self.prior):g} %", x=float(self.prior))],
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for the whole record, for each block and for each item alone, rounded outward."""
        import pandas as pd

        rows = [
            [name.strip(), asked, core.outward(gamma), core.epsilon(gamma), core.outward(odds), self._posterior(odds)]
            for name, asked, gamma, odds in self._lines()
        ]
        headings = ["part", "asked", "gamma", "epsilon", "odds", "posterior"]
        return pd.DataFrame(rows, columns=headings).astype({"asked": "Int64"})

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor guarantee`."""
        document = self.promise.to_json()
        if self.shuffled is not None:
            crowd = self.shuffled
            document["shuffled"] = {"epsilon": strict(crowd.epsilon), "delta": crowd.delta, "n": crowd.n}
            document["forged"] = [{"length": one.length, "shift": strict(one.shift)} for one in self.forged]
        if self.measures is not None:
            document["measures"] = [one.to_json() for one in self.measures]
        return document

    def _lines(self) -> Iterator[tuple[str, int | None, core.Gamma, core.Gamma]]:
        asked = sum(block.asked for block in self.promise.blocks)
        yield "whole record", asked, self.gamma, self.promise.odds
        for place, block in enumerate(self.promise.blocks, start=1):
            yield f"block {place}", block.asked, block.gamma, block.odds
            for item in block.items:
                yield f"  {item.id}, alone", None, item.gamma, item.odds

    def _posterior(self, odds: core.Gamma) -> float:
        return core.outward(core.posterior_bound(self.prior, odds))


@dataclass(frozen=True, repr=False)
class Ledger(Result):
    """What one person has given away over several surveys, against a budget; `candor.ledger` makes it."""

    account: core_ledger.Ledger

    @property
    def spent(self) -> Fraction | float:
        """The product of the γ of all surveys."""
        return self.account.spent

    @property
    def odds(self) -> Fraction | float:
        """The product of the odds of all surveys: of those that protect some answers only, what bounds these."""
        return self.account.odds

    @property
    def left(self) -> Fraction:
        """The largest γ that another survey may have; 1 where nothing is left."""
        return self.account.left

    def allows(self, design: "Design") -> bool:
        """Say whether the product with one more design stays within the budget.

        Parameters
        ----------
        design : Design
            What the survey would disguise its answers by.

        Returns
        -------
        bool

        Examples
        --------
        >>> import candor
        >>> wave = candor.models.warner(["drugs"], theta=0.7)
        >>> candor.ledger({"spring": wave}).allows(wave), candor.ledger({"spring": wave}, budget=5).allows(wave)
        (True, False)
        """
        return self.account.allows(arguments.design(design))

    def add(self, name: str, design: "Design") -> "Ledger":
        """Return the ledger after one more survey, also where that goes beyond the budget.

        Parameters
        ----------
        name : str
            What the survey is called.
        design : Design
            What it disguises its answers by.

        Returns
        -------
        Ledger

        Examples
        --------
        >>> import candor
        >>> wave = candor.models.warner(["drugs"], theta=0.7)
        >>> candor.ledger({"spring": wave}).add("autumn", wave)
        survey      gamma   epsilon
        spring    2.33334  0.847298
        autumn    2.33334  0.847298
        together  5.44445    1.6946
        Of a budget of 19 there is left a gamma of 3.4898.
        """
        return Ledger(self.account.add(arguments.text(name, "name"), arguments.design(design)))

    def contents(self) -> Iterator[str | TextColumns]:
        account = self.account
        one_sided = any(entry.odds != entry.gamma for entry in account.entries)
        rows: list[list[object]] = []
        for entry in (*account.entries, self._together):
            figures = (entry.gamma, core.epsilon(entry.gamma), *([entry.odds] if one_sided else []))
            rows.append([entry.name, *(float(core.rounded_up(figure, 6)) for figure in figures)])
        yield TextColumns(["survey", "gamma", "epsilon", *(["odds"] if one_sided else [])], rows)
        yield self._balance()
        if account.odds != account.spent:
            yield ""
            yield (
                "Where gamma is infinite and the odds are not, a survey protects some answers only (such as: did it).\n"
                "The odds that somebody gave a protected answer in any survey, against none, grow over all of them\n"
                f"at most by {float(core.rounded_up(account.odds, 6)):g}; the budget is held against gamma."
            )

    def _balance(self) -> str:
        budget = float(self.account.budget)
        if self.spent > self.account.budget:
            return f"That is beyond the budget of {budget:g}."
        return f"Of a budget of {budget:g} there is left a gamma of {float(self.left):.6g}."

    def picture(self) -> str:
        """The epsilon of each survey, and of it with all before it, against that of the budget; of the last surveys."""
        from candor import pictures
        from privacy.draw.chart import Axis, Mark, Points

        entries = self.account.entries[-pictures.MOST_ROWS :]
        spent = list(accumulate((entry.gamma for entry in self.account.entries), operator.mul))[-pictures.MOST_ROWS :]
        if all(entry.gamma == math.inf for entry in entries):
            return ""
        series = []
        for what, gammas in (("the survey", [entry.gamma for entry in entries]), ("with all before it", spent)):
            figures = [core.epsilon(gamma) for gamma in gammas]
            said = [
                f"{entry.name}, {what}: {float(core.rounded_up(figure, 6)):g}"
                for entry, figure in zip(entries, figures, strict=True)
            ]
            series.append(Points(what, figures, range(len(entries)), labels=said))
        budget = float(self.account.budget)
        return pictures.rows(
            "What each survey gives away",
            [entry.name for entry in entries],
            series,
            Axis("epsilon", low=0),
            self._balance(),
            [Mark(f"budget: a gamma of {budget:g}", x=math.log(budget))],
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per survey: its γ, ε and the odds of its protected answers, rounded outward."""
        import pandas as pd

        rows = [
            [entry.name, core.outward(entry.gamma), core.epsilon(entry.gamma), core.outward(entry.odds)]
            for entry in self.account.entries
        ]
        return pd.DataFrame(rows, columns=["survey", "gamma", "epsilon", "odds"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor guarantee` for several designs."""
        surveys = [{"survey": entry.name, **_figures(entry)} for entry in self.account.entries]
        together, left = _figures(self._together), float(self.left)
        return {"budget": float(self.account.budget), **together, "left": left, "surveys": surveys}

    @property
    def _together(self) -> core_ledger.LedgerEntry:
        return core_ledger.LedgerEntry("together", self.spent, self.odds)


def _figures(entry: core_ledger.LedgerEntry) -> dict[str, Any]:
    return {**core.promised(entry.gamma, entry.odds), "epsilon": strict(core.epsilon(entry.gamma))}


def ledger(designs: "Mapping[str, Design] | Iterable[tuple[str, Design]]", budget: float = 19) -> Ledger:
    """Add up what the same person gives away by answering several surveys: γ multiplies, ε adds up.

    Parameters
    ----------
    designs : mapping of str to Design, or pairs
        Each survey by its name, with the design it disguises by. A survey answered twice counts twice.
    budget : float
        The largest product of γ that is accepted; 19 lets a belief go from 5 % to 50 % at most.

    Returns
    -------
    Ledger

    Examples
    --------
    >>> import candor
    >>> wave = candor.models.warner(["drugs"], theta=0.7)
    >>> candor.ledger({"spring": wave, "autumn": wave})
    survey      gamma   epsilon
    spring    2.33334  0.847298
    autumn    2.33334  0.847298
    together  5.44445    1.6946
    Of a budget of 19 there is left a gamma of 3.4898.
    """
    account = Ledger(core_ledger.Ledger.of(arguments.exact_number(budget, "budget")))
    for name, design in arguments.pairs(designs, "designs"):
        account = account.add(name, design)
    return account
