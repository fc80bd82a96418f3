"""Newton's method for a likelihood with its curvature; where that is not concave, along the nearest concave one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Floats

LIMIT = 200
GAIN = 1e-11  # of log-likelihood that a step could still bring: an estimate is then exact to 5e-6 standard errors
LAST = 2  # steps from there: each doubles the digits, so that they do not depend on the order of the records
LONGEST = 4.0


@dataclass(frozen=True)
class Maximum:
    parameters: Floats
    height: float
    scores: Floats  # of each row
    curvature: Floats
    converged: bool


def maximise(
    evaluate: Callable[[Floats], tuple[float, Floats, Floats]],
    height_of: Callable[[Floats], float],
    weight: Floats,
    start: Floats,
) -> Maximum:
    """Find the parameters with the largest height from `start` on; a change of about 1 in any is a large one."""
    parameters = start
    height, scores, curvature = evaluate(parameters)
    for _ in range(LIMIT):
        gradient = weight @ scores
        step, concave = _step(gradient, curvature)
        if concave and gradient @ step < GAIN * max(1.0, abs(height) * 1e-3):
            for _ in range(LAST):
                parameters = parameters + step
                height, scores, curvature = evaluate(parameters)
                step, concave = _step(weight @ scores, curvature)
            return Maximum(parameters, height, scores, curvature, concave)
        longest = float(np.abs(step).max())
        step = step * min(1.0, LONGEST / max(longest, 1e-300))
        share = 1.0
        while share > 1e-9 and not height_of(parameters + share * step) > height:
            share /= 4
        if share <= 1e-9:
            return Maximum(parameters, height, scores, curvature, concave and bool(gradient @ step < 1e-6))
        parameters = parameters + share * step
        height, scores, curvature = evaluate(parameters)
    return Maximum(parameters, height, scores, curvature, False)


def _step(gradient: Floats, curvature: Floats) -> tuple[Floats, bool]:
    """Newton's step, turned upwards where the curvature is not concave; and whether it is concave."""
    roots, axes = np.linalg.eigh(-curvature)
    largest = max(float(np.abs(roots).max()), 1e-300)
    step: Floats = axes @ ((axes.T @ gradient) / np.maximum(np.abs(roots), 1e-9 * largest))
    return step, bool(roots[0] > -1e-8 * max(roots[-1], 1e-300))
