"""The responses of a closed version as a table: which columns a release may have, what is in them, and their risk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from privacy.design.items import MOST_OPTIONS
from privacy.records import Records
from privacy.release import Attack, TableMeasures
from privacy.release.hierarchies import propose_levels
from privacy.release.responses import NO_ANSWER, risk_before
from surveys.conditions import leaves_of
from surveys.domain.exports.columns import FileColumn, columns_of
from surveys.domain.exports.sheet import hides_mode, is_apart
from surveys.domain.responses import disclosure
from surveys.features import MODE
from surveys.models import Snapshot, SurveyVersion
from surveys.questions.question import ColumnKind
from surveys.releases.reasons import TableError
from surveys.results.reading import ReportData, read_rows, text_of

KEPT = 32  # of what was computed of snapshots, which never change


@dataclass(frozen=True)
class SeenColumn:
    """What is known of an undisguised column: its values, where they are few enough to be listed, and a proposed
    hierarchy.

    `alone` and `k` are of who knows this column alone: people whom it singles out, and the smallest group. `options`
    are all that it may have, where these are known without looking at the answers, and `missing` what stands for no
    answer, where one may be missing. Columns with options can be disguised, and `ranges_of` numbers or days; `ends` are
    those of the question.
    """

    name: str
    title: str
    values: tuple[str, ...]
    in_order: bool  # options of a question, or numbers: neighbours may be joined
    shape: dict[str, Any]
    k: int
    alone: int
    options: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    ranges_of: ColumnKind | None = None
    ends: tuple[Any, Any] = (None, None)


def to_release(version: SurveyVersion) -> ReportData:
    """The responses of a version of which a table may be released."""
    return _read_responses(releasable(version))


def releasable(version: SurveyVersion) -> Snapshot:
    """The last snapshot of a version; TableError while no table of it may be released."""
    snapshot = version.snapshots.select_related("version__survey").last()
    if snapshot is None:
        raise TableError("unanswered" if disclosure.is_unanswered(version) else "unsealed")
    if not (version.parsed.is_simulated or disclosure.is_last(snapshot)):
        raise TableError("open")
    if disclosure.count_people(snapshot, settled=True) < version.survey.least:
        raise TableError("least", least=version.survey.least)
    return snapshot


def open_columns(version: SurveyVersion) -> list[FileColumn]:
    """The undisguised columns that a release may have: those of files, without what people wrote in their own words,
    which nobody can make coarser.
    """
    hidden = (MODE,) if hides_mode(releasable(version)) else ()
    return [one for one in columns_of(version.parsed) if one.of and not is_apart(one) and one.name not in hidden]


def columns_that_tell(version: SurveyVersion, name: str) -> set[str]:
    """The columns whose cells follow the answers of one: of its question, and of questions asked only after some."""
    columns = open_columns(version)
    asked = {column.question for column in columns if column.name == name}
    for question in version.parsed.open_questions:  # conditions depend on earlier ones
        if any(leaf["question"] in asked for leaf in leaves_of(question)):
            asked.add(question.id)
    return {column.name for column in columns if column.question in asked} - {name}


def has_texts(version: SurveyVersion) -> bool:
    return any(is_apart(column) for column in columns_of(version.parsed))


def sensitive_columns(version: SurveyVersion) -> list[FileColumn]:
    return [column for column in columns_of(version.parsed) if column.disguised]


def answers_of(data: ReportData, names: Sequence[str]) -> dict[str, list[str]]:
    """Undisguised answers as the files have them; nothing where somebody gave none."""
    columns = {column.name: column for column in open_columns(data.version)}
    known = [columns[name] for name in names if name in columns]
    return {each.name: data.open(each.question).map(text_of(each), "").tolist() for each in known}


def releasable_columns(version: SurveyVersion, language: str) -> list[SeenColumn]:
    """Every undisguised column of a version that may be released; computed once for each snapshot."""
    snapshot = releasable(version)
    return _releasable_columns(snapshot.pk, snapshot.sha256, language)


def risk(version: SurveyVersion, known: Sequence[str]) -> tuple[TableMeasures, tuple[Attack, ...]]:
    """Measure and attack the original responses, by somebody who knows these answers of a person; computed once."""
    snapshot = releasable(version)
    return _risk(snapshot.pk, snapshot.sha256, tuple(known))


@lru_cache(maxsize=KEPT)
def _releasable_columns(pk: int, _sha256: str, language: str) -> list[SeenColumn]:
    data = _read_by_key(pk)
    columns = open_columns(data.version)
    answers = answers_of(data, [column.name for column in columns])
    asked = {one.id: one for one in data.version.parsed.open_questions}
    seen = []
    for column in columns:
        given = answers[column.name]
        different, counts = np.unique(given, return_counts=True)
        listed = [one.value for one in column.values]
        values = [*listed, *sorted({*different.tolist(), ""} - set(listed))] if listed else different.tolist()
        values = [value for value in values if value or value in different]
        shape = {"hierarchy": [[value, "*"] for value in values]} if listed else propose_levels(values)
        in_order = column.kind is ColumnKind.CHOICE and len(listed) > 2
        k, alone = int(counts.min()), int((counts == 1).sum())  # responses are there, or nothing is reported
        own = asked.get(column.question)
        missing = () if own and own.required and own.when is None and "" not in different else (NO_ANSWER,)
        options = (*listed, *missing)
        if not (listed and {*different.tolist()} <= {*listed, ""} and len(options) <= MOST_OPTIONS):
            options = ()
        ranges = column.kind if column.kind in (ColumnKind.NUMBER, ColumnKind.DAY) and not listed else None
        of_column = column.name, column.title(language), tuple(values), in_order, shape, k, alone
        seen.append(SeenColumn(*of_column, options, missing, ranges, (own.min, own.max) if own else (None, None)))
    return seen


@lru_cache(maxsize=KEPT)
def _risk(pk: int, _sha256: str, known: tuple[str, ...]) -> tuple[TableMeasures, tuple[Attack, ...]]:
    data = _read_by_key(pk)
    answers = answers_of(data, known)
    items = [column.name for column in sensitive_columns(data.version)]
    return risk_before(data.sealed, [answers[name] for name in known], items)


def _read_by_key(pk: int) -> ReportData:
    return _read_responses(Snapshot.objects.select_related("version__survey").get(pk=pk))


def _read_responses(snapshot: Snapshot) -> ReportData:
    """Its responses, without a direct group smaller than the survey's minimum, which files leave out, too."""
    data = read_rows(snapshot)
    direct = data.sealed.direct
    if not 0 < direct.sum() < data.least:
        return data
    kept = np.flatnonzero(~direct)
    if len(kept) < data.least:
        raise TableError("least", least=data.least)
    answers = data.answers and data.answers.select(kept)
    return replace(data, sealed=Records(data.sealed.design, data.sealed.codes[kept], direct[kept]), answers=answers)
