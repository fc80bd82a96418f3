"""Files are read in a process apart: none makes the one that serves pages grow or keeps it busy."""

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from privacy.errors import EntryError, InputError
from surveys.children import forked
from surveys.domain.database.locks import lock
from surveys.domain.drafts.faults import MOST_QUESTIONS
from surveys.domain.drafts.protect import usual
from surveys.domain.exchange import apart, child, people, words
from surveys.domain.exchange.apart import read_apart
from surveys.domain.exchange.imported import MOST_ROWS, ImportRefusedError, TooLargeError, import_refusal
from surveys.domain.questionnaire.document import empty
from surveys.models import Survey
from surveys.studio.home import begin
from tests.cases import first
from tests.surveys.exchange.attacks import ATTACKS, far_cells, rows
from tests.surveys.exchange.workbooks import form
from tests.surveys.staff import somebody

PLAIN = form(("text", "a", "A?"))
GROWTH = 50  # MiB
PERSON = 7


def look(client: Client, content: bytes) -> HttpResponse:
    return client.post("/staff/studio/import/", {"file": SimpleUploadedFile("a.xlsx", content)})


def mebibytes(what: str) -> int:
    """Of this process, as Linux counts them: what it has (VmRSS), what it had at most since `forget` (VmHWM)."""
    return int(re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text())[1]) >> 10


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


@pytest.mark.parametrize("name", first(1, sorted(ATTACKS, key=lambda name: "picture" not in name)))
def test_no_file_makes_the_server_grow_or_busy(ann: Client, name: str) -> None:
    """At most 50 MB and a second of its processor, and the refusal is a sentence."""
    make, status, sentence = ATTACKS[name]
    content = make()
    look(ann, PLAIN)
    forget_peak()
    memory, seconds = mebibytes("VmRSS"), time.thread_time()

    answer = look(ann, content)

    assert (answer.status_code, sentence in answer.content.decode()) == (status, True)
    assert mebibytes("VmHWM") - memory < GROWTH
    assert time.thread_time() - seconds < 1


@pytest.mark.long
def test_a_survey_with_the_most_questions_and_rows_is_read_in_time(ann: Client) -> None:
    """All names differ, and each has a row of its own in records."""
    assert look(ann, rows("several", MOST_QUESTIONS, MOST_ROWS // MOST_QUESTIONS)).status_code == 200


@pytest.mark.long
def test_what_takes_too_long_is_refused(ann: Client) -> None:
    """By the seconds of a processor, so that a busy machine refuses nothing else."""
    answer = look(ann, far_cells())
    sentence = f"reading the file takes more than {apart.SECONDS} seconds."
    assert (answer.status_code, sentence in answer.content.decode()) == (413, True)


def test_one_person_has_one_file_read_at_a_time(ann: Client) -> None:
    """The second is refused at once; another person's is read."""
    own = lock(folder() / f"reading-of-{User.objects.get().pk}.lock")
    other = Client()
    other.force_login(somebody("add", "view"))
    try:
        answer = look(ann, PLAIN)
        assert (answer.status_code, "your last file is still being read" in answer.content.decode()) == (429, True)
        assert look(other, PLAIN).status_code == 200
    finally:
        os.close(own)
    assert look(ann, PLAIN).status_code == 200


def test_a_machine_reads_few_files_at_a_time(ann: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file waits for a moment, and then its person is asked to come again."""
    monkeypatch.setattr(apart, "PATIENCE", 0.1)
    taken = [lock(folder() / f"reading-{number}.lock") for number in range(apart.AT_ONCE)]
    try:
        answer = look(ann, PLAIN)
    finally:
        for file in taken:
            os.close(file)
    assert (answer.status_code, "the site is busy reading other files" in answer.content.decode()) == (429, True)


@pytest.mark.long
def test_a_process_that_is_killed_refuses_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a system without memory. The next file is read."""
    monkeypatch.setattr(forked.Forked, "communicate", lambda process, *_: process.kill() or b"")
    with pytest.raises(EntryError, match="the file cannot be read"):
        read_apart(PERSON, "hierarchy", b"a;*")
    monkeypatch.undo()
    assert read_apart(PERSON, "hierarchy", b"a;*") == [["a", "*"]]


def test_a_process_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "LONGEST", 0.0)
    with pytest.raises(TooLargeError, match="takes more than 6 seconds"):
        read_apart(PERSON, "hierarchy", b"a;*")


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (MemoryError(), {"sentence": "reading the file takes more than {most} MiB of memory.", "large": True}),
        (InputError("{no} format"), {"sentence": "{error}", "values": {"error": "{no} format"}, "large": False}),
        (EntryError("{a} is one.", at="x", a=1), {"sentence": "{a} is one.", "at": "x", "values": {"a": 1}}),
        (import_refusal("No.", "here"), {"faults": [["here", "No."]]}),
    ],
)
def test_the_process_tells_why_it_refuses(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, told: dict[str, Any]
) -> None:
    def read(_content: bytes) -> None:
        raise raised

    monkeypatch.setitem(child.READERS, "survey", read)
    answer = json.loads(child.answer_of("survey", b"", []))
    assert {name: answer[name] for name in told} == told


def test_of_many_faults_the_first_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_content: bytes) -> None:
        raise ImportRefusedError(import_refusal("No.").faults * 500)

    monkeypatch.setitem(child.READERS, "survey", read)
    assert len(json.loads(child.answer_of("survey", b"", []))["faults"]) == child.FAULTS + 1


@pytest.mark.long
def test_a_translation_has_no_more_lines_than_the_questionnaire_could_have_texts(ann: Client) -> None:
    """Empty lines are none."""
    survey = make_draft()
    for lines, status in ((b"\n" * 1_000_000, 302), (b"".join(b"%x,,\n" % n for n in range(200_000)), 200)):
        file = SimpleUploadedFile("t.csv", b"place,en,de\n" + lines)
        answer = ann.post(f"/staff/studio/{survey.pk}/translation/", {"file": file})
        assert answer.status_code == status
    assert "the file has more than" in answer.content.decode()


def test_texts_of_a_translation_are_counted_while_they_are_read() -> None:
    with pytest.raises(TooLargeError, match=r"the file has more than 2 lines\."):
        words.read_texts(b"place,en,de\na,,\nb,,\nc,,\n", 2)
    assert words.read_texts(b"place,en,de\na,,A\n\n\nb,,'=B\n", 2) == ("de", {"a": "A", "b": "=B"})


def test_a_table_of_texts_may_have_semicolons() -> None:
    """As spreadsheets save it where the comma stands in numbers."""
    table = 'place;en;de\r\na;Yes, often;"Ja; oft"\r\n'

    assert words.read_texts(b"\xef\xbb\xbf" + table.encode(), 2) == ("de", {"a": "Ja; oft"})


def test_labels_of_a_hierarchy_are_counted_before_they_are_read() -> None:
    with pytest.raises(TooLargeError, match="A hierarchy has at most 100000 labels"):
        people.rows_of("\n".join(f"{n};*" for n in range(60_000)))


def test_a_value_that_stands_twice_in_a_long_hierarchy_is_found_at_once() -> None:
    seconds = time.thread_time()
    with pytest.raises(EntryError, match=r"49998.? appears twice"):
        people.rows_of("\n".join(f"{n};*" for n in [*range(50_000 - 1), 49_998]))
    assert time.thread_time() - seconds < 2


def test_an_outline_is_read_apart_and_what_was_read_is_checked(ann: Client) -> None:
    """Nobody sends lines by hand that no file could have given."""
    survey = make_draft()
    town = {"type": "LineString", "coordinates": [[13.3, 52.4], [13.4, 52.5], [13.5, 52.4]]}
    change(ann, survey, {"do": "add", "type": "place", "lines": "Where do you live?"})
    sent = {"do": "map", "question": "live", "field": "outline"}
    by_hand = {"width": 10, "height": 10, "cell": 1, "lines": [[0, 0, 99, 99]], "degrees": [1, 2, 3, 4]}
    statuses = [change(ann, survey, sent | {"value": value}) for value in (json.dumps(town), "{}", by_hand)]
    assert statuses == [200, 422, 422]


def change(client: Client, survey: Survey, said: dict[str, Any]) -> int:
    body = json.dumps({"tab": "t", "base": 10**6, "change": said})
    return client.post(f"/staff/studio/{survey.pk}/change/", body, content_type="application/json").status_code


def make_draft() -> Survey:
    """A draft of the only person there is."""
    return begin(User.objects.get(), empty("Mine", ["en"]) | {"protection": usual()})


def folder() -> Path:
    path = settings.CANDOR_DATA / "run"
    path.mkdir(exist_ok=True)
    return path


def test_an_empty_file_is_called_one() -> None:
    """No process is asked to read it."""
    with pytest.raises(EntryError, match="the file is empty"):
        read_apart(None, "page texts", b"", "it")
