"""Open answers as counts with noise, where that was chosen before publication: drawn once, and the same ever after.

All columns that have public values are counted: options, and numbers between two ends. Texts, days, places and other
numbers are in no count, and so nothing of them leaves.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

from django.db import IntegrityError, transaction

from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.exports.columns import FileColumn, columns_of
from surveys.domain.questionnaire.noise import spend
from surveys.domain.responses import disclosure
from surveys.models import NoisyCounts, Snapshot
from surveys.questions.columns import ColumnKind

NO_ANSWER = ""
RANGES = 10  # of a number


@dataclass(frozen=True)
class CountedColumn:
    """A column, the values that are counted, and which of them an answer is."""

    column: FileColumn
    values: tuple[str, ...]
    value: Callable[[Any], str]


def counted_columns(definition: Definition) -> Iterator[CountedColumn]:
    questions = {question.id: question for question in definition.open_questions}
    for column in columns_of(definition):
        if column.of is None or column.question not in questions:
            continue
        low, high = questions[column.question].min, questions[column.question].max
        if column.values:
            yield CountedColumn(column, tuple(one.value for one in column.values), str)
        elif column.kind is ColumnKind.NUMBER and isinstance(low, int | float) and isinstance(high, int | float):
            yield CountedColumn(column, *_ranges(low, high))


def _ranges(low: float, high: float) -> tuple[tuple[str, ...], Callable[[Any], str]]:
    """Ranges of one width between two public ends."""
    width = (high - low) / RANGES or 1.0
    if isinstance(low, int) and isinstance(high, int):
        width = ceil((high - low + 1) / RANGES)
    count = RANGES if isinstance(width, float) else ceil((high - low + 1) / width)
    ends = [f"{low + width * place:.15g}" for place in range(count + 1)]  # with fewer digits two may look alike
    labels = tuple(f"{begins}…{stops}" for begins, stops in pairwise(ends))
    return labels, lambda number: labels[min(int((number - low) / width), count - 1)]


def noisy_counts(snapshot: Snapshot) -> dict[str, Any]:
    """The counts of a version as `candor counts --json` prints them; EntryError says why there are none."""
    kept = NoisyCounts.objects.filter(version=snapshot.version).first()
    if kept is None:
        if not disclosure.is_settled(snapshot):
            raise EntryError("Open answers are counted after this version is closed and its last response is sealed.")
        kept = _drawn(snapshot)
    answer: dict[str, Any] = kept.answer
    return answer


def _drawn(snapshot: Snapshot) -> NoisyCounts:
    """Draw, store and spend in one transaction; of several processes that draw at once, all but the first read."""
    from privacy.release.counts import with_noise  # it loads SciPy, which a site that takes answers does without

    version = snapshot.version
    central, exact = version.parsed.central, _counted(snapshot)
    assert central is not None
    if not exact:
        raise EntryError("No open question has answers that can be counted.")
    answer = with_noise(snapshot.respondents, exact, central.epsilon, central.delta).to_json()
    try:
        with transaction.atomic():
            kept = NoisyCounts.objects.create(version=version, answer=answer)
            spend(version.survey, central.millionths)
            return kept
    except IntegrityError:
        return NoisyCounts.objects.get(version=version)


def _counted(snapshot: Snapshot) -> dict[tuple[str, ...], dict[tuple[str, ...], int]]:
    counted = list(counted_columns(snapshot.version.parsed))
    tables: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {
        (one.column.name,): {(value,): 0 for value in (*one.values, NO_ANSWER)} for one in counted
    }
    for line in disclosure.lines_to_count(snapshot):
        answers = json.loads(line) if line else {}
        for one in counted:
            of, question = one.column.of, one.column.question
            cell = of(answers[question]) if of is not None and question in answers else None
            tables[(one.column.name,)][(NO_ANSWER if cell is None else one.value(cell),)] += 1
    return tables
