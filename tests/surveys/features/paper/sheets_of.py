"""Surveys that may be answered on paper, and their sheets."""

from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from privacy.design import Design
from surveys.definition import Definition
from surveys.domain.exchange.files import read_table
from surveys.domain.people.roles import Role, give
from surveys.features.paper import MODE, WEB, batches
from surveys.features.paper.form import form_of
from surveys.features.paper.sheets import SheetTable
from surveys.models import Survey, SurveyVersion
from surveys.questions.entered import Texts
from tests.surveys.documents import document, question
from tests.surveys.staff import browser_of

DIE = {"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}


def crosswise(*names: str) -> list[dict[str, Any]]:
    """A block for each question, each with a die: crosswise, 1/6."""
    draw = {"way": "crosswise", "source": "die", "outcomes": [*DIE]}
    return [{"by": "person", "draw": draw, "items": [{"id": name}]} for name in names]


def extended(name: str = "copied") -> dict[str, Any]:
    """Two digits drawn by lot, and two looks: ten kinds of sheets."""
    outcomes = [{"of": [*"01"], "says": "fact"}, {"of": [*"23456789"], "says": "not"}]
    draw = {"way": "extended", "source": "digit", "fact": "note", "lot": True, "outcomes": outcomes}
    return {"by": "person", "draw": draw, "items": [{"id": name}]}


def of_paper(
    blocks: list[dict[str, Any]],
    *others: dict[str, Any],
    checked: bool = False,
    sentence: str = "I have copied.",
    **fields: Any,
) -> dict[str, Any]:
    """The definition of a survey with these blocks, and undisguised questions before them."""
    text: Texts = dict.fromkeys(fields.get("languages", ["en"]), sentence)
    names = [item["id"] for block in blocks for item in block["items"]]
    asked = [{"id": name, "type": "yesno", "sensitive": True, "text": text} for name in names]
    design = Design.parse({"blocks": blocks}).document
    own: dict[str, Any] = {"own": {}} if any("by" in block for block in blocks) else {}
    made = document(design=design, pages=[{"questions": [*others, *asked]}], **{MODE: WEB, **own, **fields})
    if checked:
        Definition.parse(made)
    return made


def publish_paper(
    blocks: list[dict[str, Any]], *others: dict[str, Any], slug: str = "study", **fields: Any
) -> SurveyVersion:
    """Published as it is, without a draft; the next version of a survey that is there."""
    written = {
        name: fields.pop(name)
        for name in ("modes", "study", "languages", "sentence", "title", "who", "why", "consent", "closing")
        if name in fields
    }
    survey, _new = Survey.objects.get_or_create(slug=slug, defaults={"title": "Study", **fields})
    frozen = Definition.parse(of_paper(blocks, *others, slug=slug, **written)).to_bytes()
    return SurveyVersion.objects.create(
        survey=survey,
        number=survey.versions.count() + 1,
        definition=frozen,
        sha256=sha256(frozen).hexdigest(),
        published_on=timezone.localdate(),
    )


BORN = question("born", "yesno", required=True)


def sheet_file(version: SurveyVersion, *rows: str) -> str:
    """A file of these rows, without their first cell, which is the version."""
    mark = version.sha256[:8]
    return "\n".join([",".join(form_of(version).columns), *(f"{mark},{row}" for row in rows), ""])


def table_of(text: str | bytes) -> SheetTable:
    content = text if isinstance(text, bytes) else text.encode()
    return SheetTable(**read_table(content), content=content)


def clerk_of(version: SurveyVersion) -> Client:
    """The browser of somebody who enters the sheets of this survey."""
    user = User.objects.create(username="clerk", is_staff=True)
    give(version.survey, user, Role.CLERK)
    return browser_of(user)


def take_few(monkeypatch: pytest.MonkeyPatch, sheets: int) -> None:
    """A stack may have so few."""
    monkeypatch.setattr(batches, "FEWEST", sheets)
