"""Whether those who answered directly answer differently, from the counts of a search."""

import numpy as np

from mining.engines.lattice import Lattice
from mining.engines.masks import exactly
from privacy.reconstruct.group_difference import Comparison, comparable, compare


def compare_groups(lattice: Lattice, least: int) -> Comparison:
    """Every answer of the design, frequent or not, that at least `least` respondents of either group were asked.

    The direct group's shares are true answers: of a few persons they would be told as they stand.
    """
    literals = lattice.literals
    of_answer = {
        (column, option): place
        for place, (column, option, positive) in enumerate(
            zip(literals.column.tolist(), literals.option.tolist(), literals.positive.tolist(), strict=True)
        )
        if positive
    }
    patterns, places = [], []
    for pattern in comparable(literals.design):
        ((column, options),) = pattern.literals
        place = of_answer[column, min(options)]
        if lattice.singles[place, :, 0].min() >= max(least, 1):
            patterns.append(pattern)
            places.append(place)
    if not patterns:
        return Comparison(())
    return compare(literals.design, patterns, exactly(lattice.singles[places].astype(np.int64)))
