"""Did people and devices follow the design? One sentence, and figures of those who did.

The sentence is made here alone: command, results page, shared link and API say it, and nothing beside it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from privacy.choices import PERSON, Cases, Disguiser, Estimator
from privacy.design import arguments
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.sentences import Said
from privacy.errors import InputError, to_translate
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.following.pair import (
    Anchor,
    Interval,
    QuestionPair,
    Task,
    corrected,
    fieller_interval,
    reach_of,
    read_anchors,
)
from privacy.following.records_alone import FitTest, tests_of_fit
from privacy.options import check_arguments, tables
from privacy.output import count_of, to_json_value
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns, data_frame

_MOST = 0.95  # people who do not follow: of the few others nothing could be said
_BEYOND_CHANCE = 5.0  # standard errors

DEPART = to_translate(
    "The answers do not fit the design, whatever people said (farthest off: {at}): people or devices did not follow "
    "it, or responses are forged. Do not trust these figures."
)
CANNOT = to_translate(
    "{low} % to {high} % of these people did not follow the design, in a way that no figure can be corrected for. Do "
    "not trust these figures."
)
SOME_DO_NOT = to_translate(
    "About {share} % of these people did not follow the design ({low} % to {high} %). Corrected figures are of the "
    "others."
)
# xgettext:no-python-format
ALL_MAY = to_translate("Everybody may have followed the design; at most {high} % of these people did not.")
UNKNOWN = to_translate(
    "Answers are too few, or contradict each other too much, to tell how many people followed the design."
)
FIT = to_translate(
    "The answers fit the design, but no pair of questions shows how many people did not follow it, and careful "
    "forgers leave no trace."
)
UNTESTED = to_translate("Nothing shows here whether people and devices followed the design.")
ASSUMED = to_translate(
    "Assumed: somebody who does not follow the design tells no question from another, and gives the answers by a rate "
    "of their own or by one button; few of the others answer either of the pair otherwise than everybody."
)


@dataclass(frozen=True)
class AttentiveFigure:
    """A share as everybody answered, and of people who follow the design."""

    figure: str
    n: int
    answered: float
    answered_se: float
    attentive: float
    se: float
    ci: Interval

    @property
    def feasible(self) -> float:
        """The share within 0 and 1 that is nearest."""
        return min(max(self.attentive, 0.0), 1.0)

    def to_json(self) -> dict[str, Any]:
        names = ("figure", "n", "answered", "answered_se", "attentive", "feasible", "se")
        return {name: getattr(self, name) for name in names} | {"ci": list(self.ci)}


@dataclass(frozen=True, repr=False)
class Careless(Result):
    """Whether the records fit their design, how many people did not follow it, and figures of those who did.

    `share`, of those who did not, is None without a pair of questions, and where the pair cannot tell it. `fits` is
    whether the pair agrees with what is assumed; None where it does not tell.
    """

    n: int
    estimator: str
    disguiser: str
    level: float
    tests: tuple[FitTest, ...] = ()
    share: float | None = None
    share_ci: Interval | None = None
    fits: bool | None = None
    figures: tuple[AttentiveFigure, ...] = ()
    asked: bool = False  # whether there is a pair
    named: bool = field(default=True, compare=False)  # whether the records surely have this design

    @property
    def departing(self) -> tuple[FitTest, ...]:
        """The tests that say that the records do not fit the design."""
        return tuple(test for test in self.tests if test.found)

    @property
    def sentence(self) -> Said:
        """Whether people and devices followed the design."""
        ends = dict(zip(("low", "high"), map(_percent, self.share_ci), strict=True)) if self.share_ci else {}
        own = self.disguiser == PERSON and self.share_ci is not None and self.share_ci[0] > 0
        if self.departing and not own:
            return Said(DEPART, {"at": min(self.departing, key=lambda test: test.p).at})
        if self.share_ci is None:
            return Said(UNKNOWN if self.asked else FIT if self.tests else UNTESTED, {})
        if self.share is None or self.share_ci[1] > _MOST:
            return Said(CANNOT if self.share_ci[0] > 0 else UNKNOWN, ends)
        if self.share_ci[0] > 0:
            return Said(SOME_DO_NOT, ends | {"share": _percent(self.share)})
        return Said(ALL_MAY, ends)

    @property
    def is_grave(self) -> bool:
        """Whether the figures are not to be trusted."""
        return self.sentence.sentence in (DEPART, CANNOT)

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.n, 'record')}; {self.estimator} estimator"
        yield str(self.sentence)
        if not self.named and self.sentence.sentence == FIT:
            yield "These records do not name their design, so nobody can know from them whether this is the one."
        if self.figures:
            rows = []
            for one in self.figures:
                ends = one.ci if np.isfinite(one.ci).all() else (None, None)  # infinite ones tell nothing
                rows.append([one.figure, one.n, one.answered, one.answered_se, one.attentive, one.se, *ends])
            yield ""
            yield TextColumns(["figure", "n", "of all", "se", "of attentive", "se", "low", "high"], rows)
            yield ""
            yield str(Said(ASSUMED, {}))
        if self.tests:
            tests = [[test.block, test.of, test.n, test.at, test.p, test.corrected] for test in self.tests]
            yield ""
            yield TextColumns(["block", "test of", "n", "farthest off", "p", "corrected p"], tests)

    def to_frame(self) -> DataFrame:
        """Return a row for each figure; without a pair of questions one for each test."""
        return data_frame(self.to_json()["figures" if self.asked else "tests"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor careless`."""
        known = {name: getattr(self, name) for name in ("n", "estimator", "disguiser", "level")}
        known |= {"sentence": str(self.sentence), "fits": self.fits}
        known["careless"] = {"share": self.share, "ci": None if self.share_ci is None else list(self.share_ci)}
        names = ("block", "of", "n", "at", "p", "corrected", "found")
        known["tests"] = [{name: getattr(test, name) for name in names} for test in self.tests]
        return to_json_value(known | {"figures": [one.to_json() for one in self.figures]})


def _percent(share: float) -> str:
    """Percent with two digits, or whole ones.

    >>> [_percent(share) for share in (0.431, 0.0347, 0.997, 0.0)]
    ['43', '3.5', '99.7', '0']
    """
    percent = 100 * share
    return f"{percent:.1f}".removesuffix(".0") if min(percent, 100 - percent) < 10 else f"{percent:.0f}"


@check_arguments(tables.CARELESS)
def careless(
    records: Records,
    figures: str | Iterable[str] | None = None,
    *,
    anchors: Mapping[str, Any] | None = None,
    disguiser: Disguiser = "device",
    estimator: Estimator = "stratified",
    level: float = 0.95,
    cases: Cases = "available",
    sample: Sample | None = None,
) -> Careless:
    """Tell whether people and devices followed the design, how many people did not, and what the others say.

    Parameters
    ----------
    records : Records
        With their undisguised columns where weights, clusters or strata are used.
    figures : str or iterable of str, optional
        Patterns of yes/no items (``drugs,!cheating``). Without them the yes of every yes/no item that is no anchor.
    anchors : mapping of str to float, or to pair of float, optional
        The pair of questions: a yes/no answer that nobody gives and one that everybody does, each with its share among
        people who follow the design, or two bounds: ``{"never": (0, 0.01), "always": (0.99, 1)}``. Bounds are carried
        into all intervals. Where items have a third option, such as not to say, name the same one of all:
        ``never=yes``; figures are then of items with these options, and of that answer or its absence. One answer of
        known share alone is tested, and corrects nothing.
    disguiser : {'device', 'person'}
        Who disguises. A device disguises what people press who do not read. People who draw themselves send what they
        press when they do not follow their draw; single answers of the others are then corrected.
    estimator, level, cases, sample
        As in `candor.reconstruct`.

    Raises
    ------
    InputError
        Where anchors are no such pair, or a figure is not of yes/no items.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> people = {"drugs": [1, 0, 0, 0] * 2000, "never": [0] * 8000, "always": [1] * 8000}
    >>> frame = pd.DataFrame(people)
    >>> frame.iloc[:2000] = 1  # a quarter of them press yes
    >>> design = candor.models.warner(list(frame), theta=0.8)
    >>> followed = candor.careless(candor.disguise(frame, design, seed=7), anchors={"never": 0, "always": 1})
    >>> round(followed.share, 2), round(followed.figures[0].attentive, 2)
    (0.24, 0.25)
    """
    require_records(records)
    rows, design = len(records), records.design
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    sampling = Sampling.of(sample, records.open_columns, rows) or Sampling.simple(rows)
    known = [] if anchors is None else read_anchors(design, anchors)
    if len(known) < 2 and figures is not None:
        raise InputError("figures: they are corrected by two anchors; name what nobody and what everybody affirms.")
    tests = tests_of_fit(records, [(anchor.pattern, *anchor.known) for anchor in known] if len(known) == 1 else [])
    if len(known) < 2:
        return Careless(rows, estimator, disguiser, level, tests, named=records.named)
    texts = arguments.texts(figures, "figures") if figures is not None else corrected(design, known)
    if not texts:
        raise InputError("figures: all yes/no items are anchors; there is nothing to correct.")
    followed = follow_by_pair(Task(records, sampling, estimator, cases, disguiser), known, texts, level)
    return replace(followed, tests=tests, named=records.named)


def follow_by_pair(task: Task, anchors: Sequence[Anchor], texts: Sequence[str], level: float) -> Careless:
    """Compute what `careless` tells by a pair, without its tests.

    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"never": [1] * 2000 + [0] * 6000, "always": [1] * 8000})
    >>> records = candor.disguise(frame, candor.models.warner(list(frame), theta=0.8), seed=7)
    >>> task = Task(records, Sampling.simple(len(records)))
    >>> pair = read_anchors(records.design, {"never": 0, "always": 1})
    >>> round(follow_by_pair(task, pair, [], level=0.95).share, 2)
    0.26
    """
    design, sampling, never = task.records.design, task.sampling, anchors[0]
    patterns = [parse_pattern(text, design) for text in texts]
    for pattern, at in [*((anchor.pattern, "anchors") for anchor in anchors), *((one, "figures") for one in patterns)]:
        task.check(pattern, never, at)
    pair, n = QuestionPair.make(task, *anchors), len(task.records) if task.among is None else int(task.among.sum())
    followed, follow = Careless(n, task.estimator, task.disguiser, level, asked=True), pair.scenarios[0].follow
    ends = [end for one in pair.scenarios for end in one.follow.estimate(sampling, level).ci]
    beyond = _BEYOND_CHANCE * follow.estimate(sampling).se + pair.reach
    if not np.isfinite(ends).all() or follow.value > 1 + beyond:
        return followed  # all records alike, or the pair answered better than anybody can
    low, high = (float(np.clip(end, 0, 1)) for end in (1 - max(ends) - pair.reach, 1 - min(ends) + pair.reach))
    fits, least = pair.fits(level)
    if fits is False:
        return replace(followed, fits=False, share_ci=(min(max(least, 0.0), low), high))
    followed = replace(followed, fits=fits, share=float(np.clip(1 - follow.value, 0, 1)), share_ci=(low, high))
    if high > _MOST:
        return followed
    asked = zip(texts, patterns, strict=True)
    return replace(followed, figures=tuple(_correct(pair, text, pattern, level) for text, pattern in asked))


def _correct(pair: QuestionPair, text: str, pattern: Pattern, level: float) -> AttentiveFigure:
    """A pattern as everybody answered, and of those who follow, with an interval over all that the pair leaves open."""
    task, share = pair.task, pair.task.share(pattern)
    middle, *every = pair.correct(share, pattern)
    ends = [fieller_interval(one, task.sampling, level) for one in (middle, *every)]
    reach = reach_of(share) + pair.reach
    said, own = (
        one.simple_estimate() if task.sampling.is_simple else one.estimate(task.sampling) for one in (share, middle)
    )
    ci = float(np.min(ends)) - reach, float(np.max(ends)) + reach
    return AttentiveFigure(text, share.n, share.value, said.se, middle.value, own.se, ci)
