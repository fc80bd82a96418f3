"""What "prefer not to say" costs, beside its tick: in people or points, and how sure anyone may become with it."""

from django.utils.translation import gettext as _

from privacy.errors import InputError
from privacy.plan.rivals import say_change
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import is_proposed, promise_of
from surveys.domain.drafts.row_changes import has_skip, may_skip
from surveys.domain.questionnaire.document import Document, questions, sensitive
from surveys.models import Survey
from surveys.studio.alternatives import skipping


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
    now = promise_of(survey, document)
    try:
        other = promise_of(survey, apply(survey, document, {"do": "skip", "question": name, "value": not skips}))
    except InputError:
        return ""
    without, with_it = (other, now) if skips else (now, other)
    if not without or not with_it or int(with_it) <= int(without):
        return ""
    said = _("somebody may become %(with_it)s %% sure instead of %(without)s %%")
    return said % {"with_it": with_it, "without": without}
