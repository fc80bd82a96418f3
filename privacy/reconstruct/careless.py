"""The share of people who answer without reading, and what the others say (`privacy.reconstruct.carelessness`)."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

from privacy.arrays import Bools
from privacy.choices import AVAILABLE, DEVICE, EACH, PERSON, SAME
from privacy.design import ARM, ARMS, Design, arguments
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.estimate.linearised import LinearisedFigure, covariance_of
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import channel_of, factors, obstacle, require_possible
from privacy.options import check_arguments, tables
from privacy.output import count_of, to_json_value
from privacy.reconstruct.carelessness import (
    MOST,
    Nuisance,
    Press,
    Seen,
    at_share,
    attentive,
    by_rate,
    by_two_anchors,
    interval,
    quotient,
)
from privacy.reconstruct.exchange import Exchanged, Literals, Rare, combine, exchanged
from privacy.reconstruct.shares_and_rules import support
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns, data_frame

__all__ = ["Careless", "careless"]

_BEYOND_CHANCE = 5.0  # standard errors
_FEWEST = 1e-6  # careless people, where nobody need be
_FOUND = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)  # standard errors
_STEPS = 40  # shares of careless people that one anchor alone leaves open
_NEARLY = 0.05  # attentive people who break an anchor, at most, for careless people to be exchanged
_ALSO = 0.2  # of the doubt, for a second test of what is assumed
_NO_ERROR = 1e-9  # of figures that no coin disguises
_ASSUMED = {
    None: "Assumed: all these items are alike to careless people; each of them answers by a rate of their own, or by "
    "one button. Corrected figures are of the others.",
    EACH: "Assumed: a careless person answers all these items so, each by itself and with one rate of yes. Corrected "
    "figures are of the others.",
    SAME: "Assumed: a careless person answers all these items so, by one button for all of them. Corrected figures are "
    "of the others.",
}

Interval = tuple[float, float]


@dataclass(frozen=True)
class AttentiveFigure:
    """A share, or the confidence of a rule: as everybody answered, and of attentive people.

    Where one anchor cannot tell how many are careless, there is no `attentive` figure, and it lies `between` two.
    """

    figure: str
    n: int
    answered: float
    answered_se: float
    attentive: float | None
    se: float | None
    between: Interval | None
    ci: Interval

    @property
    def feasible(self) -> float | None:
        """The share within 0 and 1 that is nearest."""
        return None if self.attentive is None else min(max(self.attentive, 0.0), 1.0)

    def to_json(self) -> dict[str, Any]:
        names = ("figure", "n", "answered", "answered_se", "attentive", "feasible", "se")
        between = list(self.between) if self.between else None
        return {name: getattr(self, name) for name in names} | {"between": between, "ci": list(self.ci)}


@dataclass(frozen=True, repr=False)
class Careless(Result):
    """How many answer without reading, their rate of yes, and figures of the others; `candor.careless` makes it.

    `share` and `rate` are None where one anchor alone cannot tell them; then their intervals say what it leaves open.
    `given` is whether the rate was given; `presses` is None where figures hold whatever careless people press;
    `fits` is whether the anchors agree with what is assumed, and None where they do not tell. `most` is the bound on
    the share of careless people that was then assumed.
    """

    n: int
    estimator: str
    disguiser: str
    level: float
    share: float | None
    share_ci: Interval
    rate: float | None
    rate_ci: Interval
    given: bool
    presses: str | None
    fits: bool | None
    most: float | None
    figures: tuple[AttentiveFigure, ...]

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.n, 'record')}; {self.estimator} estimator"
        yield _share_line("Careless people", self.share, self.share_ci)
        of = "Their rate of yes" if self.disguiser == DEVICE else "Their rate of records that say yes"
        yield (
            f"{of}: {self.rate:.4g}, as given"
            if self.given and self.rate is not None
            else _share_line(of, self.rate, self.rate_ci)
        )
        yield ""
        ends = ["of attentive", "se"] if self.share is not None else ["at least", "at most"]
        rows = [
            [
                one.figure,
                one.n,
                one.answered,
                one.answered_se,
                *(one.between or (one.attentive, one.se)),
                *_if_finite(one.ci),
            ]
            for one in self.figures
        ]
        yield TextColumns(["figure", "n", "of all", "se", *ends, "low", "high"], rows)
        yield ""
        if self.most is not None:
            yield f"One anchor alone cannot tell more. At most {self.most:.4g} are assumed to be careless."
        yield _ASSUMED[self.presses]
        if self.fits is False and self.presses is None:
            yield "The anchors contradict that: careless people seem to tell these items apart."
        elif self.fits is False:
            other = SAME if self.presses == EACH else EACH
            yield f"The anchors contradict that: their answers go together otherwise. Compare with presses {other}."

    def to_frame(self) -> DataFrame:
        """Return a row for each figure."""
        return data_frame(self.to_json()["figures"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor careless`."""
        return to_json_value(
            {
                "n": self.n,
                "estimator": self.estimator,
                "disguiser": self.disguiser,
                "level": self.level,
                "careless": {"share": self.share, "ci": list(self.share_ci)},
                "rate": {"share": self.rate, "ci": list(self.rate_ci), "given": self.given},
                "presses": self.presses,
                "fits": self.fits,
                "most": self.most,
                "figures": [one.to_json() for one in self.figures],
            }
        )


def _share_line(of: str, share: float | None, ci: Interval) -> str:
    ends = f"{ci[0]:.4f} to {ci[1]:.4f}"
    return f"{of}: {ends}" if share is None else f"{of}: {share:.4f} ({ends})"


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

    Returns
    -------
    Careless

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
    task = _Task(
        records,
        sampling,
        estimator,
        cases,
        disguiser == PERSON,
        presses == SAME,
        known[0].yes,
        records.design.items[known[0].column].options,
        among,
        None if disguiser == PERSON else _rare_answers(records.design, known),
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
    scenarios = _scenarios(task, known, rate)
    evidence = (
        _evidence(task, scenarios, level, rate is not None)
        if scenarios
        else _evidence_of_one(task, known[0], level, most)
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


@dataclass(frozen=True)
class Anchor:
    """An item, the place of its yes, and bounds on the share of attentive people who say yes."""

    name: str
    column: int
    yes: int
    known: Interval


def read_anchors(design: Design, anchors: Mapping[str, Any]) -> list[Anchor]:
    """Read answers with their shares, as the argument of `careless` has them.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "never"]})
    >>> read_anchors(design, {"!never": (0.99, 1)})[0].known[0]
    0.0
    """
    read = [_read_anchor(design, *pair) for pair in arguments.pairs(anchors, "anchors")]
    if not 1 <= len(read) <= 2 or len({one.column for one in read}) < len(read):
        raise InputError("anchors: name one answer of known share, or two of different items.")
    return read


def corrected(design: Design, anchors: Sequence[Anchor]) -> list[str]:
    """The answers that these anchors correct: the same one of every other item with the same options.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "never", "always"]})
    >>> corrected(design, read_anchors(design, {"never": 0, "always": 1}))
    ['drugs']
    """
    options, taken = design.items[anchors[0].column].options, {one.column for one in anchors}
    return [
        Pattern(((column, frozenset({anchors[0].yes})),)).text(design)
        for column, item in enumerate(design.items)
        if item.has_options and item.options == options and column not in taken
    ]


def price(design: Design, anchors: Mapping[str, Any], respondents: int) -> tuple[float, float]:
    """What two anchors tell and cost where nobody is careless: the share of careless people that intervals then tell
    from none in four of five surveys, and how many times as large the standard error of a rare answer is corrected.

    Both as if all these answers were disguised apart and corrected by the first difference alone; so it costs less, and
    least under one coin.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "never", "always"]})
    >>> [round(figure, 2) for figure in price(design, {"never": 0, "always": 1}, 2000)]
    [0.08, 1.41]
    """
    known = read_anchors(design, anchors)
    if not (others := corrected(design, known)):
        raise InputError("anchors: no other item has their options, so there is nothing to correct.")
    rare = parse_pattern(others[0], design)
    never, always = (
        _variance(design, Pattern(((one.column, frozenset({one.yes})),)), sum(one.known) / 2, respondents)
        for one in sorted(known, key=lambda one: one.known)
    )
    own = _variance(design, rare, 0.0, respondents)
    return _FOUND * math.sqrt(never + always), math.sqrt(1 + never / own)


def _variance(design: Design, answer: Pattern, share: float, respondents: int) -> float:
    """The variance of the estimate of an answer that this share gives, from the records of those who are asked it."""
    start, kept = channel_of([factors(design, answer)]).line()
    block = design.blocks[design.place(answer.columns[0])[0]]
    seen = start[0] + kept[0] * share
    return float(seen * (1 - seen) / kept[0] ** 2 * len(block.items) / (respondents * block.items_per_person))


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


@dataclass(frozen=True)
class _Asked:
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
class _Task:
    """What all figures are estimated from, and how.

    `heads` is whether people disguise in their heads, `same` whether careless ones press one button for all; `yes` is
    the place of the answer that the anchors name, among the `options` of all these items. `among` are the people whom
    figures are of, None everybody. `rare` are the anchors' yes and no that hardly any attentive person gives.
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
        if self.heads and len(self.options) > 2:
            raise InputError(f"{at}: people disguise a choice of two in their heads; disguiser is the device.")
        if self.heads and any(
            len({column for atom in part.atoms for column, _ in atom}) > 1 for part in factors(design, pattern)
        ):
            raise InputError(
                f"{at}: {pattern.text(design)!r} has several answers that one coin disguises, which nobody does in "
                "their head; disguiser is the device."
            )
        return pattern

    def answers(self, pattern: Pattern) -> Seen:
        """The share of everybody with the pattern, and how careless people answer each of its literals."""
        share = support(self.records, pattern, self.sampling, self.estimator, self.among, cases=self.cases)
        if share.above is not None or share.below is not None:
            raise InputError(f"figures: {share.name!r} is estimated with a bias, which no anchor corrects.")
        presses = tuple(self._press(column, self.yes in options) for column, options in pattern.literals)
        return Seen(share, presses, self.same)

    def _press(self, column: int, yes: bool) -> Press:
        """How careless people answer an item, as a function of their rate."""
        if not self.heads:
            return Press(0.0, 1.0, yes)
        start, kept = self.line(column)
        return Press(-start / kept, 1 / kept, yes)

    def _yes(self, column: int) -> Pattern:
        return Pattern(((column, frozenset({self.yes})),))

    def line(self, column: int, design: Design | None = None) -> tuple[float, float]:
        """(start, kept) of P(record says yes) = start + kept·π, where π is the share who say yes."""
        start, kept = channel_of([factors(design or self.records.design, self._yes(column))]).line()
        return float(start[0]), float(kept[0])

    def figure(self, text: str) -> _Asked:
        """Estimate a pattern, or both patterns of a rule, from its text."""
        if "=>" not in text:
            pattern = self.read(text)
            above, own = self.answers(pattern), self.exchanged(pattern)
            return _Asked(pattern.text(self.records.design), above, None, (own, None) if own else None)
        antecedent, _, consequent = (side.strip() for side in text.partition("=>"))
        left, right = self.read(antecedent), self.read(consequent)
        if set(left.columns) & set(right.columns):
            raise InputError(f"Rule {antecedent!r} => {consequent!r}: an item is on both sides.")
        whole = self.read(f"{antecedent},{consequent}")
        sides = self.exchanged(whole), self.exchanged(left)
        exchanged = (sides[0], sides[1]) if sides[0] and sides[1] else None
        return _Asked(f"{antecedent} => {consequent}", self.answers(whole), self.answers(left), exchanged)

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
        records = self.records
        here = self.among if among is None else among & (True if self.among is None else self.among)
        share = support(records, self._yes(anchor.column), self.sampling, self.estimator, here, cases=self.cases)
        if not self.heads:
            return _Mean(share, anchor.known)
        start, kept = self.line(anchor.column)
        said = LinearisedFigure(share.name, share.n, start + kept * share.value, kept * share.parts)
        start, kept = self.line(anchor.column, design)
        return _Mean(said, (start + kept * anchor.known[0], start + kept * anchor.known[1]))


@dataclass(frozen=True)
class _Mean:
    """How many say yes, and how many would if all were attentive; the ends are those of the anchor's bounds."""

    said: LinearisedFigure
    known: Interval


def _rare_answers(design: Design, anchors: Sequence[Anchor]) -> tuple[Rare, Rare] | None:
    """The yes of an anchor that nobody need affirm and the no of one that everybody may; None where they are others."""
    if len(anchors) < 2:
        return None
    never, always = sorted(anchors, key=lambda one: one.known)
    if never.known[0] > 0 or always.known[1] < 1 or max(never.known[1], 1 - always.known[0]) > _NEARLY:
        return None
    answers = [
        (one.column, options)
        for one in (never, always)
        for yes in [frozenset({one.yes})]
        for options in (yes, frozenset(range(len(design.items[one.column].options))) - yes)
    ]
    return Rare(answers[0], answers[1]), Rare(answers[3], answers[2])


def _scenarios(task: _Task, anchors: Sequence[Anchor], rate: float | None) -> list[Nuisance]:
    """What the anchors tell at the middle of their bounds, then at their ends; empty for one anchor alone."""
    if len(anchors) == 2:
        if rate is not None:
            raise InputError("rate: two anchors tell it; leave it out, or one of them.")
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
    design = task.records.design
    if not task.heads or design.arms is None or ARM not in task.records.open_columns:
        return []
    column = task.records.open_columns[ARM]
    first, second = (task.mean(anchor, column == name, arm) for name, arm in zip(ARMS, design.arms, strict=True))
    return _by_two(first, second, list(zip(_known_shares(first), _known_shares(second), strict=True)), [anchor])


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
class _Evidence:
    """What anchors tell: of which pairs of c and ρ points are given, and over which intervals reach.

    Of one anchor alone the `points` are several, all of them as likely as another, up to a share `most`.
    """

    points: Sequence[Nuisance]
    every: Sequence[Nuisance]
    share_ci: Interval
    rate_ci: Interval
    given: bool = False
    most: float | None = None


def _evidence(task: _Task, scenarios: Sequence[Nuisance], level: float, given: bool) -> _Evidence:
    """What the scenarios tell: points come from the first, intervals reach over all."""
    estimates = [one.share.estimate(task.sampling, level) for one in scenarios]
    shares = _spanning_interval(one.ci for one in estimates)
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
    rates = (
        (rate, rate) if given else _spanning_interval(_rate_interval(one, task.sampling, level) for one in scenarios)
    )
    return _Evidence(scenarios[:1], scenarios, _clip_to_shares(shares), _clip_to_shares(rates), given)


def _rate_interval(nuisance: Nuisance, sampling: Sampling, level: float) -> Interval:
    """Fieller's interval of the rate of careless people; 0 to 1 where nobody seems to be careless."""
    if not nuisance.share.value > 0:
        return 0.0, 1.0
    return nuisance.rate_figure.estimate(sampling, level).ci


def _evidence_of_one(task: _Task, anchor: Anchor, level: float, most: float) -> _Evidence:
    """What one anchor leaves open: all shares of careless people up to `most` that can explain its answers."""
    mean = task.mean(anchor)
    reach = standard_errors(level, task.sampling.freedom) * _standard_error(task, mean.said)
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
    rate_ci = _clip_to_shares((min(rates), max(rates)))
    return _Evidence(points or every, every, (min(leasts), most), rate_ci, most=most)


def _fits(
    task: _Task, anchors: Sequence[Anchor], asked: Sequence[_Asked], scenarios: Sequence[Nuisance], level: float
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
    low, high = _spanning_interval(interval(one, both, None, task.sampling, level) for one in scenarios)
    return None if np.isnan(low) else low <= most and (exchange or high >= 0)


def _widest(scenarios: Sequence[Nuisance]) -> tuple[float, float]:
    """The largest shares of attentive people who may break the anchors."""
    never, always = zip(*(one.broken for one in scenarios), strict=True)
    return max(never), max(always)


def _standard_errors_apart(task: _Task, one: Exchanged, broken: tuple[float, float]) -> float:
    """How far the first difference of an answer lies from the mean of all; they are alike where exchange holds."""
    if one.first is None:
        return 0.0
    apart = combine([(1.0, one.first), (-1.0, one.share)])
    error = math.sqrt(float(covariance_of([apart], task.sampling)[0, 0]))
    return max(abs(apart.value) - max(map(abs, one.losses(broken))), 0.0) / max(error, _NO_ERROR)


def _attentive_figure(task: _Task, evidence: _Evidence, asked: _Asked, level: float) -> AttentiveFigure:
    """Correct a figure: its share or confidence as everybody answered, and of attentive people."""
    answered = quotient(asked.above.share, None if asked.below is None else asked.below.share)
    said = (asked.text, asked.above.share.n, answered.value, _standard_error(task, answered))
    exchange = None
    if asked.exchanged is not None:
        exchange, wide = _exchanged_figure(task, evidence, asked, asked.exchanged, level)
        if _standard_errors_apart(task, asked.exchanged[0], _widest(evidence.every)) <= standard_errors(
            level, task.sampling.freedom
        ):
            return AttentiveFigure(*said, exchange.value, _standard_error(task, exchange), None, wide)
    points, every = evidence.points, evidence.every
    if asked.below is not None:  # where hardly anybody does the first, how many of them do the second is unknown
        points, every = ([one for one in some if _divides(one, asked.below)] for some in (points, every))
    if not points:
        raise _no_antecedent(asked)
    found = [attentive(one, *asked.sides) for one in points]
    ci = _spanning_interval(interval(one, *asked.sides, task.sampling, level) for one in every)
    if exchange is not None:  # careless people tell items apart, or chance has it so: both may be true
        ci = _spanning_interval((ci, wide))
    if evidence.most is None:
        return AttentiveFigure(*said, found[0].value, _standard_error(task, found[0]), None, ci)
    between = _clip_to_shares((min(one.value for one in found), max(one.value for one in found)))
    return AttentiveFigure(*said, None, None, between, _clip_to_shares(ci))


def _exchanged_figure(
    task: _Task, evidence: _Evidence, asked: _Asked, exchanged: tuple[Exchanged, Exchanged | None], level: float
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
    return figure(evidence.points[0], 0.0, 0.0), _spanning_interval(
        one.estimate(task.sampling, level).ci for one in every
    )


def _no_antecedent(asked: _Asked) -> InputError:
    return InputError(
        f"Rule {asked.text!r}: of attentive people its antecedent is not estimated to be above 0, so it has no "
        "confidence."
    )


def _if_finite(ends: Interval) -> Interval | tuple[None, None]:
    """The ends of an interval as a table has them; where they are infinite, nothing is known."""
    return ends if np.isfinite(ends).all() else (None, None)


def _divides(nuisance: Nuisance, below: Seen) -> bool:
    return attentive(nuisance, below, None).value > 0


def _least_careless(said: float, known: float) -> float:
    """The least share of careless people where the share `known` of attentive people says yes, and `said` of all."""
    if said > known:
        return (said - known) / (1 - known) if known < 1 else np.inf
    return (known - said) / known if known > 0 else (0.0 if said == known else np.inf)


def _standard_error(task: _Task, figure: LinearisedFigure) -> float:
    estimate = figure.simple_estimate() if task.sampling.is_simple else figure.estimate(task.sampling)
    return estimate.se


def _spanning_interval(intervals: Iterable[Interval]) -> Interval:
    lows, highs = zip(*intervals, strict=True)
    return min(lows), max(highs)


def _clip_to_shares(interval: Interval) -> Interval:
    return min(max(interval[0], 0.0), 1.0), min(max(interval[1], 0.0), 1.0)
