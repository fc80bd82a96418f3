"""The pages of import and export."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from surveys.domain.drafts.beginnings import beginning
from surveys.domain.exchange import formats
from surveys.domain.people.roles import Role
from surveys.domain.questionnaire.document import questions, read_document
from surveys.models import DraftChange, Survey
from surveys.studio.home import begin
from tests.surveys.exchange.workbooks import form
from tests.surveys.staff import somebody

FORM = form(
    ("type", "name", "label", "calculation"),
    ("text", "a", "A <b>bold</b> question?", ""),
    ("calculate", "c", "", "1 + 1"),
    ("text", "B", "Another?", ""),
)
PLACE = "sheet survey, row 3, column type"
SAID = {
    "en": f"<strong>{PLACE}:</strong> “c” is left out: there is no question type “calculate”.",
    "zh-CN": "<strong>工作表 survey，第 3 行，type 列:</strong> “c”被略去：这里没有“calculate”类型的问题。",
}


def look(client: Client, content: bytes, called: str = "My form.xlsx") -> HttpResponse:
    return client.post("/staff/studio/import/", {"file": SimpleUploadedFile(called, content)})


def signature_of(page: HttpResponse) -> str:
    return html.unescape(re.search(r'name="read" value="([^"]+)"', page.content.decode())[1])


def test_a_file_is_looked_at_before_anything_is_stored(ann: Client) -> None:
    """The page shows what was understood and what was not; only accepting makes a draft."""
    page = look(ann, FORM)
    assert (page.status_code, Survey.objects.count()) == (200, 0)
    assert "“c” is left out" in page.content.decode()

    made = ann.post("/staff/studio/import/accept/", {"read": signature_of(page)})
    survey = Survey.objects.get()
    assert made["Location"] == f"/staff/studio/{survey.pk}/"
    assert [question["text"] for question in questions(read_document(survey))] == [
        {"en": "A bold question?"},
        {"en": "Another?"},
    ]
    assert (survey.title, survey.memberships.get().role) == ("My form", Role.OWNER)


@pytest.mark.parametrize(("written", "read_in"), [("zh-CN", "en"), ("en", "zh-CN"), ("en", "en")])
def test_what_was_left_out_is_said_in_the_language_of_whoever_reads(ann: Client, written: str, read_in: str) -> None:
    """Who imports and who reads the history need not have the same; place and sentence are of one language."""
    sent = {"file": SimpleUploadedFile("form.xlsx", FORM)}
    looked_at = ann.post("/staff/studio/import/", sent, headers={"Accept-Language": written})
    assert SAID[written] in html.unescape(looked_at.content.decode())
    ann.post("/staff/studio/import/accept/", {"read": signature_of(looked_at)}, headers={"Accept-Language": written})
    address = f"/staff/studio/{Survey.objects.get().pk}/history/"
    page = html.unescape(ann.get(address, headers={"Accept-Language": read_in}).content.decode())
    assert {tag: said in page for tag, said in SAID.items()} == {tag: tag == read_in for tag in SAID}


def test_a_draft_that_was_imported_before_shows_what_was_left_out_as_it_was_kept(ann: Client) -> None:
    """Its rows hold texts alone, with whatever signs stand in them."""
    ann.post("/staff/studio/import/accept/", {"read": signature_of(look(ann, FORM))})
    DraftChange.objects.update(notes=[["row 3", "100 % of it is left out."]])
    page = ann.get(
        f"/staff/studio/{Survey.objects.get().pk}/history/", headers={"Accept-Language": "zh-CN"}
    ).content.decode()
    assert "<strong>row 3:</strong> 100 % of it is left out." in page


@pytest.mark.parametrize("spoil", [lambda signed: signed[:-3] + "abc", lambda _signed: "", lambda _signed: "a:b:c"])
def test_only_what_the_site_has_read_is_accepted(ann: Client, spoil) -> None:
    """What was changed on the way is no draft."""
    answer = ann.post("/staff/studio/import/accept/", {"read": spoil(signature_of(look(ann, FORM)))})
    assert (answer["Location"], Survey.objects.count()) == ("/staff/studio/import/", 0)


def test_nobody_accepts_what_somebody_else_has_sent(ann: Client) -> None:
    signature = signature_of(look(ann, FORM))
    other = Client()
    other.force_login(somebody("view", "add"))
    assert other.post("/staff/studio/import/accept/", {"read": signature})["Location"] == "/staff/studio/import/"
    assert Survey.objects.count() == 0


def test_who_may_not_begin_surveys_imports_none(client: Client) -> None:
    client.force_login(somebody("view"))
    assert [client.get("/staff/studio/import/").status_code, look(client, FORM).status_code] == [403, 403]
    assert client.post("/staff/studio/import/accept/", {"read": "x"}).status_code == 403


def test_a_draft_leaves_in_each_format_and_comes_back(ann: Client) -> None:
    """As files with names and types of their own; what a format cannot say stands beside it."""
    document = beginning("corruption", "Mine", "en")
    survey = begin(User.objects.get(), document)
    page = ann.get(f"/staff/studio/{survey.pk}/export/").content.decode()
    assert page.count("Everything is in it.") == 2
    for kind in formats.FORMATS.values():
        if kind.write is None:
            continue
        answer = ann.get(f"/staff/studio/{survey.pk}/export/{kind.name}/")
        assert answer["Content-Disposition"] == f'attachment; filename="{survey.slug}.{kind.ending}"'
        assert answer["Content-Type"] == kind.content_type
        assert formats.read_survey(answer.content, "x")[1].document == read_document(survey)
    assert ann.get(f"/staff/studio/{survey.pk}/export/word/").status_code == 404


def test_export_and_import_give_the_same_bytes(ann: Client) -> None:
    """Through the pages; earlier files have a mark of the survey they are from, which nobody needs any more."""
    document = beginning("substance-use", "Mine", "zh-hans")
    content = formats.write_document(document)
    earlier = formats.write_document(document | {"lineage": "0f" * 16})
    ann.post("/staff/studio/import/accept/", {"read": signature_of(look(ann, earlier))})
    assert ann.get(f"/staff/studio/{Survey.objects.get().pk}/export/json/").content == content
