"""Tables of two or three questions: how common an answer is in groups by the others, and whether they go together.

One question of a table at most is undisguised, and its values of too few people are one group together, or the table is
refused; so no subtraction of one table from another finds the undisguised answer of a few people. Which questions each
was asked is taken as unknown (docs/results.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np
from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.draw.bars import bars
from privacy.errors import EntryError, InputError
from privacy.estimate.cells import whole_records
from privacy.estimate.weights import why_no_estimate
from privacy.reconstruct.association import Independence, OpenAnswer, joint_table
from privacy.records import Records
from surveys.displays import Table, explain_no_answer, or_no_answer
from surveys.domain.responses.counts import Count
from surveys.percent import bar, error, interval, percent, percent_alone, points
from surveys.questions import Categories, type_of
from surveys.questions.coarse import POOLED_OR_SILENT
from surveys.results.figures import Figure, caption, describe_disguise, say_uncorrected
from surveys.results.reading import ReportData
from surveys.results.table_lines import TableLine, lines_of_cells, lines_of_patterns
from surveys.sentences import join_sentences
from surveys.shares import LEVEL, many_enough

MOST_ASKED = 3
ENOUGH = 10  # people for each cell: of fewer nothing but the strongest association would be found


@dataclass(frozen=True)
class Variable:
    """What a table can have an axis for: a disguised item, or an undisguised answer with its place for each record."""

    axis: Categories
    sensitive: bool
    question: str


@dataclass(frozen=True)
class CrossTable:
    """The lines of a table, from `n` people, and the test of whether its answers go together, where they are enough."""

    headings: tuple[str, ...]
    disguise: str
    n: Count
    lines: tuple[TableLine, ...]
    test: Independence | None
    drawn: str = ""  # how respondents were and who is left out, in words
    weighed: bool = False
    is_whole: bool = False  # each record is read whole: no test says whether answers go together


def variables(data: ReportData, language: str) -> list[Variable]:
    """All that a table can have an axis for, in the order of the questionnaire; undisguised ones once they may be
    reported.
    """
    offered = []
    for question in data.version.parsed.questions:
        if not question.sensitive and data.answers is None:
            continue
        axes = type_of(question).categories(data.answers_to(question, language))
        offered += [Variable(axis, question.sensitive, question.id) for axis in axes]
    return offered


def cross_table(data: ReportData, chosen: Sequence[Variable]) -> CrossTable:
    """The table of two or three questions; EntryError says why there is none.

    The first one is the answer, the others make the groups; an undisguised question stands among these.
    """
    if not 2 <= len(chosen) <= MOST_ASKED or len({each.axis.name for each in chosen}) < len(chosen):
        raise EntryError("Choose two or three different questions.")
    if not chosen[0].sensitive:
        raise EntryError("The first question must be disguised; undisguised questions can only be added to it.")
    if sum(not each.sensitive for each in chosen) > 1:
        raise EntryError("Choose at most one undisguised question: groups by several of them would be of few people.")
    items = [each for each in chosen if each.sensitive]
    beside, axes = _axis_of_open(data, next((each for each in chosen if not each.sensitive), None))
    names = [item.axis.name for item in items]
    records = data.without_direct if beside else data.for_patterns
    check_enough(data, records, names, beside)
    labels = [item.axis.labels for item in items] + [axis.labels for axis in axes]
    headings = [item.axis.heading for item in items] + [axis.heading for axis in axes]
    truth = _true_counts(data, names, beside, tuple(map(len, labels)))
    is_whole = bool(whole_records(records.design, [records.design.column(name) for name in names]))
    test = None
    if is_whole:
        if refusal := _why_no_table(records.design, names):
            raise _no_table(records.design, items, refusal)
        n = int(_groups_asked(records, names, beside)[1].sum())
        lines = lines_of_patterns(records, names, beside, labels, truth, data.sampling)
    else:
        table = joint_table(records, names, beside, sampling=data.sampling)
        n, lines = table.n, lines_of_cells(table, labels, truth)
        test = table.independence() if n >= ENOUGH * table.support.size else None
    return CrossTable(
        tuple(headings),
        describe_disguise(data.version, names),
        data.people(n),
        tuple(lines),
        test,
        join_sentences([data.source(records is data.sealed), say_uncorrected(data.version) if beside else ""]),
        bool(data.drawn),
        is_whole,
    )


def why_not_cross(data: ReportData, answer: Variable, by: Variable) -> InputError | None:
    """Why an answer to a disguised question cannot be shown by another question; None where it can be.

    People are asked both, and the disguise leaves enough information.
    """
    try:
        items = [each for each in (answer, by) if each.sensitive]
        beside, _axes = _axis_of_open(data, None if by.sensitive else by)
        check_enough(
            data, data.without_direct if beside else data.for_patterns, [item.axis.name for item in items], beside
        )
        if refusal := _why_no_table(data.sealed.design, [item.axis.name for item in items]):
            raise _no_table(data.sealed.design, items, refusal)
    except InputError as error:
        return error
    return None


def pairs(variables: Sequence[Variable]) -> Iterator[tuple[Variable, Variable]]:
    """The answer and the groups of each table of two questions; disguised groups before undisguised ones."""
    ordered = sorted(variables, key=lambda variable: not variable.sensitive)
    yield from ((answer, by) for answer, by in permutations(ordered, 2) if answer.sensitive)


def split_by_use(
    data: ReportData, variables: Sequence[Variable]
) -> tuple[list[Variable], list[tuple[InputError, list[Variable]]]]:
    """The questions that can be crossed with some other one; and the others, by the reason why they cannot be."""
    offered: list[Variable] = []
    refused: dict[str, tuple[InputError, list[Variable]]] = {}
    for variable in variables:
        why = None
        for answer, by in pairs(variables):
            if variable in (answer, by):
                own = why_not_cross(data, answer, by)
                if own is None:
                    offered.append(variable)
                    break
                why = why or own
        else:
            if why:
                refused.setdefault(str(why), (why, []))[1].append(variable)
    return offered, list(refused.values())


def _why_no_table(design: Design, items: Sequence[str]) -> str | None:
    """Why the disguise leaves no figure of these items together; None where it leaves one."""
    columns = sorted(map(design.column, items))
    cells = [(1,) * len(columns)]
    if design.has_words:  # it may have words of some answers alone
        cells += product(*(range(len(design.items[column].options)) for column in columns))
    refusals = []
    for cell in cells:
        pattern = Pattern(tuple((column, frozenset([code])) for column, code in zip(columns, cell, strict=True)))
        refusals.append(why_no_estimate(design, pattern, "stratified"))
        if refusals[-1] is None:
            return None
    return refusals[0]


def _no_table(design: Design, items: Sequence[Variable], refusal: str) -> InputError:
    """What a page says where the disguise leaves no figure of these questions together."""
    if not design.has_words:
        return InputError(refusal)
    return EntryError(
        "The list of this version has no word for {questions} together, so nothing tells how they go together.",
        questions=_(" and ").join(f"“{item.axis.heading}”" for item in items),
    )


def _axis_of_open(data: ReportData, open_one: Variable | None) -> tuple[list[OpenAnswer], list[Categories]]:
    """The undisguised answer of every record; values of too few people are one value together, the last one."""
    if open_one is None:
        return [], []
    codes, labels = open_codes(data, open_one)
    axis = open_one.axis
    return [OpenAnswer(axis.name, len(labels), codes)], [replace(axis, labels=tuple(labels))]


def open_codes(data: ReportData, variable: Variable) -> tuple[np.ndarray, list[str]]:
    """The group of each disguised person by an undisguised answer, −1 of the direct ones, and the labels of the groups.

    Values of too few people are one group together, and people without an answer are one: too few of them are a part
    of that group, or else of the smallest one.
    """
    axis, least, disguised = variable.axis, data.least, ~data.sealed.direct
    given = data.open(variable.question)
    codes = given.map(axis.place, -1).astype(np.int64)
    sizes = data.worth(disguised & (codes >= 0), codes, len(axis.labels) + 1)  # the last one is of pooled answers
    shown = many_enough(sizes[:-1], least, sizes[-1])
    if shown.sum() + (not shown.all()) < 2:
        raise EntryError(
            "Fewer than {least} people gave all answers but one to “{question}”, too few to report on.",
            least=least,
            question=axis.heading,
        )
    if data.may_group is not None and axis.name not in data.may_group:
        raise EntryError(
            "Fewer than {least} people gave some answer to “{question}” together with each weight, cluster or "
            "stratum, which would reveal single people's answers. Leave weights, clusters and strata out here.",
            least=least,
            question=axis.heading,
        )
    kept = np.cumsum(shown) - 1
    labels = [label for label, is_shown in zip(axis.labels, shown, strict=True) if is_shown]
    if not shown.all():
        others = [label for label, is_shown in zip(axis.labels, shown, strict=True) if not is_shown]
        labels.append(others[0] if len(others) == 1 else _("any other answer"))
        if POOLED_OR_SILENT in given.different:
            labels[-1] = or_no_answer(labels[-1])
    silent = codes < 0
    codes = np.where(np.append(shown, False)[codes], np.append(kept, -1)[codes], len(labels) - 1)
    if 0 < data.worth(disguised & silent)[0] < least:
        sizes = data.worth(disguised & ~silent, codes, len(labels))
        place = len(labels) - 1 if not shown.all() else int(sizes.argmin())
        labels[place] = or_no_answer(labels[place])
        codes[silent] = place
    elif (disguised & silent).any():
        codes[silent] = len(labels)
        labels.append(_("no answer"))
    return np.where(disguised, codes, -1), labels


def check_enough(data: ReportData, records: Records, items: Sequence[str], beside: Sequence[OpenAnswer] = ()) -> None:
    """Refuse a figure of these records unless each of its groups was asked of enough people."""
    groups, asked = _groups_asked(records, items, beside)
    data.check_certain(items, [each.name for each in beside])
    least = data.least
    if (data.worth(asked, groups, beside[0].size if beside else 1) < least).any():
        if beside:
            raise EntryError(
                "Fewer than {least} people in one of the groups were asked all of this, too few to report on.",
                least=least,
            )
        raise EntryError("Fewer than {least} people were asked all of this, too few to report on.", least=least)


def _groups_asked(
    records: Records, items: Sequence[str], beside: Sequence[OpenAnswer]
) -> tuple[np.ndarray, np.ndarray]:
    """The group of each record, and whether it was asked all of this."""
    columns = [records.design.column(item) for item in items]
    groups = beside[0].codes if beside else np.zeros(len(records), dtype=np.int64)
    return groups, (records.codes[:, columns] != records.design.not_asked).all(axis=1) & (groups >= 0)


def _true_counts(
    data: ReportData, items: Sequence[str], beside: Sequence[OpenAnswer], shape: tuple[int, ...]
) -> np.ndarray | None:
    """How many simulated people truly are in each cell; None where people are real."""
    if data.simulation is None:
        return None
    places = [data.simulation[0][:, data.sealed.design.column(item)].astype(np.int64) for item in items]
    places += [
        each.codes for each in beside
    ]  # a demo has no undisguised questions, and a rehearsal the order of its records
    cells = np.stack(places)
    counts = np.zeros(shape)
    np.add.at(counts, tuple(cells[:, (cells >= 0).all(axis=0)]), 1)
    return counts


def verdict(table: CrossTable) -> str:
    """What the test says, in one sentence."""
    test = table.test
    if table.is_whole:
        return _(
            "These answers are read from whole records, so no test says whether they go together: see the differences."
        )
    if test is None:
        return _("Too few people answered for a test of whether these answers are associated.")
    chance = "p < .001" if test.p < 0.001 else f"p = {f'{test.p:.3f}'.removeprefix('0')}"
    of_test = f"χ² = {test.statistic:.1f}, df = {test.df}, {chance}"
    if test.p <= 1 - LEVEL:
        said = _("These answers are associated, more than chance explains (%(test)s).")
    else:
        said = _("Chance alone could explain this (%(test)s). This does not show that the answers are unrelated.")
    return said % {"test": ", ".join(part.replace(" ", "\u00a0") for part in of_test.split(", "))}


def figure(table: CrossTable, name: str) -> Figure:
    """The picture and the figures of a table. Of two answers, the last one is drawn: the other says the same."""
    answers = list(dict.fromkeys(line.answer for line in table.lines))
    drawn = answers[-1:] if len(answers) == 2 else answers
    shown = [line for line in table.lines if line.answer in drawn]
    first, *others = table.headings
    only = drawn[0] if len(drawn) == 1 else ""
    asked = f"{first} {only}".strip()
    title = _("%(question)s – by: %(groups)s") % {"question": asked, "groups": "; ".join(others)}
    ready = [
        bar(" · ".join(line.group if only else (*line.group, line.answer)), line.share)
        for line in shown
        if line.share and np.isfinite((line.share.low, line.share.high)).all()
    ]
    head = [
        _("group"),
        _("answer"),
        _("share of the group"),
        _("confidence interval (95 %)"),
        _("share of all"),
        _("standard error"),
        _("difference to the other groups, percentage points"),
    ]
    if is_simulated := any(line.truth is not None for line in shown):
        head.append(_("simulated truth"))
    rows = [
        (
            " · ".join(line.group),
            line.answer,
            percent(line.share),
            interval(line.share),
            percent(line.of_all),
            error(line.of_all),
            points(line.difference),
            *([percent_alone(line.truth)] if is_simulated else []),
        )
        for line in shown
    ]
    drawing = bars(title, ready) if ready else ""
    drawn_by = join_sentences([explain_no_answer(label for line in shown for label in line.group), table.drawn])
    return Figure(
        name,
        title,
        caption(table.disguise, table.n, drawn=drawn_by, weighed=table.weighed),
        drawing,
        Table(tuple(head), tuple(rows)),
        said=verdict(table),
        disguise=table.disguise,
    )
