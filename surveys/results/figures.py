"""Figures as people print them: a picture with title, caption and source, and its numbers as a table."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, inf

from django.http import Http404, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext as _

from privacy.design.parameters import parameters
from privacy.draw.bars import Bar, bars
from privacy.draw.labels import break_lines
from privacy.reconstruct.modes import interval_of_error
from privacy.version import maker
from surveys.displays import Display, Middle, Table, explain_no_answer
from surveys.domain.questionnaire.promise import figure as upward, gamma_in_words
from surveys.domain.responses import counts
from surveys.domain.responses.counts import Count
from surveys.domain.responses.snapshots import cite
from surveys.features import secrets_of
from surveys.models import Snapshot, SurveyVersion
from surveys.percent import NO_FIGURE, between_cell, between_heading, between_sentence, interval, percent
from surveys.results.answers import Answered
from surveys.results.reading import ReportData
from surveys.results.scale import OnScale, on_one_axis, say_end
from surveys.sentences import colon, join_sentences

_INK, _PAPER = "#1d2523", "#ffffff"
_MARGIN, _LINE = 16, 18


@dataclass(frozen=True)
class Figure:
    """A picture and its table under one title; `name` stands in the address of its file, `said` is what it tells.

    `disguise` says how its answers were disguised, which pages fold.
    """

    name: str
    title: str
    caption: str
    svg: str
    table: Table
    texts: Sequence[str] = ()
    said: str = ""
    middle: Middle | None = None
    disguise: str = ""


def heading(version: SurveyVersion, language: str) -> str:
    """The title that respondents read, in the reader's language; the working title is for staff alone."""
    source = version.parsed.source
    titles: dict[str, str] = source["title"]
    return titles.get(language) or titles[source["languages"][0]] or source["slug"]


def citation(snapshot: Snapshot) -> str:
    """The line that cites these figures, by which a reader finds them again."""
    version = snapshot.version
    values = {
        "survey": heading(version, get_language() or "en"),
        "number": version.number,
        "hash": cite(snapshot),
        "n": capfirst(str(counts.of_snapshot(snapshot))),
        "first": snapshot.first_day.isoformat(),
        "last": snapshot.last_day.isoformat(),
    }
    line = (
        _("%(survey)s, version %(number)s. %(n)s responses, %(first)s to %(last)s. Candor, snapshot %(hash)s.") % values
    )
    return join_sentences([_("Simulated answers."), line]) if version.survey.simulated else line


def of_answers(data: ReportData, question: Answered, phrases: Mapping[tuple[str, str], str]) -> list[Figure]:
    """The figures of a question: one for each display with answers, in the words of the report."""
    displays = [display for display in question.displays if display.n]
    return [
        _figure(data, question, display, f"{question.name}-{index}", phrases.get((display.name, "1"), ""))
        for index, display in enumerate(displays, 1)
    ]


def on_scale(questions: Iterable[Answered]) -> list[OnScale]:
    """All shares of a report for one axis, in the order of the questionnaire; of a yes/no question the yes alone."""
    rows = []
    for question in questions:
        for display in question.displays:
            asked = f"{question.text} {display.heading}".strip()
            for one in display.shares_by_answer:
                if question.only and one.label != question.only:
                    continue
                is_one = question.only or len(display.shares_by_answer) == 1 == len(display.rows)
                label, part = (asked, "") if is_one else (one.label, asked)
                share, most = one.share, one.between.high if one.between else None
                ends, words = (share.value, share.low, share.high), percent(share)
                rows.append(OnScale(*ends, one.truth, label=label, part=part, most=most, written=words))
    return rows


def overview(data: ReportData, questions: Sequence[Answered]) -> list[Figure]:
    """All shares of a report as one picture and one table; empty where there are no shares."""
    shown = on_one_axis(on_scale(questions))
    if not shown:
        return []
    top = shown[0].top
    above = ["", *(one.part for one in shown)]
    drawn = [
        Bar(one.label, one.share, one.low, one.high, one.written, heading="" if one.part == before else one.part)
        for one, before in zip(shown, above, strict=False)
    ]
    rows: list[tuple[str, ...]] = [
        (
            f"{question.text} {display.heading}".strip(),
            one.label,
            percent(one.share),
            interval(one.share),
            str(data.people(display.n)),
            between_cell(one.between),
        )
        for question in questions
        for display in question.displays
        for one in display.shares_by_answer
    ]
    raw = tuple(
        one.share.raw_estimate.value
        for question in questions
        for display in question.displays
        for one in display.shares_by_answer
    )
    title = _("All questions on one scale")
    lines = _("Lines are 95 %% intervals. Shares of disguised answers are reconstructed.") % {}
    whose = _("These are of people who were asked, others of people who answered.")
    source = join_sentences([lines, whose, say_end(top, cut=shown[0].cut)])
    head: tuple[str, ...]
    head = (_("question"), _("answer"), _("share"), _("confidence interval (95 %)"), _("people"), between_heading())
    if all(row[-1] == NO_FIGURE for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return [Figure("overview", title, source, bars(title, drawn, top=top / 100), Table(head, tuple(rows), raw=raw))]


def _figure(data: ReportData, question: Answered, display: Display, name: str, phrase: str) -> Figure:
    title = f"{question.text} {display.heading}".strip()
    disguise = describe_disguise(data.version, question.items)
    drawn = data.source(data.counts_direct(question.items))
    if not question.sensitive:
        drawn = join_sentences([drawn, say_uncorrected(data.version)])
    weighed = bool(data.drawn)
    n, of_texts, asked = data.people(display.n), bool(display.texts), display.or_none
    source = caption(disguise, n, of_texts, drawn, weighed=weighed, lines=display.lines, asked=asked)
    if display.has_gaps:
        withheld = _(
            "%(dash)s: fewer than %(least)s people gave this answer, or it could tell how many gave another, or none."
        )
        source = join_sentences([source, withheld % {"dash": NO_FIGURE, "least": data.least}])
    source = join_sentences([source, explain_no_answer(cells[0] for cells in display.table().rows)])
    hides = [row for row in display.rows if row.between and row.label == question.only]
    said = [display.sentence(phrase), *(between_sentence(row.label, row.between) for row in hides if row.between)]
    text = join_sentences(said)
    table = display.table()
    return Figure(name, title, source, display.svg(title), table, display.texts, text, display.middle, disguise)


def say_uncorrected(*versions: SurveyVersion) -> str:
    """That undisguised answers are as they were typed, and how far errors of that may move a share; "" without any."""
    known = [errors for version in versions if (errors := version.entry_errors) is not None]
    if not known:
        return ""
    most = max(float(errors.share) * interval_of_error(errors)[1] for errors in known)
    return _(
        "Undisguised answers are not corrected for errors of entry: nobody knows which box a wrong one falls into. "
        "Typed as carefully as the others, a share is off by at most %(points)s points."
    ) % {"points": f"{ceil(1000 * most) / 10:g}"}


def describe_disguise(version: SurveyVersion, items: Collection[str]) -> str:
    """Say how these items are disguised and what the design promises; "" without items."""
    if not items:
        return ""
    secrets = secrets_of(version.design, version.parsed.source)
    bound = (
        gamma_in_words(secrets.gamma)
        if secrets.gamma < inf
        else _("the odds of what is protected grow at most × %(odds)s") % {"odds": upward(secrets.odds)}
    )
    return f"{parameters(version.design, items)}; {bound}"


def caption(
    disguise: str,
    n: Count | str,
    texts: bool = False,
    drawn: str = "",
    *,
    weighed: bool = False,
    lines: bool = True,
    asked: bool = False,
) -> str:
    """How the numbers came about, of whom they are, and from how many people.

    `disguise` is empty for undisguised answers. `drawn` says how people were drawn, where it was not alike, and
    `weighed` whether figures are of the population that they were drawn from. `lines`: whether the picture has some.
    `asked`: whether undisguised answers are of all who were asked, since few gave none.
    """
    asked = asked or bool(disguise)
    whose = _("Shares are of people who were asked.") if asked else _("Shares are of people who answered.")
    if weighed:
        whose = _("Shares are of the population.")
    if texts:
        whose = ""
        how = _("Texts in alphabetical order, so nothing shows who wrote which or what else they answered.")
    elif disguise:
        how = _("Answers were disguised; the shares are reconstructed.")
    else:
        how = _("Undisguised answers.")
    intervals = _("Lines are 95 %% intervals.") % {} if lines and not texts else ""
    return join_sentences([how, intervals, drawn, whose, _("n = %(n)s.") % {"n": n}])


def keep_together(sentence: str) -> str:
    """Put no-break spaces between a number and its sign, and inside of “n = 100”.

    >>> keep_together("about 57 % (49–65 %)") == "about 57\\u00a0% (49–65\\u00a0%)"
    True
    >>> keep_together("n = 100.") == "n\\u00a0=\\u00a0100."
    True
    """
    return re.sub(r"(?<=\d) (?=%)|(?<=\w) (?== \d)|(?<= =) (?=\d)", "\N{NO-BREAK SPACE}", str(sentence))


def document(figure: Figure, source: str) -> str:
    """The figure as an SVG file of its own: title, picture, caption and source on white, for papers and for PNG."""
    head = re.match(r'<svg[^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>', figure.svg)
    assert head is not None
    wide, high = int(head[1]), int(head[2])
    titles = break_lines(figure.title, wide, 15)
    disguise = f"{_('How answers are disguised')}{colon()}{figure.disguise}" if figure.disguise else ""
    texts = (figure.said, figure.caption, disguise, source)
    notes = [line for text in texts for line in break_lines(text, wide, 12)]
    top = _MARGIN + 20 * len(titles) + 8
    width, height = wide + 2 * _MARGIN, top + high + 8 + _LINE * len(notes) + _MARGIN
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="system-ui, \'Noto Sans\', \'Noto Sans CJK SC\', sans-serif" color="{_INK}" fill="{_INK}">',
        f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>',
    ]
    for index, line in enumerate(titles):
        y = _MARGIN + 15 + 20 * index
        out.append(f'<text x="{_MARGIN}" y="{y}" font-size="15" font-weight="600">{escape(line)}</text>')
    inner = head[0].replace("<svg", f'<svg x="{_MARGIN}" y="{top}"', 1)
    out.append(figure.svg.replace(head[0], inner, 1))
    for place, line in enumerate(notes):
        y = top + high + 20 + _LINE * place
        out.append(f'<text x="{_MARGIN}" y="{y}" font-size="12" fill-opacity=".8">{escape(line)}</text>')
    return "\n".join([*out, f"<metadata>{maker()}</metadata>", "</svg>\n"])


def picture_file(drawn: Iterable[Figure], name: str, source: str) -> HttpResponse:
    """An HTTP answer with the figure of this name as an SVG file to keep; 404 where it has no picture."""
    figure = next((each for each in drawn if each.name == name and each.svg), None)
    if figure is None:
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.svg"',
        "Content-Security-Policy": "default-src 'none'",
        "Cache-Control": "no-store",
    }
    return HttpResponse(document(figure, source), content_type="image/svg+xml", headers=headers)
