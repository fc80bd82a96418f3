"""Places on a map: the square mechanism, its utility-optimised form with sensitive zones, and both on whole cells."""

from privacy.location.cells import CellMechanism, best_side_in_cells, keep_of, log_above, whole_map
from privacy.location.squares import (
    SquareMechanism,
    best_side,
    square_mechanism,
    zone_mechanism,
)
from privacy.location.zones import Rectangle, prepared

__all__ = [
    "CellMechanism",
    "Rectangle",
    "SquareMechanism",
    "best_side",
    "best_side_in_cells",
    "keep_of",
    "log_above",
    "prepared",
    "square_mechanism",
    "whole_map",
    "zone_mechanism",
]
