"""The sentences that respondents read about one-of blocks: how often a word comes from those of whom it is not true."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design.block import Explained, Words
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, pair_shares
from privacy.errors import to_translate

_ONE_WORD = to_translate("One word leaves your device, or none: at most one of your answers, or of answers of others.")
_SENT = to_translate(
    "Of {of} people to whom none of it applies, about {some} send some word all the same. So a stored word may come "
    "from anybody."
)
_NOTHING = to_translate("Of {of} people to whom anything applies, {some} or more send nothing.")


def _explain(blocks: Sequence[OneOfBlock]) -> Explained:
    """How many of those without an own word send one, and how many with own words send none, whatever is true."""
    sent = pair_shares([(_SENT, {})], [[Fraction(ONE - block.blank, ONE)] for block in blocks])
    nothing = pair_shares([(_NOTHING, {})], [[Fraction(block.blank - block.cap, ONE)] for block in blocks])
    return [(blocks, [Said(_ONE_WORD, {}), *sent, *nothing])]


_ADVICE = to_translate(
    "γ is above this site’s limit of {limit}. Disguise more: take a smaller γ for the list, or a smaller cap."
)
WORDS = Words(_ADVICE, _explain)
