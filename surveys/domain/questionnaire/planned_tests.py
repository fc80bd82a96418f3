"""How far figures can be trusted, before anybody is asked: what will be tested, and what the crowd will hide.

By the calculations of the report, for the number of respondents that is expected.
"""

import math
from contextlib import suppress
from functools import lru_cache

from django.utils.translation import gettext as _, ngettext

from privacy.design import Design
from privacy.errors import InputError
from privacy.guarantee import epsilon, round_up
from privacy.guarantee.crowd import promise_of_crowd
from privacy.output import format_count
from surveys import definition
from surveys.definition import Definition
from surveys.domain.questionnaire.check import is_unfinished
from surveys.domain.questionnaire.compose import compose_design, question_entry
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart, Testable, entries
from surveys.domain.questionnaire.expected import count_disguising, share_of, share_of_draft
from surveys.features import device_questions, parts_in, secrets_of
from surveys.features.feature import Named
from surveys.questions import type_of
from surveys.questions.question import ColumnKind


def of_draft(draft: Draft) -> Testable:
    """What can be tested with a draft, whose design must be complete; unfinished questions are left out."""
    written = draft.document
    finished = [question for question in draft.questions if question.block is None and not is_unfinished(question)]
    questions = tuple(definition.read_question(question_entry(one, []), []) for one in finished)
    design = compose_design(draft)
    own = entries(draft, about_answers=True)
    people, beside = written["expected"], (*questions, *device_questions(design, own))
    return Testable(design, people, count_disguising(people, share_of_draft(draft)), beside, written["beside"], own)


def of_definition(published: Definition, respondents: int) -> Testable:
    return Testable(
        published.design,
        respondents,
        count_disguising(respondents, share_of(published)),
        published.beside_records,
        published.keeps_texts_in_records,
        published.source,
    )


def describe_tests(testable: Testable, named: Named) -> dict[str, str]:
    """A sentence on what each feature will find, by its name; none for what finds nothing.

    `named` returns an answer in the words of its question.
    """
    said = {}
    for name, part in parts_in(DraftPart, testable.entries).items():
        if part.power:
            with suppress(InputError):  # the list of what is missing says that this is no answer
                said[name] = part.power(testable, named)
    return said


def crowd(testable: Testable) -> list[str]:
    """Sentences on what unordered records promise if nothing tells people apart, and on how much of that undisguised
    questions take away.
    """
    design, n = secrets_of(testable.design, testable.entries), testable.disguising
    alone = epsilon(design.gamma)
    if math.isinf(alone):
        return []
    said = [
        _(
            "Stored without order, %(n)s disguised records promise each person ε = %(crowd)s, but for a chance of one "
            "in a million, if nothing distinguishes people. One record alone promises %(alone)s."
        )
        % {"n": format_count(n), "crowd": round_epsilon(epsilon_of_crowd(design, n)), "alone": round_epsilon(alone)}
    ]
    names, answers = _distinct_answers(testable)
    if not names:
        return said
    shared = n // answers if answers else 0
    left = epsilon_of_crowd(design, shared) if shared else alone
    return [
        *said,
        ngettext(
            "Undisguised answers distinguish people (%(names)s): at best %(shared)s person gives the same; it leaves "
            "ε = %(left)s.",
            "Undisguised answers distinguish people (%(names)s): at best %(shared)s people give the same; it leaves "
            "ε = %(left)s.",
            max(shared, 1),
        )
        % {"names": _(", ").join(names), "shared": max(shared, 1), "left": round_epsilon(left)},
    ]


def _distinct_answers(testable: Testable) -> tuple[list[str], int]:
    """The names of undisguised questions beside records, and how many combinations of answers to them there are;
    0: any number.
    """
    names, answers = [], 1
    for question in testable.questions:
        columns = [
            column
            for column in type_of(question).columns(question)
            if testable.beside or column.kind is not ColumnKind.TEXT
        ]
        if columns:
            names.append(question.id)
        for column in columns:
            answers *= len(column.options)
    return names, answers


@lru_cache(maxsize=256)
def epsilon_of_crowd(design: Design, n: int) -> float:
    """The ε of so many disguised records: the slowest figure of a report, the same whatever people answered."""
    return promise_of_crowd(design, n).epsilon


def round_epsilon(value: float) -> str:
    """Write an ε, rounded up."""
    return "∞" if value == math.inf else f"{round_up(value, 3):g}"
