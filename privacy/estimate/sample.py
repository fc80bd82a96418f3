"""How respondents were drawn, and what is known of the population, as one argument of all that estimates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """How respondents were drawn, by the names of undisguised columns, and what is known of the population.

    Figures are then those of the population, with the errors of such a sample.

    Parameters
    ----------
    weights, cluster, strata : str, optional
        How many people each respondent stands for, who was drawn together, and the groups that respondents were drawn
        from.
    margins : mapping, optional
        What is known of the population: ``{"margins": {"sex": {"f": 51, "m": 49}, "age": 4150}}`` with the shares of an
        undisguised column, of two as ``sex:age``, or the mean of a number. Weights are made to meet it, by raking or,
        with ``"method": "linear"``, by generalised regression, and errors know it.
    trim : pair of float, optional
        Between how many times those before these weights must stay.

    Examples
    --------
    >>> import candor
    >>> candor.Sample(weights="stands_for", cluster="town").cluster
    'town'
    """

    weights: str | None = None
    cluster: str | None = None
    strata: str | None = None
    margins: Mapping[str, Any] | None = None
    trim: Sequence[float] | None = None
