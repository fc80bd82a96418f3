"""Whether direct respondents answer differently, from the counts of a search."""

import numpy as np

from mining.engines.lattice import Lattice
from privacy.reconstruct.bit_columns import states_from_supports
from privacy.reconstruct.group_difference import GroupComparison, comparable, compare


def compare_groups(lattice: Lattice, least: int) -> GroupComparison:
    """Compare both groups in every answer of the design that at least `least` respondents of each group were asked.

    Nothing is compared where the figures are those of a population, because this question is about these respondents.
    """
    if lattice.drawn is not None:
        return GroupComparison(())
    literals = lattice.literals
    answers = zip(literals.column.tolist(), literals.option.tolist(), literals.positive.tolist(), strict=True)
    place_of = {(column, option): place for place, (column, option, positive) in enumerate(answers) if positive}
    patterns = comparable(literals.design)
    places = [place_of[column, min(options)] for ((column, options),) in (pattern.literals for pattern in patterns)]
    counts = states_from_supports(lattice.singles[places].astype(np.int64))
    return compare(literals.design, patterns, counts, least)
