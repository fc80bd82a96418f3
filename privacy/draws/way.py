"""What a way of drawing is: what the outcomes of a source say to a person, and which channel follows from that.

A *meaning* is what an outcome says: "truth", "yes", or for a group of questions a pattern of 0 and 1. P is the chance
of each meaning. The real chances may be off: a set of outcomes has its stated chance to within δ. γ is that
of the worst chances within δ, and a figure may lie as far from its estimate as these can move it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import inf, prod

from privacy.errors import EntryError, InputError

Meaning = str | tuple[int, ...]
Chances = Mapping[Meaning, Fraction]
Odds = Fraction | float  # the float is always infinity
SECONDS_OF_STEP = 5


@dataclass(frozen=True)
class Chance:
    """The chance of one more thing that a way needs: an unrelated fact, a second pack, the coin of each question."""

    share: Fraction
    delta: Fraction = Fraction(0)
    """How far the share may be off in figures; 0 where a lot makes it exact."""

    ends: tuple[Fraction, ...] = ()
    """The least and the largest share that somebody may know of."""


@dataclass(frozen=True)
class Numbers:
    """The channel of a block: P(record | truth) is `keep` of the truth and else noise, that says yes with these."""

    keep: Fraction
    noise: tuple[Fraction, ...]


@dataclass(frozen=True)
class WayOfDrawing(ABC):
    """A row of the table."""

    name: str

    steps: tuple[int, int | Fraction]
    """How many steps a draw takes, and how many more for each question."""

    together: str
    """What two answers by one draw would show; English, marked for translation."""

    mark: str = "keep"
    """The kind of block that it makes, by its key."""

    hides_no: bool = True
    """Whether a no is protected, too."""

    look: bool = False
    """Whether half of the people, by a public lot, see the opposite of the fact; it is stored openly."""

    others: str = ""
    """How many more facts it needs: "" none, "one", or one for "each" question."""

    def seconds(self, asked: int) -> float:
        """How long a draw with its answers takes; that a step takes five seconds is an assumption."""
        return float(SECONDS_OF_STEP * (self.steps[0] + self.steps[1] * asked))

    @abstractmethod
    def check(self, chances: Chances, asked: int, where: str) -> None:
        """Refuse meanings that do not fit, and draws that would give answers away; `asked` questions share a draw."""

    @abstractmethod
    def numbers(self, chances: Chances, others: Sequence[Chance], asked: int) -> Numbers:
        """The channel of a block where each of its draws is for `asked` questions."""

    @abstractmethod
    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int, named: int) -> Odds:
        """By how much a record changes the odds at most, of the answers to `named` of the `asked` questions."""

    @abstractmethod
    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int) -> Iterator[Numbers]:
        """The channel at each corner of what chances may be, as near as a block of its kind can have it."""

    @abstractmethod
    def shift(
        self, chances: Chances, delta: float, others: Sequence[Chance], yes: Sequence[bool], share: float, rest: float
    ) -> float:
        """How far the share of a pattern of these literals may lie from its estimate, before it is divided by `keep`.

        `share` is that of the pattern, `rest` that of the pattern without the literals of this block.
        """


def pairs_of_worst(chances: Chances, delta: Fraction) -> Iterator[dict[Meaning, Fraction]]:
    """The chances as they are, and with δ moved from each meaning to each other one: the corners of what may be."""
    yield dict(chances)
    for more, less in permutations(chances, 2):
        yield dict(chances) | {more: chances[more] + delta, less: chances[less] - delta}


def check_meanings(chances: Chances, known: Collection[Meaning], where: str) -> None:
    """Refuse an outcome that says something else: nobody knows what people press then, so γ would not count it."""
    if strange := [meaning for meaning in chances if meaning not in known]:
        rule = f"is unknown here; outcomes say {' or '.join(map(repr, known))}"
        raise InputError(f"{where}.outcomes: {strange[0]!r} {rule}.")


def _chance_of(press: int | None, other: Fraction) -> Fraction:
    return other if press is None else Fraction(press)


@dataclass(frozen=True)
class OneQuestion(WayOfDrawing):
    """A way of answering one question. `presses`: the chance of record 1 by meaning, if the answer is no and if yes.

    None is the chance of the other fact, which the person answers instead.
    """

    presses: tuple[tuple[str, tuple[int | None, int | None]], ...] = ()

    def check(self, chances: Chances, asked: int, where: str) -> None:
        if asked != 1:
            raise EntryError(
                "one draw is for {asked} questions. {together}", at=where, asked=asked, together=self.together
            )
        if missing := [meaning for meaning, _ in self.presses if meaning not in chances]:
            raise EntryError("no outcome says {meaning!r}.", at=f"{where}.outcomes", meaning=missing[0])
        check_meanings(chances, [meaning for meaning, _ in self.presses], where)

    def record_1(self, chances: Chances, others: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """P(record 1) if the answer is no, and if it is yes: v and u."""
        own = others[0] if others else Fraction(0)
        v, u = (
            sum((chances[one] * _chance_of(press[yes], own) for one, press in self.presses), Fraction(0))
            for yes in (0, 1)
        )
        return v, u

    def numbers(self, chances: Chances, others: Sequence[Chance], asked: int) -> Numbers:
        return self._numbers_of(chances, [other.share for other in others])

    def _numbers_of(self, chances: Chances, others: Sequence[Fraction]) -> Numbers:
        v, u = self.record_1(chances, others)
        return Numbers(u - v, (v / (1 - u + v) if u - v < 1 else Fraction(1, 2),))

    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int) -> Iterator[Numbers]:
        shares = product(*((one.share - one.delta, one.share + one.delta) for one in others))
        for moved, own in product(pairs_of_worst(chances, delta), list(shares)):
            yield self._numbers_of(moved, own)

    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int, named: int) -> Odds:
        worst: Odds = Fraction(1)
        all_ends = list(product(*(other.ends for other in others)))
        for moved, ends in product(pairs_of_worst(chances, delta), all_ends):
            v, u = self.record_1(moved, ends)
            of_yes = [(u, v)]
            both = [*of_yes, (v, u), (1 - u, 1 - v), (1 - v, 1 - u)]
            for above, below in both if self.hides_no else of_yes:
                worst = max(worst, above / below if below > 0 else inf)
        return worst

    def shift(
        self, chances: Chances, delta: float, others: Sequence[Chance], yes: Sequence[bool], share: float, rest: float
    ) -> float:
        (literal,) = yes
        in_favour, of_others = [], 0.0
        for meaning, press in self.presses:
            when = [float(others[0].share) if one is None else float(one) for one in press]
            if not literal:
                when = [1 - one for one in when]
            same, other = when[int(literal)], when[int(not literal)]
            in_favour.append(same * share + other * (rest - share))
            people = [share if answer == literal else rest - share for answer in (False, True)]
            of_others += float(chances[meaning]) * sum(
                part for one, part in zip(press, people, strict=True) if one is None
            )
        moved = delta * (max(in_favour) - min(in_favour))
        return moved + (float(others[0].delta) * abs(of_others) if others else 0.0)


@dataclass(frozen=True)
class Grouped(WayOfDrawing):
    """A way of answering several questions by one draw: the truth to all, or else what the draw says for each."""

    def check(self, chances: Chances, asked: int, where: str) -> None:
        for meaning in self.needs(asked):
            if meaning not in chances:
                self.refuse(meaning, f"{where}.outcomes")

    @abstractmethod
    def needs(self, asked: int) -> Collection[Meaning]:
        """Which meanings there must be."""

    def refuse(self, meaning: Meaning, where: str) -> None:
        """Refuse a draw of which no outcome says this."""
        raise EntryError("no outcome says {meaning!r}.", at=where, meaning=str(meaning))


@dataclass(frozen=True)
class ByCoins(Grouped):
    """The truth to all, or else each answer by a chance of its own, which says yes with `others`."""

    instead: str = ""

    def check(self, chances: Chances, asked: int, where: str) -> None:
        super().check(chances, asked, where)
        check_meanings(chances, self.needs(asked), where)

    def needs(self, asked: int) -> Collection[Meaning]:
        return ("truth", self.instead)

    def numbers(self, chances: Chances, others: Sequence[Chance], asked: int) -> Numbers:
        return Numbers(chances["truth"], tuple(other.share for other in others))

    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int) -> Iterator[Numbers]:
        for keep, sign in product((chances["truth"] - delta, chances["truth"] + delta), (-1, 1)):
            yield Numbers(keep, tuple(one.share + sign * one.delta for one in others))

    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int, named: int) -> Odds:
        rarest = sorted(min(min(other.ends), 1 - max(other.ends)) for other in others)[:named]
        keep = min(chances["truth"] + delta, Fraction(1))
        noise = (1 - keep) * prod(rarest, start=Fraction(1))
        return (keep + noise) / noise if noise > 0 else inf

    def shift(
        self, chances: Chances, delta: float, others: Sequence[Chance], yes: Sequence[bool], share: float, rest: float
    ) -> float:
        own = [float(other.share if one else 1 - other.share) for other, one in zip(others, yes, strict=True)]
        most = prod(min(one + float(other.delta), 1.0) for one, other in zip(own, others, strict=True))
        noise = prod(own)
        return delta * abs(share - noise * rest) + float(1 - chances["truth"]) * (most - noise) * rest


@dataclass(frozen=True)
class ByPatterns(Grouped):
    """Outcomes say the truth to all, or name a pattern. Each pattern must come equally often, or some show a truth."""

    def needs(self, asked: int) -> Collection[Meaning]:
        return tuple(product((0, 1), repeat=asked))

    def rarest(self, chances: Chances) -> Fraction:
        """The chance of each pattern alone."""
        return min(chance for meaning, chance in chances.items() if meaning != "truth")

    def check(self, chances: Chances, asked: int, where: str) -> None:
        super().check(chances, asked, where)
        own = {meaning: chance for meaning, chance in chances.items() if meaning != "truth"}
        for meaning in own:
            if not isinstance(meaning, tuple) or len(meaning) != asked:
                raise EntryError(
                    "{meaning!r} is no pattern of {asked} answers.",
                    at=f"{where}.outcomes",
                    meaning=str(meaning),
                    asked=asked,
                )
        if len(set(own.values())) > 1:
            raise EntryError(
                "each pattern of yes and no must be as likely as every other; of {count} patterns the rarest has the "
                "chance {least:.3g}, the commonest {most:.3g}.",
                at=f"{where}.outcomes",
                count=len(own),
                least=float(min(own.values())),
                most=float(max(own.values())),
            )

    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int) -> Iterator[Numbers]:
        keep, noise = self.numbers(chances, others, asked).keep, Fraction(1, 2)
        for sign in (-1, 1):
            yield Numbers(keep + sign * delta, (noise,) * asked)
            yield Numbers(keep, (noise + sign * delta / (1 - keep),) * asked)

    def shift(
        self, chances: Chances, delta: float, others: Sequence[Chance], yes: Sequence[bool], share: float, rest: float
    ) -> float:
        return delta * rest
