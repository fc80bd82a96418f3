"""Did people and devices follow the design? The one sentence of a report, its tests, and figures of those who did.

Single answers have such figures where they are like those of the pair of questions. Of others, of tables, weighted
shares and rules, the caption says that they are of all who answered.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf

from django.utils.translation import get_language, gettext as _

from privacy.design import Design
from privacy.draw.bars import bars
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.estimate.sampling import Sampling
from privacy.following.careless import ASSUMED, AttentiveFigure, Careless, follow_by_pair
from privacy.following.pair import Task, corrected, read_anchors
from privacy.following.records_alone import ANSWERS, ASKED, KNOWN, LISTS, tests_of_fit
from privacy.own_draw.person_draw import LOOK
from surveys.definition import Definition
from surveys.displays import Table
from surveys.features.careless import NEARLY, anchors, items_of, known_questions, who_disguises
from surveys.percent import Share, bar, error, interval, percent
from surveys.results.figures import Figure, caption, describe_disguise
from surveys.results.reading import ReportData
from surveys.results.sections import ReportPart, TrustTopic
from surveys.results.tables import check_enough
from surveys.results.words import words_of
from surveys.sentences import join_sentences
from surveys.shares import LEVEL


def has_pair(definition: Definition) -> bool:
    return "careless" in definition.source


def known_literals(definition: Definition) -> list[str]:
    """The answers that everybody who follows gives alike, or nobody: no result, and no part of any rule."""
    known = anchors(definition.source)
    return [literal for literal in known if literal.partition("=")[0] in known_questions(definition.source)]


def judge_following(data: ReportData) -> Careless:
    """Whether people and devices followed the design: everything that a report says of it."""
    if "followed" not in data.memory:
        data.memory["followed"] = _follow(data)
    found: Careless = data.memory["followed"]
    return found


def _follow(data: ReportData) -> Careless:
    known, design, records = anchors(data.version.parsed.source), data.version.design, data.sealed
    pair = has_pair(data.version.parsed)
    found = Careless(data.n, "stratified", who_disguises(design, known), LEVEL, asked=pair)
    if pair:
        with suppress(InputError):
            found = _correct(data, _corrected(data))
    if data.answers is not None and any(block.draw and block.draw.way.look for block in design.blocks):
        records = replace(records, open_columns={LOOK: data.answers.column(LOOK).map(str, "")})
    unpaired = read_anchors(design, known) if known and not pair else []
    asked = (records.codes[~records.direct] != design.not_asked).sum(axis=0)
    tested = [anchor for anchor in unpaired if asked[anchor.column] >= data.least]
    return replace(found, tests=tests_of_fit(records, [(anchor.pattern, *anchor.known) for anchor in tested]))


def sentence(data: ReportData) -> str:
    return judge_following(data).sentence.as_text(_)


def alarms(data: ReportData) -> list[str]:
    """What is said first, on every page of figures that are not to be trusted without it."""
    found = judge_following(data)
    is_low = found.share_ci is None or found.share_ci[0] <= NEARLY
    return [*_warn_of_turned(data.version.design), *([] if is_low and not found.is_grave else [sentence(data)])]


def _warn_of_turned(design: Design) -> list[str]:
    """The warning where a draw that was published may be turned round; such draws are refused today."""
    if not any(block.draw and block.draw.may_turn(len(block.items)) for block in design.blocks):
        return []
    return [
        _("The chances of a draw here may be off so far that every answer means its opposite. Trust no figure of it.")
    ]


def topic(data: ReportData) -> TrustTopic:
    """The sentence, with what records alone tell."""
    found, said = judge_following(data), sentence(data)
    head = (_("block"), _("looked at"), _("farthest off"), "p", _("corrected p"))
    looked_at = {
        ASKED: _("which questions were asked"),
        ANSWERS: _("whether the disguise can give these answers"),
        KNOWN: _("the answer of known share"),
        LISTS: _("whether both lists give the same share"),
    }
    rows = tuple(
        (str(test.block), looked_at[test.of], test.at, f"{test.p:.2g}", f"{test.corrected:.2g}") for test in found.tests
    )
    table = Table(head, rows, words=3) if rows else None
    sentences = (said,) if found.is_grave else ()
    return TrustTopic(_("Whether people and devices followed the design"), sentences, table, found.is_grave, said)


def parts(data: ReportData) -> list[ReportPart]:
    """The part with figures of those who follow; it says the sentence alone where nothing can be corrected."""
    if not has_pair(data.version.parsed):
        return []

    def context() -> dict[str, object]:
        found = judge_following(data)
        drawn = [] if found.is_grave or not found.figures else [_figure(data, found, get_language() or "en")]
        said = [sentence(data), *(_explain(data.version.parsed) if drawn else ())]
        return {"figures": drawn, "loose": drawn, "sentences": said}

    return [ReportPart("attentive", _("Who followed the design"), "surveys/results/regression.html", context)]


def _explain(definition: Definition) -> Iterator[str]:
    yield _(
        "Every share is shown twice: of all who answered, and of those who follow the design. What the others are "
        "really like is unknown."
    )
    yield _("Nothing finds people who hide by pressing the other button: read the low end of a share as “at least”.")
    yield _(ASSUMED)
    pair, pages = {*known_questions(definition.source)}, definition.source["pages"]
    if not any(page.get("shuffle") and pair <= {question["id"] for question in page["questions"]} for page in pages):
        yield _(
            "These questions came in one order for everybody. So nobody can tell how many pressed yes and no in turn; "
            "where some did, corrected shares may be wrong."
        )


def of_pattern(data: ReportData, text: str) -> Share | None:
    """The share of those who follow that match a pattern; None where nothing tells it, or too few were asked."""
    if has_pair(data.version.parsed) and not judge_following(data).is_grave:
        with suppress(InputError):
            return next(map(_attentive, _correct(data, [text]).figures), None)
    return None


def of_all(data: ReportData, drawings: Sequence[Figure]) -> list[Figure]:
    """Figures that are not corrected; their captions say so where others are."""
    said = say_of_all(data.version.parsed)
    return [replace(drawing, caption=join_sentences([drawing.caption, *said])) for drawing in drawings]


def say_of_all(definition: Definition) -> list[str]:
    said = _("These figures are of all who answered, whether or not they followed the design.")
    return [said] if has_pair(definition) else []


def _corrected(data: ReportData) -> list[str]:
    """The answers, as patterns, that the pair corrects and of which enough people were asked."""
    records, able, known = data.for_patterns, [], anchors(data.version.parsed.source)
    disguiser = who_disguises(records.design, known)
    for answer in corrected(records.design, read_anchors(records.design, known)):
        if who_disguises(records.design, [answer]) == disguiser:  # people press otherwise where a device disguises
            with suppress(InputError):
                check_enough(data, records, items_of(answer))
                able.append(answer)
    return able


def _correct(data: ReportData, texts: Sequence[str]) -> Careless:
    """Estimate who follows, and correct these patterns; refused for too few people."""
    known, records = anchors(data.version.parsed.source), data.for_patterns
    for items in ([item for answer in known for item in items_of(answer)], *map(items_of, texts)):
        check_enough(data, records, items)
    sampling, disguiser = data.sampling or Sampling.simple(len(records)), who_disguises(records.design, known)
    task = Task(records, sampling, disguiser=disguiser)
    return follow_by_pair(task, read_anchors(records.design, known), texts, LEVEL)


def _figure(data: ReportData, found: Careless, language: str) -> Figure:
    """Each answer twice: of all, and of those who follow."""
    title, words = _("Of people who followed the design"), words_of(data.version, language)
    widths = standard_errors(LEVEL, float(data.sampling.freedom) if data.sampling else inf)
    rows, drawn = [], []
    for figure in found.figures:
        answer, reach = words.brief(figure.figure), widths * figure.answered_se
        everybody = Share(figure.answered, figure.answered_se, figure.answered - reach, figure.answered + reach)
        for index, (of_whom, share) in enumerate(((_("all"), everybody), (_("those who follow"), _attentive(figure)))):
            rows.append((answer, of_whom, percent(share), interval(share), error(share)))
            drawn.append(bar(of_whom, share, heading="" if index else answer))
    head = (_("answer"), _("of whom"), _("share"), _("confidence interval (95 %)"), _("standard error"))
    items = [item for figure in found.figures for item in items_of(figure.figure)]
    least, most = (data.people(end(figure.n for figure in found.figures)) for end in (min, max))
    n = least if least == most else f"{least}–{most}"
    disguise = describe_disguise(data.version, items)
    source, table = caption(disguise, n, drawn=data.drawn, weighed=bool(data.drawn)), Table(head, tuple(rows), words=2)
    return Figure("attentive", title, source, bars(title, drawn), table, disguise=disguise)


def _attentive(figure: AttentiveFigure) -> Share:
    return Share(figure.attentive, figure.se, *figure.ci)
