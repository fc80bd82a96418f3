"""Do people who answer directly differ from those who are disguised? A test per literal, corrected over literals."""

from typing import Any

import numpy as np
from scipy.special import ndtr

from mining.engines.bits import DIRECT, DISGUISED
from mining.engines.discoveries import q_values
from mining.engines.lattice import Lattice
from mining.engines.tables import exactly
from mining.engines.weights import weights


def compare_groups(lattice: Lattice) -> list[dict[str, Any]]:
    """Per literal that is not a negation: the estimates of both groups, z of their difference, p and q."""
    of = lattice.literals
    chosen = np.flatnonzero(of.positive)
    cells = exactly(lattice.singles[chosen]).astype(float)
    sizes = cells.sum(axis=2)
    if not (sizes > 0).all():
        return []
    table = weights(of, chosen[:, None])
    direct = cells[:, DIRECT, 1] / sizes[:, DIRECT]
    smooth = (cells[:, DIRECT, 1] + 2) / (sizes[:, DIRECT] + 4)
    disguised = (cells[:, DISGUISED] * table).sum(axis=1) / sizes[:, DISGUISED]
    square = (cells[:, DISGUISED] * table**2).sum(axis=1) / sizes[:, DISGUISED]
    variance = smooth * (1 - smooth) / sizes[:, DIRECT] + (square - disguised**2) / sizes[:, DISGUISED]
    z = (direct - disguised) / np.sqrt(variance)
    p = 2 * ndtr(-np.abs(z))
    columns = {"direct": direct, "disguised": disguised, "z": z, "p": p, "q": q_values(p)}
    return [
        {"item": of.labels[literal], **{name: _number(values[place]) for name, values in columns.items()}}
        for place, literal in enumerate(chosen)
    ]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
