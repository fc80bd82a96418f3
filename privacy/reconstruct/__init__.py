"""From disguised records to the shares of true answers, with their error."""

from privacy.reconstruct.pattern_counts import PatternCounts, PatternQuery, count_patterns
from privacy.reconstruct.report import Figures, Report, make_report, reconstruct, reconstruct_supports

__all__ = [
    "Figures",
    "PatternCounts",
    "PatternQuery",
    "Report",
    "count_patterns",
    "make_report",
    "reconstruct",
    "reconstruct_supports",
]
