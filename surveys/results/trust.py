"""How far the figures of a report can be trusted: forged responses, the traces they leave, what the crowd hides, and
where a lot drew who is asked directly, what the disguise changes; where there are two arms, whether they agree."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext as _

from privacy.design import ARM
from privacy.design.patterns import parse_pattern
from privacy.guarantee import epsilon, round_up
from privacy.guarantee.crowd import promise_of_crowd
from privacy.guarantee.forged import Forged, effects_of_forgery
from privacy.guarantee.forgery_tests import ANCHOR, ANSWERS, ASKED, LEVEL, TOGETHER, SeenAnswer, Trace, traces
from privacy.output import format_count
from privacy.reconstruct.arms import AnswerInArms, Arms, arms
from privacy.reconstruct.lot import Effect, Lot, lot
from surveys.definition import Definition
from surveys.displays import Table, percent_alone, percent_with_error, with_sign
from surveys.domain.exports.columns import columns_of
from surveys.domain.exports.sheet import is_apart
from surveys.domain.questionnaire.planned_tests import round_epsilon
from surveys.domain.questionnaire.promise import figure as upward
from surveys.features.anchor.draft import power as anchor_power
from surveys.features.arms.draft import power as arms_power
from surveys.features.lot.draft import power as lot_power
from surveys.results.reading import ReportData
from surveys.results.words import VersionWords, words_of
from surveys.sentences import colon
from surveys.shares import answers_to_tell, count_direct_answers

_shuffled = lru_cache(maxsize=256)(
    promise_of_crowd
)  # the slowest figure of a report, the same whatever people answered
MANY = 10  # forged responses that the table tells of
POINTS = 0.05


@dataclass(frozen=True)
class TrustTopic:
    """Some sentences under one heading, and perhaps a table; what is `grave` forbids to trust the figures."""

    heading: str
    sentences: tuple[str, ...]
    table: Table | None = None
    grave: bool = False


def topics(data: ReportData) -> list[TrustTopic]:
    """What a reader of the report should know about forged responses and about the crowd."""
    changed = [] if data.version.parsed.lot is None else [_lot(data, data.version.parsed.lot)]
    both = [_arms(data)] if data.version.design.arms else []
    return [*changed, *both, _forgeries(data), _traces(data), _crowd(data)]


def _arms(data: ReportData) -> TrustTopic:
    """Whether both arms, a weaker and a stronger disguise, give the same shares."""
    heading = _("Do both disguises give the same shares?")
    drawn = _("A random half of the devices disguised more. Honest devices give the same shares in both arms.")
    if data.answers is None:
        return TrustTopic(heading, (drawn, _("The arm of each response is reported after this version is closed.")))
    column = data.answers.column(ARM).map(str, "")
    tested = arms(replace(data.sealed, open_columns={ARM: column}), least=data.least)
    if not tested.answers:
        return TrustTopic(heading, (drawn, _("Too few answered in one of the arms for a comparison.")))
    shares = {"weaker": data.people(tested.n[0]), "stronger": data.people(tested.n[1])}
    said = [drawn, _("%(weaker)s drew the weaker one, %(stronger)s the stronger one.") % shares]
    if tested.drawn < LEVEL:
        said.append(
            _("Chance makes such uneven arms in few surveys (p = %(p)s): somebody may have chosen their arm.")
            % {"p": f"{tested.drawn:.2g}"}
        )
    said.append(_of_arms(tested))
    said.append(arms_power(data.version.design, sum(tested.n)))
    head = (
        _("answer"),
        _("weaker disguise"),
        _("stronger disguise"),
        _("difference in points"),
        _("corrected p"),
        _("both together"),
    )
    words = words_of(data.version, get_language() or "en")
    table = Table(head, tuple(_of_answer(one, words) for one in tested.answers))
    return TrustTopic(heading, tuple(said), table, grave=not tested.alike)


def _of_arms(tested: Arms) -> str:
    p = {"p": f"{tested.p:.2g}"}
    if tested.alike:
        return (
            _(
                "Together, the answers differ no more than chance explains (p = %(p)s). People who answer at random "
                "change both arms alike, so this test does not see them."
            )
            % p
        )
    return (
        _(
            "The arms give different shares (p = %(p)s): some devices do not disguise as agreed, or responses were "
            "forged. Do not trust figures of these answers."
        )
        % p
    )


def _of_answer(answer: AnswerInArms, words: VersionWords) -> tuple[str, ...]:
    return (
        words.short_entry(answer.answer),
        percent_alone(answer.weaker),
        percent_alone(answer.stronger),
        f"{with_sign(answer.difference)} ({with_sign(answer.ci[0])} … {with_sign(answer.ci[1])})",
        f"{answer.p:.2g}",
        " ".join(percent_with_error(answer.share, answer.share_se)),
    )


def _lot(data: ReportData, share: float) -> TrustTopic:
    """Whether people whom the lot asked directly give the same shares as those whose answers are disguised."""
    heading = _("Does the disguise change what people say?")
    drawn = _("Devices drew %(percent)s %% of respondents, who were asked to answer directly.") % {
        "percent": f"{100 * share:.3g}"
    }
    if data.answers is None:
        return TrustTopic(heading, (drawn, _("Direct answers are reported after this version is closed.")))
    tested = lot(data.for_single_answers, share, least=data.least) if len(data.for_single_answers) else None
    if tested is not None:  # of each group the table tells the share
        reportable = answers_to_tell(data.version.design, count_direct_answers(data.for_single_answers), data.least)
        tested = replace(tested, effects=tuple(each for each in tested.effects if each.kept.answer in reportable))
    if tested is None or not tested.effects:
        return TrustTopic(heading, (drawn, _("Too few answered directly, or disguised, for a comparison.")))
    words = words_of(data.version, get_language() or "en")
    sentences = [
        drawn,
        *_draw_sentences(tested),
        _effect(tested, words),
        lot_power(data.version.design, tested.n, share),
    ]
    head = (
        _("answer"),
        _("direct"),
        _("disguised"),
        _("difference in points, if all who were drawn answered directly"),
        _("corrected p"),
        _("effect in points, allowing for declining"),
        _("corrected p"),
    )
    return TrustTopic(
        heading, tuple(sentences), Table(head, tuple(_effect_cells(effect, words) for effect in tested.effects))
    )


def _draw_sentences(tested: Lot) -> list[str]:
    """How many of those who were drawn answered directly, as far as that can be known."""
    said = [
        _(
            "%(direct)s of %(n)s answered directly; the draw gives %(expected)s on average. Who was drawn is not "
            "stored. Of the people drawn, up to %(declined)s %% may have declined."
        )
        % {
            "direct": format_count(tested.direct),
            "n": format_count(tested.n),
            "expected": format_count(round(tested.share * tested.n)),
            "declined": math.ceil(100 * tested.declined),
        }
    ]
    if tested.p < LEVEL:
        said.append(
            _(
                "The draw gives this many in few surveys (p = %(p)s): some may have chosen to answer directly, or "
                "forged it."
            )
            % {"p": f"{tested.p:.2g}"}
        )
    return said


def _effect(tested: Lot, words: VersionWords) -> str:
    """The verdict: a difference that decliners cannot explain, one that they can, or none that is found."""
    if tested.changed:
        return _(
            "The disguise changes what people say on %(answers)s: the groups were drawn at random, and people who "
            "declined cannot explain the difference. Look at the groups separately."
        ) % {"answers": _(", ").join(tested.changed)}
    if tested.differing:
        return _(
            "The groups differ in %(answers)s. If everybody who was drawn answered directly, the disguise is the "
            "cause; people who declined could also explain it. Look at the groups separately."
        ) % {"answers": _("; ").join(f"“{words.short_entry(answer)}”" for answer in tested.differing)}
    return _(
        "No difference is found, which does not show that there is none: the intervals show how large it may be. If "
        "the disguise changes nothing, the combined estimator is right here, because the groups were drawn at random."
    )


def _effect_cells(effect: Effect, words: VersionWords) -> tuple[str, ...]:
    kept = effect.kept
    return (
        words.short_entry(kept.answer),
        percent_alone(kept.direct),
        percent_alone(kept.disguised),
        f"{with_sign(kept.direct - kept.disguised)} ({with_sign(kept.ci[0])} … {with_sign(kept.ci[1])})",
        f"{kept.corrected:.2g}",
        f"{with_sign(effect.ci[0])} … {with_sign(effect.ci[1])}",
        f"{effect.p:.2g}",
    )


def _forgeries(data: ReportData) -> TrustTopic:
    people = data.people(len(data.for_patterns))
    sure = people.at_least if people.exact else max(people.at_least, data.least)  # no figure of all rests on fewer
    moves = effects_of_forgery(data.version.design, max(sure, 1))
    if not moves:
        said = _(
            "Anybody with a link can send forged responses. This report does not show how far one moves a number or a "
            "place."
        )
        return TrustTopic(_("Forged responses"), (said,))
    if all(math.isinf(one.shift) for one in moves):
        said = _(
            "Anybody with a link can send forged responses. How far one moves a figure is not bounded beforehand: what "
            "people above the cap of the list lose is given back by what all responses show."
        )
        return TrustTopic(_("Forged responses"), (said,))
    said = _(
        "Anybody with a link can send forged responses. Each figure is a mean over %(n)s people, and one response "
        "moves it by no more than this table shows."
    ) % {"n": people}
    head = (
        _("answers in a figure"),
        _("one forged response moves it by"),
        _("%(count)s forged responses") % {"count": MANY},
        _("forged for %(points)s points") % {"points": round(100 * POINTS)},
    )
    return TrustTopic(_("Forged responses"), (said,), Table(head, tuple(_forgery_cells(one) for one in moves)))


def _forgery_cells(one: Forged) -> tuple[str, ...]:
    if not 0 < one.shift < math.inf:
        return str(one.length), "–", "–", "–"
    return (
        str(one.length),
        _points(one.shift),
        _points(MANY * one.shift),
        format_count(one.needed(POINTS)),
    )


def _points(shift: float) -> str:
    """Percentage points, rounded up."""
    return _("%(points)s points") % {"points": f"{round_up(100 * min(shift, 1.0), 2):f}"}


def _traces(data: ReportData) -> TrustTopic:
    anchor, words = _anchor(data), words_of(data.version, get_language() or "en")
    tests = traces(data.sealed, anchors=dict([anchor]) if anchor else None)
    head = (_("block"), _("looked at"), _("farthest off"), "p", _("corrected p"))
    rows = tuple(
        (str(test.block), _subject(test), _farthest(test, words), f"{test.p:.2g}", f"{test.corrected:.2g}")
        for test in tests.tests
    )
    if tests.departing:
        verdict = _(
            "The responses do not follow the design, whatever people answered: responses may be forged, or devices "
            "did not disguise. Do not trust figures of these answers."
        )
    elif not rows:
        verdict = _("Nothing was tested: there is no test for such responses.")
    else:
        verdict = _("The responses fit the design. Carefully forged responses leave no trace.")
    said = [verdict]
    for test in tests.tests:
        if test.of == ANCHOR and anchor:
            said.append(anchor_power(words.short_entry(anchor[0]), test.bypass, test.random))
    table = Table(head, rows, words=3) if rows else None
    return TrustTopic(_("Traces of forgeries"), tuple(said), table, grave=bool(tests.departing))


def _anchor(data: ReportData) -> tuple[str, float] | None:
    """The answer of known share, where enough people who answered disguised were asked it."""
    anchor, records = data.version.parsed.anchor, data.sealed
    if anchor is None:
        return None
    column = parse_pattern(anchor[0], records.design).columns[0]
    asked = records.codes[~records.direct, column] != records.design.not_asked
    return anchor if asked.sum() >= data.least else None


def _farthest(test: Trace, words: VersionWords) -> str:
    """What a test found farthest off, in the words of the questions."""
    off = test.off
    said = off.said.as_text(_) if off.said else "; ".join(_answer(one, words) for one in off.answers)
    if off.odd:
        said = _("an odd number of: %(answers)s") % {"answers": said}
    if off.shares:
        share, known = off.shares
        said += colon() + _("%(share)s where %(known)s is known") % {"share": f"{share:.3g}", "known": f"{known:g}"}
    return " / ".join(filter(None, (said, off.item and words.question(off.item))))


def _answer(answer: SeenAnswer, words: VersionWords) -> str:
    """An answer, or that it was not given, where it is one of several options."""
    if answer.given or answer.boolean:
        return words.short_entry(str(answer))
    return _("not: %(answer)s") % {"answer": words.short_entry(answer.literal)}


def _subject(test: Trace) -> str:
    return {
        ASKED: _("which questions were asked"),
        TOGETHER: _("answers by what else was asked"),
        ANSWERS: _("whether the disguise can give these answers"),
        ANCHOR: _("the answer of known share"),
    }[test.of]


def _crowd(data: ReportData) -> TrustTopic:
    """What hides among others; undisguised answers beside the disguised ones may single out a person, and whether they
    do would tell what people gave.
    """
    design = data.version.design
    people, alone = data.people(int((~data.sealed.direct).sum())), epsilon(design.gamma)
    beside = stands_beside(data.version.parsed)
    crowd = _shuffled(design, people.at_least) if people.at_least and not beside else None
    sentences = []
    if crowd is not None and crowd.epsilon < alone:
        sentences.append(
            _(
                "Somebody who sees the disguised answers of %(n)s people, and nothing that distinguishes them, learns "
                "about one of them at most what ε = %(crowd)s allows, but for a chance of one in a million. A record "
                "that can be singled out allows %(alone)s."
            )
            % {"n": people, "crowd": round_epsilon(crowd.epsilon), "alone": round_epsilon(alone)}
        )
    elif math.isinf(alone):
        sentences.append(
            _(
                "What the disguise of %(items)s does not protect, such as a place outside all zones, may be stored as "
                "it is. No crowd hides that, so the crowd adds no promise. The odds of what is protected grow at most "
                "by the factor %(odds)s."
            )
            % {
                "items": _(", ").join(
                    item.id for block in design.blocks if math.isinf(block.gamma) for item in block.items
                ),
                "odds": upward(design.odds),
            }
        )
    elif beside:
        sentences.append(
            _(
                "Undisguised answers (%(columns)s) are stored beside the disguised ones, and may distinguish a person "
                "from all others. So the promise is that of one record, ε = %(alone)s."
            )
            % {"columns": _(", ").join(beside), "alone": round_epsilon(alone)}
        )
    else:
        sentences.append(
            _("So few people hide nobody: the promise is that of one record, ε = %(alone)s.")
            % {"alone": round_epsilon(alone)}
        )
    sentences.append(
        _(
            "This holds for somebody who looks once. Somebody who also looked before the closing can compare both, "
            "and very few disguised answers may lie between. Then only the promise of one record holds."
        )
    )
    return TrustTopic(_("What the crowd hides"), tuple(sentences))


def stands_beside(definition: Definition) -> tuple[str, ...]:
    """The undisguised questions whose answers stand beside the disguised ones in files."""
    columns = [
        each for each in columns_of(definition) if each.of and (definition.keeps_texts_in_records or not is_apart(each))
    ]
    return tuple(dict.fromkeys(column.question for column in columns))


def context(data: ReportData) -> dict[str, Any]:
    return {"topics": topics(data), "figures": []}
