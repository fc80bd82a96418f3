"""Paper in a questionnaire that is written."""

from django.utils.translation import gettext_lazy

from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.paper import MODE, WEB

PART = DraftPart(
    has=lambda document: document["paper"],
    entries=lambda _draft: {MODE: WEB},
    lost=gettext_lazy("whether people may answer on paper"),
)
