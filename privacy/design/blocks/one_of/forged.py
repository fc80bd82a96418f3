"""What one record of a one-of block adds to the figure of a pattern, at most and at least."""

from math import comb, inf

from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.rationals import ONE


def ends_of_weights(block: OneOfBlock, length: int) -> list[tuple[float, float]]:
    """The least and the largest weight of a record, for patterns with so many telling answers, from none on.

    A pattern is a sum of words with signs (`invert`), and a record is one word or none. So each word adds its sign
    times (1[it was sent] − base)/added. The rarest word of each length has the largest weights. Of an item with an
    answer that stands alone, no pattern of several answers says the harmless one.
    """
    rarest = {}
    for word in sorted(block.words, key=lambda word: -word.added):
        rarest[len(word.parts)] = word
    apart = {place for place, _ in block.alone} if length > 1 else set()
    telling_of = [len(item.options) - 1 for place, item in enumerate(block.items) if place not in apart]
    options = max(telling_of, default=0)
    ends = []
    for telling in range(max(length - len(telling_of), 0), length + 1):
        constant, moves = float(not telling), [0.0]
        for more in range(not telling, length - telling + 1):
            if telling + more not in rarest:
                constant, moves = 0.0, [-inf, inf]
                break
            word = rarest[telling + more]
            sign, words = (-1) ** more, comb(length - telling, more) * options**more
            constant -= sign * words * word.base / word.added
            moves.append(sign * ONE / word.added)
        ends.append((constant + min(moves), constant + max(moves)))
    return ends
