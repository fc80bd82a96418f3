"""The simulated respondents of the demo surveys."""

import numpy as np

RESPONDENTS = 10_000


def answers(risks: list[tuple[float, float]]) -> np.ndarray:
    """True answers. Three respondents in ten belong to a group that says yes more often to every question.

    So the answers depend on each other, as they do among real people; inside a group they are independent. `risks`
    holds the chances of a yes to each question, outside and inside that group.
    """
    chance = np.random.default_rng(2010)
    group = chance.random(RESPONDENTS) < 0.3
    outside, inside = np.array(risks).T
    yes = np.where(group[:, None], inside, outside)
    return (chance.random(yes.shape) < yes).astype(np.uint8)
