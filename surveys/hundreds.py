"""Numbers of people while more may come: in full hundreds, so that two looks tell of nobody who came between them."""

from collections.abc import Iterable

STEP = 100


def hundreds(people: int) -> int:
    """The last full hundred below a number of people."""
    return max(people - 1, 0) // STEP * STEP


def middle_of_hundreds(people: int) -> int:
    """The middle of the hundred that a number of people lies in."""
    return hundreds(people) + STEP // 2


def until_last_hundred(stacks: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The stacks, each of which begins with its number of sheets, up to the one that filled the last full hundred."""
    entered: list[tuple[int, ...]] = []
    full = people = 0
    for stack in stacks:
        entered.append(stack)
        people += stack[0]
        if hundreds(people) > hundreds(people - stack[0]):
            full = len(entered)
    return entered[:full]
