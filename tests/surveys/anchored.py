"""Surveys with the pair of questions that shows who follows the design, and people who answer them."""

from typing import Any

import numpy as np

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records.packing import pack
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import Document, read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey


def change(document: Document, **said: Any) -> Document:
    return apply(Survey(), document, said)


def with_anchors(**fields: Any) -> Survey:
    survey = make_survey(direct=False, **fields)
    store(survey, change(read_document(survey), do="careless", value=True))
    return survey


def answered(survey: Survey, share: float, n: int = 3000, link: float = 0.0) -> SurveyVersion:
    """Published, and closed after n people of whom a share presses yes nine times in ten, whatever is asked.

    The second question has the answer of the first by the chance `link`. Where there is a faculty, every other person
    is in law.
    """
    version = publish(survey)
    chance = np.random.default_rng(8)
    names = [item.id for item in version.design.items]
    said = chance.random((n, len(names))) < [{"moon": 0.0, "water": 1.0}.get(name, 0.2) for name in names]
    second = names.index("theft") if "theft" in names else 0
    said[:, second] = np.where(chance.random(n) < link, said[:, 0], said[:, second])
    said = np.where(chance.random((n, 1)) < share, chance.random((n, len(names))) < 0.9, said)
    records = disguise(version.design, said.astype(np.uint8), np.zeros(n, bool), words_from_seed(8))
    faculty = any(question.id == "faculty" for question in version.parsed.questions)
    lines = [b'{"faculty": "law"}', b'{"faculty": "arts"}'] if faculty else [b"{}"] * 2
    seal.append(version, pack(records), (lines * n)[:n])
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version
