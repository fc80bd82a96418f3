"""Where many wait they are sealed some at a time, drawn by lot: with every promise of a sealing of all at once."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from django.test import override_settings

from privacy.records import Records
from privacy.records.packing import pack, unpack
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, sealing_keys, waiting
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, Snapshot, SurveyVersion
from tests.cases import first
from tests.surveys.inbox import responses_waiting, wait
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers

SOME = 100


class Batch(NamedTuple):
    numbers: list[int]  # of those in it, by which they came
    direct: int


@pytest.fixture(autouse=True)
def batches(monkeypatch: pytest.MonkeyPatch) -> list[Batch]:
    """Where more than two hundred wait a hundred are drawn; what was sealed together."""
    monkeypatch.setattr(seal, "AT_ONCE", SOME)
    made: list[Batch] = []
    append = seal.append

    def note_batch(version: SurveyVersion, packed: np.ndarray, answers: Any, final: bool = False) -> Snapshot:
        made.append(Batch(list(map(number_of, answers)), int(unpack(version.design, packed).direct.sum())))
        return append(version, packed, answers, final)

    monkeypatch.setattr(seal, "append", note_batch)
    return made


@pytest.fixture
def version() -> SurveyVersion:
    survey = make_survey()
    add_question(survey, "n", type="number")
    return publish(survey)


def receive(version: SurveyVersion, numbers: range, direct: int = 0) -> None:
    """So many respondents, the first of them directly."""
    codes = np.zeros((len(numbers), len(version.design.items)), np.uint8)
    packed = pack(Records(version.design, codes, np.arange(len(numbers)) < direct))
    wait(version, [Stored(row.tobytes(), b'{"n":%d}' % number) for row, number in zip(packed, numbers, strict=True)])


def number_of(answers: bytes) -> int:
    number: int = json.loads(answers)["n"]
    return number


def numbers_waiting(version: SurveyVersion) -> list[int]:
    return [number_of(response.open) for response in responses_waiting(version)]


def numbers_sealed(version: SurveyVersion) -> list[int]:
    snapshot = latest(version.survey)
    assert snapshot is not None
    return [answer["n"] for answer in open_answers(snapshot)]


def sizes(batches: list[Batch]) -> list[int]:
    return [len(batch.numbers) for batch in batches]


@contextmanager
def on_host(data: Path) -> Iterator[None]:
    """On another host, whose data folder this is."""
    with override_settings(CANDOR_DATA=data):
        yield


def test_each_is_sealed_once_and_twenty_stay(version: SurveyVersion, batches: list[Batch]) -> None:
    """Of 450 a hundred are drawn four times. Twenty of them stay back each time, and are with those that are left."""
    receive(version, range(450))
    seal.seal_all()
    assert sizes(batches) == [80, 80, 80, 80, 110]
    stay = numbers_waiting(version)
    assert len(stay) == 20
    assert sorted(numbers_sealed(version) + stay) == list(range(450))


def test_at_the_end_nobody_stays(version: SurveyVersion, batches: list[Batch]) -> None:
    """The last batch is of all who are left."""
    receive(version, range(330))
    close(version.survey)
    seal.seal_closed()
    assert sizes(batches) == [80, 80, 170]
    assert sorted(numbers_sealed(version)) == list(range(330))
    assert not Inbox.objects.exists()


def test_which_batch_it_is_tells_nothing_of_who_came_first(version: SurveyVersion, batches: list[Batch]) -> None:
    """Rank correlation of the place in the row and the batch is what chance gives."""
    receive(version, range(1_000))
    seal.seal_all()
    numbers = np.concatenate([batch.numbers for batch in batches])
    place = np.repeat(np.arange(len(batches)), sizes(batches))
    assert len(batches) > 7
    assert abs(np.corrcoef(numbers, place)[0, 1]) < 5 / np.sqrt(len(numbers))


@pytest.mark.parametrize("direct", first(2, [3, 12, 60, 590]))
def test_no_batch_tells_of_a_few(version: SurveyVersion, batches: list[Batch], direct: int) -> None:
    """Each has twenty or more, and of the direct and of the disguised none, or five or more, unless they are all."""
    receive(version, range(600), direct)
    seal.seal_all()
    close(version.survey)
    seal.seal_closed()
    assert sum(batch.direct for batch in batches) == direct
    for batch in batches:
        disguised = len(batch.numbers) - batch.direct
        assert len(batch.numbers) >= 20
        assert batch.direct == 0 or batch.direct >= min(5, direct)
        assert disguised == 0 or disguised >= 5


def test_a_sealing_ends_however_many_come_meanwhile(
    version: SurveyVersion, batches: list[Batch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes who waited when it began, and fills a batch up with those who came since; these wait for the next."""
    receive(version, range(450))
    append, came = seal.append, iter(range(450, 10_000, 150))

    def others_come(*arguments: Any, **more: Any) -> Snapshot:
        first = next(came)
        receive(version, range(first, first + 150))
        return append(*arguments, **more)

    monkeypatch.setattr(seal, "append", others_come)
    seal.seal_all()
    assert sizes(batches) == [80] * 5
    assert not Inbox.objects.filter(round__current=False).exists()  # so the keys of who waited can be destroyed
    assert sorted(numbers_sealed(version) + numbers_waiting(version)) == list(range(450 + 5 * 150))


def test_no_more_than_twice_as_many_are_in_memory(version: SurveyVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that wait; parts that are not full are beside them."""
    receive(version, range(730))
    opened, held = waiting.open_waiting, []

    def note_size(*arguments: Any, **more: Any) -> waiting.Opened:
        batch = opened(*arguments, **more)
        held.append(len(batch.rows))
        return batch

    monkeypatch.setattr(waiting, "open_waiting", note_size)
    seal.seal_all()
    assert (max(held), sum(held) > 730) == (170, True)


def test_what_cannot_be_opened_keeps_the_last_ones_back(
    version: SurveyVersion, batches: list[Batch], tmp_path: Path
) -> None:
    """As where few wait: they would be sealed alone when their key comes back."""
    receive(version, range(2))
    with on_host(tmp_path / "other"):
        sealing_keys.prepare()
        receive(version, range(2, 332))
        close(version.survey)
        seal.seal_all()
        assert sizes(batches) == [80, 80, 150]
        batch = waiting.open_waiting(version)
        assert (len(batch.rows), batch.lost) == (20, 2)


def test_many_are_handed_over_some_at_a_time(version: SurveyVersion, tmp_path: Path) -> None:
    """To the host that leads, which had no key of their round."""
    receive(version, range(330))
    with on_host(tmp_path / "leader"):
        sealing_keys.prepare()
        seal.seal_all()
        assert waiting.open_waiting(version).lost == 330
    seal.start_sealing()
    with on_host(tmp_path / "leader"):
        assert sorted(numbers_waiting(version)) == list(range(330))
