"""What may be shown of a snapshot: its records and undisguised answers, as far as nobody can be singled out by asking
again.

Every page and picture of results reads a snapshot here and nowhere else.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.errors import EntryError
from privacy.estimate.sampling import Sampling
from privacy.own_draw.typed import EntryErrors
from privacy.records import Records
from surveys.domain.demo.surveys import truth_and_reports
from surveys.domain.exports.columns import FileColumn, columns_of
from surveys.domain.responses import counts, disclosure, gate
from surveys.domain.responses.disclosure import Reportable
from surveys.domain.responses.groups import full_groups
from surveys.models import Snapshot, SurveyVersion
from surveys.questions import NOBODY, Answers, PublishedQuestion, type_of
from surveys.questions.question import ColumnKind
from surveys.results.open_answers import Column, DeclaredAnswers, OpenAnswers, make_coarse
from surveys.sentences import join_sentences
from surveys.shares import differ

KEPT = 4  # snapshots whose content a process keeps, of those it read last


@dataclass(frozen=True)
class ReportData:
    """The responses of a snapshot. While the version still collects, they are the disguised ones alone.

    `sealed` is for what is the same whatever people answered, such as which questions they were asked; figures of
    answers rest on `for_single_answers`, `for_patterns` or `without_direct`. `answers` are the undisguised answers of
    the same people, in their order, or classes in their place (surveys.results.open_answers); None while the version
    collects. `settled`: no response can come any more. `least` and `least_alone` are the fewest people of a figure, and
    of one of disguised people alone. `sampling` says how respondents were drawn, None alike, and `drawn` the same in
    words (surveys.results.sample_choice). `may_group` names the undisguised answers that may make groups of people
    drawn so; None: all.
    """

    snapshot: Snapshot
    sealed: Records
    answers: DeclaredAnswers | None
    least: int
    least_alone: int
    settled: bool
    sampling: Sampling | None = None
    drawn: str = ""
    may_group: frozenset[str] | None = None

    @property
    def version(self) -> SurveyVersion:
        return self.snapshot.version

    @property
    def few(self) -> bool:
        """Whether fewer people answered than the survey reports on, so that only disguised answers are shown."""
        return disclosure.is_of_few(self.snapshot)

    @property
    def hides_direct(self) -> bool:
        """Whether the version has ended, and direct people are in no figure."""
        return self.settled and disclosure.hides_direct(self.snapshot)

    @property
    def n(self) -> int:
        return len(self.sealed)

    @cached_property
    def for_single_answers(self) -> Records:
        """The records for figures of one answer by itself."""
        return gate.alone(self.sealed, self.least, self.version.is_coarse)

    @cached_property
    def for_patterns(self) -> Records:
        """The records for figures of several answers: all rows, or only disguised ones."""
        direct = self.sealed.direct
        codes, design = self.sealed.codes[direct], self.sealed.design
        if self.version.is_coarse:
            hidden = gate.fills(codes, self.least, [field.size for field in design.fields])
        else:
            hidden = gate.together(codes, self.least)
        if hidden or not direct.any():
            return self.sealed
        return Records(design, self.sealed.codes[~direct], self.sealed.direct[~direct])

    @cached_property
    def without_direct(self) -> Records:
        """The records for figures in groups by an undisguised answer: direct answers are left out, their rows stay."""
        return gate.without_direct(self.sealed)

    @cached_property
    def memory(self) -> dict[str, Any]:
        """What parts of the report have worked out of these responses, by their key: they are asked for it again."""
        return {}

    @cached_property
    def columns_to_group(self) -> frozenset[str]:
        """The undisguised columns, numbers first, of which every combination has enough disguised people.

        They are the same for all figures: those by two other sets could be subtracted.
        """
        if self.may_group is not None:
            return self.may_group
        if self.answers is None:  # while it collects, no undisguised answer is shown
            return frozenset()
        listed = sorted(
            columns_to_cross(self.version).values(), key=lambda column: column.kind is not ColumnKind.NUMBER
        )
        rows = self.answers.select(~self.sealed.direct)
        values = [rows.column(column.question).group_codes(text_of(column)) for column in listed]
        return frozenset(listed[place].name for place in gate.columns_that_cross(values, self.least))

    def check_certain(self, items: Iterable[str], groups: Iterable[str]) -> None:
        """Refuse items of which a stored answer can only be true, where groups or weights could single out a few.

        Differences of groups by two undisguised questions would tell such answers, as they would direct ones.
        """
        design = self.sealed.design
        if self.may_group == frozenset() or not self.columns_to_group.issuperset(groups):
            for item in items:
                if design.blocks[design.place(design.column(item))[0]].gamma == inf:
                    raise EntryError(
                        "Some stored answers to “{item}” can only be true. With weights, clusters, strata or an "
                        "undisguised question they are reported only where {least} people or more gave every "
                        "combination of undisguised answers.",
                        item=item,
                        least=self.least,
                    )

    def counts_direct(self, items: Sequence[str]) -> bool:
        """Whether figures of each of these items by itself count all direct answers to it."""
        return bool(self._all_direct[[self.sealed.design.column(item) for item in items]].all())

    @cached_property
    def _all_direct(self) -> np.ndarray:
        """For each item whether figures of it alone count all direct answers."""
        alone, given = (records.codes[self.sealed.direct] for records in (self.for_single_answers, self.sealed))
        everything: np.ndarray = (alone == given).all(axis=0)
        return everything

    def source(self, with_direct: bool) -> str:
        """How respondents were drawn, in words; without the direct ones also how many of these are left out."""
        direct = int(self.sealed.direct.sum())
        if with_direct or not direct:
            return self.drawn
        left_out = _("%(count)s people who answered directly are left out.") % {"count": self.people(direct)}
        return join_sentences([self.drawn, left_out])

    @property
    def collects(self) -> bool:
        """Whether undisguised answers are still to be shown: never where they are of few."""
        return self.answers is None and not self.settled

    def check_open(self, otherwise: str, needed: bool = True) -> None:
        """Refuse with `otherwise` while the version collects; later where single undisguised answers are `needed`
        and stay.
        """
        if self.collects:
            raise EntryError(otherwise)
        if self.few and needed:
            raise EntryError("Not shown: with few people an undisguised answer could point at one of them.")

    @property
    def _alone(self) -> int:
        """The fewest people of whom a figure of disguised people alone is shown; with weights, as for all others."""
        return self.least_alone if self.sampling is None else self.least

    @property
    def everybody(self) -> counts.Count:
        """The number of all people, as it may be published now."""
        return self.people(self.n)

    def people(self, n: int) -> counts.Count:
        """A number of some people, as it may be published now."""
        return counts.to_report(n, self.settled)

    def language(self, wished: str | None) -> str:
        """The reader's language where the questionnaire has it, or else its main language."""
        languages: list[str] = self.version.parsed.source["languages"]
        return wished if wished in languages else languages[0]

    @cached_property
    def simulation(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the true answers and the sent ones of simulated people; None for real ones.

        None also where visitors answered, too, and where people were not drawn alike. In a rehearsal they have the
        order of the records.
        """
        pairs = truth_and_reports(self.version) if self.sampling is None else None
        return pairs if pairs is not None and len(pairs[0]) == self.n else None

    def worth(self, chosen: np.ndarray, groups: np.ndarray | None = None, size: int = 1) -> np.ndarray:
        """The effective number of chosen respondents, (Σw)²/Σw² in each group; unweighted, how many they are."""
        if self.sampling is not None:
            return self.sampling.worth(chosen, groups, size)
        places = np.zeros(int(chosen.sum()), np.int64) if groups is None else groups[chosen]
        return np.bincount(places, minlength=size)

    def open(self, question: str) -> Column:
        """The undisguised answers to a question; while the version collects nobody's."""
        return (self.answers or OpenAnswers(self.n, {})).column(question)

    def answers_to(self, question: PublishedQuestion, language: str) -> Answers:
        """The answers to a question, as its type shows them.

        Undisguised answers of the direct group count only where they may be shown by themselves: tables are of the
        disguised, and so the difference between table and report; files leave out a direct group that is too small.
        """
        of_type, entry, settled = type_of(question), self.version.parsed.entries[question.id], self.answers is not None
        spoken, known = self.language(language), self.simulation
        made = Answers(
            question,
            entry,
            spoken,
            NOBODY,
            self.for_single_answers,
            self.least,
            settled,
            self.sampling,
            known,
            self._alone,
        )
        made = replace(made, coarse=self.version.is_coarse)
        if question.sensitive:
            return made
        asked, direct = self.open(question.id), self.sealed.direct
        everybody = replace(made, given=asked.tally())
        given = asked.tally(direct)
        axes = of_type.alike(everybody) if given.people else ()
        places = [np.array([axis.place(answer) for answer in given.different]) for axis in axes]
        counts = [np.bincount(place[place >= 0], given.times[place >= 0]) for place in places if (place >= 0).any()]
        if not counts:  # they are not shown in groups, such as texts
            counts = [given.times]
        if not given.people or all(differ(count, self.least) for count in counts):
            return everybody
        return replace(made, given=asked.tally(~direct))


def columns_to_cross(version: SurveyVersion) -> dict[str, FileColumn]:
    """Undisguised columns of numbers and of options, by name; texts are left out, as they could name people."""
    kinds = (ColumnKind.NUMBER, ColumnKind.CHOICE)
    return {each.name: each for each in columns_of(version.parsed) if each.of and each.kind in kinds}


def values_of(column: FileColumn, answers: OpenAnswers) -> np.ndarray:
    """Each person's value in an undisguised column; None where nothing was answered."""
    assert column.of is not None
    return answers.column(column.question).map(column.of)


def text_of(column: FileColumn) -> Callable[[Any], str]:
    """A function that turns an answer into the column's text; "" where nothing was answered."""
    assert column.of is not None
    of = column.of
    return lambda answer: "" if (value := of(answer)) is None else str(value)


def read_data(snapshot: Snapshot) -> ReportData:
    """All that may be shown of a snapshot now (surveys.domain.responses.disclosure)."""
    data = read_records(snapshot)
    if "whole" not in data.memory:
        data.memory["whole"] = coarsen_answers(data, _read_answers(data))
    whole: ReportData = data.memory["whole"]
    return whole


def read_records(snapshot: Snapshot) -> ReportData:
    """What may be shown of its disguised answers now; undisguised ones are not read."""
    return load(snapshot.pk, snapshot.sha256, disclosure.reportable(snapshot), snapshot.version.entry_errors)


@lru_cache(maxsize=KEPT)
def load(pk: int, _sha256: str, shows: Reportable, _errors: EntryErrors | None) -> ReportData:
    """Load its records, cached: they never change but for errors of entry, and pages ask for more of them soon."""
    snapshot = Snapshot.objects.select_related("version__survey").get(pk=pk)
    records = _join_records(snapshot.version.design, list(disclosure.records(snapshot)))
    least = disclosure.least_of(snapshot), disclosure.least_alone(snapshot)
    return ReportData(snapshot, records, None, *least, shows.settled)


def _read_answers(data: ReportData) -> OpenAnswers | None:
    """The undisguised answers as they were given, where they may be reported."""
    if not disclosure.reportable(data.snapshot).open:
        return None
    parts = disclosure.responses(data.snapshot)
    return OpenAnswers.from_lines([line for _part, lines in parts for line in lines], data.n)


def read_rows(snapshot: Snapshot) -> ReportData:
    """The responses as files have them, for released tables.

    No figure is declared: who releases a table has the records, and decides which answers others know of everybody.
    """
    data = read_records(snapshot)
    given = _read_answers(data)
    return data if given is None else replace(data, answers=_without_figures(given))


def coarsen_answers(data: ReportData, given: OpenAnswers | None) -> ReportData:
    """The data with the classes of undisguised answers, or, where the gate of the version is older, with these."""
    if given is None:
        return data
    if not data.version.is_coarse:
        return replace(data, answers=_without_figures(given))
    definition, direct = data.version.parsed, data.sealed.direct
    made = make_coarse(given, definition, direct, data.least, full_groups(data.version, definition))
    return replace(data, answers=made)


def _without_figures(given: OpenAnswers) -> DeclaredAnswers:
    return DeclaredAnswers(given.people, given.columns, ([], {}))


def _join_records(design: Design, parts: Sequence[Records]) -> Records:
    if not parts:
        return Records(design, np.empty((0, len(design.items)), design.code_type), np.empty(0, bool))
    return Records(design, np.concatenate([part.codes for part in parts]), np.concatenate([p.direct for p in parts]))
