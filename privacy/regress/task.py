"""What a regression is to do, read from its words and checked: terms, outcome, hidden answers and sampling.

A factor is an undisguised number, a literal of an undisguised column, a literal of a disguised item, or `direct`, which
is 1 for those who answered directly. A term is a product of factors, `a:b`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.choices import NORMAL
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.patterns import parse_pattern
from privacy.errors import EntryError, InputError
from privacy.estimate.sampling import Sampling
from privacy.records.open_columns import Column, as_numbers, groups, literal as read_literal, missing
from privacy.regress.hidden import NOT_ASKED, Hidden
from privacy.regress.respondents import Respondents

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
                literals = tuple((column, frozenset({index})) for index in range(len(item.options)))
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
        matches = read_literal(self.columns, name, option.strip()) if named else self._numbers(name, use) == 1
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


@dataclass(frozen=True)
class RegressionTask:
    """All that a family needs: the terms are standardised, and `back` brings their coefficients back."""

    family: str
    hidden: Hidden
    marks: dict[Literal, tuple[int, Floats]]  # the hidden answer of a literal, and which of its classes match
    terms: tuple[Term, ...]
    back: Floats
    outcome: Term
    sampling: Sampling
    robust: bool
    independent: bool  # hidden predictors do not depend on the undisguised ones
    parameter: str | None  # of a model, to be fitted

    @property
    def n(self) -> int:
        return len(self.sampling.weights)

    @cached_property
    def together(self) -> int:
        """How many were asked all of this: where people are asked some of the questions, others help to estimate."""
        return int((self.hidden.seen != NOT_ASKED).all(axis=1).sum())

    @cached_property
    def outcome_values(self) -> NDArray[Any]:
        """From the least on the values of a logistic or ordinal outcome; of a disguised one its classes."""
        if self.outcome.options:
            return np.array([self.marks[literal][1].argmax() for literal in self.outcome.literals])
        if self.outcome.literals or self.family == "logistic":
            return np.array([0, 1])
        return np.unique(self.outcome.values)

    @cached_property
    def outcome_names(self) -> tuple[str, ...]:
        return self.outcome.options or tuple(f"{value:g}" for value in self.outcome_values)

    @cached_property
    def open_parts(self) -> Floats:
        """The values of each term's undisguised part: respondents × terms."""
        return np.stack([term.values for term in self.terms], axis=1)

    @cached_property
    def questions(self) -> list[str | None]:
        """For each term that is a single literal its item or column; None for the intercept, numbers and products."""
        return [term.question for term in self.terms]

    @cached_property
    def in_products(self) -> set[str]:
        """The names of the items and columns that products are made of; those of plain numbers are among them."""
        parts = {part for term in self.terms if term.question is None for part in term.name.split(":")}
        return {part.removeprefix("!").partition("=")[0].strip() for part in parts}

    def level(self, column: int, holds: bool) -> float:
        """The standardised value of a literal's term where it holds, or does not."""
        return float(self.back[0, column] + (self.back[column, column] if holds else 0.0))

    def term_marks(self, states: NDArray[np.intp]) -> Floats:
        """For each state (rows) and term: whether all literals of the term hold."""
        marked = np.ones((len(states), len(self.terms)))
        for column, term in enumerate(self.terms):
            for literal in term.literals:
                place, matches = self.marks[literal]
                marked[:, column] *= matches[states[:, place]]
        return marked


def read_task(
    respondents: Respondents, outcome: str, on: Sequence[str], family: str, sampling: Sampling, robust: bool
) -> RegressionTask:
    """Read the words of a regression, and leave out respondents who cannot take part."""
    naming, model = respondents.naming, respondents.model
    words = Names(naming, respondents.columns, respondents.direct)
    kept = ~words.missing([outcome, *on])
    terms, target = words.predictors(on), words.outcome(outcome, family)
    _check_apart(target, [term for term in terms if term.name != INTERCEPT])
    literals = [literal for term in (*terms, target) for literal in term.literals]
    asked = np.zeros(len(respondents), bool)
    for column, _ in literals:
        assert naming is not None
        asked |= respondents.codes[naming.items[column].id] != NOT_ASKED
    kept &= (asked if literals else True) & (sampling.weights > 0)
    if not kept.any():
        raise EntryError("No respondent has an answer to all that this regression needs.")
    people, words = respondents.select(kept), words.select(kept)
    hidden, names, classes = people.answers_behind(literals)
    marks = {}
    for column, options in literals:
        assert naming is not None
        place = names.index(naming.items[column].id)
        # A class matches a literal where its first option does: all of its options do, or none.
        matches = [float(classes[place].index(kind) in options) for kind in range(hidden.sizes[place])]
        marks[column, options] = place, np.array(matches)
    sampling = sampling.select(kept)
    standard, back = _standardise(words.predictors(on), sampling.weights)
    return RegressionTask(
        family,
        hidden,
        marks,
        standard,
        back,
        words.outcome(outcome, family),
        sampling,
        robust,
        model is not None and model.independent,
        model.parameter if model is not None and model.item in names else None,
    )


def _check_apart(outcome: Term, terms: Sequence[Term]) -> None:
    """Refuse a predictor that is the outcome, or another answer to the same question."""
    for term in terms:
        shared = {column for column, _ in term.literals} & {column for column, _ in outcome.literals}
        open_alone = not term.literals and not outcome.literals
        if shared or (open_alone and np.array_equal(term.values, outcome.values, equal_nan=True)):
            raise InputError(
                f"on: {term.name!r} is the outcome {outcome.name!r} itself, or another answer to its question; leave "
                "it out."
            )


def _standardise(terms: Sequence[Term], weight: Floats) -> tuple[tuple[Term, ...], Floats]:
    """Give the undisguised parts of terms mean 0 and spread 1; return also the matrix that turns coefficients back."""
    back = np.eye(len(terms))
    standard = [terms[0]]
    for index, term in enumerate(terms[1:], 1):
        centre = 0.0 if term.literals else float(weight @ term.values / weight.sum())
        values = term.values - centre
        spread = float(np.sqrt(weight @ values**2 / weight.sum()))
        if spread <= 1e-9 * abs(centre):  # a constant, but for rounding
            values, spread = np.zeros_like(values), 1.0
        standard.append(Term(term.name, values / spread, term.literals, term.question))
        back[index, index] = 1 / spread
        back[0, index] = -centre / spread
    return tuple(standard), back


def check(task: RegressionTask) -> None:
    """Refuse a task that no method could fit, with the reason."""
    n, count = task.n, len(task.terms)
    if count >= n:
        raise EntryError(
            "{n} respondents answered all of this, too few for {count} coefficients; many more are needed.",
            n=task.together,
            count=count,
        )
    outcome = task.outcome
    if not outcome.literals and np.ptp(outcome.values) == 0:
        raise EntryError(
            "{name!r} is {value:g} for everybody, so there is nothing to explain.",
            at="outcome",
            name=outcome.name,
            value=outcome.values[0],
        )
    for term in task.terms[1:]:
        if not term.literals and np.ptp(term.values) == 0:
            raise EntryError("{name!r} is the same for all {n} respondents.", at="on", name=term.name, n=n)
    _check_together(task)
    square = _square(task)
    for index in range(1, count):
        mixed = square[:index, index]
        rest = square[index, index] - mixed @ np.linalg.lstsq(square[:index, :index], mixed, rcond=None)[0]
        if rest < 1e-10 * square[index, index]:
            raise EntryError(
                "{name!r} follows from the predictors before it, so their effects cannot be separated; leave one of "
                "them out.",
                at="on",
                name=task.terms[index].name,
            )
    fixed, moving = task.hidden.tables
    shaped = fixed.reshape(-1, *task.hidden.sizes)
    for answer in range(len(task.hidden.sizes)):
        if moving is None and np.ptp(shaped, axis=answer + 1).max() < 1e-7:
            literals = [literal for literal, (place, _) in task.marks.items() if place == answer]
            named = [term.name for term in (*task.terms, outcome) if {*literals} & {*term.literals}]
            raise InputError(f"The disguise leaves nothing of {named[0]!r}: the records do not depend on the truth.")


def _check_together(task: RegressionTask) -> None:
    """Refuse a predictor that nobody was asked beside the outcome, as in blocks that ask one item each."""
    if not task.outcome.literals:
        return
    outcome = task.marks[task.outcome.literals[0]][0]
    for term in task.terms:
        for literal in term.literals:
            if not (task.hidden.seen[:, [outcome, task.marks[literal][0]]] != NOT_ASKED).all(axis=1).any():
                raise EntryError(
                    "Nobody was asked both {outcome!r} and {name!r}, so their relation is unknown.",
                    outcome=task.outcome.name,
                    name=term.name,
                )


def _square(task: RegressionTask) -> Floats:
    """Σ x·xᵀ over all respondents and all states of the hidden answers, of the terms x."""
    square = np.zeros((len(task.terms), len(task.terms)))
    for marked in np.unique(task.term_marks(task.hidden.states), axis=0):
        x = task.open_parts * marked
        square += x.T @ x
    return square
