"""How far the work is: a caller gives a function, which gets a share from 0 to 1 again and again.

What it raises ends the work: so a job is cancelled.
"""

from collections.abc import Callable

Progress = Callable[[float], object]


def nobody(_share: float) -> None:
    """Ignore the progress: no caller waits for it."""


def part_of_work(progress: Progress, low: float, high: float) -> Progress:
    """Report progress of a part as its place in the whole.

    >>> part_of_work(print, 0.5, 1.0)(0.5)
    0.75
    """
    return lambda share: progress(low + (high - low) * share)
