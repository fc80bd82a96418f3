"""A pair of questions, one that nobody affirms and one that everybody does: who follows the design, and what they say.

Somebody follows the design who reads each question, answers it, and draws where people draw themselves. A yes of those
who do, of share π, is shown by m = s + dπ of what is looked at: of answers behind a device (s = 0, d = 1), which
disguises also what the others press, and of records where people draw, as the others send what they press. If all
questions are alike to the others, a share W of everybody are others who send a yes, whatever was asked. With F for the
share of people who follow, r = F·m + W, so the pair tells

    F = (r₁ − r₀)/(m₁ − m₀),   W = r₀ − F·m₀,   π = (r − W − F·s)/(F·d),

without any rate by which the others say yes. π is one linear figure over another, and has Fieller's interval. What at
most few who follow answer otherwise is bounded: intervals reach over both ends of the bounds.

The others are alike in that they send no and yes to the pair as often as yes and no. So at most a quarter of
them send a yes to what nobody affirms and a no to what everybody does. Where more do, such as people who press in turn,
each of them counts twice in 1 − F, and no figure can be corrected.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.choices import AVAILABLE, DEVICE, PERSON
from privacy.design import Design, arguments
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.estimate.intervals import fieller, standard_errors
from privacy.estimate.linearised import LinearisedFigure, combine, covariance_of
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import factors, line_of, require_possible
from privacy.following.exchange import Literals, Rare, exchange
from privacy.reconstruct.shares_and_rules import support
from privacy.records.records import Records

_NEARLY = 0.05  # people who follow and answer one of the pair otherwise, at most
_DOUBT = 0.2  # of the level's, for the test of what the pair assumes
Interval = tuple[float, float]


@dataclass(frozen=True)
class Anchor:
    """An item, the place of its yes, and bounds on the share of people who follow the design and say yes."""

    name: str
    column: int
    yes: int
    known: Interval

    @property
    def pattern(self) -> Pattern:
        return Pattern(((self.column, frozenset({self.yes})),))


def read_anchors(design: Design, anchors: Mapping[str, Any]) -> list[Anchor]:
    """Read one answer with its share, or the pair with the answer that nobody gives first.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "never", "always"]})
    >>> [anchor.known for anchor in read_anchors(design, {"always": (0.99, 1), "never": 0})]
    [(0.0, 0.0), (0.99, 1.0)]
    """
    known = [_read_anchor(design, *pair) for pair in arguments.pairs(anchors, "anchors")]
    if not 1 <= len(known) <= 2 or len({anchor.column for anchor in known}) < len(known):
        raise InputError("anchors: name one answer of known share, or two of different items.")
    known.sort(key=lambda anchor: anchor.known)
    if len(known) == 2 and max(known[0].known[1], 1 - known[1].known[0]) > _NEARLY:
        names = " and ".join(repr(anchor.name) for anchor in known)
        raise InputError(
            f"anchors: {names} do not tell who follows the design; take an answer that at most {_NEARLY:g} of people "
            f"give, and one that {1 - _NEARLY:g} or more do."
        )
    return known


def _read_anchor(design: Design, text: str, share: Any) -> Anchor:
    pattern = parse_pattern(arguments.text(text, "anchors"), design)
    name = pattern.text(design)
    if len(pattern.literals) != 1:
        raise InputError(f"anchors: {quote(text)} is not one answer.")
    ((column, options),) = pattern.literals
    boolean = design.items[column].boolean
    if not boolean and len(options) > 1:
        raise InputError(f"anchors: {quote(text)} is several answers of {design.items[column].id!r}; name one.")
    ends = [share, share] if isinstance(share, int | float | np.number) else list(entries(share) or [])
    low, high = sorted(arguments.number(end, f"anchors[{name!r}]") for end in ends) if len(ends) == 2 else (1, 0)
    if not 0 <= low <= high <= 1:
        raise InputError(f"anchors: {quote(share)} of {name!r} is not a share from 0 to 1, or two that bound it.")
    (yes,) = (1,) if boolean else options
    return Anchor(name, column, yes, (low, high) if yes in options else (1 - high, 1 - low))


def corrected(design: Design, anchors: Sequence[Anchor]) -> list[str]:
    """The answers that the pair corrects: the same one of every other item with the same options.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "never", "always"]})
    >>> corrected(design, read_anchors(design, {"never": 0, "always": 1}))
    ['drugs']
    """
    options, taken = design.items[anchors[0].column].options, {anchor.column for anchor in anchors}
    return [
        Pattern(((column, frozenset({anchors[0].yes})),)).text(design)
        for column, item in enumerate(design.items)
        if item.has_options and item.options == options and column not in taken
    ]


@dataclass(frozen=True)
class Task:
    """What all figures are estimated from, and how."""

    records: Records
    sampling: Sampling
    estimator: str = "stratified"
    cases: str = AVAILABLE
    disguiser: str = DEVICE

    @cached_property
    def among(self) -> Bools | None:
        """The people whom figures are of, None everybody: who answered directly drew nothing."""
        return ~self.records.direct if self.disguiser == PERSON and self.records.direct.any() else None

    def share(self, pattern: Pattern) -> LinearisedFigure:
        """The share of everybody with the pattern, as answered or pressed; of own draws it may be biased."""
        found = support(self.records, pattern, self.sampling, self.estimator, self.among, cases=self.cases)
        if self.disguiser != PERSON and (found.above is not None or found.below is not None):
            raise InputError(f"figures: {found.name!r} is estimated with a bias, which no anchor corrects.")
        return found

    def share_or_none(self, literals: Literals) -> LinearisedFigure | None:
        """The share of a pattern; None where the records do not tell it. What wrong chances may move is left out."""
        with suppress(InputError):
            share = self.share(Pattern.from_literals(literals, self.records.design))
            return replace(share, above=None, below=None)
        return None

    def line(self, pattern: Pattern) -> tuple[float, float]:
        """(s, d): what is looked at shows an answer of share π by s + dπ."""
        return line_of(self.records.design, pattern) if self.disguiser == PERSON else (0.0, 1.0)

    def check(self, pattern: Pattern, anchor: Anchor, at: str) -> None:
        """Refuse a pattern of other answers than the anchor's or their absence, and one that others disguise."""
        design, text, person = self.records.design, pattern.text(self.records.design), self.disguiser == PERSON
        options = design.items[anchor.column].options
        said = [{anchor.yes}, {*range(len(options))} - {anchor.yes}]
        if any(design.items[column].options != options or {*own} not in said for column, own in pattern.literals):
            raise InputError(f"{at}: {text!r} has other answers than the anchors, which correct their own alone.")
        require_possible(design, pattern, self.estimator)
        drawn = {bool(design.blocks[design.place(column)[0]].draw) for column in pattern.columns}
        if any(block.draw for block in design.blocks) and drawn != {person}:
            who = "device" if person else "person"
            raise InputError(f"{at}: of {text!r} the {who} draws; disguiser is the {who}.")
        if person and (len(pattern.literals) > 1 or len(options) > 2):
            raise InputError(f"{at}: {text!r} is not one yes/no answer, which people draw; disguiser is the device.")
        if person and any(len(part.atoms) > 1 for part in factors(design, pattern)):
            raise InputError(f"{at}: {text!r} is disguised by flips, which nobody does in their head.")


@dataclass(frozen=True)
class Scenario:
    """The share F of people who follow, if so many of them answer each of the pair otherwise: `broken`."""

    follow: LinearisedFigure
    shown: float  # m₀, of the answer that nobody gives
    broken: tuple[float, float]


@dataclass(frozen=True)
class QuestionPair:
    """What the pair shows; the scenarios are the middle of its bounds, and all their ends.

    `reach`: how far chances of own draws that are off may move both together.
    """

    task: Task
    anchors: tuple[Anchor, Anchor]
    shares: tuple[LinearisedFigure, ...]
    lines: tuple[tuple[float, float], ...]
    scenarios: tuple[Scenario, ...]
    reach: float

    @classmethod
    def make(cls, task: Task, never: Anchor, always: Anchor) -> "QuestionPair":
        found = [task.share(anchor.pattern) for anchor in (never, always)]
        shares = tuple(replace(share, doubts={}, above=None, below=None, groups=()) for share in found)
        (s0, d0), (s1, d1) = lines = tuple(task.line(anchor.pattern) for anchor in (never, always))
        scenarios = []
        middle = sum(never.known) / 2, sum(always.known) / 2
        for few, many in dict.fromkeys((middle, *product(never.known, always.known))):
            apart = s1 + d1 * many - s0 - d0 * few
            follow = combine((d1 / apart, shares[1]), (-d0 / apart, shares[0]), constant=(s1 - s0) / apart)
            scenarios.append(Scenario(follow, s0 + d0 * few, (few, 1 - many)))
        return cls(task, (never, always), shares, lines, tuple(scenarios), sum(map(reach_of, found)))

    def correct(self, share: LinearisedFigure, pattern: Pattern) -> list[LinearisedFigure]:
        """π of those who follow, as a fraction: of the middle of the bounds, then of all that they leave open."""
        if self.task.disguiser != PERSON and (found := self._exchange(pattern)):
            exchanged, ends = found
            losses = [(self.scenarios[0], 0.0)]
            losses += [(one, loss) for one in self.scenarios for loss in {*(ends @ one.broken).tolist()}]
            return [divide(combine((1.0, exchanged), (loss, one.follow)), one.follow, share) for one, loss in losses]
        if len(pattern.literals) > 1:
            text = pattern.text(self.task.records.design)
            raise InputError(f"figures: records do not tell {text!r} beside the anchors, which must correct it.")
        (start, kept), (s0, d0) = self.task.line(pattern), self.lines[0]
        first = combine((1.0, share), (-d0 / kept, self.shares[0]))
        apart = (start - s0) / kept
        shown = [
            (one, combine((1.0, first), ((one.shown - start) / kept, one.follow), constant=apart))
            for one in self.scenarios
        ]
        return [divide(above, one.follow, share) for one, above in shown]

    def _exchange(self, pattern: Pattern) -> tuple[LinearisedFigure, Floats] | None:
        """F·π by exchange with the pair; None where the records do not tell it, or it holds one of the pair."""
        (never, always), options = self.anchors, self.task.records.design.items[self.anchors[0].column].options
        if {never.column, always.column}.intersection(pattern.columns):
            return None
        yes, no = frozenset({never.yes}), frozenset(range(len(options))) - {never.yes}
        rare = Rare((never.column, yes), (never.column, no)), Rare((always.column, no), (always.column, yes))
        literals = [(literal, never.yes in literal[1]) for literal in pattern.literals]
        return exchange(literals, *rare, self.task.share_or_none, self.task.sampling)

    def fits(self, level: float) -> tuple[bool | None, float]:
        """Whether those who do not follow seem to tell no question from another, as far as chance allows; else how
        many they are at least.

        None where the records do not tell how often both answers of the pair come together.
        """
        literals = [literal for anchor in self.anchors for literal in anchor.pattern.literals]
        both, sampling = self.task.share_or_none(tuple(literals)), self.task.sampling
        drawn = factors(self.task.records.design, Pattern.from_literals(literals, self.task.records.design))
        if both is None or (self.task.disguiser == PERSON and len(drawn) < 2):
            return None, 1.0
        (first, second), ((s0, d0), (s1, d1)) = self.shares, self.lines
        affirmed = combine((s1 * d0, first), (s0 * d1, second), (d0 * d1, both), constant=s0 * s1)  # shown of both
        rare, usual = (
            combine((kept, one), (-1.0, affirmed), constant=start)
            for kept, one, start in ((d0, first, s0), (d1, second, s1))
        )
        slope = 1 / 4 - s0 * (1 - s1 - d1) - min(self.anchors[0].known[1], 1 - self.anchors[1].known[0])
        beyond = combine((1.0, rare), (slope, self.scenarios[0].follow), constant=-1 / 4)
        least = combine((-1 / ((1 - s0) * (s1 + d1)), usual), constant=1.0)
        far = standard_errors(1 - _DOUBT * (1 - level), sampling.freedom) * beyond.estimate(sampling).se
        return not beyond.value - self.reach > far, least.estimate(sampling, level).ci[0] - self.reach


def reach_of(share: LinearisedFigure) -> float:
    """How far chances of own draws that are off may move a share."""
    return max(0.0, *(end.most if end else 0.0 for end in (share.above, share.below)))


def divide(above: LinearisedFigure, below: LinearisedFigure, like: LinearisedFigure) -> LinearisedFigure:
    """One figure over another, of as many people as `like`."""
    value = above.value / below.value
    quotient = combine((1 / below.value, above), (-value / below.value, below))
    quotient = replace(quotient, n=like.n, spread=like.spread, effective=like.effective)
    return replace(quotient, value=value, fraction=(above, below))


def fieller_interval(figure: LinearisedFigure, sampling: Sampling, level: float) -> Interval:
    """Fieller's interval of a fraction, also where its divisor is far from 0; NaN where its error is unknown."""
    assert figure.fraction is not None
    above, below = figure.fraction
    if not figure.has_error:
        return np.nan, np.nan
    freedom = min(sampling.freedom, max(min(figure.effective, figure.n) - 1, 1))
    (a, c), (_, b) = covariance_of([above, below], sampling)
    low, high = fieller(np.array(above.value), np.array(below.value), (a, c, b), standard_errors(level, freedom))
    return float(low), float(high)
