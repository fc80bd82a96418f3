"""The sentences that respondents read about blocks that they draw themselves: how often one answer is pressed as the
other one, at the end of δ where that is least."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from privacy.design.block import Block, Explained
from privacy.design.rationals import ONE
from privacy.design.sentences import NO, YES, Said, pair_shares
from privacy.errors import to_translate

_HOW = Said(
    to_translate("You draw the chance yourself: with a birthday, a die or the like. What you press is sent as it is."),
    {},
)
_PRESSED = to_translate("Take {of} people who would say “{said}”. About {some} of them press what most others press.")


def explain_presses(blocks: Sequence[Block]) -> Explained:
    """Say how often the draw makes people with one answer press what most press with the other.

    >>> from privacy.design import Design
    >>> outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    >>> draw = {"way": "crosswise", "source": "die", "outcomes": outcomes}
    >>> design = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "drugs"}]}]})
    >>> print(explain_presses(design.blocks)[0][1][1])
    Take 100 people who would say “No”. About 16 of them press what most others press.
    """
    said = [_HOW]
    for code, answer in enumerate((NO, YES)):
        if shares := [share for block in blocks for share in _share_of_others(block, code)]:
            said += pair_shares([(_PRESSED, {"said": answer})], [(share,) for share in shares])
    return [(blocks, said)]


def _share_of_others(block: Any, code: int) -> list[Fraction]:
    """The chance that somebody with this answer presses as the others do, for each item whose answer is hidden."""
    assert block.draw is not None
    delta = block.draw.drawn.delta
    if block.odds != block.gamma:
        return [] if code else [max(Fraction(block.turned, ONE) - delta, Fraction(0)) for _item in block.items]
    away = Fraction(ONE - block.keep, ONE)
    return [max(away * Fraction(item.noise[1 - code], ONE) - delta, Fraction(0)) for item in block.items]
