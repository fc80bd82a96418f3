"""Surveys for tests: the paper's three questions in one block, or whatever a test asks for."""

from typing import Any

from surveys.models import Block, Question, Survey

NAMES = ("drugs", "cheating", "theft")


def words(text: str) -> dict[str, str]:
    return {"en": text}


def make_survey(slug: str = "study", names: tuple[str, ...] = NAMES, **fields: Any) -> Survey:
    """A draft with one coin block (p = .3, θ = .6) over yes/no questions, that may be answered directly."""
    texts = {name: words(name.title()) for name in ("heading", "who", "why", "consent", "closing")}
    survey = Survey.objects.create(**{"slug": slug, "title": slug.title(), "direct": True, **texts, **fields})
    block = Block.objects.create(survey=survey, name="all", settings={"keep": 0.3, "theta": 0.6})
    for place, name in enumerate(names):
        add_question(survey, name, block=block, position=place)
    return survey


def add_question(survey: Survey, identifier: str, **fields: Any) -> Question:
    return Question.objects.create(survey=survey, identifier=identifier, **{"text": words(f"{identifier}?"), **fields})


MAP = {"width": 1000, "height": 800, "cell": 10}
ZONES = [[400, 300, 200, 200]]


def town_survey(kind: str = "zones", settings: Any = None) -> Survey:
    """A draft with one question for a place, in a block of its own."""
    survey = make_survey(names=(), direct=False)
    survey.blocks.all().delete()
    block = Block.objects.create(survey=survey, name="places", kind=kind, settings={"epsilon": 2.0})
    add_question(
        survey,
        "home",
        type="place",
        block=block,
        settings={"map": MAP, "zones": ZONES} if settings is None else settings,
    )
    return survey
