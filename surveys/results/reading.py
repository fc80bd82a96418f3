"""What may be shown of a snapshot: its records and open answers, as far as nobody can be singled out by asking again.

Every page and picture of results reads a snapshot here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from privacy.records import Records
from privacy.records.packing import row_bytes, unpack
from surveys.domain.questionnaire.publish import is_closed
from surveys.domain.responses import snapshots
from surveys.models import Snapshot, SurveyVersion
from surveys.questions import Entry


@dataclass(frozen=True)
class Data:
    """The responses of a snapshot. While the version still collects, `records` are the disguised ones alone.

    `answers` are the open answers of each record, in the same order; None while the version collects.
    """

    snapshot: Snapshot
    records: Records
    answers: list[dict[str, Any]] | None
    least: int

    @property
    def version(self) -> SurveyVersion:
        return self.snapshot.version

    @property
    def n(self) -> int:
        return len(self.records)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The published entry of each question by its name, in the order of the questionnaire."""
        pages = self.version.parsed.source["pages"]
        return {entry["id"]: entry for page in pages for entry in page["questions"]}

    def language(self, wished: str | None) -> str:
        """The reader's language where the questionnaire has it, or else its main language."""
        languages: list[str] = self.version.parsed.source["languages"]
        return wished if wished in languages else languages[0]

    def given(self, question: str) -> list[Any]:
        """The answers to an open question, one of each person who gave one."""
        return [answer[question] for answer in self.answers or () if question in answer]


def read(snapshot: Snapshot) -> Data:
    """All that may be shown of a snapshot."""
    version = snapshot.version
    design = version.design
    parts = list(snapshots.parts(snapshot))
    packed = b"".join(part.records for part in parts)
    records = unpack(design, np.frombuffer(packed, np.uint8).reshape(-1, row_bytes(design)))
    if not is_whole(version):
        disguised = ~records.direct
        return Data(
            snapshot, Records(design, records.codes[disguised], records.direct[disguised]), None, version.survey.least
        )
    answers = snapshots.open_answers_of(parts)
    return Data(snapshot, records, answers or [{}] * len(records), version.survey.least)


def is_whole(version: SurveyVersion) -> bool:
    """Whether a version takes no more responses, or has only simulated ones: nothing new can be told from the old."""
    survey = version.survey
    return survey.simulated or is_closed(survey) or version.number < survey.versions.latest("number").number
