"""The form for ODK: each draw is a note, each press a select. Its CSV is a stack without times and devices."""

import csv
import io
import re
from typing import Any

from openpyxl import load_workbook

from surveys.features.paper.batches import enter_batch
from surveys.features.paper.form import form_of
from surveys.features.paper.odk import write_form
from surveys.models import Inbox, SurveyVersion
from tests.surveys.features.paper.sheets_of import BORN, crosswise, extended, publish_paper, table_of
from tests.surveys.inbox import responses_waiting
from tests.surveys.staff import browser_of, somebody

LABEL = "label::English (en)"


def sheets_of(version: SurveyVersion) -> dict[str, list[dict[str, Any]]]:
    book = load_workbook(io.BytesIO(write_form(form_of(version))))
    read = {sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book}
    return {name: [dict(zip(head, row, strict=True)) for row in rows] for name, (head, *rows) in read.items()}


def shown(rows: list[dict[str, Any]], lot: int) -> list[dict[str, Any]]:
    """What a device shows that has drawn this lot."""

    def is_relevant(row: dict[str, Any]) -> bool:
        said = row.get("relevant")
        return not said or any(int(number) == lot for number in re.findall(r"\$\{lot\} = (\d+)", said))

    return [row for row in rows if is_relevant(row)]


def test_each_draw_is_a_note_before_its_question() -> None:
    """The words are those of sheets, and boxes have their numbers."""
    version = publish_paper(crosswise("copied"), BORN)

    sheets = sheets_of(version)

    assert [(row["type"], row["name"]) for row in sheets["survey"]] == [
        ("calculate", "version"),
        ("note", "candor_who"),
        ("note", "candor_why"),
        ("note", "candor_consent"),
        ("select_one born_boxes", "born"),
        ("note", "candor_draw_1_0"),
        ("select_one copied_boxes", "copied"),
    ]
    assert sheets["survey"][0]["calculation"] == f"'{version.sha256[:8]}'"
    assert sheets["survey"][5][LABEL].splitlines() == [
        "Roll a die. Leave it in view.",
        "Keep it to yourself.",
        "Look at both questions. Then put one cross. Did you get one of these: 6?",
    ]
    assert [(row["list_name"], row["name"], row[LABEL]) for row in sheets["choices"]] == [
        ("born_boxes", "1", "Yes"),
        ("born_boxes", "2", "No"),
        ("copied_boxes", "1", "One yes, one no"),
        ("copied_boxes", "2", "Both yes, or both no"),
    ]


def test_the_device_draws_the_lot_once_and_shows_its_draw_alone() -> None:
    """Ten kinds of sheets: each shows one note, and all have the same question."""
    version = publish_paper([extended()], BORN)

    rows = sheets_of(version)["survey"]

    form = form_of(version)
    assert rows[1] | {"type": "calculate"} == rows[1]
    assert rows[1]["calculation"] == f"once(int(random() * {len(form.lots)}) + 1)"
    for lot in range(1, len(form.lots) + 1):
        own = [row["name"] for row in shown(rows, lot)]
        assert own[-1] == "copied"
        assert len([name for name in own if name.startswith("candor_draw")]) == 1
    notes = {row[LABEL] for row in rows if str(row["name"]).startswith("candor_draw")}
    assert len(notes) == len(form.lots)


def test_what_odk_gives_back_is_a_stack_without_times_and_devices() -> None:
    """Columns of ODK are not read, a strange column of any other file is refused."""
    version = publish_paper(crosswise("copied"), BORN)
    heads = ["SubmissionDate", "version", "candor_who", "born", "copied", "meta-instanceID", "KEY", "DeviceID"]
    lines = [
        heads,
        *(["2027-01-01", version.sha256[:8], "", "1", str(1 + n % 2), "uuid", "uuid", "x"] for n in range(20)),
    ]
    text = io.StringIO()
    csv.writer(text).writerows(lines)

    receipts = enter_batch(version, 20, 0, table_of(text.getvalue()))

    assert (len(receipts), Inbox.objects.count()) == (20, 20)
    assert {one.open for one in responses_waiting(version)} == {b'{"born":"1","mode":"paper"}'}
    assert sorted(one.record[0] & 0b01000000 for one in responses_waiting(version)) == [0] * 10 + [64] * 10


def test_staff_take_the_form_from_field() -> None:
    """Where a version may be answered on paper, and people are enough for its kinds."""
    version = publish_paper(crosswise("copied"), BORN)
    address = f"/staff/studio/{version.survey.pk}/paper/odk/"

    answer = browser_of(somebody()).get(address)

    assert answer["Content-Disposition"] == 'attachment; filename="study-odk.xlsx"'
    assert answer.content[:2] == b"PK"
    few = publish_paper([extended()], slug="few", expected=100)
    assert browser_of(somebody("view")).get(f"/staff/studio/{few.survey.pk}/paper/odk/").status_code == 404
