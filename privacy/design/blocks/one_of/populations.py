"""Populations that the advisor plans for: how many telling answers people have, exactly, without drawing anybody.

People with many telling answers bias the figures of a one-of block, and nobody knows before a survey how many of them
there are. So a design is judged by the worst of three stated populations, in which answers have the same shares:

    independent   all answers are independent
    clustered     15 % of people have four times these shares, the others less; in each class answers are independent
    coinciding    the four items with most telling answers are two pairs; .7 of people give both answers by one draw

In each of them people are classes, and in a class answers are independent between *units*: an item, or two that
coincide. The generating function of the number of telling answers is a product over units; restricted to people of
whom a word is true, the units of its answers have fewer terms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from privacy.design.blocks.one_of.listed_words import Part
from privacy.design.brief import PEOPLE, times_in_classes
from privacy.design.channels import Floats

Telling = tuple[tuple[tuple[int, float], ...], ...]
"""For each item its telling answers, by code and share; what they leave of 1 is the harmless answer."""

INDEPENDENT, CLUSTERED, COINCIDING = "independent", "clustered", "coinciding"
ABOUT = {
    INDEPENDENT: "all answers independent",
    CLUSTERED: "15 % of people have four times as many",
    COINCIDING: "two pairs of items coincide in .7 of people",
}
TOGETHER = 0.7  # of people give both answers to a pair by one draw

Unit = tuple[tuple[frozenset[Part], float], ...]
"""Sets of telling answers of which one is given, and the chance of each."""


@dataclass(frozen=True)
class Population:
    """`classes`: the part of people in each, and its units."""

    name: str
    classes: tuple[tuple[float, tuple[Unit, ...]], ...]

    def count_answers(
        self, words: Sequence[Sequence[Part]], most: int, alone: frozenset[Part] = frozenset(), most_alone: int = 0
    ) -> Floats:
        """P(a word is true, and c telling answers are), for each word (rows) and c from 0 to `most` (columns).

        Answers that stand `alone` are counted apart: for each c there is a column for each number of them.

        >>> independent, *_ = populations((((1, 0.5),), ((1, 0.5),)))
        >>> independent.count_answers([[(0, 1)]], 2).tolist()
        [[0.0, 0.25, 0.25]]
        >>> independent.count_answers([[(0, 1)]], 1, frozenset([(1, 1)]), 1).tolist()
        [[0.0, 0.0, 0.25, 0.25]]
        """
        counted: Floats = np.zeros((len(words), (most + 1) * (most_alone + 1)))
        for part, units in self.classes:
            counted += part * _count_in_class(units, words, (most, most_alone), alone)
        return counted


def populations(telling: Telling) -> tuple[Population, ...]:
    """The stated populations in which answers have these shares; the last only where there are two items."""
    made = [
        Population(INDEPENDENT, ((1.0, _independent_units(telling, range(len(telling)))),)),
        Population(CLUSTERED, _two_classes(telling)),
    ]
    if pairs := coinciding_pairs(telling):
        others = set(range(len(telling))).difference(*pairs)
        units = (*(_pair(telling, *pair) for pair in pairs), *_independent_units(telling, sorted(others)))
        made.append(Population(COINCIDING, ((1.0, units),)))
    return tuple(made)


def coinciding_pairs(telling: Telling) -> list[tuple[int, int]]:
    """The items of the population in which two pairs coincide; of fewer than four items there is one pair, or none."""
    common = sorted(range(len(telling)), key=lambda item: -_total_share(telling[item]))[:4]
    return list(zip(common[::2], common[1::2], strict=False))


def _total_share(answers: Sequence[tuple[int, float]]) -> float:
    return sum(share for _, share in answers)


def _two_classes(telling: Telling) -> tuple[tuple[float, tuple[Unit, ...]], ...]:
    """Two classes of people: in one, telling answers are several times as common, in the other less common.

    A share that would be above 1 is raised as far as possible.
    """
    many, rest = [], []
    for answers in telling:
        times, less = times_in_classes(_total_share(answers))
        many.append(tuple((code, share * times) for code, share in answers))
        rest.append(tuple((code, share * less) for code, share in answers))
    places = range(len(telling))
    return ((PEOPLE, _independent_units(tuple(many), places)), (1 - PEOPLE, _independent_units(tuple(rest), places)))


def _independent_units(telling: Telling, places: Iterable[int]) -> tuple[Unit, ...]:
    return tuple(_unit(telling, place) for place in places)


def _unit(telling: Telling, place: int) -> Unit:
    """The telling answers to one item with their chances, and last the harmless one, as the empty set."""
    given = tuple((frozenset({(place, code)}), share) for code, share in telling[place])
    return (*given, (frozenset(), max(1 - _total_share(telling[place]), 0.0)))


def _pair(telling: Telling, first: int, second: int) -> Unit:
    """Two items: one draw from 0 to 1 decides both, or each has a draw of its own."""
    one, other = _unit(telling, first), _unit(telling, second)
    joint = {a | b: (1 - TOGETHER) * p * q for a, p in one for b, q in other}
    ends = [np.cumsum([share for _, share in unit]) for unit in (one, other)]
    for low, high in pairwise(sorted({0.0, *np.concatenate(ends).tolist()})):
        middle = (low + high) / 2
        units = zip((one, other), ends, strict=True)
        a, b = (unit[min(int(np.searchsorted(end, middle)), len(unit) - 1)][0] for unit, end in units)
        joint[a | b] += TOGETHER * (high - low)
    return tuple(joint.items())


_POWERS = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2))  # in a unit: of answers, and of those that stand alone
Terms = tuple[float, ...]


def _count_in_class(
    units: Sequence[Unit], words: Sequence[Sequence[Part]], most: tuple[int, int], alone: frozenset[Part]
) -> Floats:
    """`Population.count_answers` in one class: a product of polynomials, unit by unit."""
    unit_of = {part: number for number, unit in enumerate(units) for given, _ in unit for part in given}
    table = np.tile([_terms(unit, frozenset(), alone) for unit in units], (len(words), 1, 1))
    terms_of = cache(lambda number, parts: _terms(units[number], parts, alone))
    for own, word in zip(table, words, strict=True):
        touched: dict[int, frozenset[Part]] = {}
        for part in word:
            touched[unit_of[part]] = touched.get(unit_of[part], frozenset()) | {part}
        for number, parts in touched.items():
            own[number] = terms_of(number, parts)
    high, wide = (count + 1 for count in most)
    made: Floats = np.zeros((len(words), high, wide))
    made[:, 0, 0] = 1.0
    present = np.asarray(table.any(axis=0))
    for terms_here, here in zip(table.transpose(1, 2, 0)[..., np.newaxis, np.newaxis], present, strict=True):
        longer = made * terms_here[0]
        for (count, apart), chance, any_of_them in zip(_POWERS[1:], terms_here[1:], here[1:], strict=True):
            if any_of_them:
                longer[:, count:, apart:] += made[:, : high - count, : wide - apart] * chance
        made = longer
    return made.reshape(len(words), -1)


def _terms(unit: Unit, true: frozenset[Part], alone: frozenset[Part]) -> Terms:
    """P(all of `true` are given, with so many telling answers), for each of `_POWERS`; `alone` count apart."""
    terms = dict.fromkeys(_POWERS, 0.0)
    for given, chance in unit:
        if true <= given:
            apart = len(given & alone)
            terms[len(given) - apart, apart] += chance
    return tuple(terms.values())
