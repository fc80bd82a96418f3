"""Places on a map of whole cells: the square mechanism, and its utility-optimised form with sensitive zones."""

from privacy.location.square_mechanism import CellMechanism, best_mechanism, keep_of, log_above, mechanism_of, whole_map
from privacy.location.zones import Rectangle, prepare_zones
