"""What a source of chance is: its outcomes, how likely each is, and by how much that may be wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Source:
    """A row of the table. `chances` is empty for a pack, whose cards are those that a draw names."""

    name: str
    chances: Mapping[str, Fraction]
    """How likely each outcome is, by its label, in the order in which a lot turns them."""

    delta: Fraction
    """How far the chance of any set of outcomes may be from the stated one: an assumption of the design."""

    of_person: bool
    """Whether it is a fact that stays the same, so that it serves one draw of a person; else one can draw again."""

    unsafe: str = ""
    """Whose knowledge of the outcome undoes the protection; English, marked for translation."""

    counted: Mapping[str, int] | None = None
    """How often each outcome was counted where it was: γ of a window drawn by lot is that of the worst one."""

    def shares(self, labels: Sequence[str]) -> Mapping[str, Fraction]:
        """The chance of each outcome, where a draw names these labels."""
        return self.chances or {label: Fraction(1, len(labels)) for label in labels}

    def windows(self, labels: Sequence[str]) -> list[Mapping[str, Fraction]]:
        """The chances of the labels for each start of a window: the lot turns all outcomes by as many places."""
        order = tuple(self.chances) or tuple(labels)
        of_each = self.counted or self.shares(labels)
        total = sum(of_each.values())
        known = [Fraction(of_each[label]) / total for label in order]
        turns = [known[start:] + known[:start] for start in range(len(known))]
        return [dict(zip(order, turned, strict=True)) for turned in turns]


def even(labels: Sequence[str]) -> dict[str, Fraction]:
    """Outcomes that are all as likely.

    >>> even(["heads", "tails"])
    {'heads': Fraction(1, 2), 'tails': Fraction(1, 2)}
    """
    return {label: Fraction(1, len(labels)) for label in labels}
