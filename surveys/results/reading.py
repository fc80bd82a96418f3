"""What may be shown of a snapshot: its records and open answers, as far as nobody can be singled out by asking again.

Every page and picture of results reads a snapshot here and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.reconstruct.sampling import Sampling
from privacy.records import Records
from surveys.domain.demo.surveys import truth_and_reports
from surveys.domain.responses import counts, disclosure
from surveys.models import Snapshot, SurveyVersion
from surveys.questions import Entry


@dataclass(frozen=True)
class Data:
    """The responses of a snapshot. While the version still collects, `records` are the disguised ones alone.

    `answers` are the open answers of each record, in the same order; None while the version collects. `settled`: no
    response can come any more. `sampling` says how respondents were drawn, None alike, and `drawn` the same in words
    (surveys.results.drawn).
    """

    snapshot: Snapshot
    records: Records
    answers: list[dict[str, Any]] | None
    least: int
    settled: bool
    sampling: Sampling | None = None
    drawn: str = ""

    @property
    def version(self) -> SurveyVersion:
        return self.snapshot.version

    @property
    def n(self) -> int:
        return len(self.records)

    @property
    def everybody(self) -> counts.Count:
        """Their number, as it may be said now."""
        return self.people(self.n)

    def people(self, n: int) -> counts.Count:
        """The number of some of them, likewise."""
        return counts.said(n, self.settled)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The published entry of each question by its name, in the order of the questionnaire."""
        pages = self.version.parsed.source["pages"]
        return {entry["id"]: entry for page in pages for entry in page["questions"]}

    def language(self, wished: str | None) -> str:
        """The reader's language where the questionnaire has it, or else its main language."""
        languages: list[str] = self.version.parsed.source["languages"]
        return wished if wished in languages else languages[0]

    @cached_property
    def simulated(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Of simulated people the true answers and what was sent of each; None of real ones.

        None also where visitors answered, too, and where people were not drawn alike. In a rehearsal they have the
        order of the records.
        """
        pairs = truth_and_reports(self.version) if self.sampling is None else None
        return pairs if pairs is not None and len(pairs[0]) == self.n else None

    def worth(self, chosen: np.ndarray, groups: np.ndarray | None = None, size: int = 1) -> np.ndarray:
        """How many respondents drawn alike some are worth, (Σw)²/Σw² in each group; unweighted, their number."""
        if self.sampling is not None:
            return self.sampling.worth(chosen, groups, size)
        places = np.zeros(int(chosen.sum()), np.int64) if groups is None else groups[chosen]
        return np.bincount(places, minlength=size)

    def given(self, question: str) -> list[Any]:
        """The answers to an open question, one of each person who gave one."""
        return [answer[question] for answer in self.answers or () if question in answer]


def read(snapshot: Snapshot) -> Data:
    """All that may be shown of a snapshot now (surveys.domain.responses.disclosure)."""
    design, least = snapshot.version.design, snapshot.version.survey.least
    reportable = disclosure.reportable(snapshot)
    if not reportable.open:
        return Data(snapshot, _joined(design, list(disclosure.records(snapshot))), None, least, settled=False)
    parts = list(disclosure.responses(snapshot))
    records = _joined(design, [part for part, _lines in parts])
    answers = [json.loads(line) for _part, lines in parts for line in lines]
    return Data(snapshot, records, answers or [{}] * len(records), least, reportable.direct)


def _joined(design: Design, parts: Sequence[Records]) -> Records:
    if not parts:
        return Records(design, np.empty((0, len(design.items)), design.code_type), np.empty(0, bool))
    return Records(design, np.concatenate([part.codes for part in parts]), np.concatenate([p.direct for p in parts]))
