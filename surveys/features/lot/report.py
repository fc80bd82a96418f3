"""A lot in reports: whether the disguise changes what people say."""

import math
from dataclasses import replace

from django.utils.translation import get_language, gettext as _

from privacy.output import format_count
from privacy.reconstruct.group_difference import LEVEL
from privacy.reconstruct.lot import Effect, Lot, lot
from surveys.displays import Table
from surveys.domain.questionnaire.planned_tests import power_of_draw
from surveys.features.lot import asked_directly
from surveys.percent import percent_alone, with_sign, with_signs
from surveys.results.reading import ReportData
from surveys.results.sections import ReportingPart, TrustTopic
from surveys.results.words import VersionWords, words_of
from surveys.shares import answers_to_tell, count_direct_answers


def _topic(data: ReportData, share: float) -> TrustTopic:
    """Whether people whom the lot asked directly give the same shares as those whose answers are disguised."""
    heading = _("Does the disguise change what people say?")
    drawn = _("Devices drew %(percent)s %% of respondents (random assignment) for direct questioning.") % {
        "percent": f"{100 * share:.3g}"
    }
    if not data.settled:
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
        power_of_draw(data.version.design, tested.n, share),
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
    differs = tested.changed or tested.differing
    return TrustTopic(
        heading,
        tuple(sentences),
        Table(head, tuple(_effect_cells(effect, words) for effect in tested.effects)),
        finding=_("the groups differ") if differs else _("no difference is found"),
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
        f"{with_sign(kept.direct - kept.disguised)} ({with_signs(kept.ci)})",
        f"{kept.corrected:.2g}",
        with_signs(effect.ci),
        f"{effect.p:.2g}",
    )


PART = ReportingPart(topics=lambda data: [_topic(data, asked_directly(data.version.parsed.source) or 0.0)])
