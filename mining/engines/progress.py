"""How far the work is: its phase, and what there is to count in it."""

from collections.abc import Callable

READING, COUNTING, REFERENCE, RULES, FITTING = "reading", "counting", "reference", "rules", "fitting"

# phase, length of the itemsets counted, candidates counted so far, share of this phase done; 0 where it is not known
Progress = Callable[[str, int, int, float], None]


def silent(phase: str, level: int, candidates: int, share: float) -> None:
    """Say nothing.

    `phase`: what is being done. `level`: the length of the itemsets that are counted. `candidates`: how many of them
    are counted so far. `share`: how much of the phase is done.

    >>> silent(COUNTING, 2, 10, 0.5) is None
    True
    """
