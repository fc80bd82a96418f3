"""Blocks that follow from the questions, so that nobody who writes a questionnaire has to know what a block is.

What is chosen is `document["protection"]`: `{"by": "proposal", "sure": 50}` says that blocks are proposed and that
somebody who was 5 % sure may become at most 50 % sure. Where `by` is not "proposal", blocks were made by hand and stay;
a question that becomes sensitive then goes into the first block that takes it.

The proposal gives each group of questions its share of the promise: yes/no answers are disguised by flips, others with
options by a coin each, and each number and each place has a block of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, prod
from typing import Any

from privacy.design.forms import EnteredItem
from privacy.errors import InputError
from surveys.domain.drafts.document import Document, draft_of, questions, sensitive
from surveys.domain.questionnaire.promise import PRIOR
from surveys.domain.questionnaire.write import EnteredQuestion, check_block
from surveys.kinds import QUESTION_FIELDS, asked_by
from surveys.models import Block, Survey

PROPOSAL = "proposal"
USUAL_SURE = 50  # percent
KINDS = ("flip", "each", "square-wave", "square")  # those that are proposed; the first that takes a question has it


def is_proposed(document: Document) -> bool:
    return document["protection"].get("by") == PROPOSAL


def odds_of(sure: float) -> float:
    """How many times the odds may grow, so that who was as sure as the prior becomes at most `sure` percent sure."""
    prior = float(PRIOR)
    return (sure / 100) / (1 - sure / 100) * (1 - prior) / prior


def arranged(survey: Survey, document: Document, wanted: set[str]) -> Document:
    """The document with its blocks arranged for these sensitive questions; EntryError where one cannot be disguised."""
    held = sensitive(document)
    if is_proposed(document):
        blocks = _proposed(survey, document, wanted)
    elif wanted == held:
        return document
    else:
        blocks = [
            {**block, "questions": [name for name in block["questions"] if name in wanted]}
            for block in document["blocks"]
        ]
        draft = {one.question.identifier: one for one in draft_of(survey, document).questions}
        for name in (name for name in draft if name in wanted - held):
            _join(blocks, draft[name])
    return _tidied({**document, "blocks": blocks})


def taken_by(kind: str, entered: EnteredQuestion) -> bool:
    """Whether a block of this kind can disguise the question, whatever is still to be entered."""
    try:
        check_block(entered, Block(kind=kind))
    except InputError:
        return False
    return True


def _kind(entered: EnteredQuestion, document: Document) -> str:
    """The kind that is proposed for the question; while its range is half entered, the one that it had."""
    name = entered.question.identifier
    had = (block["kind"] for block in document["blocks"] if name in block["questions"])
    taking = (kind for kind in KINDS if taken_by(kind, entered))
    return next(taking, None) or next(had, None) or _refuse(entered)


def _items(kind: str, entered: EnteredQuestion) -> list[EnteredItem]:
    try:
        return check_block(entered, Block(kind=kind))
    except InputError:
        return []


def _join(blocks: list[dict[str, Any]], entered: EnteredQuestion) -> None:
    name = entered.question.identifier
    for block in blocks:
        if taken_by(block["kind"], entered):
            block["questions"].append(name)
            return
    kind = next((kind for kind in KINDS if taken_by(kind, entered)), None) or _refuse(entered)
    blocks.append(
        {
            "name": _name(kind),
            "kind": kind,
            "settings": _settings(kind, [entered], odds_of(USUAL_SURE)),
            "questions": [name],
        }
    )


def _refuse(entered: EnteredQuestion) -> str:
    for kind in KINDS:
        check_block(entered, Block(kind=kind))
    raise AssertionError  # a kind would have taken it


def _proposed(survey: Survey, document: Document, wanted: set[str]) -> list[dict[str, Any]]:
    """One block for all questions of a kind that shares, one for each of those that do not."""
    groups: dict[tuple[str, str], list[EnteredQuestion]] = {}
    for entered in draft_of(survey, document).questions:
        name = entered.question.identifier
        if name in wanted:
            kind = _kind(entered, document)
            groups.setdefault((kind, "" if kind in KINDS[:2] else name), []).append(entered)
    total = odds_of(float(document["protection"].get("sure", USUAL_SURE)))
    share = total ** (1 / len(groups)) if groups else total
    return [
        {
            "name": _name(kind) if not name else f"{_name(kind)}: {name}",
            "kind": kind,
            "settings": _settings(kind, own, share),
            "questions": [entered.question.identifier for entered in own],
        }
        for (kind, name), own in groups.items()
    ]


def _name(kind: str) -> str:
    return {"flip": "Yes or no", "each": "Choices", "square-wave": "Number", "square": "Place"}[kind]


def _settings(kind: str, own: list[EnteredQuestion], odds: float) -> dict[str, Any]:
    """The numbers of a block of this kind that lets the odds grow so many times."""
    items = [item for entered in own for item in _items(kind, entered)]
    match kind:
        case "flip":
            return {"gamma": round(odds, 4), "radius": len(items) // 4}
        case "each":
            sizes = [len(item.options) if item.options else 2 for item in items]
            return {"keep": int(_keep(sizes, odds) * 1e4) / 1e4, "theta": 0.5}
        case _:
            return {"epsilon": int(log(odds) * 1e4) / 1e4}


def _keep(sizes: list[int], odds: float) -> float:
    """The chance that the truth stays, one for all items with so many options, so that the odds grow so many times.

    Under noise that says each of D options alike, γ of an item is 1 + keep·D/(1 − keep).
    """
    low, high = 0.0, 1.0
    for _step in range(40):
        keep = (low + high) / 2
        grown = prod(1 + keep * size / (1 - keep) for size in sizes)
        low, high = (keep, high) if grown <= odds else (low, keep)
    return low


def _tidied(document: Document) -> Document:
    """Without values at questions that their block does not ask for: they would be refused."""
    kinds: Mapping[str, str] = {name: block["kind"] for block in document["blocks"] for name in block["questions"]}
    for question in questions(document):
        asked = asked_by(kinds.get(question["name"]))
        strange = [name for name in question["settings"] if name in QUESTION_FIELDS and name not in asked]
        if strange and question["name"] in kinds:
            question["settings"] = {name: value for name, value in question["settings"].items() if name not in strange}
    return document
