"""Every formula, definition, figure and table of the five papers, in the order of the page."""

from collections.abc import Sequence

from papers.rows.breaches import BREACHES, GROUPED
from papers.rows.notes import NOTES
from papers.rows.penalty import PENALTY
from papers.rows.released import RELEASED
from papers.rows.row import Row
from papers.rows.zones import PLACES

ROWS: Sequence[Row] = (*BREACHES, *PENALTY, *NOTES, *RELEASED, *PLACES, *GROUPED)
