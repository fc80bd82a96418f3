"""The change of whether people may answer on paper, and of how both modes are joined."""

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import ChangePart
from surveys.features.paper import POOLED
from surveys.rules import rule

PART = ChangePart(
    rules={
        "paper": rule(
            lambda value: isinstance(value, bool) or value == POOLED, to_translate("this is true, false or “pooled”.")
        )
    },
    setters={"paper": lambda document, value: document.update(paper=value)},
)
