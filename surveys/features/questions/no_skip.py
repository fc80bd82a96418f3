"""Why a disguised question has no "prefer not to say".

"no_skip": "…"
"""

from collections.abc import Mapping, Sequence
from typing import Any

from privacy.errors import InputError
from surveys.features.questions.field import QuestionField
from surveys.kinds import person
from surveys.questions import TYPES, Entry
from surveys.questions.entered import Question
from surveys.questions.rows import SKIP
from surveys.rules import line

LONGEST = 200


def is_unskipped(question: Question) -> bool:
    """Whether the question is disguised, and has no "prefer not to say" although its type can have it.

    Of what people draw themselves, everybody can skip a question by leaving.
    """
    return (
        question.block is not None
        and question.block.kind != person.NAME
        and TYPES[question.type].skipped is not None
        and all(option.value != SKIP for option in question.options)
    )


class NoSkip(QuestionField):
    name = "no_skip"
    rule = staticmethod(line(LONGEST))
    is_cell = True

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        text = entry["no_skip"]
        if not isinstance(text, str) or not text or not entry.get("sensitive"):
            raise InputError(f"{at}: no_skip is a text, of a sensitive question.")
        return {}

    def in_effect(self, question: Question) -> str:
        return question.no_skip if is_unskipped(question) else ""
