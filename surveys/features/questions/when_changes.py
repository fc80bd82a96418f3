"""Named changes of the condition of a question. Each says `at` which of its parts, by the places on the way there."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext_lazy

from surveys.conditions import Condition, join_conditions
from surveys.domain.drafts.change_part import Change, change, find
from surveys.domain.questionnaire.check import answers_before
from surveys.domain.questionnaire.document import Document, Draft
from surveys.models import Survey


@change("when", gettext_lazy("condition changed"))
def _when(document: Document, said: Change, _wanted: set[str]) -> None:
    """Ask the question only after one of the answers `is` to the question `value`, or its first one without `is`; an
    empty `value` removes this part of the condition.
    """
    name, answers = str(said["value"]), list(said.get("is") or ())
    if name and not answers:
        find(document, name)
        possible = answers_before(Draft.from_document(Survey(), document))
        answers = [value for earlier, value in possible if earlier.id == name][:1]
    _alter_condition(document, said, lambda _part: {"question": name, "is": answers} if name else None)


@change("tick", gettext_lazy("condition changed"))
def _tick(document: Document, said: Change, _wanted: set[str]) -> None:
    """Add an answer to those that fulfil a part of the condition, or remove it; without answers the part is removed."""
    answer = str(said["answer"])

    def tick(part: Condition) -> Condition | None:
        values = [value for value in part["is"] if value != answer] + [answer] * bool(said["value"])
        return {**part, "is": values} if values else None

    _alter_condition(document, said, tick)


@change("and-or", gettext_lazy("condition changed"))
def _and_or(document: Document, said: Change, _wanted: set[str]) -> None:
    """Put a copy of the part beside it, to be edited next, joined by `join`: "all" or "any"."""
    _alter_condition(document, said, lambda part: {said["join"]: [part, {**part, "is": [*part["is"]]}]})


def _alter_condition(document: Document, said: Change, change_part: Callable[[Condition], Condition | None]) -> None:
    question = find(document, said["question"])
    question["when"] = _alter_part(question["when"], list(said.get("at") or ()), change_part)


def _alter_part(
    condition: Condition, at: Sequence[int], change_part: Callable[[Condition], Condition | None]
) -> Condition | None:
    """The condition with its part at the path `at` (places, outside in) changed; None if nothing is left of it."""
    if not at:
        return change_part(condition)
    ((by, parts),) = condition.items()
    changed = _alter_part(parts[at[0]], at[1:], change_part)
    return join_conditions(by, [*parts[: at[0]], changed, *parts[at[0] + 1 :]])
