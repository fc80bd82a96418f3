"""A design: all the randomness a browser applies, in blocks, with exact probabilities, read, checked and hashed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from privacy.design import arguments, blocks as kinds, reading
from privacy.design.block import Block
from privacy.design.fields import Field, code_type
from privacy.design.gammas import Gamma, product, round_up
from privacy.design.items import Item, check_item
from privacy.design.model_blocks import expand
from privacy.design.notation import DECIMAL, EXACT
from privacy.design.rationals import ONE
from privacy.design.reading import kind, quote
from privacy.errors import InputError
from privacy.files import check_ending, read_text, whole_file
from privacy.output import as_json, count_of
from privacy.own_draw.person_draw import check_facts
from privacy.own_draw.typed import EntryErrors
from privacy.result import DataFrame, Result, TextColumns, data_frame


@dataclass(frozen=True, repr=False)
class Design(Result):
    """What happens to answers before they are stored: blocks of items, each with its coins or flips.

    Make one by `candor.models`, from a file by `candor.read_design`, or from its JSON by `Design.parse`. Two designs
    are joined by `+`.

    Examples
    --------
    >>> import candor
    >>> design = candor.Design.parse(
    ...     {"blocks": [{"keep": 0.3, "items": [
    ...         {"id": "drugs", "theta": 0.6},
    ...         {"id": "age", "options": ["18-29", "30-49", "50+"], "noise": [0.4, 0.4, 0.2]}]}]})
    >>> design
    2 items; gamma 6.35715; nobody may answer directly
    block  draws     items
    1      keep 0.3  drugs (theta 0.6), age (options 18-29 30-49 50+; noise 0.4 0.4 0.2)
    """

    blocks: tuple[Block, ...]
    direct: bool

    @classmethod
    def parse(cls, source: str | bytes | Mapping[str, Any]) -> "Design":
        """Return the design that a JSON text, its bytes or the object read from it describes.

        Parameters
        ----------
        source : str, bytes or mapping
            A design as docs/analysts.md describes it, or its exact form.

        Raises
        ------
        InputError
            Where the text is no design; the sentence names the place.
        """
        document = reading.document(source, "the design")
        if "of" in document:
            return _from_canonical(document)
        version = document.get("candor", 1)
        if version != 1 or isinstance(version, bool):
            raise InputError(f"candor: {version!r} is not a version that this program reads; it reads 1.")
        direct = arguments.flag(document.get("direct", False), "direct")
        if "model" in document:
            model = {key: value for key, value in document.items() if key not in ("candor", "direct")}
            blocks = expand(model, "design")
        else:
            reading.only_keys(document, ("candor", "direct", "blocks"), "design")
            blocks = []
            for index, entry in enumerate(reading.read_filled_list(document, "blocks", "design")):
                where = f"blocks[{index}]"
                entry = reading.mapping(entry, where)
                blocks += expand(entry, where) if "model" in entry else [kinds.read(entry, where, DECIMAL)]
        return cls(tuple(blocks), direct)

    def __post_init__(self) -> None:
        if not self.blocks:
            raise InputError("blocks: a design needs at least one block.")
        places: dict[str, int] = {}
        for index, block in enumerate(self.blocks):
            where = f"blocks[{index}]"
            if not block.items:
                raise InputError(f"{where}.items: a block needs at least one item.")
            for number, item in enumerate(block.items):
                check_item(item, f"{where}.items[{number}]")
            block.check(where, self.direct)
            for item in block.items:
                if item.id in places:
                    raise InputError(f"blocks[{index}]: the item {item.id!r} is already in blocks[{places[item.id]}].")
                places[item.id] = index
        check_facts(
            [block.draw for block in self.blocks], [f"blocks[{index}].draw" for index in range(len(self.blocks))]
        )

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items in the order of the columns."""
        return tuple(item for block in self.blocks for item in block.items)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the columns of its records."""
        return tuple(
            item.field(block.items_per_person < len(block.items)) for block in self.blocks for item in block.items
        )

    @cached_property
    def answer_fields(self) -> tuple[Field, ...]:
        """The fields of the columns of a table of true answers."""
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
    def _columns_by_item(self) -> dict[str, int]:
        return {item.id: column for column, item in enumerate(self.items)}

    @cached_property
    def _places_by_column(self) -> tuple[tuple[int, int], ...]:
        return tuple((b, j) for b, block in enumerate(self.blocks) for j in range(len(block.items)))

    def column(self, item: str) -> int:
        """The column of an item; InputError names the items there are."""
        if not isinstance(item, str) or item not in self._columns_by_item:
            known = ", ".join(self._columns_by_item)
            raise InputError(f"There is no item {quote(item)} in this design; its items are {known}.")
        return self._columns_by_item[item]

    def place(self, column: int) -> tuple[int, int]:
        """The block of a column, and the item's place inside the block."""
        try:
            return self._places_by_column[column]
        except (IndexError, TypeError):
            raise InputError(f"column: {quote(column)} is not from 0 to {len(self._places_by_column) - 1}.") from None

    @cached_property
    def first_columns(self) -> tuple[int, ...]:
        """The first column of each block."""
        sizes = [len(block.items) for block in self.blocks]
        return tuple(sum(sizes[:b]) for b in range(len(sizes)))

    @property
    def sampled(self) -> bool:
        """Whether some block asks each respondent only some of its items."""
        return any(block.items_per_person < len(block.items) for block in self.blocks)

    @cached_property
    def by_record(self) -> bool:
        """Whether estimates of some block use whole records, not only whether these match the literals of a pattern."""
        return any(block.patterns.by_record is not None for block in self.blocks)

    @cached_property
    def has_words(self) -> bool:
        """Whether devices send a word of a list, of some block."""
        return any(block.patterns.word_list is not None for block in self.blocks if block.distribution is None)

    @property
    def entry_errors(self) -> EntryErrors | None:
        """How its records were typed from paper; None where none was."""
        return next((block.entry_errors for block in self.blocks if block.entry_errors), None)

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
        return {"candor": 1, "direct": self.direct, "blocks": [block.entry(DECIMAL) for block in self.blocks]}

    def __add__(self, other: "Design") -> "Design":
        """Return the design that has the blocks of both; respondents may answer directly where both allow it."""
        require_design(other, "+")
        return Design((*self.blocks, *other.blocks), self.direct and other.direct)

    def with_errors(self, errors: EntryErrors) -> "Design":
        """The design of records of which some were typed from paper: each draw by people with the errors of entry."""
        return Design(tuple(kinds.type_in(block, errors) for block in self.blocks), self.direct)

    def guarantee(self, *_given: Any, **_named: Any) -> NoReturn:
        """Say where the promise of a design is now."""
        raise InputError(
            "design.guarantee() is candor.guarantee(design) now, with the same arguments after the design."
        )

    def write(self, path: str | Path) -> None:
        """Write the design to a JSON file, which appears only when it is complete.

        Parameters
        ----------
        path : str or Path
            The file; `candor.read_design` reads it.

        Examples
        --------
        >>> import candor, tempfile
        >>> design = candor.models.warner(["drugs"], theta=0.7)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     design.write(f"{folder}/design.json")
        ...     candor.read_design(f"{folder}/design.json") == design
        True
        """
        target = arguments.path(path)
        check_ending(target, ".json")
        with whole_file(target) as file:
            file.write(as_json(self.to_json()).encode() + b"\n")

    def to_frame(self) -> DataFrame:
        """Return a row per item: its block, counted from 1, its name and its options."""
        rows = [
            (index, item.id, item.options) for index, block in enumerate(self.blocks, start=1) for item in block.items
        ]
        return data_frame(rows, columns=["block", "item", "options"])

    def contents(self) -> Iterator[str | TextColumns]:
        count = len(self.items)
        who = "respondents may answer directly" if self.direct else "nobody may answer directly"
        yield f"{count_of(count, 'item')}; gamma {float(round_up(self.gamma, 6)):g}; {who}"
        entries = [block.describe() if block.draw else block.entry(DECIMAL) for block in self.blocks]
        rows = [
            [str(index), _fields_in_words(entry, ", "), ", ".join(map(_item_in_words, entry["items"]))]
            for index, entry in enumerate(entries, start=1)
        ]
        yield TextColumns(["block", "draws", "items"], rows)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The exact form, integer numerators over `of`: it is hashed, and the browser reads it."""
        return {"candor": 1, "direct": self.direct, "of": ONE, "blocks": [block.entry(EXACT) for block in self.blocks]}

    def canonical(self) -> bytes:
        """The bytes of `document` with sorted keys, no spaces and ASCII alone."""
        return json.dumps(self.document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical()).hexdigest()


def require_design(value: Any, name: str = "design") -> Design:
    """Return the design; refuse any other type, naming the argument.

    >>> require_design(None)
    Traceback (most recent call last):
    privacy.errors.InputError: design: nothing is not a design; candor.models and candor.read_design make one.
    """
    if isinstance(value, Design):
        return value
    raise InputError(f"{name}: {kind(value)} is not a design; candor.models and candor.read_design make one.")


def read_design(path: str | Path) -> Design:
    """Read a design from a JSON file.

    Parameters
    ----------
    path : str or Path
        The file.

    Raises
    ------
    InputError
        Where there is no such file or its content is no design; the sentence names the file and the place.

    Examples
    --------
    >>> import candor, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write('{"blocks": [{"keep": 0.4, "items": [{"id": "drugs", "theta": 0.5}]}]}')
    ...     file.flush()
    ...     candor.read_design(file.name)
    1 item; gamma 2.33334; nobody may answer directly
    block  draws     items
    1      keep 0.4  drugs (theta 0.5)
    """
    path = arguments.path(path)
    content = read_text(path)
    try:
        return Design.parse(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _from_canonical(document: Mapping[str, Any]) -> Design:
    reading.only_keys(document, ("candor", "direct", "of", "blocks"), "design")
    if document["of"] != ONE or not isinstance(document["of"], int):
        raise InputError(f"of: {document['of']!r} is not the denominator 4294967296 that exact designs have.")
    version = document.get("candor")
    if version != 1 or isinstance(version, bool) or not isinstance(document.get("direct"), bool):
        raise InputError("An exact design needs candor: 1 and direct: true or false.")
    entries = reading.read_filled_list(document, "blocks", "design")
    blocks = [
        kinds.read(reading.mapping(entry, f"blocks[{index}]"), f"blocks[{index}]", EXACT)
        for index, entry in enumerate(entries)
    ]
    return Design(tuple(blocks), document["direct"])


def _item_in_words(entry: Mapping[str, Any]) -> str:
    fields = _fields_in_words({name: value for name, value in entry.items() if name != "id"}, "; ")
    return f"{entry['id']} ({fields})" if fields else str(entry["id"])


def _fields_in_words(entry: Mapping[str, Any], between: str) -> str:
    """The fields of a block's or an item's JSON as words, without a block's items; `between` separates them."""
    named = {name: value for name, value in entry.items() if name != "items"}
    return between.join(_field_in_words(name, value) for name, value in named.items())


def _field_in_words(name: str, value: Any) -> str:
    if not isinstance(value, list | tuple):
        return f"{name} {value}"
    if value and isinstance(value[0], Mapping):
        return f"{len(value)} {name}"
    return f"{name} {' '.join(map(str, value))}"
