"""Who follows a draw of their own, in reports: shares of those who do, with what all pressed beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import get_language, gettext as _

from privacy.choices import PERSON
from privacy.design import Design
from privacy.draws.person_draw import LOOK
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.careless import careless_of_sample
from privacy.reconstruct.careless_report import Careless
from surveys.features.careless import NEARLY, anchors, by_person, figures
from surveys.percent import percent_alone
from surveys.results.reading import ReportData
from surveys.results.report_part import ReportingPart
from surveys.results.sections import ReportPart
from surveys.results.tables import check_enough
from surveys.shares import LEVEL


def _known(source: Mapping[str, object], design: Design) -> Mapping[str, object]:
    """The answers of which the share is known: two, where both are drawn for, or the one that nobody affirms."""
    two = anchors(source)
    if by_person(design, two):
        return two
    own = source.get("own")
    never = own.get("never") if isinstance(own, dict) else None
    return {never: (0.0, NEARLY)} if never else {}


def _followers(data: ReportData, known: Mapping[str, object]) -> Careless:
    """Estimate who does not follow, and correct all answers that people draw for as the evidence allows."""
    records, answers = data.for_patterns, data.answers
    draws = {item.id: block.draw for block in records.design.blocks for item in block.items if block.draw}
    looked = answers is not None and all(draws[name].way.look for name in known)
    if answers is not None and looked:
        records = replace(records, open_columns={LOOK: answers.column(LOOK).map(str, "")})
    asked = [name for name, draw in draws.items() if name not in known and draw.way.look == (looked or draw.way.look)]
    check_enough(data, records, [*asked[:1], *known])
    sampling = data.sampling or Sampling.simple(len(records))
    look = LOOK if looked else None
    return careless_of_sample(records, asked, known, sampling, look=look, disguiser=PERSON, level=LEVEL)


def _sentences(found: Careless) -> Iterator[str]:
    share, following = found.share, found.following
    if share is None:
        yield _(
            "One question that nobody affirms cannot tell how many do not follow the draw: it may be %(low)s to "
            "%(high)s. So nothing is corrected; shares of those who follow lie between the ends shown."
        ) % {"low": percent_alone(found.share_ci[0]), "high": percent_alone(found.share_ci[1])}
    else:
        yield _("%(share)s of these people did not follow the draw (%(low)s to %(high)s).") % dict(
            zip(("share", "low", "high"), map(percent_alone, (share, *found.share_ci)), strict=True)
        )
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


def _parts(data: ReportData) -> list[ReportPart]:
    def context() -> dict[str, object]:
        known = _known(data.version.parsed.source, data.version.design)
        if not known:
            sentence = _("No question here shows who follows the draw, so figures are as pressed by all.")
            return {"figures": [], "loose": [], "sentences": [sentence]}
        try:
            found = _followers(data, known)
        except InputError:
            sentence = _("Of too few people, or of too contradictory answers, nobody can tell who followed the draw.")
            return {"figures": [], "loose": [], "sentences": [sentence]}
        drawn = figures.of_followers(data, found, get_language() or "en")
        return {"figures": [drawn], "loose": [drawn], "sentences": [*_sentences(found)]}

    return [ReportPart("followers", _("Who followed the draw"), "surveys/results/regression.html", context)]


def _own(source: Mapping[str, object]) -> list[str]:
    never = source["own"].get("never") if isinstance(source["own"], dict) else None
    return [never] if never else []


PART = ReportingPart(parts=_parts, own=lambda definition: _own(definition.source))
