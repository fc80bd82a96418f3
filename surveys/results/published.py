"""On which people the figures rest that a version publishes: those of disguised answers, direct ones among them, and
those that the undisguised answers have declared. What else is published: docs/decisions/0090-what-else-is-known.md.

Made of the records that figures read: who counts there is in a class here (surveys.domain.responses.people).
"""

import numpy as np

from surveys.domain.responses.gate import direct_figures
from surveys.domain.responses.people import Class, Counts, Figure, Published, few_people, figures_in_groups
from surveys.results.reading import ReportData


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


def tell_few(*waves: ReportData) -> bool:
    """Whether a figure of the disguised people of all waves together would tell what a few direct people answered."""
    own = [published_figures(one) for one in waves]
    together: list[Figure] = [
        dict(each for one in waves for each in of_disguised(one, item.id, place).items())
        for item in waves[0].sealed.design.items
        if item.has_options
        for place in range(len(item.options))
    ]
    people: Counts = dict(each for _figures, counts in own for each in counts.items())
    return bool(few_people([*(one for figures, _counts in own for one in figures), *together], people, waves[0].least))
