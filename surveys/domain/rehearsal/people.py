"""The people who answer a draft before anybody is asked: true answers as the plans of a survey take them for granted.

Three in ten say yes to each yes/no question, and any two of these answers go together with the correlation for which
`privacy.plan.connections` computes what is found: people belong to a group with a chance of three in ten, say yes more
often in it, and answer independently within it and outside. Options of a choice, steps of a number and cells of a place
are equally common, and independent of the rest. Nobody can know beforehand what real people will say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from privacy.design import ARM, Design
from privacy.design.items import Item
from privacy.plan.connections import STRENGTH, YES
from surveys.questions import type_of
from surveys.questions.question import PublishedQuestion
from surveys.questions.rows import SKIP

DIRECT = 0.2  # of those who may answer directly
SKIPS = 0.05  # prefer not to say, where they may
GROUP = YES
# Two answers that are independent given the group have cov = GROUP(1 − GROUP)·d², d the difference of the two chances;
# over YES(1 − YES) this is d² where as many belong to the group as say yes.
_APART = sqrt(STRENGTH)
OUTSIDE = YES - GROUP * _APART
INSIDE = OUTSIDE + _APART


def people(
    design: Design, count: int, chance: np.random.Generator, lot: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """True answers of so many people, as codes, and who of them answers directly: whom a lot draws, if there is one."""
    group = chance.random(count) < GROUP
    codes = np.column_stack([_answers(item, group, chance) for item in design.items]).astype(design.code_type)
    return codes, chance.random(count) < (DIRECT * design.direct if lot is None else lot)


def _answers(item: Item, group: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    count = len(group)
    if not item.has_options:
        return item.codes_at([chance.integers(0, len(steps), count) for steps in item.steps])
    said = [place for place, option in enumerate(item.options) if option != SKIP]
    if {"0", "1"} == {item.options[place] for place in said}:
        yes = chance.random(count) < np.where(group, INSIDE, OUTSIDE)
        codes = np.where(yes, item.options.index("1"), item.options.index("0"))
    else:
        codes = chance.choice(said, count)
    if SKIP in item.options:
        codes = np.where(chance.random(count) < SKIPS, item.options.index(SKIP), codes)
    return codes


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
