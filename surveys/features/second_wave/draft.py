"""A second wave in a document."""

from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.questionnaire.document import Document
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.second_wave import first_wave
from surveys.models import Survey


def _allow(survey: Survey, definition: Definition) -> None:
    """Within one survey alone anybody is known to have answered the first wave."""
    if not survey.versions.filter(sha256=first_wave(definition.source)).exists():
        raise EntryError("The first wave is a version of another survey. Choose the words in Protect again.")


def _earlier(document: Document) -> list[tuple[str, float]]:
    return [(answer, share) for answer, (share, _error) in document["protection"]["after"]["shares"].items()]


PART = DraftPart(
    has=lambda document: bool(document["protection"].get("after")),
    entries=lambda draft: {"after": draft.document["protection"]["after"]["version"]},
    allow=_allow,
    earlier=_earlier,
)
