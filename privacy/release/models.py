"""Privacy models: for every class of a table whether it is safe to publish, and the value that the table reaches.

k-anonymity after Samarati and Sweeney (1998); distinct, entropy and recursive (c, l)-diversity and their form for
several sensitive attributes after Machanavajjhala and others (2007); t-closeness after Li, Li and Venkatasubramanian
(2007); (α, k)-anonymity after Wong, Li, Fu and Wang (2006); (ρ₁, ρ₂)-privacy after Machanavajjhala and others, too;
β-likeness and δ-disclosure privacy in their own modules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design import arguments
from privacy.design.reading import items, mapping, number, only_keys, quote
from privacy.errors import EntryError, InputError
from privacy.release.classes import NEAR, Classes, count_in_classes, number_classes, tally
from privacy.release.condition import Condition
from privacy.release.disclosure import DisclosurePrivacy
from privacy.release.distances import DISTANCES
from privacy.release.diversities import DIVERSITIES
from privacy.release.hierarchies import Hierarchy
from privacy.release.likeness import Likeness
from privacy.release.limits import LIMITS
from privacy.release.measures.beliefs import private


@dataclass(frozen=True)
class Diversity(Condition):
    """l-diversity of one kind; `c` belongs to the recursive one."""

    name: ClassVar[str] = "l"
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

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> "Diversity":
        """Read the member `l` of a model: ``{"kind": "recursive", "l": 3, "c": 2}``."""
        entry, where = mapping(model["l"], f"{where}.l"), f"{where}.l"
        only_keys(entry, ("kind", "l", "c"), where)
        c = float(number(entry, "c", where)) if "c" in entry else None
        return cls(str(entry.get("kind", "distinct")), float(number(entry, "l", where)), c)

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
        return DIVERSITIES[self.kind].holds(classes, self.l, self.c)


@dataclass(frozen=True, eq=False)
class Closeness(Condition):
    """t-closeness by a distance between distributions; the hierarchical one needs the tree of the sensitive values."""

    name: ClassVar[str] = "t"
    alone: ClassVar[bool] = True
    distance: str
    t: float
    hierarchy: Hierarchy | None = None

    def __post_init__(self) -> None:
        arguments.choice(self.distance, "model.t.distance", DISTANCES)
        if not 0 <= self.t <= 1:
            raise InputError(f"model.t.t: {self.t:g} is outside 0 to 1.")

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> "Closeness":
        """Read the member `t` of a model: ``{"distance": "equal", "t": 0.3}``."""
        entry, where = mapping(model["t"], f"{where}.t"), f"{where}.t"
        only_keys(entry, ("distance", "t"), where)
        return cls(str(entry.get("distance", "equal")), float(number(entry, "t", where)))

    @property
    def symbols(self) -> str:
        return f"t = {self.t:g} ({self.distance})"

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(closeness(classes, self) <= self.t + NEAR)


EQUAL = Closeness("equal", 1.0)


@dataclass(frozen=True)
class Frequency(Condition):
    """The α of (α, k)-anonymity: no sensitive value has a larger share of a class."""

    name: ClassVar[str] = "alpha"
    alpha: float

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 1:
            raise InputError(f"model.alpha: {self.alpha:g} is not above 0 and up to 1.")

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> "Frequency":
        """Read the member `alpha` of a model, a number."""
        return cls(float(number(model, "alpha", where)))

    @property
    def least(self) -> int:
        """Shares of at most α sum to 1, so 1/α values are needed."""
        return ceil(1 / self.alpha - NEAR)

    @property
    def symbols(self) -> str:
        return f"α = {self.alpha:g}"

    def holds(self, classes: Classes) -> Bools:
        most = classes.most
        return np.asarray(most <= self.alpha * classes.sizes + NEAR)


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
        return private(classes, self.rho1, self.rho2)


CONDITIONS: dict[str, Callable[[Mapping[str, Any], str], Condition]] = {
    one.name: one.read for one in (Diversity, Closeness, Frequency, Beliefs, Likeness, DisclosurePrivacy)
}
"""What reads each condition from the member of a model that it is named for."""


def in_symbols(model: Mapping[str, Any]) -> list[str]:
    """The members of a model as people write them.

    >>> in_symbols({"k": 2, "l": {"kind": "recursive", "l": 3, "c": 2}, "k_map": 5})
    ['k = 2', 'l = 3 (recursive, c = 2)', 'k-map = 5']
    """
    said = [f"k = {model['k']}"] if "k" in model else []
    said += [read(model, "model").symbols for name, read in CONDITIONS.items() if name in model]
    return said + [f"{name.replace('_', '-')} = {model[name]}" for name in LIMITS if name in model]


@dataclass(frozen=True, eq=False)
class AnonymityModel:
    """What every published class must fulfil: at least k records, and conditions on their sensitive values.

    `apart`: of several sensitive attributes each is looked at by itself, and not within the others. `each`: what is
    asked of each of them, in place of `conditions`, where it is not the same of all.
    """

    k: int = 1
    conditions: tuple[Condition, ...] = ()
    apart: bool = False
    each: tuple[tuple[Condition, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"model.k: {self.k} is below 1.")

    @property
    def every(self) -> tuple[Condition, ...]:
        """All conditions, whatever sensitive attribute they are of."""
        return tuple(chain(self.conditions, *self.each))

    @property
    def about_sensitive(self) -> bool:
        return bool(self.every)

    def conditions_at(self, place: int) -> tuple[Condition, ...]:
        """What is asked of the sensitive attribute at a place."""
        return self.each[place] if self.each else self.conditions

    def distances(self, count: int) -> list[Closeness]:
        """The distance by which t of each of so many attributes is measured, also where the model asks for no t."""
        every = map(self.conditions_at, range(count))
        asked = (next((one for one in own if isinstance(one, Closeness)), EQUAL) for own in every)
        return [replace(one, t=1.0) for one in asked]

    @property
    def fewest(self) -> int:
        """How many different sensitive values every class needs at least."""
        return max((condition.least for condition in self.every), default=1)

    def least(self, several: bool = False) -> "AnonymityModel":
        """The least conditions of this model that further generalisation cannot break.

        `several`: there are several sensitive attributes, or records whose values are passed over.
        """
        fewest = 1 if several else self.fewest
        return AnonymityModel(self.k, (Diversity("distinct", fewest),) if fewest > 1 else ())

    def always_grows(self, suppression: bool, several: bool = False) -> bool:
        """Whether a table that fulfils the model still does after any further generalisation."""
        return not (suppression and any(condition.can_spoil or several for condition in self.every))

    def holds(self, classes: Classes) -> Bools:
        """Say of each class whether it fulfils the model."""
        kept: Bools = classes.sizes >= self.k
        for condition in self.conditions:
            kept = kept & condition.holds(classes)
        return kept


def safe(
    member: Ints,
    sensitive: Sequence[Ints],
    model: AnonymityModel,
    overall: Sequence[Floats] | None = None,
    count: Ints | None = None,
) -> Bools:
    """Say of every class whether it fulfils the model for every sensitive attribute.

    With several of them each is looked at within classes that are alike in the others, too: multi-attribute
    l-diversity (Machanavajjhala and others 2007, section 4.4); t-closeness is of each by itself. Records with the code
    −1 are passed over: they have no such value, or one that is not true. `overall`: how common each value is in the
    table that these records are of. `count`: for how many records each of these stands.
    """
    sizes = count_in_classes(member, count)
    good: Bools = sizes >= model.k
    if not model.about_sensitive:
        return good
    for place, secret in enumerate(sensitive):
        conditions, elsewhere = model.conditions_at(place), (*sensitive[:place], *sensitive[place + 1 :])
        own, values, counts = member, secret, count
        if secret.min(initial=0) < 0:
            has_secret = secret >= 0
            own, values, elsewhere = member[has_secret], secret[has_secret], tuple(one[has_secret] for one in elsewhere)
            counts = None if count is None else count[has_secret]
            if not len(own):
                continue
        alone = [one for one in conditions if one.alone or model.apart or not elsewhere]
        for asked, others in ((alone, ()), ([one for one in conditions if one not in alone], elsewhere)):
            if not asked:
                continue
            finer = number_classes([own, *others]) if len(own) < len(member) or others else own
            owner = np.empty(int(finer.max()) + 1, np.int64)
            owner[finer] = own
            classes = tally(finer, values, None if overall is None else overall[place], counts)
            for condition in asked:
                good[owner[~condition.holds(classes)]] = False
    return good


def unmet_conditions(chosen: Bools, sensitive: Sequence[Ints], model: AnonymityModel) -> list[str]:
    """Name the conditions of a model that the `chosen` records miss, taken as one class of the table.

    >>> model = AnonymityModel(2, (Diversity("distinct", 2),))
    >>> unmet_conditions(np.array([False, False, True]), [np.array([0, 1, 1])], model)
    ['k', 'l']
    """
    parts = {"k": AnonymityModel(model.k)}
    for name in dict.fromkeys(one.name for one in model.every):
        conditions, *each = (
            tuple(one for one in asked if one.name == name) for asked in (model.conditions, *model.each)
        )
        parts[name] = replace(model, k=1, conditions=conditions, each=tuple(each))
    return [name for name, part in parts.items() if not safe(chosen.astype(np.int64), sensitive, part)[1]]


def closeness(classes: Classes, asked: Closeness) -> Floats:
    """Compute how far, from 0 to 1, the sensitive values of each class are from those of the whole table."""
    return DISTANCES[asked.distance].of(classes, asked.hierarchy)
