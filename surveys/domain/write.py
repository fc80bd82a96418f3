"""From what a researcher entered to the definition that can be published or tried."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from math import isinf
from typing import Any

from django.conf import settings

from privacy.design import YES_NO, Design
from privacy.errors import EntryError
from privacy.guarantee import gamma
from surveys.definition import Definition
from surveys.domain.invite import public_key
from surveys.models import Block, Option, Page, Question, Survey


def gamma_limit() -> float:
    """The γ above which publishing needs a signed override; 19 turns 5 % into at most 50 %."""
    return float(getattr(settings, "CANDOR_GAMMA_LIMIT", 19.0))


@dataclass(frozen=True)
class Entered:
    """A question and its options, in order."""

    question: Question
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Draft:
    """A questionnaire as it was entered, stored already or still in the researcher's form."""

    survey: Survey
    blocks: tuple[Block, ...]
    questions: tuple[Entered, ...]
    pages: tuple[Page, ...] = ()

    @classmethod
    def stored(cls, survey: Survey) -> Draft:
        questions = survey.questions.select_related("block").prefetch_related("options")
        return cls(
            survey,
            tuple(survey.blocks.all()),
            tuple(Entered(question, tuple(question.options.all())) for question in questions),
            tuple(survey.pages.all()),
        )

    def inside(self, block: Block) -> list[Entered]:
        """The questions that the block disguises, also of one that is entered together with them and has no key yet."""
        return [entered for entered in self.questions if entered.question.block == block]


def compose(survey: Survey, trial: bool = False) -> Definition:
    """The whole, checked definition; InputError names what is missing or wrong."""
    draft = Draft.stored(survey)
    design = compose_design(draft)
    document: dict[str, Any] = {
        "candor": 1,
        "slug": survey.slug,
        "languages": survey.language_tags,
        "title": _text(survey.heading, survey.language_tags),
        "who": _text(survey.who, survey.language_tags),
        "why": _text(survey.why, survey.language_tags),
        "consent": _text(survey.consent, survey.language_tags),
        "closing": _text(survey.closing, survey.language_tags),
        "design": design.document,
        "access": "open" if trial else survey.access,
        "override": override(survey, design),
        "pages": page_entries(draft),
    }
    if document["access"] == "invitation":
        document["key"] = public_key(survey)
    if survey.simulated:
        document["simulated"] = True
    if trial:
        document["trial"] = True
    return Definition.parse(document)


def compose_design(draft: Draft) -> Design:
    """The design of the blocks that have questions."""
    blocks: list[dict[str, Any]] = []
    for block in draft.blocks:
        if items := [item for entered in draft.inside(block) for item in items_of(entered, block)]:
            blocks += block_entries(block, items)
    if not blocks:
        raise EntryError("No question is disguised: give at least one question a block.")
    return Design.parse({"candor": 1, "direct": draft.survey.direct, "blocks": blocks})


def override(survey: Survey, design: Design) -> dict[str, Any] | None:
    figure, limit = gamma(design), gamma_limit()
    if figure <= limit or not (survey.override_by and survey.override_reason):
        return None
    shown = "Infinity" if isinf(figure) else round(float(figure), 4)
    return {"by": survey.override_by, "reason": survey.override_reason, "gamma": shown, "limit": limit}


def block_entries(block: Block, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The block with its items as the design has it: one block, or one for each item."""
    ask = {} if block.ask is None else {"ask": block.ask}
    if block.kind == Block.Kind.FLIP:
        bare = [{"id": item["id"]} for item in items]
        if block.flips is not None:
            return [{"flips": block.flips, "items": bare, **ask}]
        if block.gamma is None or block.radius is None:
            raise EntryError("a flip block needs its flips, or γ and radius.", at=f"block '{block}'.flips")
        return [{"model": "flip", "gamma": block.gamma, "radius": block.radius, "items": bare, **ask}]
    if block.keep is None:
        raise EntryError("a coin needs p, the chance that the truth stays.", at=f"block '{block}'.keep")
    if block.kind == Block.Kind.COIN:
        return [{"keep": block.keep, "items": items, **ask}]
    if ask:
        return [{"keep": block.keep, "items": items, "coin": "each", **ask}]
    return [{"keep": block.keep, "items": [item]} for item in items]


def check_block(entered: Entered, block: Block) -> None:
    """EntryError where the block cannot disguise such a question, whatever else of it is still to be entered."""
    question = entered.question
    values = tuple(option.value for option in entered.options)
    yes_or_no = question.type == Question.Type.YESNO and values in ((), YES_NO)
    if block.kind == Block.Kind.FLIP and not yes_or_no and question.type != Question.Type.SEVERAL:
        raise EntryError("a flip block takes yes/no answers only.", at=f"question '{question}'.block")


def items_of(entered: Entered, block: Block) -> list[dict[str, Any]]:
    """The items of the design that a sensitive question asks for, with their noise."""
    question, options = entered.question, entered.options
    theta = block.theta if question.theta is None else question.theta
    check_block(entered, block)
    if question.type == Question.Type.SEVERAL:
        return [{"id": option.value, "theta": _theta(option.noise, theta, question)} for option in options]
    if question.type == Question.Type.YESNO and not options:
        return [{"id": question.identifier, "theta": _theta(None, theta, question)}]
    if question.type == Question.Type.SCALE:
        low, high = _number(question, "min", question.minimum), _number(question, "max", question.maximum)
        if not isinstance(low, int) or not isinstance(high, int) or not 0 < high - low <= 20:
            raise EntryError(
                "a scale needs whole numbers min < max, at most 20 apart.", at=f"question '{question}'.min"
            )
        values = [str(step) for step in range(low, high + 1)]
        return [{"id": question.identifier, "options": values, "noise": [1 / len(values)] * len(values)}]
    if len(options) < 2:
        raise EntryError("a choice needs at least two options.", at=f"question '{question}'.options")
    return [
        {
            "id": question.identifier,
            "options": [option.value for option in options],
            "noise": _noise(question, options),
        }
    ]


def _theta(own: float | None, inherited: float | None, question: Question) -> float:
    theta = inherited if own is None else own
    if theta is None:
        raise EntryError(
            "give θ, the chance that noise says yes, here or in its block.", at=f"question '{question}'.theta"
        )
    return theta


def _noise(question: Question, options: tuple[Option, ...]) -> list[float]:
    given = [option.noise for option in options]
    if all(share is None for share in given):
        return [1 / len(options)] * len(options)
    if any(share is None for share in given):
        raise EntryError("give the noise of every option, or of none.", at=f"question '{question}'.options")
    return [share for share in given if share is not None]


def page_entries(draft: Draft) -> list[dict[str, Any]]:
    """The pages that have questions, with their titles, and their numbers where those before them left one out."""
    tags = draft.survey.language_tags
    titles = {page.position: {"title": _text(page.title, tags)} for page in draft.pages if any(page.title.values())}
    pages = groupby(draft.questions, key=lambda entered: entered.question.page)
    return [
        ({} if number == place else {"number": number})
        | titles.get(number, {})
        | {"questions": [question_entry(entered, tags) for entered in page]}
        for place, (number, page) in enumerate(pages, 1)
    ]


def question_entry(entered: Entered, languages: list[str]) -> dict[str, Any]:
    """The question as the respondent's page reads it; what is empty is left out."""
    question, options = entered.question, entered.options
    entry: dict[str, Any] = {
        "id": question.identifier,
        "type": question.type,
        "sensitive": question.block is not None,
        "text": _text(question.text, languages),
    }
    if any(question.help.values()):
        entry["help"] = _text(question.help, languages)
    if question.required and question.block is None:
        entry["required"] = True
    if question.shuffle:
        entry["shuffle"] = True
    if question.type == Question.Type.SEVERAL:
        entry["items"] = [{"id": option.value, "label": _text(option.label, languages)} for option in options]
    elif options:
        entry["options"] = [
            {"value": option.value, "label": _text(option.label, languages)} | ({"last": True} if option.last else {})
            for option in options
        ]
    for name, written in (("min", question.minimum), ("max", question.maximum)):
        if written:
            entry[name] = written if question.type == Question.Type.DATE else _number(question, name, written)
    if question.type == Question.Type.SCALE and (any(question.low.values()) or any(question.high.values())):
        entry["ends"] = {"low": _text(question.low, languages), "high": _text(question.high, languages)}
    if question.when_question:
        entry["when"] = {"question": question.when_question, "is": values_in(question.when_values)}
    return entry


def values_in(line: str) -> list[str]:
    """The values of a condition, from the line of CSV that keeps them: one that holds a comma stands in quotes."""
    return [value.strip() for value in next(csv.reader([line], skipinitialspace=True), []) if value.strip()]


def line_of(values: Iterable[str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


def _text(words: dict[str, str], languages: list[str]) -> dict[str, str]:
    """The text in the languages of the survey; what was written in others stays with the draft."""
    return {tag: words.get(tag, "") for tag in languages}


def _number(question: Question, name: str, written: str) -> int | float:
    try:
        return int(written)
    except ValueError:
        pass
    try:
        return float(written)
    except ValueError:
        raise EntryError("'{written}' is not a number.", at=f"question '{question}'.{name}", written=written) from None
