"""The words of a regression: its outcome, its predictors, and their products.

A factor is an undisguised number, a literal of an undisguised column, a literal of a disguised item, or `direct`, which
is 1 for those who answered directly. A term is a product of factors, `a:b`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.choices import NORMAL
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.patterns import parse_pattern
from privacy.errors import InputError
from privacy.records.open_columns import Column, as_numbers, groups, literal, missing

INTERCEPT = "(intercept)"
SHOWN = 8
MOST_VALUES = 20  # of an ordinal outcome
_MOST = 1e50  # of a predictor: the squares of products can be added up


@dataclass(frozen=True)
class Term:
    """A product: the values of its open part, and the literals of disguised items that must hold.

    Of a single literal `question` says what it is a literal of: an item, an undisguised column, or `direct`. A whole
    item that is an outcome with an order is no product: it has a literal for each of its `options`.
    """

    name: str
    values: Floats
    literals: tuple[Literal, ...] = ()
    question: str | None = None
    options: tuple[str, ...] = ()

    def times(self, other: "Term") -> "Term":
        return Term(f"{self.name}:{other.name}", self.values * other.values, (*self.literals, *other.literals))


@dataclass(frozen=True)
class Names:
    """What words of a regression may name; `items` is the design whose items are disguised, if there is one."""

    items: Design | None
    columns: Mapping[str, Column]
    direct: NDArray[np.bool_]

    def predictors(self, words: Sequence[str]) -> list[Term]:
        """The intercept and the terms of these words."""
        terms = [Term(INTERCEPT, np.ones(len(self.direct)))]
        for word in words:
            term = self.predictor(word)
            if any(word == other.name for other in terms):
                raise InputError(f"on: {word!r} appears twice.")
            terms.append(term)
        return terms

    def predictor(self, word: str) -> Term:
        """Read one term, which may be a product of several factors."""
        if not word:
            raise InputError("on: a name is empty; write names between commas, such as age,drugs,age:drugs.")
        first, *others = self._parts(word)
        if not all([first, *others]):
            raise InputError(f"on: {word!r} lacks a name; a product is written as age:drugs.")
        term = self._read_factor(first, "on")
        for other in others:
            term = term.times(self._read_factor(other, "on"))
        return replace(term, name=word)

    def outcome(self, word: str, family: str) -> Term:
        """Read the outcome: an undisguised column, or a literal; of an ordinal regression also a whole item."""
        if family == "ordinal" and self.items is not None and self._is_item(word):
            column = self.items.column(word)
            item = self.items.items[column]
            if not item.boolean:
                literals = tuple((column, frozenset({place})) for place in range(len(item.options)))
                return Term(word, np.ones(len(self.direct)), literals, word, tuple(map(str, item.options)))
        term = self._read_factor(word, "outcome")
        if term.literals:
            if family == NORMAL:
                raise InputError(
                    f"outcome: {word!r} is disguised, and a {family} regression explains an undisguised number; take "
                    "linear or logistic."
                )
            return term
        _check_outcome(word, term.values[~np.isnan(term.values)], family)
        return term

    def missing(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Which rows lack an undisguised value that one of these words needs."""
        lacking = np.zeros(len(self.direct), bool)
        for word in words:
            for part in self._parts(word):
                name = self._name(part)
                if name in self.columns:
                    lacking |= missing(self.columns[name])
        return lacking

    def select(self, rows: NDArray[np.bool_]) -> "Names":
        return Names(self.items, {name: column[rows] for name, column in self.columns.items()}, self.direct[rows])

    def _parts(self, word: str) -> list[str]:
        """The factors of a word. A name or a value may hold a colon itself: the longest factor that there is counts."""
        pieces = [piece.strip() for piece in word.split(":")]
        parts = []
        while pieces:
            known = [size for size in range(len(pieces), 1, -1) if self._is_factor(":".join(pieces[:size]))]
            size = known[0] if known else 1
            parts.append(":".join(pieces[:size]))
            pieces = pieces[size:]
        return parts

    def _is_factor(self, word: str) -> bool:
        with suppress(InputError):
            return bool(self._read_factor(word, "on").name)
        return False

    def _name(self, word: str) -> str:
        """The name of the item or column that a factor is of: `age` of `!age=50`."""
        if word in self.columns:
            return word
        return word.removeprefix("!").partition("=")[0].strip()

    def _is_item(self, word: str) -> bool:
        return self.items is not None and word in {item.id for item in self.items.items}

    def _read_factor(self, word: str, use: str) -> Term:
        if word == "direct":
            return Term(word, self.direct.astype(float), (), word)
        if self.items is not None and self._is_item(self._name(word)):
            pattern = parse_pattern(word, self.items)
            return Term(word, np.ones(len(self.direct)), pattern.literals, self._name(word))
        name = self._name(word)
        if name not in self.columns:
            raise InputError(
                f"{use}: {word!r} names neither a disguised item nor an undisguised column; {self._known_names()}."
            )
        if word == name:
            return Term(word, self._numbers(name, use))
        _, named, option = word.partition("=")
        matches = literal(self.columns, name, option.strip()) if named else self._numbers(name, use) == 1
        return Term(word, (matches ^ word.startswith("!")).astype(float), (), name)

    def _numbers(self, name: str, use: str) -> Floats:
        values = as_numbers(self.columns[name])
        large = np.abs(values) > _MOST
        if large.any():
            raise InputError(f"{use}: {name!r} holds {values[large][0]:g}, which is too large a number.")
        wrong = np.isnan(values) & ~missing(self.columns[name])
        if wrong.any():
            _, there = groups({name: self.columns[name][~missing(self.columns[name])]}, name, use)
            more = ", …" if len(there) > SHOWN else ""
            raise InputError(
                f"{use}: {name!r} holds words, not numbers; name one of its values: "
                f"{', '.join(f'{name}={value}' for value in there[:SHOWN])}{more}."
            )
        return values

    def _known_names(self) -> str:
        items = [item.id for item in self.items.items] if self.items is not None else []
        names = [*items, *self.columns, "direct"]
        return f"there are {', '.join(names[: 2 * SHOWN])}{', …' if len(names) > 2 * SHOWN else ''}"


def _check_outcome(word: str, given: Floats, family: str) -> None:
    """Refuse an undisguised outcome of which a family could explain nothing; `given` leaves out those who lack it."""
    if family == "logistic":
        odd = given[(given != 0) & (given != 1)]
        if len(odd):
            raise InputError(
                f"outcome: {word!r} holds {odd[0]:g}; a logistic regression explains 0 and 1, or a literal such as "
                f"{word}={odd[0]:g}."
            )
    elif family == "ordinal" and len(np.unique(given)) > MOST_VALUES:
        raise InputError(
            f"outcome: {word!r} holds {len(np.unique(given))} different values; an ordinal regression takes at most "
            f"{MOST_VALUES}. Join some of them, or take linear."
        )
