"""A one-sided block ("hard garbling"): a harmless answer is turned into the other one with the chance g, each apart.

The other answer always stays. A record that says "yes" may come from anybody, so nobody has to answer for it; one that
says the harmless "no" is true. With one coin over several items such records would give each other away, as those of
the grouped model do, so every item has a coin of its own. With `ask`, only that many of the items, drawn per
respondent, are asked.

What it promises. Let x be somebody's answers to the s items asked, 0 the ones in which all are harmless, and y the
record. Then P(y|x)/P(y|0) = Π_j P(y_j|x_j)/P(y_j|0), and each factor is 1, 1/g or 0. So, whatever was believed before,

    the odds of any answers against none but harmless ones grow at most by (1/g)^s,

reached where every answer is not harmless and the record shows it. In other blocks each factor is at most the γ of
that block, so that γ and odds multiply. Of one item alone ("did it") the odds grow at most by 1/g for anyone who knows
the other answers, or to whom they tell nothing of this one. γ of the ordinary kind is infinite: a harmless answer in a
record rules the other one out. Who believes that one of two people, or one of two items, must be the one, therefore
learns from a harmless answer to one what the other is; no one-sided kind can promise against that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from privacy.design import by_person, reading, recipes, sentences
from privacy.design.block import BlockKind, Explained, Partly, Words
from privacy.design.blocks.apart import PARTS, ApartBlock
from privacy.design.blocks.coin.design import noise_of
from privacy.design.gammas import Gamma
from privacy.design.items import YES_NO, Item
from privacy.design.notation import (
    Entry,
    Notation,
    check_ask,
    check_numerator,
    read_ask,
    read_bare_item,
    write_ask,
    write_item,
)
from privacy.design.rationals import ONE, numerator
from privacy.design.recipes import Recipe, Values
from privacy.design.sentences import Said, pair_shares
from privacy.errors import EntryError, InputError, to_translate
from privacy.own_draw.person_draw import PersonDraw
from privacy.own_draw.ways import Numbers

TURNED = {"0": (0, ONE), "1": (ONE, 0)}  # what stands in place of a turned answer, by the harmless one


@dataclass(frozen=True)
class OneSidedBlock(ApartBlock):
    """`turned` is the numerator of g; the noise of an item is all on the answer that is not the harmless one."""

    items: tuple[Item, ...]
    turned: int
    ask: int | None = None
    draw: PersonDraw | None = None

    mark: ClassVar[str] = "one-sided"
    symbols: ClassVar[Mapping[str, str]] = {"one-sided": "g"}

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "OneSidedBlock":
        reading.only_keys(entry, ("one-sided", "items", "ask", by_person.BY, by_person.DRAW), where)
        draw, numbers = by_person.read_checked_draw(entry, where, notation)
        if draw:
            entry = by_person.follow(entry, "one-sided", 1 - numbers.keep, where, notation)
        turned = notation.share(entry, "one-sided", where)
        entries = reading.read_filled_list(entry, "items", where)
        items = tuple(_read_item(item, f"{where}.items[{index}]") for index, item in enumerate(entries))
        made = cls(items, turned, read_ask(entry, where), draw)
        if draw:
            by_person.check_odds(entry[by_person.DRAW], made.odds, f"{where}.{by_person.DRAW}")
        return made

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        check_numerator(self.turned, f"{where}.one-sided")
        for index, item in enumerate(self.items):
            if not item.boolean or item.noise not in TURNED.values():
                raise InputError(f"{where}.items[{index}]: {item.id!r} is not a yes/no item with a harmless answer.")
        if self.turned == 0:
            raise EntryError("0 turns no harmless answer, so nothing would be disguised.", at=f"{where}.one-sided")
        if self.turned == ONE and not direct:
            raise EntryError(
                "1 turns every harmless answer, so nothing could be recovered without a direct group.",
                at=f"{where}.one-sided",
            )

    def entry(self, notation: Notation) -> dict[str, Any]:
        items = [write_item(item, notation) | {"harmless": harmless_of(item)} for item in self.items]
        own = by_person.write_draw(self.draw, self.odds, notation)
        return {"one-sided": notation.write(self.turned)} | write_ask(self.ask) | own | {"items": items}

    def with_numbers(self, numbers: Numbers) -> "OneSidedBlock":
        return replace(self, turned=ONE - numerator(numbers.keep), draw=None)

    @property
    def odds(self) -> Gamma:
        return self.item_odds(0) ** self.items_per_person

    def item_odds(self, place: int) -> Gamma:
        if self.draw:
            return self.draw.odds(len(self.items), 1)
        return Fraction(ONE, self.turned)

    def replacements(self, item: Item) -> tuple[int, ...]:
        return tuple(self.turned * share // ONE for share in noise_of(item))


def harmless_of(item: Item) -> str:
    return YES_NO[(item.noise or ()).index(0)]


def _read_item(entry: Any, where: str) -> Item:
    entry = reading.mapping(entry, where)
    item = read_bare_item(entry, where, "harmless")
    if "harmless" not in entry:
        raise EntryError("{key} is missing.", at=where, key="harmless")
    harmless = entry["harmless"]
    if not isinstance(harmless, str) or harmless not in YES_NO:
        raise EntryError(
            "{value} is not 0 or 1: say which answer is the harmless one.",
            at=f"{where}.harmless",
            value=reading.quote(harmless),
        )
    return replace(item, noise=TURNED[harmless])


_NAMES = {  # which answer is not hidden and which is, by the harmless one
    "0": (sentences.NO, sentences.YES),
    "1": (sentences.YES, sentences.NO),
}
_OPEN = to_translate("“{open}” is not hidden here: a stored “{open}” is true.")
_SO = to_translate(
    "Every true “{hidden}” is stored as “{hidden}”. So one stored “{hidden}” alone does not show that you gave it."
)
_TOGETHER = to_translate(
    "Take the questions where one answer is not hidden. Say half of a crowd would give only such answers, and half "
    "would not. Take {of} people in it with the same stored answers. Up to {most} would give a hidden answer at least "
    "once. At least {some} would not."
)
_BELIEVED = to_translate(
    "Harmless answers are not hidden: a stored one is true. If someone is {prior} % sure that a respondent gave a "
    "hidden answer at least once, the disguised answers cannot make them surer than {posterior} %."
)
_NOTE = (
    "Where gamma is infinite and the odds are not, the promise is one-sided: a harmless answer in a record is "
    "true.\n"
    "The odds that somebody gave another answer, against only harmless ones, grow at most by the odds named here, "
    "and\n"
    "the last column says how sure somebody can become who thought it that likely."
)
_ADVICE = to_translate(
    "The odds of what is hidden can grow more than this site’s limit of {limit} times. Disguise more (turn more "
    "harmless answers), or ask fewer questions: the odds are multiplied with each of them."
)


def _explain(blocks: Sequence[OneSidedBlock]) -> Explained:
    """Which answer is not hidden, unless it is never stored, and how often it comes as the other one."""
    said: list[Said] = []
    for harmless, (open_, hidden) in _NAMES.items():
        turned = [block.turned for block in blocks for item in block.items if harmless_of(item) == harmless]
        if turned:
            names = {"open": open_, "hidden": hidden}
            text = (sentences.STORED, {"said": open_, "stored": hidden})
            (becomes,) = pair_shares([text], [(Fraction(share, ONE),) for share in turned])
            said += [Said(_OPEN, names)] if min(turned) < ONE else []
            said += [becomes, *([Said(_SO, names)] if becomes.figures["some"] else ())]
    return [(blocks, said)]


WORDS = Words(_ADVICE, _explain, Partly(_TOGETHER, _BELIEVED, _NOTE))


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    if values.get("turned") is None:
        raise EntryError("a one-sided block needs g, the chance that a harmless answer is turned.", at="turned")
    if len({item["harmless"] for item in items}) > 1:
        raise EntryError("its questions have different harmless answers; use a block for each.")
    return [{"one-sided": values["turned"], "items": list(items), **write_ask(values.get("ask"))}]


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name="one-sided",
        # Respondents read which of "yes" and "no" is not hidden; under other words that would be the wrong one.
        takes=lambda item: item.options is None,
        write_item=lambda values, item: recipes.bare_item(values, item) | {"harmless": item.values["harmless"]},
        write=_block_entries,
    ),
)

KIND = BlockKind(OneSidedBlock, WORDS, recipes=RECIPES, **PARTS)
