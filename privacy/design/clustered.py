"""A class of people who have much to tell: the advisor plans for it, and a rehearsal simulates it.

Rare answers seldom are spread evenly: 15 % of people have four times as many of them, the others fewer. An item of
which the class cannot have so many has as many there as is possible.
"""

PEOPLE, TIMES = 0.15, 4.0  # the class with many telling answers, and how many times as many it has
_MOST = 0.95  # of the class give telling answers to one item, at most


def times_in_classes(share: float) -> tuple[float, float]:
    """Two factors on the `share` of an answer: among the people with many telling answers, and among all others.

    >>> often, seldom = times_in_classes(0.1)
    >>> often, round(seldom, 4)
    (4.0, 0.4706)
    """
    times = max(min(TIMES, _MOST / share), 1.0) if share else 1.0
    return times, (1 - PEOPLE * times) / (1 - PEOPLE)
