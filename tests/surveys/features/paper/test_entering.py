"""Sheets of paper that staff enter: all of a batch or none, as a page would send them."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from privacy.errors import EntryError, InputError
from privacy.own_draw.typed import EntryErrors
from surveys.domain.closed.erase import erase
from surveys.domain.messages.submission import Stored
from surveys.domain.people.log import notes
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import read_document
from surveys.domain.responses import receive
from surveys.domain.responses.seal import BATCH, seal
from surveys.features.paper import batches
from surveys.features.paper.batches import UnsettledError, enter_batch
from surveys.features.paper.form import form_of, turn_outcomes
from surveys.features.paper.layout import lay_out
from surveys.features.paper.report import say_error
from surveys.features.paper.sheets import SheetTable, read_sheets, settle
from surveys.models import Inbox, PaperBatch, QuotaCount, Survey, SurveyVersion
from surveys.sentences import sentence_of
from tests.surveys.documents import options, question
from tests.surveys.features.paper.sheets_of import (
    BORN,
    clerk_of,
    crosswise,
    extended,
    of_paper,
    publish_paper,
    sheet_file,
    table_of,
    take_few,
)
from tests.surveys.inbox import wait
from tests.surveys.making import make_survey
from tests.surveys.sealed import open_answers
from tests.surveys.sending import send, submission
from tests.surveys.staff import browser_of


@pytest.fixture(autouse=True)
def one_sheet(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Most tests enter few sheets."""
    if "few" not in request.fixturenames:
        take_few(monkeypatch, 1)


@pytest.fixture
def few() -> None:
    """For a test of how few sheets a stack may have."""


@pytest.fixture
def version() -> SurveyVersion:
    return publish_paper(crosswise("copied", "stolen"), BORN)


def refused(version: SurveyVersion, text: str, counted: int, aside: int = 0, again: str = "") -> str:
    """Why nothing was stored."""
    with pytest.raises(InputError) as caught:
        enter_batch(version, counted, aside, table_of(text), table_of(again) if again else None)
    assert not Inbox.objects.exists()
    assert not PaperBatch.objects.exists()
    return sentence_of(caught.value)


def test_sheets_are_stored_as_a_page_stores_its_answers(version: SurveyVersion) -> None:
    """The same bytes under random keys, sealed with the others; the mode is beside, and each has a receipt."""
    rows = ["1,1,2", "2,2,1"] * 20
    receipts = enter_batch(version, 41, 1, table_of(sheet_file(version, *rows)))
    close(version.survey)
    snapshot = seal(version)

    assert all(receive.is_receipt(receipt, version.survey) for receipt in receipts)
    assert receipts == sorted(receipts)
    assert snapshot is not None
    assert Counter(tuple(sorted(one.items())) for one in open_answers(snapshot)) == {
        (("born", "1"), ("mode", "paper")): 20,
        (("born", "0"), ("mode", "paper")): 20,
    }
    batch = PaperBatch.objects.get()
    assert (batch.counted, batch.aside, batch.sheets, batch.compared) == (41, 1, 40, 0)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["1,3,2"], "Sheet 1: “3” is no box of “copied”, which has 1 to 2."),
        (["1,1,2", "1,x,2"], "Sheet 2: “x” is no box of “copied”, which has 1 to 2."),
        (["1," + "9" * 5000 + ",2"], "Sheet 1: “99999999999999999999” is no box of “copied”, which has 1 to 2."),
        (["1,,2"], "Sheet 1: no box of “copied” is crossed. Set the sheet aside, and leave its row out."),
    ],
)
def test_a_box_that_is_not_there_refuses_the_whole_file(version: SurveyVersion, rows: list[str], sentence: str) -> None:
    """One sentence names the sheet, the question and the rule."""
    assert refused(version, sheet_file(version, *rows), len(rows)) == sentence


def test_a_sheet_of_another_version_is_refused(version: SurveyVersion) -> None:
    """Its questions may mean something else."""
    text = "version,born,copied,stolen\n00000000,1,1,1\n"

    assert refused(version, text, 1) == (
        f"Sheet 1: a sheet of version “00000000” cannot be entered; the survey takes version {version.sha256[:8]}."
    )


def test_half_a_file_is_refused(version: SurveyVersion) -> None:
    """By its columns, by its last line, or by the count of the stack."""
    whole = sheet_file(version, "1,1,1", "1,1,1", "1,1,1")

    assert "no column “stolen”: is a part of it missing?" in refused(version, "version,born,copied\n", 3)
    assert "line 4 has 2 values, and the header names 4 columns." in refused(version, whole[:-5], 3)
    assert refused(version, sheet_file(version, "1,1,1"), 3, 1) == (
        "Entered: 1, set aside: 1, counted: 3. Is a part of the file missing? Nothing was stored."
    )


def test_a_stack_of_few_waits_for_more(few: None, version: SurveyVersion) -> None:
    """Who saw somebody at the box would know that one of few sheets is theirs; so many are sealed together, too."""
    assert refused(version, sheet_file(version, *["1,1,1"] * 19), 20, 1) == (
        "A stack has 20 sheets or more, so that nobody knows whose are in it. Keep these 19 in the box until there are "
        "enough: nothing was stored."
    )
    assert len(enter_batch(version, 20, 0, table_of(sheet_file(version, *["1,1,1"] * 20)))) == BATCH


def test_field_lets_people_answer_on_paper(client: Client) -> None:
    """From the next version on: the tick is kept in the draft."""
    survey = make_survey(direct=False)
    client.force_login(User.objects.create_superuser("boss"))
    field = client.get(reverse("studio:fieldwork", args=[survey.pk]), {"way": "paper"}).content.decode()
    saved = reverse("studio:paper-choose", args=[survey.pk])
    shown = client.post(saved, {"paper": "on"}, follow=True).content.decode()

    assert re.findall(r'<form[^>]* action="([^"]*)"(?:(?!</form>).)*name="paper"', field, re.DOTALL) == [saved]
    assert "is disguised by the device, which a sheet of paper has not" in shown
    assert read_document(survey)["paper"] is True


def test_pages_say_in_hundreds_how_many_sheets_were_entered(few: None, version: SurveyVersion) -> None:
    """Field and the history are the same whether a stack has 20 sheets or 99."""
    client = browser_of(User.objects.create_superuser("boss"))
    seen = []
    for place, sheets in enumerate((20, 78)):
        text = sheet_file(version, *["1,1,1"] * sheets, f"{place % 2 + 1},1,1")
        sent = {"counted": sheets + 1, "aside": 0, "typed": text, "token": str(place)}
        assert client.post(reverse("studio:paper", args=[version.survey.pk]), sent).status_code == 200
        page = client.get(reverse("studio:fieldwork", args=[version.survey.pk])).content.decode()
        seen.append((re.findall(r"[^>]*sheets were entered", page), notes(version.survey, 9)[0].what))

    assert seen[0] == seen[1] == (["Up to 100 sheets were entered"], "Paper: a stack of sheets was entered.")


def test_what_was_entered_twice_counts_in_full_hundreds_of_sheets(client: Client, version: SurveyVersion) -> None:
    """Pages, the API, files and figures are alike at two moments between which one stack or one response came."""

    def enter(sheets: int, number: int) -> None:
        text = sheet_file(version, *["1,1,1"] * sheets, f"{number % 2 + 1},1,1")
        again = f"sheet,version,born,copied,stolen\n1,{version.sha256[:8]},1,1,{number % 2 + 1}\n"
        first = replace(table_of(text), content=bytes([number]))
        enter_batch(version, sheets + 1, 0, first, table_of(again), {"1-stolen": "first"})

    def seen() -> tuple[EntryErrors | None, str, bytes]:
        read = SurveyVersion.objects.get(pk=version.pk)
        return read.entry_errors, say_error(read), read.design.canonical()

    enter(59, 0)
    enter(189, 1)
    first = seen()
    seal(version)
    second = seen()
    assert send(client, "study", submission(version, open={"born": "1", "mode": "web"})).status_code == 201
    enter(39, 2)
    seal(version)
    third = seen()
    close(version.survey)
    seal(version)

    assert first[0] is None
    assert second == third
    assert second[0] == EntryErrors(4, 1, Fraction(3, 5))
    assert "Until it is closed, full hundreds of sheets count." in second[1]
    assert seen()[0] == EntryErrors(6, 1, Fraction(1))  # one came by web, which is of few: that must not show


def test_a_file_is_entered_once(version: SurveyVersion) -> None:
    """By what was read, whatever is said of it, and whichever program has saved it again."""
    text = sheet_file(version, "1,1,1", "2,1,2")
    enter_batch(version, 2, 0, table_of(text))

    saved = text, text.replace("\n", "\r\n"), text.replace(",2\n", ',"2"\n'), "\ufeff" + text.rstrip("\n")
    for again in saved:
        with pytest.raises(EntryError, match="This file was entered before: nothing was stored"):
            enter_batch(version, 3, 1, table_of(again))
    assert (Inbox.objects.count(), PaperBatch.objects.count()) == (2, 1)


def test_what_is_kept_of_a_file_lets_nobody_try_what_it_said(version: SurveyVersion) -> None:
    """Of one sheet there are few files: a person who has the database alone finds none of them by its hash."""
    enter_batch(version, 1, 0, table_of(sheet_file(version, "1,2,1")))
    files = [sheet_file(version, f"{born},{copied},{stolen}") for born in "12" for copied in "12" for stolen in "12"]

    kept = PaperBatch.objects.get().file

    assert kept not in {sha256(file.encode()).hexdigest() for file in files}


def test_a_file_stays_known_under_a_new_secret_key(version: SurveyVersion, settings: Any) -> None:
    """As long as the old key is kept beside it."""
    table = table_of(sheet_file(version, "1,2,1"))
    enter_batch(version, 1, 0, table)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 50, [settings.SECRET_KEY]

    with pytest.raises(EntryError, match="This file was entered before"):
        enter_batch(version, 1, 0, table)


def test_a_quota_closes_the_survey_behind_the_stack_that_takes_its_last_places() -> None:
    """People have filled in these sheets; the next ones are refused as those of any closed survey."""
    version = publish_paper(crosswise("copied"), quota=3)
    entered = []
    for rows in (["1"], ["1", "2", "1"]):
        enter_batch(version, len(rows), 0, table_of(sheet_file(version, *rows)))
        version.survey.refresh_from_db()
        entered.append((Inbox.objects.count(), version.survey.closed_at is None))

    assert entered == [(1, True), (4, False)]
    with pytest.raises(EntryError, match=r"This survey is closed: nothing was stored\."):
        enter_batch(version, 1, 0, table_of(sheet_file(version, "2")))


@pytest.mark.parametrize("again", [False, True], ids=["a stack", "one that was entered before"])
def test_who_enters_sheets_does_not_hear_how_many_places_are_left(again: bool) -> None:
    """A response more by web changes no answer until the survey is full, which everybody sees; else stacks of any size
    would count those who came, and two looks those who came in between."""
    version = publish_paper(crosswise("copied"), quota=13 if again else 9)
    stack = sheet_file(version, *["1"] * 6)
    if again:
        enter_batch(version, 6, 0, table_of(stack))

    def enter(by_web: int) -> tuple[str, bool]:
        with transaction.atomic():
            wait(version, [Stored(b"\0", b"{}")] * by_web)
            QuotaCount.objects.all().delete()  # it is counted again
            try:
                said = str(len(enter_batch(version, 6, 0, table_of(stack))))
            except EntryError as refusal:
                said = str(refusal)
            closed = Survey.objects.get().closed_at is not None
            transaction.set_rollback(True)
        return said, closed

    worlds = (0, 1, 2) if again else (3, 4, 8)
    assert len({enter(by_web) for by_web in worlds}) == 1


def test_a_page_of_a_sheet_that_is_missing_is_named() -> None:
    """Where nothing is crossed on it, and something on the other."""
    names = [f"q{number}" for number in range(12)]
    version = publish_paper(crosswise(*names))
    form = form_of(version)
    first = len(lay_out(form, form.lots[0])[0])
    row = ["1"] * first + [""] * (len(names) - first)

    assert refused(version, sheet_file(version, ",".join(row)), 1) == (
        "Sheet 1: nothing is crossed on page 2. Is it missing? Set the sheet aside."
    )


def test_a_second_entry_shows_how_many_answers_are_wrong(version: SurveyVersion) -> None:
    """Drawn answers alone are compared, and nothing of the comparison but two counts is stored."""
    first = sheet_file(version, "1,1,1", "1,2,2", "1,1,2")
    again = "sheet,version,born,copied,stolen\n"
    again += "".join(f"{row}\n" for row in (f"3,{version.sha256[:8]},2,1,1", f"1,{version.sha256[:8]},1,1,1"))
    enter_batch(version, 3, 0, table_of(first), table_of(again), {"3-born": "first", "3-stolen": "first"})

    batch = PaperBatch.objects.get()
    assert (batch.compared, batch.differing) == (4, 1)


@pytest.mark.parametrize(
    ("mended", "again", "counted"),
    [
        (["1,1,1", "1,2,1", "1,1,2"], ["1,{},1,1,1", "2,{},1,2,1"], [(4, 1)]),  # the first entry is mended
        (["1,1,1", "1,1,1", "1,1,2"], ["1,{},1,1,1", "2,{},1,1,1"], [(4, 1)]),  # or the second
        (["1,1,1", "1,2,1", "1,1,2"], [], [(4, 1), (0, 0)]),  # none of it is sent
        (["1,1,1", "1,2,1", "1,1,2"], ["2,{},1,2,1", "3,{},1,1,2"], [(4, 1), (4, 0)]),  # other sheets are typed twice
    ],
)
def test_what_was_typed_twice_counts_as_it_was_typed_whatever_is_sent_then(
    version: SurveyVersion, mended: list[str], again: list[str], counted: list[tuple[int, int]]
) -> None:
    """Else who mends what differs, or throws the stack away, would seem to type without errors."""

    def second(rows: list[str]) -> SheetTable:
        return table_of("\n".join(["sheet,version,born,copied,stolen", *rows]).replace("{}", version.sha256[:8]))

    typed = replace(table_of(sheet_file(version, "1,1,1", "1,1,1", "1,1,2")), token="a")
    for _time in range(2):
        with pytest.raises(UnsettledError):
            enter_batch(version, 3, 0, typed, second(["1,{},1,1,1", "2,{},1,2,1"]))
    assert not Inbox.objects.exists()
    enter_batch(version, 3, 0, table_of(sheet_file(version, *mended)), second(again) if again else None)

    batches = PaperBatch.objects.order_by("pk")
    assert [(one.compared, one.differing) for one in batches] == counted
    assert sum(one.sheets for one in batches) == 3


@pytest.mark.parametrize(
    ("settled", "stored"),
    [
        ({"3-born": "first", "3-stolen": "first"}, [([1, 1], "1"), ([0, 0], "0"), ([1, 0], "1")]),
        ({"3-born": "second", "3-stolen": "second"}, [([1, 1], "1"), ([0, 0], "0"), ([1, 1], "0")]),
        ({"3-born": "neither", "3-stolen": "second"}, [([1, 1], "1"), ([0, 0], "0")]),
    ],
)
def test_what_differs_is_settled_before_anything_is_stored(
    version: SurveyVersion,
    settled: dict[str, str],
    stored: list[tuple[list[int], str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a look at the sheet; undisguised answers, too. All differences are counted as they were typed."""
    first = sheet_file(version, "1,1,1", "2,2,2", "1,1,2")
    again = f"sheet,version,born,copied,stolen\n3,{version.sha256[:8]},2,1,1\n"

    for part in ({}, {"3-born": "first"}, settled | {"3-born": "both"}):
        with pytest.raises(UnsettledError) as unsettled:
            enter_batch(version, 3, 0, table_of(first), table_of(again), part)
        found = [(one.name, one.typed) for one in unsettled.value.args]
        assert found == [("3-born", ("1", "2")), ("3-stolen", ("2", "1"))]
    assert not Inbox.objects.exists()
    seen: list[tuple[list[int | None], str]] = []
    receive_together = batches.receive_together
    monkeypatch.setattr(
        batches,
        "receive_together",
        lambda version, sheets: (
            seen.extend((sheet.record, sheet.open["born"]) for sheet in sheets) or receive_together(version, sheets)
        ),
    )
    enter_batch(version, 3, 0, table_of(first), table_of(again), settled)
    batch = PaperBatch.objects.get()
    assert seen == stored
    assert (batch.counted, batch.aside, batch.compared, batch.differing) == (3, 3 - len(stored), 2, 1)


@pytest.mark.parametrize(
    ("sheets", "sentence"),
    [
        (["4"], "The second entry has sheet “4”; the first has sheets 1 to 1."),
        (["1", "1"], "The second entry has sheet “1” twice."),
    ],
)
def test_a_second_entry_names_sheets_of_the_first(version: SurveyVersion, sheets: list[str], sentence: str) -> None:
    """Each once."""
    mark = version.sha256[:8]
    again = "sheet,version,born,copied,stolen\n" + "".join(f"{sheet},{mark},1,1,1\n" for sheet in sheets)

    assert refused(version, sheet_file(version, "1,1,1"), 1, again=again) == sentence


def test_looks_and_windows_are_lots_of_sheets() -> None:
    """Two looks and five windows; the record of the second look is turned over, and the window is stored nowhere."""
    version = publish_paper([extended()])
    form = form_of(version)
    lots = [(lot.look, lot.turn) for lot in form.lots]
    read = read_sheets(form, table_of(sheet_file(version, *(f"{lot:02},1" for lot in range(1, 11)))))

    assert lots == [(look, turn) for look in (0, 1) for turn in (0, 2, 4, 6, 8)]
    assert form.columns == ["version", "lot", "copied"]
    draw = version.design.blocks[0].draw
    assert draw is not None
    assert [turn_outcomes(draw.drawn, turn)[0][0] for turn in (0, 2, 8)] == [["0", "1"], ["2", "3"], ["8", "9"]]
    assert [one.record for one in read] == [[1]] * 5 + [[0]] * 5


def test_a_page_cannot_say_that_it_is_paper(client: Client, version: SurveyVersion) -> None:
    """Staff alone do."""
    message = submission(version, record=[0, 1], open={"born": "1", "mode": "paper"})
    forged = send(client, "study", message)
    honest = send(client, "study", {**message, "open": {"born": "1", "mode": "web"}})

    assert (forged.status_code, honest.status_code) == (422, 201)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"blocks": [{"keep": 0.5, "items": [{"id": "copied", "theta": 0.5}]}]}, "is disguised by the device"),
        ({"access": "invitation", "key": {"n": "AQAB", "e": "AQAB"}}, "choose the open link"),
        ({"others": [question("why", "text")]}, "“why” cannot be asked on paper"),
        ({"others": [question("lot", "yesno")]}, "“lot” is a column of files of sheets"),
        (
            {
                "others": [
                    BORN,
                    question("where", "choice", options=options("a", "b"), when={"question": "born", "is": ["1"]}),
                ]
            },
            "“where” has “when”, which needs a screen.",
        ),
    ],
)
def test_what_no_sheet_can_ask_is_refused_before_publishing(changed: dict, sentence: str) -> None:
    """In one sentence that names the question."""
    fields = {name: value for name, value in changed.items() if name in ("access", "key")}
    with pytest.raises(InputError) as caught:
        of_paper(changed.get("blocks", crosswise("copied")), *changed.get("others", ()), checked=True, **fields)

    assert sentence in sentence_of(caught.value)


def workbook(text: str) -> SimpleUploadedFile:
    """The file of these rows as XLSX."""
    book, file = Workbook(), BytesIO()
    for line in text.splitlines():
        book.active.append(line.split(","))
    book.save(file)
    return SimpleUploadedFile("sheets.xlsx", file.getvalue())


@pytest.mark.parametrize("way", ["CSV", "XLSX", "typed"])
@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("1,1,1,1,1,", "Sheet 1: this lot does not ask “q3”."),
        ("1,1,1,,,", "Sheet 1: no box of “q2” is crossed. Set the sheet aside, and leave its row out."),
        ("1,1,1,3,,", "Sheet 1: “3” is no box of “q2”, which has 1 to 2."),
    ],
)
def test_a_record_that_the_design_cannot_give_is_refused_however_it_comes(way: str, row: str, sentence: str) -> None:
    """Three of five are asked by a public lot, so a sheet of the first lot has exactly its three; nothing is stored."""
    outcomes = [{"of": list("1234"), "says": "truth"}, {"of": list("56"), "says": "other"}]
    items = [{"id": f"q{place}"} for place in range(5)]
    draw = {"way": "unrelated", "source": "die", "outcomes": outcomes, "other": [{"source": "die", "of": [*"123"]}]}
    version = publish_paper([{"by": "person", "ask": 3, "draw": draw, "items": items}])
    text = sheet_file(version, row)
    sent = {"CSV": SimpleUploadedFile("sheets.csv", text.encode()), "XLSX": workbook(text), "typed": text}[way]
    posted = {"counted": 1, "aside": 0, "token": "a", "typed" if way == "typed" else "file": sent}
    answer = clerk_of(version).post(f"/staff/studio/{version.survey.pk}/paper/", posted)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Inbox.objects.exists()
    assert not PaperBatch.objects.exists()


def test_a_clerk_enters_a_workbook_and_reads_no_figure(version: SurveyVersion) -> None:
    """XLSX as CSV; the page says how many were entered, and gives receipts in no order."""
    client, address = clerk_of(version), f"/staff/studio/{version.survey.pk}/paper/"
    answer = client.post(address, {"counted": 2, "aside": 0, "file": workbook(sheet_file(version, "1,2,1", "2,1,1"))})

    assert answer.status_code == 200
    assert "Paper: 2 sheets were entered." in answer.content.decode()
    assert len(answer.context["receipts"]) == Inbox.objects.count() == 2
    assert client.get(f"/staff/studio/{version.survey.pk}/fieldwork/").status_code == 404


def test_what_was_typed_stays_on_the_page_where_it_is_refused(version: SurveyVersion) -> None:
    """Nothing of it is lost; typed alike on another page it is another stack, and sent twice it is refused."""
    client, address = clerk_of(version), f"/staff/studio/{version.survey.pk}/paper/"
    wrong = client.post(address, {"counted": 1, "aside": 0, "typed": sheet_file(version, "9,1,1"), "token": "a"})
    right = {"counted": 1, "aside": 0, "typed": sheet_file(version, "1,1,1")}
    statuses = [client.post(address, {**right, "token": token}).status_code for token in "aab"]

    assert wrong.status_code == 422
    assert ",9,1,1" in wrong.content.decode()
    assert statuses == [200, 422, 200]


def test_batches_are_erased_with_their_survey(version: SurveyVersion) -> None:
    """And nothing of them is left."""
    enter_batch(version, 1, 0, table_of(sheet_file(version, "1,1,1")))
    erase(version.survey)

    assert not PaperBatch.objects.exists()


def test_nobody_types_for_a_survey_that_is_closed(version: SurveyVersion) -> None:
    """The page says so before; what was typed until then stays on it."""
    client, address = clerk_of(version), f"/staff/studio/{version.survey.pk}/paper/"
    close(version.survey)
    late = client.post(address, {"counted": 1, "aside": 0, "typed": sheet_file(version, "1,1,1")})

    assert "This survey is closed: nothing was stored." in client.get(address).content.decode()
    assert (late.status_code, ",1,1,1" in late.content.decode()) == (422, True)


def test_a_clerk_reads_the_title_of_the_sheets(version: SurveyVersion) -> None:
    """The working title is for who works on the survey."""
    Survey.objects.update(title="Pilot in school B")
    shown = clerk_of(version).get(f"/staff/studio/{version.survey.pk}/paper/").content.decode()

    assert version.parsed.source["title"]["en"] in shown
    assert "Pilot in school B" not in shown


def test_a_clerk_finds_the_surveys_to_enter(version: SurveyVersion) -> None:
    """The page after signing in leads there, and nowhere else."""
    shown = clerk_of(version).get("/staff/studio/").content.decode()

    assert f"/staff/studio/{version.survey.pk}/paper/" in shown
    assert f"/staff/studio/{version.survey.pk}/fieldwork/" not in shown


def test_the_page_shows_what_differs_and_stores_once_it_is_settled(ann: Client, version: SurveyVersion) -> None:
    """Each question with its boxes and the place of its sheet in the stack; a file is settled as what is typed is.

    A stack that was stored before is refused at once: nobody settles it in vain.
    """
    address, mark = reverse("studio:paper", args=[version.survey_id]), version.sha256[:8]
    again = f"sheet,version,born,copied,stolen\n2,{mark},1,1,1\n"
    first = sheet_file(version, "1,1,1", "1,2,1")
    typed = {"counted": 3, "aside": 1, "typed": first, "typed_again": again, "token": "t", "places": "1,3"}
    files = {"counted": 2, "aside": 0, "file": workbook(first), "again": workbook(again)}
    for sent, place in ((typed, "3"), (files, "2")):
        shown = ann.post(address, sent)
        page = shown.content.decode()
        assert (shown.status_code, Inbox.objects.count()) == (422, 0)
        assert f"Sheet {place} from the top</h2>" in page
        assert '<legend class="soft">2 I have copied.</legend>' in page
        assert re.findall(r'value="(\w+)" required><span>([^<]*)<small>', page) == [
            ("first", "2 Both yes, or both no"),
            ("second", "1 One yes, one no"),
            ("neither", "Neither"),
        ]
        kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    stored = ann.post(address, kept | {"2-copied": "second"})
    assert "Paper: 2 sheets were entered." in stored.content.decode()
    batch = PaperBatch.objects.get()
    assert (Inbox.objects.count(), batch.compared, batch.differing) == (2, 2, 1)
    refused = ann.post(address, files | {"file": workbook(first), "again": workbook(again)})
    assert "This file was entered before: nothing was stored." in refused.content.decode()


def test_a_file_that_too_many_sheets_leave_stays_the_same_file(few: None, ann: Client, version: SurveyVersion) -> None:
    """Its rows stay on the page to be mended; stored from there it is known, and the file is not entered again."""
    address, mark = reverse("studio:paper", args=[version.survey_id]), version.sha256[:8]
    first = sheet_file(version, "1,2,1", *["1,1,1"] * 19)
    file = SimpleUploadedFile("a.csv", first.encode())
    again = SimpleUploadedFile("b.csv", f"sheet,version,born,copied,stolen\n1,{mark},1,1,1\n".encode())
    sent = {"counted": 20, "aside": 0, "token": "of the page", "file": file, "again": again}
    shown = ann.post(address, sent).content.decode()
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown))
    refused = ann.post(address, kept | {"1-copied": "neither"})

    assert "A stack has 20 sheets or more" in refused.content.decode()
    mended = {"counted": 20, "aside": 0, "typed": first, "token": refused.context["token"]}
    assert ann.post(address, mended).status_code == 200
    file.seek(0)
    late = ann.post(address, {"counted": 20, "aside": 0, "token": "another", "file": file})
    assert "This file was entered before: nothing was stored." in late.content.decode()


def test_a_typed_stack_is_stored_once_though_a_sheet_of_it_was_taken_back_since(version: SurveyVersion) -> None:
    """Two windows went on with one stack: the second one has another sheet in it, and is refused."""
    stacks = [replace(table_of(sheet_file(version, "1,1,1", last)), token="a") for last in ("1,2,1", "1,1,1")]
    enter_batch(version, 2, 0, stacks[0])

    with pytest.raises(EntryError, match="This file was entered before: nothing was stored"):
        enter_batch(version, 2, 0, stacks[1])
    assert enter_batch(version, 2, 0, replace(stacks[1], token="b"))


def test_a_lot_that_was_typed_in_two_ways_is_settled_with_its_whole_sheet() -> None:
    """Its boxes mean something else: of the second look the other record, of other questions another sheet."""
    version = publish_paper([extended()])
    first = sheet_file(version, "1,1", "1,2")
    again = f"sheet,version,lot,copied\n2,{version.sha256[:8]},6,2\n"
    form = form_of(version)

    with pytest.raises(UnsettledError) as unsettled:
        enter_batch(version, 2, 0, table_of(first), table_of(again))
    (found,) = unsettled.value.args
    assert (found.name, found.typed) == ("2-lot", ("01", "06"))
    kept = [
        [sheet.record for sheet in read_sheets(form, settle(table_of(first), [found], {"2-lot": shows}))]
        for shows in ("first", "second", "neither")
    ]
    assert kept == [[[1], [0]], [[1], [1]], [[1]]]
    enter_batch(version, 2, 0, table_of(first), table_of(again), {"2-lot": "second"})
    batch = PaperBatch.objects.get()
    assert (batch.compared, batch.differing) == (1, 1)


def test_digits_of_any_script_are_the_same_box(version: SurveyVersion) -> None:
    """A program may write 01, or the digits of its language."""
    again = f"sheet,version,born,copied,stolen\n1,{version.sha256[:8]},01,١,２\n"

    assert enter_batch(version, 1, 0, table_of(sheet_file(version, "1,1,2")), table_of(again))
    assert PaperBatch.objects.get().differing == 0


def test_another_number_of_sheets_than_was_counted_is_refused_before_and_after_settling(version: SurveyVersion) -> None:
    """A second entry of more sheets than the first has is refused, too; nobody is asked what such sheets show."""
    first, mark = sheet_file(version, "1,1,1", "1,2,1"), version.sha256[:8]
    again = f"sheet,version,born,copied,stolen\n2,{mark},1,1,1\n"
    for counted in (1, 3):
        assert "nothing was stored" in refused(version, first, counted, again=again).lower()
    assert "the first has sheets 1 to 2" in refused(version, first, 2, again=again + f"3,{mark},1,1,1\n")
