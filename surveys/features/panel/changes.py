"""Changes of the panel that people come from."""

from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.drafts.change_part import Change, ChangePart, change
from surveys.domain.questionnaire.document import Document
from surveys.features.panel.draft import FIELDS, LONGEST_END, PANELS, check_entered
from surveys.rules import Faults, checked_by, line, object_of, one_of, or_null


@change("panel", gettext_lazy("panel changed"))
def _set_panel(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the panel that people come from and go back to, or none; `once`: the panel's number lets each in once."""
    own = said["panel"]
    if own or document["panel"]:  # where there was no panel and is none, who may answer stays
        document["access"] = "invitation" if own and said["once"] else "open"
    document["panel"] = own and {name: str(own[name]).strip() for name in FIELDS}


def _faults(panel: Any, at: str) -> Faults:
    yield from (faults := list(or_null(_SHAPE)(panel, at)))
    if not faults:
        yield from checked_by(check_entered)(panel, at)


_SHAPE = object_of({"by": one_of(PANELS)} | dict.fromkeys(FIELDS[1:], line(LONGEST_END)))
PART = ChangePart(rules={"panel": _faults})
