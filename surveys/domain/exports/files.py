"""The files of a snapshot: what there is, how each is made, whole or not at all, and who took which."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_lazy

from privacy.design.channels import Sent
from privacy.errors import EntryError
from privacy.records.csv_rows import csv_text
from privacy.version import maker
from surveys.domain.exports import codebook, making
from surveys.domain.exports.codebook import ddi
from surveys.domain.exports.columns import columns_of
from surveys.domain.exports.formats import FORMATS, RecordFormat
from surveys.domain.exports.sheet import is_apart, refusal, sheet_of, texts_apart
from surveys.domain.responses import disclosure
from surveys.models import Export, Snapshot

SCRIPTS = Path(__file__).parent / "scripts"
READ_RECORDS = ("reproduce.py", "reproduce.R")


@dataclass(frozen=True)
class File:
    """A file of a snapshot. With `responses`, `refusal` may forbid it, and its takers are noted; `needs`: a package."""

    name: str
    label: Any  # a lazy translation
    content_type: str
    write: Callable[[Path, Snapshot], None]
    responses: bool = False
    needs: str = ""


def _text(make: Callable[[Snapshot], str | bytes]) -> Callable[[Path, Snapshot], None]:
    """Turn a function that returns the content of a file into one that writes the file."""

    def write(path: Path, snapshot: Snapshot) -> None:
        content = make(snapshot)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def _channels(snapshot: Snapshot) -> str:
    least = disclosure.least_of(snapshot)
    rows: list[list[object]] = [["item", "recorded", "true", "probability", "least", "column"]]
    for column in columns_of(snapshot.version.parsed, snapshot.version.design):
        for recorded, chances in zip(column.values, column.channel, strict=False):
            for true, chance in zip(column.values, chances, strict=True):
                rows.append([column.name, recorded.value, true.value, chance, least, column.variable])
    return csv_text(rows)


def _words_csv(snapshot: Snapshot) -> str:
    """The table words.csv: every word of a list that a device may send, its chances and the record that shows it."""
    columns = [column for column in columns_of(snapshot.version.parsed) if column.disguised]
    least = disclosure.least_of(snapshot)
    head = ["block", "item", "column", "value", "base", "own", "spare", "common", "least", "word", "loss"]
    rows: list[list[object]] = [[*head, *(column.variable for column in columns)]]
    for number, (first, sent) in enumerate(_word_lists(snapshot), 1):
        for one in sent:
            cells: list[object] = [""] * len(columns)
            for index, code in enumerate(one.record.tolist(), first):
                cells[index] = columns[index].values[code].value
            answer = ["", "", ""]
            if one.answer is not None:
                column = columns[first + one.answer[0]]
                answer = [column.name, column.variable, column.values[one.answer[1]].value]
            chances = ["" if chance is None else chance for chance in (one.base, one.own, one.most_lost, one.common)]
            loss = "" if one.loss is None else one.loss
            rows.append([number, *answer, *chances, least, ",".join(one.word), loss, *cells])
    return csv_text(rows)


def _word_lists(snapshot: Snapshot) -> list[tuple[int, Sequence[Sent]]]:
    """The lists of words of a version: of each, the number of its first item in the design and its words."""
    design = snapshot.version.design
    blocks = zip(design.first_columns, design.blocks, strict=True)
    lists = [(first, block.patterns.word_list) for first, block in blocks if block.distribution is None]
    return [(first, words.sent) for first, words in lists if words is not None and words.sent]


def _design(snapshot: Snapshot) -> bytes:
    return snapshot.version.design.canonical()


def _script_writer(name: str) -> Callable[[Path, Snapshot], None]:
    return _text(lambda _snapshot: f"{(SCRIPTS / name).read_text('utf-8')}\n# {maker()}\n")


def _records_writer(form: RecordFormat) -> Callable[[Path, Snapshot], None]:
    return lambda path, snapshot: form.write(path, sheet_of(snapshot))


CSV, TEXT, JSON = "text/csv; charset=utf-8", "text/plain; charset=utf-8", "application/json"
FILES: dict[str, File] = {
    file.name: file
    for file in (
        *(
            File(f"records.{each.name}", each.label, each.content_type, _records_writer(each), True, each.needs)
            for each in FORMATS.values()
        ),
        File(
            "texts.csv",
            gettext_lazy("What people wrote, in random order and without other answers"),
            CSV,
            _text(lambda snapshot: csv_text([("question", "text"), *texts_apart(snapshot)])),
            responses=True,
        ),
        File(
            "codebook.html",
            gettext_lazy("Codebook to read: questions, values, channel of every column"),
            "text/html; charset=utf-8",
            _text(codebook.as_html),
        ),
        File("codebook.json", gettext_lazy("Codebook for programs"), JSON, _text(codebook.as_text)),
        File("ddi.xml", gettext_lazy("Codebook for data archives (DDI-Codebook 2.5)"), "application/xml", _text(ddi)),
        File(
            "channels.csv", gettext_lazy("Chances of every recorded value, given the true one"), CSV, _text(_channels)
        ),
        File(
            "words.csv",
            gettext_lazy("Chances of every word that a device may send, and the row that shows it"),
            CSV,
            _text(_words_csv),
        ),
        File("design.json", gettext_lazy("The design, which the command candor reads"), JSON, _text(_design)),
        File(
            "questionnaire.json",
            gettext_lazy("The questionnaire, as sent to respondents' devices"),
            JSON,
            _text(lambda snapshot: bytes(snapshot.version.definition)),
        ),
        File(
            "reproduce.py",
            gettext_lazy("Python: the shares of the report from these files"),
            "text/x-python; charset=utf-8",
            _script_writer("reproduce.py"),
        ),
        File("reproduce.R", gettext_lazy("R: the same"), TEXT, _script_writer("reproduce.R")),
    )
}


def list_files(snapshot: Snapshot) -> list[File]:
    definition = snapshot.version.parsed
    few = disclosure.is_of_few(snapshot)
    apart = (
        not few and not definition.keeps_texts_in_records and any(is_apart(column) for column in columns_of(definition))
    )
    return [
        file
        for file in FILES.values()
        if (not file.needs or find_spec(file.needs))
        and (file.name != "texts.csv" or apart)
        and (file.name != "words.csv" or _word_lists(snapshot))
    ]


@contextmanager
def write_file(snapshot: Snapshot, name: str) -> Iterator[Path]:
    """Write a file of the snapshot, whole, in a folder that is removed after the block; EntryError if it cannot be."""
    file = next((file for file in list_files(snapshot) if file.name == name), None)
    if file is None:
        raise EntryError("There is not a file “{name}” of this survey.", name=name)
    if file.responses and (why_not := refusal(snapshot)):
        raise why_not
    with making.folder() as folder:
        path = folder / name
        file.write(path, snapshot)
        yield path


def note(snapshot: Snapshot, name: str, path: Path, user: User | None, by: str) -> Export:
    """Note that a person took this file, with its size and hash; `by`: their name, kept if the user is deleted."""
    version = snapshot.version
    with path.open("rb") as content:
        digest = file_digest(content, "sha256").hexdigest()
    return Export.objects.create(
        survey=version.survey,
        version=version.number,
        snapshot=snapshot.sha256,
        respondents=disclosure.count_people(snapshot, disclosure.is_settled(snapshot)),
        file=name,
        size=os.path.getsize(path),
        sha256=digest,
        by=by,
        user=user,
        at=timezone.now(),
    )


def take_file(snapshot: Snapshot, name: str, user: User, by: str) -> BinaryIO:
    """Write a file, note that it leaves if it has responses, and return it open; its folder is already removed."""
    with write_file(snapshot, name) as path:
        if FILES[name].responses:
            note(snapshot, name, path, user, by)
        return path.open("rb")


def download_name(snapshot: Snapshot, name: str) -> str:
    """The name for a downloaded file: the survey, its version, and “simulated” if its answers are."""
    version = snapshot.version
    simulated = "-simulated" if version.parsed.is_simulated else ""
    return f"{version.survey.slug}{simulated}-v{version.number}-{name}"
