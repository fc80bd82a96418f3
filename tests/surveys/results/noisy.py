"""A survey whose undisguised answers leave as counts with noise alone, and people who have answered it."""

import json
from typing import Any

import numpy as np
from django.utils import timezone

from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.features.noisy_counts import counts as noisy
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import add_question, make_survey, write

PEOPLE, LEAST = 240, 20
FACULTIES = ("arts", "law", "music")


def draft(slug: str = "noisy", epsilon: float = 1.0, **chosen: Any) -> Survey:
    survey = make_survey(
        slug, ("drugs", "theft"), least=LEAST, direct=False, override_by="Tests", override_reason="few people"
    )
    add_question(survey, "faculty", type="choice", page=2, options=tuple((one, one.title()) for one in FACULTIES))
    add_question(survey, "clinic", type="yesno", page=2)
    add_question(survey, "hours", type="number", page=2, min="0", max="39")
    add_question(survey, "why", type="text", page=2)
    write(survey, protection={"epsilon": epsilon, **chosen})
    return survey


def open_answers(seed: int) -> list[dict[str, Any]]:
    """Undisguised answers of everybody; now and then one is missing."""
    chance = np.random.default_rng(seed)
    lean = chance.dirichlet(np.ones(3))
    rows: list[dict[str, Any]] = []
    for place in range(PEOPLE):
        own = {
            "faculty": str(chance.choice(FACULTIES, p=lean)),
            "clinic": str(int(chance.random() < lean[0])),
            "hours": int(chance.integers(0, 40)),
            "why": f"secret {seed} {place}",
        }
        rows.append({name: answer for name, answer in own.items() if chance.random() < 0.9})
    return rows


def collect(survey: Survey, seed: int = 1, *, closed: bool = True) -> SurveyVersion:
    version = publish(survey)
    codes = np.random.default_rng(seed).integers(0, 2, (PEOPLE, 2)).astype(np.uint8)
    records = Records(version.design, codes, np.zeros(PEOPLE, bool))
    append(version, pack(records), [json.dumps(row).encode() for row in open_answers(seed)])
    if closed:
        Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    return SurveyVersion.objects.select_related("survey").get(pk=version.pk)


def draw_counts(version: SurveyVersion) -> dict[str, Any]:
    """The counts of a version, after the sealing job has drawn what is due."""
    noisy.draw_due()
    return noisy.noisy_counts(version.snapshots.get())
