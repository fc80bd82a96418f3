"""What a regression is to do, read from its words and checked: terms, outcome, hidden answers and sampling."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design.channels import Literal
from privacy.errors import EntryError, InputError
from privacy.estimate.sampling import Sampling
from privacy.regress.hidden import NOT_ASKED, Hidden
from privacy.regress.respondents import Respondents
from privacy.regress.terms import INTERCEPT, Names, Term


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
    for place, term in enumerate(terms[1:], 1):
        centre = 0.0 if term.literals else float(weight @ term.values / weight.sum())
        values = term.values - centre
        spread = float(np.sqrt(weight @ values**2 / weight.sum()))
        if spread <= 1e-9 * abs(centre):  # a constant, but for rounding
            values, spread = np.zeros_like(values), 1.0
        standard.append(Term(term.name, values / spread, term.literals, term.question))
        back[place, place] = 1 / spread
        back[0, place] = -centre / spread
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
    for place in range(1, count):
        mixed = square[:place, place]
        rest = square[place, place] - mixed @ np.linalg.lstsq(square[:place, :place], mixed, rcond=None)[0]
        if rest < 1e-10 * square[place, place]:
            raise EntryError(
                "{name!r} follows from the predictors before it, so their effects cannot be separated; leave one of "
                "them out.",
                at="on",
                name=task.terms[place].name,
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
