"""A regression on disguised answers: from respondents and words to coefficients with their error."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from privacy.choices import FAMILIES
from privacy.errors import EntryError, InputError
from privacy.reconstruct.intervals import standard_errors, two_sided
from privacy.reconstruct.sampling import Sampling
from privacy.regress.fit import Parameter, Ratio, by_least_squares, by_likelihood
from privacy.regress.respondents import Respondents
from privacy.regress.task import Task, check, read_task

__all__ = ["Coefficient", "Likelier", "Regression", "regress"]


@dataclass(frozen=True)
class Coefficient:
    name: str
    estimate: float
    se: float
    ci: tuple[float, float]
    p: float

    def to_json(self) -> dict[str, Any]:
        return vars(self) | {"ci": list(self.ci)}


@dataclass(frozen=True)
class Likelier:
    """How many times as likely a logistic outcome is where a literal holds, with the interval of that.

    It is the mean chance of all respondents if it held of everybody, over that if of nobody, all else as it is.
    """

    name: str
    estimate: float
    ci: tuple[float, float]


@dataclass(frozen=True)
class Regression:
    """Coefficients with their error; `share` is the mean chance of a logistic outcome."""

    n: int
    direct: int
    left_out: int  # respondents without an answer, open or disguised, that the regression needs
    outcome: str
    family: str
    level: float
    errors: str  # how they were found: model, robust or clustered
    loglik: float | None
    coefficients: tuple[Coefficient, ...]
    covariance: tuple[tuple[float, ...], ...]
    share: Parameter | None
    parameters: tuple[Parameter, ...]
    notes: tuple[str, ...]
    ratios: tuple[Likelier, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON of `candor regress`."""
        return vars(self) | {
            "coefficients": [coefficient.to_json() for coefficient in self.coefficients],
            "covariance": [list(row) for row in self.covariance],
            "share": self.share and {"estimate": self.share.estimate, "se": self.share.se},
            "parameters": [vars(parameter) for parameter in self.parameters],
            "notes": list(self.notes),
            "ratios": [vars(one) | {"ci": list(one.ci)} for one in self.ratios],
        }


def regress(
    respondents: Respondents,
    outcome: str,
    on: Sequence[str] = (),
    family: str = "logistic",
    *,
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
    robust: bool = False,
    sampling: Sampling | None = None,
    level: float = 0.95,
    least: int = 1,
) -> Regression:
    """Explain one answer by others, where any of them may be disguised.

    Parameters
    ----------
    respondents : Respondents
        Disguised records with their open columns.
    outcome : str
        An open column, or a literal such as "drugs" or "age=50+".
    on : sequence of str
        The predictors: open numbers, literals, `direct`, and products "a:b" of them.
    family : {"logistic", "linear"}
        Logistic: by likelihood. Linear: by a normal likelihood where the outcome is open; where it is disguised, by
        least squares on unbiased weights.
    weights, cluster, strata : str, optional
        Columns that say how respondents were drawn; errors are then those of the sample.
    sampling : Sampling, optional
        The same, read already.
    robust : bool
        Whether errors hold even if the model of the outcome's spread does not.
    level : float
        Of the intervals.
    least : int
        The fewest respondents about whom anything is reported.

    Returns
    -------
    Regression

    Raises
    ------
    InputError
        Where a name is unknown, or the records cannot tell the coefficients; the sentence says why.

    Examples
    --------
    >>> from privacy.design import Design
    >>> from privacy.records import Records
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> codes = np.array([[1]] * 40 + [[0]] * 60 + [[1]] * 60 + [[0]] * 40, np.uint8)
    >>> old = np.repeat([0.0, 1.0], 100)
    >>> people = Respondents.of_records(Records(design, codes, np.zeros(200, bool), {"old": old}))
    >>> [round(one.estimate, 3) for one in regress(people, "drugs", ["old"]).coefficients]  # log .3/.7, log .7/.3 − …
    [-0.847, 1.695]
    """
    if family not in FAMILIES:
        raise InputError(f"family: {family!r} is none of {', '.join(FAMILIES)}.")
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    if not len(respondents):
        raise InputError("There are no records to fit a regression to.")
    robust = robust or sampling is not None or not (weights is None and cluster is None and strata is None)
    if sampling is None:
        sampling = Sampling.of(respondents.columns, len(respondents), weights, cluster, strata)
    task = read_task(respondents, outcome, on, family, sampling, robust)
    if task.n < least:
        raise EntryError(
            "{n} respondents answered all of this, and nothing is reported about fewer than {least}.",
            n=task.n,
            least=least,
        )
    check(task)
    by_weights = family == "linear" and bool(task.outcome.literals)
    fitted = by_least_squares(task) if by_weights else by_likelihood(task)
    robust = robust or by_weights
    estimates = task.back @ fitted.estimates
    covariance = task.back @ fitted.covariance @ task.back.T
    freedom, wider = (float(task.sampling.freedom) if robust else np.inf), 1.0
    if fitted.spent and not robust:
        freedom = float(max(task.n - fitted.spent, 1))
        wider = math.sqrt(task.n / freedom)  # the likelihood divides squares by n; least squares by what is left of it
    coefficients = [
        _coefficient(term.name, estimate, se, freedom, wider, level)
        for term, estimate, se in zip(
            task.terms, estimates.tolist(), np.sqrt(np.diag(covariance)).tolist(), strict=True
        )
    ]
    direct = int(task.hidden.direct.sum())
    return Regression(
        n=task.n,
        direct=direct,
        left_out=len(respondents) - task.n,
        outcome=outcome,
        family=family,
        level=level,
        errors="clustered" if cluster is not None else "robust" if robust else "model",
        loglik=fitted.loglik,
        coefficients=tuple(coefficients),
        covariance=tuple(tuple(row) for row in covariance.tolist()),
        share=fitted.share,
        parameters=fitted.parameters,
        notes=tuple(_notes(task, direct)),
        ratios=tuple(_likelier(one, standard_errors(level, freedom)) for one in fitted.ratios),
    )


def _coefficient(name: str, estimate: float, se: float, freedom: float, wider: float, level: float) -> Coefficient:
    """With Student's t of so many degrees of freedom, and errors so much wider than those that are printed."""
    reach = wider * standard_errors(level, freedom)
    z = abs(estimate) / (se * wider) if se > 0 else np.inf
    p = float(two_sided(np.float64(z), freedom))
    return Coefficient(name, estimate, se, (estimate - reach * se, estimate + reach * se), p)


def _likelier(ratio: Ratio, reach: float) -> Likelier:
    low, estimate, high = (math.exp(min(ratio.log + side * reach * ratio.se, 700.0)) for side in (-1, 0, 1))
    return Likelier(ratio.name, estimate, (low, high))


def _notes(task: Task, direct: int) -> Iterator[str]:
    if 0 < direct < task.n and not _told_apart(task):
        yield (
            "Direct and disguised respondents are taken to answer alike, which is an assumption: they chose their "
            "group themselves. Add direct to the predictors to let them differ."
        )
    if task.outcome.literals and task.family == "linear":
        yield "Least squares on unbiased weights: the errors allow for their spread, and there is no likelihood."


def _told_apart(task: Task) -> bool:
    """Whether the open predictors, `direct` or a column that says the same, tell the two groups apart."""
    open_terms = task.open_parts[:, [not term.literals for term in task.terms]]
    direct = task.hidden.direct.astype(float)
    rest = direct - open_terms @ np.linalg.lstsq(open_terms, direct, rcond=None)[0]
    return bool(np.abs(rest).max() < 1e-6)
