"""What the outputs of a channel tell on average, in bits (Shannon 1948).

γ bounds what the worst record can do to a belief. Here are means over all records, which `candor breach --measures`
prints (1.6.1, 1.6.2 and (5) of the notes on anonymity of 2019). A joint distribution has P(x, y) at [x, y], a channel
P(output y | input x).
"""

import math
from collections.abc import Collection
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, rel_entr

from privacy.guarantee.bounds import epsilon, gamma
from privacy.guarantee.breach import Numbers
from privacy.output import to_json_value


def entropy(distribution: ArrayLike) -> float:
    """Compute H(X) in bits; of a joint distribution, that of the pair.

    >>> entropy([0.25, 0.25, 0.5])
    1.5
    """
    return float(entr(np.asarray(distribution, float)).sum() / math.log(2))


def kullback_leibler(p: ArrayLike, q: ArrayLike) -> float:
    """Compute D(p ‖ q) in bits: infinite where q gives no chance to what p does.

    >>> kullback_leibler([1, 0], [0.5, 0.5])
    1.0
    """
    return float(rel_entr(np.asarray(p, float), np.asarray(q, float)).sum() / math.log(2))


def uldp_epsilon(channel: ArrayLike, sensitive: Collection[int]) -> float:
    """Compute ε of utility-optimised local differential privacy, definition 2 of Feng and Zhu (2023), rounded up.

    An output that only one plain input can give says that it was this input, which is allowed. Every other output must
    be nearly as likely from any input. `sensitive`: the inputs that must be protected.

    >>> round(uldp_epsilon([[0.75, 0.25, 0], [0.25, 0.25, 0.5]], sensitive=[0]), 4)  # ln 3
    1.0986
    """
    matrix = np.asarray(channel)
    possible = matrix > 0
    is_plain = ~np.isin(np.arange(len(matrix)), list(sensitive))
    tells = (possible.sum(axis=0) == 1) & (possible & is_plain[:, None]).any(axis=0)
    protected = matrix[:, ~tells]
    return epsilon(gamma(protected.tolist())) if protected.shape[1] else 0.0


@dataclass(frozen=True)
class Information:
    """What is unknown of the input before an output and after it, and the loss between both, on average.

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
    inputs, outputs, total = both.sum(axis=1), both.sum(axis=0), int(both.sum())
    is_independent = bool((both * total == np.multiply.outer(inputs, outputs)).all())
    joint = np.array([[float(Fraction(int(part), total)) for part in row] for row in both])
    before = joint.sum(axis=1)
    apart = {index: kullback_leibler(part / part.sum(), before) for index, part in enumerate(joint.T) if part.sum()}
    output = max(apart, key=lambda place: round(apart[place], 9))  # the first of those that are equal but for rounding
    unknown, left = entropy(before), entropy(joint) - entropy(joint.sum(axis=0))
    return Information(unknown, left, max(unknown - left, 0.0), apart[output], output, is_independent)
