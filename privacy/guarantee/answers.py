"""What the stored answer to one question tells alone, in the measures of information theory.

γ bounds what the worst record can do to a belief. These are means over all records: how much a record reveals of an
unknown answer (Shannon 1948), and how often what is stored is true.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from privacy.design import Design
from privacy.estimate.joint import table_channels
from privacy.guarantee import measures

_DIGITS = 12  # of the information; answers that differ in later ones are reported as alike


@dataclass(frozen=True)
class AnswerMeasures:
    """What the stored answer tells of one item, where `answer` was thought so likely as the prior and all others alike.

    entropy: the bits that are unknown of the answer before; information: those of them that the stored answer tells;
    true: how often the stored answer is the true one; variation: by how much the chance of any stored answers differs
    between two true ones, at most.
    """

    id: str
    answer: str
    entropy: float
    information: float
    true: float
    variation: float

    def to_json(self) -> dict[str, str | float]:
        return dict(vars(self))


def answer_measures(design: Design, prior: float | Fraction) -> tuple[AnswerMeasures, ...]:
    """Measure what the stored answer to each question reveals about yes, or about the option with the least protection.

    `prior` says how likely one answer was thought; the others share the rest evenly. Numbers and places are left out:
    a table of all their answers and records would have up to 2^32 cells.
    """
    return tuple(
        max(_measure_item(design, column, float(prior)), key=lambda one: round(one.information, _DIGITS))
        for column, item in enumerate(design.items)
        if item.has_options
    )


def _measure_item(design: Design, column: int, prior: float) -> Iterator[AnswerMeasures]:
    """Yield the measures of an item for each option; of yes and no for yes alone."""
    item = design.items[column]
    size = len(item.options)
    (disguise,) = table_channels(design, [column])
    channel = np.stack([disguise.disguise(row) for row in np.eye(size)])  # P(stored | true), if asked
    variation = measures.delta(channel, 0.0)
    for option in [1] if item.boolean else range(size):
        before = np.full(size, (1 - prior) / (size - 1))
        before[option] = prior
        both = measures.joint(before, channel)
        entropy, information = measures.entropy(before), measures.mutual_information(both)
        true = 1 - measures.distortion(both)
        yield AnswerMeasures(item.id, item.options[option], entropy, information, true, variation)
