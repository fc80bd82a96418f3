"""Two arms in a questionnaire that is written: what they will find."""

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.reconstruct.arms import detectable
from surveys.domain.questionnaire.draft_part import DraftPart, Testable, say_kinds
from surveys.features.feature import Named


def _power(testable: Testable, _named: Named) -> str:
    return power(testable.design, testable.disguising)


def power(design: Design, respondents: int) -> str:
    bypass, noise = detectable(design, respondents)
    kinds = say_kinds(bypass, _("responses drawn at random, from %(percent)s %% on"), noise)
    if not kinds:
        return _("There are too few respondents for the two arms to find anything.")
    return _("In four of five surveys, the two arms find: %(found)s.") % {"found": kinds}


PART = DraftPart(has=lambda _document: False, entries=lambda _draft: {}, power=_power)
