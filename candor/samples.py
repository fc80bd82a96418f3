"""How many respondents are needed, before any is asked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.designs import Design
from candor.results import Result, TextColumns
from privacy.output import strict
from privacy.plan import power as core

if TYPE_CHECKING:
    import pandas as pd


class TwoSamples(Result, core.TwoSamples):
    """The unrelated question with θ unknown; `candor.two_samples` makes it.

    `support` and `se` are of the sensitive question, `theta` and `se_theta` of the innocent one.
    """

    def contents(self) -> Iterator[str | TextColumns]:
        yield TextColumns(["question", "support", "se"], self._rows())

    def _rows(self) -> list[list[object]]:
        return [["sensitive", self.support, self.se], ["innocent", self.theta, self.se_theta]]

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each question."""
        import pandas as pd

        return pd.DataFrame(self._rows(), columns=["question", "support", "se"])

    def to_json(self) -> dict[str, Any]:
        """Return the four figures."""
        document: dict[str, Any] = strict(vars(self))
        return document


def power(
    design: Design, pattern: str, *, respondents: int, support: float, null: float, alpha: float = 0.05, sides: int = 1
) -> float:
    """Say how likely a test of `support = null` rejects it, when the support is another.

    Parameters
    ----------
    design : Design
        What the answers are disguised by.
    pattern : str
        One literal, such as ``drugs`` or ``age=30-49``, or a pattern under one coin.
    respondents : int
        How many answer disguised. Where a block asks each of them some of its items, those who are asked all of the
        pattern are a share of these.
    support : float
        The true share.
    null : float
        The share that is tested.
    alpha : float
        The level of the test.
    sides : int
        1 or 2.

    Returns
    -------
    float

    Examples
    --------
    >>> import candor
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> round(candor.power(design, "drugs", respondents=5_000, support=0.10, null=0.05), 3)
    0.689
    """
    return core.power(
        arguments.whole(respondents, "respondents"),
        arguments.number(support, "support"),
        arguments.number(null, "null"),
        _line(design, pattern),
        arguments.number(alpha, "alpha"),
        arguments.whole(sides, "sides"),
    )


def sample_size(
    design: Design, pattern: str, *, power: float, support: float, null: float, alpha: float = 0.05, sides: int = 1
) -> int:
    """Find the fewest disguised respondents with which a test of `support = null` has the power wanted.

    Parameters
    ----------
    design : Design
        What the answers are disguised by.
    pattern : str
        One literal, such as ``drugs`` or ``age=30-49``, or a pattern under one coin.
    power : float
        How likely the test is to reject the null.
    support : float
        The true share.
    null : float
        The share that is tested.
    alpha : float
        The level of the test.
    sides : int
        1 or 2.

    Returns
    -------
    int

    Examples
    --------
    >>> import candor
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> candor.sample_size(design, "drugs", power=0.8, support=0.10, null=0.05)
    6770
    """
    return core.sample_size(
        arguments.number(power, "power"),
        arguments.number(support, "support"),
        arguments.number(null, "null"),
        _line(design, pattern),
        arguments.number(alpha, "alpha"),
        arguments.whole(sides, "sides"),
    )


def two_samples(yes: tuple[int, int], sizes: tuple[int, int], p: tuple[float, float]) -> TwoSamples:
    """Estimate the supports of both questions from two samples that were asked with different `p`, θ being unknown.

    λᵢ = pᵢ·π + (1 − pᵢ)·θ are two equations in two unknowns (Greenberg and others 1969).

    Parameters
    ----------
    yes : pair of int
        How many said yes in each sample.
    sizes : pair of int
        How many were asked; the errors are unknown where it is one.
    p : pair of float
        The chance of the sensitive question in each sample.

    Returns
    -------
    TwoSamples

    Raises
    ------
    InputError
        Where these are not pairs, more say yes than were asked, or both chances are the same.

    Examples
    --------
    >>> import candor
    >>> candor.two_samples(yes=(333, 477), sizes=(1000, 1000), p=(0.7, 0.3))
    question   support         se
    sensitive    0.225  0.0286594
    innocent     0.585  0.0298301
    """
    return TwoSamples(**vars(core.two_samples(yes, sizes, p)))


def _line(design: Design, pattern: str) -> core.MatchLine:
    return core.seen_through(arguments.design(design), arguments.text(pattern, "pattern"))
