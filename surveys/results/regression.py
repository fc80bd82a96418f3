"""A regression beside the tables: how the odds of one answer go with others, in words, as a picture and in figures.

An undisguised question enters as the values that enough people gave; all the others are one value together. Those who
answered directly have a term of their own, unless they are taken to answer like the others; they enter at all only
where enough of them stand behind every value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _

from privacy.draw.bars import ForestRow, forest
from privacy.errors import EntryError, InputError, to_translate
from privacy.output import format_count
from privacy.records import Records
from surveys.displays import Table
from surveys.domain.responses.counts import Count
from surveys.results.figures import Figure, describe_disguise, say_uncorrected
from surveys.results.reading import ReportData
from surveys.results.tables import Variable, open_codes
from surveys.sentences import join_sentences

if TYPE_CHECKING:
    from privacy.regress import ChanceRatio, Coefficient

MOST_PREDICTORS = 4
DETECTED = 2.8  # standard errors: a difference of that size shows in 8 of 10 surveys (1.96 + .84)
HOPELESS = math.log(20)  # no survey is planned for odds that differ more
ABOVE_EVERYTHING = 1000.0


@dataclass(frozen=True)
class Predictor:
    """A value of a question against another one; `word` names it to the regression."""

    word: str
    question: str
    value: str
    other: str

    @property
    def here(self) -> str:
        """The question with the value, as a part of a sentence."""
        return f"{self.question} {self.value}"

    @property
    def against(self) -> str:
        """The question with the value that this one is compared with."""
        return f"{self.question} {self.other}"

    @property
    def label(self) -> str:
        return _("%(question)s %(value)s, against %(other)s") % {
            "question": self.question,
            "value": self.value,
            "other": self.other,
        }


@dataclass(frozen=True)
class Together:
    """Two values at once: what they do beyond what each does by itself."""

    first: Predictor
    second: Predictor

    @property
    def word(self) -> str:
        return f"{self.first.word}:{self.second.word}"

    @property
    def label(self) -> str:
        return _("%(first)s, and %(second)s: both together") % {"first": self.first.here, "second": self.second.here}


@dataclass(frozen=True)
class ExplainedAnswer:
    """The odds of an answer, and by what factor each predictor changes them; `chance_ratios` are ratios of chances."""

    answer: str
    disguise: str
    n: Count
    coefficients: tuple[tuple[Predictor | Together, Coefficient], ...]
    chance_ratios: dict[str, ChanceRatio]
    said: str  # how people were drawn, what is taken for granted of those who answered directly, and of whom odds are


def explain(
    data: ReportData,
    outcome: Variable,
    answer: int,
    chosen: Sequence[Variable],
    together: bool = False,
    apart: bool = True,
) -> ExplainedAnswer:
    """Explain one answer by other questions, by logistic regression; EntryError says why that cannot be.

    With `together` also what the values of two questions do at once. Those who answered directly may differ from the
    others (`apart`), or are taken to answer alike.
    """
    # It loads SciPy, which a site that takes answers does without.
    from privacy.regress import Respondents, regression_of

    after = to_translate("A regression is reported after this version stops collecting.")
    data.check_open(after, needed=not all(each.sensitive for each in chosen))
    if not outcome.sensitive or not 0 <= answer < len(outcome.axis.labels):
        raise EntryError("Choose a disguised answer to explain.")
    if not 1 <= len(chosen) <= MOST_PREDICTORS or len({each.axis.name for each in (outcome, *chosen)}) <= len(chosen):
        raise EntryError("Choose one to {most} other questions to explain it.", most=MOST_PREDICTORS)
    if together and len(chosen) != 2:
        raise EntryError("Choose two questions to see what they do together.")
    design = data.sealed.design
    columns, groups, by_question = _columns_of(data, chosen)
    predictors: list[Predictor | Together] = [one for own in by_question for one in own]
    if together:
        predictors += [Together(*pair) for pair in product(*by_question)]
    items = [each.axis.name for each in (outcome, *chosen) if each.sensitive]
    data.check_certain(items, [each.axis.name for each in chosen if not each.sensitive])
    _check_combinations(data, [each.axis.heading for each in chosen if not each.sensitive], groups)
    records, sampling, said = data.sealed, data.sampling, [data.drawn]
    people = Respondents.of_records(Records(design, records.codes, records.direct, columns))
    answered = np.ones(len(records), bool)
    if groups or data.for_patterns is not records:
        answered = ~records.direct
        said = [data.source(with_direct=False), say_uncorrected(data.version) if groups else ""]
        people, sampling = people.select(answered), sampling and sampling.select(answered)
    elif records.direct.all():
        pass  # nobody answered disguised: there is nobody to differ from
    elif records.direct.any() and apart:
        predictors.append(Predictor("direct", _("How people answered:"), _("directly"), _("disguised")))
    elif records.direct.any():
        said.append(_("This assumes that direct respondents answer like the others."))
    if data.worth(answered)[0] < data.least:
        raise EntryError("Fewer than {least} people answered all of this, too few to report on.", least=data.least)
    title = f"{outcome.axis.heading} {outcome.axis.labels[answer]}"
    options = design.items[design.column(outcome.axis.name)].options
    word = f"{outcome.axis.name}={options[answer]}"
    try:
        fitted = regression_of(
            people, word, [predictor.word for predictor in predictors], sample=sampling, least=data.least
        )
    except EntryError as error:
        said_as = {word: title} | {predictor.word: predictor.label for predictor in predictors}
        n = error.values.get("n")
        shown: dict[str, object] = {"n": data.people(n)} if isinstance(n, int) else {}
        raise EntryError(
            error.sentence,
            error.at,
            **{name: shown.get(name) or said_as.get(str(value), value) for name, value in error.values.items()},
        ) from None
    except InputError:
        if not design.has_words:
            raise
        raise EntryError(
            "The list of words of this version does not tell enough for this regression: it has no word for some of "
            "these questions together, or people with more to tell than its cap send each word less often. Ask for "
            "shares and sets of answers."
        ) from None
    pairs = tuple(zip(predictors, fitted.coefficients[1:], strict=True))
    asked = [one for predictor, one in pairs if predictor.word != "direct"]
    if min(one.se for one in asked) * DETECTED > HOPELESS:
        together = np.all([people.codes[item] >= 0 for item in items], axis=0).sum()
        raise EntryError(
            "{n} people were asked all of this, too few under this disguise: 8 of 10 such surveys would find a "
            "difference only if the odds were at least {factor} times as high.",
            n=data.people(int(min(together, fitted.n))),
            factor=_factor(math.exp(min(DETECTED * min(one.se for one in asked), 700.0))),
        )
    disguise = describe_disguise(data.version, items)
    chance_ratios = {ratio.name: ratio for ratio in fitted.ratios}
    said.append(_("Odds are of the population.") if data.drawn else _("Odds are of people who were asked."))
    return ExplainedAnswer(title, disguise, data.people(fitted.n), pairs, chance_ratios, join_sentences(said))


def _columns_of(
    data: ReportData, chosen: Sequence[Variable]
) -> tuple[dict[str, np.ndarray], list[np.ndarray], list[list[Predictor]]]:
    """The undisguised columns by name, their codes, and the predictors of each question."""
    design = data.sealed.design
    columns: dict[str, np.ndarray] = {}
    groups: list[np.ndarray] = []
    by_question: list[list[Predictor]] = []
    for each in chosen:
        if each.sensitive:
            options = design.items[design.column(each.axis.name)].options
            places = range(1, len(options))
            by_question.append(
                [_predictor(f"{each.axis.name}={options[at]}", each, each.axis.labels, at, 0) for at in places]
            )
            continue
        codes, labels = open_codes(data, each)
        groups.append(codes)
        columns[each.axis.name] = np.array([str(code) if code >= 0 else "" for code in codes], object)
        first = int(np.bincount(codes[codes >= 0]).argmax())  # the others are compared with the most frequent one
        others = [at for at in range(len(labels)) if at != first]
        by_question.append([_predictor(f"{each.axis.name}={at}", each, labels, at, first) for at in others])
    return columns, groups, by_question


def _check_combinations(data: ReportData, headings: Sequence[str], groups: Sequence[np.ndarray]) -> None:
    """Refuse undisguised questions of which some combination of answers was given by few people, or nobody.

    Whether one follows from another would show in the refusal, or in the errors: then all who gave this answer would
    have given that one.
    """
    places, size = np.zeros(data.n, np.int64), 1
    for at, group in enumerate(groups):
        answers = int(group.max(initial=0)) + 1
        places, size = np.where((places >= 0) & (group >= 0), places * answers + group, -1), size * answers
        if at and (data.worth(places >= 0, places, size) < data.least).any():
            raise EntryError(
                "Fewer than {least} people gave some of these answers to both “{first}” and “{second}”, "
                "too few to report on.",
                least=data.least,
                first=_(", ").join(headings[:at]),
                second=headings[at],
            )


def _predictor(word: str, variable: Variable, labels: Sequence[str], at: int, against: int) -> Predictor:
    return Predictor(word, variable.axis.heading, f"“{labels[at]}”", f"“{labels[against]}”")


def sentences(explained: ExplainedAnswer) -> list[str]:
    """A sentence for each predictor: how many times as likely the answer is, or how large a difference would show."""
    said = []
    pairs = [predictor for predictor, _one in explained.coefficients if isinstance(predictor, Together)]
    bases = {pair.first.word: pair.second.against for pair in pairs}
    bases |= {pair.second.word: pair.first.against for pair in pairs}
    for predictor, one in explained.coefficients:
        low, high = (_factor(math.exp(end)) for end in one.ci)
        shown = one.ci[0] > 0 or one.ci[1] < 0
        values = {
            "answer": explained.answer,
            "factor": _factor(math.exp(one.estimate)),
            "low": low,
            "high": high,
            "found": _factor(math.exp(min(DETECTED * one.se, 700.0))),
        }
        if isinstance(predictor, Together):
            values |= {"first": predictor.first.here, "second": predictor.second.here}
            sentence_of_both = _(
                "%(first)s, and %(second)s: for people with both the odds of “%(answer)s” are about %(factor)s times "
                "(%(low)s to %(high)s) what the two would make of them one by one."
            )
            not_shown = _(
                "%(first)s, and %(second)s: the data do not show that both together do more or less than one by one. "
                "The "
                "odds may be %(low)s to %(high)s times that; 8 of 10 such surveys would find it if they were %(found)s "
                "times."
            )
            said.append((sentence_of_both if shown else not_shown) % values)
            continue
        values |= {"question": predictor.question, "value": predictor.value, "other": predictor.other}
        if shown and predictor.word in explained.chance_ratios:
            times = explained.chance_ratios[predictor.word]
            values |= {"times": _factor(times.estimate), "least": _factor(times.ci[0]), "most": _factor(times.ci[1])}
            sentence = _(
                "%(question)s Of people with %(value)s “%(answer)s” is about %(times)s times as likely to be true as "
                "of people with %(other)s (%(least)s to %(most)s), the other answers being equal."
            )
        elif shown:  # it stands in a product
            values["base"] = bases[predictor.word]
            sentence = _(
                "%(question)s People with %(value)s have about %(factor)s times the odds of “%(answer)s” that people "
                "with %(other)s have (%(low)s to %(high)s), among those of whom this holds: %(base)s."
            )
        else:
            sentence = _(
                "%(question)s Between %(value)s and %(other)s no difference is shown: the odds may be %(low)s to "
                "%(high)s times as high. 8 of 10 such surveys would find one if they were %(found)s times as high."
            )
        said.append(sentence % values)
    return said


def figure(explained: ExplainedAnswer, name: str) -> Figure:
    """A picture of the odds ratios with their intervals, and the same as a table."""
    title = _("What goes with: %(answer)s") % {"answer": explained.answer}
    drawn = [
        ForestRow(
            predictor.label,
            math.exp(one.estimate),
            math.exp(one.ci[0]),
            math.exp(one.ci[1]),
            _factor(math.exp(one.estimate)),
        )
        for predictor, one in explained.coefficients
    ]
    head = (
        _("answer"),
        _("factor of the odds"),
        _("confidence interval (95 %)"),
        _("times as likely"),
        _("log odds"),
        _("standard error"),
        _("p"),
    )
    rows = [
        (
            predictor.label,
            _factor(math.exp(one.estimate)),
            f"{_factor(math.exp(one.ci[0]))} – {_factor(math.exp(one.ci[1]))}",
            _likely(explained.chance_ratios.get(predictor.word)),
            f"{one.estimate:.3f}".replace("-", "−"),
            f"{one.se:.3f}",
            "< .001" if one.p < 0.001 else f"{one.p:.3f}",
        )
        for predictor, one in explained.coefficients
    ]
    how = (
        _(
            "A logistic regression through the disguise; lines are 95 %% intervals. Odds are chances against their "
            "opposite: 1 to 4 is 20 of 100."
        )
        % {}
    )
    values = {"how": join_sentences([how, explained.said]), "n": explained.n}
    caption = _("%(how)s n = %(n)s.") % values
    drawing = forest(title, drawn, (1.0, _("no difference")), log=True)
    return Figure(name, title, caption, drawing, Table(head, tuple(rows)), disguise=explained.disguise)


def _likely(one: ChanceRatio | None) -> str:
    return "–" if one is None else f"{_factor(one.estimate)} ({_factor(one.ci[0])} – {_factor(one.ci[1])})"


def _factor(value: float) -> str:
    """A factor in words, with about two significant digits, and with limits below and above."""
    if value > ABOVE_EVERYTHING:
        return _("more than %(most)s") % {"most": format_count(int(ABOVE_EVERYTHING))}
    if value < 0.01:
        return _("less than 0.01")
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
