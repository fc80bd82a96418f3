"""What every condition on the sensitive values of a class has; each kind is a class of its own."""

from abc import ABC, abstractmethod
from typing import ClassVar

from privacy.arrays import Bools
from privacy.release.classes import Classes


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
