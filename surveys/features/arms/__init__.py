"""Two arms of a block, with other chances, of which each device draws one.

in a definition    "arms": true        it follows from the design
"""

from privacy.design import ARM, ARMS as NAMES, Design
from surveys.features.feature import Feature, Source
from surveys.features.flags import check_flag, says_nothing
from surveys.questions import Asks, PublishedQuestion, type_asking

ARM_QUESTION = PublishedQuestion(ARM, type_asking(Asks.ONE_OF).name, sensitive=False, required=True, options=NAMES)


ARMS = Feature(
    "arms",
    {},
    check_flag("arms"),
    says_nothing,
    follows=lambda design: bool(design.arms),
    asked=lambda design, _source: (ARM_QUESTION,) if design.arms else (),
    parts=("draft", "report", "staff"),
)
