"""What the pages of results show, as numbers."""

import re

from surveys.models import Snapshot
from surveys.results.answers import answers
from surveys.results.report import data_of

# What the API tells of a survey and its first version, each behind the survey's address.
OPERATIONS = (
    "",
    "/versions/1",
    "/versions/1/answers",
    "/versions/1/shares?pattern=drugs",
    "/versions/1/files",
    "/exports",
)


def site_shares(snapshot: Snapshot) -> dict[str, tuple[float, float]]:
    """The share and standard error of every disguised answer, by pattern, as the page of answers has them."""
    shares = {}
    for question in answers(data_of(snapshot.version), "en"):
        if question.sensitive:
            for row in question.displays[0].rows:
                name = question.name if row.label == "Yes" else f"{question.name}={row.label}"
                shares[name] = (row.all.value, row.all.se)
    return shares


def figures_of_picture(drawing: str) -> list[str]:
    """The figure at the end of each bar."""
    return re.findall(r'text-anchor="end" font-weight="600">([^<]*)</text>', drawing)
