"""Which people published figures about undisguised answers may rest on, so that no two of them single out a few.

Undisguised are the answers of the direct group, and answers to undisguised questions. Each is published of one set of
people, or of sets that split everybody into groups of at least `least`: docs/decisions/0050-one-gate-for-figures.md.

Versions that were reported before there were classes keep an older rule (`SurveyVersion.is_coarse`): of them nothing is
published of a group of which all, or all but two, answered alike, and `together` decides of direct answers.
"""

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.records import Records
from surveys.domain.responses.people import Counts, Figure, few_people
from surveys.shares import OTHERWISE, bins_of_report, differ

_LEADING = 20  # items by whose answers people are counted first: a million counters


def alone(records: Records, least: int, coarse: bool = True) -> Records:
    """Return the records for figures of one answer, without direct answers that are too few.

    Every answer, or bin or zone that is shown of numbers and places, must be that of `least` direct people: from
    figures of all and of the disguised their number follows. If not `coarse`, of which figures were published before,
    it is enough that not nearly all are alike.
    """
    design = records.design
    direct, absent = records.codes[records.direct], design.not_asked
    enough = [
        _may_count(design, index, column[column != absent], least, coarse) for index, column in enumerate(direct.T)
    ]
    if all(enough) or not len(direct):
        return records
    codes = records.codes.copy()
    codes[np.ix_(records.direct, ~np.array(enough))] = absent
    return Records(records.design, codes, records.direct, records.open_columns)


def without_direct(records: Records) -> Records:
    """Return every row as a disguised one; direct answers become not asked, undisguised columns are left out."""
    codes = records.codes.copy()
    codes[records.direct] = records.design.not_asked
    return Records(records.design, codes, np.zeros(len(records), bool))


def together(direct: NDArray[np.unsignedinteger], least: int) -> bool:
    """Whether figures of several answers may use the direct group, given its codes, a row for each person.

    They may if, for every item, the people who were asked it and gave the same answers to all others are `least` or
    more and differ in this one.
    """
    if not len(direct):
        return False
    _groups, first, people = np.unique(_number_rows(direct), return_index=True, return_counts=True)
    rows = direct[first]
    asked = rows != np.iinfo(rows.dtype).max  # `Design.not_asked`
    return all(
        _hides(np.delete(rows, item, 1)[asked[:, item]], people[asked[:, item]], least) for item in range(rows.shape[1])
    )


def fills(direct: NDArray[np.unsignedinteger], least: int, sizes: Sequence[int]) -> bool:
    """Whether `least` people or more gave every combination of answers, of which each column has so many.

    A combination that nobody gave is one of a few people.
    """
    if not len(direct) or prod(sizes) * least > len(direct) or (direct >= sizes).any():
        return False
    cells = np.ravel_multi_index([*direct.T], [*sizes])
    return bool(np.bincount(cells, minlength=prod(sizes)).min() >= least)


def singles_out(parts: Iterable[NDArray[np.unsignedinteger]], least: int) -> bool:
    """Whether `together` refuses these direct answers for certain; each part of the codes is read once.

    People are counted by half of what they say about some items. Where fewer than `least` say the same, fewer still
    gave the same answers to all items but the last. Most large surveys are decided so, without holding their answers.
    """
    counts = np.zeros(1 << _LEADING, np.int64)
    for codes in parts:
        asked = codes[codes[:, -1] != np.iinfo(codes.dtype).max]
        leading = asked[:, : min(_LEADING, codes.shape[1] - 1)] & 1
        counts += np.bincount(leading @ (1 << np.arange(leading.shape[1])), minlength=len(counts))
    return bool((counts[counts > 0] < least).any())


def columns_that_cross(columns: Sequence[NDArray[np.integer]], least: int) -> list[int]:
    """The places of columns that may be crossed: `least` people or more gave each combination of values.

    They are taken in their order, each that still fits. −1, of those who gave no answer, is a value, too. A column of
    one answer alone is left out: by being crossed it would tell that all gave it.
    """
    kept: list[int] = []
    cells, size = np.zeros(len(columns[0]) if columns else 0, np.int64), 1
    for index, column in enumerate(columns):
        values, codes = np.unique(column, return_inverse=True)
        if (values >= 0).sum() < 2 or size * len(values) * least > len(codes):
            continue
        finer = cells * len(values) + codes
        if np.bincount(finer, minlength=size * len(values)).min() >= least:
            kept.append(index)
            cells, size = finer, size * len(values)
    return kept


def direct_figures(design: Design, place: int, codes: NDArray[np.unsignedinteger]) -> tuple[list[Figure], Counts]:
    """The figures of direct answers to an item, as the report shows them, and how many people are in each class.

    Classes are options, or what of a bin lies in the same zone. Where nobody is in one it is there, too.

    A mean is one more sum of numbers. What it tells beside the bins it tells of those alone who gave another number
    than most in their bin: as many times the commonest as the bin has people can be taken off.
    """
    shown, people = _shown_directly(design, place, codes)
    classes, of_piece = np.unique(np.concatenate(shown), axis=1, return_inverse=True)
    counts = dict(enumerate(np.bincount(of_piece.ravel(), people).astype(int).tolist()))
    figures: list[Figure] = [dict.fromkeys(np.flatnonzero(row).tolist(), 1) for row in classes]
    if len(design.fields[place].scales) == 1 and len(people) > len(classes):
        counts[len(counts)] = int(sum(own.sum() - own.max() for own in (people[row > 0] for row in shown[0])))
        figures.append({len(counts) - 1: 1})
    return figures, counts


def _shown_directly(
    design: Design, place: int, codes: NDArray[np.unsignedinteger]
) -> tuple[Sequence[NDArray[np.float64]], NDArray[np.float64]]:
    """The sets of answers to an item that the report shows, sets × pieces, and how many people are in each piece."""
    block = design.blocks[design.place(place)[0]]
    if block.distribution is None:
        size = len(design.items[place].options)
        return [np.eye(size)], np.bincount(codes, minlength=size).astype(float)
    distribution = block.distribution(bins_of_report(design.fields[place].scales))
    return distribution.sets_in_report, distribution.count_direct(codes)


def _may_count(design: Design, place: int, codes: NDArray[np.unsignedinteger], least: int, coarse: bool) -> bool:
    """Whether figures of all may stand beside those of the disguised: their difference is a figure of direct people."""
    if coarse:
        return not few_people(*direct_figures(design, place, codes), least)
    shown, people = _shown_directly(design, place, codes)
    return all(differ(sets @ people, least) for sets in shown)


def _hides(others: NDArray[np.unsignedinteger], people: NDArray[np.intp], least: int) -> bool:
    """Whether each group of people with the same `others` has `least` members and does not agree too much."""
    place = _number_rows(others)
    sizes = np.bincount(place, people)
    most = np.zeros(len(sizes))
    np.maximum.at(most, place, people)  # those with the same other answers are apart by this one
    return bool((sizes >= least).all() and (sizes - most >= OTHERWISE).all())


def _number_rows(codes: NDArray[np.unsignedinteger]) -> NDArray[np.intp]:
    """A number for each row: equal rows have the same."""
    place = np.zeros(len(codes), np.intp)
    for column in codes.T:
        place = _number_values(place * (int(column.max(initial=0)) + 1) + column)
    return place


def _number_values(values: NDArray[np.intp]) -> NDArray[np.intp]:
    """The rank of each value among the different ones; without sorting if few numbers are possible."""
    if values.max(initial=0) > 16 * len(values):
        return np.unique(values, return_inverse=True)[1]
    return np.asarray((np.cumsum(np.bincount(values) > 0) - 1)[values])
