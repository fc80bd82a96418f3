"""Blocks that people draw, and people who follow them: they read the JSON of a draw alone and know no formula."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

DAYS = [str(day) for day in range(1, 32)]
DIE = list("123456")
DIGITS = list("0123456789")
Shares = Mapping[str, Mapping[str, Fraction]]


def block(
    way: str, source: str, meanings: Sequence[tuple[Sequence[str], str]], items: str | Sequence[str] = "a", **more: Any
) -> dict[str, Any]:
    """A block as people write it; `more` has further keys of the draw, and `ask`."""
    own = {key: more.pop(key) for key in ("ask",) if key in more}
    outcomes = [{"of": list(labels), "says": says} for labels, says in meanings]
    draw = {"way": way, "source": source, "outcomes": outcomes, **more}
    entries = [{"id": item} | ({"harmless": "0"} if way == "triangular" else {}) for item in items]
    return {"by": "person", "draw": draw, "items": entries} | own


BLOCKS: dict[str, dict[str, Any]] = {
    "crosswise": block("crosswise", "day", [(DAYS[1:9], "fact"), ([*DAYS[:1], *DAYS[9:]], "not")], fact="mother"),
    "crosswise by lot": block("crosswise", "digit", [(DIGITS[:2], "fact"), (DIGITS[2:], "not")], fact="note", lot=True),
    "extended": block("extended", "digit", [(DIGITS[:3], "fact"), (DIGITS[3:], "not")], fact="note", lot=True),
    "warner": block("warner", "die", [(DIE[:5], "truth"), (DIE[5:], "opposite")]),
    "forced": block("forced", "die", [(DIE[:4], "truth"), (DIE[4:5], "yes"), (DIE[5:], "no")]),
    "forced, uneven": block(
        "forced", "digit", [(DIGITS[:7], "truth"), (DIGITS[7:8], "yes"), (DIGITS[8:], "no")], fact="note"
    ),
    "unrelated": block(
        "unrelated",
        "die",
        [(DIE[:3], "truth"), (DIE[3:], "other")],
        other=[{"source": "day", "fact": "friend", "of": DAYS[1:9]}],
    ),
    "unrelated, two": block(
        "unrelated",
        "coin",
        [(["heads"], "truth"), (["tails"], "other")],
        "ab",
        other=[
            {"source": "day", "fact": "friend", "of": DAYS[1:9]},
            {"source": "digit", "fact": "note", "of": DIGITS[:6]},
        ],
    ),
    "triangular": block("triangular", "die", [(DIE[5:], "fact"), (DIE[:5], "not")]),
    "a die each": block(
        "unrelated", "die", [(DIE[:4], "truth"), (DIE[4:], "other")], "abc", other=[{"source": "die", "of": DIE[:3]}]
    ),
    "a digit each, by lot": block(
        "unrelated",
        "digit",
        [(DIGITS[:6], "truth"), (DIGITS[6:], "other")],
        "abcde",
        ask=3,
        fact="note",
        lot=True,
        other=[{"source": "digit", "fact": "note", "of": DIGITS[:5]}],
    ),
}


def press(says: str, way: str, truth: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """What a person presses who follows what the draw says; 1 is yes, exactly one, or at least one."""
    if way in ("crosswise", "extended"):
        fact = says == "fact"
        return tuple(int((one == 1) != fact) for one in truth)
    if way == "triangular":
        return tuple(int(one == 1 or says == "fact") for one in truth)
    if says == "truth":
        return tuple(truth)
    if says == "opposite":
        return tuple(1 - one for one in truth)
    if says == "other":
        return tuple(others[: len(truth)])
    return ({"yes": 1, "no": 0}[says],) * len(truth)


def facts_of(entry: Mapping[str, Any], shares: Shares) -> list[Fraction]:
    """How often the fact of each entry of `other` is true."""
    others = entry["draw"].get("other", ())
    return [sum((shares[other["source"]][label] for label in other["of"]), Fraction(0)) for other in others]


def channel(entry: Mapping[str, Any], shares: Shares, facts: Sequence[Fraction] | None = None) -> dict[Any, Fraction]:
    """P(record | truth) of people who follow, by enumeration; `shares`: the chance of each label of each source.

    `facts` has the chance of each fact that is answered instead; of one die or number alone each question takes a
    further outcome.
    """
    draw, asked = entry["draw"], entry.get("ask", len(entry["items"]))
    chances = facts_of(entry, shares) if facts is None else facts
    if [other["source"] for other in draw.get("other", ())] == [draw["source"]]:
        chances = [*chances] * asked
    followed: dict[Any, Fraction] = defaultdict(Fraction)
    for truth, outcome in product(product((0, 1), repeat=asked), draw["outcomes"]):
        chance = sum((shares[draw["source"]][label] for label in outcome["of"]), Fraction(0))
        for others in product((0, 1), repeat=len(chances)):
            drawn = prod(yes if other else 1 - yes for other, yes in zip(others, chances, strict=True))
            followed[truth, press(outcome["says"], draw["way"], truth, others)] += chance * drawn
    return followed
