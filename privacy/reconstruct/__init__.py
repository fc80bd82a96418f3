"""From disguised records to the shares of true answers, with their error."""

from privacy.reconstruct.supports import (
    Figures,
    Question,
    Report,
    Tally,
    count,
    reconstruct,
    reconstruct_supports,
    report,
)

__all__ = ["Figures", "Question", "Report", "Tally", "count", "reconstruct", "reconstruct_supports", "report"]
