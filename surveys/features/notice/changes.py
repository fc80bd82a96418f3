"""Changes of the privacy notice: each of its texts is written as every text of the survey."""

from surveys.domain.drafts.change_part import ChangePart
from surveys.features.notice import NOTICE
from surveys.rules import texts

PART = ChangePart(rules=dict.fromkeys(NOTICE, texts))
