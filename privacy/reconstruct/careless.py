"""The share of people who answer without reading, and what the others say (`privacy.reconstruct.carelessness`)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

from privacy.arrays import Bools
from privacy.choices import AVAILABLE, DEVICE, EACH, PERSON, SAME
from privacy.design import arguments
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.estimate.linearised import LinearisedFigure, covariance_of
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import obstacle
from privacy.options import check_arguments, tables
from privacy.reconstruct.anchors import Anchor, Interval, corrected, rare_answers, read_anchors
from privacy.reconstruct.careless_evidence import (
    Asked,
    Evidence,
    Task,
    clip_to_shares,
    evidence_of_one,
    evidence_of_scenarios,
    find_scenarios,
    spanning_interval,
    standard_error,
)
from privacy.reconstruct.careless_report import AttentiveFigure, Careless
from privacy.reconstruct.carelessness import (
    Nuisance,
    Seen,
    attentive,
    interval,
    quotient,
)
from privacy.reconstruct.exchange import Exchanged, combine
from privacy.records.records import Records, require_records

__all__ = ["careless"]

_ALSO = 0.2  # of the doubt, for a second test of what is assumed
_NO_ERROR = 1e-9  # of figures that no coin disguises


@check_arguments(tables.CARELESS)
def careless(
    records: Records,
    figures: str | Iterable[str] | None = None,
    *,
    anchors: Mapping[str, Any],
    rate: float | None = None,
    disguiser: str = "device",
    presses: str = "each",
    most: float = 0.5,
    estimator: str = "stratified",
    level: float = 0.95,
    cases: str = "available",
    sample: Sample | None = None,
) -> Careless:
    """Estimate who answers without reading, and correct shares and rules for them.

    Parameters
    ----------
    records : Records
        With their undisguised columns where weights, clusters, strata or arms are used.
    figures : str or iterable of str, optional
        Patterns of yes/no items (``drugs,!cheating``) and rules (``drugs => cheating``), of which the confidence is
        given. Without them the yes of every yes/no item that is no anchor.
    anchors : mapping of str to float, or to pair of float
        One or two yes/no answers of which the share of *attentive* people who give it is known, or lies between two
        bounds: ``{"never": (0, 0.01), "always": 1}``. Bounds are carried into all intervals. Where items have a third
        option, such as not to say, name the same one of all: ``never=yes``; figures are then of items with these
        options, and of that answer or its absence.
    rate : float, optional
        How often careless people say yes, where it is known and one anchor must be enough.
    disguiser : {'device', 'person'}
        Who disguises. A device disguises what careless people press, too. People who disguise in their heads, as under
        the crosswise model, do not when they are careless: the rate is then of what the records say.
    presses : {'each', 'same'}
        What careless people press: each answer by itself, or one button for all. It matters where figures hold several
        answers, but not with two anchors that (nearly) no and (nearly) every attentive person affirms.
    most : float
        The largest share of careless people, where one anchor alone gives bounds.
    estimator, level, cases, sample
        As in `candor.reconstruct`.

    Raises
    ------
    InputError
        Where anchors cannot tell careless people, contradict each other, or a figure is not of yes/no items.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> people = {"drugs": [1, 0, 0, 0] * 2000, "never": [0] * 8000, "always": [1] * 8000}
    >>> frame = pd.DataFrame(people)
    >>> frame.iloc[:2000] = 1  # a quarter of them press yes
    >>> design = candor.models.warner(list(frame), theta=0.8)
    >>> held = candor.careless(candor.disguise(frame, design, seed=7), anchors={"never": 0, "always": 1})
    >>> round(held.share, 2), round(held.rate, 2), round(held.figures[0].attentive, 2)
    (0.24, 1.0, 0.25)
    """
    require_records(records)
    rows = len(records)
    sampling = Sampling.simple(rows) if sample is None else Sampling.from_columns(records.open_columns, rows, sample)
    return careless_of_sample(
        records,
        figures,
        anchors,
        sampling,
        rate=rate,
        disguiser=disguiser,
        presses=presses,
        most=most,
        estimator=estimator,
        level=level,
        cases=cases,
    )


def careless_of_sample(
    records: Records,
    figures: str | Iterable[str] | None,
    anchors: Mapping[str, Any],
    sampling: Sampling,
    among: Bools | None = None,
    *,
    rate: float | None = None,
    disguiser: str = DEVICE,
    presses: str = EACH,
    most: float = 0.5,
    estimator: str = "stratified",
    level: float = 0.95,
    cases: str = AVAILABLE,
) -> Careless:
    """Compute what `careless` returns, for people drawn by `sampling`; only of those `among` them, if given.

    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2000, "never": [0] * 8000, "always": [1] * 8000})
    >>> frame.iloc[:2000] = 1  # a quarter of them press yes
    >>> design = candor.models.warner(list(frame), theta=0.8)
    >>> records = candor.disguise(frame, design, seed=7)
    >>> held = careless_of_sample(records, None, {"never": 0, "always": 1}, Sampling.simple(8000))
    >>> round(held.share, 2)
    0.24
    """
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    if not 0 < most < 1:
        raise InputError(f"most: {most!r} is not between 0 and 1.")
    if disguiser == PERSON and records.direct.any():
        raise InputError("disguiser: people who answered directly disguised nothing; leave them out.")
    known = read_anchors(records.design, anchors)
    task = Task(
        records,
        sampling,
        estimator,
        cases,
        disguiser == PERSON,
        presses == SAME,
        known[0].yes,
        records.design.items[known[0].column].options,
        among,
        None if disguiser == PERSON else rare_answers(records.design, known),
    )
    for one in known:
        task.yes_no(Pattern(((one.column, frozenset({one.yes})),)), "anchors")
    if figures is None:
        texts: Sequence[str] = corrected(records.design, known)
        if not texts:
            raise InputError("figures: all yes/no items are anchors; there is nothing to correct.")
    else:
        texts = arguments.texts(figures, "figures")
    asked = [task.figure(text) for text in texts]
    scenarios = find_scenarios(task, known, rate)
    evidence = (
        evidence_of_scenarios(task, scenarios, level, rate is not None)
        if scenarios
        else evidence_of_one(task, known[0], level, most)
    )
    share, share_of_yes = (None, None) if evidence.most is not None else evidence.points[0].point
    return Careless(
        len(records) if among is None else int(among.sum()),
        estimator,
        disguiser,
        level,
        share,
        evidence.share_ci,
        share_of_yes,
        evidence.rate_ci,
        evidence.given,
        None if all(one.exchanged for one in asked) else presses,
        _fits(task, known, asked, scenarios, level),
        evidence.most,
        tuple(_attentive_figure(task, evidence, one, level) for one in asked),
    )


def _fits(
    task: Task, anchors: Sequence[Anchor], asked: Sequence[Asked], scenarios: Sequence[Nuisance], level: float
) -> bool | None:
    """Whether hardly any attentive people seem to give both rare answers of two anchors, as hardly any can.

    And whether the first difference alone says the same of each exchanged answer, as far as chance allows.
    """
    if len(anchors) < 2:
        return None
    exchange = all(one.exchanged for one in asked)
    alone = [one.exchanged[0] for one in asked if one.exchanged and one.exchanged[0].first and one.below is None]
    apart = [_standard_errors_apart(task, one, _widest(scenarios)) for one in alone]
    if exchange and max(apart, default=0.0) > NormalDist().inv_cdf(1 - (1 - level) / 2 / max(len(apart), 1)):
        return False
    literals, most = [], 1.0
    for anchor in anchors:
        yes = frozenset({task.yes})
        rarely = sum(anchor.known) <= 1
        literals.append((anchor.column, yes if rarely else frozenset(range(len(task.options))) - yes))
        most = min(most, anchor.known[1] if rarely else 1 - anchor.known[0])
    pattern = Pattern.from_literals(literals, task.records.design)
    if obstacle(task.records.design, pattern, task.estimator) is not None:
        return None
    both = task.answers(pattern)
    if exchange:  # by rates of their own careless people give both less often than by one rate
        both, level = replace(both, same=False), 1 - _ALSO * (1 - level)
    low, high = spanning_interval(interval(one, both, None, task.sampling, level) for one in scenarios)
    return None if np.isnan(low) else low <= most and (exchange or high >= 0)


def _widest(scenarios: Sequence[Nuisance]) -> tuple[float, float]:
    """The largest shares of attentive people who may break the anchors."""
    never, always = zip(*(one.broken for one in scenarios), strict=True)
    return max(never), max(always)


def _standard_errors_apart(task: Task, one: Exchanged, broken: tuple[float, float]) -> float:
    """How far the first difference of an answer lies from the mean of all; they are alike where exchange holds."""
    if one.first is None:
        return 0.0
    apart = combine([(1.0, one.first), (-1.0, one.share)])
    error = math.sqrt(float(covariance_of([apart], task.sampling)[0, 0]))
    return max(abs(apart.value) - max(map(abs, one.losses(broken))), 0.0) / max(error, _NO_ERROR)


def _attentive_figure(task: Task, evidence: Evidence, asked: Asked, level: float) -> AttentiveFigure:
    """Correct a figure: its share or confidence as everybody answered, and of attentive people."""
    answered = quotient(asked.above.share, None if asked.below is None else asked.below.share)
    said = (asked.text, asked.above.share.n, answered.value, standard_error(task, answered))
    exchange = None
    if asked.exchanged is not None:
        exchange, wide = _exchanged_figure(task, evidence, asked, asked.exchanged, level)
        if _standard_errors_apart(task, asked.exchanged[0], _widest(evidence.every)) <= standard_errors(
            level, task.sampling.freedom
        ):
            return AttentiveFigure(*said, exchange.value, standard_error(task, exchange), None, wide)
    points, every = evidence.points, evidence.every
    if asked.below is not None:  # where hardly anybody does the first, how many of them do the second is unknown
        points, every = ([one for one in some if _divides(one, asked.below)] for some in (points, every))
    if not points:
        raise _no_antecedent(asked)
    found = [attentive(one, *asked.sides) for one in points]
    ci = spanning_interval(interval(one, *asked.sides, task.sampling, level) for one in every)
    if exchange is not None:  # careless people tell items apart, or chance has it so: both may be true
        ci = spanning_interval((ci, wide))
    if evidence.most is None:
        return AttentiveFigure(*said, found[0].value, standard_error(task, found[0]), None, ci)
    between = clip_to_shares((min(one.value for one in found), max(one.value for one in found)))
    return AttentiveFigure(*said, None, None, between, clip_to_shares(ci))


def _exchanged_figure(
    task: Task, evidence: Evidence, asked: Asked, exchanged: tuple[Exchanged, Exchanged | None], level: float
) -> tuple[LinearisedFigure, Interval]:
    """A figure by exchange: its estimate, and an interval that reaches over all that the anchors' bounds allow."""
    above, below = exchanged
    if below is not None and not below.share.value > 0:
        raise _no_antecedent(asked)

    def figure(nuisance: Nuisance, *losses: float) -> LinearisedFigure:
        top = above.among(nuisance.attentive, losses[0])
        bottom = nuisance.attentive if below is None else below.among(nuisance.attentive, losses[1])
        spread, effective = asked.above.share.spread, min(top.effective, bottom.effective)
        return replace(quotient(top, bottom), fraction=(top, bottom), spread=spread, effective=effective)

    sides = [one for one in exchanged if one is not None]
    every = (
        figure(one, *losses)
        for one in evidence.every
        for losses in product(*({*side.losses(one.broken)} for side in sides))
    )
    return figure(evidence.points[0], 0.0, 0.0), spanning_interval(
        one.estimate(task.sampling, level).ci for one in every
    )


def _no_antecedent(asked: Asked) -> InputError:
    return InputError(
        f"Rule {asked.text!r}: of attentive people its antecedent is not estimated to be above 0, so it has no "
        "confidence."
    )


def _divides(nuisance: Nuisance, below: Seen) -> bool:
    return attentive(nuisance, below, None).value > 0
