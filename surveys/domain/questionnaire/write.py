"""From what a researcher entered to the definition that can be published or tried."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from math import isinf
from typing import Any

from django.conf import settings

from privacy.design import Design
from privacy.design.forms import EnteredItem
from privacy.design.rationals import ONE
from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.messages.invite import public_key
from surveys.kinds import form_of
from surveys.models import Block, Option, Page, Question, Survey
from surveys.questions import TYPES, disguise_of
from surveys.questions.entered import at, in_languages
from surveys.questions.rows import SKIP


def gamma_limit() -> float:
    """The growth of odds above which publishing needs a signed override; 19 turns 5 % into at most 50 %."""
    return float(getattr(settings, "CANDOR_GAMMA_LIMIT", 19.0))


@dataclass(frozen=True)
class EnteredQuestion:
    """A question and its options, in order."""

    question: Question
    options: tuple[Option, ...]

    @property
    def is_unskipped(self) -> bool:
        """Whether it is disguised, and has no "prefer not to say" though its type takes one."""
        could = self.question.block is not None and TYPES[self.question.type].skipped is not None
        return could and all(option.value != SKIP for option in self.options)


@dataclass(frozen=True)
class Draft:
    """A questionnaire as it was entered: stored already, or still in the researcher's form."""

    survey: Survey
    blocks: tuple[Block, ...]
    questions: tuple[EnteredQuestion, ...]
    pages: tuple[Page, ...] = ()

    @classmethod
    def stored(cls, survey: Survey) -> Draft:
        questions = survey.questions.select_related("block").prefetch_related("options")
        return cls(
            survey,
            tuple(survey.blocks.all()),
            tuple(EnteredQuestion(question, tuple(question.options.all())) for question in questions),
            tuple(survey.pages.all()),
        )

    def inside(self, block: Block) -> list[EnteredQuestion]:
        """The questions that the block disguises. This also works for a new block, which has no key yet."""
        return [entered for entered in self.questions if entered.question.block == block]

    def unreasoned(self) -> list[Question]:
        """The sensitive questions without "prefer not to say" of which nobody has said why: ethics boards ask."""
        return [one.question for one in self.questions if one.is_unskipped and not one.question.no_skip]


def compose(survey: Survey, trial: bool = False) -> Definition:
    """The whole, checked definition; InputError names what is missing or wrong."""
    return compose_draft(Draft.stored(survey), trial)


def compose_draft(draft: Draft, trial: bool = False) -> Definition:
    """The same of a draft that need not be stored."""
    survey = draft.survey
    design = compose_design(draft)
    document: dict[str, Any] = {
        "candor": 1,
        "slug": survey.slug,
        "languages": survey.language_tags,
        "title": in_languages(survey.heading, survey.language_tags),
        "who": in_languages(survey.who, survey.language_tags),
        "why": in_languages(survey.why, survey.language_tags),
        "consent": in_languages(survey.consent, survey.language_tags),
        "closing": in_languages(survey.closing, survey.language_tags),
        "design": design.document,
        "access": "open" if trial else survey.access,
        "override": override(survey, design),
        "pages": page_entries(draft),
    }
    if document["access"] == "invitation":
        document["key"] = public_key(survey)
        if design.sampled:
            document["drawn"] = True
    if design.arms:
        document["arms"] = True
    if survey.simulated:
        document["simulated"] = True
    if trial:
        document["trial"] = True
    document |= {name: True for name in ("comprehension", "early", "beside") if getattr(survey, name)}
    return Definition.parse(document | checks(survey))


def checks(survey: Survey) -> dict[str, Any]:
    """What makes figures testable: the chance of the lot, and the answer of known share, where there are such."""
    entries: dict[str, Any] = {}
    if survey.lot is not None:
        entries["lot"] = survey.lot * ONE // 100
    if survey.anchor and survey.anchor_share is not None:
        entries["anchor"] = {"answer": survey.anchor, "share": survey.anchor_share / 100}
    return entries


def compose_design(draft: Draft) -> Design:
    """The design of the blocks that have questions."""
    blocks: list[dict[str, Any]] = []
    for block in draft.blocks:
        if items := [item for entered in draft.inside(block) for item in items_of(entered, block)]:
            blocks += block_entries(block, items)
    if not blocks:
        raise EntryError("No question is disguised: at least one has to be.")
    return Design.parse({"candor": 1, "direct": draft.survey.direct, "blocks": blocks})


def override(survey: Survey, design: Design) -> dict[str, Any] | None:
    figure, limit = design.odds, gamma_limit()
    if figure <= limit or not (survey.override_by and survey.override_reason):
        return None
    shown = "Infinity" if isinf(figure) else round(float(figure), 4)
    return {"by": survey.override_by, "reason": survey.override_reason, "gamma": shown, "limit": limit}


def block_entries(block: Block, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The block with its items as the design has it: one block, or one for each item."""
    with placed(f"block '{block}'"):
        return form_of(block.kind).write(block.settings, items)


def check_block(entered: EnteredQuestion, block: Block) -> list[EnteredItem]:
    """The question's items; EntryError if the block cannot disguise them, whatever else is still to be entered."""
    items = disguise_of(entered.question.type, at=at(entered, "type")).entered(entered)
    form = form_of(block.kind)
    if not all(form.takes(item) for item in items):
        raise EntryError(form.refusal, at=at(entered, "block"))
    return items


def items_of(entered: EnteredQuestion, block: Block) -> list[dict[str, Any]]:
    """The items of the design that a sensitive question asks for, as the block disguises them."""
    items = check_block(entered, block)
    if any(item.options is not None and len(item.options) < 2 for item in items if not item.scale):
        raise EntryError("a choice needs at least two options.", at=at(entered, "options"))
    with placed(f"question '{entered.question}'"):
        return [form_of(block.kind).write_item(block.settings, item) for item in items]


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Add the place to a refusal: a kind of block names the field only, and does not know of which block it is."""
    try:
        yield
    except EntryError as error:
        raise EntryError(error.sentence, at=f"{place}.{error.at}".rstrip("."), **error.values) from None


def page_entries(draft: Draft) -> list[dict[str, Any]]:
    """The pages that have questions, with their titles, and with a number if an earlier page number was left out."""
    tags = draft.survey.language_tags
    titles = {
        page.position: {"title": in_languages(page.title, tags)} for page in draft.pages if any(page.title.values())
    }
    pages = groupby(draft.questions, key=lambda entered: entered.question.page)
    return [
        ({} if number == place else {"number": number})
        | titles.get(number, {})
        | {"questions": [question_entry(entered, tags) for entered in page]}
        for place, (number, page) in enumerate(pages, 1)
    ]


def question_entry(entered: EnteredQuestion, languages: list[str]) -> dict[str, Any]:
    """The entry of the question in the definition; empty fields are left out."""
    question = entered.question
    entry: dict[str, Any] = {
        "id": question.identifier,
        "type": question.type,
        "sensitive": question.block is not None,
        "text": in_languages(question.text, languages),
    }
    if any(question.help.values()):
        entry["help"] = in_languages(question.help, languages)
    if question.required and question.block is None:
        entry["required"] = True
    if question.no_skip and entered.is_unskipped:
        entry["no_skip"] = question.no_skip
    if question.shuffle:
        entry["shuffle"] = True
    entry |= {name: text for name, text in (("min", question.minimum), ("max", question.maximum)) if text}
    if question.when_question:
        entry["when"] = {"question": question.when_question, "is": values_in(question.when_values)}
    return entry | TYPES[question.type].write(entered, languages)


def values_in(line: str) -> list[str]:
    """The values of a condition, from the line of CSV in which they are stored; a value with a comma is in quotes."""
    return [value.strip() for value in next(csv.reader([line], skipinitialspace=True), []) if value.strip()]


def line_of(values: Iterable[str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
