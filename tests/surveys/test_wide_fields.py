"""Sealed parts of records with numbers and places."""

import numpy as np
import pytest

from privacy.design.fields import YES_NO, Steps, choice
from privacy.records.packing import pack
from surveys.domain.messages.submission import Stored
from surveys.domain.responses import disclosure, seal
from surveys.domain.responses.snapshots import records
from surveys.models import SurveyVersion
from tests.declared import design, drawn
from tests.fields import number, pair
from tests.surveys.inbox import wait

FIELDS = (
    choice("drugs", YES_NO),
    number("income", Steps(65_536)),
    pair("home", Steps(1000), Steps(800)),
    pair("world", Steps(65_536), Steps(65_536)),
)


@pytest.mark.parametrize("ask", [None, 2])
def test_numbers_and_places_come_out_of_sealed_parts_as_they_went_in(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch, ask: int | None
) -> None:
    """Inbox, seal, snapshot and what the miner reads: the same records, in another order."""
    wide = drawn(design(*FIELDS, ask=ask), 60, 1)
    monkeypatch.setattr(SurveyVersion, "design", wide.design)
    wait(version, [Stored(packed.tobytes(), b"") for packed in pack(wide)])

    snapshot = seal.seal(version)
    back = records(snapshot)
    mined = list(disclosure.records(snapshot))

    kept = {(bool(direct), *codes) for direct, codes in zip(wide.direct, wide.codes.tolist(), strict=True)}
    rows = [(bool(direct), *codes) for direct, codes in zip(back.direct, back.codes.tolist(), strict=True)]
    assert len(rows) == snapshot.respondents == 40
    assert len(set(rows)) == 40
    assert set(rows) <= kept
    assert np.array_equal(np.concatenate([part.codes for part in mined]), back.codes[~back.direct])
