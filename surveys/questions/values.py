"""Options and steps of a published entry, read and refused alike by every type that has them."""

from typing import Any

from privacy.errors import EntryError
from surveys.questions.question import Entry, PublishedQuestion

MOST_STEPS = 20


def values_of(question: PublishedQuestion, entry: Entry) -> tuple[str, ...]:
    """The values of at least two options, all different."""
    values = tuple(option["value"] for option in entry.get("options", ()))
    if len(values) < 2:
        raise EntryError("a choice needs at least two options.", at=f"question '{question.id}'.options")
    if len(set(values)) != len(values):
        raise EntryError("every option needs a different value.", at=f"question '{question.id}'.options")
    return values


def entry_items(question: PublishedQuestion, entry: Entry) -> tuple[str, ...]:
    """The names of the items, at least one."""
    if not entry.get("items"):
        raise EntryError("list the items it asks for.", at=f"question '{question.id}'.items")
    return tuple(item["id"] for item in entry["items"])


def steps(name: str, low: Any, high: Any) -> tuple[str, ...]:
    """The steps of a scale, as its options are written in records."""
    if type(low) is not int or type(high) is not int or not 0 < high - low <= MOST_STEPS:
        raise EntryError("a scale needs whole numbers min < max, at most 20 apart.", at=f"question '{name}'.min")
    return tuple(str(step) for step in range(low, high + 1))


def check_order(question: PublishedQuestion, low: Any, high: Any) -> None:
    if low is not None and high is not None and low > high:
        raise EntryError("min {low} is above max {high}.", at=f"question '{question.id}'.max", low=low, high=high)


def both_ends(low: Any, high: Any, usual: tuple[int, int]) -> tuple[Any, Any]:
    """Both ends for made-up answers: a missing one is the usual one, moved where it would lie beyond the other."""
    least, most = usual
    if low is None:
        low = least if high is None or high > least else high - (most - least)
    if high is None:
        high = most if low < most else low + (most - least)
    return low, high


def is_between(value: Any, question: PublishedQuestion) -> bool:
    low: Any = question.min
    high: Any = question.max
    return (low is None or value >= low) and (high is None or value <= high)
