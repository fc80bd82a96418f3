"""What "prefer not to say" costs, beside its tick: in people or points, and how sure anyone may become with it."""

from django.utils.translation import gettext as _

from privacy.design.gammas import Gamma
from privacy.errors import InputError
from privacy.guarantee import posterior_bound
from privacy.plan.rivals import say_change
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import is_proposed
from surveys.domain.drafts.row_changes import has_skip, may_skip
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Document, questions, sensitive
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.promise import PRIOR, percent
from surveys.models import Survey
from surveys.studio.alternatives import skipping

ALIKE = 1.02  # odds that differ by less are the same promise


def price_of(survey: Survey, document: Document, name: str) -> str:
    """The price of the tick at this sensitive question; empty while there is no design.

    Under a proposal the promise stays and figures become less exact: that price is of all such questions together,
    since one alone hides it. In blocks made by hand somebody may become surer.
    """
    ways = skipping(survey, document)
    skips = {one["id"]: has_skip(one) for one in questions(document) if may_skip(one)}
    if ways is None or name not in skips or name not in sensitive(document):
        return ""
    surer = "" if is_proposed(document) else _surer(survey, document, name, skips[name])
    with_it, without = ways
    return ". ".join(filter(None, [surer, say_change(without, with_it).as_text(_)]))


def _surer(survey: Survey, document: Document, name: str, skips: bool) -> str:
    """How much surer somebody may become; empty where the promise is the same."""
    now = _odds(survey, document)
    try:
        other = _odds(survey, apply(survey, document, {"do": "skip", "question": name, "value": not skips}))
    except InputError:
        return ""
    if now is None or other is None:
        return ""
    without, with_it = (other, now) if skips else (now, other)
    if with_it <= without * ALIKE:
        return ""
    return _("somebody may become %(with_it)s %% sure instead of %(without)s %%") % {
        "with_it": _sure(with_it),
        "without": _sure(without),
    }


def _sure(odds: Gamma) -> str:
    """Return in percent how sure somebody can become who began with the prior."""
    return percent(posterior_bound(PRIOR, odds))


def _odds(survey: Survey, document: Document) -> Gamma | None:
    """The odds of the whole design of a draft; None while it has no design."""
    try:
        return compose_design(Draft.from_document(survey, document)).odds
    except InputError:
        return None
