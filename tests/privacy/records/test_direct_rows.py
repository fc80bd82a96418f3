"""What direct people said is true, so it is an answer: read from a frame and beside undisguised columns, too."""

from pathlib import Path

import pandas as pd
import pytest

import candor
from privacy.errors import InputError

DESIGN = candor.Design.parse(
    {
        "direct": True,
        "blocks": [
            {"number": "normal", "spread": 2, "edge": "open", "items": [{"id": "x", "min": 0, "max": 9, "step": 1}]}
        ],
    }
)


def test_a_direct_answer_that_nobody_can_give_is_refused(tmp_path: Path) -> None:
    """A disguised −3 is noise; a direct one is a mistake in the file."""
    frame = pd.DataFrame({"direct": [0, 1], "x": [-3, -3]})
    assert len(candor.Records.from_frame(frame.iloc[:1], DESIGN)) == 1
    with pytest.raises(InputError, match=r"row 1, column 'x': -3 is no answer; answers are from 0 to 9"):
        candor.Records.from_frame(frame, DESIGN)
    path = tmp_path / "records.csv"
    frame.assign(town="a").to_csv(path, index=False)
    with pytest.raises(InputError, match=r"row 3, column 'x': -3 is no answer"):
        candor.read_records(path, DESIGN, open_columns=True)
