"""Pictures of what a design does to answers: how likely each record is, by the true answers."""

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

import numpy as np

from privacy.design.block import Block
from privacy.design.blocks import matrix
from privacy.design.items import Item
from privacy.draw.map import heat_map, percent

_MOST_RECORDS = 16  # of a block that is drawn


def channel_pictures(blocks: Iterable[Block]) -> Iterator[str]:
    """Draw the channel of each block that is small enough for its figures to be read."""
    for index, block in enumerate(blocks, start=1):
        if prod(item.field(optional=False).size for item in _items_asked_first(block)) <= _MOST_RECORDS:
            yield _draw_channel(f"block {index}", block)


def _draw_channel(name: str, block: Block) -> str:
    """Draw the channel for the items that are asked first: all, unless each respondent is asked only some."""
    asked = _items_asked_first(block)
    truths, records = _answer_names(asked, true=True), _answer_names(asked, true=False)
    channel = [[float(chance) for chance in row] for row in matrix(block)]
    where = ", where these are asked" if block.items_per_person < len(block.items) else ""
    kept = [row[records.index(truth)] for truth, row in zip(truths, channel, strict=True)]
    stays = ", ".join(f"{truth} with {percent(share)} %" for truth, share in zip(truths, kept, strict=True))
    return heat_map(
        f"What is stored of true answers, in %: {name}{where}",
        ("true", truths),
        (f"stored: {', '.join(item.id for item in asked)}", records),
        channel,
        description=f"True answers that are stored as they are: {stays}.",
    )


def _items_asked_first(block: Block) -> tuple[Item, ...]:
    return tuple(block.items[: block.items_per_person])


def _answer_names(items: tuple[Item, ...], *, true: bool) -> list[str]:
    """All answers to the items, in the order of the channel: those that can be true, or that a record can hold."""
    answers = []
    for item in items:
        field = item.field(optional=False)
        codes = np.arange(field.size)
        answers.append([field.text(code) for code in codes[item.can_be_true(codes) | (not true)].tolist()])
    return [", ".join(texts) for texts in product(*answers)]
