"""What people say who read the questions, beside what everybody answered: by the two questions that tell them apart.

Shares, tables, weighted shares and rules have such figures where their answers are like those of the two questions. Of
other figures the caption says that they are of all who answered.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, nan

from django.utils.translation import gettext as _

from privacy.arrays import Bools
from privacy.choices import DEVICE, PERSON
from privacy.draw.bars import bars
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.anchors import corrected, read_anchors
from privacy.reconstruct.association import OpenAnswer
from privacy.reconstruct.careless import careless_of_sample
from privacy.reconstruct.careless_report import AttentiveFigure, Careless
from privacy.records import Records
from surveys.definition import Definition
from surveys.displays import Table
from surveys.features.careless import anchors, by_person, items_of
from surveys.percent import NO_FIGURE, Share, bar, error, interval, percent, percent_alone
from surveys.results.figures import Figure, caption, describe_disguise
from surveys.results.reading import ReportData
from surveys.results.tables import Variable, check_enough, open_codes
from surveys.results.words import words_of
from surveys.sentences import join_sentences
from surveys.shares import LEVEL

EVERYBODY: Mapping[str, Bools | None] = {"": None}


def correct(data: ReportData) -> Careless:
    """Estimate who answered without reading, and correct all answers for them of which enough people were asked."""
    return _correct(data, data.for_patterns, _corrected(data))


def figure(data: ReportData, found: Careless, language: str) -> Figure:
    """Draw each corrected answer twice: of all who answered, and of those who read."""
    return _figure(data, [("", one) for one in found.figures], language)


def of_shares(data: ReportData, drawings: Sequence[Figure], language: str) -> list[Figure]:
    """The figures, and then a figure of the corrected answers of those who read."""
    return _beside(data, data.for_patterns, drawings, _corrected(data), language)


def of_rules(data: ReportData, rules: Sequence[str], language: str) -> tuple[list[Figure], list[str]]:
    """The figures of each rule's confidence among those who read, or the sentence that nobody can tell."""
    said = _("These are rules as they were found: not pulled for luck, with some among them that may not be trusted.")
    found = _beside(data, data.for_patterns, [], rules, language)
    drawn = [replace(one, caption=join_sentences([one.caption, said])) for one in found]
    return drawn, [] if drawn else [cannot_tell()]


def of_pattern(data: ReportData, text: str) -> Share | None:
    """The share of those who read that match a pattern; None where nothing tells it, or too few were asked."""
    with suppress(InputError):
        return _attentive(_correct(data, data.for_patterns, [text]).figures[0])
    return None


def of_table(data: ReportData, drawing: Figure, chosen: Sequence[Variable], language: str) -> list[Figure]:
    """A table's figure, and one of its first answer among those who read: of all, and by the other answers."""
    literals = {text.partition("=")[0]: text for text in _corrected(data)}
    answer, *given = (literals.get(each.axis.name, "") for each in chosen if each.sensitive)
    texts = [answer, *([f"{','.join(given)} => {answer}"] if given else [])] if all((answer, *given)) else []
    open_one = next((each for each in chosen if not each.sensitive), None)
    if open_one is None:
        return _beside(data, data.for_patterns, [drawing], texts, language)
    codes, labels = open_codes(data, open_one)
    groups = {label: codes == place for place, label in enumerate(labels)}
    beside = [OpenAnswer(open_one.axis.name, len(labels), codes)]
    return _beside(data, data.without_direct, [drawing], texts, language, groups, beside)


def of_all_alone(data: ReportData, drawing: Figure) -> list[Figure]:
    """The figure of all; its caption says that nobody can tell who read, where other figures are of those who did."""
    return _beside(data, data.for_patterns, [drawing], [], "")


def cannot_tell() -> str:
    """The sentence about figures that are of all, where others are of those who read."""
    return _("These figures are of all who answered: nobody can tell here who of them read the questions.")


def _beside(
    data: ReportData,
    records: Records,
    drawings: Sequence[Figure],
    texts: Sequence[str],
    language: str,
    groups: Mapping[str, Bools | None] = EVERYBODY,
    beside: Sequence[OpenAnswer] = (),
) -> list[Figure]:
    """The figures, then one of these patterns among those who read; or the figures with a note that there is none."""
    found = []
    for text in texts:
        with suppress(InputError):  # of too few people, of other answers, or of hardly anybody who reads
            found += [
                (label, _correct(data, records, [text], among, beside).figures[0]) for label, among in groups.items()
            ]
    if found:
        return [*drawings, _figure(data, found, language)]
    return [replace(one, caption=join_sentences([one.caption, cannot_tell()])) for one in drawings]


def _corrected(data: ReportData) -> list[str]:
    """The answers, as patterns, that the two questions correct and of which enough people were asked."""
    records, able, known = data.for_patterns, [], anchors(data.version.parsed.source)
    drawn = by_person(records.design, known)
    for answer in corrected(records.design, read_anchors(records.design, known)):
        if by_person(records.design, [answer]) != drawn:  # people press otherwise where a device disguises
            continue
        with suppress(InputError):
            check_enough(data, records, items_of(answer))
            able.append(answer)
    return able


def _correct(
    data: ReportData,
    records: Records,
    texts: Sequence[str],
    among: Bools | None = None,
    beside: Sequence[OpenAnswer] = (),
) -> Careless:
    """Estimate who answered without reading, and correct these patterns for them; refused for too few people."""
    known = anchors(data.version.parsed.source)
    disguiser = PERSON if by_person(records.design, known) else DEVICE
    for items in ([item for answer in known for item in items_of(answer)], *map(items_of, texts)):
        check_enough(data, records, items, beside)
    sampling = data.sampling or Sampling.simple(len(records))
    return careless_of_sample(records, texts, known, sampling, among, level=LEVEL, disguiser=disguiser)


def of_followers(data: ReportData, found: Careless, language: str) -> Figure:
    """Draw each answer that people drew for themselves twice: of those who follow the draw, then as pressed by all."""
    return _figure(data, [("", one) for one in found.figures], language, _("Of people who follow the draw"))


def _figure(
    data: ReportData, found: Sequence[tuple[str, AttentiveFigure]], language: str, of_whom_drawn: str = ""
) -> Figure:
    title = of_whom_drawn or _("Of people who read the questions")
    widths = standard_errors(LEVEL, float(data.sampling.freedom) if data.sampling else inf)
    words = words_of(data.version, language)
    rows, drawn = [], []
    for group, one in found:
        reach = widths * one.answered_se
        sides = [side.split(",") for side in one.figure.split("=>")]
        named = " → ".join("; ".join(words.brief(literal.strip()) for literal in side) for side in sides)
        answer = " · ".join(filter(None, (group, named)))
        of_all = Share(one.answered, one.answered_se, one.answered - reach, one.answered + reach)
        of_whom = (
            (_("all with the first answer"), _("those with it who read"))
            if "=>" in one.figure
            else (_("all"), _("those who read"))
        )
        twice = [(of_whom[0], of_all)]
        if one.attentive is not None:
            twice.append((of_whom[1], _attentive(one)))
        if of_whom_drawn:  # what is corrected comes first
            twice = [(_("those who follow the draw"), share) for _all, share in twice[1:]]
            twice.append((_("as pressed by all"), of_all))
        if one.between is not None:
            ends = " – ".join(map(percent_alone, one.between))
            rows.append((answer, _("those who follow the draw"), ends, interval(_middle(one)), NO_FIGURE))
        for place, (which, share) in enumerate(twice):
            rows.append((answer, which, percent(share), interval(share), error(share)))
            drawn.append(bar(which, share, heading="" if place else answer))
    head = (_("answer"), _("of whom"), _("share"), _("95 % interval"), _("standard error"))
    items = dict.fromkeys(item for _group, one in found for item in items_of(one.figure))
    people = sorted({one.n for _group, one in found})
    least, most = data.people(people[0]), data.people(people[-1])  # of each row, where there are groups
    n = least if least == most else f"{least}–{most}"
    disguise = describe_disguise(data.version, [*items])
    source = caption(disguise, n, drawn=data.drawn, weighed=bool(data.drawn))
    return Figure("attentive", title, source, bars(title, drawn), Table(head, tuple(rows), words=2))


def _attentive(one: AttentiveFigure) -> Share:
    """The share of those who read, with its error; two questions always give one."""
    assert one.attentive is not None
    assert one.se is not None
    return Share(one.attentive, one.se, *one.ci)


def _middle(one: AttentiveFigure) -> Share:
    """The interval around bounds, which one question alone gives."""
    return Share(sum(one.between or one.ci) / 2, nan, *one.ci)


def in_one_order(definition: Definition) -> bool:
    """Whether everybody got the two questions and those beside them in one order: nobody can tell then who presses in
    turn."""
    names = {*anchors(definition.source)}
    asked = [{question["id"] for question in page["questions"]} for page in definition.source["pages"]]
    mixed = [own for own, page in zip(asked, definition.source["pages"], strict=True) if page.get("shuffle")]
    return not any(names <= own for own in mixed)


def sentences(found: Careless, *, one_order: bool) -> Iterator[str]:
    """How many answered without reading, what they pressed, and what is assumed of them."""
    if found.share:
        shares = (found.share, *found.share_ci, found.rate)
        yield _(
            "%(share)s of these people answered without reading (%(low)s to %(high)s), and said yes to %(rate)s of the "
            "questions."
        ) % dict(zip(("share", "low", "high", "rate"), map(percent_alone, shares), strict=True))
    else:
        yield _("The two questions find nobody who answered without reading; it may be up to %(high)s.") % {
            "high": percent_alone(found.share_ci[1])
        }
    yield _(
        "Every share is shown twice: of all who answered, and of those who read. What the others are really like is "
        "unknown."
    )
    yield _(
        "Assumed: somebody who does not read tells no question from another, and answers by a rate of their own or by "
        "one button; and of those who read, at most 1 in 100 answers either of the two questions otherwise than "
        "everybody."
    )
    if one_order:
        yield _(
            "These questions came in one order for everybody. So nobody can tell how many pressed yes and no in turn; "
            "where some did, shares of those who read may be wrong."
        )
    if found.fits is False:
        yield _(
            "The answers contradict that: people who do not read seem to answer the two questions otherwise than the "
            "rest. Intervals of shares are wider for it, but tables and rules may be wrong."
        )
