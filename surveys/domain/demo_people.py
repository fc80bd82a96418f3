"""The simulated respondents of the demo surveys."""

import numpy as np

RESPONDENTS = 10_000


def answers(risks: list[tuple[float, float]]) -> np.ndarray:
    """True answers: three respondents in ten belong to a group that says yes more often to everything.

    That makes the answers go together as they do among real people; inside a group they are independent.
    """
    chance = np.random.default_rng(2010)
    group = chance.random(RESPONDENTS) < 0.3
    rare, often = np.array(risks).T
    yes = np.where(group[:, None], often, rare)
    return (chance.random(yes.shape) < yes).astype(np.uint8)
