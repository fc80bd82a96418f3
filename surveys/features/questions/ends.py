"""Answers that send people away: at once, or once about so many people gave them.

"out": ["under18"]           answers that end the visit; of an undisguised question
"enough": {"law": 200}       answers that do so once about so many people gave them
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from privacy.output import format_count
from surveys.conditions import MOST_ANSWERS
from surveys.features.questions.field import Entered, QuestionField
from surveys.questions import Entry, PublishedQuestion, type_of
from surveys.rules import LARGEST_COUNT, Faults, answer_list, is_whole

MOST_GROUPS = 20  # that the address may name, or that are counted
_CHANGED = gettext_lazy("ends of the visit changed")
ENOUGH = (20, 10_000_000)  # the least and most people of a group: no fewer than are sealed together


def refuse_disguised(question: PublishedQuestion) -> None:
    if question.sensitive:
        raise EntryError(
            "a sensitive answer cannot end the visit, nor come from the address: others would learn it.",
            at=f"question '{question.id}'",
        )


def _answers(question: PublishedQuestion, named: Iterable[str]) -> Iterable[str]:
    """The answers that the question can have; refused where those `named` are not among them."""
    answers = type_of(question).answers(question)
    for value in named:
        if value not in answers:
            at = f"question '{question.id}'"
            raise EntryError("there is no answer “{value}” that could end the visit.", at=at, value=value)
    return answers


def check_enough(people: Any, at: str) -> None:
    """Refuse a number of people that cannot be enough for a group."""
    least, most = ENOUGH
    if not isinstance(people, int) or not least <= people <= most:
        raise EntryError(
            "a group has enough people with {least} to {most}, not with “{people}”.",
            at=at,
            people=str(people)[:20],
            least=least,
            most=most,
        )


def _let_end(question: Entered, said: Mapping[str, Any]) -> None:
    """Let an answer end the visit, or no longer."""
    answer = str(said["answer"])
    question["out"] = [value for value in question["out"] if value != answer] + [answer] * bool(said["value"])


def _let_enough_end(question: Entered, said: Mapping[str, Any]) -> None:
    """Let an answer end the visit once about so many people gave it, or no longer."""
    answer, text = str(said["answer"]), str(said["value"]).strip()[:20]
    question["enough"].pop(answer, None)
    if text:
        people = int(text) if text.isascii() and text.isdecimal() else text
        check_enough(people, at="enough")
        question["enough"][answer] = people


class Out(QuestionField):
    name = "out"
    rule = staticmethod(answer_list)
    empty = list
    undisguised = of_type = True
    says_more = "panel"
    is_cell = True
    changes = (("ends", _let_end, _CHANGED),)
    outcome = "out"

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        return {"out": tuple(entry["out"])}

    def check(self, question: PublishedQuestion, entry: Entry) -> None:
        if not question.out:
            return
        refuse_disguised(question)
        if set(question.out) >= set(_answers(question, question.out)):
            at = f"question '{question.id}'"
            raise EntryError("each answer would end the visit: leave one that does not.", at=at)

    def marks(self, entry: Entry) -> Iterator[str]:
        values = _(" or ").join(f"“{value}”" for value in entry["out"])
        yield _("people are sent away who answer %(values)s") % {"values": values}

    def read_cell(self, text: str) -> list[str]:
        return text.split()

    def write_cell(self, value: list[str]) -> str:
        return " ".join(value)

    def drop(self, question: Entered, values: Iterable[str]) -> None:
        question["out"] = [value for value in question["out"] if value not in values]


def _check_people(numbers: Any, at: str) -> Faults:
    """How many people with which answer: an object from a few answers to whole numbers."""
    few = isinstance(numbers, dict) and len(numbers) <= MOST_ANSWERS
    if not few or not all(is_whole(number, 0, LARGEST_COUNT) for number in numbers.values()):
        yield EntryError("this gives a number of people to each of a few answers.", at=at)


class Enough(QuestionField):
    name = "enough"
    rule = staticmethod(_check_people)
    empty = dict
    undisguised = of_type = True
    says_more = "panel"
    lost = gettext_lazy("how many people with an answer are enough")
    changes = (("enough", _let_enough_end, _CHANGED),)
    outcome = "full"

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        return {"enough": entry["enough"]}

    def check(self, question: PublishedQuestion, entry: Entry) -> None:
        at, enough = f"question '{question.id}'", question.enough
        if enough:
            refuse_disguised(question)
        countable = bool(question.options) and not question.items
        if not isinstance(enough, dict) or len(enough) > (MOST_GROUPS if countable else 0):
            raise EntryError(
                "only people who choose one option are counted, of {most} options at most.", at=at, most=MOST_GROUPS
            )
        _answers(question, enough)
        for people in enough.values():
            check_enough(people, at)

    def marks(self, entry: Entry) -> Iterator[str]:
        groups = _(", ").join(f"“{value}” {format_count(people)}" for value, people in entry["enough"].items())
        yield _("enough people with an answer: about %(groups)s") % {"groups": groups}

    def drop(self, question: Entered, values: Iterable[str]) -> None:
        question["enough"] = {value: people for value, people in question["enough"].items() if value not in values}
