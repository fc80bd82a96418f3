"""Fitting a task: by least squares where a line explains the outcome itself, and by likelihood in other families.

A likelihood's maximum is found by Newton's method; where its curvature is not concave, along the nearest concave one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from privacy.arrays import Floats
from privacy.choices import NORMAL
from privacy.errors import EntryError, InputError
from privacy.regress.hidden import states_of
from privacy.regress.least_squares import least_squares
from privacy.regress.likelihood import Likelihood
from privacy.regress.task import RegressionTask

LIMIT = 200
GAIN = 1e-11  # of log-likelihood that a step could still bring: an estimate is then exact to 5e-6 standard errors
LAST = 2  # steps from there: each doubles the digits, so that they do not depend on the order of the records
LONGEST = 4.0


@dataclass(frozen=True)
class Maximum:
    parameters: Floats
    height: float
    scores: Floats  # of each row
    curvature: Floats
    converged: bool


def maximise(
    evaluate: Callable[[Floats], tuple[float, Floats, Floats]],
    height_of: Callable[[Floats], float],
    weight: Floats,
    start: Floats,
) -> Maximum:
    """Find the parameters with the largest height from `start` on; a change of about 1 in any is a large one."""
    parameters = start
    height, scores, curvature = evaluate(parameters)
    for _ in range(LIMIT):
        gradient = weight @ scores
        step, concave = _step(gradient, curvature)
        if concave and gradient @ step < GAIN * max(1.0, abs(height) * 1e-3):
            for _ in range(LAST):
                parameters = parameters + step
                height, scores, curvature = evaluate(parameters)
                step, concave = _step(weight @ scores, curvature)
            return Maximum(parameters, height, scores, curvature, concave)
        longest = float(np.abs(step).max())
        step = step * min(1.0, LONGEST / max(longest, 1e-300))
        share = 1.0
        while share > 1e-9 and not height_of(parameters + share * step) > height:
            share /= 4
        if share <= 1e-9:
            return Maximum(parameters, height, scores, curvature, concave and bool(gradient @ step < 1e-6))
        parameters = parameters + share * step
        height, scores, curvature = evaluate(parameters)
    return Maximum(parameters, height, scores, curvature, False)


def _step(gradient: Floats, curvature: Floats) -> tuple[Floats, bool]:
    """Newton's step, turned upwards where the curvature is not concave; and whether it is concave."""
    roots, axes = np.linalg.eigh(-curvature)
    largest = max(float(np.abs(roots).max()), 1e-300)
    step: Floats = axes @ ((axes.T @ gradient) / np.maximum(np.abs(roots), 1e-9 * largest))
    return step, bool(roots[0] > -1e-8 * max(roots[-1], 1e-300))


Places = NDArray[np.intp]
LARGEST_SE = 25.0  # a standard error, for one standard deviation of a predictor, from which on it is not reported
CERTAIN = 1e-8  # of the most that is known of any combination of parameters: below it nothing is


@dataclass(frozen=True)
class ModelParameter:
    """A figure of the model that is no coefficient."""

    name: str
    estimate: float
    se: float


@dataclass(frozen=True)
class Ratio:
    """How many times as likely a logistic outcome is where a literal holds: the logarithm of that, with its error."""

    name: str
    log: float
    se: float


@dataclass(frozen=True)
class Fitted:
    """The coefficients of a task's terms with their covariance; `share` is the mean chance of a logistic outcome.

    `spent` is how many parameters the mean of a normal outcome took, whose spread is estimated from what they leave.
    `divisors`: of least squares, for each coefficient of the terms as they were given, the error of the divisor that it
    has, as a part of that divisor, and its correlation with the coefficient.
    """

    estimates: Floats
    covariance: Floats
    loglik: float | None = None
    share: ModelParameter | None = None
    parameters: tuple[ModelParameter, ...] = ()
    spent: int = 0
    ratios: tuple[Ratio, ...] = ()
    divisors: tuple[tuple[float, float], ...] = ()


def by_weights(task: RegressionTask) -> Fitted:
    """Solve least squares with unbiased weights."""
    if task.parameter:
        raise InputError(
            f"Least squares needs a known {task.parameter}; give it in the options, or take another family."
        )
    weights = task.sampling.weights
    beta, parts, divisors = least_squares(
        task.hidden, task.marks, task.terms, task.outcome, weights, contrasts=task.back
    )
    together = task.sampling.covariance(np.hstack([parts, divisors])) / weights.sum() ** 2
    size = len(beta)
    own = np.sqrt(np.diag(task.back @ together[:size, :size] @ task.back.T))
    of_divisor = np.sqrt(np.diag(together)[size:])
    beside = np.diag(task.back @ together[:size, size:])
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.where(of_divisor * own > 0, beside / (of_divisor * own), 0.0)
    return Fitted(
        beta, together[:size, :size], divisors=tuple(zip(of_divisor.tolist(), correlation.tolist(), strict=True))
    )


def by_likelihood(task: RegressionTask) -> Fitted:
    return _FITS[task.family](task, *_problem(task))


def _logistic(task: RegressionTask, problem: Likelihood, row_of: Places) -> Fitted:
    size = len(task.terms)
    maximum = maximise(problem.evaluate, problem.likelihood, problem.weight, np.zeros(sum(problem.sizes)))
    covariance, influence = _covariance(task, maximum, row_of)
    error_of = partial(_error_over_people, task, covariance, influence, row_of)
    mean, *moved = problem.mean(maximum.parameters)
    share = ModelParameter("share", mean, error_of(*moved))
    parameters = _model_parameters(task, problem, maximum, covariance)
    ratios = tuple(_ratios(task, problem, maximum.parameters, error_of))
    return Fitted(maximum.parameters[:size], covariance[:size, :size], maximum.height, share, parameters, ratios=ratios)


def _error_over_people(
    task: RegressionTask, covariance: Floats, influence: Floats | None, row_of: Places, gradient: Floats, apart: Floats
) -> float:
    """The error of a mean over respondents: of its coefficients, and because they are drawn with what they say openly.

    `apart` is how far the figure of each row lies from the mean. Where the model is believed both are independent.
    """
    parts = apart[row_of] / task.sampling.weights.sum()
    if influence is not None:
        return float(np.sqrt(task.sampling.covariance((influence @ gradient + parts)[:, np.newaxis])[0, 0]))
    return float(np.sqrt(gradient @ covariance @ gradient + task.sampling.weights @ parts**2))


def _ratios(
    task: RegressionTask, problem: Likelihood, parameters: Floats, error_of: Callable[[Floats, Floats], float]
) -> Iterator[Ratio]:
    """For each literal the ratio of everybody's mean chance if it held to that if not, all else being as it is.

    Other literals of the same question do not hold then; none of a question that stands in a product, too.
    """
    questions = task.questions
    for column, question in enumerate(questions):
        same = [index for index, other in enumerate(questions) if other == question]
        if question is None or question in task.in_products:
            continue
        means = []
        for holds in (True, False):
            terms, marks = problem.terms.copy(), problem.marks.copy()
            for place in same:
                terms[:, place] = task.level(place, holds and place == column)
                marks[:, place] = 1.0
            means.append(replace(problem, terms=terms, marks=marks).mean(parameters))
        (on, by_on, own_on), (off, by_off, own_off) = means
        error = error_of(by_on / on - by_off / off, own_on / on - own_off / off)
        yield Ratio(task.terms[column].name, float(np.log(on / off)), error)


def _model_parameters(
    task: RegressionTask, problem: Likelihood, maximum: Maximum, covariance: Floats
) -> tuple[ModelParameter, ...]:
    """The estimate and error of the share that a task's model leaves to be fitted, such as γ; empty without one."""
    if not task.parameter:
        return ()
    place = sum(problem.sizes[:2])
    value = float(expit(maximum.parameters[place]))
    return (ModelParameter(task.parameter, value, value * (1 - value) * float(np.sqrt(covariance[place, place]))),)


def _normal(task: RegressionTask, problem: Likelihood, row_of: Places) -> Fitted:
    """Fit a normal outcome by likelihood, in its own standard deviations, starting from least squares."""
    size = len(task.terms)
    assert problem.outcome is not None
    centre = float(problem.weight @ problem.outcome / problem.weight.sum())
    unit = float(np.sqrt(problem.weight @ (problem.outcome - centre) ** 2 / problem.weight.sum()))
    standard = replace(problem, outcome=(problem.outcome - centre) / unit)
    start = np.zeros(sum(problem.sizes))
    with suppress(InputError):  # the likelihood may still tell what the weights do not
        start[:size] = (by_weights(task).estimates - np.eye(size)[0] * centre) / unit
    maximum = maximise(standard.evaluate, standard.likelihood, standard.weight, start)
    covariance, _ = _covariance(task, maximum, row_of)
    estimates = maximum.parameters[:size] * unit
    estimates[0] += centre
    sigma = float(np.exp(maximum.parameters[-1])) * unit
    spread = ModelParameter("sigma", sigma, sigma * float(np.sqrt(covariance[-1, -1])))
    parameters = (*_model_parameters(task, problem, maximum, covariance), spread)
    height = maximum.height - float(problem.weight.sum() * np.log(unit))
    spent = sum(problem.sizes) - 1  # all but sigma
    return Fitted(estimates, covariance[:size, :size] * unit**2, height, None, parameters, spent)


def _ordinal(task: RegressionTask, problem: Likelihood, row_of: Places) -> Fitted:
    """Fit an outcome with an order by likelihood; its parameters are the intercepts of more than its higher values."""
    size = len(task.terms)
    count = problem.fixed.shape[2] - 2
    first = sum(problem.sizes) - count
    maximum = maximise(problem.evaluate, problem.likelihood, problem.weight, np.zeros(sum(problem.sizes)))
    covariance, _ = _covariance(task, maximum, row_of)
    gaps = np.exp(maximum.parameters[first:])
    moves = np.zeros((count, len(maximum.parameters)))
    moves[:, :size], moves[:, first:] = task.back[0], -np.tril(np.ones((count, count))) * gaps
    values = task.back[0] @ maximum.parameters[:size] - np.cumsum(gaps)
    errors = np.sqrt(np.einsum("cp,pq,cq->c", moves, covariance, moves))
    rows = zip(task.outcome_names[1:-1], values.tolist(), errors.tolist(), strict=True)
    intercepts = [ModelParameter(f"more than {name}", value, se) for name, value, se in rows]
    parameters = (*_model_parameters(task, problem, maximum, covariance), *intercepts)
    return Fitted(maximum.parameters[:size], covariance[:size, :size], maximum.height, None, parameters)


_FITS = {"logistic": _logistic, "ordinal": _ordinal, "normal": _normal}


def _problem(task: RegressionTask) -> tuple[Likelihood, Places]:
    """Collect the likelihood's data, one row for all respondents who are alike; return also each respondent's row."""
    hidden, outcome = task.hidden, task.outcome
    answer = task.marks[outcome.literals[0]][0] if outcome.literals else None
    others = [index for index in range(len(hidden.sizes)) if index != answer]
    sizes = [hidden.sizes[place] for place in others]
    states = states_of(sizes)
    full = np.zeros((len(states), len(hidden.sizes)), np.intp)
    full[:, others] = states
    levels = [np.eye(size)[column][:, 1:] for size, column in zip(sizes, states.T, strict=True)]
    lines = [] if task.independent else [column for column, term in enumerate(task.terms) if not term.literals][1:]
    columns = [*task.open_parts.T, *([] if outcome.literals else [outcome.values])]
    row_of, first = _different([hidden.pattern, *columns])
    tables: list[Floats | None] = []
    numeric = task.family == NORMAL
    for table in hidden.tables:
        arranged = None if table is None else _arrange(table, hidden.sizes, others, answer)[hidden.pattern[first]]
        if arranged is not None and numeric:
            arranged = arranged[..., 0]
        elif arranged is not None and outcome.literals:
            arranged = arranged[..., task.outcome_values]
        elif arranged is not None:  # an open outcome is its own record
            places = np.searchsorted(task.outcome_values, outcome.values[first])
            arranged = arranged * np.eye(len(task.outcome_values))[places][:, np.newaxis]
        tables.append(arranged)
    fixed, moving = tables
    assert fixed is not None
    problem = Likelihood(
        np.bincount(row_of, task.sampling.weights, minlength=len(first)).astype(float),
        task.open_parts[first],
        task.term_marks(full),
        task.open_parts[first][:, lines],
        np.concatenate(levels, axis=1) if levels else np.zeros((1, 0)),
        fixed,
        moving,
        outcome.values[first] if numeric else None,
    )
    return problem, row_of


def _arrange(table: Floats, sizes: tuple[int, ...], others: Sequence[int], answer: int | None) -> Floats:
    """Turn a table over all states into patterns × states of the predictors × classes of the outcome."""
    last = [] if answer is None else [answer + 1]
    turned = table.reshape(len(table), *sizes).transpose(0, *(place + 1 for place in others), *last)
    return turned.reshape(len(table), -1, 1 if answer is None else sizes[answer])


def _different(columns: Sequence[NDArray[Any]]) -> tuple[Places, Places]:
    """Number the distinct rows and return one row of each; if most rows are distinct, keep all of them apart."""
    rows = len(columns[0])
    key = np.zeros(rows, np.int64)
    first = np.arange(rows)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        _, first, key = np.unique(key * len(values) + place.ravel(), return_index=True, return_inverse=True)
        key = key.ravel()
        if len(first) > rows / 2:
            return np.arange(rows), np.arange(rows)
    return key, first


def _covariance(task: RegressionTask, maximum: Maximum, row_of: Places) -> tuple[Floats, Floats | None]:
    """The covariance of the coefficients: the inverse of the observed information, or the robust one built on it.

    With the robust one what each respondent has in them comes along.

    The information is about the parameters of π, too, the chances of the states of the hidden predictors. Directions of
    which the records tell nothing are left out where they change π alone; where one changes a coefficient, the
    regression is refused.
    """
    size = len(task.terms)
    roots, axes = np.linalg.eigh(-maximum.curvature)
    known = roots > CERTAIN * max(float(roots[-1]), 1e-300)
    lost = (axes[:size, ~known] ** 2).sum(axis=1)
    if not maximum.converged or lost.max() > 1e-4:
        raise _no_estimate(task, lost)
    covariance: Floats = (axes[:, known] / roots[known]) @ axes[:, known].T
    influence = maximum.scores[row_of] @ covariance if task.robust else None
    if influence is not None:
        covariance = task.sampling.covariance(influence)
    variance = np.diag(covariance)[:size]
    if (variance <= 0).any():  # the scores of so few clusters leave a direction without any error
        raise EntryError(
            "There are too few clusters for the error of {name!r}: use fewer predictors, or leave the clusters out.",
            name=task.terms[int(np.argmin(variance))].name,
        )
    spread = np.sqrt(variance)
    if spread.max() > LARGEST_SE:
        raise _no_estimate(task, spread)
    return covariance, influence


def _no_estimate(task: RegressionTask, unknown: Floats) -> EntryError:
    """Return the error that names the term the records tell least about; the intercept only if it is alone."""
    name = task.terms[1 + int(np.argmax(unknown[1:])) if len(unknown) > 1 else 0].name
    if task.hidden.sizes and not task.hidden.direct.all():
        return EntryError(
            "{n} respondents answered all of this, too few to estimate {name!r} under this disguise: nearly any "
            "coefficient fits the records. More respondents, fewer predictors or less disguise are needed.",
            n=task.together,
            name=name,
        )
    return EntryError(
        "{name!r} separates the outcome {outcome!r}: no finite coefficient fits best. Leave it out, or join its "
        "values.",
        name=name,
        outcome=task.outcome.name,
    )
