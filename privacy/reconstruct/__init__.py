"""From disguised records to the shares of true answers, with their error."""

from privacy.reconstruct.pattern_counts import PatternCounts, PatternQuery, count_patterns
from privacy.reconstruct.reconstruct import reconstruct, reconstruct_counts
from privacy.reconstruct.report import Figures, Reconstruction, make_report
