"""What the outputs of a channel tell of its input, in bits: `candor breach --measures`.

V is the input, E the output, and S what somebody knows beside it: 1.6.1, 1.6.2 and (5) of the notes on anonymity of
2019. `privacy.guarantee.measures` has the formulas.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from privacy.guarantee.breach import Numbers
from privacy.guarantee.measures import (
    conditional_entropy,
    entropy,
    is_perfectly_private,
    kullback_leibler,
    privacy_loss,
)
from privacy.output import to_json_value


@dataclass(frozen=True)
class Information:
    """What somebody who knows S does not know of the input before an output and after it, and the loss between both.

    `divergence` is the Kullback-Leibler distance of the belief after `output` from the belief before, the largest of
    all outputs; its mean over outputs is the loss.
    """

    before: float
    after: float
    loss: float
    divergence: float
    output: int
    perfectly_private: bool

    def to_json(self, outputs: tuple[str, ...]) -> dict[str, Any]:
        return asdict(self) | {"divergence": to_json_value(self.divergence), "output": outputs[self.output]}


def inform(prior: Numbers, channel: Numbers) -> Information:
    """Compute what the outputs tell, from whole numbers in the proportions of the exact chances.

    >>> found = inform(np.array([1, 1]), np.array([[3, 1], [1, 3]]))
    >>> round(found.before, 3), round(found.after, 3), round(found.loss, 3), found.perfectly_private
    (1.0, 0.811, 0.189, False)
    """
    both = prior[:, np.newaxis] * channel
    total = int(both.sum())
    exact = np.array([[Fraction(int(one), total) for one in row] for row in both], object)
    joint = exact.astype(float)
    before = joint.sum(axis=1)
    apart = {place: kullback_leibler(one / one.sum(), before) for place, one in enumerate(joint.T) if one.sum()}
    output = max(apart, key=lambda place: round(apart[place], 9))  # the first of those that are equal but for rounding
    of_three = exact[:, np.newaxis, :]  # S is known, so it has one value
    unknown, left = entropy(before), conditional_entropy(joint)
    loss, private = privacy_loss(of_three), is_perfectly_private(of_three)
    return Information(unknown, left, loss, apart[output], output, private)
