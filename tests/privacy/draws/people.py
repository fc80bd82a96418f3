"""Blocks that people draw, and people who follow them: they read the JSON of a draw alone and know no formula."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

DAYS = [str(day) for day in range(1, 32)]
MONTHS = [str(month) for month in range(1, 13)]
DIE = list("123456")
DIGITS = list("0123456789")
DICE = [first + second for first in DIE for second in DIE]

Says = str | list[int]


def block(
    way: str, source: str, meanings: Sequence[tuple[Sequence[str], Says]], items: str | Sequence[str] = "a", **more: Any
) -> dict[str, Any]:
    """A block as people write it; `more` has further keys of the draw, and `ask`."""
    own = {key: more.pop(key) for key in ("ask",) if key in more}
    outcomes = [{"of": list(labels), "says": says} for labels, says in meanings]
    draw = {"way": way, "source": source, "outcomes": outcomes, **more}
    entries = [{"id": item} | ({"harmless": "0"} if way == "triangular" else {}) for item in items]
    return {"by": "person", "draw": draw, "items": entries} | own


def rows(labels: Sequence[str], asked: int, each: int) -> list[tuple[Sequence[str], Says]]:
    """A row of a table for each pattern, in turn, of so many outcomes each."""
    patterns = list(product((0, 1), repeat=asked))
    return [(labels[place * each : (place + 1) * each], list(one)) for place, one in enumerate(patterns)]


BLOCKS: dict[str, dict[str, Any]] = {
    "crosswise": block("crosswise", "day", [(DAYS[1:9], "fact"), ([*DAYS[:1], *DAYS[9:]], "not")], fact="mother"),
    "crosswise by lot": block("crosswise", "digit", [(DIGITS[:2], "fact"), (DIGITS[2:], "not")], fact="note", lot=True),
    "extended": block("extended", "month", [(MONTHS[:3], "fact"), (MONTHS[3:], "not")], fact="mother", lot=True),
    "warner": block("warner", "die", [(DIE[:5], "truth"), (DIE[5:], "opposite")]),
    "forced": block("forced", "die", [(DIE[:4], "truth"), (DIE[4:5], "yes"), (DIE[5:], "no")]),
    "forced, uneven": block("forced", "dice", [(DICE[:27], "truth"), (DICE[27:30], "yes"), (DICE[30:], "no")]),
    "unrelated": block(
        "unrelated",
        "die",
        [(DIE[:3], "truth"), (DIE[3:], "other")],
        other=[{"source": "month", "fact": "friend", "lot": True, "of": MONTHS[:3]}],
    ),
    "unrelated, two": block(
        "unrelated",
        "coin",
        [(["heads"], "truth"), (["tails"], "other")],
        "ab",
        other=[
            {"source": "month", "fact": "friend", "lot": True, "of": MONTHS[:3]},
            {"source": "digit", "fact": "note", "of": DIGITS[:6]},
        ],
    ),
    "triangular": block("triangular", "die", [(DIE[5:], "fact"), (DIE[:5], "not")]),
    "kuk": block(
        "kuk",
        "cards",
        [([f"r{card}" for card in range(8)], "yes"), (["b1", "b2"], "no")],
        other=[{"source": "cards", "of": ["r1", "r2"], "rest": [f"b{card}" for card in range(8)]}],
    ),
    "table": block("table", "digit", [(DIGITS[:6], "truth"), *rows(DIGITS[6:], 2, 1)], "ab", fact="note", lot=True),
    "table by dice": block("table", "dice", [(DICE[:20], "truth"), *rows(DICE[20:], 3, 2)], "abc"),
    "coins": block("coins", "die", [(DIE[:3], "truth"), (DIE[3:], "coins")], "abcd"),
    "coins, sampled": block("coins", "die", [(DIE[:4], "truth"), (DIE[4:], "coins")], "abcde", ask=3),
    "signs": block("signs", "cards", [([f"c{card}" for card in range(7)], [1, 1]), *rows("xyz", 2, 1)[:3]], "ab"),
}


def press(says: Says, way: str, truth: Sequence[int], coins: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """What a person presses who follows what the draw says; 1 is yes, exactly one, at least one, or red."""
    if way == "signs":
        return tuple(one if sign else 1 - one for sign, one in zip(says, truth, strict=True))
    if isinstance(says, list):
        return tuple(says)
    if way in ("crosswise", "extended"):
        fact = says == "fact"
        return tuple(int((one == 1) != fact) for one in truth)
    if way == "triangular":
        return tuple(int(one == 1 or says == "fact") for one in truth)
    if way == "kuk":
        return tuple(int(says == "yes") if one else others[0] for one in truth)
    if says == "truth":
        return tuple(truth)
    if says == "opposite":
        return tuple(1 - one for one in truth)
    if says in ("coins", "other"):
        return tuple((coins if says == "coins" else others)[: len(truth)])
    return ({"yes": 1, "no": 0}[says],) * len(truth)


def channel(entry: Mapping[str, Any], shares: Mapping[str, Mapping[str, Fraction]]) -> dict[Any, Fraction]:
    """P(record | truth) of people who follow, by enumeration; `shares`: the chance of each label of each source."""
    draw, asked = entry["draw"], entry.get("ask", len(entry["items"]))
    others = [list(_other(one, shares)) for one in draw.get("other", ())]
    made: dict[Any, Fraction] = defaultdict(Fraction)
    coins = list(product((0, 1), repeat=asked)) if draw["way"] == "coins" else [()]
    for truth in product((0, 1), repeat=asked):
        for outcome in draw["outcomes"]:
            chance = sum((shares[draw["source"]][label] for label in outcome["of"]), Fraction(0))
            for toss in coins:
                for drawn in product(*others):
                    whole = chance / len(coins)
                    for _, share in drawn:
                        whole *= share
                    record = press(outcome["says"], draw["way"], truth, toss, [one for one, _ in drawn])
                    made[truth, record] += whole
    return made


def _other(entry: Mapping[str, Any], shares: Mapping[str, Mapping[str, Fraction]]) -> Iterator[tuple[int, Fraction]]:
    true = sum((shares[entry["source"]][label] for label in entry["of"]), Fraction(0))
    yield from ((1, true), (0, 1 - true))
