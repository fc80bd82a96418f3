"""A design: all the randomness a browser applies, in blocks, with exact probabilities, read, checked and hashed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from privacy.design import blocks as kinds
from privacy.design import reading
from privacy.design.block import ARM, Block
from privacy.design.fields import Field, code_type
from privacy.design.gammas import Gamma, product
from privacy.design.items import Item, check_item
from privacy.design.models import expand
from privacy.design.notation import DECIMAL, EXACT
from privacy.design.rationals import ONE
from privacy.design.reading import shown
from privacy.errors import InputError

__all__ = ["Design"]


@dataclass(frozen=True)
class Design:
    """The ordered blocks, and whether a respondent may answer directly."""

    blocks: tuple[Block, ...]
    direct: bool

    @classmethod
    def parse(cls, source: str | bytes | Mapping[str, Any]) -> "Design":
        """The design that a JSON text, its bytes or the object read from it describes."""
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
                blocks += expand(entry, where) if "model" in entry else [kinds.read(entry, where, DECIMAL)]
        return cls(tuple(blocks), direct)

    def __post_init__(self) -> None:
        if not self.blocks:
            raise InputError("blocks: a design needs at least one block.")
        places: dict[str, int] = {}
        for place, block in enumerate(self.blocks):
            where = f"blocks[{place}]"
            if not block.items:
                raise InputError(f"{where}.items: a block needs at least one item.")
            for number, item in enumerate(block.items):
                check_item(item, f"{where}.items[{number}]")
            block.check(where, self.direct)
            for item in block.items:
                if item.id in places:
                    raise InputError(f"blocks[{place}]: the item {item.id!r} is already in blocks[{places[item.id]}].")
                places[item.id] = place
        if sum(block.arms is not None for block in self.blocks) > 1:
            raise InputError("blocks: only one block of a design can be in two arms.")
        if ARM in places and self.arms:
            raise InputError(f"blocks[{places[ARM]}]: the item {ARM!r} has the name of the column of arms.")

    @cached_property
    def arms(self) -> "tuple[Design, Design] | None":
        """The weaker and the stronger of two arms, of which each device draws one; None where there is one disguise."""
        if not any(block.arms for block in self.blocks):
            return None
        weaker, stronger = (
            Design(tuple(block.arms[arm] if block.arms else block for block in self.blocks), self.direct)
            for arm in (0, 1)
        )
        return weaker, stronger

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items in the order of the columns."""
        return tuple(item for block in self.blocks for item in block.items)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What the columns of its records hold."""
        return tuple(item.field(block.asked < len(block.items)) for block in self.blocks for item in block.items)

    @cached_property
    def answer_fields(self) -> tuple[Field, ...]:
        """What the columns of a table of true answers hold."""
        return tuple(item.answer_field(field.optional) for field, item in zip(self.fields, self.items, strict=True))

    @cached_property
    def code_type(self) -> np.dtype[np.unsignedinteger[Any]]:
        """The type of the codes in its records."""
        return code_type(self.fields)

    @cached_property
    def not_asked(self) -> int:
        """The code of an item that a sampled block did not ask: the greatest number of the type."""
        return int(np.iinfo(self.code_type).max)

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {item.id: column for column, item in enumerate(self.items)}

    @cached_property
    def _places(self) -> tuple[tuple[int, int], ...]:
        return tuple((b, j) for b, block in enumerate(self.blocks) for j in range(len(block.items)))

    def column(self, item: str) -> int:
        """The column of an item; InputError names the items there are."""
        if not isinstance(item, str) or item not in self._columns:
            known = ", ".join(self._columns)
            raise InputError(f"There is no item {shown(item)} in this design; its items are {known}.")
        return self._columns[item]

    def place(self, column: int) -> tuple[int, int]:
        """The block of a column, and the item's place inside the block."""
        try:
            return self._places[column]
        except (IndexError, TypeError):
            raise InputError(f"column: {shown(column)} is not from 0 to {len(self._places) - 1}.") from None

    @cached_property
    def first_columns(self) -> tuple[int, ...]:
        """The first column of each block."""
        sizes = [len(block.items) for block in self.blocks]
        return tuple(sum(sizes[:b]) for b in range(len(sizes)))

    @property
    def sampled(self) -> bool:
        """Whether some block asks each respondent only some of its items."""
        return any(block.asked < len(block.items) for block in self.blocks)

    @cached_property
    def ordered(self) -> bool:
        """Whether answers of some block stand in a public order, and count by their places."""
        return any(block.ordered is not None for block in self.blocks)

    @property
    def leaks(self) -> bool:
        """Whether some block reveals answers that it should protect, so that the design is for study alone."""
        return any(block.leaks for block in self.blocks)

    @cached_property
    def gamma(self) -> Gamma:
        """γ of the whole record: blocks use randomness of their own, so it is the product over them, and tight."""
        return product(block.gamma for block in self.blocks)

    @cached_property
    def odds(self) -> Gamma:
        """γ where every answer is protected, else by how much the odds of a protected fact can grow at most."""
        return product(block.odds for block in self.blocks)

    def to_json(self) -> dict[str, Any]:
        """The design as people write it: the shortest decimals that are read back as the same design."""
        return {"candor": 1, "direct": self.direct, "blocks": [block.friendly_entry() for block in self.blocks]}

    @cached_property
    def document(self) -> dict[str, Any]:
        """The exact form, integer numerators over `of`: it is hashed, and the browser reads it."""
        return {"candor": 1, "direct": self.direct, "of": ONE, "blocks": [block.exact_entry() for block in self.blocks]}

    def canonical(self) -> bytes:
        """The bytes of `document` with sorted keys, no spaces and ASCII alone."""
        return json.dumps(self.document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical()).hexdigest()


def _from_canonical(document: Mapping[str, Any]) -> Design:
    reading.only_keys(document, ("candor", "direct", "of", "blocks"), "design")
    if document["of"] != ONE or not isinstance(document["of"], int):
        raise InputError(f"of: {document['of']!r} is not the denominator 4294967296 that exact designs have.")
    version = document.get("candor")
    if version != 1 or isinstance(version, bool) or not isinstance(document.get("direct"), bool):
        raise InputError("An exact design needs candor: 1 and direct: true or false.")
    entries = reading.filled_list(document, "blocks", "design")
    blocks = [
        kinds.read(reading.mapping(entry, f"blocks[{place}]"), f"blocks[{place}]", EXACT)
        for place, entry in enumerate(entries)
    ]
    return Design(tuple(blocks), document["direct"])
