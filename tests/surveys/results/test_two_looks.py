"""Two looks at an open survey between which one response came: no page and no answer of the API tells them apart."""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from config.api.document import document
from config.api.operation import SCOPES
from config.signin import tokens
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal
from surveys.features.paper.batches import enter_batch
from surveys.features.paper.form import form_of
from surveys.models import Inbox, SurveyVersion
from tests.cases import first
from tests.surveys.features.paper.sheets_of import sheet_file, table_of
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission

OF_SURVEY = ("fieldwork", "paper", "protect", "write", "publish", "history", "protocol", "preregistration", "try",
             "report", "export", "files", "people", "log", "mail")  # fmt: skip
OF_VERSION = ("results", "results-pairs", "results-words", "results-versions", "results-share", "releases", "version")
DRAWN = r'("csrfmiddlewaretoken" value|name="token" value|name="tab" value|nonce)="[^"]*"'  # new in each answer


def collecting() -> SurveyVersion:
    """A survey on paper and by web that has 140 sheets, of which 120 are sealed."""
    survey = make_survey(names=("a",), direct=False)
    for change in ({"do": "draws", "value": "by-person"}, {"do": "survey", "field": "paper", "value": True}):
        store(survey, apply(survey, read_document(survey), change))
    version = publish(survey)
    form = form_of(version)
    row = ",".join(["1"] * (len(form.columns) - 1))
    enter_batch(version, 140, 0, table_of(sheet_file(version, *[row] * 140)))
    seal(version)
    return version


def addresses(version: SurveyVersion, of: str) -> Iterator[str]:
    if of == "Field":
        yield reverse("studio:fieldwork", args=[version.survey_id]) + "?way=paper"
        return
    if of == "API":
        known = {"name": version.survey.slug, "survey": version.survey.slug, "format": "qsf"}
        for path, methods in document()["paths"].items():
            if "get" in methods:
                yield "/api" + re.sub(r"\{(\w+)\}", lambda part: known.get(part[1], "1"), path)
        return
    for name in OF_SURVEY:
        yield reverse(f"studio:{name}", args=[version.survey_id])
    for name in OF_VERSION:
        yield reverse(f"studio:{name}", args=[version.pk])
    yield "/staff/studio/"


@pytest.mark.parametrize("of", first(1, ["Field", "API", "pages"]))
def test_one_response_more_changes_nothing_that_staff_see(of: str, client: Client) -> None:
    """Neither a number nor a sentence, a link or a button: what waits is sealed with nineteen others or more."""
    version, boss = collecting(), User.objects.create_superuser("boss")
    client.force_login(boss)
    headers = {"Authorization": f"Bearer {tokens.make(boss, 'tests', tuple(SCOPES), 30)[1]}"} if of == "API" else {}

    def look() -> dict[str, tuple[int, str]]:
        seen = {place: client.get(place, follow=True, headers=headers) for place in addresses(version, of)}
        return {place: (one.status_code, re.sub(DRAWN, "", one.content.decode())) for place, one in seen.items()}

    before = look()
    mode = {question.id: {"mode": "web"}.get(question.id, "fact") for question in version.parsed.beside_records}
    assert send(client, version.survey.slug, submission(version, open=mode)).status_code == 201

    assert Inbox.objects.count() == 21
    assert look() == before
    assert {status for status, _ in before.values()} >= {200}
