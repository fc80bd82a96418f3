"""The parts of a report that somebody asks for, as values; and the keys by which addresses and shared links name them.

>>> asked = RegressionPart(Answer("drugs", 1), ("sport",), apart=False, drawn=SampleColumns(weights="weight"))
>>> asked.key
'regression-alike.drugs.1.sport.~weight~~'
>>> parse_key(asked.key) == asked
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from surveys.results.sample_choice import SampleColumns

ALIKE = SampleColumns()
NOBODY = "-"  # in the place of groups, and of an answer that people must have given
_DRAWN = "~"  # begins how respondents were drawn, the last name of a key
_GROUPS = "by-"


@dataclass(frozen=True)
class Answer:
    """An answer to a question, by its place among those that it has."""

    question: str
    place: int

    def __str__(self) -> str:
        return f"{self.question}.{self.place}"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read an answer written as "drugs.1"; None for any other text."""
        question, _dot, place = text.rpartition(".")
        return cls(question, int(place)) if place.isdecimal() and len(place) <= 3 else None


@dataclass(frozen=True)
class TablePart:
    """A table of these questions."""

    questions: tuple[str, ...]
    drawn: SampleColumns = ALIKE

    @property
    def key(self) -> str:
        """The text that names this part in addresses and shared links."""
        return _key("table", *self.questions, drawn=self.drawn)

    @classmethod
    def parse(cls, _kind: str, names: Sequence[str], drawn: SampleColumns) -> Self | None:
        """Make the part of the names in its key; None where they do not fit."""
        return cls(tuple(names), drawn) if names else None


@dataclass(frozen=True)
class RegressionPart:
    """An answer explained by these questions, or by two of them `together`.

    Those who answered directly may differ from the others (`apart`).
    """

    answer: Answer
    on: tuple[str, ...]
    together: bool = False
    apart: bool = True
    drawn: SampleColumns = ALIKE

    @property
    def key(self) -> str:
        kind = "together" if self.together else "regression"
        return _key(kind if self.apart else f"{kind}-alike", str(self.answer), *self.on, drawn=self.drawn)

    @classmethod
    def parse(cls, kind: str, names: Sequence[str], drawn: SampleColumns) -> Self | None:
        answer = Answer.parse(".".join(names[:2]))
        together, apart = kind.startswith("together"), not kind.endswith("-alike")
        return cls(answer, tuple(names[2:]), together, apart, drawn) if answer and answer.question else None


@dataclass(frozen=True)
class ComparisonPart:
    """Figures compared, each an answer, and that of the people whom it is about (None: everybody); or one in groups."""

    figures: tuple[tuple[Answer, Answer | None], ...]
    by: str = ""
    drawn: SampleColumns = ALIKE

    @property
    def key(self) -> str:
        answers = [str(one or NOBODY) for figure in self.figures for one in figure]
        return _key("compare", f"{_GROUPS}{self.by}" if self.by else NOBODY, *answers, drawn=self.drawn)

    @classmethod
    def parse(cls, _kind: str, names: Sequence[str], drawn: SampleColumns) -> Self | None:
        groups, *rest = names or [""]
        answers: list[Answer | None] = []
        while rest:
            size = 1 if rest[0] == NOBODY else 2
            answers.append(Answer.parse(".".join(rest[:size])))
            if size == 2 and answers[-1] is None:
                return None
            rest = rest[size:]
        figures = tuple((answer, given) for answer, given in zip(answers[::2], answers[1::2], strict=False) if answer)
        if len(answers) not in (2, 4) or 2 * len(figures) != len(answers) or not groups:
            return None
        return cls(figures, "" if groups == NOBODY else groups.removeprefix(_GROUPS), drawn)


@dataclass(frozen=True)
class WeightedPart:
    """Shares of the population that respondents were drawn from."""

    drawn: SampleColumns

    @property
    def key(self) -> str:
        return _key("weighted", drawn=self.drawn)

    @classmethod
    def parse(cls, _kind: str, names: Sequence[str], drawn: SampleColumns) -> Self | None:
        return None if names or drawn == ALIKE else cls(drawn)


AskedPart = TablePart | RegressionPart | ComparisonPart | WeightedPart

_READERS: dict[str, type[AskedPart]] = {
    "table": TablePart,
    **dict.fromkeys(("regression", "regression-alike", "together", "together-alike"), RegressionPart),
    "compare": ComparisonPart,
    "weighted": WeightedPart,
}


def parse_key(key: str) -> AskedPart | None:
    """The part that a key names; None where it names no such part."""
    kind, *names = key.split(".")
    drawn = ALIKE
    if names and names[-1].startswith(_DRAWN):
        said = names.pop()
        uses = said.split(_DRAWN)[1:]
        margins = [_read_margin(text) for text in uses[3:]]
        known = tuple(margin for margin in margins if margin)
        whole = len(uses) >= 3 and len(known) == len(margins)
        drawn = SampleColumns(weights=said)  # which no question is called
        if whole:
            drawn = SampleColumns(uses[0], uses[1], uses[2], known)
    return _READERS[kind].parse(kind, names, drawn) if kind in _READERS else None


def _key(*names: str, drawn: SampleColumns) -> str:
    margins = ["=".join((name, *shares)).replace(".", ",") for name, shares in drawn.margins]
    said = [_DRAWN + _DRAWN.join((drawn.weights, drawn.cluster, drawn.strata, *margins))] if drawn != ALIKE else []
    return ".".join([*names, *said])


def _read_margin(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Read a question and its known shares from "faculty=40=60,5"; None where a share is no number."""
    name, *shares = text.replace(",", ".").split("=")
    plain = all(len(share) <= 20 and share.replace(".", "", 1).isdecimal() and share.isascii() for share in shares)
    return (name, tuple(shares)) if shares and plain else None
