"""The likeliest itemsets of a list of words, with their errors, from one wave of records or from two.

A list has few itemsets, and the records tell of each of them, so there is no search and no threshold. Supports and
intervals are those of `reconstruct`, which hold whatever people above the cap have. Where a list has a loss word for
each length, as those of a second wave have, supports have what is lost given back, and intervals what is unsure of it
(`privacy.design.blocks.one_of.word_shares`), as well as all that those of `reconstruct` hold.

Of two waves the second alone tells the supports: the first has chosen the list, and what it has chosen for being large
it also shows too large. Both together only put the itemsets in order. Words that were fixed for both waves beforehand
are the exception: their figures are of both. Each wave weighs what its records tell of a rare word, n·added²/(base·(1 −
base)), which is known from the designs and the numbers of people, and from no answer. Simultaneous intervals all hold
at once in 95 of 100 surveys, for all words of the list and so for those that are reported: each is one at 1 − .05/words
(Bonferroni).

Supports are unbiased, and a set may have a larger one than a part of it: a sentence says how many do.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design.channels import Literal
from privacy.errors import InputError
from privacy.options import check_arguments, tables
from privacy.output import ENGLISH, Language, count_of, format_count, to_json_value
from privacy.reconstruct.words_sent import ShownWords, places_of_words
from privacy.records import Records
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

LEVEL = 0.95


@dataclass(frozen=True)
class Itemset:
    """A word of the list; `shrunken` is its share by both waves, where there are two.

    `both`: its support, error and interval are of both waves, too, because it was fixed for both.
    """

    items: tuple[str, ...]
    support: float
    se: float
    ci: tuple[float, float]
    shrunken: float | None
    both: bool = False

    def to_json(self) -> dict[str, Any]:
        figures = {name: getattr(self, name) for name in ("items", "support", "se", "ci")}
        return figures if self.shrunken is None else figures | {"shrunken": self.shrunken, "both": self.both}


@dataclass(frozen=True, repr=False)
class Likeliest(Result):
    """The likeliest itemsets of a list of so many `words`, of n records; `candor.likeliest` makes it.

    `first` is the number of records of the first wave, where there were two.
    """

    n: int
    first: int | None
    words: int
    simultaneous: bool
    itemsets: tuple[Itemset, ...]
    contradictions: int = 0  # words of the list with a larger support than a part of theirs

    def contents(self) -> Iterator[str | TextColumns]:
        waves = "" if self.first is None else f", after a first wave of {count_of(self.first, 'record')}"
        yield f"{count_of(self.n, 'record')} of a list of {count_of(self.words, 'word')}{waves}"
        shrunken = [] if self.first is None else ["shrunken"]
        rows = [
            [
                ",".join(itemset.items),
                itemset.support,
                itemset.se,
                *itemset.ci,
                *(getattr(itemset, name) for name in shrunken),
            ]
            for itemset in self.itemsets
        ]
        yield TextColumns(["itemset", "support", "se", "low", "high", *shrunken], rows)
        if self.simultaneous:
            yield "All intervals of the list hold at once in 95 of 100 surveys."
        else:
            yield "Each interval holds in 95 of 100 surveys by itself; the first of a list are partly luck."
        if self.contradictions:
            yield fill(say_contradictions(self.contradictions), WIDTH)
        if shrunken:
            yield "The second wave alone tells supports and intervals. Shrunken ones, of both, put them in order."
        if fixed := [",".join(itemset.items) for itemset in self.itemsets if itemset.both]:
            yield f"Both waves tell what was fixed for both: {'; '.join(fixed)}."

    def picture(self) -> str:
        """The supports with their intervals."""
        from privacy.draw import named_rows

        shown = self.itemsets[: named_rows.MOST_ROWS]
        return named_rows.supports(
            f"The likeliest itemsets, with {'simultaneous ' if self.simultaneous else ''}95 % intervals",
            [",".join(one.items) for one in shown],
            [one.support for one in shown],
            [one.ci for one in shown],
        )

    def to_frame(self) -> DataFrame:
        """Return a row for each itemset, the likeliest first."""
        rows = [
            {
                "itemset": ",".join(itemset.items),
                "support": itemset.support,
                "se": itemset.se,
                "low": itemset.ci[0],
                "high": itemset.ci[1],
            }
            | ({} if itemset.shrunken is None else {"shrunken support": itemset.shrunken})
            for itemset in self.itemsets
        ]
        return data_frame(rows)

    def to_json(self) -> dict[str, Any]:
        figures = {name: getattr(self, name) for name in ("n", "first", "words", "simultaneous")}
        warnings = [say_contradictions(self.contradictions)] if self.contradictions else []
        return to_json_value(
            figures | {"itemsets": [itemset.to_json() for itemset in self.itemsets], "warnings": warnings}
        )


@check_arguments(tables.LIKELIEST)
def likeliest(
    records: Records, top: int, *, first: Records | None = None, both: Collection[str] = (), simultaneous: bool = False
) -> Likeliest:
    """Find the likeliest itemsets of a list of words, one of which each record shows.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave, by a design with one list of words
        (`candor.models.one_of`, `candor.wave`); of two waves those of the second.
    top : int
        How many itemsets to report.
    first : Records, optional
        The records of the first wave, whose design has the single answers of this list.
    both : collection of str, optional
        Words that were fixed for both waves before the first, such as ``"drugs"``: their supports, errors and intervals
        are of both waves.
    simultaneous : bool
        Whether all intervals of the list hold at once in 95 of 100 surveys, or each of them by itself.

    Returns
    -------
    Likeliest
        Itemsets with support, standard error and interval, the likeliest first. Of two waves these are of the second
        alone, but for words that were fixed for both, and the shares by both that put them in order are beside them.

    Raises
    ------
    InputError
        Where the design has no list of words, or the first wave did not ask what the second did, or a list does not
        have a word that was fixed for both.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": ([1] + [0] * 9) * 2000, "theft": ([1, 1] + [0] * 18) * 1000, "fraud": 0})
    >>> design = candor.models.one_of(list(frame), gamma=19, cap=2, longest=2, direct=False)
    >>> candor.likeliest(candor.disguise(frame, design, seed=8), 3)
    20000 records of a list of 6 words
    itemset        support          se        low       high
    drugs         0.105689  0.00523122  0.0957426   0.130696
    theft         0.100178  0.00514522   0.090401   0.124462
    drugs,theft  0.0511111  0.00428883  0.0430208  0.0687942
    Each interval holds in 95 of 100 surveys by itself; the first of a list are partly luck.
    """
    tables.LIKELIEST.check({"top": top})
    shown = ShownWords.from_records(records, "records")
    earlier = None if first is None else ShownWords.from_records(first, "first")
    if first is not None and np.array_equal(records.codes, first.codes):
        raise InputError("first: these are the records of the second wave, row by row; nobody is in both waves.")
    words = shown.words.words
    level = 1 - (1 - LEVEL) / len(words) if simultaneous else LEVEL
    fixed = places_of_words(shown.words, both, "both")
    figures = shown.figures(level)
    if earlier is not None and fixed:
        theirs = places_of_words(earlier.words, both, "both, in the first wave")
        _combine(fixed, figures, shown, theirs, earlier, level)
    elif fixed:
        raise InputError("both: words of both waves need the records of the first; give first, too.")
    support, error, low, high = figures
    order = support
    if earlier is not None:
        shrunken = shown.words.shrink(shown.counts(), earlier.words, earlier.counts())
        order = np.clip(shrunken, low, high)
    itemsets = [
        Itemset(
            words[one][0],
            float(support[one]),
            float(error[one]),
            (float(low[one]), float(high[one])),
            None if earlier is None else float(order[one]),
            one in fixed,
        )
        for one in np.argsort(-order, kind="stable")[:top].tolist()
    ]
    return Likeliest(
        len(records),
        None if first is None else len(first),
        len(words),
        simultaneous,
        tuple(itemsets),
        _count_contradictions(words, support),
    )


def say_contradictions(count: int, language: Language = ENGLISH) -> str:
    """Say how many itemsets, or rules, contradict their parts; "" if none does.

    >>> say_contradictions(1)
    '1 itemset or rule has a support above 1 or above that of a part of it, which noise can cause.'
    """
    if not count:
        return ""
    return language.ngettext(
        "%(count)s itemset or rule has a support above 1 or above that of a part of it, which noise can cause.",
        "%(count)s itemsets or rules have supports above 1 or above those of their parts, which noise can cause.",
        count,
    ) % {"count": format_count(count)}


def _count_contradictions(words: Sequence[tuple[tuple[str, ...], tuple[Literal, ...]]], support: Floats) -> int:
    """How many words have a support above 1, or above that of a word that is a part of theirs.

    >>> a, b = ((item, frozenset({1})) for item in range(2))
    >>> _count_contradictions([(("a",), (a,)), (("a", "b"), (a, b))], np.array([0.2, 0.3]))
    1
    """
    share_of = {frozenset(literals): float(share) for (_, literals), share in zip(words, support, strict=True)}
    return sum(
        share > min(1.0, *(share_of.get(frozenset(part), 1.0) for part in _parts(literals)))
        for literals, share in share_of.items()
    )


def _parts(literals: frozenset[Literal]) -> Iterator[tuple[Literal, ...]]:
    """Yield all parts of a word but itself, the empty one among them."""
    for size in range(len(literals)):
        yield from combinations(literals, size)


def _combine(
    places: list[int],
    figures: tuple[Floats, Floats, Floats, Floats],
    second: ShownWords,
    theirs: list[int],
    first: ShownWords,
    level: float,
) -> None:
    """Replace `figures` of the words at `places` by those of both waves; `theirs`: where the first wave has them.

    Supports are weighted means, and errors those of independent samples. Possible biases add up with the weights, as
    they may lie to the same side in both waves: errors that are not of sampling, and the reach for people above a cap.
    """
    of_waves = [[figure[places] for figure in figures], [figure[theirs] for figure in first.figures(level)]]
    precisions = np.array([_precisions(second)[places], _precisions(first)[theirs]])
    weights = precisions / precisions.sum(axis=0)
    wide = NormalDist().inv_cdf((1 + level) / 2)
    support, error, low, high = (np.array(both) for both in zip(*of_waves, strict=True))
    mean = (weights * support).sum(axis=0)
    unsure = np.array([second.unsure()[places], first.unsure()[theirs]])
    joint = np.sqrt((weights**2 * (error**2 - unsure**2)).sum(axis=0) + (weights * unsure).sum(axis=0) ** 2)
    below, above = (
        wide * joint + (weights * np.maximum(reach - wide * error, 0)).sum(axis=0)
        for reach in (support - low, high - support)
    )
    for figure, made in zip(figures, (mean, joint, mean - below, mean + above), strict=True):
        figure[places] = made


def _precisions(wave: ShownWords) -> NDArray[np.float64]:
    return len(wave.codes) * wave.words.precisions()
