"""Draws from a few choices: how many outcomes of a source count, and what each of them says.

crosswise, extended, triangular   `part` outcomes are the fact; not the first day, which registers fill in
warner                            `part` outcomes say the truth
forced                            the same; half of the others say yes, and half no
unrelated                         the same; the others say to answer instead, of each question, whether a further throw
                                  or digit is a low one, or about a birthday of its own
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from privacy.errors import EntryError
from privacy.own_draw.sources import SOURCES

ASKED = 3  # of many questions, by a public lot
MOST_ITEMS = 10_000  # that anybody asks
BIRTHDAYS = ("mother", "father", "grandmother", "friend", "cousin", "teacher")


def birthdays(first: str, count: int) -> list[str]:
    """Whose birthdays so many questions by one draw take, from the first: each its own.

    >>> birthdays("friend", 3), birthdays("teacher", 2)
    (['friend', 'cousin', 'teacher'], ['teacher', 'mother'])
    """
    at = BIRTHDAYS.index(first) + 1 if first in BIRTHDAYS else 0
    others = [fact for fact in (*BIRTHDAYS[at:], *BIRTHDAYS[:at]) if fact != first]
    return [first, *others][:count]


_DIE = {"draw_way": "unrelated", "source": "die", "part": 4}
_NOTE = {"draw_way": "unrelated", "source": "digit", "fact": "note", "part": 6}
_MANY = range(4, MOST_ITEMS + 1)
READY: dict[str, tuple[Collection[int], dict[str, Any]]] = {
    "day": ([1], {"draw_way": "crosswise", "source": "day", "fact": "mother", "part": 8}),
    "day-of-two-lists": ([1], {"draw_way": "extended", "source": "day", "fact": "mother", "part": 8}),
    "six": ([1], {"draw_way": "crosswise", "source": "die", "part": 1}),
    "die": ([2, 3], _DIE),
    "die-by-lot": (_MANY, _DIE | {"ask": ASKED}),
    "note-of-two": ([2], _NOTE | {"part": 7}),
    "note": ([3], _NOTE),
    "note-by-lot": (_MANY, _NOTE | {"ask": ASKED}),
}
"""Draws that people can make by hand, for so many questions together; the first that fits is usual."""


def ready_draws(count: int) -> dict[str, dict[str, Any]]:
    """The settings of each ready draw for so many questions, by its name, the usual one first.

    >>> list(ready_draws(3)), ready_draws(3)["die"]
    (['die', 'note'], {'draw_way': 'unrelated', 'source': 'die', 'part': 4})
    """
    return {name: settings for name, (counts, settings) in READY.items() if count in counts}


def draw_of(
    way: str, source: str, part: int, asked: int, fact: str | None = None, *, lot: bool = False, slips: bool = False
) -> dict[str, Any]:
    """Return the `draw` of a block, as people write it, of which each person is asked so many questions.

    slips: δ is so wide that who knows no birthday may draw one of 31 slips instead.

    >>> draw_of("crosswise", "die", 1, 1)["outcomes"]
    [{'of': ['6'], 'says': 'fact'}, {'of': ['1', '2', '3', '4', '5'], 'says': 'not'}]
    """
    labels = tuple(SOURCES[source].chances)
    if not 0 < part < len(labels):
        raise EntryError(
            "{part} is not from 1 to {most}, of which some must say something else.",
            at="part",
            part=part,
            most=len(labels) - 1,
        )
    whose = {"fact": fact} if SOURCES[source].of_person and fact else {}
    outcomes = [{"of": list(of), "says": says} for of, says in _outcomes(way, source, labels, part)]
    wide = _reach_slips([one["of"] for one in outcomes]) if slips and source == "day" else {}
    draw = {"way": way, "source": source, **whose, **wide, **({"lot": True} if lot else {}), "outcomes": outcomes}
    if way != "unrelated":
        return draw
    if SOURCES[source].gives_many:
        return draw | {"other": [{"source": source, **whose, "of": list(labels[: len(labels) // 2])}]}
    days = list(SOURCES["day"].chances)[1:9]
    other = {"source": "day", "of": days, **(_reach_slips([days]) if slips else {})}
    return draw | {"other": [{**other, "fact": birthday} for birthday in birthdays(str(fact), asked)]}


def _reach_slips(outcomes: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The δ of a birthday that reaches over slips for its outcomes, too."""
    day = SOURCES["day"]
    apart = [abs(sum(map(day.chances.__getitem__, of)) - Fraction(len(of), len(day.chances))) for of in outcomes]
    return {"delta": [ceil(1000 * max([*apart, day.delta])), 1000]}


def _outcomes(way: str, source: str, labels: Sequence[str], part: int) -> list[tuple[Sequence[str], str]]:
    first = {"day": 1, "die": len(labels) - part}.get(source, 0)
    if way in ("crosswise", "extended", "triangular"):
        return [(labels[first : first + part], "fact"), ((*labels[:first], *labels[first + part :]), "not")]
    if way == "forced":
        each, left = divmod(len(labels) - part, 2)
        if left or not each:
            raise EntryError(
                "{left} outcomes are left for {ways} that must be as likely as each other.",
                at="part",
                left=len(labels) - part,
                ways=2,
            )
        return [(labels[:each], "yes"), (labels[each : each + part], "truth"), (labels[each + part :], "no")]
    return [(labels[:part], "truth"), (labels[part:], {"warner": "opposite"}.get(way, "other"))]
