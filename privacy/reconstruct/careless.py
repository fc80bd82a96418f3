"""The share of people who answer without reading, and what the others say (`privacy.reconstruct.carelessness`)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import hypot
from statistics import NormalDist
from typing import Any

import numpy as np

from privacy.arrays import Bools
from privacy.choices import AVAILABLE, DEVICE, EACH, ONES, PERSON, SAME, Cases, Disguiser, Estimator
from privacy.compliance.following import Following, try_following
from privacy.design import YES_NO, Design, arguments
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
    one_sayers,
    reach_of_wrong,
    scenarios_of_controls,
    share_of_wrong,
    spanning_interval,
    standard_error,
)
from privacy.reconstruct.careless_report import AttentiveFigure, Careless
from privacy.reconstruct.carelessness import (
    Nuisance,
    Seen,
    attentive,
    fieller_interval,
    interval,
    of_followers,
    quotient,
)
from privacy.reconstruct.exchange import Exchanged, combine
from privacy.records.open_columns import groups
from privacy.records.records import Records, require_records

_ALSO = 0.2  # of the doubt, for a second test of what is assumed
_NO_ERROR = 1e-9  # of figures that no coin disguises


@check_arguments(tables.CARELESS)
def careless(
    records: Records,
    figures: str | Iterable[str] | None = None,
    *,
    anchors: Mapping[str, Any] | None = None,
    rate: float | None = None,
    controls: Mapping[str, int] | None = None,
    look: str | None = None,
    disguiser: Disguiser = "device",
    presses: str = "each",
    most: float = 0.5,
    estimator: Estimator = "stratified",
    level: float = 0.95,
    cases: Cases = "available",
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
    anchors : mapping of str to float, or to pair of float, optional
        One or two yes/no answers of which the share of *attentive* people who give it is known, or lies between two
        bounds: ``{"never": (0, 0.01), "always": 1}``. Bounds are carried into all intervals. Where items have a third
        option, such as not to say, name the same one of all: ``never=yes``; figures are then of items with these
        options, and of that answer or its absence.
    rate : float, optional
        How often careless people say yes, where it is known and one anchor must be enough.
    controls : mapping of str to int, optional
        Where people draw themselves: two undisguised columns of 0 and 1, questions of which everybody knows the right
        record, 1 for one and 0 for the other: ``{"control_1": 1, "control_2": 0}``. They take the place of anchors.
    look : str, optional
        Where people draw themselves: the undisguised column that says which of two looks each person had. In one, a
        button means what it means in the other for the opposite; records speak for yes in both. One anchor that is
        never true is then enough.
    disguiser : {'device', 'person'}
        Who disguises. A device disguises what careless people press, too. People who draw themselves, as under the
        crosswise model, do not disguise when they are careless: the rate is then of what the records say. Those who
        answered directly are then compared with the others, as a plain question.
    presses : {'each', 'same', 'ones'}
        What careless people press: each answer by itself, or one button for all. It matters where figures hold several
        answers, but not with two anchors that (nearly) no and (nearly) every attentive person affirms. `ones`: two
        looks are the only evidence, and careless people press the same button in both. A number of them below 0 says
        that this is wrong, and people who press anything stay unseen.
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
        controls=controls,
        look=look,
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
    anchors: Mapping[str, Any] | None,
    sampling: Sampling,
    among: Bools | None = None,
    *,
    rate: float | None = None,
    controls: Mapping[str, int] | None = None,
    look: str | None = None,
    disguiser: str = DEVICE,
    presses: str = EACH,
    most: float = 0.5,
    estimator: str = "stratified",
    level: float = 0.95,
    cases: str = AVAILABLE,
    apart: bool = False,
) -> Careless:
    """Compute what `careless` returns, for people drawn by `sampling`; only of those `among` them, if given.

    `apart`: of two controls, and of controls and looks, no figure tells how many people gave both answers.

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
    by_person, design = disguiser == PERSON, records.design
    _check_roles(anchors, controls, look, by_person, presses)
    looks = _looks(records, look)
    known = read_anchors(design, anchors or {}) if anchors or not (controls or look) else []
    directly = records.direct & (True if among is None else among) if by_person and records.direct.any() else None
    own = among if directly is None else ~records.direct & (True if among is None else among)
    texts = arguments.texts(figures, "figures") if figures is not None else _correctable(design, known)
    task = Task(
        records,
        sampling,
        estimator,
        cases,
        by_person,
        presses == SAME,
        known[0].yes if known else 1,
        design.items[known[0].column].options if known else YES_NO,
        own,
        None if by_person else rare_answers(design, known),
        looks,
        tuple(share_of_wrong(records, name, right, sampling, own) for name, right in (controls or {}).items()),
        apart,
    )
    for one in known:
        task.yes_no(Pattern(((one.column, frozenset({one.yes})),)), "anchors")
    asked = [task.figure(text) for text in texts]
    scenarios = one_sayers(task, asked) if presses == ONES else find_scenarios(task, known, rate)
    if scenarios:
        evidence = evidence_of_scenarios(task, scenarios, level, rate is not None or bool(task.looks))
    else:
        evidence = evidence_of_one(task, known[0], level, most)
    share, share_of_yes = (None, None) if evidence.most is not None else evidence.points[0].point
    wrong, entry = task.reach_of(known), reach_of_wrong(task, level)
    evidence = replace(evidence, share_ci=clip_to_shares(_widen(evidence.share_ci, wrong * (2 if task.looks else 1))))
    if entry and share is not None:
        evidence = replace(evidence, share_ci=clip_to_shares(_around(share, evidence.share_ci, entry)))
        entry /= 2 * (1 - share) ** 2  # π moves by (1 − 2π)/(1 − c) of what each control moves
    if task.looks:  # half of what they press speaks for yes, whatever it is
        share_of_yes, evidence = None, replace(evidence, rate_ci=(0.0, 1.0), given=False)
    return Careless(
        len(records) if own is None else int(own.sum()),
        estimator,
        disguiser,
        level,
        share,
        evidence.share_ci,
        share_of_yes,
        evidence.rate_ci,
        evidence.given,
        None if all(one.exchanged for one in asked) else presses,
        None if task.looks or task.controls else _fits(task, known, asked, scenarios, level),
        evidence.most,
        tuple(
            _over_chances(_attentive_figure(task, evidence, one, level, directly), one, wrong, entry) for one in asked
        ),
        _following(task, known, level) if by_person else None,
    )


def _over_chances(figure: AttentiveFigure, asked: Asked, wrong: float, entry: float) -> AttentiveFigure:
    """The figure with intervals over wrong chances of own draws: its own, and `wrong` of the anchors.

    `entry`: how far an independent error, that of entry, moves it by controls.
    """
    if entry and figure.attentive is not None:
        entry /= asked.below.share.value if asked.below is not None else 1.0
        figure = replace(figure, ci=_around(figure.attentive, figure.ci, entry))
    reach = asked.above.reach + wrong
    if asked.below is not None:
        reach = (reach + asked.below.reach) / max(asked.below.share.value, reach or 1.0)
    between = figure.between and clip_to_shares(_widen(figure.between, reach))
    return replace(figure, between=between, ci=_widen(figure.ci, reach)) if reach else figure


def _around(value: float, ends: Interval, by: float) -> Interval:
    """The ends, as far again from the value as one more independent cause moves it."""
    return value - hypot(value - ends[0], by), value + hypot(ends[1] - value, by)


def _widen(ends: Interval, by: float) -> Interval:
    return ends[0] - by, ends[1] + by


def _check_roles(
    anchors: Mapping[str, Any] | None, controls: Mapping[str, int] | None, look: str | None, person: bool, presses: str
) -> None:
    """Refuse evidence that is of people who draw themselves where a device does, and evidence that is too little."""
    if not person:
        for name, given in (("controls", controls), ("look", look)):
            if given:
                raise InputError(f"{name}: they tell who follows a draw of their own; disguiser is the person.")
    if controls and anchors:
        raise InputError("controls: they take the place of anchors; leave out the one or the others.")
    if controls and sorted(map(int, controls.values())) != [0, 1]:
        raise InputError("controls: name two columns, one whose right record is 1 and one whose right record is 0.")
    if (presses == ONES) != bool(look and not anchors and not controls):
        raise InputError("presses: 'ones' is for two looks without anchors and controls, which need it.")


def _correctable(design: Design, known: Sequence[Anchor]) -> list[str]:
    """The answers that are corrected where nobody names any."""
    texts = corrected(design, known) if known else [item.id for item in design.items if item.boolean]
    if not texts:
        raise InputError("figures: all yes/no items are anchors; there is nothing to correct.")
    return texts


def _looks(records: Records, look: str | None) -> tuple[Bools, ...]:
    """The people of each look, in the order of their names."""
    if look is None:
        return ()
    place, names = groups(records.open_columns, look, "look")
    if len(names) != 2:
        raise InputError(f"look: the column {look!r} has {len(names)} values; there are two looks.")
    return tuple(place == number for number in range(2))


def _following(task: Task, known: Sequence[Anchor], level: float) -> Following:
    """How the anchors' records lie to what they are where everybody follows the draw."""
    seen = []
    for one in known:
        mean, (_, kept) = task.mean(one), task.line(one.column)
        seen.append((mean.said, _widen(mean.known, abs(kept) * task.reach_of([one]))))
    never = [one for one in known if one.known[0] == 0][:1]
    pressed = [task.answers(Pattern(((one.column, frozenset({one.yes})),))).share for one in never]
    return try_following(seen, pressed[0] if pressed else None, task.reach_of(never), task.sampling, level)


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


def _attentive_figure(
    task: Task, evidence: Evidence, asked: Asked, level: float, directly: Bools | None
) -> AttentiveFigure:
    """Correct a figure: its share or confidence as everybody answered, and of attentive people."""
    answered = quotient(asked.above.share, None if asked.below is None else asked.below.share)
    said = (asked.text, asked.above.share.n, answered.value, standard_error(task, answered))
    if task.heads and evidence.most is None and asked.below is None and asked.above.answers == 1:
        every = scenarios_of_controls(task, asked.above.share) if task.apart else evidence.every
        made = [of_followers(one, asked.above) for one in every]
        ci = spanning_interval(fieller_interval(one, task.sampling, level) for one in made)
        error = max(standard_error(task, one) for one in made) if task.apart else standard_error(task, made[0])
        plain = None if directly is None else task.plain(asked.text, directly)
        return AttentiveFigure(*said, made[0].value, error, None, ci, plain)
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
