"""What the demo surveys ask and say, in English and Simplified Chinese, and how common the answers are in them.

All of it is in `demo.json`. Beside what a draft says of a question, `risks` are the chances of a yes outside and inside
the group that takes more risks, and `yes` and `no` are how a report tells it of those who say so. A demo has one name:
staff read the heading that respondents read.
"""

import json
from pathlib import Path
from typing import Any

_FILE = json.loads(Path(__file__).with_name("demo.json").read_text(encoding="utf-8"))

SURVEYS: dict[str, dict[str, Any]] = {
    slug: {"who": _FILE["who"], "consent": _FILE["consent"], "closing": _FILE["closing"], **survey}
    for slug, survey in _FILE["surveys"].items()
}
TOWN: dict[str, Any] = _FILE["questions"]["home"]["settings"]["map"]


def questions_of(survey: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": name, **_FILE["questions"][name]} for block in survey["blocks"] for name in block["questions"]]
