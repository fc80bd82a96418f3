"""When a plain question errs less than a draw of people's own. A share π says yes by λ = πu + (1−π)v."""

from math import sqrt

Chances = tuple[float, float]  # u and v: of record 1 where the answer is yes, and where it is no


def hiding_that_pays(chances: Chances, share: float, people: int) -> float | None:
    """The share of those concerned that must hide from a plain question before an own draw errs less; None: never.

    From equal mean squared errors.

    >>> round(hiding_that_pays((0.75, 0.25), 0.05, 1000), 2), hiding_that_pays((0.75, 0.25), 0.05, 300)
    (0.56, None)
    """
    u, v = chances
    seen = share * u + (1 - share) * v
    error = seen * (1 - seen) / (people * (u - v) ** 2)
    # (π − q)² + q(1 − q)/n = error, for the share q that a plain question shows
    a, b = 1 - 1 / people, 1 / people - 2 * share
    q = (-b - sqrt(b**2 - 4 * a * (share**2 - error))) / (2 * a)
    return 1 - q / share if 0 <= q <= share else None
