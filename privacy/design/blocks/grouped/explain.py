"""The sentences that respondents read about grouped blocks."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from privacy.design import sentences
from privacy.design.block import Explained, Words
from privacy.design.blocks.grouped.design import GroupedBlock
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, pair_shares
from privacy.errors import to_translate

_MIXED = to_translate(
    "But a random answer is the same for all questions. So stored answers with both “yes” and “no” are true and not "
    "hidden."
)


def _explain(blocks: Sequence[GroupedBlock]) -> Explained:
    """Say how often noise turns one answer into the other; where answers in a record differ, all are true."""
    pairs = [
        (
            Fraction((ONE - block.keep) * (ONE - block.theta), ONE**2),
            Fraction((ONE - block.keep) * block.theta, ONE**2),
        )
        for block in blocks
    ]
    mixed = [Said(_MIXED, {})] if any(block.gamma == inf for block in blocks) else []
    return [(blocks, [*pair_shares(sentences.EITHER, pairs), *mixed])]


WORDS = Words(to_translate("This model is for research on disguises only: it gives answers away."), _explain)
