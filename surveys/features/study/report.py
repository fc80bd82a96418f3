"""The arms of a study side by side: each answer in each arm as its own report has it, and how far arms differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from django.utils.translation import get_language, gettext as _

from privacy.draw.bars import bars
from privacy.errors import EntryError
from privacy.estimate.intervals import two_sided
from privacy.reconstruct.group_difference import holm
from surveys.displays import NamedShare, Table
from surveys.features.study import invited_by
from surveys.features.study.draft import arms_with_chances
from surveys.models import SurveyVersion
from surveys.percent import NO_FIGURE, Share, bar, interval, percent, points_alone, points_interval
from surveys.results.answers import Answered, answers
from surveys.results.figures import Figure, say_uncorrected
from surveys.results.following import known_literals, of_pattern
from surveys.results.reading import ReportData
from surveys.results.report import data_of
from surveys.results.sections import ReportingPart, ReportPart
from surveys.sentences import join_sentences, sentence_of
from surveys.shares import difference

TINY = 1e-9  # in place of an error of 0


@dataclass(frozen=True)
class _InArm:
    """The share of one answer in an arm; `corrected` is that of people who follow, where the arm tells it."""

    arm: str
    pressed: Share
    corrected: Share | None
    plain: bool  # asked without a disguise
    affirms: bool  # the yes of an answer that is disguised

    @property
    def best(self) -> Share:
        return (self.corrected or self.pressed).raw_estimate


def _parts(data: ReportData) -> list[ReportPart]:
    if invited_by(data.version.parsed.source):
        return []  # the first survey compares them

    def context() -> dict[str, object]:
        try:
            arms = _read_arms(data)
        except EntryError as error:
            return {"figures": [], "loose": [], "sentences": [sentence_of(error)]}
        drawn = _figure(arms, get_language() or "en")
        sentences = [
            _("A lot on each device drew the arm, so arms differ by chance and by how they ask alone."),
            _("Where an arm shows who follows, the share of these people is compared; what all pressed is beside it."),
        ]
        return {"figures": [drawn], "loose": [drawn], "sentences": sentences}

    return [ReportPart("arms", _("The arms of the study"), "surveys/results/regression.html", context)]


def _read_arms(data: ReportData) -> dict[str, ReportData]:
    """What each arm tells, this survey first; EntryError until all of them are closed."""
    arms = [data_of(version) for version, _chance in arms_with_chances(data.version)]
    if not all(arm.settled for arm in arms):
        raise EntryError("Arms are compared once all of them are closed.")
    return {arm.version.survey.slug: arm for arm in arms}


def _figure(arms: Mapping[str, ReportData], language: str) -> Figure:
    """Every answer that two arms or more have, and how far each is from that of the first."""
    by_answer: dict[tuple[str, str], tuple[str, list[_InArm]]] = {}
    undisguised: dict[str, SurveyVersion] = {}
    for arm, data in arms.items():
        for question in answers(data, language):
            if not question.items:
                undisguised[arm] = data.version
            for heading, named in _shares(question):
                found = by_answer.setdefault((question.name, named.label), (heading, []))[1]
                corrected, plain = _share_of_followers(data, question, named.label), not question.items
                affirms = not plain and named.label == question.only
                found.append(_InArm(arm, named.share, corrected, plain, affirms))
    compared = [(heading, label, own) for (_id, label), (heading, own) in by_answer.items() if len(own) > 1]
    first = next(iter(arms))
    with_first = [own for _heading, _label, own in compared if own[0].arm == first]
    apart = [difference(other.best, own[0].best) for own in with_first for other in own[1:]]
    corrected = holm(two_sided(np.array([abs(step.value) / (step.se or TINY) for step in apart]))).tolist()
    known, rows, drawn = zip(apart, corrected, strict=True), [], []
    for heading, label, own in compared:
        for place, one in enumerate(own):
            cells = (NO_FIGURE, NO_FIGURE, NO_FIGURE)
            if place and own in with_first:
                step, p = next(known)
                cells = (points_alone(step), points_interval(step), NO_FIGURE if np.isnan(p) else f"{p:.2g}")
            pressed = f"{percent(one.pressed)} ({interval(one.pressed)})"
            rows.append((f"{heading} {label}", one.arm, percent(one.best), interval(one.best), pressed, *cells))
            drawn.append(bar(one.arm, one.best, heading="" if place else f"{heading} {label}"))
    head = (
        _("answer"),
        _("arm"),
        _("share"),
        _("confidence interval (95 %)"),
        _("as pressed by all"),
        _("points more than in %(arm)s") % {"arm": first},
        _("confidence interval (95 %)"),
        _("corrected p"),
    )
    title = _("The arms of the study")
    people = _(", ").join(f"{arm}: n = {data.everybody}" for arm, data in arms.items())
    lines = _("Shares are those of the arms' own reports. Lines are 95 %% intervals.") % {}
    said = join_sentences([lines, say_uncorrected(*undisguised.values()), people, *_say_plain(compared)])
    return Figure("arms", title, said, bars(title, drawn) if drawn else "", Table(head, tuple(rows), words=2))


def _say_plain(compared: list[tuple[str, str, list[_InArm]]]) -> Iterator[str]:
    """Where the first arm asked plainly, and came as near to the truth as the disguise of another one."""
    for heading, _label, (first, *others) in compared:
        for one in others:
            # The squared error of a plain share is about (estimate − plain)² less the error of the estimate.
            near = (one.best.value - first.best.value) ** 2 <= 2 * one.best.se**2
            if first.plain and one.affirms and near:
                yield _("“%(question)s”: a plain question was as good as %(arm)s, with fewer people.") % {
                    "question": heading,
                    "arm": one.arm,
                }


def _shares(question: Answered) -> Iterator[tuple[str, NamedShare]]:
    """The shares of answers that a report of this arm shows, each with what was asked."""
    for display in question.displays:
        heading = f"{question.text} {display.heading}".strip()
        yield from ((heading, one) for one in display.shares_by_answer)


def _share_of_followers(data: ReportData, question: Answered, label: str) -> Share | None:
    """The share of a yes of people who follow, where the arm has questions that tell them apart."""
    known = {literal.partition("=")[0] for literal in known_literals(data.version.parsed)}
    if label != question.only or not question.items or known.intersection(question.items):
        return None
    return of_pattern(data, f"{question.items[0]}=1")


PART = ReportingPart(parts=_parts)
