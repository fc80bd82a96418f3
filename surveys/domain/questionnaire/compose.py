"""From what a researcher entered to the definition that can be published or tried."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from math import isinf
from typing import Any

from django.conf import settings

from privacy.design import Design
from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError, InputError
from surveys.definition import Definition
from surveys.domain.messages.invite import NO_KEY, inviting_survey, public_key
from surveys.domain.questionnaire.document import Document, Draft, EnteredBlock, Question
from surveys.domain.questionnaire.draft_part import block_settings, entries
from surveys.domain.questionnaire.sets import ask_some
from surveys.features import is_drawn, odds_of_secrets
from surveys.features.questions import FIELDS
from surveys.kinds import FORMS, write_item
from surveys.models import Survey
from surveys.questions import TYPES, disguise_of
from surveys.questions.entered import in_languages
from surveys.questions.rows import SKIP

# The place of a refusal in a design.
_AT = re.compile(r"blocks\[(?P<block>\d+)\](?:\.items\[(?P<item>\d+)\])?(?P<field>.*)")
Items = list[tuple[Question | None, dict[str, Any]]]
"""Items of the design as JSON, each with the question that asks it; None where none does yet."""


def gamma_limit() -> float:
    """The γ (growth of odds) above which publishing needs a signed override; 19 turns 5 % into at most 50 %."""
    return float(getattr(settings, "CANDOR_GAMMA_LIMIT", 19.0))


def compose(draft: Draft, trial: bool = False, *, stored: bool = True) -> Definition:
    """Make the checked definition of a draft; InputError names what is missing or wrong. `trial`: to be tried only.

    If not `stored`, no key of invitations is looked up.
    """
    survey, document, languages = draft.survey, draft.document, draft.languages
    design = compose_design(draft)
    source: dict[str, Any] = {
        "candor": 1,
        "slug": survey.slug,
        "languages": languages,
        "title": in_languages(document["heading"], languages),
        **{name: in_languages(document[name], languages) for name in ("who", "why", "consent", "closing")},
        "design": design.document,
        "access": Survey.Access.OPEN if trial else document["access"],
        "override": override(survey, design, document),
        "pages": page_entries(draft, languages),
    }
    if source["access"] == Survey.Access.INVITATION:
        source["key"] = public_key(inviting_survey(survey, document)) if stored else NO_KEY
        if design.sampled:
            source["drawn"] = True
    if survey.simulated:
        source["simulated"] = True
    if trial:
        source["trial"] = True
    source |= {name: True for name in ("comprehension", "early", "beside") if document[name]}
    source |= ({"own": {}} if is_drawn(design) else {}) | entries(draft)  # it stands first, as in published bytes
    return Definition.parse(source)


@lru_cache(16)  # a page of the studio asks for that of its draft again and again
def compose_design(draft: Draft) -> Design:
    items = {block: items for block in draft.blocks if (items := block_items(block, draft))}
    if not items:
        raise EntryError("No question is disguised: disguise at least one.")
    return design_of(items, draft)


def design_or_none(draft: Draft) -> Design | None:
    """The design of a draft; None while there is none."""
    with suppress(InputError):
        return compose_design(draft)
    return None


def block_items(block: EnteredBlock, draft: Draft) -> Items:
    return [(question, item) for question in draft.inside(block) for item in design_items(question, block)]


def design_of(items: Mapping[EnteredBlock, Items], draft: Draft) -> Design:
    """The design of blocks with these items; a refusal of an item or a block names its question or block in the draft.

    With a coin for each question every item is a block of its own; otherwise one block has all items.
    """
    entries = [
        (block, index, entry) for block in items for index, entry in enumerate(_block_entries(block, items, draft))
    ]
    try:
        return Design.parse(
            {"candor": 1, "direct": draft.document["direct"], "blocks": [entry for _block, _place, entry in entries]}
        )
    except EntryError as error:
        at = _AT.fullmatch(error.at)
        if at is None:
            raise
        block, place, _entry = entries[int(at["block"])]
        question = items[block][place + int(at["item"])][0] if at["item"] else None
        raise EntryError(error.sentence, at=f"{(question or block).place}{at['field']}", **error.values) from None


def override(survey: Survey, design: Design, document: Document) -> dict[str, Any] | None:
    """The definition's entry for a signed override; None where γ is within the limit, or nobody has signed."""
    figure, limit = odds_of_secrets(design, document), gamma_limit()
    if figure <= limit or not (survey.override_by and survey.override_reason):
        return None
    shown = "Infinity" if isinf(figure) else round(float(figure), 4)
    return {"by": survey.override_by, "reason": survey.override_reason, "gamma": shown, "limit": limit}


def _block_entries(block: EnteredBlock, items: Mapping[EnteredBlock, Items], draft: Draft) -> list[dict[str, Any]]:
    with add_place(block.place):
        settings = {**block.settings, **block_settings(draft.document)}
        return RECIPES[block.kind].write(settings, [item for _question, item in items[block]])


def check_block(question: Question, kind: str) -> list[EnteredItem]:
    """The items of a question in a block of this kind; EntryError if it cannot disguise them, finished or not."""
    items = [
        _with_skip_alone(item) for item in disguise_of(question.type, at=f"{question.place}.type").entered(question)
    ]
    if not all(RECIPES[kind].takes(item) for item in items):
        raise EntryError(FORMS[kind].refusal, at=f"{question.place}.block")
    return items


def _with_skip_alone(item: EnteredItem) -> EnteredItem:
    """Keep "prefer not to say" alone in words of a list: in pairs it would cost many people, and tell little."""
    options = item.options or ()
    if SKIP not in options or len(options) < 3 or item.values.get("harmless") == SKIP:
        return item
    return replace(item, values={**item.values, "alone": SKIP})


def design_items(question: Question, block: EnteredBlock) -> list[dict[str, Any]]:
    """The items of the design (as JSON) that a sensitive question asks for, as the block disguises them."""
    items = check_block(question, block.kind)
    if any(item.options is not None and len(item.options) < 2 for item in items if not item.scale):
        raise EntryError("a choice needs at least two options.", at=f"{question.place}.options")
    with add_place(question.place):
        return [write_item(block.kind, block.settings, item) for item in items]


@contextmanager
def add_place(place: str) -> Iterator[None]:
    """In the block add this place to the place of an EntryError, which names only the field."""
    try:
        yield
    except EntryError as error:
        raise EntryError(error.sentence, at=f"{place}.{error.at}".rstrip("."), **error.values) from None


def page_entries(draft: Draft, languages: list[str]) -> list[dict[str, Any]]:
    """The definition's pages: those with questions, with a number where one before them was left out."""
    return [
        ({} if page.number == index else {"number": page.number})
        | dict.fromkeys(page.flags, True)
        | ({"title": in_languages(page.title, languages)} if any(page.title.values()) else {})
        | {
            "questions": ask_some(
                page, [question_entry(question, languages) for question in draft.on_page(page)], languages
            )
        }
        for index, page in enumerate(filter(draft.on_page, draft.pages), 1)
    ]


def question_entry(question: Question, languages: list[str]) -> dict[str, Any]:
    """The entry of the question in the definition; empty fields are left out."""
    entry: dict[str, Any] = {
        "id": question.id,
        "type": question.type,
        "sensitive": question.block is not None,
        "text": in_languages(question.text, languages),
    }
    if any(question.help.values()):
        entry["help"] = in_languages(question.help, languages)
    if question.required and question.block is None:
        entry["required"] = True
    if question.shuffle:
        entry["shuffle"] = True
    entry |= {name: text for name, text in (("min", question.min), ("max", question.max)) if text}
    entry |= {name: field.write(question, languages) for name, field in FIELDS.items() if field.in_effect(question)}
    return entry | TYPES[question.type].write(question, languages)
