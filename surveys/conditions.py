"""When a question is asked: after answers to earlier undisguised questions, joined by “and” and “or”.

    CONDITION = {"question": "gender", "is": ["f", …]}                    after one of these answers
                {"all": [CONDITION, …]}   {"any": [CONDITION, …]}        where each of these holds, or at least one

It has no “not”: a question that was not asked, or not answered, meets nothing. when.js in
surveys/client/features/questions reads the same grammar, and tests hold both against tests/vectors/conditions.json.

    >>> holds({"any": [{"question": "sex", "is": ["f"]}, {"question": "age", "is": ["1", "2"]}]}, {"age": "2"}.get)
    True
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, groupby
from typing import Any, TypeVar

from privacy.errors import EntryError
from surveys.questions import PublishedQuestion, type_of

T = TypeVar("T")
Condition = Mapping[str, Any]
JOINS = ("all", "any")
MOST_QUESTIONS, MOST_ANSWERS, DEEPEST = 50, 1000, 8  # in one condition
MOST_STEPS = 10_000  # of working out whom the questions of a survey are asked


def fold(condition: Condition, leaf: Callable[[Condition], T], join: Callable[[str, list[T]], T]) -> T:
    """Compute a value of a condition: `leaf` of each part about a question, put together by `join` ("all" or "any")."""
    if "question" in condition:
        return leaf(condition)
    ((by, parts),) = condition.items()
    return join(by, [fold(part, leaf, join) for part in parts])


def join_conditions(by: str, parts: Iterable[Condition | None]) -> Condition | None:
    """Join conditions by "all" or "any"; None where there are none."""
    parts = [*chain.from_iterable(condition.get(by, [condition]) for condition in filter(None, parts))]
    return {by: parts} if len(parts) > 1 else parts[0] if parts else None


def leaves(condition: Condition | None) -> list[Condition]:
    """The parts of a condition that name a question, each with the answers that count."""
    if condition is None:
        return []
    return fold(condition, lambda one: [one], lambda _by, parts: [one for part in parts for one in part])


def leaves_of(question: PublishedQuestion) -> list[Condition]:
    return leaves(question.when)


def narrow(entry: Mapping[str, Any], condition: Condition) -> dict[str, Any]:
    """The published entry of a question, asked only where this condition holds, too."""
    return {**entry, "when": join_conditions("all", [condition, entry.get("when")])}


def holds(condition: Condition, said: Callable[[str], Collection[str] | None]) -> bool:
    """Whether a condition holds; `said` returns what the answer to a question says, nothing where there is none."""

    def is_met(leaf: Condition) -> bool:
        return not set(leaf["is"]).isdisjoint(said(leaf["question"]) or ())

    return fold(condition, is_met, lambda by, parts: all(parts) if by == "all" else any(parts))


def is_asked(question: PublishedQuestion, answers: Mapping[str, Any], known: Mapping[str, PublishedQuestion]) -> bool:
    """Whether a question's condition holds. One that was not asked has no answer, so later ones cannot depend on it."""

    def said(name: str) -> Collection[str] | None:
        return set(type_of(known[name]).values(answers[name])) if name in answers else None

    return question.when is None or holds(question.when, said)


def ends_visit(question: PublishedQuestion, answer: Any) -> bool:
    """Whether an answer to an undisguised question sends people away, so that no device sends it."""
    return not set(question.out).isdisjoint(type_of(question).values(answer))


def check_shape(condition: Any, at: str) -> None:
    """Refuse a value that is no condition, or a condition larger than anybody can read."""
    if not _is_condition(condition, DEEPEST):
        raise EntryError("a condition names a question and answers, or lists conditions under all or any.", at=at)
    named = leaves(condition)
    if len(named) > MOST_QUESTIONS or sum(len(leaf["is"]) for leaf in named) > MOST_ANSWERS:
        raise EntryError("these are too many answers for a condition: tick fewer.", at=at)


def _is_condition(value: Any, deepest: int) -> bool:
    if not isinstance(value, dict) or not deepest:
        return False
    if value.keys() == {"question", "is"}:
        texts = [value["question"], *value["is"]] if isinstance(value["is"], list) else [None]
        return all(isinstance(text, str) for text in texts)
    lists = [parts for by, parts in value.items() if by in JOINS and isinstance(parts, list) and len(parts) > 1]
    return len(lists) == len(value) == 1 and all(_is_condition(part, deepest - 1) for part in lists[0])


# ---- whom a question is asked ---------------------------------------------------------------------------------------


def shares_asked(questions: Sequence[PublishedQuestion]) -> dict[str, Fraction | None]:
    """For each question with a condition the share of people who stay to the end that are asked it, if all answers are
    equally common. 0: no answers lead to it. None: so many answers play a part that it would take too long to compute.
    """
    counting = _AskedShares(questions)
    return {question.id: counting.share_of(question.when) for question in questions if question.when is not None}


def never_asked(questions: Sequence[PublishedQuestion]) -> list[str]:
    return [name for name, share in shares_asked(questions).items() if share == 0]


class _TooLongError(Exception):
    pass


class _AskedShares:
    """Computes whom questions are asked. Answers are drawn one after the other, as far as a condition needs them, and
    by parts: an answer says one value of each part, whatever it says of the others.
    """

    def __init__(self, questions: Iterable[PublishedQuestion]) -> None:
        self.known = {question.id: question for question in questions}
        self.wanted = defaultdict[str, list[frozenset[str]]](list)  # by conditions, of each question
        for question in self.known.values():
            for condition in leaves_of(question):
                self.wanted[condition["question"]].append(frozenset(condition["is"]))
        self.parts: dict[str, list[list[str]]] = {}
        self.left = MOST_STEPS

    def share_of(self, condition: Condition) -> Fraction | None:
        try:
            return self._share_given(condition, {})
        except (_TooLongError, RecursionError):
            return None

    def _share_given(self, condition: Condition, drawn: Mapping[tuple[str, int], str]) -> Fraction:
        """The share of people whose answers meet the condition, given the parts of answers that are drawn."""
        met = self._is_met_or_part(condition, drawn)
        if isinstance(met, bool):
            return Fraction(met)
        name, place = met
        values = self._parts(name)[place]
        question = self.known[name]
        chances = dict(zip(question.options, question.chances, strict=True)) if question.chances else {}

        def named_by(value: str) -> list[bool]:
            return [value in wanted for wanted in self.wanted[name]]

        def chance_of(some: Iterable[str]) -> int:
            return sum(chances.get(value, 1) for value in some)

        alike = [list(each) for _named, each in groupby(sorted(values, key=named_by), named_by)]
        shares = (chance_of(each) * self._share_given(condition, {**drawn, met: each[0]}) for each in alike)
        return sum(shares, Fraction(0)) / chance_of(values)

    def _parts(self, name: str) -> list[list[str]]:
        """The values of each part of a question's answer, without answers that end the visit."""
        if name not in self.parts:
            one = self.known[name]
            said = type_of(one).parts(one)
            self.parts[name] = [[value for value in part if value not in one.out] for part in said]
        return self.parts[name]

    def _is_met_or_part(self, condition: Condition, drawn: Mapping[tuple[str, int], str]) -> bool | tuple[str, int]:
        """Whether the condition holds, given the drawn parts; or the part that must be drawn next to decide it."""

        def is_met(leaf: Condition) -> bool | tuple[str, int]:
            if self.left <= 0:
                raise _TooLongError
            self.left -= 1
            name, wanted = leaf["question"], set(leaf["is"])
            asked = self.known[name].when
            before = True if asked is None else self._is_met_or_part(asked, drawn)
            if before is not True:
                return before
            open_parts = []
            for place, values in enumerate(self._parts(name)):
                if (name, place) not in drawn:
                    open_parts += [(name, place)] * (not wanted.isdisjoint(values))
                elif drawn[name, place] in wanted:
                    return True
            return open_parts[0] if open_parts else False

        def join(by: str, parts: list[bool | tuple[str, int]]) -> bool | tuple[str, int]:
            decides = by == "any"
            if decides in parts:
                return decides
            return next((part for part in parts if not isinstance(part, bool)), not decides)

        return fold(condition, is_met, join)
