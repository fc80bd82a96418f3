"""A regression on disguised answers: from respondents and words to coefficients with their error."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.choices import FAMILIES, LINEAR
from privacy.design import Design, arguments
from privacy.design.block import Block
from privacy.draw.bars import ForestRow, forest
from privacy.errors import EntryError, InputError
from privacy.estimate.intervals import fieller, standard_errors, two_sided
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.output import to_json_value
from privacy.regress.fit import ModelParameter, Ratio, by_likelihood, by_weights
from privacy.regress.respondents import Respondents
from privacy.regress.task import RegressionTask, check, read_task
from privacy.result import DataFrame, Result, TextColumns, data_frame

WIDTH = 560  # of the picture
_USUAL = 0.95  # level: to such ends of what chances may be p is worked out, whatever the level of intervals is
_FACTORS = {"logistic": "odds", "ordinal": "odds"}  # that a coefficient is the logarithm of
_TAKEN = {  # for granted, by families that see a disguised predictor in how the outcome spreads
    "ordinal": "one of proportional odds: a predictor changes the odds of more than any value by one factor",
    "normal": "normal, with one spread for everybody, given the predictors",
}


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
class ChanceRatio:
    """How many times as likely a logistic outcome is where a literal holds, with the interval of that.

    It is the mean chance of all respondents if it held of everybody, over that if of nobody, all else as it is.
    """

    name: str
    estimate: float
    ci: tuple[float, float]


@dataclass(frozen=True, repr=False)
class Regression(Result):
    """Coefficients with their error; `candor.regress` makes it. `share` is the mean chance of a logistic outcome."""

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
    share: ModelParameter | None
    parameters: tuple[ModelParameter, ...]
    notes: tuple[str, ...]
    ratios: tuple[ChanceRatio, ...] = ()

    def contents(self) -> Iterator[str | TextColumns]:
        left_out = f", {self.left_out} left out" if self.left_out else ""
        people = f"{self.n} respondents, {self.direct} of them direct{left_out}"
        yield f"{self.family} regression of {self.outcome}: {people}"
        factor = [_FACTORS[self.family]] if self.family in _FACTORS else []
        rows: list[list[object]] = []
        for coefficient in self.coefficients:
            factors = [float(np.exp(coefficient.estimate))] if factor else []
            rows.append(
                [coefficient.name, coefficient.estimate, coefficient.se, *coefficient.ci, coefficient.p, *factors]
            )
        yield TextColumns(["", "estimate", "se", "low", "high", "p", *factor], rows)
        for parameter in self.parameters:
            yield f"{parameter.name} {parameter.estimate:.6g}, se {parameter.se:.6g}"
        if self.share:
            yield f"mean share of {self.outcome} {self.share.estimate:.6g}, se {self.share.se:.6g}"
        spread = {"model": "the model's", "robust": "robust", "clustered": "robust, by cluster"}[self.errors]
        yield f"errors: {spread}" + ("" if self.loglik is None else f"; log-likelihood {self.loglik:.3f}")
        yield from self.notes
        unknown = ", ".join(coefficient.name for coefficient in self.coefficients if math.isnan(coefficient.estimate))
        if unknown:
            yield (
                f"Nothing can be said about {unknown}: the disguise leaves so little of a predictor that these records "
                "fit any coefficient."
            )

    def picture(self) -> str:
        """The coefficients but the intercept, with intervals; or the factors of odds."""
        coefficients, factor = self.coefficients[1:], _FACTORS.get(self.family)
        shown = math.exp if factor else float
        known = [coefficient for coefficient in coefficients if not math.isnan(coefficient.estimate)]
        rows = [ForestRow(one.name, shown(one.estimate), shown(one.ci[0]), shown(one.ci[1])) for one in known]
        none = (1.0, f"the same {factor}") if factor else (0.0, "no difference")
        return forest(f"What goes with {self.outcome}", rows, none, log=bool(factor), width=WIDTH) if rows else ""

    def to_frame(self) -> DataFrame:
        """Return a row per coefficient."""
        rows = [
            [coefficient.name, coefficient.estimate, coefficient.se, *coefficient.ci, coefficient.p]
            for coefficient in self.coefficients
        ]
        return data_frame(rows, columns=["name", "estimate", "se", "low", "high", "p"])

    def to_json(self) -> dict[str, Any]:
        return to_json_value(
            vars(self)
            | {
                "coefficients": [coefficient.to_json() for coefficient in self.coefficients],
                "covariance": [list(row) for row in self.covariance],
                "share": self.share and {"estimate": self.share.estimate, "se": self.share.se},
                "parameters": [vars(parameter) for parameter in self.parameters],
                "notes": list(self.notes),
                "ratios": [vars(ratio) | {"ci": list(ratio.ci)} for ratio in self.ratios],
            }
        )


def regression_of(
    respondents: Respondents,
    outcome: str,
    on: Sequence[str] = (),
    family: str = "logistic",
    *,
    sample: Sample | Sampling | None = None,
    robust: bool = False,
    level: float = 0.95,
    least: int = 1,
) -> Regression:
    """Do what `regress` does, for respondents who are read already.

    Arguments are those of `regress`. A linear or Poisson regression is fitted by equations of unbiased weights, which
    take nothing for granted of the outcome's spread; the other families are fitted by likelihood.

    >>> from privacy.design import Design
    >>> from privacy.records import Records
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> codes = np.array([[1]] * 40 + [[0]] * 60 + [[1]] * 60 + [[0]] * 40, np.uint8)
    >>> old = np.repeat([0.0, 1.0], 100)
    >>> people = Respondents.of_records(Records(design, codes, np.zeros(200, bool), {"old": old}))
    >>> fitted = regression_of(people, "drugs", ["old"])  # log .3/.7, log .7/.3 − …
    >>> [round(one.estimate, 3) for one in fitted.coefficients]
    [-0.847, 1.695]
    """
    arguments.choice(family, "family", FAMILIES)
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    if not len(respondents):
        raise InputError("There are no records to fit a regression to.")
    columns, rows = respondents.columns, len(respondents)
    robust = robust or sample is not None
    sampling = Sampling.of(sample or Sample(), columns, rows)
    assert sampling is not None
    task = read_task(respondents, outcome, on, family, sampling, robust)
    if task.n < least:
        raise EntryError(
            "{n} respondents answered all of this; nothing is reported about fewer than {least}.",
            n=task.together,
            least=least,
        )
    check(task)
    weighted = family == LINEAR
    fitted = (by_weights if weighted else by_likelihood)(task)
    robust = robust or weighted
    estimates = task.back @ fitted.estimates
    covariance = task.back @ fitted.covariance @ task.back.T
    left = max(task.n - len(task.terms), 1)  # of those who answered all of it
    freedom, wider = (float(min(task.sampling.freedom, left)) if robust else np.inf), 1.0
    if fitted.spent and not robust:
        freedom = float(max(task.n - fitted.spent, 1))
        wider = math.sqrt(task.n / freedom)  # the likelihood divides squares by n; least squares by what is left of it
    errors = np.sqrt(np.diag(covariance))
    logs = np.array([ratio.log for ratio in fitted.ratios])

    def fit(others: Respondents) -> np.ndarray:
        own = read_task(others, outcome, on, family, sampling, robust)
        again = (by_weights if weighted else by_likelihood)(own)
        return np.array([*(own.back @ again.estimates), *(ratio.log for ratio in again.ratios)])

    def move_ends(level: float) -> list[list[float]]:
        return np.transpose(_reach_of_chances(respondents, np.array([*estimates, *logs]), fit, level)).tolist()

    apart = move_ends(level)
    usual = apart if level == _USUAL else move_ends(_USUAL)
    coefficients = [
        _coefficient(term.name, estimate, se, divisor, freedom, wider, level, *own)
        for term, estimate, se, divisor, *own in zip(
            task.terms,
            estimates.tolist(),
            errors.tolist(),
            fitted.divisors or [(0.0, 0.0)] * len(errors),
            apart[: len(errors)],
            usual[: len(errors)],
            strict=True,
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
        errors="clustered" if sample is not None and sample.cluster is not None else "robust" if robust else "model",
        loglik=fitted.loglik,
        coefficients=tuple(coefficients),
        covariance=tuple(tuple(row) for row in covariance.tolist()),
        share=fitted.share,
        parameters=fitted.parameters,
        notes=tuple(_notes(task, direct)),
        ratios=tuple(
            _chance_ratio(ratio, standard_errors(level, freedom), own)
            for ratio, own in zip(fitted.ratios, apart[len(errors) :], strict=True)
        ),
    )


def _coefficient(
    name: str,
    estimate: float,
    se: float,
    divisor: tuple[float, float],
    freedom: float,
    wider: float,
    level: float,
    moved: Sequence[float],
    usual: Sequence[float],
) -> Coefficient:
    """The coefficient with an interval and p by Student's t of this `freedom`, for errors `wider` times the `se`.

    A value is in the interval where a test does not reject it. With the relative error of the divisor and its
    correlation with the coefficient (`divisor`), a value that lies x below the estimate has the error of x·D̂ (Fieller
    1954); where that of D̂ leaves no end, there is no figure.
    How far wrong chances may move it down and up: `moved` at the interval's level, `usual` for p.
    """
    relative, correlation = divisor
    beside = correlation * se * relative

    def variance(apart: float) -> float:
        return (se * wider) ** 2 + 2 * apart * beside + (apart * relative) ** 2

    spread = np.array([variance(estimate), beside + estimate * relative**2, relative**2])
    whole = np.array([estimate, 1.0])
    low, high = fieller(whole[0], whole[1], (spread[0], spread[1], spread[2]), standard_errors(level, freedom))
    if not np.isfinite(low):
        return Coefficient(name, math.nan, math.nan, (-math.inf, math.inf), math.nan)
    below, above = moved
    least = max(abs(estimate) - usual[0 if estimate > 0 else 1], 0.0)
    error = math.sqrt(max(variance(math.copysign(least, estimate)), 0.0))
    z = min(least / error if error > 0 else np.inf, 1 / relative if relative > 0 else np.inf)
    return Coefficient(
        name, estimate, se, (float(low) - below, float(high) + above), float(two_sided(np.float64(z), freedom))
    )


def _chance_ratio(ratio: Ratio, reach: float, moved: Sequence[float]) -> ChanceRatio:
    ends = (-reach * ratio.se - moved[0], 0.0, reach * ratio.se + moved[1])
    low, estimate, high = (math.exp(min(ratio.log + end, 700.0)) for end in ends)
    return ChanceRatio(ratio.name, estimate, (low, high))


def _notes(task: RegressionTask, direct: int) -> Iterator[str]:
    if 0 < direct < task.n and not _tells_groups_apart(task):
        yield (
            "This assumes that direct and disguised respondents answer alike, but they chose their group themselves. "
            "Add direct to the predictors to let them differ."
        )
    disguised = bool(task.hidden.sizes) and direct < task.n
    if disguised and task.family == LINEAR:
        yield "Least squares on unbiased weights: the errors include the spread of the weights; there is no likelihood."
    if disguised and task.family in _TAKEN and any(term.literals for term in task.terms):
        yield (
            f"This takes the outcome for {_TAKEN[task.family]}. Where that is wrong, the coefficient of a disguised "
            "predictor may be far off, and its error does not show it. The family linear does not assume it."
        )


def _tells_groups_apart(task: RegressionTask) -> bool:
    """Whether the undisguised predictors tell the two groups apart: `direct`, or a column that says the same."""
    open_terms = task.open_parts[:, [not term.literals for term in task.terms]]
    direct = task.hidden.direct.astype(float)
    rest = direct - open_terms @ np.linalg.lstsq(open_terms, direct, rcond=None)[0]
    return bool(np.abs(rest).max() < 1e-6)


def _reach_of_chances(
    respondents: Respondents, figures: Floats, fit: Callable[[Respondents], Floats], level: float
) -> tuple[Floats, Floats]:
    """How far wrong chances of people's own draws may move each figure down and up; `fit` is of other respondents.

    It is fitted again at each end of what the chances may be. Of each block that people draw the worst end counts, to
    each side; the blocks add up. Over what was estimated of the chances it reaches as far as an interval of this level.
    """
    below, above = np.zeros_like(figures), np.zeros_like(figures)
    for number, design in enumerate(respondents.designs):
        for place, block in enumerate(design.blocks):

            def fit_with(own: Block, number: int = number, design: Design = design, place: int = place) -> Floats:
                blocks = (*design.blocks[:place], own, *design.blocks[place + 1 :])
                designs = list(respondents.designs)
                designs[number] = Design(blocks, design.direct)
                return fit(replace(respondents, designs=tuple(designs)))

            for one, ends in block.spreads(standard_errors(level)):
                moved = [np.zeros_like(figures)]
                try:
                    before = figures if one is block or not ends else fit_with(one)
                    moved += [fit_with(end) - before for end in ends]
                except InputError:  # at this end the records contradict the design: nothing bounds the figures
                    moved += [np.full_like(figures, np.inf), np.full_like(figures, -np.inf)]
                below, above = below - np.min(moved, axis=0), above + np.max(moved, axis=0)
    return below, above
