"""Who follows a draw of their own, in reports: shares of those who do, with what all pressed beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from django.utils.translation import get_language, gettext as _

from privacy.choices import PERSON
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.own_draw.person_draw import LOOK
from privacy.reconstruct.careless import careless_of_sample
from privacy.reconstruct.careless_report import Careless
from surveys.features.careless import NEARLY, anchors, by_person, figures
from surveys.features.own import controls
from surveys.percent import percent_alone, possible_ends
from surveys.results.reading import ReportData
from surveys.results.sections import ReportingPart, ReportPart
from surveys.results.tables import check_enough
from surveys.shares import LEVEL, estimate_share


def _known(source: Mapping[str, object], design: Design) -> Mapping[str, object]:
    """The answers of which the share is known: two, where both are drawn for, or the one that nobody affirms."""
    two = anchors(source)
    if by_person(design, two):
        return two
    own = source.get("own")
    never = own.get("never") if isinstance(own, dict) else None
    return {never: (0.0, NEARLY)} if never else {}


def _followers(data: ReportData, known: Mapping[str, object]) -> tuple[Careless, Careless | None]:
    """Estimate who does not follow, and correct all answers that people draw for as the evidence allows.

    Controls, where they are asked and may be read, come first; second is what a question that is never true tells.
    """
    records, answers = data.for_patterns, data.answers
    draws = {item.id: block.draw for block in records.design.blocks for item in block.items if block.draw}
    looks = [draws[name].way.look for name in known] or [draw.way.look for draw in draws.values()]
    looked = answers is not None and all(looks)
    if answers is not None and looked:
        records = replace(records, open_columns={LOOK: answers.column(LOOK).map(str, "")})
    asked = [name for name, draw in draws.items() if name not in known and draw.way.look == (looked or draw.way.look)]
    check_enough(data, records, [*asked[:1], *known])
    sampling = data.sampling or Sampling.simple(len(records))
    look = LOOK if looked else None
    found = (
        careless_of_sample(records, asked, known, sampling, look=look, disguiser=PERSON, level=LEVEL) if known else None
    )
    columns = _columns_of_controls(data)
    if not columns:
        if found is None:
            raise InputError("Controls are read once the survey is closed, where enough people gave each answer.")
        return found, found
    records = replace(records, open_columns={**records.open_columns, **columns})
    right = controls(data.version.parsed.source)
    by_controls = careless_of_sample(
        records, asked, None, sampling, controls=right, look=look, disguiser=PERSON, level=LEVEL, apart=True
    )
    return by_controls, found


def _columns_of_controls(data: ReportData) -> dict[str, np.ndarray]:
    """The answers to both controls, as far as each person's may be read by itself; else nothing."""
    names, answers = controls(data.version.parsed.source), data.answers
    columns = {name: np.asarray(answers.column(name).map(str, "")) for name in names} if answers else {}
    if any(not {*column.tolist()} <= {"0", "1", ""} for column in columns.values()):  # classes, as one answer is rare
        return {}
    return {name: np.where(column == "", np.nan, column == "1").astype(float) for name, column in columns.items()}


def _sentences(found: Careless, beside: Careless | None) -> Iterator[str]:
    share, following = found.share, beside.following if beside else None
    if share is None:
        yield _(
            "One question that nobody affirms cannot tell how many do not follow the draw: it may be %(low)s to "
            "%(high)s. So nothing is corrected; shares of those who follow lie between the ends shown."
        ) % {"low": percent_alone(found.share_ci[0]), "high": percent_alone(found.share_ci[1])}
    else:
        yield _("%(share)s of these people did not follow the draw (%(low)s to %(high)s).") % dict(
            zip(("share", "low", "high"), map(percent_alone, (share, *found.share_ci)), strict=True)
        )
    if beside is not None and beside is not found and beside.share is not None:
        yield _(
            "That is by two controls. By the question that is never true it is %(share)s (%(low)s to %(high)s): where "
            "it is more, people fail at the draw, not at reading."
        ) % dict(zip(("share", "low", "high"), map(percent_alone, (beside.share, *beside.share_ci)), strict=True))
    if following is not None and following.most is not None:
        yield _(
            "Of people who did not do something, at most %(most)s look as if they had. A share below that proves "
            "nothing, and neither does a difference."
        ) % {"most": percent_alone(following.most)}
    yield _(
        "Nothing finds people concerned who press the other button to hide. Read the low end of a share as “at least”."
    )
    yield _(
        "Assumed: who does not follow presses what they like, by one rate for all these questions, and at most 1 in "
        "100 of the others affirms what nobody does."
    )


def _warn(design: Design) -> list[str]:
    """What a report begins with where a draw that was published may be turned round; such draws are refused today."""
    if not any(block.draw and block.draw.may_turn(len(block.items)) for block in design.blocks):
        return []
    return [
        _("The chances of a draw here may be off so far that every answer means its opposite. Trust no figure of it.")
    ]


def _alarm(data: ReportData) -> str:
    """The question that is never true is no result: where people affirm it, they did not follow their draw."""
    for name in _own(data.version.parsed.source):
        pattern = parse_pattern(name, data.sealed.design)
        share = estimate_share(data.for_single_answers, pattern, data.least, data.least_alone).all
        if share is not None and (low := possible_ends(share)[0]) > NEARLY:
            texts = data.version.parsed.entries[name]["text"]
            return _(
                "Do not trust these figures: people did not follow their draw. “%(question)s” is true of nobody, but "
                "of %(share)s it seems true, of %(low)s at least."
            ) % {
                "question": texts[data.language(get_language())],
                "share": percent_alone(share.value),
                "low": percent_alone(low),
            }
    return ""


def _parts(data: ReportData) -> list[ReportPart]:
    warned = _warn(data.version.design)

    def context() -> dict[str, object]:
        known = _known(data.version.parsed.source, data.version.design)
        if not known and not controls(data.version.parsed.source):
            sentence = _("No question here shows who follows the draw, so figures are as pressed by all.")
            return {"figures": [], "loose": [], "sentences": [*warned, sentence]}
        try:
            found, beside = _followers(data, known)
        except InputError:
            sentence = (
                _("People did not follow their draw, and answers are too few or too contradictory to correct any.")
                if _alarm(data)
                else _("Of too few people, or of too contradictory answers, nobody can tell who followed the draw.")
            )
            return {"figures": [], "loose": [], "sentences": [*warned, sentence]}
        drawn = figures.of_followers(data, found, get_language() or "en")
        return {"figures": [drawn], "loose": [drawn], "sentences": [*warned, *_sentences(found, beside)]}

    return [ReportPart("followers", _("Who followed the draw"), "surveys/results/regression.html", context)]


def _own(source: Mapping[str, object]) -> list[str]:
    never = source["own"].get("never") if isinstance(source["own"], dict) else None
    return [never] if never else []


PART = ReportingPart(parts=_parts, alarm=_alarm, own=lambda definition: _own(definition.source))
