"""What a model of release declares, all in its row: how a spec asks for it, its fields on a page, what it stops.

Form and page of the site, readers of specs, the guide's table and its test follow the rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from privacy.arrays import Bools
from privacy.design.reading import mapping, number, only_keys
from privacy.release.classes import Classes


@dataclass(frozen=True)
class Stops:
    """Which attack a model stops and which it does not; `example` is how a spec asks for it."""

    label: str
    example: str
    stopped: str
    left: str


@dataclass(frozen=True)
class ConditionKind:
    """One of several kinds of a condition: what computes it, its name on pages, and what it asks in one sentence."""

    of: Callable[..., Any]
    label: str
    about: str


@dataclass(frozen=True, kw_only=True)
class ModelField:
    """A field of a form: a number from `least` to `most`, one of `kinds`, or a `tick`.

    `usual` is what it begins with. `title` stands over the sentences that explain the kinds.
    """

    name: str
    label: str
    about: str = ""
    least: int = 0
    most: int | None = 1
    whole: bool = False
    usual: Any = None
    tick: bool = False
    kinds: Mapping[str, ConditionKind] | None = None
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class ModelRow:
    """A member of a model. `read` takes the model and its place in a spec, and refuses what the member may not be.

    `asked` makes the member of the values of the fields, and None where nothing is asked; without it the member is the
    value of the only field. `by_default`: the page asks it unless somebody says otherwise, where a column is sensitive.
    """

    name: str
    read: Callable[[Mapping[str, Any], str], Any]
    stops: tuple[Stops, ...]
    fields: tuple[ModelField, ...] = ()
    asked: Callable[[Mapping[str, Any]], Any] | None = None
    by_default: bool = False

    def member(self, given: Mapping[str, Any]) -> Any:
        """What a spec has of this model, by the values of all fields of a form; None where it is not asked."""
        return self.asked(given) if self.asked else given[self.fields[0].name] or None


class Condition(ABC):
    """What a model demands of the sensitive values of every class. `can_spoil` says that a merge can lose it.

    Merging two classes that fulfil a condition gives one that does, for all conditions here (for entropy by concavity,
    for the distances by convexity, for limits on single shares because a merged share lies between two). With
    suppression a class that fails may be merged with one that holds and spoil it; only distinct values cannot be
    spoiled. Those of several sensitive attributes can, each looked at within the others.

    `least` is how many different values a class needs for it, which no merge can spoil. `name` is the member of a model
    that asks for it.
    """

    name: ClassVar[str]
    alone: ClassVar[bool] = False  # whether of several sensitive attributes it looks at each by itself

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> Self:
        """Read the member of a model that asks for it: a number, as in ``{"alpha": 0.5}``."""
        return cls(float(number(model, cls.name, where)))  # type: ignore[call-arg]

    @classmethod
    def row(cls, **other: Any) -> ModelRow:
        """The row of the condition, with what pages and the guide say of it."""
        return ModelRow(name=cls.name, read=cls.read, **other)

    @property
    def can_spoil(self) -> bool:
        """Whether merging a class that fulfils this with another may give one that does not."""
        return True

    @property
    def least(self) -> int:
        """How many different values every class needs at least for this."""
        return 1

    @property
    @abstractmethod
    def symbols(self) -> str:
        """The condition as people write it, such as ``t = 0.3 (equal)``."""

    @abstractmethod
    def holds(self, classes: Classes) -> Bools:
        """Say of each class whether it fulfils the condition."""


class ConditionOfKinds(Condition):
    """A condition of several kinds; `members` are the keys by which a model asks for it, that of the kind first."""

    members: ClassVar[tuple[str, ...]]
    kinds: ClassVar[Mapping[str, ConditionKind]]

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> Self:
        """Read the member of a model: ``{"kind": "recursive", "l": 3, "c": 2}``; without a kind it is the first."""
        where, (kind, *others) = f"{where}.{cls.name}", cls.members
        entry = mapping(model[cls.name], where)
        only_keys(entry, cls.members, where)
        figures = {key: float(number(entry, key, where)) for key in others if key in entry or key == cls.name}
        return cls(**{kind: str(entry.get(kind, next(iter(cls.kinds)))), **figures})
