"""How far the work is: its phase, and what there is to count in it."""

from collections.abc import Callable

READING, COUNTING, REFERENCE, RULES = "reading", "counting", "reference", "rules"

# phase, length of the itemsets counted, candidates counted so far, share of this phase done; 0 where it is not known
Progress = Callable[[str, int, int, float], None]


def silent(phase: str, level: int, candidates: int, share: float) -> None:
    """Say nothing.

    >>> silent(COUNTING, 2, 10, 0.5) is None
    True
    """
