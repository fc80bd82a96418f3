"""The sentences that respondents read about patterned blocks."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design import sentences
from privacy.design.block import Explained, Words
from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.rationals import ONE
from privacy.design.sentences import pair_shares


def _explain(blocks: Sequence[PatternedBlock]) -> Explained:
    """How often one answer is turned over, at the place of the order with the least protection."""
    shares = [Fraction(turned, ONE) for block in blocks for turned in block.turn_chances]
    return [(blocks, pair_shares(sentences.EITHER, [(share, share) for share in shares]))]


WORDS = Words(sentences.FEWER, _explain)
