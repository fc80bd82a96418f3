"""A text of at most "max" UTF-16 units; it cannot be disguised."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from surveys.displays import Texts
from surveys.questions.entered import Question, bounds
from surveys.questions.question import Answers, Asks, Entry, PublishedQuestion, QuestionType
from surveys.shares import differ

USUAL = 500  # UTF-16 units, as a browser counts what is written
LONGEST = 5000


class Text(QuestionType):
    name = "text"
    label = gettext_lazy("text (not disguised)")
    asks = Asks.TEXT
    fields = frozenset(("max",))
    uses = frozenset(("max",))

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        most = entry.get("max")
        most = USUAL if most is None else most
        if entry.get("min") is not None or type(most) is not int or not 0 < most <= LONGEST:
            raise EntryError(
                "a text has only max, its length, from 1 to {longest}.",
                at=f"question '{question.id}'.max",
                longest=LONGEST,
            )
        return replace(question, max=most)

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        """Whether it is short enough, and without control characters but tabs and line ends: `longest` omits others."""
        if not isinstance(value, str) or any(character < " " and character not in "\t\n\r" for character in value):
            return False
        return 0 < len(value.encode("utf-16-le")) // 2 <= int(question.max or 0)

    def limits(self, entry: Entry) -> str:
        most = entry.get("max")
        return "" if most is None else _("at most %(most)s characters") % {"most": most}

    def displays(self, answers: Answers) -> list[Texts]:
        """Texts sorted by their letters: so they tell neither an order nor what else a person answered.

        None where all but a few wrote the same: each of these few would know what all others wrote.
        """
        given = answers.given
        if not differ(given.times, answers.least):
            return [Texts(answers.question.id, 0)]
        texts = (text for one in sorted(zip(given.different, given.times, strict=True)) for text in repeat(*one))
        return [Texts(answers.question.id, given.people, texts=tuple(texts))]

    def longest(self, question: PublishedQuestion) -> int:
        return 2 + 3 * int(question.max or 0)  # a UTF-16 unit is at most 3 bytes of UTF-8; escaped, 2

    def simulate(self, _question: PublishedQuestion, _chance: np.random.Generator) -> None:
        """Return nothing: words would reveal who made them up."""

    def write(self, entered: Question, _languages: Sequence[str]) -> Entry:
        return dict(bounds(entered))
