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


def where_one_may_skip(answers: np.ndarray) -> np.ndarray:
    """The same people where "prefer not to say" is a third option, after yes and no.

    One in four of those who would say yes prefers it, and three in a hundred of the others.
    """
    skips = np.random.default_rng(2011).random(answers.shape) < np.where(answers == 1, 0.25, 0.03)
    return np.where(skips, 2, 1 - answers).astype(np.uint8)
