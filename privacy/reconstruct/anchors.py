"""Anchors: answers of which the share among attentive people is known, and what two of them cost."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.estimate.weights import channel_of, factors
from privacy.reconstruct.exchange import Rare

_FOUND = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)  # standard errors
_NEARLY = 0.05  # attentive people who break an anchor, at most, for careless people to be exchanged
Interval = tuple[float, float]


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


def rare_answers(design: Design, anchors: Sequence[Anchor]) -> tuple[Rare, Rare] | None:
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
