"""What people say who follow the design, whatever the others press: records in which two answers changed places.

Others read nothing, so all items are alike to them: each gives the yes by a rate of their own, or presses one button
for all. They then give a pattern P as often as the pattern P′ in which two items changed places (their answers are
exchangeable). Exchange a literal of P with one of the pair that nobody who follows answers so, and

    Q(P) − Q(P′) = Fπ,   F = Q(always) − Q(never),

for the supports Q among all, the share F of people who follow and the share π of them who match P: no rate and no law
of what the others press is left. Of an answer `drugs` there are three such differences,

    Q(drugs) − Q(never),
    Q(drugs, always) − Q(drugs, never),
    Q(drugs, always) − Q(never, always),

and of longer patterns as many, where each literal changes places in its turn and the mean counts. Every mean of them
is unbiased; weights of least variance come from the records (generalised least squares; Aitken 1936). A quotient of
two figures has Fieller's interval, and c leaves the confidence of a rule altogether.

The first difference of a single answer asks less: only that careless people say yes to it as often as to the anchor.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Floats
from privacy.design.channels import Literal
from privacy.estimate.linearised import LinearisedFigure, combine, covariance_of
from privacy.estimate.sampling import FEW_CLUSTERS, Sampling

_RIDGE = 0.03  # of all variances, added to each: of few people small differences vary little, and would be preferred
_FEWEST = 0.05  # people who follow

Literals = tuple[Literal, ...]


@dataclass(frozen=True)
class Rare:
    """An answer to an anchor that hardly anybody who follows gives, and its opposite."""

    literal: Literal
    opposite: Literal


@dataclass(frozen=True)
class Exchange:
    """The mean support of `before` less that of `after` is F(π − λ).

    The loss λ lies between 0 and Σ `loss` × the shares of people who follow and give a rare answer: yes, then no.
    """

    before: tuple[Literals, ...]
    after: tuple[Literals, ...]
    loss: tuple[float, float]


def exchanges(literals: Sequence[tuple[Literal, bool]], yes: Rare, no: Rare) -> list[Exchange]:
    """The three differences of a pattern, of literals with whether each is a yes; `yes` and `no` are rare."""
    every = tuple(literal for literal, _ in literals)
    after, before_kept, after_kept = [], [], []
    for place, (_literal, said_yes) in enumerate(literals):
        rare, kept = (yes, no.opposite) if said_yes else (no, yes.opposite)
        others = every[:place] + every[place + 1 :]
        after.append((*others, rare.literal))
        before_kept.append((*every, kept))
        after_kept.append((*others, rare.literal, kept))
    said = float(np.mean([said_yes for _, said_yes in literals]))
    return [
        Exchange((every,), tuple(after), (said, 1 - said)),
        Exchange(((*every, no.opposite),), ((*every, yes.literal),), (1.0, 1.0)),
        Exchange(tuple(before_kept), tuple(after_kept), (1.0, 1.0)),
    ]


def exchange(
    literals: Sequence[tuple[Literal, bool]],
    yes: Rare,
    no: Rare,
    support: Callable[[Literals], LinearisedFigure | None],
    sampling: Sampling,
) -> tuple[LinearisedFigure, Floats] | None:
    """A pattern of those who follow, F(π − λ), and the ends of λ by the shares of them who give each rare answer.

    It is the mean of least variance of the differences whose supports are known; None if none is. `support` gives None
    for a pattern that cannot be estimated.
    """
    never, always = support((yes.literal,)), support((no.opposite,))
    if never is None or always is None:
        return None
    known, losses = [], []
    for one in exchanges(literals, yes, no):
        sides = [[support(each) for each in side] for side in (one.before, one.after)]
        signed = zip((1.0, -1.0), sides, strict=True)
        terms = [(sign / len(side), each) for sign, side in signed for each in side if each is not None]
        if len(terms) == len(one.before) + len(one.after):
            known.append(combine(*terms))
            losses.append(one.loss)
        elif not known:
            return None
    weights = _least_variance(known, combine((1.0, always), (-1.0, never)), sampling)
    ends = np.stack([clip(weights, 0.0) @ np.array(losses) for clip in (np.minimum, np.maximum)])
    return combine(*zip(weights, known, strict=True)), ends


def _least_variance(
    differences: Sequence[LinearisedFigure], follow: LinearisedFigure, sampling: Sampling
) -> list[float]:
    """Weights that sum to 1, with which the differences over F vary least; of few clusters, as if there were none."""
    share = float(np.mean([one.value for one in differences])) / max(follow.value, _FEWEST)
    apart = [combine((1.0, one), (-min(max(share, 0.0), 1.0), follow)) for one in differences]
    if sampling.freedom < FEW_CLUSTERS:
        covariance = np.array([[one.parts @ other.parts for other in apart] for one in apart])
    else:
        covariance = covariance_of(apart, sampling)
    covariance += (_RIDGE * np.trace(covariance) or 1.0) * np.eye(len(differences))
    weights = np.linalg.solve(covariance, np.ones(len(differences)))
    return list((weights / weights.sum()).tolist())
