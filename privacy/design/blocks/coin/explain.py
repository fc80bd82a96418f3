"""The sentences that respondents read about coin blocks."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design import sentences
from privacy.design.block import Explained, Words
from privacy.design.blocks.coin.design import CoinBlock, noise_of
from privacy.design.rationals import ONE
from privacy.design.sentences import pair_shares
from privacy.errors import to_translate

_OPTIONS: tuple[tuple[str, dict[str, str]], ...] = (
    (to_translate("Of {of} people with the same true answer, the site stores another for about {some}."), {}),
    (to_translate("Of {of} people with a different true answer, it stores this answer for about {some}."), {}),
)


def _explain(blocks: Sequence[CoinBlock]) -> Explained:
    """Say how often noise turns an answer into another one."""
    noise = [(Fraction(ONE - block.keep, ONE), item) for block in blocks for item in block.items]
    yes_no = [tuple(away * Fraction(q, ONE) for q in noise_of(item)) for away, item in noise if item.boolean]
    others = [
        (away * Fraction(ONE - q, ONE), away * Fraction(q, ONE))
        for away, item in noise
        if not item.boolean
        for q in noise_of(item)
    ]
    return [(blocks, [*pair_shares(sentences.EITHER, yes_no), *pair_shares(_OPTIONS, others)])]


_ADVICE = to_translate(
    "γ is above this site’s limit of {limit}. Disguise more (smaller p), ask fewer questions of a block, or use "
    "flips; with one coin for many questions, each question multiplies γ."
)
WORDS = Words(_ADVICE, _explain)
