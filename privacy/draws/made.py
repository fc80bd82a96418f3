"""Draws made of a few choices: how many outcomes of a source count, and what each of them says.

crosswise, extended, triangular   `part` outcomes are the fact; not the first day, which registers fill in
warner, coins                     `part` outcomes say the truth
unrelated                         the same; the others say to answer about a birthday, another one for each question
forced                            `part` outcomes say the truth, half of the others yes, and half no
table, signs                      `part` outcomes say the truth; of the others each pattern has as many
kuk                               `part` of ten cards of the pack for yes are red, and as many of the other are black
"""

from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

from privacy.draws.sources import SOURCES
from privacy.errors import EntryError

PACK = tuple(rank + suit for rank in (*map(str, range(2, 11)), "J", "Q", "K", "A") for suit in "♣♦♥♠")
"""All cards, with the pictures at the end; smaller packs lack the first ones."""

WITHOUT_THREES = 44
"""How many cards are usual: with all of them γ is above the limit of most sites."""

ASKED = 3  # of many questions, by a public lot
MOST_ITEMS = 10_000  # that anybody asks
TEN = tuple(str(card) for card in range(1, 11))


BIRTHDAYS = ("mother", "father", "grandmother", "friend", "cousin", "teacher")


def birthdays(first: str, count: int) -> list[str]:
    """Whose birthdays so many questions by one draw take, from the first: each its own.

    >>> birthdays("friend", 3), birthdays("teacher", 2)
    (['friend', 'cousin', 'teacher'], ['teacher', 'mother'])
    """
    at = BIRTHDAYS.index(first) + 1 if first in BIRTHDAYS else 0
    others = [fact for fact in (*BIRTHDAYS[at:], *BIRTHDAYS[:at]) if fact != first]
    return [first, *others][:count]


READY: dict[str, tuple[Collection[int], dict[str, Any]]] = {
    "day": ([1], {"draw_way": "extended", "source": "day", "fact": "mother", "part": 8}),
    "six": ([1], {"draw_way": "crosswise", "source": "die", "part": 1}),
    "digit": ([2], {"draw_way": "table", "source": "digit", "fact": "note", "part": 6, "lot": "lot"}),
    "digit-for-all": ([2], {"draw_way": "table", "source": "digit", "fact": "note", "part": 6}),
    "coins": ([2, 3, 4], {"draw_way": "coins", "source": "die", "part": 3}),
    "unrelated": ([2, 3], {"draw_way": "unrelated", "source": "die", "part": 1, "fact": "friend"}),
    "signs": ([2], {"draw_way": "signs", "source": "cards", "part": 16}),
    "signs-of-three": ([3], {"draw_way": "signs", "source": "cards", "part": 20}),
    "signs-of-four": ([4], {"draw_way": "signs", "source": "cards", "part": 12}),
    "cards": (range(5, MOST_ITEMS + 1), {"draw_way": "table", "source": "cards", "part": 28, "ask": ASKED}),
}
"""Draws that people can make by hand, for so many questions together; the first that fits is usual."""


def ready_draws(count: int) -> dict[str, dict[str, Any]]:
    """The settings of each ready draw for so many questions, by its name, the usual one first.

    >>> list(ready_draws(4)), ready_draws(4)["coins"]
    (['coins', 'signs-of-four'], {'draw_way': 'coins', 'source': 'die', 'part': 3})
    """
    return {name: settings for name, (counts, settings) in READY.items() if count in counts}


def draw_of(
    way: str,
    source: str,
    part: int,
    asked: int,
    fact: str | None = None,
    *,
    lot: bool = False,
    cards: int = WITHOUT_THREES,
) -> dict[str, Any]:
    """Return the `draw` of a block, as people write it, of which each person is asked so many questions.

    >>> draw_of("crosswise", "die", 1, 1)["outcomes"]
    [{'of': ['6'], 'says': 'fact'}, {'of': ['1', '2', '3', '4', '5'], 'says': 'not'}]
    """
    labels = TEN if way == "kuk" else tuple(SOURCES[source].chances) or PACK[-cards:]
    if not 0 < part < len(labels):
        raise EntryError(
            "{part} is not from 1 to {most}, of which some must say something else.",
            at="part",
            part=part,
            most=len(labels) - 1,
        )
    outcomes = [{"of": list(own), "says": says} for own, says in _outcomes(way, source, labels, part, asked)]
    own_fact = {"fact": fact} if SOURCES[source].of_person and fact else {}
    made: dict[str, Any] = {"way": way, "source": source, **own_fact, **({"lot": True} if lot else {})}
    return made | {"outcomes": outcomes} | _other(way, labels, part, asked, fact)


Meant = list[tuple[Sequence[str], Any]]


def _outcomes(way: str, source: str, labels: Sequence[str], part: int, asked: int) -> Meant:
    first = {"day": 1, "die": len(labels) - part}.get(source, 0)
    rest = labels[part:]
    if way in ("crosswise", "extended", "triangular"):
        return [(labels[first : first + part], "fact"), ((*labels[:first], *labels[first + part :]), "not")]
    if way in ("warner", "unrelated", "coins"):
        return [(labels[:part], "truth"), (rest, {"warner": "opposite", "unrelated": "other"}.get(way, way))]
    if way == "forced":
        each = _share(rest, 2)
        return [(labels[:each], "yes"), (labels[each : each + part], "truth"), (labels[each + part :], "no")]
    if way == "kuk":
        return [(labels[:part], "yes"), (rest, "no")]
    each = _share(rest, 2**asked)
    patterns = [list(one) for one in product((0, 1), repeat=asked)]
    rows = [(rest[place * each : (place + 1) * each], one) for place, one in enumerate(patterns)]
    if way == "table":
        return [(labels[:part], "truth"), *rows]
    return [((*labels[:part], *rows[-1][0]), patterns[-1]), *rows[:-1]]


def _share(rest: Sequence[str], ways: int) -> int:
    """How many of the rest each of so many ways has; refused where they are not alike."""
    each, left = divmod(len(rest), ways)
    if left or not each:
        raise EntryError(
            "{left} outcomes are left for {ways} that must be as likely as each other.",
            at="part",
            left=len(rest),
            ways=ways,
        )
    return each


def _other(way: str, labels: Sequence[str], part: int, asked: int, fact: str | None) -> dict[str, Any]:
    """What is answered instead: a fact for each question, days 2 to 9; or the other pack, with exchanged colours."""
    if way == "kuk":
        return {"other": [{"source": "cards", "of": list(labels[: 10 - part]), "rest": list(labels[10 - part :])}]}
    if way == "unrelated":
        of = list(SOURCES["day"].chances)[1:9]
        return {"other": [{"source": "day", "fact": own, "of": of} for own in birthdays(str(fact), asked)]}
    return {}
