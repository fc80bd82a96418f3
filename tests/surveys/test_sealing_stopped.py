"""A sealing that dies at any step, however often, loses nothing and doubles nothing."""

from collections import Counter
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from django.test import override_settings

from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, sealing_keys
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, Survey
from tests.clocks import set_time
from tests.surveys.inbox import wait
from tests.surveys.making import add_question
from tests.surveys.sealed import open_answers
from tests.surveys.stopping import stopped_at


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("each", "waits", "at_once"),
    [
        pytest.param(5, 45, seal.AT_ONCE, marks=pytest.mark.long),
        pytest.param(1, 45, seal.AT_ONCE, marks=pytest.mark.long),
        pytest.param(67, 150, 45, id="in three batches, 67"),
        pytest.param(1, 150, 45, id="in three batches, 1", marks=pytest.mark.long),
    ],
)
def test_nothing_is_lost_or_doubled_wherever_a_sealing_stops(
    survey: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: int, waits: int, at_once: int
) -> None:
    """The process ends before its first step, then before a later one, and so on; others have come meanwhile.

    A step is a statement, a commit, and whatever is done to a file of a key. Each sealing is in an hour of its own, so
    that the key which was ready makes room for another. In the end each response that waited is sealed once, and no key
    is left but the one in use, the next one, and those that died before they were anybody's.
    """
    add_question(survey, "n", type="number")
    version = publish(survey)
    came = 0
    monkeypatch.setattr(seal, "AT_ONCE", at_once)
    with override_settings(CANDOR_DATA=tmp_path):
        set_time(monkeypatch, sealing_keys, lambda: 1_800_000_100.0)
        sealing_keys.prepare()
        for step in count(1, each):
            an_hour_later = sealing_keys.time() + 3600
            set_time(monkeypatch, sealing_keys, partial(float, an_hour_later))
            new = range(came, came + waits - Inbox.objects.count())
            wait(version, [Stored(b"\0", b'{"n":%d}' % number) for number in new])
            came = new.stop
            if not stopped_at(step, seal.seal_all):
                break
        close(survey)
        seal.seal_closed()
        snapshot = latest(survey)
        assert snapshot is not None
        assert Counter(answer["n"] for answer in open_answers(snapshot)) == Counter(range(came))
        assert step > 40
        assert len(list((tmp_path / "sealing_keys").glob("?" * 64))) - len(sealing_keys.unknown()) == 2
