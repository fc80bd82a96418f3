"""Enough people of a group: once about so many gave an undisguised answer, later ones are sent away.

Counted where responses are sealed, never where they come, and up to MORE on top
(docs/decisions/0071-enough-of-a-group.md).
"""

import json
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from django.db.models import F

from surveys.definition import Definition
from surveys.models import GroupCount, SurveyVersion
from surveys.questions import PublishedQuestion

MORE = 20  # as many as are sealed together at the least


def count_groups(version: SurveyVersion, answers: Iterable[bytes]) -> None:
    """Add a batch's undisguised answers (JSON lines) to the number of people with each answer that has a limit.

    Called inside the transaction that seals the batch.
    """
    if not (wanted := limits_of_groups(version.parsed)):
        return
    given = Counter(
        (name, said[name]) for said in map(json.loads, filter(None, answers)) for name in wanted.keys() & said.keys()
    )
    groups = {(name, answer) for name, enough in wanted.items() for answer in enough}
    own = GroupCount.objects.filter(version=version)
    new = sorted(groups.difference(own.values_list("question", "answer")))
    GroupCount.objects.bulk_create(
        GroupCount(version=version, question=name, answer=answer, more=secrets.randbelow(MORE)) for name, answer in new
    )
    for name, answer in sorted(groups & given.keys()):
        own.filter(question=name, answer=answer).update(people=F("people") + given[name, answer])


def full_groups(version: SurveyVersion, definition: Definition) -> dict[str, list[str]]:
    """The answers that enough people have given, by the name of the question."""
    full: dict[str, list[str]] = {}
    if wanted := limits_of_groups(definition):
        for group in GroupCount.objects.filter(version=version).order_by("question", "answer"):
            if group.people >= wanted[group.question][group.answer] + group.more:
                full.setdefault(group.question, []).append(group.answer)
    return full


def known_people(question: PublishedQuestion, full: Iterable[str]) -> tuple[np.ndarray, np.ndarray] | None:
    """The fewest and the most people with each option, as everybody knows who reads what is full; None: no limits."""
    if not question.enough:
        return None
    fewest = [question.enough.get(option, 0) * (option in full) for option in question.options]
    most = [np.inf if option in full else question.enough.get(option, np.inf) + MORE - 2 for option in question.options]
    return np.array(fewest), np.array(most)


def limits_of_groups(definition: Definition) -> dict[str, Mapping[str, int]]:
    """How many people are enough, by the name of the question and the answer."""
    return {question.id: question.enough for question in definition.questions if question.enough}
