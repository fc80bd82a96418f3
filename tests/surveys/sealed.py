"""What was sealed, read past what may be reported: only tests and benchmarks may."""

import json
from typing import Any

from surveys.domain.responses.snapshots import parts, unzip_lines
from surveys.models import Snapshot


def open_answers(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The undisguised answers of each response, in the order of the records; an empty list if the questionnaire has
    none.
    """
    return [json.loads(line) for part in parts(snapshot) for line in unzip_lines(part.open)]
