"""Patterns: conjunctions of literals, such as `drugs,!cheating,age=30-39`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from privacy.design.channels import Literal
from privacy.design.design import Design
from privacy.design.items import Item
from privacy.errors import InputError


@dataclass(frozen=True)
class Pattern:
    """At most one literal for each column, in column order; the empty pattern matches every record."""

    literals: tuple[Literal, ...]

    @classmethod
    def from_literals(cls, literals: Iterable[Literal], design: Design) -> "Pattern":
        """Merge the literals on one item into one set of options; refuse what no answer can match.

        A literal that every option matches says nothing and is left out.
        """
        merged: dict[int, frozenset[int]] = {}
        for column, options in literals:
            every = frozenset(range(len(design.items[column].options)))
            merged[column] = merged.get(column, every) & options
            if not merged[column]:
                raise InputError(f"The literals on {design.items[column].id!r} contradict each other.")
        return cls(tuple((c, merged[c]) for c in sorted(merged) if len(merged[c]) < len(design.items[c].options)))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        return tuple(column for column, _ in self.literals)

    def text(self, design: Design) -> str:
        """The pattern as `parse_pattern` reads it."""
        return ",".join(
            text for column, options in self.literals for text in _write_literals(design.items[column], options)
        )


def parse_pattern(text: str, design: Design) -> Pattern:
    """Read comma-separated literals, each `item`, `!item`, `item=option` or `!item=option`.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "cheating"]})
    >>> parse_pattern("!cheating, drugs", design).text(design)
    'drugs,!cheating'
    """
    try:
        return Pattern.from_literals([_read_literal(word.strip(), design) for word in text.split(",")], design)
    except InputError as error:
        raise InputError(f"Pattern {text!r}: {error}") from None


def every_answer(design: Design) -> list[str]:
    """The yes of each yes/no item and each option of the others, as patterns of one literal.

    >>> age = {"id": "age", "options": ["18-29", "30+"], "noise": [0.5, 0.5]}
    >>> every_answer(Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}, age]}]}))
    ['drugs', 'age=18-29', 'age=30+']
    """
    literals = [
        (column, frozenset({option}))
        for column, item in enumerate(design.items)
        for option in (range(len(item.options)) if item.has_options else ())
        if option or not item.boolean
    ]
    if not literals:
        design.items[0].check_options()
    return [Pattern((literal,)).text(design) for literal in literals]


def possible_itemsets(literals: Sequence[int], longest: int) -> list[float]:
    """How many itemsets of 0, 1, … `longest` literals there are, no two literals of one item.

    `literals` has the number of literals of each item.

    >>> possible_itemsets([1, 1, 3], 2)
    [1.0, 5.0, 7.0]
    """
    counts = np.ones(1)
    for own, items in sorted(Counter(literals).items()):
        alike = [float(comb(items, size) * own**size) for size in range(longest + 1)]
        counts = np.convolve(counts, alike)[: longest + 1]
    return [float(count) for count in counts]


def _read_literal(word: str, design: Design) -> Literal:
    negative = word.startswith("!")
    name, named, option = (part.strip() for part in word.removeprefix("!").partition("="))
    if not name:
        raise InputError("A literal is empty; write item, !item, item=option or !item=option between commas.")
    column = design.column(name)
    item = design.items[column]
    item.check_options()
    if not named and not item.boolean:
        raise InputError(f"{name!r} is not yes/no; write {name}=option with one of {', '.join(item.options)}.")
    if named and option not in item.options:
        raise InputError(f"{name!r} has no option {option!r}; its options are {', '.join(item.options)}.")
    chosen = frozenset([item.options.index(option) if named else 1])
    return column, frozenset(range(len(item.options))) - chosen if negative else chosen


def _write_literals(item: Item, options: frozenset[int]) -> list[str]:
    """Some options of an item as literals in text: one option by itself, several by excluding all others."""
    if len(options) > 1:
        return [f"!{item.id}={option}" for index, option in enumerate(item.options) if index not in options]
    (index,) = options
    if item.boolean:
        return [item.id if index else f"!{item.id}"]
    return [f"{item.id}={item.options[index]}"]
