"""How many people answered without reading, what they press, and the figures of the others.

A careless person answers yes by a rate ρ, whatever is asked: each answer by itself, or all by one button. Of the share
c of careless people nothing else is known, and figures are of the attentive ones. Everything is linear in c and in
w = cρ, the careless people who say yes: an anchor of attentive share a is answered yes by (1−c)a + w, and an item by
(1−c)π + w. Two anchors give

    1 − c = (z₂ − z₁)/(a₂ − a₁),   w = z₁ − (1−c)a₁,

(with two anchors that hardly anybody breaks, figures need none of what follows: `privacy.reconstruct.exchange`),
one anchor with a given rate c = (z − a)/(ρ − a), and one anchor alone a line of pairs (c, w), of which figures are
bounds (Atsusaka and Stevenson 2023, for a rate of ½). Of k answers yes and l answers no a careless person gives all
with the chance f(ρ) = ρᵏ(1−ρ)ˡ (by one button ρ, 1−ρ or 0), so that the attentive share of a pattern seen by Q is

    π = (Q − c·f(ρ))/(1−c).

Where people disguise in their heads, as under the crosswise model, careless people do not disguise: ρ is then the rate
of the *records*, and on answers whose records say yes by s + dπ they look like people who say yes by (ρ − s)/d.
Of answers that they disguise with one draw, seen by Q = s + dπ, they give k yes and l no by (f(ρ) − s)/d. There two
more ways tell c and w: questions of known answer (`by_controls`), and two looks of one question, in which a button
means the opposite. By half of the people in each look, records say yes by ρ = ½, whatever careless people press, so
that one anchor is enough; π̂ = (1 − D/D₀)/2 for the differences D and D₀ between the looks of both questions.

Points are those of these equations at 0 ≤ w ≤ c, errors those of the delta method. Near c = 0 no normal interval holds
for a pattern, because ρ = w/c is unknown there. So the interval of a figure is the mixture of its normal laws over the
posterior of c and w; before the anchors all pairs 0 ≤ w ≤ c are as likely (uniform in ρ instead, intervals are up to
5 % narrower and hold 1 % less often at n = 500). What anchors and figure have in common is in those laws. The mixture
is a sum over a grid of midpoints: deterministic.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from privacy.arrays import Floats
from privacy.estimate.intervals import fieller, standard_errors, wilson
from privacy.estimate.linearised import LinearisedFigure, covariance_of
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.exchange import FEW_CLUSTERS, combine

MOST = 0.95  # careless people at most: of the few others nothing could be said
_SHARES, _YESES = 48, 24  # points of the grid, of c and of w for each c
_WIDE = 6.0  # standard errors that the grid reaches
_BISECTIONS = 44
_FARTHEST = 20.0  # a quotient beyond that is unbounded
_NO_VARIANCE = 1e-18  # of anchors that no coin disguises
HALF = 0.5  # of two looks: whatever a button says in one, it says the opposite in the other
_UNKNOWN_RATE = 0.5  # where nobody is careless; then no figure depends on it


@dataclass(frozen=True)
class Press:
    """Answers that one draw disguises, or one answer, as a careless person gives them: `at` + `by`·ρʸ(1−ρ)ⁿ.

    y of them are a yes and n a no. What a device disguises is as pressed: at is 0 and by is 1.
    """

    at: float
    by: float
    yes: int = 1
    no: int = 0

    def chance(self, rate: Floats) -> Floats:
        """The chance that a careless person with this rate of yes gives them."""
        chance: Floats = self.at + self.by * rate**self.yes * (1 - rate) ** self.no
        return chance

    def slope(self, rate: float) -> float:
        """How fast the chance grows with the rate."""
        up = self.yes * rate ** max(self.yes - 1, 0) * (1 - rate) ** self.no
        return self.by * (up - self.no * rate**self.yes * (1 - rate) ** max(self.no - 1, 0))


@dataclass(frozen=True)
class Seen:
    """A pattern as everybody answered it, careless people with the rest, and how these answer what each draw disguises.

    With `same` a careless person presses one button for all of it, yes by the rate. `reach`: how far wrong chances of
    people's own draws may move the share.
    """

    share: LinearisedFigure
    presses: tuple[Press, ...]
    same: bool = False
    reach: float = 0.0

    @property
    def answers(self) -> int:
        return sum(press.yes + press.no for press in self.presses)

    def careless(self, rate: Floats) -> Floats:
        """The chance that a careless person with this rate of yes gives all answers of the pattern."""
        if self.same:
            no, yes = (self._product(np.array([end])) for end in (0.0, 1.0))
            return no + rate * (yes - no)
        return self._product(rate)

    def slope(self, rate: float) -> float:
        """How fast the chance of `careless` grows with the rate."""
        if self.same:
            return float(np.diff(self.careless(np.array([0.0, 1.0])))[0])
        chances = [float(press.chance(np.array(rate))) for press in self.presses]
        return sum(
            press.slope(rate) * prod(chances[:own] + chances[own + 1 :]) for own, press in enumerate(self.presses)
        )

    def _product(self, rate: Floats) -> Floats:
        """The chance of all answers where each is given by itself."""
        product = np.ones_like(rate)
        for press in self.presses:
            product = product * press.chance(rate)
        return product


@dataclass(frozen=True)
class Nuisance:
    """What anchors tell of c and w: their estimates with the part of each respondent, which of them were estimated.

    With a given rate, w is that rate of c. One anchor alone leaves c to be named. `broken` are the shares of attentive
    people who break the two anchors.
    """

    share: LinearisedFigure
    yes: LinearisedFigure
    rate: float | None = None
    free: tuple[int, ...] = (0, 1)
    broken: tuple[float, float] = (0.0, 0.0)

    @property
    def point(self) -> tuple[float, float]:
        """The share c of careless people and their rate of yes ρ, moved into 0 ≤ c ≤ 0.95 and 0 ≤ ρ ≤ 1."""
        share = min(max(self.share.value, 0.0), MOST)
        if self.rate is not None:
            return share, self.rate
        return share, min(max(self.yes.value / share, 0.0), 1.0) if share > 0 else _UNKNOWN_RATE

    @property
    def attentive(self) -> LinearisedFigure:
        """The share of attentive people, 1−c."""
        return replace(combine([(-1.0, self.share)]), name="attentive", value=1 - self.share.value)

    def share_interval(self, sampling: Sampling, level: float) -> tuple[float, float]:
        """The interval of c; Wilson's where nobody answered a control wrongly, so that records do not vary."""
        if self.share.value == 0 and not self.share.spread:
            low, high = wilson(np.array(0.0), np.array(self.share.n), level)
            return float(low), float(high)
        return self.share.estimate(sampling, level).ci

    @property
    def rate_figure(self) -> LinearisedFigure:
        """The rate ρ = w/c as a linearised quotient, whose interval is Fieller's."""
        share, rate = self.share, self.point[1]
        by = 1 / share.value if share.value > 0 else 0.0
        made = combine([(by, self.yes), (-rate * by, share)])
        return replace(made, name="rate", value=rate, fraction=(self.yes, share))


def by_two_anchors(first: LinearisedFigure, second: LinearisedFigure, known: tuple[float, float]) -> Nuisance:
    """Estimate c and w from two anchors to which the shares `known` of attentive people say yes."""
    low, high = known
    attentive = (second.value - first.value) / (high - low)
    parts = (second.parts - first.parts) / (high - low)
    n = min(first.n, second.n)
    share = LinearisedFigure("careless", n, 1 - attentive, -parts)
    yes = LinearisedFigure("yes", n, first.value - low * attentive, first.parts - low * parts)
    return Nuisance(share, yes, broken=(min(known), 1 - max(known)))


def by_rate(anchor: LinearisedFigure, known: float, rate: float) -> Nuisance:
    """Estimate c from one anchor to which the share `known` of attentive people says yes; careless people by `rate`."""
    share = LinearisedFigure(
        "careless", anchor.n, (anchor.value - known) / (rate - known), anchor.parts / (rate - known)
    )
    return Nuisance(share, replace(share, value=rate * share.value, parts=rate * share.parts), rate, (0,))


def by_controls(one: LinearisedFigure, two: LinearisedFigure, error: float = 0.0) -> Nuisance:
    """Estimate c and w from two questions of known answer, of which `one` and `two` are the shares of wrong answers.

    The right record is 1 for the first and 0 for the second. A careless person is wrong by 1−ρ and by ρ, so c is the
    sum of both shares, and w the second; of records that are then typed with an `error`, w + error(c − 2w).
    """
    share = replace(combine([(1.0, one), (1.0, two)]), name="careless")
    return Nuisance(share, combine([(error, one), (1 - error, two)]))


def without_joint(
    controls: Sequence[LinearisedFigure], seen: LinearisedFigure | None, error: float, sampling: Sampling
) -> list[Sequence[LinearisedFigure]]:
    """Both shares of wrong answers as any number of people could be wrong twice: the fewest, and the most.

    What follows from both tells no such number, which may be of few people. What each has in common with the share
    `seen` stays in its parts; the rest of it is a doubt, which both have in common as far as their shares allow:
    max(0, a + b − 1) ≤ P(both wrong) ≤ min(a, b) (Fréchet 1935). Where people were not drawn alike, as far as any two
    figures can.
    """
    figures = [*controls, *([] if seen is None else [seen])]
    covariance = covariance_of(figures, sampling)
    own = np.diag(covariance)[:2]
    slopes = covariance[:2, 2] / covariance[2, 2] if seen is not None and covariance[2, 2] > 0 else np.zeros(2)
    by_seen = slopes * (0.0 if seen is None else np.sqrt(covariance[2, 2]))
    left = np.sqrt(np.maximum(own - by_seen**2, 0.0))
    made: list[Sequence[LinearisedFigure]] = []
    for joint in _joint_variation(controls, error, sampling):
        apart = joint * np.sqrt(own.prod()) - by_seen.prod()
        together = float(np.clip(apart / left.prod(), -1, 1)) if left.all() else 0.0
        doubts: list[dict[Hashable, float]]
        doubts = [{"both": left[0]}, {"both": together * left[1], "two": (1 - together**2) ** 0.5 * left[1]}]
        parts = np.zeros_like(controls[0].parts) if seen is None else seen.parts
        each = zip(controls, slopes, doubts, strict=True)
        made.append([replace(one, parts=slope * parts, doubts=doubt) for one, slope, doubt in each])
    return made


def _joint_variation(controls: Sequence[LinearisedFigure], error: float, sampling: Sampling) -> tuple[float, float]:
    """The least and the largest correlation of two wrong answers, from how many gave each."""
    one, two = (error + (1 - 2 * error) * control.value for control in controls)
    spread = (one * (1 - one) * two * (1 - two)) ** 0.5
    if not sampling.is_simple or not spread > 0 or any(control.n < len(control.parts) for control in controls):
        return -1.0, 1.0
    return (max(0.0, one + two - 1) - one * two) / spread, (min(one, two) - one * two) / spread


def by_one_sayers(one: LinearisedFigure, other: LinearisedFigure) -> Nuisance:
    """Estimate c from the shares of a yes in two looks, if careless people all press the same button.

    It speaks for yes in the look of `one`, and for no in the other; half of what they press is then a yes.
    """
    return by_half(LinearisedFigure("careless", min(one.n, other.n), one.value - other.value, one.parts - other.parts))


def by_half(share: LinearisedFigure) -> Nuisance:
    """A share c of careless people, half of whose records are a yes."""
    return Nuisance(share, combine([(HALF, share)]), HALF, (0,))


def at_share(anchor: LinearisedFigure, known: float, share: float) -> Nuisance:
    """Estimate w from one anchor, if the share `share` of all people is careless."""
    yes = LinearisedFigure("yes", anchor.n, anchor.value - (1 - share) * known, anchor.parts)
    return Nuisance(LinearisedFigure("careless", anchor.n, share, np.zeros_like(anchor.parts)), yes, None, (1,))


def quotient(above: LinearisedFigure, below: LinearisedFigure | None) -> LinearisedFigure:
    """One figure divided by another, or undivided where `below` is None."""
    if below is None:
        return above
    value = above.value / below.value
    made = combine([(1 / below.value, above), (-value / below.value, below)])
    return replace(made, n=above.n, value=value, effective=np.inf)


def attentive(nuisance: Nuisance, above: Seen, below: Seen | None) -> LinearisedFigure:
    """The share of attentive people who match `above`; divided by the share of `below`, a rule's confidence."""
    numerator, divisor = (_careful_share(nuisance, seen) for seen in (above, below))
    return quotient(numerator, divisor)


def _careful_share(nuisance: Nuisance, seen: Seen | None) -> LinearisedFigure:
    """(1−c)π of a pattern; of no pattern 1−c itself."""
    share, rate = nuisance.point
    if seen is None:
        return replace(combine([(-1.0, nuisance.share)]), value=1 - share, spread=False, effective=np.inf)
    careless, slope = float(seen.careless(np.array([rate]))[0]), seen.slope(rate)
    # c·f(w/c) moves by f′ with w, and by f − ρf′ with c.
    by_yes = slope if nuisance.rate is None else 0.0
    made = combine([(1.0, seen.share), (-by_yes, nuisance.yes), (rate * by_yes - careless, nuisance.share)])
    value, own = seen.share.value - share * careless, seen.share
    return replace(made, n=own.n, value=value, spread=own.spread, effective=np.inf)


def of_followers(nuisance: Nuisance, seen: Seen) -> LinearisedFigure:
    """The share of attentive people with one answer that they disguised themselves; its `fraction` is linear.

    Everything is linear in c and w, so nothing is moved into 0 ≤ w ≤ c, and no rate is needed.
    """
    (press,) = seen.presses
    by, c, w = press.by if press.yes else -press.by, nuisance.share, nuisance.yes
    at = press.at + (0.0 if press.yes else press.by)  # of a careless person: at + by·ρ, so of all at·c + by·w
    moved = combine([(1.0, seen.share), (-at, c), (-by, w)])
    above = replace(seen.share, value=moved.value, parts=moved.parts, doubts=moved.doubts, groups=())
    made = quotient(above, nuisance.attentive)
    return replace(made, fraction=(above, nuisance.attentive), effective=seen.share.effective)


def fieller_interval(figure: LinearisedFigure, sampling: Sampling, level: float) -> tuple[float, float]:
    """Fieller's interval of a fraction, also where its divisor is far from 0; NaN where its error is unknown."""
    assert figure.fraction is not None
    above, below = figure.fraction
    if not above.has_error:
        return np.nan, np.nan
    freedom = min(sampling.freedom, max(min(above.effective, above.n) - 1, 1))
    (a, c), (_, b) = covariance_of([above, below], sampling)
    reach = standard_errors(level, freedom)
    low, high = fieller(np.array(above.value), np.array(below.value), (a, c, b), reach)
    return float(low), float(high)


def interval(
    nuisance: Nuisance, above: Seen, below: Seen | None, sampling: Sampling, level: float
) -> tuple[float, float]:
    """The interval of `attentive`: quantiles of its mixture of normal laws.

    A figure N/D is at most x where N − xD is at most 0, since D is above 0: 1−c, or the share below. Records that are
    all alike do not show how they vary; then it is not a number.
    """
    from scipy.special import ndtr

    figures = [above.share, *([] if below is None else [below.share])]
    if not above.share.spread:
        return np.nan, np.nan
    estimated = [(nuisance.share, nuisance.yes)[place] for place in nuisance.free]
    covariance = covariance_of((*figures, *estimated), sampling)
    covariance = covariance * (standard_errors(level, sampling.freedom) / standard_errors(level)) ** 2
    many = len(figures)
    own, across, known = covariance[:many, :many], covariance[:many, many:], covariance[many:, many:]
    share, yes, weight = _grid(nuisance, known)
    apart = np.stack([(share - nuisance.share.value, yes - nuisance.yes.value)[place] for place in nuisance.free])
    slopes = across @ np.linalg.pinv(known)
    if sampling.freedom < FEW_CLUSTERS:  # slopes on what they say badly would take away what they say not at all
        slopes = np.zeros_like(slopes)
    left = own - slopes @ across.T
    rate = yes / share if nuisance.rate is None else np.full_like(share, nuisance.rate)
    sides = zip([above, *([] if below is None else [below])], slopes, strict=True)
    means = [seen.share.value + slope @ apart - share * seen.careless(rate) for seen, slope in sides]
    divisor = 1 - share if below is None else means[1]

    def chance(x: float) -> float:
        """The chance that the figure is at most x."""
        variance = left[0, 0]
        if below is not None:
            variance = variance - 2 * x * left[0, 1] + x**2 * left[1, 1]
        return float(weight @ ndtr((x * divisor - means[0]) / np.sqrt(max(variance, _NO_VARIANCE))))

    low, high = _quantile(chance, (1 - level) / 2), _quantile(chance, (1 + level) / 2)
    point = attentive(nuisance, above, below).value  # of anchors that hardly can be, it may lie beside the mixture
    return min(low, point), max(high, point)


def _quantile(chance: Callable[[float], float], of: float) -> float:
    """The x at which the distribution function `chance` is `of`; infinite beyond ±20."""
    low, high = -_FARTHEST, _FARTHEST
    if chance(low) > of:
        return -np.inf
    if chance(high) < of:
        return np.inf
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if chance(middle) > of else (middle, high)
    return (low + high) / 2


def _grid(nuisance: Nuisance, known: Floats) -> tuple[Floats, Floats, Floats]:
    """Possible pairs of c and w, and the probability of each after the anchors: three arrays."""
    variance = max(float(known[0, 0]), _NO_VARIANCE)
    middle, error = np.array([nuisance.yes.value]), np.sqrt(variance)
    share, chance = np.array([nuisance.share.value]), np.zeros(1)
    if 0 in nuisance.free:
        most = min(max(nuisance.share.value + _WIDE * error, _WIDE * error), MOST)
        least = min(max(nuisance.share.value - _WIDE * error, 0.0), 0.9 * most)
        share = _midpoints(np.array([least]), np.array([most]), _SHARES)[0]
        chance = -(((share - nuisance.share.value) / error) ** 2) / 2
        if nuisance.rate is not None:
            return share, nuisance.rate * share, _weights_of_logs(chance)
        slope = known[0, 1] / variance
        middle = nuisance.yes.value + slope * (share - nuisance.share.value)
        error = np.sqrt(max(known[1, 1] - slope * known[0, 1], _NO_VARIANCE))
    low, high = (np.clip(middle + sign * _WIDE * error, 0.0, share) for sign in (-1, 1))
    low, high = np.where(low < high, low, 0.0), np.where(low < high, high, share)
    yes = _midpoints(low, high, _YESES)
    logs = chance + np.log(high - low)
    joint = logs[:, np.newaxis] - ((yes - middle[:, np.newaxis]) / error) ** 2 / 2
    return np.repeat(share, _YESES), yes.ravel(), _weights_of_logs(joint.ravel())


def _midpoints(low: Floats, high: Floats, count: int) -> Floats:
    places = (np.arange(count) + 0.5) / count
    grid: Floats = low[:, np.newaxis] + (high - low)[:, np.newaxis] * places
    return grid


def _weights_of_logs(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()
