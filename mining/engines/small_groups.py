"""Direct groups that are too small to report.

Direct answers are the truth. Support, observed share and error of an itemset are equations in the counts of the two
groups, and a person who has the figures can solve them; so no answer of a small direct group may enter any of them.
"""

from math import comb, inf

import numpy as np

from privacy.design import Design
from privacy.estimate.bit_columns import DIRECT, DISGUISED


def direct_to_leave_out(design: Design, sizes: np.ndarray, least: int, longest: int) -> int:
    """How many direct respondents to leave out: all, if too few (`least`) are expected to be asked some itemset.

    0 if `least` is 1, as for somebody who holds the records, and 0 if nobody answered disguised.
    """
    direct = int(sizes[DIRECT])
    too_few = least > 1 and sizes[DISGUISED] and direct * rarest(design, longest) < least
    return direct if too_few else 0


def rarest(design: Design, longest: int) -> float:
    """The smallest share of respondents expected to be asked all of an itemset of up to so many items."""
    shares = [1.0] + [inf] * longest  # by the number of items in the blocks so far
    for block in design.blocks:
        size, ask = len(block.items), block.items_per_person
        own = [comb(size - items, ask - items) / comb(size, ask) for items in range(min(ask, longest) + 1)]
        shares = [
            min(shares[items - here] * own[here] for here in range(min(items, len(own) - 1) + 1))
            for items in range(longest + 1)
        ]
    return min(shares)
