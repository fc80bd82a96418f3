"""The keys `by` and `draw` of a block that people draw themselves: read, checked against the block's numbers, written.

    {"by": "person", "draw": {"way": "crosswise", "source": "die",
     "outcomes": [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]},
     "items": [{"id": "drugs"}]}

The draw is enough: `keep` and noise, or `one-sided`, follow from it. The exact notation has both, and they must agree.
"""

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, isinf
from typing import Any

from privacy.design import reading
from privacy.design.block import Block, Explained
from privacy.design.gammas import Gamma
from privacy.design.notation import Entry, Notation, read_ask
from privacy.design.rationals import ONE, numerator
from privacy.design.sentences import NO, YES, Said, pair_shares
from privacy.errors import EntryError, InputError, InputWarning, to_translate
from privacy.own_draw.person_draw import MAY_TURN, Drawn, DrawOutcome, PersonDraw, Words, way_of, words_of_fact
from privacy.own_draw.sources import SOURCES
from privacy.own_draw.ways import WAYS, Numbers

BY, DRAW = "by", "draw"
_FACT = ("source", "fact", "delta")
_MOST_ODDS = 2**20


def mark_of(entry: Entry) -> str | None:
    """The mark of the kind of block that a way of drawing makes, where an entry has a draw that names one.

    >>> mark_of({"by": "person", "draw": {"way": "triangular"}}), mark_of({"keep": 0.5})
    ('one-sided', None)
    """
    draw = entry.get(DRAW)
    way = draw.get("way") if isinstance(draw, Mapping) else None
    return WAYS[way].mark if isinstance(way, str) and way in WAYS else None


def read_checked_draw(entry: Entry, where: str, notation: Notation) -> tuple[PersonDraw | None, Numbers]:
    """The draw of a block with the channel that follows from it; None where the device draws.

    A draw that chances within its δ may turn round is refused; in the exact form, which is published, it warns.

    >>> from privacy.design.notation import DECIMAL
    >>> outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    >>> draw = {"way": "crosswise", "source": "die", "outcomes": outcomes}
    >>> read_checked_draw({"by": "person", "draw": draw, "items": [{"id": "drugs"}]}, "blocks[0]", DECIMAL)[1].keep
    Fraction(2, 3)
    """
    draw = read_draw(entry, where)
    if draw is None:
        return None, Numbers(Fraction(0), ())
    items = len(reading.read_filled_list(entry, "items", where))
    asked = read_ask(entry, where) or items
    draw.check(items, asked, f"{where}.{DRAW}")
    numbers = draw.numbers(items)
    if draw.may_turn(items):
        refusal = EntryError(MAY_TURN, at=f"{where}.{DRAW}.delta", keep=f"{float(numbers.keep):.2g}")
        if not notation.exact:
            raise refusal
        warnings.warn(str(refusal), InputWarning, stacklevel=2)
    return draw, numbers


def follow(entry: Entry, key: str, share: Fraction, where: str, notation: Notation) -> Entry:
    """The entry with the share that follows from its draw under the key; refused where it has another one.

    >>> from privacy.design.notation import DECIMAL
    >>> follow({"keep": 0.5}, "keep", Fraction(2, 3), "blocks[0]", DECIMAL)
    Traceback (most recent call last):
    privacy.errors.InputError: blocks[0].keep: 0.5 is not 2/3, which follows from the draw; leave it out.
    """
    if (key in entry or notation.exact) and notation.share(entry, key, where) != numerator(share):
        given = reading.quote(entry[key])
        raise InputError(f"{where}.{key}: {given} is not {share}, which follows from the draw; leave it out.")
    return entry if notation.exact else {**entry, key: share}


def read_draw(entry: Entry, where: str) -> PersonDraw | None:
    """The draw of a block; None where the device draws.

    >>> read_draw({"keep": 0.5}, "blocks[0]")
    """
    if BY not in entry and DRAW not in entry:
        return None
    if entry.get(BY) != "person":
        raise InputError(
            f"{where}.by: {reading.quote(entry.get(BY))} is not 'person'; leave it out where devices draw."
        )
    inner = f"{where}.{DRAW}"
    own = reading.mapping(entry.get(DRAW), inner)
    reading.only_keys(own, ("way", *_FACT, "lot", "outcomes", "other", "odds"), inner)
    way = way_of(own.get("way"), inner)
    listed = enumerate(reading.read_filled_list(own, "outcomes", inner))
    outcomes = tuple(_read_outcome(one, f"{inner}.outcomes[{place}]") for place, one in listed)
    facts = enumerate(reading.items(own.get("other", []), f"{inner}.other"))
    others = tuple(_read_other(one, f"{inner}.other[{place}]") for place, one in facts)
    return PersonDraw(way, _read_drawn(own, outcomes, inner), others)


def write_draw(draw: PersonDraw | None, odds: Gamma, notation: Notation) -> dict[str, Any]:
    """The keys that `read_draw` reads; the exact notation has the odds, too, rounded up to a numerator over 2^32.

    >>> from privacy.design.notation import DECIMAL
    >>> write_draw(None, Fraction(3), DECIMAL)
    {}
    """
    if draw is None:
        return {}
    outcomes = [{"of": list(outcome.labels), "says": outcome.says} for outcome in draw.drawn.outcomes]
    made = {"way": draw.way.name} | _write_drawn(draw.drawn) | {"outcomes": outcomes}
    if draw.others:
        made["other"] = [_write_drawn(one) | {"of": list(one.outcomes[0].labels)} for one in draw.others]
    if notation.exact:
        made["odds"] = ceil(odds * ONE)
    return {BY: "person", DRAW: made}


def check_odds(draw: Mapping[str, Any], odds: Gamma, where: str) -> None:
    """Refuse odds that are too large to write, and those of an exact design that are not those of its draw.

    >>> check_odds({"odds": 4294967296}, Fraction(1), "blocks[0].draw")
    """
    if isinf(odds) or odds > _MOST_ODDS:
        raise InputError(f"{where}: a record would give answers away; its odds are above {_MOST_ODDS}.")
    if "odds" in draw and draw["odds"] != ceil(odds * ONE):
        raise InputError(f"{where}.odds: {reading.quote(draw['odds'])} is not {ceil(odds * ONE)}, which the draw has.")


def _write_drawn(drawn: Drawn) -> dict[str, Any]:
    fact: Words | dict[str, str] | None = dict(drawn.fact) if isinstance(drawn.fact, tuple) else drawn.fact
    return (
        {"source": drawn.source}
        | ({} if fact is None else {"fact": fact})
        | {"delta": [drawn.delta.numerator, drawn.delta.denominator]}
        | ({"lot": True} if drawn.lot else {})
    )


def _read_outcome(value: Any, where: str) -> DrawOutcome:
    own = reading.mapping(value, where)
    reading.only_keys(own, ("of", "says"), where)
    says = own.get("says")
    if not isinstance(says, str) or not says:
        raise InputError(f"{where}.says: {reading.quote(says)} is no word.")
    return DrawOutcome(_read_labels(own, where), says)


def _read_labels(own: Mapping[str, Any], where: str) -> tuple[str, ...]:
    labels = reading.read_filled_list(own, "of", where)
    return reading.labels(labels, f"{where}.of")


def _read_drawn(own: Mapping[str, Any], outcomes: tuple[DrawOutcome, ...], where: str) -> Drawn:
    name = own.get("source")
    if not isinstance(name, str) or name not in SOURCES:
        raise InputError(f"{where}.source: {reading.quote(name)} is unknown; the sources are {', '.join(SOURCES)}.")
    lot = own.get("lot", False)
    if not isinstance(lot, bool):
        raise InputError(f"{where}.lot: {reading.quote(lot)} is neither true nor false.")
    delta = _read_delta(own, SOURCES[name].delta, where)
    return Drawn(name, outcomes, delta, lot, words_of_fact(own.get("fact"), where))


def _read_other(value: Any, where: str) -> Drawn:
    """A fact that is answered instead: the labels for which it is true, and all others."""
    own = reading.mapping(value, where)
    reading.only_keys(own, (*_FACT, "of"), where)
    true = _read_labels(own, where)
    source = SOURCES.get(str(own.get("source")))
    rest = tuple(label for label in source.chances if label not in true) if source else ()
    return _read_drawn(own, (DrawOutcome(true, "yes"), DrawOutcome(rest, "no")), where)


def _read_delta(own: Mapping[str, Any], usual: Fraction, where: str) -> Fraction:
    """δ as an exact fraction: a pair of whole numbers, or a decimal."""
    if "delta" not in own:
        return usual
    value = own["delta"]
    if isinstance(value, list | tuple):
        if len(value) != 2 or not all(type(one) is int and one >= 0 for one in value) or not value[1]:
            raise InputError(f"{where}.delta: {reading.quote(value)} is no fraction of two whole numbers.")
        return Fraction(*value)
    return reading.number(own, "delta", where)


_HOW = Said(
    to_translate("You draw the chance yourself: with a birthday, a die or the like. What you press is sent as it is."),
    {},
)
_PRESSED = to_translate("Of {of} people who would say “{said}”, about {some} press {button}.")
_ONE, _OTHER = to_translate("one button"), to_translate("the other button")


def explain_presses(blocks: Sequence[Block]) -> Explained:
    """Say how often the draw makes people with one answer press what most press with the other.

    >>> from privacy.design import Design
    >>> outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    >>> draw = {"way": "crosswise", "source": "die", "outcomes": outcomes}
    >>> design = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "drugs"}]}]})
    >>> print(explain_presses(design.blocks)[0][1][1])
    Of 100 people who would say “No”, about 16 press one button.
    """
    said = [_HOW]
    for code, (answer, button) in enumerate(((NO, _ONE), (YES, _OTHER))):
        if shares := [share for block in blocks for share in share_of_others(block, code)]:
            said += pair_shares([(_PRESSED, {"said": answer, "button": button})], [(share,) for share in shares])
    return [(blocks, said)]


def share_of_others(block: Any, code: int) -> list[Fraction]:
    """The chance that somebody with this answer presses as the others do, for each item whose answer is hidden."""
    assert block.draw is not None
    delta = block.draw.drawn.delta
    if block.odds != block.gamma:
        return [] if code else [max(Fraction(block.turned, ONE) - delta, Fraction(0)) for _item in block.items]
    away = Fraction(ONE - block.keep, ONE)
    return [max(away * Fraction(item.noise[1 - code], ONE) - delta, Fraction(0)) for item in block.items]
