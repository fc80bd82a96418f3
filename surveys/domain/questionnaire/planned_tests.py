"""How far figures can be trusted, before anybody is asked: what will be tested, and what the crowd will hide.

By the calculations of the report, for the number of respondents that is expected.
"""

import math
from functools import lru_cache

from django.utils.translation import gettext as _, ngettext

from privacy.design import Design
from privacy.guarantee import epsilon, round_up
from privacy.guarantee.crowd import promise_of_crowd
from privacy.output import format_count
from privacy.reconstruct.lot import detectable
from surveys.definition import Definition
from surveys.domain.questionnaire.expected import count_disguising, share_of
from surveys.features import asked_directly, secrets_of
from surveys.questions import type_of
from surveys.questions.question import ColumnKind


def say_power(definition: Definition, respondents: int) -> str:
    """How large an effect of the disguise is found where devices draw who answers directly; "" where people choose."""
    share = asked_directly(definition.source)
    return "" if share is None else power_of_draw(definition.design, respondents, share)


def power_of_draw(design: Design, respondents: int, share: float) -> str:
    """How large an effect of the disguise is found where devices ask this share of people directly."""
    least = detectable(design, respondents, share)
    if least is None:
        return _("So few respondents cannot show whether the disguise changes what people say.")
    return _(
        "If the disguise changes the share of an answer by %(points)s points or more, the draw shows it in four of "
        "five surveys, if everybody who is drawn answers directly."
    ) % {"points": math.ceil(100 * least)}


def crowd(definition: Definition, respondents: int) -> list[str]:
    """Sentences on what unordered records promise if nothing tells people apart, and on how much of that undisguised
    questions take away.
    """
    design = secrets_of(definition.design, definition.source)
    n = count_disguising(respondents, share_of(definition))
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
    names, answers = _distinct_answers(definition)
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


def _distinct_answers(definition: Definition) -> tuple[list[str], int]:
    """The names of undisguised questions beside records, and how many combinations of answers to them there are;
    0: any number.
    """
    names, answers = [], 1
    for question in definition.beside_records:
        columns = [
            column
            for column in type_of(question).columns(question)
            if definition.keeps_texts_in_records or column.kind is not ColumnKind.TEXT
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
