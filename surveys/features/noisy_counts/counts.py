"""Undisguised answers as counts with noise, where that was chosen before publication: drawn once, and the same ever
after.

The sealing job draws them when the last response of a version is sealed. Reading draws them for
simulated people alone.

All columns that have public values are counted: options, and numbers between two ends. Texts, days, places and other
numbers are in no count, and so nothing of them leaves. Two columns are counted together where the definition says so.
"""

import json
import logging
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import ceil
from typing import Any

from django.db import IntegrityError, transaction

from privacy.choices import GAUSSIAN
from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.database import duties
from surveys.domain.exports.columns import FileColumn, columns_of
from surveys.domain.responses import disclosure
from surveys.features.noisy_counts import RANGES, central as noise_of_counts, countable
from surveys.features.noisy_counts.budget import is_left, no_budget_error, spend
from surveys.models import NoisyCounts, Snapshot, SurveyVersion

log = logging.getLogger(__name__)

NO_ANSWER = ""


@dataclass(frozen=True)
class CountedColumn:
    """A column, its counted values, and a function that finds one of these in somebody's undisguised answers."""

    column: FileColumn
    values: tuple[str, ...]
    value: Callable[[dict[str, Any]], str]


def columns_to_count(definition: Definition) -> Iterator[CountedColumn]:
    """Yield the columns to count; the value “no answer” is counted only where a question may stay empty."""
    questions = {question.id: question for question in definition.open_questions}
    names = countable(definition.open_questions)
    for column in (column for column in columns_of(definition) if column.of is not None and column.name in names):
        question = questions[column.question]
        values: tuple[str, ...] = tuple(one.value for one in column.values)
        named: Callable[[Any], str] = str
        if not values:
            assert isinstance(question.min, int | float)  # it is countable
            assert isinstance(question.max, int | float)
            values, named = _ranges(question.min, question.max)
        if not question.is_always_answered:
            values = (*values, NO_ANSWER)
        yield CountedColumn(column, values, _reader_of(column, named))


def _reader_of(column: FileColumn, named: Callable[[Any], str]) -> Callable[[dict[str, Any]], str]:
    """A function from somebody's answers to the value that is counted; `named` turns an answer into that value."""
    of = column.of
    assert of is not None

    def value(answers: dict[str, Any]) -> str:
        cell = of(answers[column.question]) if column.question in answers else None
        return NO_ANSWER if cell is None else named(cell)

    return value


def _ranges(low: float, high: float) -> tuple[tuple[str, ...], Callable[[Any], str]]:
    """The labels of ranges of one width between two public ends, and a function from a number to its label.

    Between whole ends as many whole numbers are in each, but for the last; an answer may lie between two of them.
    """
    width = (high - low) / RANGES or 1.0
    if isinstance(low, int) and isinstance(high, int):
        width = ceil((high - low + 1) / RANGES)
    count = RANGES if isinstance(width, float) else ceil((high - low + 1) / width)
    written = [f"{low + width * place:.15g}" for place in range(count)]  # with fewer digits two may look alike
    labels = (*(f"[{one}, {other})" for one, other in pairwise(written)), f"[{written[-1]}, {high:.15g}]")
    begins = [float(one) for one in written]  # as the labels say, and not as floating point multiplies
    return labels, lambda number: labels[max(bisect_right(begins, number) - 1, 0)]


def noisy_counts(snapshot: Snapshot) -> dict[str, Any]:
    """The counts of a version as `candor counts --json` prints them; EntryError says why there are none."""
    disclosure.require_enough(snapshot)
    kept = NoisyCounts.objects.filter(version=snapshot.version).first()
    if kept is None and snapshot.version.parsed.is_simulated:
        kept = _draw_counts(snapshot)
    if kept is None:
        raise _why_none(snapshot)
    answer: dict[str, Any] = kept.answer
    return answer


def is_drawn(snapshot: Snapshot) -> bool:
    """Whether there are counts to show: enough people answered, and counts are drawn or people are simulated."""
    is_there = snapshot.version.parsed.is_simulated or NoisyCounts.objects.filter(version=snapshot.version).exists()
    return is_there and disclosure.is_enough(snapshot)


def draw_due() -> None:
    """A duty: draw the counts of every version whose last response is sealed; what fails is tried again later.

    Nothing is drawn that the budget of noise does not pay for (it was published before budgets were reserved, or comes
    from a backup), or that too few people answered. One version that cannot be read stops no other.
    """
    undrawn = disclosure.last_snapshots().filter(
        version__noisy_counts=None, version__survey__noise_budgets__isnull=False, version__survey__erasing_since=None
    )
    for pk, digest in undrawn.values_list("pk", "version__sha256"):
        try:
            if _asks_for_noise(digest):
                _draw_if_due(pk)
        except Exception as error:
            log.error("The counts of snapshot %s were not drawn (%s).", pk, type(error).__name__)
            duties.note_undone(error)


def _draw_if_due(pk: int) -> None:
    snapshot = Snapshot.objects.select_related("version__survey").filter(pk=pk).first()
    if (
        snapshot
        and disclosure.is_enough(snapshot)
        and is_left(snapshot.version)
        and disclosure.is_settled(snapshot)
        and _has_columns_to_count(snapshot)
    ):
        _draw_counts(snapshot)


@lru_cache(maxsize=4096)
def _asks_for_noise(digest: str) -> bool:
    """Whether a version (its hash) releases counts only with noise; cached, because a version never changes."""
    return SurveyVersion.objects.get(sha256=digest).parsed.counts_alone


def _has_columns_to_count(snapshot: Snapshot) -> bool:
    return any(True for _column in columns_to_count(snapshot.version.parsed))


def _why_none(snapshot: Snapshot) -> EntryError:
    if not disclosure.is_settled(snapshot):
        return EntryError(
            "Undisguised answers are counted after this version is closed and its last response is sealed."
        )
    if not _has_columns_to_count(snapshot):
        return EntryError("No undisguised question has answers that can be counted.")
    if not is_left(snapshot.version):
        return no_budget_error()
    return EntryError("Undisguised answers are being counted: look again in a minute.")


def _draw_counts(snapshot: Snapshot) -> NoisyCounts:
    """Draw and store the counts and charge the budget, in one transaction; a process that comes later reads them."""
    from privacy.release.counts import with_noise  # it loads SciPy, which a site that takes answers does without

    version = snapshot.version
    central, exact = noise_of_counts(version.parsed.source), _count_answers(snapshot)
    assert central is not None
    if not exact:
        raise _why_none(snapshot)
    answer = with_noise(snapshot.respondents, exact, central.epsilon, central.delta, law=GAUSSIAN).to_json()
    try:
        with transaction.atomic():
            kept = NoisyCounts.objects.create(version=version, answer=answer)
            spend(version.survey, central.millionths)
            return kept
    except IntegrityError:
        return NoisyCounts.objects.get(version=version)


def _count_answers(snapshot: Snapshot) -> dict[tuple[str, ...], dict[tuple[str, ...], int]]:
    """Count undisguised answers without noise: a table for the names of its columns, with the people in each cell."""
    definition = snapshot.version.parsed
    counted = {one.column.name: one for one in columns_to_count(definition)}
    central = noise_of_counts(definition.source)
    crossed = central.tables if central else ()
    tables: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {
        names: dict.fromkeys(product(*(counted[name].values for name in names)), 0)
        for names in (*((name,) for name in counted), *crossed)
    }
    for line in disclosure.lines_to_count(snapshot):
        answers = json.loads(line) if line else {}
        given = {name: one.value(answers) for name, one in counted.items()}
        for names, cells in tables.items():
            cells[tuple(given[name] for name in names)] += 1
    return tables
