"""The pages of import and export."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from surveys.domain.drafts.beginnings import beginning
from surveys.domain.drafts.document import questions, read
from surveys.domain.exchange import formats, natural
from surveys.domain.people.roles import Role
from surveys.models import DraftChange, Survey
from surveys.studio.home import begin
from tests.surveys.admin.pages import somebody
from tests.surveys.exchange.workbooks import form

pytestmark = pytest.mark.django_db

FORM = form(
    ("type", "name", "label", "calculation"),
    ("text", "a", "A <b>bold</b> question?", ""),
    ("calculate", "c", "", "1 + 1"),
    ("text", "B", "Another?", ""),
)
LEFT = ["sheet survey, row 3, column type", "“c” is left out: there is no question of the type “calculate”."]


@pytest.fixture
def ann(client: Client) -> Client:
    client.force_login(somebody("add"))
    return client


def look(client: Client, content: bytes, called: str = "My form.xlsx") -> HttpResponse:
    return client.post("/studio/import/", {"file": SimpleUploadedFile(called, content)})


def signed(page: HttpResponse) -> str:
    return html.unescape(re.search(r'name="read" value="([^"]+)"', page.content.decode())[1])


def test_a_file_is_looked_at_before_anything_is_stored(ann: Client) -> None:
    """The page shows what was understood and what was not; only accepting makes a draft."""
    page = look(ann, FORM)
    assert (page.status_code, Survey.objects.count()) == (200, 0)
    assert "“c” is left out" in page.content.decode()

    made = ann.post("/studio/import/accept/", {"read": signed(page)})
    survey = Survey.objects.get()
    assert made["Location"] == f"/studio/{survey.pk}/"
    assert [question["text"] for question in questions(read(survey))] == [
        {"en": "A bold question?"},
        {"en": "Another?"},
    ]
    assert (survey.title, survey.memberships.get().role) == ("My form", Role.OWNER)


def test_what_was_left_out_stays_in_the_history_of_the_draft(ann: Client) -> None:
    """Also after undoing everything: an import is where the draft began."""
    ann.post("/studio/import/accept/", {"read": signed(look(ann, FORM))})
    survey = Survey.objects.get()
    (kept,) = DraftChange.objects.all()
    page = ann.get(f"/studio/{survey.pk}/history/").content.decode()
    assert (kept.name, kept.over) == ("import", True)
    assert LEFT in kept.notes
    assert "imported from a file" in page
    assert all(html.escape(sentence) in page for _place, sentence in kept.notes)


@pytest.mark.parametrize("spoil", [lambda signed: signed[:-3] + "abc", lambda _signed: "", lambda _signed: "a:b:c"])
def test_only_what_the_site_has_read_is_accepted(ann: Client, spoil) -> None:
    """What was changed on the way is no draft."""
    answer = ann.post("/studio/import/accept/", {"read": spoil(signed(look(ann, FORM)))})
    assert (answer["Location"], Survey.objects.count()) == ("/studio/import/", 0)


def test_nobody_accepts_what_somebody_else_has_sent(ann: Client) -> None:
    signature = signed(look(ann, FORM))
    other = Client()
    other.force_login(somebody("view", "add"))
    assert other.post("/studio/import/accept/", {"read": signature})["Location"] == "/studio/import/"
    assert Survey.objects.count() == 0


def test_who_may_not_begin_surveys_imports_none(client: Client) -> None:
    client.force_login(somebody("view"))
    assert [client.get("/studio/import/").status_code, look(client, FORM).status_code] == [403, 403]
    assert client.post("/studio/import/accept/", {"read": "x"}).status_code == 403


def test_a_draft_leaves_in_each_format_and_comes_back(ann: Client) -> None:
    """As files with names and types of their own; what a format cannot say stands beside it."""
    document = beginning("corruption", "Mine", "en")
    survey = begin(User.objects.get(), document)
    page = ann.get(f"/studio/{survey.pk}/export/").content.decode()
    assert page.count("Everything is in it.") == 2
    for kind in formats.FORMATS.values():
        if kind.write is None:
            continue
        answer = ann.get(f"/studio/{survey.pk}/export/{kind.name}/")
        assert answer["Content-Disposition"] == f'attachment; filename="{survey.slug}.{kind.ending}"'
        assert answer["Content-Type"] == kind.content_type
        assert formats.read(answer.content, "x")[1].document == read(survey)
    assert ann.get(f"/studio/{survey.pk}/export/word/").status_code == 404


def test_export_and_import_give_the_same_bytes(ann: Client) -> None:
    """Through the pages."""
    content = natural.written(beginning("substance-use", "Mine", "zh-hans"))
    ann.post("/studio/import/accept/", {"read": signed(look(ann, content))})
    assert ann.get(f"/studio/{Survey.objects.get().pk}/export/json/").content == content
