"""The words of a list in records, the figures of all of them, and the list of a second wave, which follows from it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design import Design, reading
from privacy.design.channels import Literal, WordCells, WordList
from privacy.design.design import require_design
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.intervals import (
    ShareOfGroup,
    intervals_of_shares,
    standard_errors,
    wald,
    wilson_of_groups,
    wilson_through_line,
)
from privacy.options import check_arguments, tables
from privacy.output import count_of
from privacy.records.records import Records, design_of, require_records

_FINELY, _FEWEST = 64, 4  # counts by chance that are tried for each word of a short list, and of a long one
_ROWS = 4_096  # of them in all
_MOST_COLUMNS = 32  # of counts that tell of one word
_MOST_FORESEEN = 10**6  # people: of more, hardly anything but what a bias leaves is in an interval
_FAR_OUT = (-1.0, 2.0)  # an estimate of few people may lie outside 0 to 1


@dataclass(frozen=True)
class ShownWords:
    """The list of words in a design, and what records show of it."""

    name: str
    design: Design
    words: WordList
    codes: NDArray[Any]
    direct: NDArray[np.bool_]

    @classmethod
    def from_records(cls, records: Records, name: str) -> "ShownWords":
        design = require_records(records).design
        place, words = list_in(design, name)
        block, begin = design.blocks[place], design.first_columns[place]
        codes = records.codes[:, begin : begin + len(block.items)]
        return cls(name, Design((block,), design.direct), words, codes, records.direct)

    def counts(self) -> NDArray[np.intp]:
        """How many records show each word, and after the words each other thing that can be sent (`WordList.count`).

        InputError if a row is of a direct person, or none is of the design.
        """
        if direct := int(self.direct.sum()):
            raise InputError(f"{self.name}: {count_of(direct, 'row')} of direct people show no word; leave them out.")
        counts = self.words.count(self.codes)
        if not counts.any():
            raise InputError(f"{self.name}: no row is a word of the list, or none; they are not of this design.")
        return counts

    def figures(self, level: float, together: Sequence[Sequence[int]] = ()) -> tuple[Floats, Floats, Floats, Floats]:
        """Support, standard error and the ends of the interval of each word, and of sets of single answers `together`.

        What is given back is in a support and its error. A word's interval is that of `reconstruct` as well, which
        reaches as far as people above the cap can have lost of this word.
        """
        made = figures_of_cells(self.words.cells(self.codes, self.direct), level)
        return _give_back(made, self.words, self.counts(), level, together) if self.words.corrects else made

    def unsure(self) -> Floats:
        """The part of each word's error that is not chance: of what is given back nobody knows which words lost it."""
        return self.words.figures(self.counts())[2] if self.words.corrects else np.zeros(len(self.words.words))


def _give_back(
    made: tuple[Floats, Floats, Floats, Floats],
    words: WordList,
    counts: NDArray[Any],
    level: float,
    together: Sequence[Sequence[int]] = (),
) -> tuple[Floats, Floats, Floats, Floats]:
    """Figures with what loss words measure given back, whose intervals hold those `made` without."""
    support, error, _ = words.figures(counts, together)
    low, high = wald(support, error**2, level)
    count = len(made[0])
    low[:count], high[:count] = np.minimum(low[:count], made[2]), np.maximum(high[:count], made[3])
    return support, error, low, high


@np.errstate(divide="ignore", invalid="ignore")
def figures_of_cells(cells: WordCells, level: float) -> tuple[Floats, Floats, Floats, Floats]:
    """The figures that `reconstruct` has of each word by itself: support, standard error and interval.

    >>> sizes, weights = np.array([[30.0, 70.0]]), np.array([[2.75, -0.25]])
    >>> made = WordCells(sizes, weights, np.zeros((1, 2)), np.zeros(2, bool), np.zeros(1), np.zeros(1), None)
    >>> [float(one[0].round(3)) for one in figures_of_cells(made, 0.95)]
    [0.65, 0.137, 0.375, 0.925]
    """
    n = cells.sizes.sum(axis=1)
    support = (cells.sizes * cells.weights).sum(axis=1) / n
    parts = (cells.weights - support[:, np.newaxis]) / n[:, np.newaxis]
    disguised = np.where(cells.direct, 0.0, cells.sizes)
    mean = (disguised * cells.lost).sum(axis=1) / np.maximum(disguised.sum(axis=1), 1)
    lost = np.where(cells.direct, 0.0, cells.lost - mean[:, np.newaxis]) / n[:, np.newaxis]
    squares = (cells.sizes * parts**2).sum(axis=1)
    doubt = cells.doubt * (n - 1) / n
    variance = np.where(squares + doubt > 0, squares + doubt, np.nan)
    most_lost = np.where(disguised.any(axis=1), cells.most_lost, 0.0)
    end = support + np.maximum(most_lost * support + mean * disguised.sum(axis=1) / n, 0.0)
    above = (cells.sizes * (parts * (1 + most_lost[:, np.newaxis]) + lost) ** 2).sum(axis=1) + doubt
    if cells.lines is None:
        freedom = np.maximum(squares**2 / (cells.sizes * parts**4).sum(axis=1) - 1, 1)
        low, high = wald(support, variance, level, freedom)
        ends = wald(end, above, level, freedom)
        return support, np.sqrt(variance), np.minimum(low, ends[0]), np.maximum(high, ends[1])
    found = [_share_of_group(cells, n, of) for of in (~cells.direct, cells.direct) if cells.sizes[:, of].any()]
    if len(found) == 1:
        c, d = found[0][0].line
        low, high = wilson_through_line(support, n, np.asarray(c), np.asarray(d), level)
    else:
        groups, own = zip(*found, strict=True)
        low, high = wilson_of_groups(support, squares + doubt, groups, own, level, np.inf)
    rest = np.maximum(above - squares - doubt, 0) * standard_errors(level) ** 2  # also where all say the same
    made = support, np.sqrt(variance), low, np.maximum(high, end + np.sqrt(rest + (high - support) ** 2))
    if (bent := np.isnan(cells.lines[0])).any():  # some words have no line
        for own, other in zip(made, figures_of_cells(replace(cells, lines=None), level), strict=True):
            own[bent] = other[bent]
    return made


def _share_of_group(cells: WordCells, people: Floats, of: NDArray[np.bool_]) -> tuple[ShareOfGroup, Floats]:
    """What the disguised, or the direct, add to the share of each word, with the variance of their own share."""
    sizes, weights = cells.sizes[:, of], cells.weights[:, of]
    n = sizes.sum(axis=1)
    share = (sizes * weights).sum(axis=1) / n
    variance = (sizes * (weights - share[:, np.newaxis]) ** 2).sum(axis=1) / n**2
    certain = np.zeros_like(n), np.ones_like(n)
    line = certain if cells.direct[of].all() or cells.lines is None else cells.lines
    return ShareOfGroup(n / people, share, np.zeros(0), line, n), variance


def word_figures(
    records: Records, level: float, patterns: Sequence[Pattern]
) -> dict[Pattern, tuple[float, float, float, float]]:
    """Support, error and both ends of the interval of patterns, as far as words of a list that corrects say them.

    They are the words themselves, sets of answers to an item that are words, and what such a set leaves of 1. Intervals
    of these two do not reach further for people above the cap: those of `reconstruct` do. Empty where people answered
    directly.

    >>> from privacy.design import Design
    >>> words = [{"word": item, "base": 0.05, "own": 0.45} for item in "abc"]
    >>> loss = {"length": 1, "base": 0.05, "own": 0.45, "full": 1}
    >>> design = Design.parse({"blocks": [{"one-of": 0.4, "items": [*"abc"], "words": words, "losses": [loss]}]})
    >>> codes = np.repeat(np.array([[1, 0, 0], [0, 0, 0]], design.code_type), [250, 750], axis=0)
    >>> asked = [Pattern(((0, frozenset({answer})),)) for answer in (1, 0)]
    >>> figures = word_figures(Records(design, codes, np.zeros(1000, bool)), 0.95, asked)
    >>> [round(figures[one][0], 2) for one in asked]
    [0.5, 0.5]
    """
    made: dict[Pattern, tuple[float, float, float, float]] = {}
    design = records.design
    for block, begin in zip(design.blocks, design.first_columns, strict=True):
        words = block.patterns.word_list if block.distribution is None else None
        if words is None or not words.corrects or records.direct.any() or not len(records):
            continue
        codes = records.codes[:, begin : begin + len(block.items)]
        place_of = {literals[0]: at for at, (_, literals) in enumerate(words.words) if len(literals) == 1}
        listed = {_move_pattern(literals, begin) for _, literals in words.words}
        sets: dict[Pattern, tuple[list[int], bool]] = {}
        for pattern in patterns:
            (column, options), *more = pattern.literals
            if more or pattern in listed or not 0 <= column - begin < len(block.items):
                continue
            others = frozenset(range(len(block.items[column - begin].options))) - options
            for answers, is_rest in ((options, False), (others, True)):
                places = [place_of.get((column - begin, frozenset({answer}))) for answer in sorted(answers)]
                if None not in places:
                    sets.setdefault(pattern, ([place for place in places if place is not None], is_rest))
        shown = ShownWords("records", Design((block,), False), words, codes, records.direct)
        together = [places for places, _ in sets.values()]
        figures = list(zip(*(figure.tolist() for figure in shown.figures(level, together)), strict=True))
        for (_, literals), figure in zip(words.words, figures, strict=False):
            made[_move_pattern(literals, begin)] = figure
        for (pattern, (_, is_rest)), own in zip(sets.items(), figures[len(words.words) :], strict=True):
            support, se, low, high = own
            made[pattern] = (1 - support, se, 1 - high, 1 - low) if is_rest else own
    return made


def _move_pattern(literals: Sequence[Literal], begin: int) -> Pattern:
    """The pattern of a block's literals in a design where the block's columns begin there."""
    return Pattern(tuple((begin + place, options) for place, options in literals))


def foresee_reaches(words: WordList, shares: Sequence[Sequence[float]], respondents: float) -> tuple[Floats, Floats]:
    """How far the interval of each word reaches below its figure and above it where so many people answer, on average.

    Figures and intervals are cut to shares from 0 to 1, as reports print them. They are averaged over counts that
    chance moves (a Latin hypercube of normal deviates): of rare answers many a figure is at 0, and what the loss word
    measures counts only where chance takes it above 0. `shares`: how common the options of each item are.

    >>> words = [{"word": item, "base": 0.05, "own": 0.45} for item in "abc"]
    >>> loss = {"length": 1, "base": 0.05, "own": 0.45, "full": 1}
    >>> design = Design.parse({"blocks": [{"one-of": 0.4, "items": [*"abc"], "words": words, "losses": [loss]}]})
    >>> reaches = foresee_reaches(list_in(design, "design")[1], [(0.9, 0.1)] * 3, 1000)
    >>> [one.round(2).tolist() for one in reaches]
    [[0.05, 0.05, 0.05], [0.08, 0.08, 0.08]]
    """
    counts = words.foresee(shares, min(round(respondents), _MOST_FORESEEN))
    if counts.sum() < 1 / 2:  # of hardly anybody
        return np.full(len(words.words), np.inf), np.full(len(words.words), np.inf)
    if words.corrects:
        made = figures_of_cells(words.cells_of_counts(counts), 0.95)
        support, _, low, high = _give_back(made, words, counts, 0.95)
        return support - low, high - support
    scatter = _latin_hypercube(min(max(_ROWS // len(words.words), _FEWEST), _FINELY))
    support, _, low, high = figures_of_cells(words.cells_of_counts(counts, scatter=scatter), 0.95)
    figure = np.clip(support, 0, 1)
    low, high = intervals_of_shares(support, low, high, figure)
    below, above = (side.reshape(-1, len(scatter)).mean(axis=1) for side in (figure - low, high - figure))
    return below, above


@cache
def _latin_hypercube(points: int) -> Floats:
    """Normal deviates, of each column one in each of so many equal parts of their distribution (McKay et al. 1979).

    Those of the last but one column, which moves what is common to all words of a survey, are of the middle of it: of
    surveys the median is foreseen, of the words of one the mean.
    """
    parts, draw = [(index + 0.5) / points for index in range(points)], np.random.default_rng(points)
    deviates, middle = ([*map(NormalDist().inv_cdf, own)] for own in (parts, [0.4 + 0.2 * part for part in parts]))
    columns = [*[deviates] * (_MOST_COLUMNS - 2), middle, deviates]
    return np.column_stack([draw.permutation(column) for column in columns])


def places_of_words(words: WordList, texts: Collection[str], name: str) -> list[int]:
    """The places of these words in the list, each written as a pattern; `name` is where they come from.

    >>> document = {"model": "one-of", "gamma": 9, "cap": 2, "longest": 2, "items": ["drugs", "theft"]}
    >>> places_of_words(list_in(Design.parse(document), "design")[1], ["theft", "theft,drugs"], "both")
    [1, 2]
    """
    place_of = {frozenset(answers): index for index, (answers, _) in enumerate(words.words)}
    for text in texts:
        if frozenset(text.split(",")) not in place_of:
            raise InputError(f"{name}: the list has no word {text!r}.")
    return [place_of[frozenset(text.split(","))] for text in texts]


def list_in(design: Design, name: str) -> tuple[int, WordList]:
    """The only list of words in a design, with the place of its block; `name` is where the design comes from.

    >>> document = {"model": "one-of", "gamma": 9, "cap": 1, "items": ["drugs", "theft"]}
    >>> [answers for answers, _ in list_in(Design.parse(document), "design")[1].words]
    [('drugs',), ('theft',)]
    """
    found = [(index, words) for index, block in enumerate(design.blocks) if (words := block.patterns.word_list)]
    if len(found) != 1:
        raise InputError(f"{name}: their design must have one list of words (a one-of block), and it has {len(found)}.")
    return found[0]


def supports_in(report: Mapping[str, Any]) -> dict[str, tuple[float, float | None]]:
    """The supports of single answers in a report, each with its error if it has one, by how a pattern names them.

    >>> supports_in({"patterns": [{"pattern": "drugs", "support": 0.04, "se": 0.01}]})
    {'drugs': (0.04, 0.01)}
    """
    found: dict[str, tuple[float, float | None]] = {}
    for key, names in (("patterns", "pattern"), ("itemsets", "items")):
        for index, entry in enumerate(reading.items(report.get(key, []), f"report.{key}")):
            where = f"report.{key}[{index}]"
            entry = reading.mapping(entry, where)
            named = entry.get(names)
            literals = [named] if isinstance(named, str) else list(named) if isinstance(named, list) else []
            if len(literals) == 1 and isinstance(literals[0], str) and "," not in literals[0]:
                error = None if entry.get("se") is None else float(reading.number(entry, "se", where))
                support = float(reading.number(entry, "support", where))
                if error is not None and error < 0:
                    raise InputError(f"{where}.se: {error:g} is below 0, which no standard error is.")
                if not _FAR_OUT[0] <= support <= _FAR_OUT[1]:
                    raise InputError(f"{where}.support: {support:g} is far outside 0 to 1, where shares are.")
                found[literals[0]] = support, error
    return found


@check_arguments(tables.WAVE)
def wave(
    records: Records | Mapping[str, Any],
    respondents: int,
    *,
    top: int = 32,
    both: Collection[str] = (),
    alone: str | None = None,
    design: Design | None = None,
) -> Design:
    """Make the design of a second wave: a list of the itemsets that the first wave makes likely.

    The first wave asks some people, three in ten perhaps, by a list of single answers (`candor.models.one_of`, with a
    cap of 2 to 4), and the second asks others. Nobody may answer both, for two records of one person multiply γ.
    `candor.likeliest` then reads the records of both.

    Parameters
    ----------
    records : Records, or mapping with `design`
        Of the first wave. Where only its figures are known, the JSON of `candor.reconstruct`: the support and the error
        of each single answer are all that is read of it.
    respondents : int
        How many people will answer in the second wave.
    top : int
        How many itemsets are to be found. The list has twice as many, of up to three answers, or three times where many
        more may be among them.
    both : collection of str, optional
        Words of the first list, such as ``"drugs"``, that the second has whatever the first shows. Name them before the
        first wave: `candor.likeliest` may then tell them by both.
    alone : str, optional
        An option, such as "prefer not to say", that the list leaves out: people who skip one question skip others, too,
        and sets of what they skipped tell nothing. A word of `both` stays.
    design : Design, optional
        That of the first wave, for its JSON. Its γ is that of the second.

    Returns
    -------
    Design
        One list of words, of the questions that they need. Nobody may answer directly.

    Raises
    ------
    InputError
        Where the records are of no list of words, or people answered directly, or the list has no such word or option.

    Examples
    --------
    >>> import candor, numpy as np, pandas as pd
    >>> drawn = np.random.default_rng(1).random((20_000, 5)) < [0.2, 0.15, 0.1, 0.05, 0.02]
    >>> people = pd.DataFrame(drawn, columns=list("abcde"))
    >>> first = candor.models.one_of(list("abcde"), gamma=19, cap=2, direct=False)
    >>> design = candor.wave(candor.disguise(people[:6_000], first, seed=7), respondents=14_000, top=4)
    >>> [word["word"] for word in design.to_json()["blocks"][0]["words"]]
    ['a', 'b', 'c', 'a,b', 'd', 'a,c', 'b,c', 'a,d']
    """
    tables.WAVE.check({"respondents": respondents, "top": top})
    if isinstance(records, Mapping):
        _, words = list_in(require_design(design), "design")
        figures = _figures_in(records, [answers for answers, _ in words.words])
    else:
        design_of(records, design)
        shown = ShownWords.from_records(records, "records")
        words, figures = shown.words, shown.words.likely(shown.counts())
    fixed = places_of_words(words, both, "both")
    if alone is not None:
        left = [any(answer.partition("=")[2] == alone for answer in answers) for answers, _ in words.words]
        if not any(left):
            raise InputError(f"alone: {alone!r} is an option of no word of the first list.")
        figures[0][left] = np.nan
        if np.isnan(figures[0]).all():
            raise InputError(f"alone: {alone!r} leaves no word of the first list.")
    return Design((words.next_list(figures, respondents, top, fixed),), direct=False)


def _figures_in(report: Mapping[str, Any], words: Sequence[tuple[str, ...]]) -> tuple[Floats, Floats]:
    """The supports of words of one answer in a report, and their errors; of longer words none."""
    known = supports_in(report)
    made = np.full((2, len(words)), np.nan)
    for index, answers in enumerate(words):
        if len(answers) == 1:
            support, error = known.get(answers[0], (None, None))
            if support is None and answers[0].startswith("!") and answers[0][1:] in known:
                yes, error = known[answers[0][1:]]
                support = 1 - yes
            if support is None or not error:
                raise InputError(f"report: it has no support of {answers[0]!r} with an error.")
            made[:, index] = support, error
    return made[0], made[1]
