"""How answers moved from one version of a survey to the next, each time with the error of the difference."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from privacy.draw.bars import Bar, bars
from surveys.displays import Table
from surveys.domain.questionnaire.versions import questions_reworded
from surveys.domain.responses.counts import Count
from surveys.models import SurveyVersion
from surveys.percent import Share, bar, fit_difference, interval, percent, points
from surveys.results.answers import answers
from surveys.results.figures import Figure, caption, describe_disguise, say_uncorrected
from surveys.results.reading import ReportData
from surveys.sentences import join_sentences
from surveys.shares import LEVEL, difference


@dataclass(frozen=True)
class Moved:
    """The share of one answer in each version that tells it, by the version's number.

    `otherwise` are the texts of the question in versions that asked it in other words than the last one, `undisguised`
    the versions that asked it without a disguise.
    """

    name: str
    question: str
    answer: str
    disguise: str
    n: Count
    shares: dict[int, Share]
    otherwise: dict[int, str] = field(default_factory=dict)
    undisguised: tuple[SurveyVersion, ...] = ()


def changes_of_answers(versions: Sequence[ReportData], language: str) -> list[Moved]:
    """The answers of which two versions or more have a share, in the order of the last version."""
    shares_of: dict[tuple[str, str], Moved] = {}
    for data in reversed(versions):
        number, changed = (
            data.version.number,
            questions_reworded(data.version.parsed.source, versions[-1].version.parsed.source),
        )
        for question in answers(data, language):
            otherwise = {number: question.text} if question.name in changed else {}
            disguise = describe_disguise(data.version, question.items)
            undisguised = () if question.items else (data.version,)
            for display in question.displays:
                heading = f"{question.text} {display.heading}".strip()
                for row in display.rows:
                    if row.all is None:
                        continue
                    start = Moved(display.name, heading, row.label, disguise, Count(0, exact=True), {})
                    known = shares_of.setdefault((display.name, row.label), start)
                    shares_of[display.name, row.label] = replace(
                        known,
                        n=known.n + data.people(display.n),
                        shares={number: row.all, **known.shares},
                        otherwise=otherwise | known.otherwise,
                        undisguised=known.undisguised + undisguised,
                    )
    return [each for each in shares_of.values() if len(each.shares) > 1]


def figures(versions: Sequence[ReportData], language: str) -> list[Figure]:
    """A figure for each question: its answers, version after version."""
    by_question: dict[str, list[Moved]] = {}
    for change in changes_of_answers(versions, language):
        by_question.setdefault(change.name, []).append(change)
    return [figure_of(name, rows) for name, rows in by_question.items()]


def trend(shares: Sequence[Share]) -> Share:
    """How much the share of an answer grows from one version to the next, whose people are others.

    What an interval reaches beyond its error, as it does for people above the cap of a list, may lie to the same side
    in all versions, and adds up. Error and interval are those of the raw estimates.
    """
    from privacy.estimate.intervals import beyond_error
    from privacy.estimate.linearised import Estimate
    from privacy.reconstruct.compare import slope  # loads SciPy, which a site that takes answers does without

    def shift(share: Share, sign: int) -> Estimate:
        beyond = beyond_error(share.value, share.se, share.high if sign > 0 else share.low)
        return Estimate(share.value + sign * beyond, share.se, (share.low, share.high), math.nan)

    raw = [share.raw_estimate for share in shares]
    ends = [(shift(share, -1), shift(share, 1)) for share in raw]
    found = slope([(share.value, share.se) for share in raw], math.inf, LEVEL, ends)
    value = slope([(share.value, share.se) for share in shares], math.inf, LEVEL).estimate
    return Share(value, found.se, min(found.ci[0], value), max(found.ci[1], value))


def figure_of(name: str, answered: Sequence[Moved]) -> Figure:
    """The shares as reports show them, and how these moved."""
    drawn: list[Bar] = []
    rows: list[tuple[str, ...]] = []
    for each in answered:
        before: Share | None = None
        for number, share in each.shares.items():
            label = _("%(answer)s · version %(number)s") % {"answer": each.answer, "number": number}
            drawn.append(bar(label, share))
            step = "–"
            if before:
                step = points(fit_difference(difference(share.raw_estimate, before.raw_estimate), share, before))
            rows.append((each.answer, str(number), percent(share), interval(share), step))
            before = share
        if len(each.shares) > 2:
            whole = trend(list(each.shares.values()))
            rows.append((each.answer, _("on the whole, each version"), "–", "–", points(whole)))
    head = (
        _("answer"),
        _("version"),
        _("share"),
        _("confidence interval (95 %)"),
        _("change since the previous version, percentage points"),
    )
    title, n = answered[0].question, max((each.n for each in answered), key=lambda n: n.number)
    disguise, said = answered[0].disguise, _say_changes(answered)
    source = caption(disguise, n, drawn=say_uncorrected(*answered[0].undisguised))
    return Figure(name, title, source, bars(title, drawn), Table(head, tuple(rows)), said=said, disguise=disguise)


def _say_changes(answered: Sequence[Moved]) -> str:
    """Which versions asked the question otherwise; "" where none did."""
    sentence = _("Version %(version)s asked this otherwise: “%(question)s”. Part of the change may come from that.")
    texts = {number: text for each in answered for number, text in each.otherwise.items()}
    return join_sentences(sentence % {"version": number, "question": texts[number]} for number in sorted(texts))
