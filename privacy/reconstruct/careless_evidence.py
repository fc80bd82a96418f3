"""What records say of anchors: which shares of careless people they allow, and how those answer other items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from privacy.arrays import Bools
from privacy.design import Design
from privacy.design.channels import Factor
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.estimate.linearised import BiasBound, LinearisedFigure
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import channel_of, factors, require_possible
from privacy.reconstruct.anchors import Anchor, Interval
from privacy.reconstruct.carelessness import (
    HALF,
    MOST,
    Nuisance,
    Press,
    Seen,
    at_share,
    by_controls,
    by_half,
    by_one_sayers,
    by_rate,
    by_two_anchors,
    without_joint,
)
from privacy.reconstruct.exchange import Exchanged, Literals, Rare, combine, exchanged
from privacy.reconstruct.shares_and_rules import support
from privacy.records.open_columns import as_numbers, column as open_column, missing
from privacy.records.records import Records

_BEYOND_CHANCE = 5.0  # standard errors
_FEWEST = 1e-6  # careless people, where nobody need be
_NO_BIAS = BiasBound(0.0, np.zeros(0))
_STEPS = 40  # shares of careless people that one anchor alone leaves open


@dataclass(frozen=True)
class Asked:
    """A figure that is asked for: a pattern, or one over another, which is a part of it.

    `exchanged` are both without careless people, where anchors allow that, whatever these press.
    """

    text: str
    above: Seen
    below: Seen | None
    exchanged: tuple[Exchanged, Exchanged | None] | None

    @property
    def sides(self) -> tuple[Seen, Seen | None]:
        return self.above, self.below


@dataclass(frozen=True)
class Task:
    """What all figures are estimated from, and how.

    `heads` is whether people draw and disguise themselves, `same` whether careless ones press one button for all; `yes`
    is the place of the answer that the anchors name, among the `options` of all these items. `among` are the people
    whom figures are of, None everybody. `rare` are the anchors' yes and no that hardly any attentive person gives.
    `looks` are the people of each look; figures count them alike, and `controls` the questions of known answer.
    `apart`: no figure tells how many people failed both, or one in some look; single answers alone are asked for.
    """

    records: Records
    sampling: Sampling
    estimator: str
    cases: str
    heads: bool
    same: bool
    yes: int
    options: Sequence[str]
    among: Bools | None = None
    rare: tuple[Rare, Rare] | None = None
    looks: tuple[Bools, ...] = ()
    controls: tuple[LinearisedFigure, ...] = ()  # the shares of wrong answers
    apart: bool = False

    def read(self, text: str) -> Pattern:
        return self.yes_no(parse_pattern(text, self.records.design), "figures")

    def yes_no(self, pattern: Pattern, at: str) -> Pattern:
        """Return the pattern if each of its answers is the one that the anchors name, or its absence; else refuse."""
        design = self.records.design
        for column, options in pattern.literals:
            item = design.items[column]
            if item.options != self.options:
                raise InputError(
                    f"{at}: {item.id!r} has other answers than the anchors, which do not tell what careless people "
                    "give."
                )
            if options != {self.yes} and options != {*range(len(item.options))} - {self.yes}:
                text = Pattern(((column, options),)).text(design)
                raise InputError(f"{at}: {text!r} is not the answer that the anchors name, nor all others.")
        require_possible(design, pattern, self.estimator)
        drawn = {bool(design.blocks[design.place(column)[0]].draw) for column in pattern.columns}
        if drawn != {self.heads} and any(block.draw for block in design.blocks):
            text, who = pattern.text(design), "device" if self.heads else "person"
            raise InputError(
                f"{at}: of {text!r} the {who} draws, and careless people press otherwise; disguiser is the {who}."
            )
        if self.heads and len(self.options) > 2:
            raise InputError(f"{at}: people disguise a choice of two in their heads; disguiser is the device.")
        if self.heads and any(len(part.atoms) > 1 for part in factors(design, pattern)):
            raise InputError(f"{at}: {pattern.text(design)!r} is disguised by flips, which nobody does in their head.")
        return pattern

    def answers(self, pattern: Pattern) -> Seen:
        """The share of everybody with the pattern, and how careless people answer each of its literals."""
        share, reach = self._share(pattern)
        if self.heads:
            presses = tuple(self._press(part) for part in factors(self.records.design, pattern))
            return Seen(share, presses, self.same, reach)
        if share.above is not None or share.below is not None:
            raise InputError(f"figures: {share.name!r} is estimated with a bias, which no anchor corrects.")
        said = (self.yes in options for _, options in pattern.literals)
        return Seen(share, tuple(Press(0.0, 1.0, int(yes), int(not yes)) for yes in said), self.same)

    def reach_of(self, anchors: Sequence[Anchor]) -> float:
        """How far wrong chances of own draws may move the shares of these anchors, all together."""
        return sum(self._share(self._yes(one.column))[1] for one in anchors) if self.heads else 0.0

    def _share(self, pattern: Pattern, among: Bools | None = None) -> tuple[LinearisedFigure, float]:
        """The share of everybody with the pattern, of two looks the mean, whichever more people had.

        And how far wrong chances of own draws may move it; where people draw themselves, it has no other bias.
        """
        here = self.among if among is None else among & (True if self.among is None else self.among)
        looks = () if self.apart else self.looks  # drawn by lot, so that all people together tell the same
        groups: Sequence[Bools | None] = [own if here is None else own & here for own in looks] or [here]
        each = [support(self.records, pattern, self.sampling, self.estimator, one, cases=self.cases) for one in groups]
        reach = max(end.most for one in each for end in (one.above, one.below, _NO_BIAS) if end is not None)
        if len(each) == 1:
            return (replace(each[0], above=None, below=None) if self.heads else each[0]), reach
        mean = combine([(1 / len(each), one) for one in each])
        people, effective = sum(one.n for one in each), sum(one.effective for one in each)
        return replace(mean, name=each[0].name, n=people, effective=effective), reach

    def _press(self, part: Factor) -> Press:
        """How careless people give the answers that one draw of their own disguises, as a function of their rate."""
        start, kept = channel_of([(part,)]).line()
        said = [self.yes in options for atom in part.atoms for _, options in atom]
        return Press(-float(start[0]) / float(kept[0]), 1 / float(kept[0]), sum(said), len(said) - sum(said))

    def _yes(self, column: int) -> Pattern:
        return Pattern(((column, frozenset({self.yes})),))

    def line(self, column: int, design: Design | None = None) -> tuple[float, float]:
        """(start, kept) of P(record says yes) = start + kept·π, where π is the share who say yes."""
        start, kept = channel_of([factors(design or self.records.design, self._yes(column))]).line()
        return float(start[0]), float(kept[0])

    def figure(self, text: str) -> Asked:
        """Estimate a pattern, or both patterns of a rule, from its text."""
        if "=>" not in text:
            pattern = self.read(text)
            above, own = self.answers(pattern), self.exchanged(pattern)
            return Asked(pattern.text(self.records.design), above, None, (own, None) if own else None)
        antecedent, _, consequent = (side.strip() for side in text.partition("=>"))
        left, right = self.read(antecedent), self.read(consequent)
        if set(left.columns) & set(right.columns):
            raise InputError(f"Rule {antecedent!r} => {consequent!r}: an item is on both sides.")
        whole = self.read(f"{antecedent},{consequent}")
        sides = self.exchanged(whole), self.exchanged(left)
        exchanged = (sides[0], sides[1]) if sides[0] and sides[1] else None
        return Asked(f"{antecedent} => {consequent}", self.answers(whole), self.answers(left), exchanged)

    def exchanged(self, pattern: Pattern) -> Exchanged | None:
        """The pattern without careless people, by exchange with the anchors; None where these are not so rare."""
        if self.rare is None or {rare.literal[0] for rare in self.rare} & {*pattern.columns}:
            return None
        literals = [(literal, self.yes in literal[1]) for literal in pattern.literals]
        return exchanged(literals, *self.rare, self.support, self.sampling)

    def support(self, literals: Literals) -> LinearisedFigure | None:
        """The share of everybody who gives these answers; None where the records do not tell it without a bias."""
        pattern = Pattern.from_literals(literals, self.records.design)
        try:
            share = support(self.records, pattern, self.sampling, self.estimator, self.among, cases=self.cases)
        except InputError:
            return None
        return share if share.above is None and share.below is None else None

    def mean(self, anchor: Anchor, among: Bools | None = None, design: Design | None = None) -> "_Mean":
        """The share of all, and of attentive people, with an anchor's yes: of records, where heads disguise."""
        share, _ = self._share(self._yes(anchor.column), among)
        if not self.heads:
            return _Mean(share, anchor.known)
        start, kept = self.line(anchor.column)
        said = LinearisedFigure(share.name, share.n, start + kept * share.value, kept * share.parts)
        start, kept = self.line(anchor.column, design)
        return _Mean(said, (start + kept * anchor.known[0], start + kept * anchor.known[1]))

    def plain(self, text: str, directly: Bools) -> float:
        """The share of those who answered directly."""
        return support(self.records, self.read(text), self.sampling, self.estimator, directly).value


@dataclass(frozen=True)
class _Mean:
    """How many say yes, and how many would if all were attentive; the ends are those of the anchor's bounds."""

    said: LinearisedFigure
    known: Interval


def scenarios_of_controls(task: Task, seen: LinearisedFigure | None = None) -> list[Nuisance]:
    """What two controls tell; beside the share `seen`, where no figure may tell how many failed both."""
    error = _entry_error(task.records)
    pairs = without_joint(task.controls, seen, error, task.sampling) if task.apart else [task.controls]
    made = [by_controls(one, two, error) for one, two in pairs]
    return [by_half(one.share) for one in made] if task.looks else made


def find_scenarios(task: Task, anchors: Sequence[Anchor], rate: float | None) -> list[Nuisance]:
    """What the anchors tell at the middle of their bounds, then at their ends; empty for one anchor alone.

    Controls tell it without anchors, and of two looks one anchor is enough.
    """
    if task.controls:
        return scenarios_of_controls(task)
    if rate is not None and (task.looks or len(anchors) == 2):
        raise InputError(f"rate: two {'looks' if task.looks else 'anchors'} tell it; leave it out, or one of them.")
    if task.looks:  # with a second anchor, too: whatever careless people press, half of it speaks for yes
        rate, anchors = HALF, sorted(anchors, key=lambda one: sum(one.known))[:1]
    if len(anchors) == 2:
        first, second = (task.mean(one) for one in anchors)
        return _by_two(first, second, list(product(_known_shares(first), _known_shares(second))), anchors)
    (anchor,) = anchors
    if rate is not None:
        mean = task.mean(anchor)
        if not 0 <= rate <= 1:
            raise InputError(f"rate: {rate!r} is not a share from 0 to 1.")
        if min(mean.known) <= rate <= max(mean.known):
            raise InputError(f"rate: attentive people may answer {anchor.name!r} by the rate {rate:g}, too.")
        return [by_rate(mean.said, known, rate) for known in _known_shares(mean)]
    return []


def share_of_wrong(
    records: Records, name: str, right: int, sampling: Sampling, among: Bools | None
) -> LinearisedFigure:
    """How many answer a question of known answer wrongly, of those who were asked it: its column holds 0, 1 or nothing.

    Of records that were typed with the error e the share as entered is ω + e(1 − 2ω).

    >>> from privacy.design.models import warner
    >>> column = {"control": np.array([1.0, 0.0, 1.0, np.nan])}
    >>> records = Records(warner(["drugs"], 0.7), np.zeros((4, 1), np.uint8), np.zeros(4, bool), column)
    >>> round(share_of_wrong(records, "control", 1, Sampling.simple(4), None).value, 4)
    0.3333
    """
    if right not in (0, 1):
        raise InputError(f"controls: the right record of {name!r} is 0 or 1, not {right!r}.")
    values = open_column(records.open_columns, name, "controls")
    said, asked = as_numbers(values), ~missing(values)
    if not np.isin(said[asked], (0, 1)).all():
        raise InputError(f"controls: the column {name!r} holds other values than 0, 1 and nothing.")
    asked &= True if among is None else among
    people = float(sampling.weights @ asked)
    if not people > 0:
        raise InputError(f"controls: nobody answered {name!r}.")
    wrong = asked & (said != right)
    entered = float(sampling.weights @ wrong) / people
    error = _entry_error(records)
    value, left = (entered - error) / (1 - 2 * error), people * (1 - 2 * error)
    parts, spread = np.where(asked, wrong - entered, 0.0) / left, 0 < entered < 1
    return LinearisedFigure(name, int(asked.sum()), value, parts, spread=spread, effective=sampling.effective(asked))


def _entry_error(records: Records) -> float:
    """The share of answers in these records that were typed wrongly."""
    errors = records.design.entry_errors
    return errors.mean if errors else 0.0


def reach_of_wrong(task: Task, level: float) -> float:
    """How far the error of entry, which is itself estimated, may move the shares of wrong answers, all together."""
    errors = task.records.design.entry_errors
    if errors is None:
        return 0.0
    moved = sum(abs(1 - 2 * one.value) for one in task.controls) / (1 - 2 * errors.mean)
    return moved * errors.doubt * float(standard_errors(level))


def one_sayers(task: Task, asked: Sequence[Asked]) -> list[Nuisance]:
    """What two looks tell alone of one answer, if all careless people press the same button in both."""
    if len(asked) > 1 or asked[0].below is not None or asked[0].above.answers > 1:
        raise InputError("figures: two looks alone tell of one yes at a time; ask a question that is never true, too.")
    alone, ((own, _),) = replace(task, looks=()), task.read(asked[0].text).literals
    said = (alone.mean(Anchor(asked[0].text, own, task.yes, (0.0, 0.0)), look).said for look in task.looks)
    return [by_one_sayers(*said)]


def _known_shares(mean: _Mean) -> list[float]:
    """The known shares that are tried: the middle of an anchor's bounds, and the ends where they differ."""
    low, high = mean.known
    return [low] if low == high else [(low + high) / 2, low, high]


def _by_two(
    first: _Mean, second: _Mean, places: list[tuple[float, float]], anchors: Sequence[Anchor]
) -> list[Nuisance]:
    """What two anchors tell, for each pair of their known shares; refused where these may be equal."""
    apart = [high - low for low, high in places]
    if min(apart) <= 0 <= max(apart):
        names = " and ".join(repr(one.name) for one in anchors)
        raise InputError(
            f"anchors: attentive people may say yes to {names} alike, which tells nothing of careless ones; take an "
            "answer that is nearly never true, and one that nearly always is."
        )
    return [by_two_anchors(first.said, second.said, pair) for pair in places]


@dataclass(frozen=True)
class Evidence:
    """What anchors tell: of which pairs of c and ρ points are given, and over which intervals reach.

    Of one anchor alone the `points` are several, all of them as likely as another, up to a share `most`.
    """

    points: Sequence[Nuisance]
    every: Sequence[Nuisance]
    share_ci: Interval
    rate_ci: Interval
    given: bool = False
    most: float | None = None


def evidence_of_scenarios(task: Task, scenarios: Sequence[Nuisance], level: float, given: bool) -> Evidence:
    """What the scenarios tell: points come from the first, intervals reach over all."""
    estimates = [one.share.estimate(task.sampling, level) for one in scenarios]
    shares = spanning_interval(one.share_interval(task.sampling, level) for one in scenarios)
    if not np.isfinite(shares).all():
        raise InputError("anchors: all records say the same of them, or there is one, so no error is known.")
    if shares[0] > MOST:
        raise InputError(
            "anchors: nearly everybody seems to answer without reading; are the shares of the anchors those of their "
            "answers?"
        )
    if max(one.estimate + _BEYOND_CHANCE * one.se for one in estimates) < 0:
        raise InputError(
            "anchors: they are answered better than attentive people can; are their shares those of their answers?"
        )
    rate = scenarios[0].point[1]
    rates = (rate, rate) if given else spanning_interval(_rate_interval(one, task.sampling, level) for one in scenarios)
    return Evidence(scenarios[:1], scenarios, clip_to_shares(shares), clip_to_shares(rates), given)


def _rate_interval(nuisance: Nuisance, sampling: Sampling, level: float) -> Interval:
    """Fieller's interval of the rate of careless people; 0 to 1 where nobody seems to be careless."""
    if not nuisance.share.value > 0:
        return 0.0, 1.0
    return nuisance.rate_figure.estimate(sampling, level).ci


def evidence_of_one(task: Task, anchor: Anchor, level: float, most: float) -> Evidence:
    """What one anchor leaves open: all shares of careless people up to `most` that can explain its answers."""
    mean = task.mean(anchor)
    reach = standard_errors(level, task.sampling.freedom) * standard_error(task, mean.said)
    if not np.isfinite(reach):
        raise InputError("anchors: all records say the same of it, or there is one, so no error is known.")
    ends = [mean.said.value - reach, mean.said.value + reach]
    points, every, leasts, rates = [], [], [], []
    for known in _known_shares(mean):
        least = _least_careless(min(max(known, ends[0]), ends[1]), known)
        if least >= most:
            continue
        leasts.append(least)
        for c in np.linspace(max(least, _FEWEST), most, _STEPS).tolist():
            every.append(at_share(mean.said, known, c))
            rates += [(end - (1 - c) * known) / c for end in ends]
        surely = max(_least_careless(mean.said.value, known), _FEWEST)
        if surely < most:
            points += [at_share(mean.said, known, c) for c in np.linspace(surely, most, _STEPS).tolist()]
    if not every:
        raise InputError(
            f"most: {anchor.name!r} is answered as if more than {most:g} were careless; raise it, or correct its share."
        )
    rate_ci = clip_to_shares((min(rates), max(rates)))
    return Evidence(points or every, every, (min(leasts), most), rate_ci, most=most)


def _least_careless(said: float, known: float) -> float:
    """The least share of careless people where the share `known` of attentive people says yes, and `said` of all."""
    if said > known:
        return (said - known) / (1 - known) if known < 1 else np.inf
    return (known - said) / known if known > 0 else (0.0 if said == known else np.inf)


def standard_error(task: Task, figure: LinearisedFigure) -> float:
    estimate = figure.simple_estimate() if task.sampling.is_simple else figure.estimate(task.sampling)
    return estimate.se


def spanning_interval(intervals: Iterable[Interval]) -> Interval:
    lows, highs = zip(*intervals, strict=True)
    return min(lows), max(highs)


def clip_to_shares(interval: Interval) -> Interval:
    return min(max(interval[0], 0.0), 1.0), min(max(interval[1], 0.0), 1.0)
