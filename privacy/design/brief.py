"""What the advisor is asked: the items, the respondents, the promise, and the patterns that must be estimated."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from statistics import NormalDist
from typing import Any

from privacy.design.fields import YES_NO
from privacy.design.items import Item, check_item
from privacy.design.recipes import EnteredItem, Recipe, Values
from privacy.errors import InputError

WIDE = NormalDist().inv_cdf(0.975)  # errors to each side of a figure, where 19 of 20 intervals hold the truth
WORTH = 6 / 5  # one way is worth it where another needs this many times as many people
MOST_ITEMS = 100
MOST_RESPONDENTS = 10**12
MOST_RARE = 0.9  # of all, however wrong a guess is


OptionGuess = tuple[tuple[float, ...], tuple[int, ...]]
"""The shares of the options of an item, and the places of those that patterns ask for."""


@dataclass(frozen=True)
class Topic:
    """A question that is to be disguised: the numbers of options of its items; of a number or a place, its grid.

    `recipe` names that of the block that disguises it alone, `grid` its item in a design as JSON, without a name.
    `guesses`: how common the options of each item are, and which of them matter; empty where nobody guesses.
    """

    sizes: tuple[int, ...] = ()
    recipe: str = ""
    grid: str = ""
    guesses: tuple[OptionGuess, ...] = ()


@dataclass(frozen=True)
class ExpectedItem:
    """An item of the future design, and how common each of its options is expected to be (None: no guess).

    A yes/no item has two options, the first of them "no", and a pattern asks for its "yes". `alone` is an option that
    no pattern pairs with others, such as "prefer not to say". `wanted` are the options that patterns ask for, where
    somebody says so. `between` are the shares at both ends of the range that the guess may lie in.
    """

    id: str
    options: tuple[str, ...] = YES_NO
    expected: tuple[float, ...] | None = None
    alone: str | None = None
    wanted: tuple[int, ...] | None = None
    between: tuple[tuple[float, ...], tuple[float, ...]] | None = None

    def __hash__(self) -> int:
        """Return the hash, computed once, as that of a brief."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, self.options, self.expected, self.alone, self.wanted, self.between))

    @property
    def boolean(self) -> bool:
        return self.options == YES_NO

    @property
    def literals(self) -> tuple[int, ...]:
        """The options that patterns ask for: those `wanted`, or all but the commonest and the one `alone`.

        Without a guess, or where all are guessed to be as common, none is the commonest.
        """
        if self.wanted is not None:
            return self.wanted
        if self.boolean:
            return (1,)
        asked = tuple(code for code, option in enumerate(self.options) if option != self.alone)
        shares = self.expected or (1.0,) * len(self.options)
        most = max(shares[code] for code in asked)
        return tuple(code for code in asked if shares[code] < most - 1e-9) or asked

    @property
    def with_options(self) -> tuple["ExpectedItem", ...]:
        """Return the items with options: this one (a number or a place returns none)."""
        return (self,)

    @property
    def topic(self) -> Topic:
        """What a proposal needs to know about it."""
        return Topic(sizes=(len(self.options),))

    def entry(self, recipe: Recipe, settings: Values) -> dict[str, Any]:
        """The item in the JSON of a design, in a block of this recipe."""
        options = None if self.boolean else self.options
        return recipe.write_item(settings, EnteredItem(self.id, options, {"alone": self.alone}))


@dataclass(frozen=True)
class Brief:
    """`length` is that of the longest pattern wanted, `most_asked` the most questions one person may be asked.

    `by_interval`: figures that are biased are judged by the intervals that a report prints, by the standard error that
    makes others as wide; else by their root mean square errors. `halves`: by the intervals of differences between two
    halves of the respondents.
    """

    questions: tuple[ExpectedItem, ...]
    respondents: int
    gamma: Fraction
    length: int = 2
    direct_share: float = 0.0
    most_asked: int | None = None
    by_interval: bool = False
    halves: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be advised on; guesses of how common answers are come for all items or for none."""
        if not self.questions:
            raise InputError(f"items: 0 is outside 1 to {MOST_ITEMS}.")
        if not 1 <= self.respondents <= MOST_RESPONDENTS:
            raise InputError(f"respondents: {self.respondents} is outside 1 to {MOST_RESPONDENTS}.")
        if not self.gamma > 1:
            raise InputError(f"gamma: {float(self.gamma):.10g} is not above 1; at 1 nothing can be learned.")
        if self.gamma > 2**32:
            said = f"{float(self.gamma):.10g}" if self.gamma < 1e300 else "a number of more than 300 digits"
            raise InputError(f"gamma: {said} is above 4294967296, where it promises nothing.")
        if not 1 <= self.length <= len(self.questions):
            raise InputError(f"length: {self.length} is outside 1 to the {len(self.questions)} items.")
        if not 0 <= self.direct_share < 1:
            raise InputError(f"direct_share: {self.direct_share} is not from 0 to below 1.")
        if self.most_asked is not None and self.most_asked < self.length:
            raise InputError(f"asked: at most {self.most_asked} questions cannot show patterns of {self.length}.")
        seen = set[str]()
        for question in self.questions:
            check_expected(question)
            if question.id in seen:
                raise InputError(f"{question.id}: two questions have this name.")
            seen.add(question.id)
        guesses = [question.expected is not None for question in self.questions]
        if any(guesses) != all(guesses):
            missing = self.questions[guesses.index(False)].id
            raise InputError(f"prevalence: {missing!r} has no guess, but other items have one; give all or none.")
        if self._patterns > 20_000:
            raise InputError(f"length: {self.length} makes {self._patterns} kinds of pattern, more than 20000.")

    def __hash__(self) -> int:
        """Return the hash, computed once: caches look for briefs very often."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.questions, self.respondents, self.gamma, self.length, self.direct_share, self.most_asked))

    @cached_property
    def has_expectations(self) -> bool:
        """Whether errors are judged by expected shares; else at worst."""
        return all(question.expected is not None for question in self.questions)

    @cached_property
    def ends(self) -> tuple["Brief", ...]:
        """The same brief at both ends of the range of its guesses; none where they have no range."""
        if not any(question.between for question in self.questions):
            return ()
        return tuple(
            self._with_guesses(
                [question.between[end] if question.between else question.expected for question in self.questions]
            )
            for end in range(2)
        )

    @cached_property
    def wrong(self) -> tuple["Brief", ...]:
        """The same brief where rare answers are a third as common as guessed, and three times; none without guesses."""
        if not self.has_expectations:
            return ()
        return tuple(
            self._with_guesses(
                [
                    question.expected and with_rare_times(question.expected, times, MOST_RARE)
                    for question in self.questions
                ]
            )
            for times in (1 / 3, 3)
        )

    def _with_guesses(self, guesses: Sequence[tuple[float, ...] | None]) -> "Brief":
        """The same brief with these guesses, without ranges."""
        questions = zip(self.questions, guesses, strict=True)
        return replace(self, questions=tuple(replace(one, expected=guess, between=None) for one, guess in questions))

    @property
    def most_questions(self) -> int:
        """The most questions one person may be asked."""
        return min(self.most_asked or len(self.questions), len(self.questions))

    @property
    def _patterns(self) -> int:
        """How many kinds of pattern there are; a worst pattern has only the two most common options of an item."""
        kinds = {
            (len(question.options), share)
            for question in self.questions
            for share in sorted(
                question.expected[option] if question.expected else 0.0 for option in question.literals
            )[-2:]
        }
        return math.comb(len(kinds) + self.length - 1, self.length)


def with_rare_times(shares: tuple[float, ...], times: float, most: float = 1.0) -> tuple[float, ...]:
    """The shares if all options but the commonest are so many times as common, up to `most` of all together.

    >>> with_rare_times((0.75, 0.25), 2), with_rare_times((0.5, 0.5), 3, most=0.75)
    ((0.5, 0.5), (0.25, 0.75))
    """
    usual = shares.index(max(shares))
    rare = 1 - shares[usual]
    factor = min(times, max(most / rare, 1)) if rare else 1.0
    return tuple(1 - rare * factor if index == usual else share * factor for index, share in enumerate(shares))


def check_count(brief: Brief) -> None:
    """Refuse more items than the advisor can try designs of; what is designed already may have more.

    >>> check_count(Brief(yes_no(100), 1_000, Fraction(9), 1))
    """
    if len(brief.questions) > MOST_ITEMS:
        raise InputError(f"items: {len(brief.questions)} is outside 1 to {MOST_ITEMS}.")


def yes_no(count: int, prevalence: float | None = None) -> tuple[ExpectedItem, ...]:
    """That many yes/no items, all expected to be equally common.

    They are named item1, item2 and so on. `prevalence` is the share of yes that is guessed.

    >>> [(item.id, item.expected) for item in yes_no(2, prevalence=0.25)]
    [('item1', (0.75, 0.25)), ('item2', (0.75, 0.25))]
    """
    if not 1 <= count <= MOST_ITEMS:
        raise InputError(f"items: {count} is outside 1 to {MOST_ITEMS}.")
    if prevalence is not None and not 0 <= prevalence <= 1:
        raise InputError(f"prevalence: {prevalence:g} is outside 0 to 1.")
    expected = None if prevalence is None else (1 - prevalence, prevalence)
    return tuple(ExpectedItem(f"item{index}", expected=expected) for index in range(1, count + 1))


@lru_cache(maxsize=4096)  # briefs of one advice hold the same questions again and again
def check_expected(question: ExpectedItem) -> None:
    """Refuse an item whose shares do not fit its options.

    >>> check_expected(ExpectedItem("drugs", ("0", "1"), (0.9, 0.2)))
    Traceback (most recent call last):
    privacy.errors.InputError: drugs: the shares [0.9, 0.2] are not a distribution.
    """
    check_item(Item(question.id, question.options), question.id or "items")
    if question.alone is not None and (question.alone not in question.options or len(question.options) < 3):
        raise InputError(f"{question.id}: {question.alone!r} is none of three answers or more; it cannot stand alone.")
    expected: Sequence[float] | None = question.expected
    if expected is None:
        return
    if len(expected) != len(question.options):
        raise InputError(f"{question.id}: {len(expected)} shares do not fit {len(question.options)} options.")
    if min(expected) < 0 or abs(sum(expected) - 1) > 1e-9:
        raise InputError(f"{question.id}: the shares {list(expected)} are not a distribution.")


PEOPLE, TIMES = 0.15, 4.0  # the class with many telling answers, and how many times as many it has
_MOST = 0.95  # of the class give telling answers to one item, at most


def times_in_classes(share: float) -> tuple[float, float]:
    """Two factors on the `share` of an answer: among the people with many telling answers, and among all others.

    >>> often, seldom = times_in_classes(0.1)
    >>> often, round(seldom, 4)
    (4.0, 0.4706)
    """
    times = max(min(TIMES, _MOST / share), 1.0) if share else 1.0
    return times, (1 - PEOPLE * times) / (1 - PEOPLE)
