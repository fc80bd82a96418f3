"""The ways of drawing: what the outcomes of a source say, and which channel follows from that; a row each.

A *meaning* is what an outcome says: "truth", "yes" or the like. P is the chance of each meaning. The real chances may
be off: a set of outcomes has its stated chance to within δ. γ is that of the worst chances within δ, and a figure may
lie as far from its estimate as these can move it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import inf, prod

from privacy.errors import EntryError, InputError, to_translate

Meaning = str
Chances = Mapping[Meaning, Fraction]
Odds = Fraction | float  # the float is always infinity
SECONDS_OF_STEP = 5


@dataclass(frozen=True)
class Chance:
    """The chance of a harmless fact that is answered instead of a question."""

    share: Fraction
    delta: Fraction = Fraction(0)
    """How far the share may be off."""


@dataclass(frozen=True)
class Numbers:
    """The channel of a block: P(record | truth) is `keep` of the truth and else noise, that says yes with these."""

    keep: Fraction
    noise: tuple[Fraction, ...]


@dataclass(frozen=True)
class WayOfDrawing(ABC):
    """A row of the table."""

    name: str

    steps: tuple[int, int]
    """How many steps a draw takes, and how many more for each question."""

    together: str
    """What two answers by one draw would show; English, marked for translation."""

    mark: str = "keep"
    """The kind of block that it makes, by its key."""

    hides_no: bool = True
    """Whether a no is protected, too."""

    look: bool = False
    """Whether half of the people, by a public lot, see the opposite of the fact; it is stored openly."""

    takes_facts: bool = False
    """Whether it needs a fact for each question beside the draw."""

    def seconds(self, asked: int) -> float:
        """How long a draw with its answers takes; that a step takes five seconds is an assumption."""
        return float(SECONDS_OF_STEP * (self.steps[0] + self.steps[1] * asked))

    def check(self, chances: Chances, asked: int, where: str) -> None:
        """Refuse meanings that do not fit, and draws that would give answers away; `asked` questions share a draw."""
        if missing := [meaning for meaning in self.meanings if meaning not in chances]:
            raise EntryError("no outcome says {meaning!r}.", at=f"{where}.outcomes", meaning=missing[0])
        # Nobody knows what people press by an outcome that says something else, so γ would not count it.
        if strange := [meaning for meaning in chances if meaning not in self.meanings]:
            rule = f"is unknown here; outcomes say {' or '.join(map(repr, self.meanings))}"
            raise InputError(f"{where}.outcomes: {strange[0]!r} {rule}.")

    @property
    @abstractmethod
    def meanings(self) -> Sequence[Meaning]:
        """What outcomes say; there must be each of them."""

    @abstractmethod
    def numbers(self, chances: Chances, others: Sequence[Chance]) -> Numbers:
        """The channel of a block; `others` are the chances of the facts that are answered instead."""

    @abstractmethod
    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], named: int) -> Odds:
        """By how much a record changes the odds at most, of `named` answers."""

    @abstractmethod
    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance]) -> Iterator[Numbers]:
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


@dataclass(frozen=True)
class OneQuestion(WayOfDrawing):
    """A way of answering one question. `presses`: the record by meaning, if the answer is no and if it is yes."""

    presses: tuple[tuple[Meaning, tuple[int, int]], ...] = ()

    @property
    def meanings(self) -> Sequence[Meaning]:
        return [meaning for meaning, _ in self.presses]

    def check(self, chances: Chances, asked: int, where: str) -> None:
        if asked != 1:
            raise EntryError(
                "one draw is for {asked} questions. {together}", at=where, asked=asked, together=self.together
            )
        super().check(chances, asked, where)

    def record_1(self, chances: Chances) -> tuple[Fraction, Fraction]:
        """P(record 1) if the answer is no, and if it is yes: v and u."""
        v, u = (sum((chances[meaning] * press[yes] for meaning, press in self.presses), Fraction(0)) for yes in (0, 1))
        return v, u

    def numbers(self, chances: Chances, others: Sequence[Chance]) -> Numbers:
        v, u = self.record_1(chances)
        return Numbers(u - v, (v / (1 - u + v) if u - v < 1 else Fraction(1, 2),))

    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance]) -> Iterator[Numbers]:
        return (self.numbers(moved, others) for moved in pairs_of_worst(chances, delta))

    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], named: int) -> Odds:
        worst: Odds = Fraction(1)
        for moved in pairs_of_worst(chances, delta):
            v, u = self.record_1(moved)
            both = [(u, v), (v, u), (1 - u, 1 - v), (1 - v, 1 - u)]
            for above, below in both if self.hides_no else both[:1]:
                worst = max(worst, above / below if below > 0 else inf)
        return worst

    def shift(
        self, chances: Chances, delta: float, others: Sequence[Chance], yes: Sequence[bool], share: float, rest: float
    ) -> float:
        (literal,) = yes
        in_favour = []
        for _meaning, press in self.presses:
            when = press if literal else [1 - record for record in press]
            in_favour.append(when[int(literal)] * share + when[int(not literal)] * (rest - share))
        return delta * (max(in_favour) - min(in_favour))


@dataclass(frozen=True)
class InsteadOfEach(WayOfDrawing):
    """The truth to all questions, or else each answer by a fact of its own (improved grouped unrelated question)."""

    takes_facts: bool = True

    @property
    def meanings(self) -> Sequence[Meaning]:
        return ("truth", "other")

    def numbers(self, chances: Chances, others: Sequence[Chance]) -> Numbers:
        return Numbers(chances["truth"], tuple(other.share for other in others))

    def ends(self, chances: Chances, delta: Fraction, others: Sequence[Chance]) -> Iterator[Numbers]:
        for keep, sign in product((chances["truth"] - delta, chances["truth"] + delta), (-1, 1)):
            yield Numbers(keep, tuple(other.share + sign * other.delta for other in others))

    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], named: int) -> Odds:
        rarest = sorted(min(other.share, 1 - other.share) - other.delta for other in others)[:named]
        keep = min(chances["truth"] + delta, Fraction(1))
        noise = (1 - keep) * prod(rarest, start=Fraction(1))
        return (keep + noise) / noise if noise > 0 else inf

    def shift(
        self, chances: Chances, delta: float, others: Sequence[Chance], yes: Sequence[bool], share: float, rest: float
    ) -> float:
        says = [float(other.share if literal else 1 - other.share) for other, literal in zip(others, yes, strict=True)]
        most = prod(min(chance + float(other.delta), 1.0) for chance, other in zip(says, others, strict=True))
        noise = prod(says)
        return delta * abs(share - noise * rest) + float(1 - chances["truth"]) * (most - noise) * rest


# Whether exactly one of two sentences is true, of which one is a harmless fact (Yu, Tian and Tang 2008). Extended
# (Heck, Hoffmann and Moshagen 2018): half of the people, by a public lot, see the opposite fact. Their record is turned
# over before it is stored, so that its 1 means the same; the look is stored openly.
_CROSSWISE, _EXTENDED = (
    OneQuestion(
        name,
        (4, 0),
        to_translate("Two answers with one fact show whether the two true answers are the same."),
        look=look,
        presses=(("fact", (1, 0)), ("not", (0, 1))),
    )
    for name, look in (("crosswise", False), ("extended", True))
)

WAYS: dict[str, WayOfDrawing] = {
    way.name: way
    for way in (
        _CROSSWISE,
        _EXTENDED,
        # Related question (Warner 1965): the draw says which of two opposite sentences to answer.
        OneQuestion(
            "warner",
            (3, 0),
            to_translate(
                "Two answers by one draw, both true or both turned over, show whether the true answers are the same."
            ),
            presses=(("truth", (0, 1)), ("opposite", (1, 0))),
        ),
        # Forced response (Boruch 1971): the draw says "yes", "no", or to answer the question.
        OneQuestion(
            "forced",
            (3, 0),
            to_translate("Of two answers by one draw, a yes beside a no can only be true."),
            presses=(("yes", (1, 1)), ("no", (0, 0)), ("truth", (0, 1))),
        ),
        # Unrelated question (Greenberg and others 1969): the draw says to answer, or a harmless fact instead.
        InsteadOfEach(
            "unrelated",
            (1, 2),
            to_translate("Two answers with one fact instead are alike, so that a yes beside a no can only be true."),
        ),
        # Triangular (Yu, Tian and Tang 2008): whether at least one of two sentences is true, of which one is harmless.
        OneQuestion(
            "triangular",
            (3, 0),
            to_translate(
                "“Neither” once shows that the fact is false, so that “at least one” the other time proves a yes."
            ),
            mark="one-sided",
            hides_no=False,
            presses=(("fact", (1, 1)), ("not", (0, 1))),
        ),
    )
}
