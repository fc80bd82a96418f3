"""The sentences that respondents read about flip blocks."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design import sentences
from privacy.design.block import Explained, Words
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.sentences import pair_shares

_STAYS = [(sentences.STORED, {"said": one, "stored": one}) for one in (sentences.YES, sentences.NO)]


def _explain(blocks: Sequence[FlipBlock]) -> Explained:
    """How often one answer is turned over; if that is more than half of the cases, how often it is not."""
    seldom = [block for block in blocks if block.turn_chance <= Fraction(1, 2)]
    mostly = [block for block in blocks if block.turn_chance > Fraction(1, 2)]
    sides = [
        (seldom, pair_shares(sentences.EITHER, [(block.turn_chance, block.turn_chance) for block in seldom])),
        (mostly, pair_shares(_STAYS, [(1 - block.turn_chance, 1 - block.turn_chance) for block in mostly])),
    ]
    return [(side, said) for side, said in sides if side]


WORDS = Words(sentences.FEWER, _explain)
