"""The people who answer a draft before anybody is asked: true answers as plans take them for granted.

What is taken for granted is in `surveys.domain.questionnaire.expected`. Steps of a number and cells of a place are
equally common, and independent of the rest.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from privacy.design import ARM, Design
from privacy.design.items import Item
from privacy.plan.connections import together
from surveys.domain.questionnaire.expected import linked, linked_answer, shares
from surveys.questions import type_of
from surveys.questions.question import PublishedQuestion

DIRECT = 0.2  # of those who may answer directly


def people(
    design: Design, count: int, chance: np.random.Generator, lot: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """True answers of so many people, as codes, and who of them answers directly: whom a lot draws, if there is one."""
    codes = np.column_stack([_answers(item, count, chance) for item in design.items]).astype(design.code_type)
    for first, second in linked(design):
        item, other = design.items[first], design.items[second]
        gives = codes[:, first] == linked_answer(item)
        codes[:, second] = _going_with(gives, item, other, chance)
    return codes, chance.random(count) < (DIRECT * design.direct if lot is None else lot)


def _answers(item: Item, count: int, chance: np.random.Generator) -> np.ndarray:
    if not item.has_options:
        return item.codes_at([chance.integers(0, len(steps), count) for steps in item.steps])
    return chance.choice(len(item.options), count, p=shares(item))


def _going_with(gives: np.ndarray, item: Item, other: Item, chance: np.random.Generator) -> np.ndarray:
    """Answers to the other item of people of whom some give the linked answer to the first one."""
    answer, common = linked_answer(other), np.array(shares(other))
    given = shares(item)[linked_answer(item)]
    cells, among_those = together((given, float(common[answer])))
    gives_it = chance.random(len(gives)) < np.where(gives, among_those, cells[2] / (1 - given))
    rest = np.where(np.arange(len(common)) == answer, 0.0, common)
    return np.where(gives_it, answer, chance.choice(len(common), len(gives), p=rest / rest.sum()))


def open_lines(questions: Sequence[PublishedQuestion], count: int, chance: np.random.Generator) -> list[bytes]:
    """The open answers of so many people, as they are stored: choices and numbers; words are left out."""
    if not questions:
        return [b""] * count
    return [_line(questions, chance) for _ in range(count)]


def with_arm(line: bytes, arm: str) -> bytes:
    """The open answers of one person with the arm that the device drew."""
    given = json.loads(line) if line else {}
    return json.dumps(given | {ARM: arm}, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _line(questions: Sequence[PublishedQuestion], chance: np.random.Generator) -> bytes:
    given: dict[str, Any] = {}
    known = {question.id: question for question in questions}
    for question in questions:
        if question.when is not None:
            name, values = question.when
            if name not in given or not any(value in values for value in type_of(known[name]).said(given[name])):
                continue
        answer = type_of(question).made_up(question, chance)
        if answer is not None:
            given[question.id] = answer
    return json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
