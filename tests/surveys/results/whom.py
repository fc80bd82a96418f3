"""Whom the figures of a version are about, as an adversary writes them down who adds and subtracts.

They find out by themselves what the undisguised answers declare, and look at who is asked, too.
"""

import numpy as np

from surveys.conditions import leaves
from surveys.domain.exports.columns import columns_of
from surveys.domain.responses.gate import direct_figures
from surveys.domain.responses.people import Class, Figure, Published, figures_in_groups
from surveys.results.reading import ReportData, text_of


def published_figures(data: ReportData) -> Published:
    """The figures of undisguised answers, and of disguised ones, of the disguised alone and of all where direct answers
    count; and the classes of people.
    """
    given, counted = data.answers.declared if data.answers else ([], {})
    figures: list[Figure] = [{(data.version.number, own): one[own] for own in one} for one in given]
    people: dict[Class, int] = {(data.version.number, own): count for own, count in counted.items()}
    number, design, direct = data.version.number, data.sealed.design, data.sealed.direct
    for column, item in enumerate(design.items):
        codes = data.sealed.codes[direct, column]
        shown, counts = direct_figures(design, column, codes[codes != design.not_asked])
        figures += [of_disguised(data, item.id, place) for place in range(len(shown))]
        if any(
            (one.codes[one.direct, column] != design.not_asked).any()
            for one in (data.for_single_answers, data.for_patterns)
        ):
            figures += [
                {**of_disguised(data, item.id, place), **{(number, item.id, own): 1 for own in figure}}
                for place, figure in enumerate(shown)
            ]
        people |= {(number, item.id, own): count for own, count in counts.items()}
    if data.for_patterns.direct.any():
        rows = np.unique(data.sealed.codes[direct], axis=0, return_inverse=True)[1].ravel()
        nobody = np.zeros(len(rows), bool)
        together, counts = figures_in_groups(f"{number}, together", [rows], nobody, with_direct=False)
        figures, people = [*figures, *together], {**people, **counts}
    return figures, people


def of_disguised(data: ReportData, item: str, place: int) -> Figure:
    """The figure of an answer that rests on disguised people alone; `place` is that of the answer in the report."""
    return {(data.version.number, item, "disguised", place): 1}


def all_figures(data: ReportData) -> Published:
    """The figures of a version: of disguised answers, and of undisguised ones with those that decide who is asked."""
    figures, people = published_figures(data)
    gathered: list[Figure] = [*figures]
    classes: dict[Class, int] = {**people}
    assert data.answers is not None
    direct, questions = data.sealed.direct, {one.id: one for one in data.version.parsed.open_questions}
    for column in columns_of(data.version.parsed):
        if column.of is None or column.question not in data.answers.columns:
            continue
        asked_by = dict.fromkeys(leaf["question"] for leaf in leaves(questions[column.question].when))
        codes = data.open(column.question).group_codes(text_of(column))
        groups = [codes, *(data.open(name).codes for name in asked_by)]
        own, counts = figures_in_groups(
            f"{column.name}, by who is asked", groups, direct, bool((codes[direct] >= 0).any())
        )
        gathered, classes = [*gathered, *own], {**classes, **counts}
    return gathered, classes


def numbers_of(data: ReportData) -> set[int]:
    """How many people each figure is about, and all those who answered disguised, directly, or at all."""
    figures, people = all_figures(data)
    direct, design = data.sealed.direct, data.sealed.design
    of_all = {data.n, int(direct.sum()), int((~direct).sum())}
    asked = {
        int((records.codes[:, 0] != design.not_asked).sum()) for records in (data.for_single_answers, data.for_patterns)
    }
    of_groups = {sum(people[one] for one in figure) for figure in figures if figure.keys() <= people.keys()}
    return of_all | asked | of_groups | {int((~direct).sum()) - n for n in of_groups}
