"""Interviews in a questionnaire that is written, and the change of whether they say so."""

from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError, to_translate
from surveys.definition import Definition
from surveys.domain.messages.boxes import MOST_BYTES, public_point
from surveys.domain.messages.invite import make_key
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features import MODE, WEB, present
from surveys.features.interviews import NAMED
from surveys.models import Survey
from surveys.rules import rule


def _entries(draft: Draft) -> dict[str, Any]:
    named = {MODE: WEB} if draft.document["interviews"] == NAMED else {}
    return {"interviews": {"key": public_point(draft.survey), **named}}


def _allow(survey: Survey, definition: Definition) -> None:
    """The response that fills a quota closes the survey at once; and an encrypted one must fit into a message. What
    needs the site is refused here, where all features are known.
    """
    if survey.quota is not None:
        raise EntryError("A survey with interviews has no quota: tablets send theirs later. Take one of both away.")
    if needs := next((feature.name for feature in present(definition.source) if feature.online), None):
        raise EntryError("“{name}” needs the site while people answer, and interviews do without.", name=needs)
    if definition.pad > MOST_BYTES:
        raise EntryError(
            "the undisguised answers may need {pad} bytes, more than {most}: allow shorter texts.",
            pad=definition.pad,
            most=MOST_BYTES,
        )


PART = DraftPart(
    has=lambda document: bool(document["interviews"]),
    entries=_entries,
    prepare=make_key,
    allow=_allow,
    lost=gettext_lazy("whether interviewers may ask people"),
    rules={
        "interviews": rule(
            lambda value: isinstance(value, bool) or value == NAMED, to_translate("this is true, false or “named”.")
        )
    },
    setters={"interviews": lambda document, value: document.update(interviews=value)},
)
