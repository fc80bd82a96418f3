"""The answer of known share among what was collected."""

from privacy.design.patterns import parse_pattern
from surveys.features.anchor import known_answer
from surveys.results.reading import ReportData


def answer_of_known_share(data: ReportData) -> tuple[str, float] | None:
    """The answer of known share, where enough people who answered disguised were asked it."""
    anchor, records = known_answer(data.version.parsed.source), data.sealed
    if anchor is None:
        return None
    column = parse_pattern(anchor[0], records.design).columns[0]
    asked = records.codes[~records.direct, column] != records.design.not_asked
    return anchor if asked.sum() >= data.least else None
