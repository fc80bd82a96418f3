"""What the report of a second wave shows: the sets that an earlier version made likely, and answers by both versions.

This version alone tells the sets: the earlier one has chosen them for being large, and would show its own choice
too large. Every single answer was fixed for both before anybody was asked, so both tell it, unless its question was
changed between them.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

import numpy as np
from django.utils.translation import get_language, gettext as _

from privacy.design.patterns import parse_pattern
from privacy.draw.bars import bars
from privacy.errors import EntryError, InputError
from privacy.estimate.intervals import interval_of_shares
from privacy.reconstruct.likeliest import Itemset, likeliest
from privacy.records import Records
from surveys.displays import Table
from surveys.domain.questionnaire.reworded import questions_reworded, tell_together
from surveys.features.second_wave import first_wave
from surveys.models import SurveyVersion
from surveys.percent import FittedShare, Share, bar, error, interval, percent, percent_alone
from surveys.questions import type_of
from surveys.results.figures import Figure, caption, describe_disguise
from surveys.results.published import tell_few
from surveys.results.reading import ReportData
from surveys.results.report import data_of
from surveys.results.scale import end_of_axis, say_end
from surveys.results.sections import ReportingPart, ReportPart
from surveys.results.words import VersionWords, words_of
from surveys.sentences import join_sentences

MOST_SHOWN, MOST_DRAWN = 32, 12
_EVERY = 2**20  # words


def figures(data: ReportData, first: ReportData | None, language: str) -> list[Figure]:
    """A figure of the sets, the likeliest first, and one of single answers by both versions, if both can be read."""
    words, own = words_of(data.version, language), _records_in_disguise(data.for_patterns)
    if len(own) < data.least:
        return []
    earlier = None if first is None or tell_few(data, first) else _records_in_disguise(first.for_patterns)
    changed = () if first is None else _items_of(data, changed_questions(data, first))
    found, both = _find(own, None if earlier is None or len(earlier) < data.least else earlier, changed)
    sets = [one for one in found if len(one.items) > 1][:MOST_SHOWN]
    by_number = _("Sets of answers, by version %(number)s alone")
    title = _("Sets of answers, by this version alone") if _is_tried(data) else by_number
    drawn = [_figure(data, "sets", title, sets, words)] if sets else []
    if both:
        assert first is not None
        title = _("Single answers, by versions %(first)s and %(number)s together")
        drawn.append(_figure(data, "both", title, both, words, first))
    return drawn


def sentences(data: ReportData, first: ReportData | None, language: str) -> Iterator[str]:
    """Say that only version `data` tells the sets, and why; with `first`, that both versions tell single answers."""
    number = data.version.number
    if _is_tried(data):
        yield _(
            "A version that people answered made these sets likely, so only this one, which simulated people answer, "
            "tells them. The first of a list are partly luck."
        )
        return
    yield _(
        "An earlier version made these sets likely, so only version %(number)s tells them: the earlier one would show "
        "its own choice too large. The likeliest stand first, partly by luck: where a range reaches 0, perhaps nobody "
        "has given all these answers."
    ) % {"number": number}
    if first is not None:
        changed = changed_questions(data, first)
        if not changed:
            yield _("Their order is that of both versions, which weigh each set by its parts as well.")
        yield _(
            "Single answers were fixed for both versions beforehand. Each version weighs as much as its list and its "
            "number of people tell, whatever was answered."
        )
        for question in changed:
            sentence = _(
                "“%(question)s” was changed after version %(first)s, so its figures are of version %(number)s alone."
            )
            text = data.version.parsed.entries[question]["text"][data.language(language)]
            yield sentence % {"question": text, "first": first.version.number, "number": number}


def explain_apart(first: SurveyVersion) -> str:
    """That no figure joins single answers of this first wave and of the second, and why."""
    return _(
        "Version %(number)s asked in another way, and not by one word of a list about the same answers. So no figure "
        "joins its single answers with those of the next version: each tells them by itself."
    ) % {"number": first.number}


def _is_tried(data: ReportData) -> bool:
    """Whether this is a rehearsal, whose number is none of the survey's versions."""
    return data.version.survey.rehearses_id is not None


def _true_share(data: ReportData, items: Sequence[str]) -> float | None:
    """The share of simulated people who really have all these answers; None of real ones."""
    if data.simulation is None:
        return None
    truth, _sent = data.simulation
    pattern = parse_pattern(",".join(items), data.version.design)
    return float(np.all([np.isin(truth[:, column], [*options]) for column, options in pattern.literals], axis=0).mean())


def changed_questions(data: ReportData, first: ReportData) -> list[str]:
    """The disguised questions that the first version asked in other words, in their order."""
    changed = questions_reworded(first.version.parsed.source, data.version.parsed.source)
    return [one.id for one in data.version.parsed.questions if one.sensitive and one.id in changed]


def _find(
    own: Records, earlier: Records | None, changed: Collection[str]
) -> tuple[Sequence[Itemset], Sequence[Itemset]]:
    """All itemsets, the likeliest first, and the single answers by both waves, but for `changed` items; these are
    empty if waves cannot be joined.
    """
    found = likeliest(own, _EVERY).itemsets
    if earlier is None:
        return found, ()
    alone = [one.items[0] for one in found if len(one.items) == 1 and _item_of(one.items[0]) not in changed]
    try:
        jointly = likeliest(own, _EVERY, first=earlier, both=alone).itemsets
    except InputError:  # the first version asked something else, or in another way
        return found, ()
    both = {one.items: one for one in jointly}  # the order of both waves is not that of changed questions
    return [both[one.items] for one in found] if changed else jointly, [one for one in jointly if one.both]


def _items_of(data: ReportData, questions: Collection[str]) -> set[str]:
    """The names of the items that the answers to these questions are."""
    asked = [(one, type_of(one).disguise) for one in data.version.parsed.questions if one.id in questions]
    return {name for question, disguise in asked if disguise for name, _values in disguise.items(question)}


def _item_of(literal: str) -> str:
    return literal.removeprefix("!").partition("=")[0]


def _records_in_disguise(records: Records) -> Records:
    there = ~records.direct
    return records if there.all() else Records(records.design, records.codes[there], records.direct[there])


def _share(one: Itemset) -> Share:
    """The share of a set or an answer; where it cannot be true with the others, the nearest one that can."""
    raw = Share(one.support, one.se, *one.ci)
    if one.fitted is None or one.fitted == one.support:
        return raw
    return FittedShare(one.fitted, one.se, *interval_of_shares(one.support, one.ci, one.fitted), raw)


def _figure(
    data: ReportData,
    name: str,
    title: str,
    found: Sequence[Itemset],
    words: VersionWords,
    first: ReportData | None = None,
) -> Figure:
    said = title % {"number": data.version.number, "first": first.version.number if first else ""}
    shares = list(map(_share, found))
    labels = [_(" and ").join(map(words.brief, one.items)) for one in found]
    rows: tuple[tuple[str, ...], ...] = tuple(
        (label, percent(share), interval(share), error(share)) for label, share in zip(labels, shares, strict=True)
    )
    head: tuple[str, ...] = (_("answers"), _("share"), _("95 % interval"), _("standard error"))
    truths = [_true_share(data, one.items) for one in found]
    if None not in truths:
        head = (*head, _("simulated truth"))
        rows = tuple((*row, percent_alone(one or 0.0)) for row, one in zip(rows, truths, strict=True))
    n, *more = [one.people(len(_records_in_disguise(one.for_patterns))) for one in (data, first) if one is not None]
    n = n + more[0] if more else n
    source = caption(describe_disguise(data.version, [one.id for one in data.version.design.items]), n)
    raw = tuple(share.raw_estimate.value for share in shares)
    drawn = shares[:MOST_DRAWN]
    top = end_of_axis(end for share in drawn for end in (share.value, share.high))
    picture = bars(said, list(map(bar, labels[:MOST_DRAWN], drawn)), top=top / 100)
    return Figure(name, said, join_sentences([source, say_end(top)]), picture, Table(head, rows, raw=raw))


def _parts(data: ReportData) -> list[ReportPart]:
    """The sets of answers that a second wave asked about."""

    def context() -> dict[str, object]:
        language = get_language() or "en"
        hashed = first_wave(data.version.parsed.source)
        earlier, first = None, data.version.survey.versions.filter(sha256=hashed).first()
        with suppress(EntryError):  # about one of which nothing may be reported
            earlier = data_of(first) if first else None
        drawn = figures(data, earlier, language)
        both = earlier if any(figure.name == "both" for figure in drawn) else None
        said = [*sentences(data, both, language)]
        if first and not tell_together(first.design, data.version.design):
            said.append(explain_apart(first))
        return {"figures": drawn, "loose": drawn, "sentences": said}

    return [ReportPart("second", _("Sets of answers"), "surveys/results/regression.html", context)]


PART = ReportingPart(parts=_parts)
