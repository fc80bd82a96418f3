"""How far figures can be trusted, before anybody is asked: what will be tested, and what the crowd will hide.

By the calculations of the report, for the number of respondents that is expected.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _, ngettext

from privacy.design import Design
from privacy.errors import InputError
from privacy.guarantee import epsilon, round_up
from privacy.guarantee.crowd import promise_of_crowd
from privacy.guarantee.traces import finds
from privacy.reconstruct import arms
from privacy.reconstruct.anchors import price
from privacy.reconstruct.lot import detectable
from surveys import definition
from surveys.definition import Definition
from surveys.domain.questionnaire.check import is_unfinished
from surveys.domain.questionnaire.compose import checks, compose_design, question_entry
from surveys.domain.questionnaire.draft import Draft
from surveys.questions import PublishedQuestion, type_of
from surveys.questions.columns import ColumnKind


@dataclass(frozen=True)
class Testable:
    """What a questionnaire and the expected number of respondents allow to test; `questions` stand beside records."""

    design: Design
    respondents: int
    questions: tuple[PublishedQuestion, ...]
    beside: bool
    lot: float | None
    anchor: tuple[str, float] | None
    careless: Mapping[str, Sequence[float]]

    @property
    def disguising(self) -> int:
        """How many of the respondents are expected to send disguised answers, at least one."""
        return max(round(self.respondents * (1 - (self.lot or 0.0))), 1)


def of_draft(draft: Draft) -> Testable:
    """What can be tested with a draft, whose design must be complete; unfinished questions are left out."""
    written = draft.document
    finished = [one for one in draft.questions if one.block is None and not is_unfinished(one)]
    questions = tuple(definition.read_question(question_entry(one, []), []) for one in finished)
    lot = None if written["lot"] is None else written["lot"] / 100
    anchor = None
    if written["anchor"] and written["anchor_share"] is not None:
        anchor = (written["anchor"], written["anchor_share"] / 100)
    design = compose_design(draft)
    beside = (*questions, definition.ARM_DRAWN) if design.arms else questions
    careless = checks(written).get("careless", {})
    return Testable(design, written["expected"], beside, written["beside"], lot, anchor, careless)


def of_definition(published: Definition, respondents: int) -> Testable:
    questions = published.beside_records
    return Testable(
        published.design,
        respondents,
        questions,
        published.keeps_texts_beside,
        published.lot,
        published.anchor,
        published.careless,
    )


def powers(testable: Testable, named: Callable[[str], str]) -> dict[str, str]:
    """A sentence on what each of a lot, an anchor, two arms and careless questions will find; none for what is not.

    `named` returns an answer in the words of its question.
    """
    said = {}
    if testable.lot is not None:
        said["lot"] = lot_power(testable.design, testable.respondents, testable.lot)
    if testable.design.arms:
        said["arms"] = arms_power(testable.design, testable.disguising)
    if testable.anchor is not None:
        try:
            detectable = finds(testable.design, *testable.anchor, testable.disguising)
        except InputError:  # the list of what is missing says that this is no answer
            pass
        else:
            said["anchor"] = anchor_power(named(testable.anchor[0]), *detectable)
    if testable.careless:
        with suppress(InputError):
            said["careless"] = careless_price(testable)
    return said


def careless_price(testable: Testable) -> str:
    """A sentence on what the two questions that show careless people find, and what they cost if there are none."""
    found, wider = price(testable.design, testable.careless, testable.disguising)
    return _(
        "Answers without reading are found from %(share)s %% of people on, in four of five surveys. Where nobody "
        "answers so, the corrected share of a rare answer has up to %(wider)s times the standard error."
    ) % {"share": math.ceil(100 * found), "wider": f"{round_up(wider, 2):g}"}


def lot_power(design: Design, respondents: int, share: float) -> str:
    """Say how large an effect of the disguise is found where a lot asks this share of people directly."""
    least = detectable(design, respondents, share)
    if least is None:
        return _("So few respondents cannot show whether the disguise changes what people say.")
    return _(
        "If the disguise changes the share of an answer by %(points)s points or more, the draw shows it in four of "
        "five surveys, if everybody who is drawn answers directly."
    ) % {"points": math.ceil(100 * least)}


def anchor_power(answer: str, bypass: float | None, random: float | None) -> str:
    kinds = _kinds(bypass, _("people who answer at random, from %(percent)s %% on"), random)
    if not kinds:
        return _("There are too few respondents for the answer of known share, %(answer)s, to find anything.") % {
            "answer": f"“{answer}”"
        }
    return _("In four of five surveys, the answer of known share, %(answer)s, finds: %(found)s.") % {
        "answer": f"“{answer}”",
        "found": kinds,
    }


def arms_power(design: Design, respondents: int) -> str:
    bypass, noise = arms.detectable(design, respondents)
    kinds = _kinds(bypass, _("responses drawn at random, from %(percent)s %% on"), noise)
    if not kinds:
        return _("There are too few respondents for the two arms to find anything.")
    return _("In four of five surveys, the two arms find: %(found)s.") % {"found": kinds}


def _kinds(bypass: float | None, other: str, share: float | None) -> str:
    """The part of a sentence that lists what a test finds, each from its least share on; empty if it finds nothing."""
    kinds = [(_("devices that do not disguise, from %(percent)s %% on"), bypass), (other, share)]
    return _("; ").join(kind % {"percent": math.ceil(100 * least)} for kind, least in kinds if least is not None)


def crowd(testable: Testable) -> list[str]:
    """Sentences on what unordered records promise if nothing tells people apart, and on how much of that undisguised
    questions take away.
    """
    design, n = testable.design, testable.disguising
    alone = epsilon(design.gamma)
    if math.isinf(alone):
        return []
    said = [
        _(
            "Stored without order, %(n)s disguised records promise each person ε = %(crowd)s, but for a chance of one "
            "in a million, if nothing distinguishes people. One record alone promises %(alone)s."
        )
        % {"n": n, "crowd": round_epsilon(_epsilon_of_crowd(design, n)), "alone": round_epsilon(alone)}
    ]
    names, answers = _distinct_answers(testable)
    if not names:
        return said
    shared = n // answers if answers else 0
    left = _epsilon_of_crowd(design, shared) if shared else alone
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


@lru_cache(maxsize=64)
def _epsilon_of_crowd(design: Design, n: int) -> float:
    return promise_of_crowd(design, n).epsilon


def round_epsilon(value: float) -> str:
    """Write an ε, rounded up."""
    return "∞" if value == math.inf else f"{round_up(value, 3):g}"
