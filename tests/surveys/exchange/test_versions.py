"""A published version leaves in every format as it was published, whatever became of the draft, and begins a copy."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.domain.drafts import history
from surveys.domain.drafts.beginnings import beginning
from surveys.domain.drafts.history import Editor
from surveys.domain.exchange import formats
from surveys.domain.questionnaire.document import Document, read_document
from surveys.domain.questionnaire.publish import draft_of_version, publish
from surveys.models import PublishedDraft, Survey, SurveyVersion
from surveys.studio.home import begin
from tests.cases import first
from tests.config.api.conftest import caller, person, token_of
from tests.surveys.staff import somebody


@pytest.fixture
def owner(client: Client) -> User:
    user = somebody()
    client.force_login(user)
    return user


@pytest.fixture
def version(owner: User) -> SurveyVersion:
    """Of a template; its draft has lost a question since."""
    document = beginning("corruption", "Bribes", "en") | {"who": {"en": "We", "zh-hans": "我们"}}
    survey = begin(owner, document)
    made = publish(survey)
    history.change(survey, Editor(owner, "tab", 0), {"do": "delete", "question": "paid"})
    return made


def was(version: SurveyVersion) -> Document:
    document = draft_of_version(version)
    assert document is not None
    return document


def test_it_leaves_as_json_byte_for_byte_and_comes_in_again(client: Client, version: SurveyVersion) -> None:
    """The draft leaves beside it, and is another."""
    address = f"/staff/studio/{version.survey.pk}/export/json/"
    answer = client.get(address, {"of": "1"})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="gifts-payments-favours-v1.json"'
    survey = formats.read_survey(answer.content, "file")[1]
    assert formats.write_document(survey.document) == answer.content
    assert survey.document == was(version)
    draft = formats.write_document(read_document(version.survey))
    assert client.get(address).content == draft != answer.content


def test_it_leaves_as_an_xlsform_that_comes_in_again(client: Client, version: SurveyVersion) -> None:
    """With the protection that was proposed for it."""
    content = client.get(f"/staff/studio/{version.survey.pk}/export/xlsform/", {"of": "1"}).content
    assert formats.read_survey(content, "file")[1].document == was(version)


def test_a_copy_begins_from_it(client: Client, version: SurveyVersion) -> None:
    """Under a title of its own, with every question that was published."""
    client.post(f"/staff/studio/{version.survey.pk}/copy/?of=1")
    copy = Survey.objects.exclude(pk=version.survey.pk).get()
    assert read_document(copy) == was(version) | {"title": "Copy of Bribes"}


def test_a_version_of_before_leaves_while_the_draft_is_the_same(client: Client, version: SurveyVersion) -> None:
    """Once the draft is another nothing is offered that would be something else than what was published."""
    PublishedDraft.objects.all().delete()
    page = client.get(f"/staff/studio/{version.survey.pk}/export/", {"of": "1"}).content.decode()
    assert "before drafts were kept with versions" in page
    assert "Take the file" not in page
    assert client.get(f"/staff/studio/{version.survey.pk}/export/json/", {"of": "1"}).status_code == 404

    history.undo(version.survey, Editor(User.objects.get(), "tab", 10))
    document = json.loads(client.get(f"/staff/studio/{version.survey.pk}/export/json/", {"of": "1"}).content)
    assert document == read_document(version.survey)


@pytest.mark.parametrize("of", first(2, ["2", "x", "-1", "9" * 30, "１"]))
def test_a_version_that_is_none_is_not_found(client: Client, version: SurveyVersion, of: str) -> None:
    for page in ("export/", "export/json/"):
        assert client.get(f"/staff/studio/{version.survey.pk}/{page}", {"of": of}).status_code == 404
    assert client.post(f"/staff/studio/{version.survey.pk}/copy/?of={of}").status_code == 404


def test_programs_get_drafts_and_versions(version: SurveyVersion) -> None:
    """In the formats that surveys leave in; one that they only come in is none."""
    program = person("program")
    ask = caller(token_of(program, "read"))
    start = f"/surveys/{version.survey.slug}"
    assert ask("GET", f"{start}/versions/1/draft/json").content == formats.write_document(was(version))
    workbook = ask("GET", f"{start}/versions/1/draft/xlsform").content
    assert formats.read_survey(workbook, "file")[1].document == was(version)
    draft = formats.write_document(read_document(version.survey))
    assert ask("GET", f"{start}/draft/json").content == draft
    assert ask("GET", f"{start}/draft/limesurvey").status_code == 404
    assert ask("GET", f"{start}/versions/2/draft/json").status_code == 404
    PublishedDraft.objects.all().delete()
    assert ask("GET", f"{start}/versions/1/draft/json").status_code == 409
