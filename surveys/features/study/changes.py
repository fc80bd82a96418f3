"""Changes of the arms of a study."""

from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.drafts.change_part import Change, ChangePart, change
from surveys.domain.questionnaire.document import Document
from surveys.features.study import check_study
from surveys.rules import checked_by


@change("study", gettext_lazy("arms of the study changed"))
def _set_study(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the surveys of which each device draws one, this one among them, or whose arm it is; none: it is no study."""
    study = said["study"]
    document["study"] = study if study and (study.get("of") or study["arms"]) else None
    if study and "of" in study:
        document["access"] = "invitation"


def _check(study: Any, _at: str) -> None:
    if study is not None:
        check_study(study, "parts")


PART = ChangePart(rules={"study": checked_by(_check)})
