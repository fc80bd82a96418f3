"""Numbers of people while more may come: in full hundreds, so that two looks tell of nobody who came between them."""

from collections.abc import Iterable

STEP = 100


def hundreds(people: int) -> int:
    """The last full hundred below a number of people."""
    return max(people - 1, 0) // STEP * STEP


def middle_of_hundreds(people: int) -> int:
    """The middle of the hundred that a number of people lies in."""
    return hundreds(people) + STEP // 2


def fill_hundreds(stacks: Iterable[tuple[int, ...]], people: int) -> list[tuple[int, ...]]:
    """The first stacks, each of which begins with its number of sheets, until they are more than so many people."""
    filled, sheets = [], 0
    for stack in stacks:
        if sheets <= people:
            filled.append(stack)
        sheets += stack[0]
    return filled if people else []
