"""How far wrong chances of people's own draws may move coefficients: the fit again at each end of what they may be.

Of each block that people draw the worst end counts, to each side; the blocks add up.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from privacy.arrays import Floats
from privacy.design import Design
from privacy.design.block import Block
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.regress.respondents import Respondents


def reach_of_chances(
    respondents: Respondents, figures: Floats, fit: Callable[[Respondents], Floats], level: float
) -> tuple[Floats, Floats]:
    """How far each figure may lie below and above what it is; `fit` gives the figures of other respondents.

    Over what was estimated of the chances it reaches as far as an interval of this level.
    """
    below, above = np.zeros_like(figures), np.zeros_like(figures)
    for number, design in enumerate(respondents.designs):
        for place, block in enumerate(design.blocks):

            def fit_with(own: Block, number: int = number, design: Design = design, place: int = place) -> Floats:
                blocks = (*design.blocks[:place], own, *design.blocks[place + 1 :])
                designs = list(respondents.designs)
                designs[number] = Design(blocks, design.direct)
                return fit(replace(respondents, designs=tuple(designs)))

            for one, ends in block.spreads(standard_errors(level)):
                moved = [np.zeros_like(figures)]
                try:
                    before = figures if one is block or not ends else fit_with(one)
                    moved += [fit_with(end) - before for end in ends]
                except InputError:  # at this end the records contradict the design: nothing bounds the figures
                    moved += [np.full_like(figures, np.inf), np.full_like(figures, -np.inf)]
                below, above = below - np.min(moved, axis=0), above + np.max(moved, axis=0)
    return below, above
