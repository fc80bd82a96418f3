"""A survey with questions of every type and people who have answered it."""

import json
from functools import cache
from typing import Any

import numpy as np
from django.utils import timezone

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import add_block, add_question, edit_draft, make_survey, set_question, write

AGES = ("18-29", "30-49", "50+")


def words(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh-hans": zh}


def without_direct(records: Records) -> Records:
    """The rows of those who answered disguised."""
    return Records(records.design, records.codes[~records.direct], records.direct[~records.direct])


TEXTS = {
    "drugs": words("Have you ever used illegal drugs?", "您曾经使用过毒品吗？"),
    "cheating": words("Have you ever cheated in an exam?", "您曾经在考试中作弊吗？"),
    "theft": words("Have you ever taken something without paying?", "您曾经拿走东西而没有付钱吗？"),
}

OPEN: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "faculty": (
        "choice",
        words("Which faculty are you in?", "您在哪个学院？"),
        {
            "options": (
                ("arts", words("Arts", "文学院")),
                ("law", words("Law", "法学院")),
                ("music", words("Music", "音乐学院")),
            )
        },
    ),
    "ways": (
        "several",
        words("How do you travel?", "您如何出行？"),
        {"options": (("bus", words("By bus", "公交")), ("bike", words("By bicycle", "自行车")))},
    ),
    "mood": ("scale", words("How are you?", "您好吗？"), {"min": "1", "max": "5"}),
    "hours": ("number", words("Hours of sleep?", "睡几个小时？"), {"min": "4", "max": "10"}),
    "born": ("date", words("When did you begin?", "您何时开始？"), {}),
    "remark": ("text", words("Anything else?", "还有什么要说的吗？"), {}),
    "views": (
        "matrix",
        words("Do you agree?", "您同意吗？"),
        {"min": "1", "max": "4", "options": (("fair", words("Exams are fair.", "考试是公平的。")),)},
    ),
}


def draft(slug: str = "study", **fields: Any) -> Survey:
    """Three disguised yes/no questions and a disguised choice, then undisguised questions of every type."""
    survey = make_survey(slug, tuple(TEXTS), languages=["en", "zh-hans"], **fields)
    texts = ("heading", "who", "why", "consent", "closing")
    with edit_draft(survey):
        write(survey, **{name: words(name.title(), "说明") for name in texts})
        for name, text in TEXTS.items():
            set_question(survey, name, text=text)
        add_block(survey, "age", settings={"keep": 0.7})
        add_question(
            survey,
            "age",
            type="choice",
            block="age",
            page=2,
            text=words("How old are you?", "您多大年纪？"),
            options=tuple((value, words(value, value)) for value in AGES),
        )
        for name, (kind, text, own) in OPEN.items():
            add_question(survey, name, type=kind, page=3, required=True, text=text, **own)
    return survey


def answer(
    version: SurveyVersion, people: int, direct: float = 0.3, seed: int = 5, faculty_goes_with: float = 0.2
) -> None:
    """Seal answers of so many people; who takes drugs cheats more often, and studies law more often."""
    append(version, *_responses(version.design, people, direct, seed, faculty_goes_with))


@cache
def _responses(
    design: Design, people: int, direct: float, seed: int, faculty_goes_with: float
) -> tuple[np.ndarray, tuple[bytes, ...]]:
    """What these people send: packed records, and their undisguised answers. Most tests ask the same people."""
    chance = np.random.default_rng(seed)
    risky = chance.random(people) < 0.4
    yes = (chance.random((people, 3)) < np.where(risky, 0.65, 0.12)[:, None]).astype(np.uint8)
    age = chance.integers(0, 3, people)
    truth = np.column_stack([yes, age.astype(np.uint8)])
    packed = pack(disguise(design, truth, chance.random(people) < direct, words_from_seed(seed)))
    packed.flags.writeable = False
    law = chance.random(people) < 0.4 + faculty_goes_with * yes[:, 0]
    return packed, tuple(
        json.dumps(
            {
                "faculty": "law" if law[i] else "music" if i % 500 == 0 else "arts",
                "ways": ["bus"] if i % 3 else ["bus", "bike"],
                "mood": str(1 + i % 5),
                "hours": int(4 + i % 7),
                "born": f"2026-{1 + i % 9:02}-11",
                "remark": f"remark of {chr(97 + i % 26)}",
                "views": {"fair": str(1 + i % 4)},
            }
        ).encode()
        for i in range(people)
    )


def survey_with_results(people: int = 1500, closed: bool = True, slug: str = "study", **fields: Any) -> SurveyVersion:
    """A published version with sealed answers of so many people.

    Figures of several answers count the direct ones only where these hide each of their people, as with 4000 people of
    whom half answer directly, and `least=20`. All undisguised answers are required.
    """
    direct = fields.pop("direct_share", 0.4)
    survey = draft(slug, override_by="Tests", override_reason="two blocks", **fields)
    version = publish(survey)
    answer(version, people, direct)
    if closed:
        Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    version.refresh_from_db()
    return version
