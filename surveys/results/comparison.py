"""Shares and rules side by side: how far two of them are apart, or one of them between groups, with the error of that.

A figure is how common an answer is among everybody, or among those who gave another answer; groups are the values of an
undisguised question, those of too few people together. The difference has the error of both figures together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from django.utils.translation import gettext as _

from privacy.arrays import Bools
from privacy.draw.bars import bars
from privacy.errors import EntryError, NoFigureError, to_translate
from privacy.estimate.linearised import LinearisedFigure, covariance_of
from privacy.output import tenths
from privacy.reconstruct.association import OpenAnswer
from privacy.reconstruct.compare import DrawnRecords
from privacy.reconstruct.discoveries import q_of_family
from privacy.reconstruct.shares_and_rules import figure as figure_of
from surveys.displays import Table, explain_no_answer
from surveys.percent import (
    NO_FIGURE,
    Share,
    bar,
    error,
    fit_difference,
    interval,
    may_be_anything,
    percent,
    points,
    points_alone,
    points_interval,
)
from surveys.results.figures import Figure, caption, describe_disguise, say_uncorrected
from surveys.results.reading import ReportData
from surveys.results.table_lines import fit_answers
from surveys.results.tables import Variable, check_enough, open_codes
from surveys.results.words import VersionWords
from surveys.sentences import join_sentences
from surveys.shares import LEVEL, share_of_estimate

_NOTHING = to_translate("“{figure}”: the disguise leaves too little to estimate this.")


@dataclass(frozen=True)
class AskedShare:
    """An answer, and the people it is about: everybody, or those with another answer; in the words of the report."""

    words: VersionWords
    question: Variable
    answer: int
    given: Variable | None = None
    given_answer: int = 0

    @property
    def items(self) -> list[str]:
        return [each.axis.name for each in (self.given, self.question) if each]

    @property
    def label(self) -> str:
        answer = f"“{self.words.brief(self._literal(self.question, self.answer))}”"
        if self.given is None:
            return _("%(answer)s of all") % {"answer": answer}
        given = f"“{self.words.brief(self._literal(self.given, self.given_answer))}”"
        return _("%(answer)s of those with %(given)s") % {"answer": answer, "given": given}

    @property
    def text(self) -> str:
        """The share or rule as `candor compare` is given it."""
        answer = self._literal(self.question, self.answer)
        return f"{self._literal(self.given, self.given_answer)} => {answer}" if self.given else answer

    def _literal(self, variable: Variable, place: int) -> str:
        name = variable.axis.name
        return f"{name}={[*self.words.items[name].answers][place]}"


@dataclass(frozen=True)
class GroupShare:
    """A figure in a group; the group is empty where there is one of everybody. Its share is None if nobody knows it."""

    asked: AskedShare
    group: str
    n: int
    share: Share | None

    @property
    def label(self) -> str:
        return " · ".join(filter(None, (self.asked.label, self.group)))


@dataclass(frozen=True)
class Apart:
    """The second figure less the first; q is the false discovery rate among all differences of the page."""

    first: str
    second: str
    share: Share
    q: float

    @property
    def is_shown(self) -> bool:
        """Whether it is beyond chance, though the page has so many differences."""
        return self.q <= 1 - LEVEL and not self.share.low <= 0 <= self.share.high


@dataclass(frozen=True)
class ComparedShares:
    disguise: str
    shares: tuple[GroupShare, ...]
    differences: tuple[Apart, ...]
    data: ReportData
    drawn: str


def compare(data: ReportData, asked: Sequence[AskedShare], by: Variable | None = None) -> ComparedShares:
    """Compare two figures, or one in the groups of an undisguised question; EntryError if they are withheld."""
    after = to_translate("Figures can be compared after this version stops collecting.")
    data.check_open(after, needed=by is not None)
    if len({each.text for each in asked}) + (by is not None) < 2:
        raise EntryError("Choose two different figures, or an undisguised question that makes the groups.")
    if any(each.given and each.given.axis.name == each.question.axis.name for each in asked):
        raise EntryError("An answer is on both sides of a figure; choose another question for one of them.")
    records = data.without_direct if by else data.for_patterns
    codes, groups = open_codes(data, by) if by else (np.zeros(len(records), np.int64), [""])
    beside = [OpenAnswer(by.axis.name, len(groups), codes)] if by else []
    sample = DrawnRecords(records, data.sampling)
    shares: list[GroupShare] = []
    known: list[tuple[GroupShare, Share, LinearisedFigure]] = []
    for each in asked:
        check_enough(data, records, each.items, beside)
        for index, group in enumerate(groups):
            try:
                one, share = _fit_share(each, sample, codes == index)
            except NoFigureError:
                shares.append(GroupShare(each, group, 0, None))
                continue
            shares.append(GroupShare(each, group, one.n, share))
            known.append((shares[-1], share, one))
        if not any(one.asked is each for one, *_parts in known):
            raise EntryError(_NOTHING, figure=each.label)
    differences, chances = [], []
    for (first, lesser, less), (second, greater, of) in combinations(known, 2):
        if (first.asked == second.asked) != (first.group == second.group):
            estimate = sample.estimate(of.minus(less), LEVEL)
            share = fit_difference(share_of_estimate(estimate), greater, lesser)
            if not np.isfinite((lesser.low, lesser.high, greater.low, greater.high)).all():
                share = replace(share, low=-1.0, high=1.0)  # one of the two may be anything
            differences.append(Apart(first.label, second.label, share, np.nan))
            chances.append(estimate.p)
    rates = q_of_family(np.array(chances)).tolist()
    differences = [replace(difference, q=q) for difference, q in zip(differences, rates, strict=True)]
    items = dict.fromkeys(item for each in asked for item in each.items)
    disguise = describe_disguise(data.version, list(items))
    drawn = join_sentences([data.source(records is data.sealed), say_uncorrected(data.version) if by else ""])
    return ComparedShares(disguise, tuple(shares), tuple(differences), data, drawn)


def _fit_share(asked: AskedShare, sample: DrawnRecords, among: Bools) -> tuple[LinearisedFigure, Share]:
    """A figure and its share as tables show it: fitted together with the other answers to its question."""

    def estimate(answer: int) -> LinearisedFigure:
        text = replace(asked, answer=answer).text
        return figure_of(sample.records, text, sample.own_sampling, among=among)

    own = [estimate(answer) for answer in range(len(asked.question.axis.labels))]
    raw = [share_of_estimate(sample.estimate(one, LEVEL)) for one in own]
    share = fit_answers(raw, lambda _known: covariance_of(own, sample.own_sampling))[asked.answer]
    return own[asked.answer], share or raw[asked.answer]


def title_of(asked: Iterable[AskedShare]) -> str:
    return _("Compared: %(figures)s") % {"figures": "; ".join(dict.fromkeys(each.label for each in asked))}


def sentences(comparison: ComparedShares) -> list[str]:
    """A sentence for each difference: how large it is, that none is shown, or that nothing is known of it.

    And one for each group that has no figure.
    """
    said = [_(_NOTHING).format(figure=share.label) for share in comparison.shares if share.share is None]
    for difference in comparison.differences:
        low, high = sorted((abs(difference.share.low), abs(difference.share.high)))
        values = {
            "first": difference.first,
            "second": difference.second,
            "points": tenths(100 * abs(difference.share.value)),
            "low": tenths(100 * low),
            "high": tenths(100 * high),
            "most": points(difference.share),
            "count": len(comparison.differences),
        }
        if may_be_anything(difference.share):
            sentence = _("Nothing is known of the difference between %(second)s and %(first)s: it may be anything.")
        elif difference.is_shown and difference.share.low > 0:
            sentence = _("%(second)s is about %(points)s points (%(low)s to %(high)s) more than %(first)s.")
        elif difference.is_shown:
            sentence = _("%(second)s is about %(points)s points (%(low)s to %(high)s) less than %(first)s.")
        elif not difference.share.low <= 0 <= difference.share.high:
            sentence = _(
                "Between %(second)s and %(first)s no difference is sure: it is %(most)s points by itself, and of "
                "%(count)s differences chance alone shows some."
            )
        else:
            sentence = _(
                "Between %(second)s and %(first)s no difference is shown: it is %(most)s points, so either may be more."
            )
        said.append(sentence % values)
    return said


def figure(comparison: ComparedShares, name: str) -> Figure:
    """A picture of the shares with their intervals, and a table with the differences, too."""
    people = comparison.data.people
    asked = list(dict.fromkeys(share.asked.label for share in comparison.shares))
    title = title_of(share.asked for share in comparison.shares)
    drawn = [
        bar(share.group if len(asked) == 1 else share.label, share.share)
        for share in comparison.shares
        if share.share and np.isfinite((share.share.low, share.share.high)).all()
    ]
    between = _("confidence interval (95 %)")
    head = (_("figure"), _("share or difference"), between, _("standard error"), _("q"), _("people"))
    rows = [
        (
            share.label,
            percent(share.share),
            interval(share.share),
            error(share.share),
            "–",
            str(people(share.n)) if share.share else NO_FIGURE,
        )
        for share in comparison.shares
    ]
    rows += [
        (
            _("%(second)s, less %(first)s") % {"second": difference.second, "first": difference.first},
            *_cells_of_difference(difference),
            NO_FIGURE,
        )
        for difference in comparison.differences
    ]
    n = max(sum(share.n for share in comparison.shares if share.asked.label == label) for label in asked)
    drawn_by = join_sentences([explain_no_answer(share.label for share in comparison.shares), comparison.drawn])
    source = caption(comparison.disguise, people(n), drawn=drawn_by, weighed=bool(comparison.data.drawn))
    table = Table(head, tuple(rows))
    return Figure(name, title, source, bars(title, drawn) if drawn else "", table, disguise=comparison.disguise)


def _cells_of_difference(apart: Apart) -> tuple[str, str, str, str]:
    """A difference in percentage points, the ends of its interval, its error, and q."""
    share = apart.share
    if may_be_anything(share):
        return NO_FIGURE, _("anything"), NO_FIGURE, NO_FIGURE
    q = NO_FIGURE if np.isnan(apart.q) else "< .001" if apart.q < 0.001 else f"{apart.q:.3f}"
    return points_alone(share), points_interval(share), error(share), q
