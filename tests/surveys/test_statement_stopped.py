"""A statement that is being made by a process which dies at any step is made by the next one, and whole."""

import os
from itertools import count
from typing import Any

import pytest

from surveys.domain.closed import statement
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import ReceiptPiece, Statement, Submission
from tests.surveys.making import make_survey
from tests.surveys.sealed import list_in_pieces
from tests.surveys.stopping import stopped_at


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_list_of_receipts_is_whole_or_not_there_wherever_its_making_stops(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends before its first statement to the database, then before a later one, and so on.

    What was hashed is hashed again; what was written is written once. In between nobody is shown a part of it.
    """
    list_in_pieces(monkeypatch)
    survey = publish(make_survey(least=20)).survey
    rows = [Submission(key=os.urandom(16), proof=os.urandom(16), survey=survey) for _ in range(61)]
    Submission.objects.bulk_create(rows)
    close(survey)
    stops, written = 0, []
    for step in count(1, 3):
        if not stopped_at(step, statement.state_all):
            break
        stops += 1
        written.append(ReceiptPiece.objects.count())
        if written[-1] < 8:
            asked = [client.get(f"/s/study/statement{piece}").status_code for piece in ("", "/0", "/7")]
            assert asked == [409, 404, 404]
    assert (stops > 10, written == sorted(written), 0 < min(filter(None, written)) < 8) == (True, True, True)
    assert statement.state_all() is None
    assert statement.agrees(Statement.published.get())
    listed = b"".join(client.get(f"/s/study/statement/{number}").content for number in range(8))
    assert listed == b"".join(sorted(row.key + row.proof for row in rows))
