"""The standard error a support would have with another p, another k or other numbers of respondents.

Figure 1 of the improved grouped unrelated-question paper for every design and estimator: the truth is taken to be what
was estimated, and both groups to answer alike.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike

from mining.engines.columns import Columns
from mining.engines.estimates import shares_of_direct_answers, sub_weights
from mining.engines.itemsets import CountedItemsets
from mining.engines.literals import Literals, literals_of
from privacy.choices import AVAILABLE
from privacy.design import Design
from privacy.estimate.available import AvailableCases
from privacy.estimate.bit_columns import states_from_supports, supports_from_states
from privacy.estimate.power import chance_asked_all
from privacy.estimate.weights import Channel, channel_of, factors

Floats = np.ndarray


@dataclass(frozen=True)
class SeenItemset:
    """An itemset as its disguise shows it to those asked all of it, with the most plausible shares of its states."""

    name: str
    n: float  # asked all of it
    channel: Channel
    states: Floats

    def standard_errors(
        self, estimator: str, k: ArrayLike, p: ArrayLike | None = None, times: ArrayLike = 1.0
    ) -> Floats:
        """Standard errors for shares `k` of direct answers, coins that keep `p`, and `times` as many respondents."""
        k, times = np.broadcast_arrays(np.asarray(k, dtype=float), np.asarray(times, dtype=float))
        channel, count = self.channel, len(k) if p is None else len(np.asarray(p))
        channel = channel.keeping(p, count)
        states, k = np.tile(self.states, (count, 1)), np.broadcast_to(k, count)
        support, seen = self.states[-1], channel.disguise(states)
        with np.errstate(divide="ignore", invalid="ignore"):
            if estimator == "pooled":  # k is known: what lies between the means of the groups is no error
                weights, each = channel.weights(k), np.stack([seen, states])
                within = (each * weights**2).sum(axis=2) - (each * weights).sum(axis=2) ** 2
                square = (1 - k) * within[0] + k * within[1]
            else:
                direct = support * (1 - support)
                disguised = (seen * channel.weights() ** 2).sum(axis=1) - support**2
                if estimator == "stratified":
                    square = k * direct + (1 - k) * disguised
                else:
                    square = 1 / (k / direct + (1 - k) / disguised)
        return np.sqrt(np.maximum(square, 0) / (self.n * times))


@dataclass(frozen=True)
class CellChannels:
    """What disguises the cells of all literals of itemsets: P(cell seen | true cell), a matrix for each."""

    matrices: np.ndarray

    @classmethod
    def from_literals(cls, literals: Literals, itemsets: np.ndarray) -> "CellChannels":
        """Build the channels as the inverse of the weights of exact cells."""
        inverse = states_from_supports(sub_weights(literals, itemsets).transpose(2, 1, 0))  # cells seen, true cells
        return cls(np.clip(np.linalg.inv(np.swapaxes(inverse, 1, 2)), 0, 1))

    def disguise(self, states: np.ndarray) -> np.ndarray:
        """The shares of seen cells that these shares of true cells give."""
        return np.einsum("fyx,fx->fy", self.matrices, states)


@dataclass(frozen=True)
class ItemsetSeenInParts:
    """The same of available cases, where everyone who was asked a part of the itemset tells of it."""

    name: str
    asked: Floats  # each of its parts, by mask: bit j stands for literal j
    literals: Literals  # of the itemset alone
    states: Floats  # over the cells of the literals

    def standard_errors(
        self, estimator: str, k: ArrayLike, p: ArrayLike | None = None, times: ArrayLike = 1.0
    ) -> Floats:
        """The standard errors that a survey reports if every count is the expected one, as in `SeenItemset`."""
        given = [np.asarray(part, dtype=float) for part in (k, times, np.nan if p is None else p)]
        k, times, p = (np.atleast_1d(part) for part in np.broadcast_arrays(*given))
        count, length = len(k), len(self.literals)
        literals = _keeping(self.literals, p)
        itemsets = np.arange(count * length).reshape(count, length)
        groups = np.stack([1 - k, k]) * times
        states = np.tile(self.states, (count, 1))
        shown = supports_from_states(
            np.stack([CellChannels.from_literals(literals, itemsets).disguise(states), states])
        )
        masks, cells = np.arange(2**length)[:, None], np.arange(2**length)
        # Of those asked a set: how many match at least the literals of a cell, all of which are in the set.
        inside = (cells & ~masks) == 0
        matching = np.einsum("gfc,s,gf->gscf", shown, self.asked, groups) * inside[:, :, None]
        counts = states_from_supports(matching, 2)
        whole = np.moveaxis(matching[:, -1], -1, 0)
        shares = None
        if estimator == "combined":
            table = shares_of_direct_answers(literals, CountedItemsets(itemsets, whole, len(literals))).T
            shares = table[:-1], table[-1]
        sizes = self.asked[0] * groups
        centres = literals.centre[itemsets.T]
        cases = AvailableCases(counts, sizes, partial(sub_weights, literals, itemsets), centres, estimator, shares)
        return cases.estimates(whole[:, :, -1].T, sizes, 0.95).se


@dataclass(frozen=True)
class ItemsetReadWhole:
    """An itemset of which records show one word, so that only other numbers of respondents have a formula."""

    name: str
    error: float  # of this survey
    states: Floats

    def standard_errors(
        self, estimator: str, k: ArrayLike, p: ArrayLike | None = None, times: ArrayLike = 1.0
    ) -> Floats:
        """The standard errors for `times` as many respondents, by the same estimator; for k and p as they are."""
        del estimator, k, p
        return np.asarray(self.error / np.sqrt(np.asarray(times, dtype=float)))


Seen = SeenItemset | ItemsetSeenInParts | ItemsetReadWhole


def about_respondents(errors: Floats, support: float, n: float) -> Floats:
    """Standard errors about the true answers of the same respondents, of whom there are n in all.

    What is left without the chance of who took part; what is left by rounding alone counts as nothing.
    """
    square = errors**2 - support * (1 - support) / n
    return np.where(square > 1e-9 * errors**2, np.sqrt(np.maximum(square, 0)), 0.0)


def mean_distance(errors: Floats) -> Floats:
    """The mean of |S − S′| for these standard errors about the same respondents: W of Kan and Cao, section 4.

    A standard error is the root mean square of the distance; the mean of a normal one is √(2/π) times as large.
    """
    return errors * np.sqrt(2 / np.pi)


def itemset_as_seen(columns: Columns, literals: Literals, place: int, cases: str) -> Seen:
    """An itemset of the columns as its disguise shows it; by available cases, with how many were asked each part."""
    design, itemset = literals.design, columns.literals(place)
    if design.has_words:
        support, error = (float(columns.itemsets[name][place]) for name in ("support", "se"))
        return ItemsetReadWhole(", ".join(columns.names(place)), error, np.array([1 - support, support]))
    if cases == AVAILABLE and design.sampled and len(itemset) > 1:
        return _itemset_seen_in_parts(columns, literals, place)
    by_column = {int(literals.column[literal]): literal for literal in itemset}
    parts = factors(design, literals.pattern(np.array(itemset)))
    atoms = [[by_column[column] for column, _ in atom] for part in parts for atom in part.atoms]
    return SeenItemset(
        ", ".join(columns.names(place)),
        float(columns.itemsets["n"][place]),
        channel_of([parts]),
        _states(columns, atoms, float(columns.itemsets["support"][place])),
    )


@dataclass(frozen=True)
class ErrorCurves:
    """The errors of the largest itemset of each length, with another p, another k or other numbers of respondents."""

    columns: Columns
    design: Design
    negated: bool
    cases: str
    estimator: str
    said: str  # the same estimator, on a page
    n: int
    share: float  # of direct answers

    @cached_property
    def itemsets(self) -> list[Seen]:
        """These itemsets, as this survey's design shows them."""
        literals = literals_of(self.design, self.negated)
        lengths, supports = (self.columns.itemsets[name] for name in ("length", "support"))
        places = [np.flatnonzero(lengths == length) for length in np.unique(lengths)]
        largest = [int(here[np.argmax(supports[here])]) for here in places]
        return [itemset_as_seen(self.columns, literals, place, self.cases) for place in largest]

    @cached_property
    def coins(self) -> list[float]:
        """The different chances with which coins of this design keep the truth."""
        return sorted({coin for block in self.design.blocks if (coin := block.patterns.coin) is not None})

    def standard_errors(self, k: ArrayLike, p: ArrayLike | None = None, times: ArrayLike = 1.0) -> dict[str, Floats]:
        return {itemset.name: itemset.standard_errors(self.estimator, k, p, times) for itemset in self.itemsets}

    def mean_distances(self, k: ArrayLike, p: ArrayLike | None = None) -> dict[str, Floats]:
        """Return W, the mean distance from the truth of the same respondents, of each itemset."""
        errors = zip(self.itemsets, self.standard_errors(k, p).values(), strict=True)
        return {one.name: mean_distance(about_respondents(own, float(one.states[-1]), self.n)) for one, own in errors}


def _itemset_seen_in_parts(columns: Columns, literals: Literals, place: int) -> ItemsetSeenInParts:
    itemset = columns.literals(place)
    # Bit 0, the lowest of a cell, stands for the first literal.
    states = _states(columns, [[literal] for literal in reversed(itemset)], float(columns.itemsets["support"][place]))
    chances = np.ones(2 ** len(itemset))
    for mask in range(1, len(chances)):
        inside = [literal for bit, literal in enumerate(itemset) if mask >> bit & 1]
        chances[mask] = chance_asked_all(literals.design, literals.pattern(np.array(inside)))
    asked = float(columns.itemsets["n"][place]) * chances / chances[-1]
    return ItemsetSeenInParts(
        ", ".join(columns.names(place)), asked, _select_literals(literals, np.array(itemset)), states
    )


def _select_literals(literals: Literals, places: np.ndarray) -> Literals:
    """Return the literals at these places; a place may come several times."""
    return replace(
        literals,
        labels=tuple(literals.labels[place] for place in places),
        **{name: getattr(literals, name)[places] for name in Literals.ARRAYS},
    )


def _keeping(literals: Literals, p: Floats) -> Literals:
    """Repeat the literals for each keep p of their coins; nan leaves a coin as it is."""
    many = _select_literals(literals, np.tile(np.arange(len(literals)), len(p)))
    keep = np.repeat(p, len(literals))
    return replace(many, keep=np.where(np.isnan(keep) | np.isnan(many.keep), many.keep, keep))


def _states(columns: Columns, atoms: list[list[int]], support: float) -> Floats:
    """The distribution over the states of the atoms, from the supports of what they join to.

    A part below the threshold, which was not mined, counts as the whole; impossible shares are cut off.
    """
    table = np.empty([2] * len(atoms))
    for state in np.ndindex(table.shape):
        joined = sorted(literal for bit, atom in zip(state, atoms, strict=True) if bit for literal in atom)
        row = np.pad(joined, (0, columns.items.shape[1] - len(joined)), constant_values=-1)
        places = np.flatnonzero((columns.items == row).all(axis=1))
        table[state] = (columns.itemsets["support"][places[0]] if len(places) else support) if joined else 1.0
    for axis in range(table.ndim):
        matched = np.moveaxis(table, axis, 0)
        matched[0] -= matched[1]
    table = np.clip(table, 0, None).ravel()
    return table / table.sum()
