"""The change of whether interviewers may ask people, and of whether their interviews say so."""

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import ChangePart
from surveys.features.interviews import NAMED
from surveys.rules import rule

PART = ChangePart(
    rules={
        "interviews": rule(
            lambda value: isinstance(value, bool) or value == NAMED, to_translate("this is true, false or “named”.")
        )
    },
    setters={"interviews": lambda document, value: document.update(interviews=value)},
)
