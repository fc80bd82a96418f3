"""The nearest shares that answers can have, by the errors of their raw estimates.

Raw estimates are unbiased but may be negative, above 1, or larger for a set than for a part of it. Distances are those
of a normal likelihood of the estimates, with their covariance.

>>> errors = np.array([[0.01, -0.01], [-0.01, 0.01]])
>>> nearest_shares(np.array([1.05, -0.05]), errors).round(3).tolist()
[1.0, 0.0]
"""

import numpy as np

from privacy.arrays import Floats

_MOST_FITTED = 64  # states that are fitted to their estimates: those of six literals
_MOST_PARTS = 2**25  # of respondents in the states' estimates, which are held at once
_SETTLED = 9  # decimals: further ones depend on how a machine rounds
_MET = 1e-6  # margins that were rounded themselves
_LEAST_VARIANCE = 1e-9  # of the largest, of any sum of estimates: smaller ones are rounding


def can_be_fitted(states: int, respondents: int) -> bool:
    """Whether states are few enough to be fitted to their estimates.

    >>> can_be_fitted(4, 10_000), can_be_fitted(128, 10_000)
    (True, False)
    """
    return states <= _MOST_FITTED and states * respondents <= _MOST_PARTS


def nearest_shares(shares: Floats, covariance: Floats) -> Floats | None:
    """Return the most likely shares x of states that exclude each other, by normal errors of their estimates.

    None where some estimate is missing, or none has an error. They are not negative and sum to 1.
    """
    if _axes_of_errors(covariance) is None:
        return None
    found = nearest_table(shares, covariance, np.ones((1, len(shares))), np.ones(1))
    return None if found is None else (found / found.sum()).round(_SETTLED)


def nearest_table(shares: Floats, covariance: Floats, sums: Floats, margins: Floats) -> Floats | None:
    """Return the most likely shares x ≥ 0 with sums·x = margins, by normal errors of their estimates.

    None where some estimate is missing, or no x ≥ 0 has these margins.

    >>> sums = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    >>> raw, margins = np.array([0.14, -0.04, 0.06, 0.84]), np.array([0.1, 0.9, 0.2, 0.8])
    >>> nearest_table(raw, np.eye(4), sums, margins).tolist()
    [0.1, 0.0, 0.1, 0.8]
    """
    from scipy.optimize import nnls  # slow to import; who only takes answers does without

    if not (np.isfinite(shares).all() and np.isfinite(covariance).all()):
        return None
    axes = _axes_of_errors(covariance)
    root = np.eye(len(shares)) if axes is None else axes[0] * axes[1]
    equal = np.column_stack([sums, -margins])
    limits = np.vstack([np.column_stack([np.eye(len(shares)), np.zeros(len(shares))]), equal, -equal])
    # The least |z| with s + root·z within the limits: one nonnegative least squares (Lawson and Hanson 1974, 23.27).
    goal = np.append(np.zeros(len(shares)), 1.0)
    system = np.vstack([(limits[:, :-1] @ root).T, -limits @ np.append(shares, 1.0)])
    rest = system @ nnls(system, goal)[0] - goal
    if rest[-1] >= 0:  # it is −1/(1 + |z|²) where there is a z
        return None
    step = (root @ rest[:-1] / rest[-1]).round(_SETTLED)
    # A share that need not move stays as it is to the last digit.
    fitted = np.maximum(np.where(step, (shares - step).round(_SETTLED), shares), 0.0)
    return fitted if np.abs(sums @ fitted - margins).max() < _MET else None


def _axes_of_errors(covariance: Floats) -> tuple[Floats, Floats] | None:
    """The directions in which estimates vary apart, in columns, and the error of each; None where there is none."""
    if not np.isfinite(covariance).all():
        return None
    variances, directions = np.linalg.eigh(covariance)
    errors = np.sqrt(np.maximum(variances, 0.0))
    return (directions, _above_rounding(errors)) if _is_error(errors.max()) else None


def _above_rounding(errors: Floats) -> Floats:
    """Errors of which none is 0: what is exact moves only where nothing else can. Exact ones alone count alike."""
    largest = float(errors.max(initial=0.0))
    return np.maximum(errors, _LEAST_VARIANCE**0.5 * largest) if _is_error(largest) else np.ones(len(errors))


def _is_error(size: float) -> bool:
    """Whether it is more than rounding, whose digits differ between machines."""
    return size > 10.0**-_SETTLED
