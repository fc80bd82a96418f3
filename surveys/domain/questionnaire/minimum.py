"""From how many people on a survey shows something: decided here alone, for plans, pages, reports and files.

Why disguised answers are shown of fewer people than all others: docs/decisions/0059-few-people.md.
"""

from dataclasses import dataclass
from math import inf

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.errors import InputError
from privacy.output import whole
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.draft import Draft
from surveys.models import SurveyVersion
from surveys.sentences import join_sentences

FEWEST = 20  # people with disguised answers of whom anything is shown


@dataclass(frozen=True)
class Minimum:
    """The fewest people of whom something is shown.

    disguised: with disguised answers to a question, once its version is closed. everything: of whom all else is shown,
    and disguised answers while the version collects; `disguised` is the same where no answers are shown of fewer.
    """

    disguised: int = 1
    everything: int = 1

    def of_sets(self, people: int) -> int:
        """The fewest of whom several disguised answers are shown together, if so many people answer."""
        return self.everything if people >= self.everything else self.disguised

    @property
    def sentence(self) -> str:
        """What is shown from how many people on, for those who ask and for those who answer."""
        if self.disguised == self.everything:
            none = _("Fewer than %(least)s people: nothing is ever shown, neither figures nor files.")
            return none % {"least": whole(self.everything)}
        numbers = {"few": self.disguised, "least": whole(self.everything)}
        none = _("Fewer than %(few)s people with disguised answers: nothing is ever shown, neither figures nor files.")
        then = _(
            "From %(few)s on, disguised answers are shown once the survey is closed; everything else from %(least)s "
            "people on."
        )
        return join_sentences([none % numbers, then % numbers])

    @property
    def note(self) -> str:
        """The same in a few words, for the step of the results."""
        numbers = {"n": whole(self.everything), "few": self.disguised}
        if self.disguised == self.everything:
            return _("from %(n)s answers on") % numbers
        return _("from %(n)s answers on; disguised ones from %(few)s once closed") % numbers


def answers_to_ask(design: Design, people: int) -> int:
    """About how many answers there are once so many people were asked each disguised question."""
    return max((-(-people * len(block.items) // block.items_per_person) for block in design.blocks), default=people)


def minimum_of(design: Design | None, least: int, *, central: bool) -> Minimum:
    """The minimum of a survey that reports on `least` people; without a design, of what is usual.

    What is certain in a stored answer, as the harmless one to a one-sided question is, no disguise protects among few;
    and of few people no counts with noise are drawn.
    """
    certain = design is not None and any(block.gamma == inf for block in design.blocks)
    return Minimum(least if central or certain else min(FEWEST, least), least)


def minimum_of_draft(draft: Draft) -> Minimum:
    central = bool(draft.document["protection"].get("epsilon"))
    try:
        design = compose_design(draft)
    except InputError:
        design = None
    return minimum_of(design, draft.survey.least, central=central)


def minimum_of_version(version: SurveyVersion) -> Minimum:
    return minimum_of(version.design, version.survey.least, central=version.parsed.central is not None)
