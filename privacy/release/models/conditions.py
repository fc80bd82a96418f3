"""The conditions on the sensitive values of every class, each with its row; `ROWS` has them in the order of pages.

Distinct, entropy and recursive (c, l)-diversity, and (ρ₁, ρ₂)-privacy after Machanavajjhala and others (2007);
t-closeness after Li, Li and Venkatasubramanian (2007); (α, k)-anonymity after Wong, Li, Fu and Wang (2006).

β-likeness (Cao and Karras 2012): the gain of a value with the share p in the table and q > p in a class is (q − p) / p.
Basic β-likeness limits it by β, the enhanced one by the smaller of β and −ln p, so that common values cannot fill a
class.

δ-disclosure privacy (Brickell and Shmatikov 2008): |log₂(q / p)| < δ for every sensitive value. A value that a class
lacks is infinitely far, so every class has all values. ARX takes the same logarithm and passes over values that are
lacking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design import arguments
from privacy.design.rationals import fraction
from privacy.design.reading import items, quote
from privacy.errors import EntryError, InputError, to_translate
from privacy.release.classes import NEAR, Classes
from privacy.release.hierarchies import Hierarchy
from privacy.release.models.distances import DISTANCES
from privacy.release.models.row import Condition, ConditionKind, ConditionOfKinds, ModelField, Stops


def _entropy(classes: Classes, least: float, _c: float | None) -> Bools:
    """Whether the entropy of each class is at least the logarithm of the least number."""
    share = classes.count / classes.sizes[classes.owner]
    return np.asarray(classes.sums(-share * np.log(share)) >= np.log(least) - NEAR)


def _recursive(classes: Classes, least: float, c: float | None) -> Bools:
    """Whether r₁ < c·(r_l + … + r_m), l the least, with the counts of each class r₁ ≥ r₂ ≥ … ≥ r_m."""
    tail = classes.sizes - sum(classes.frequent(place) for place in range(int(least) - 1))
    assert c is not None
    written = fraction(c)  # the number that was written: 55 < 1.1 · 50 is false, and true of binary doubles
    return np.asarray(classes.frequent(0) * written.denominator < written.numerator * tail)


DIVERSITIES = {
    "distinct": ConditionKind(
        lambda classes, least, _c: classes.distinct >= least,
        to_translate("different answers (distinct)"),
        to_translate("At least l different answers in each group."),
    ),
    "entropy": ConditionKind(
        _entropy,
        to_translate("evenly spread answers (entropy)"),
        to_translate("At least l different answers, about as even as l equally common ones."),
    ),
    "recursive": ConditionKind(
        _recursive,
        to_translate("no answer too common (recursive)"),
        to_translate("The most common answer is rarer than c times the l-th most common and all rarer ones together."),
    ),
}


@dataclass(frozen=True)
class Diversity(ConditionOfKinds):
    """l-diversity of one kind; `c` belongs to the recursive one."""

    name: ClassVar[str] = "l"
    members: ClassVar[tuple[str, ...]] = ("kind", "l", "c")
    kinds: ClassVar[Mapping[str, ConditionKind]] = DIVERSITIES
    kind: str
    l: float  # noqa: E741 — its name in the literature
    c: float | None = None

    def __post_init__(self) -> None:
        arguments.choice(self.kind, "model.l.kind", DIVERSITIES)
        if not self.l >= 1:
            raise InputError(f"model.l.l: {self.l:g} is below 1, the diversity of any class.")
        if self.kind != "entropy" and self.l != int(self.l):
            raise EntryError("{l:g} is not a whole number of values.", at="model.l.l", l=self.l)
        if (self.kind == "recursive") != (self.c is not None):
            raise EntryError("recursive diversity needs c, and no other kind has it.", at="model.l.c")
        if self.c is not None and not self.c > 0:
            raise EntryError("{c:g} is not above 0.", at="model.l.c", c=self.c)

    @property
    def can_spoil(self) -> bool:
        """Whether merging with another class can spoil it: distinct diversity only grows."""
        return self.kind != "distinct"

    @property
    def least(self) -> int:
        """An entropy of log l needs l values, and so does r_l above 0."""
        return ceil(self.l - NEAR)

    @property
    def symbols(self) -> str:
        c = f", c = {self.c:g}" if self.c is not None else ""
        return f"l = {self.l:g} ({self.kind}{c})"

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(DIVERSITIES[self.kind].of(classes, self.l, self.c))


def _diversity_asked(given: Mapping[str, Any]) -> dict[str, Any] | None:
    kind, l = given["l_kind"], given["l"] or 2  # noqa: E741
    if not kind:
        return None
    c = {"c": given["c"]} if given["c"] is not None and kind == "recursive" else {}
    return {"kind": kind, "l": int(l) if l == int(l) else l} | c


@dataclass(frozen=True, eq=False)
class Closeness(ConditionOfKinds):
    """t-closeness by a distance between distributions; the hierarchical one needs the tree of the sensitive values."""

    name: ClassVar[str] = "t"
    members: ClassVar[tuple[str, ...]] = ("distance", "t")
    kinds: ClassVar[Mapping[str, ConditionKind]] = DISTANCES
    alone: ClassVar[bool] = True
    distance: str
    t: float
    hierarchy: Hierarchy | None = None

    def __post_init__(self) -> None:
        arguments.choice(self.distance, "model.t.distance", DISTANCES)
        if not 0 <= self.t <= 1:
            raise InputError(f"model.t.t: {self.t:g} is outside 0 to 1.")

    @property
    def symbols(self) -> str:
        return f"t = {self.t:g} ({self.distance})"

    def distances(self, classes: Classes) -> Floats:
        """How far, from 0 to 1, the sensitive values of each class are from those of the whole table."""
        return np.asarray(DISTANCES[self.distance].of(classes, self.hierarchy))

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(self.distances(classes) <= self.t + NEAR)


EQUAL = Closeness("equal", 1.0)


@dataclass(frozen=True)
class Frequency(Condition):
    """The α of (α, k)-anonymity: no sensitive value has a larger share of a class."""

    name: ClassVar[str] = "alpha"
    alpha: float

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 1:
            raise InputError(f"model.alpha: {self.alpha:g} is not above 0 and up to 1.")

    @property
    def least(self) -> int:
        """Shares of at most α sum to 1, so 1/α values are needed."""
        return ceil(1 / self.alpha - NEAR)

    @property
    def symbols(self) -> str:
        return f"α = {self.alpha:g}"

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(classes.most <= self.alpha * classes.sizes + NEAR)


@dataclass(frozen=True)
class Beliefs(Condition):
    """(ρ₁, ρ₂)-privacy: nothing that was less likely than ρ₁ becomes more likely than ρ₂, nor the other way round.

    What was more likely than 1 − ρ₁ does not become less likely than 1 − ρ₂. A share is what each value has of the
    table.
    """

    name: ClassVar[str] = "rho"
    rho1: float
    rho2: float

    def __post_init__(self) -> None:
        if not 0 < self.rho1 < self.rho2 < 1:
            raise EntryError("{rho1:g} and {rho2:g} are not two beliefs between 0 and 1, the smaller one first.",
                             at="model.rho", rho1=self.rho1, rho2=self.rho2)  # fmt: skip

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> "Beliefs":
        """Read the member `rho` of a model: ``[0.2, 0.5]``, or as fractions ``["1/5", "1/2"]``."""
        pair = items(model["rho"], f"{where}.rho")
        if len(pair) != 2:
            raise InputError(f"{where}.rho: {quote(pair)} is not a pair of beliefs, such as [0.2, 0.5].")
        return cls(*(float(arguments.read_number(one, f"{where}.rho")) for one in pair))

    @property
    def symbols(self) -> str:
        return f"ρ = {self.rho1:g} → {self.rho2:g}"

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(largest_posterior(classes, self.rho1) <= self.rho2 + NEAR)


def largest_posterior(classes: Classes, rho1: float) -> Floats:
    """For each class the largest posterior that a value is there, or is not, where the prior of that is below ρ₁."""
    share = classes.count / classes.sizes[classes.owner]
    furthest = np.zeros(len(classes.sizes))
    unlikely = classes.overall[classes.value] < rho1 - NEAR
    np.maximum.at(furthest, classes.owner[unlikely], share[unlikely])
    for value in np.flatnonzero(classes.overall > 1 - rho1 + NEAR):
        has = classes.value == value
        there = np.zeros(len(furthest))
        there[classes.owner[has]] = share[has]
        furthest = np.maximum(furthest, 1 - there)
    return furthest


LIKENESSES = {
    "basic": ConditionKind(
        lambda shares, beta: np.full_like(shares, beta),
        to_translate("the same for every answer (basic)"),
        to_translate("An answer of the share p among all has at most p · (1 + β) in each group."),
    ),
    "enhanced": ConditionKind(
        lambda shares, beta: np.minimum(beta, -np.log(shares)),
        to_translate("less for common answers (enhanced)"),
        to_translate("The same, and at most p · (1 − ln p), so that a common answer cannot fill a group."),
    ),
}


@dataclass(frozen=True)
class Likeness(ConditionOfKinds):
    """β-likeness of one kind."""

    name: ClassVar[str] = "beta"
    members: ClassVar[tuple[str, ...]] = ("kind", "beta")
    kinds: ClassVar[Mapping[str, ConditionKind]] = LIKENESSES
    kind: str
    beta: float

    def __post_init__(self) -> None:
        arguments.choice(self.kind, "model.beta.kind", LIKENESSES)
        if not self.beta > 0:
            raise InputError(f"model.beta.beta: {self.beta:g} is not above 0.")

    @property
    def symbols(self) -> str:
        return f"β = {self.beta:g} ({self.kind})"

    def holds(self, classes: Classes) -> Bools:
        among = classes.overall[classes.value]
        most = among * (1 + LIKENESSES[self.kind].of(among, self.beta))
        over = classes.count / classes.sizes[classes.owner] > most + NEAR
        return np.asarray(classes.sums(over.astype(np.float64)) == 0)


@dataclass(frozen=True)
class DisclosurePrivacy(Condition):
    """δ-disclosure privacy, in bits."""

    name: ClassVar[str] = "disclosure"
    delta: float

    def __post_init__(self) -> None:
        if not self.delta > 0:
            raise InputError(f"model.disclosure: {self.delta:g} is not above 0.")

    @property
    def symbols(self) -> str:
        return f"δ = {self.delta:g}"

    def holds(self, classes: Classes) -> Bools:
        share = classes.count / classes.sizes[classes.owner]
        near = np.abs(np.log2(share / classes.overall[classes.value])) < self.delta - NEAR
        values = np.count_nonzero(classes.overall)
        return np.asarray(classes.sums(near.astype(np.float64)) == values)


ROWS = (
    Diversity.row(
        by_default=True,
        asked=_diversity_asked,
        fields=(
            ModelField(
                name="l_kind", label=to_translate("Answers in each group (l-diversity)"), kinds=DIVERSITIES,
                about=to_translate("So that nobody learns an answer from what a group has in common."),
                usual="distinct", title=to_translate("Answers in each group"),
            ),
            ModelField(name="l", label="l", least=1, most=100, usual=2),
            ModelField(name="c", label="c", most=None),
        ),
        stops=(
            Stops(
                to_translate("l-diversity"), '"l": {"kind": "distinct", "l": 3}',
                to_translate("that, and an attacker who can rule out l − 2 values"),
                to_translate("values that are nearly certain, or alike in meaning"),
            ),
            Stops(
                to_translate("entropy or recursive (c, l)-diversity"), '"l": {"kind": "entropy", "l": 3}',
                to_translate("values that are nearly certain"),
                to_translate("a class that is far from everybody else"),
            ),
        ),
    ),
    Closeness.row(
        asked=lambda given: given["t_distance"]
        and {"distance": given["t_distance"], "t": 0.3 if given["t"] is None else given["t"]},
        fields=(
            ModelField(
                name="t_distance", label=to_translate("Near everybody's answers (t-closeness)"), kinds=DISTANCES,
                about=to_translate("So that no group answers very differently from all."),
                title=to_translate("Distances between answers"),
            ),
            ModelField(name="t", label="t"),
        ),
        stops=(
            Stops(
                to_translate("t-closeness"), '"t": {"distance": "ordered", "t": 0.3}',
                to_translate("a class that differs much from the table"),
                to_translate("small shifts, for everybody"),
            ),
        ),
    ),
    Frequency.row(
        fields=(
            ModelField(
                name="alpha", label=to_translate("No answer above this share (α)"),
                about=to_translate("So that no single answer fills a group. Empty: not asked."),
            ),
        ),
        stops=(
            Stops(
                to_translate("(α, k)-anonymity"), '"alpha": 0.5',
                to_translate("one value that fills a class"),
                to_translate("values that become more likely below that share, or are ruled out"),
            ),
        ),
    ),
    Beliefs.row(
        asked=lambda given: None
        if given["rho1"] is None and given["rho2"] is None
        else [given["rho1"] or 0.0, given["rho2"] or 0.0],
        fields=(
            ModelField(
                name="rho1", label=to_translate("What seemed less likely than this (ρ₁) …"),
                about=to_translate(
                    "So that no answer becomes much more likely, or much less likely, than it is among all. "
                    "Both empty: not asked."
                ),
            ),
            ModelField(name="rho2", label=to_translate("… stays at most this likely (ρ₂)")),
        ),
        stops=(
            Stops(
                to_translate("(ρ₁, ρ₂)-privacy"), '"rho": [0.2, 0.5]',
                to_translate(
                    "that a value less likely than ρ₁ becomes more likely than ρ₂, or one more likely than 1 − ρ₁ less "
                    "likely than 1 − ρ₂"
                ),
                to_translate("common values that become certain"),
            ),
        ),
    ),
    Likeness.row(
        asked=lambda given: given["beta_kind"]
        and {"kind": given["beta_kind"], "beta": 1.0 if given["beta"] is None else given["beta"]},
        fields=(
            ModelField(
                name="beta_kind", label=to_translate("No answer gains too much (β-likeness)"), kinds=LIKENESSES,
                about=to_translate("So that no answer is much more common in a group than among all."),
                title=to_translate("How much more common an answer may become"),
            ),
            ModelField(name="beta", label="β", most=None),
        ),
        stops=(
            Stops(
                to_translate("β-likeness"), '"beta": {"kind": "enhanced", "beta": 2}',
                to_translate(
                    "a value more than 1 + β times as common in a class as in the table; rare values count as much as "
                    "common ones"
                ),
                to_translate("values that a class rules out; if it is basic, also common values that become certain"),
            ),
        ),
    ),
    DisclosurePrivacy.row(
        fields=(
            ModelField(
                name="disclosure", label=to_translate("No share changes by more bits than this (δ-disclosure)"),
                about=to_translate(
                    "1: no share doubles or halves. Every group then has every answer. Empty: not asked."
                ),
                most=None,
            ),
        ),
        stops=(
            Stops(
                to_translate("δ-disclosure"), '"disclosure": 1',
                to_translate("a share that doubles or halves where δ is 1 (it is in bits), and ruling any value out"),
                to_translate(
                    "smaller shifts, for everybody; a rare value must be in every class, so most tables lose much"
                ),
            ),
        ),
    ),
)  # fmt: skip
