"""A made-up table of people, and what its columns are, for tests of releases."""

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

TOWNS = [["A1", "A", "*"], ["A2", "A", "*"], ["B1", "B", "*"], ["B2", "B", "*"]]
ATTRIBUTES: dict[str, Any] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "ranges": [[0, 25, 50, 75, 100], [0, 50, 100], [0, 100]]},
    "town": {"role": "quasi", "hierarchy": TOWNS},
    "disease": {"role": "sensitive"},
    "note": {"role": "insensitive"},
}


def people(count: int, seed: int = 3) -> dict[str, list[str]]:
    random = np.random.default_rng(seed)
    return {
        "name": [f"person {place}" for place in range(count)],
        "age": [str(age) for age in random.integers(0, 100, count)],
        "town": [TOWNS[place][0] for place in random.integers(0, 4, count)],
        "disease": [("flu", "cold", "ulcer", "gout")[place] for place in random.integers(0, 4, count)],
        "note": [f"note {place}" for place in range(count)],
    }


def rising(start: Fraction, steps: int) -> Fraction:
    """The rising factorial."""
    return prod((start + step for step in range(steps)), start=Fraction(1))
