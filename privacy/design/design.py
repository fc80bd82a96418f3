"""A design: all the randomness a browser applies, in blocks, with exact probabilities, read, checked and hashed.

A coin block keeps the true answers of its items with probability `keep`, and otherwise replaces every one of them by
a draw from its `noise`. A flip block turns over a random set of yes/no answers. A grouped block is the 2010
predecessor of the improved model, kept for study because it leaks.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any

from privacy.design import reading
from privacy.design.krawtchouk import eigenvalues
from privacy.design.rationals import ONE, apportion, decimal, decimals, numerator
from privacy.errors import EntryError, InputError

YES_NO = ("0", "1")
NOT_ASKED = 255  # the code of an item that a sampled block did not ask
MOST_OPTIONS = 254


@dataclass(frozen=True)
class Item:
    """One yes/no fact or one choice among options; `noise` holds numerators, and is None in a flip block."""

    id: str
    options: tuple[str, ...] = YES_NO
    noise: tuple[int, ...] | None = None

    @property
    def boolean(self) -> bool:
        return self.options == YES_NO


@dataclass(frozen=True)
class CoinBlock:
    """Items replaced together by one coin; with `ask`, only that many of them, drawn per respondent, are asked.

    `each` gives every asked item a coin of its own. It exists for sampled blocks alone: without `ask` the same channel
    is one block per item, and is written so.
    """

    items: tuple[Item, ...]
    keep: int
    ask: int | None = None
    each: bool = False


@dataclass(frozen=True)
class FlipBlock:
    """Yes/no items of which d, d drawn from `flips`, are turned over, every set of d equally likely."""

    items: tuple[Item, ...]
    flips: tuple[int, ...]
    ask: int | None = None


@dataclass(frozen=True)
class GroupedBlock:
    """The grouped unrelated-question model: the truth with probability `keep`, else all yes (`theta`) or all no.

    A record that mixes yes and no can only be the truth, so γ = ∞. For study; a live survey refuses it.
    """

    items: tuple[Item, ...]
    keep: int
    theta: int


Block = CoinBlock | FlipBlock | GroupedBlock


def asked(block: Block) -> int:
    """How many items of the block one respondent answers."""
    return len(block.items) if isinstance(block, GroupedBlock) else block.ask or len(block.items)


@dataclass(frozen=True)
class Design:
    """The ordered blocks, and whether a respondent may answer directly."""

    blocks: tuple[Block, ...]
    direct: bool

    @classmethod
    def parse(cls, source: str | bytes | Mapping[str, Any]) -> "Design":
        """The design that a JSON text, its bytes or the object read from it describes."""
        from privacy.design.models import expand  # models are built from the blocks of this module

        document = reading.document(source, "the design")
        if "of" in document:
            return _from_canonical(document)
        version = document.get("candor", 1)
        if version != 1 or isinstance(version, bool):
            raise InputError(f"candor: {version!r} is not a version this program reads; the only version is 1.")
        direct = document.get("direct", False)
        if not isinstance(direct, bool):
            raise InputError(f"direct: {direct!r} is not true or false.")
        if "model" in document:
            model = {key: value for key, value in document.items() if key not in ("candor", "direct")}
            blocks = expand(model, "design")
        else:
            reading.only_keys(document, ("candor", "direct", "blocks"), "design")
            blocks = []
            for place, entry in enumerate(reading.filled_list(document, "blocks", "design")):
                where = f"blocks[{place}]"
                entry = reading.mapping(entry, where)
                blocks += expand(entry, where) if "model" in entry else [_block(entry, where, _decimal_shares)]
        return cls(tuple(blocks), direct)

    def __post_init__(self) -> None:
        if not self.blocks:
            raise InputError("blocks: a design needs at least one block.")
        places: dict[str, int] = {}
        for place, block in enumerate(self.blocks):
            _check_block(block, f"blocks[{place}]", self.direct)
            for item in block.items:
                if item.id in places:
                    raise InputError(f"blocks[{place}]: the item {item.id!r} is already in blocks[{places[item.id]}].")
                places[item.id] = place

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items in the order of the columns."""
        return tuple(item for block in self.blocks for item in block.items)

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {item.id: column for column, item in enumerate(self.items)}

    @cached_property
    def _places(self) -> tuple[tuple[int, int], ...]:
        return tuple((b, j) for b, block in enumerate(self.blocks) for j in range(len(block.items)))

    def column(self, item: str) -> int:
        """The column of an item; InputError names the items there are."""
        if item not in self._columns:
            known = ", ".join(self._columns)
            raise InputError(f"There is no item {item!r} in this design; its items are {known}.")
        return self._columns[item]

    def place(self, column: int) -> tuple[int, int]:
        """The block of a column, and the item's place inside the block."""
        return self._places[column]

    @cached_property
    def first_columns(self) -> tuple[int, ...]:
        """The first column of each block."""
        sizes = [len(block.items) for block in self.blocks]
        return tuple(sum(sizes[:b]) for b in range(len(sizes)))

    @property
    def sampled(self) -> bool:
        """Whether some block asks each respondent only some of its items."""
        return any(asked(block) < len(block.items) for block in self.blocks)

    @property
    def leaks(self) -> bool:
        """Whether some block is of the grouped model, whose mixed records must be true."""
        return any(isinstance(block, GroupedBlock) for block in self.blocks)

    def to_json(self) -> dict[str, Any]:
        """The design as people write it: the shortest decimals that are read back as the same design."""
        return {"candor": 1, "direct": self.direct, "blocks": [_friendly(block) for block in self.blocks]}

    @cached_property
    def document(self) -> dict[str, Any]:
        """The exact form: integer numerators over `of`; what is hashed, and what the browser reads."""
        return {"candor": 1, "direct": self.direct, "of": ONE, "blocks": [_exact(block) for block in self.blocks]}

    def canonical(self) -> bytes:
        """The bytes of `document` with sorted keys, no spaces and ASCII alone."""
        return json.dumps(self.document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical()).hexdigest()


Shares = Callable[[Any, str], tuple[int, ...]]


def _from_canonical(document: Mapping[str, Any]) -> Design:
    reading.only_keys(document, ("candor", "direct", "of", "blocks"), "design")
    if document["of"] != ONE or not isinstance(document["of"], int):
        raise InputError(f"of: {document['of']!r} is not the denominator 4294967296 that exact designs have.")
    version = document.get("candor")
    if version != 1 or isinstance(version, bool) or not isinstance(document.get("direct"), bool):
        raise InputError("An exact design needs candor: 1 and direct: true or false.")
    entries = reading.filled_list(document, "blocks", "design")
    blocks = [
        _block(reading.mapping(entry, f"blocks[{place}]"), f"blocks[{place}]", _exact_shares)
        for place, entry in enumerate(entries)
    ]
    return Design(tuple(blocks), document["direct"])


def _block(entry: Mapping[str, Any], where: str, shares: Shares) -> Block:
    """One block in either notation; `shares` reads a list of probabilities as numerators."""
    if "flips" in entry:
        reading.only_keys(entry, ("flips", "items", "ask"), where)
        items = tuple(
            _item(item, f"{where}.items[{place}]", None)
            for place, item in enumerate(reading.filled_list(entry, "items", where))
        )
        return FlipBlock(items, shares(entry["flips"], f"{where}.flips"), _ask(entry, where))
    reading.only_keys(entry, ("keep", "theta", "items", "ask", "coin"), where)
    exact = shares is _exact_shares
    keep = _share(entry, "keep", where, exact)
    entries = reading.filled_list(entry, "items", where)
    if "theta" in entry:  # only the exact form of a grouped block names theta for the whole block
        reading.only_keys(entry, ("keep", "theta", "items"), where)
        items = tuple(_item(item, f"{where}.items[{place}]", None) for place, item in enumerate(entries))
        return GroupedBlock(items, keep, _share(entry, "theta", where, exact))
    items = tuple(_item(item, f"{where}.items[{place}]", shares) for place, item in enumerate(entries))
    coin = entry.get("coin", "shared")
    if coin not in ("shared", "each"):
        raise InputError(f"{where}.coin: {coin!r} is neither 'shared' nor 'each'.")
    return CoinBlock(items, keep, _ask(entry, where), coin == "each")


def _item(entry: Any, where: str, shares: Shares | None) -> Item:
    """One item; without `shares` it carries no noise of its own (flip and grouped blocks)."""
    entry = reading.mapping(entry, where)
    if shares is None:
        reading.only_keys(entry, ("id", "options"), where)
        options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
        return Item(reading.text(entry, "id", where), options)
    reading.only_keys(entry, ("id", "theta", "options", "noise"), where)
    if "theta" in entry and shares is not _exact_shares:
        if "options" in entry or "noise" in entry:
            raise InputError(
                f"{where}: theta stands for the options 0 and 1 and their noise, so give one or the other."
            )
        yes = numerator(reading.share(entry, "theta", where))
        return Item(reading.text(entry, "id", where), YES_NO, (ONE - yes, yes))
    for key in ("options", "noise"):
        if key not in entry:
            raise InputError(f"{where}: {key} is missing (an item has theta, or options and noise).")
    return Item(
        reading.text(entry, "id", where),
        reading.labels(entry["options"], f"{where}.options"),
        shares(entry["noise"], f"{where}.noise"),
    )


def _share(entry: Mapping[str, Any], key: str, where: str, exact: bool) -> int:
    if not exact:
        return numerator(reading.share(entry, key, where))
    value = entry.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= ONE:
        raise InputError(f"{where}.{key}: {value!r} is not an integer from 0 to 4294967296.")
    return value


def _decimal_shares(values: Any, where: str) -> tuple[int, ...]:
    shares = [
        reading.share({"": value}, "", f"{where}[{place}]") for place, value in enumerate(reading.items(values, where))
    ]
    if abs(sum(shares, Fraction(0)) - 1) > Fraction(1, 10**9):
        raise EntryError(
            "the shares {shares} sum to {total:.10g}, not to 1.",
            at=where,
            shares=reading.shown(values),
            total=float(sum(shares, Fraction(0))),
        )
    return apportion(shares)


def _exact_shares(values: Any, where: str) -> tuple[int, ...]:
    numerators = tuple(
        _share({"": value}, "", f"{where}[{place}]", True) for place, value in enumerate(reading.items(values, where))
    )
    if sum(numerators) != ONE:
        raise InputError(f"{where}: the numerators sum to {sum(numerators)}, not to 4294967296.")
    return numerators


def _ask(entry: Mapping[str, Any], where: str) -> int | None:
    if "ask" not in entry:
        return None
    return reading.whole_number(entry, "ask", where)


def _check_block(block: Block, where: str, direct: bool) -> None:
    """What every block must keep, however it was made."""
    if not block.items:
        raise InputError(f"{where}.items: a block needs at least one item.")
    for place, item in enumerate(block.items):
        check_item(item, f"{where}.items[{place}]")
    if isinstance(block, GroupedBlock):
        _check_numerator(block.keep, f"{where}.keep")
        _check_numerator(block.theta, f"{where}.theta")
    else:
        _check_asked(block, where)
    if isinstance(block, FlipBlock):
        _check_flips(block, where, direct)
        return
    if isinstance(block, CoinBlock):
        _check_numerator(block.keep, f"{where}.keep")
        for place, item in enumerate(block.items):
            _check_noise(item, f"{where}.items[{place}].noise")
    elif not all(item.boolean and item.noise is None for item in block.items):
        raise InputError(f"{where}.items: the grouped model has yes/no items without noise of their own.")
    if block.keep == 0 and not direct:
        raise EntryError("0 keeps no answer, so without a direct group nothing could be recovered.", at=f"{where}.keep")


def _check_asked(block: CoinBlock | FlipBlock, where: str) -> None:
    if block.ask is not None and not 1 <= block.ask <= len(block.items):
        raise EntryError(
            "{ask} is not from 1 to the {size} items of the block.",
            at=f"{where}.ask",
            ask=block.ask,
            size=len(block.items),
        )
    if isinstance(block, CoinBlock) and block.each and block.ask is None:
        raise InputError(f"{where}.coin: 'each' needs ask; without it, give every item a block of its own.")


def _check_flips(block: FlipBlock, where: str, direct: bool) -> None:
    for place, item in enumerate(block.items):
        if not item.boolean or item.noise is not None:
            raise InputError(f"{where}.items[{place}]: {item.id!r} is not a yes/no item without noise, as flips need.")
    size = asked(block)
    if len(block.flips) != size + 1 or min(block.flips) < 0 or sum(block.flips) != ONE:
        raise EntryError(
            "{count} shares do not say how likely 0 to {size} of {size} answers are turned over; "
            "give {needed} shares that sum to 1.",
            at=f"{where}.flips",
            count=len(block.flips),
            size=size,
            needed=size + 1,
        )
    if not direct and not any(eigenvalues(block.flips)[1:]):
        raise EntryError("this table leaves nothing of any answer, so nothing could be recovered.", at=f"{where}.flips")


def check_item(item: Item, where: str) -> None:
    name = item.id
    if not name or name != name.strip() or name[0] == "!" or any(c in ",=" or not c.isprintable() for c in name):
        raise EntryError(
            "{name!r} is empty, begins with '!', or holds ',', '=', edge spaces or controls.",
            at=f"{where}.id",
            name=name,
        )
    if name == "direct":
        raise EntryError(
            "'direct' is the column that tells the direct group apart; choose another name.", at=f"{where}.id"
        )
    if not 2 <= len(item.options) <= MOST_OPTIONS:
        raise EntryError(
            "the number of options, {count}, is outside 2 to {most}; an item with one option would tell nothing.",
            at=f"{where}.options",
            count=len(item.options),
            most=MOST_OPTIONS,
        )
    if len(set(item.options)) < len(item.options):
        doubled = next(label for label in item.options if item.options.count(label) > 1)
        raise EntryError("the option {doubled!r} stands twice.", at=f"{where}.options", doubled=doubled)


def _check_noise(item: Item, where: str) -> None:
    if item.noise is None or len(item.noise) != len(item.options):
        count = 0 if item.noise is None else len(item.noise)
        raise InputError(f"{where}: {count} shares do not fit the {len(item.options)} options of {item.id!r}.")
    if min(item.noise) < 0 or sum(item.noise) != ONE:
        raise InputError(f"{where}: the shares of {item.id!r} do not sum to 1.")


def _check_numerator(value: int, where: str) -> None:
    if not 0 <= value <= ONE:
        raise InputError(f"{where}: {value / ONE:.10g} is outside 0 to 1.")


def _friendly(block: Block) -> dict[str, Any]:
    if isinstance(block, GroupedBlock):
        model: dict[str, Any] = {"model": "grouped", "p": decimal(block.keep), "theta": decimal(block.theta)}
        return model | {"items": [item.id for item in block.items]}
    shape: dict[str, Any] = {} if block.ask is None else {"ask": block.ask}
    if isinstance(block, FlipBlock):
        return {"flips": decimals(block.flips)} | shape | {"items": [{"id": item.id} for item in block.items]}
    if block.each:
        shape["coin"] = "each"
    return {"keep": decimal(block.keep)} | shape | {"items": [_friendly_item(item) for item in block.items]}


def _friendly_item(item: Item) -> dict[str, Any]:
    assert item.noise is not None  # coin blocks are checked to have noise
    if item.boolean:
        return {"id": item.id, "theta": decimal(item.noise[1])}
    return {"id": item.id, "options": list(item.options), "noise": decimals(item.noise)}


def _exact(block: Block) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    for item in block.items:
        entry: dict[str, Any] = {"id": item.id, "options": list(item.options)}
        items.append(entry if item.noise is None else entry | {"noise": list(item.noise)})
    if isinstance(block, GroupedBlock):
        return {"keep": block.keep, "theta": block.theta, "items": items}
    shape: dict[str, Any] = {} if block.ask is None else {"ask": block.ask}
    if isinstance(block, FlipBlock):
        return {"flips": list(block.flips), "items": items} | shape
    if block.each:
        shape["coin"] = "each"
    return {"keep": block.keep, "items": items} | shape


__all__ = [
    "NOT_ASKED",
    "ONE",
    "Block",
    "CoinBlock",
    "Design",
    "FlipBlock",
    "GroupedBlock",
    "Item",
    "asked",
]
