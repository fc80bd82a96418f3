"""An answer of known share in a document, and what it will find."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.guarantee.forgery_tests import finds
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart, Gap, Testable, say_kinds
from surveys.features.anchor import known_answer
from surveys.features.feature import Named


def _entries(draft: Draft) -> dict[str, Any]:
    answer, percent = draft.document["anchor"], draft.document["anchor_share"]
    return {} if percent is None else {"anchor": {"answer": answer, "share": percent / 100}}


def _gaps(draft: Draft) -> Iterator[Gap]:
    if bool(draft.document["anchor"]) != (draft.document["anchor_share"] is not None):
        yield Gap(draft.survey, _("An answer of known share needs both the answer and its share."))


def _power(testable: Testable, named: Named) -> str:
    answer, share = known_answer(testable.entries) or ("", 0.0)
    return power(named(answer), *finds(testable.design, answer, share, testable.disguising))


def power(answer: str, bypass: float | None, random: float | None) -> str:
    kinds = say_kinds(bypass, _("people who answer at random, from %(percent)s %% on"), random)
    if not kinds:
        return _("There are too few respondents for the answer of known share, %(answer)s, to find anything.") % {
            "answer": f"“{answer}”"
        }
    return _("In four of five surveys, the answer of known share, %(answer)s, finds: %(found)s.") % {
        "answer": f"“{answer}”",
        "found": kinds,
    }


PART = DraftPart(
    has=lambda document: bool(document["anchor"]),
    entries=_entries,
    gaps=_gaps,
    power=_power,
    lost=gettext_lazy("which answer has a known share"),
)
