"""From how many people on a survey shows something: decided here alone, for plans, pages, reports and files.

Why disguised answers are shown of fewer people than all others: docs/decisions/0059-few-people.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.output import format_count
from surveys.domain.questionnaire.compose import design_or_none
from surveys.domain.questionnaire.document import Draft
from surveys.models import SurveyVersion
from surveys.sentences import join_sentences

FEWEST = 20  # people with disguised answers of whom anything is shown


@dataclass(frozen=True)
class Minimum:
    """The fewest people of whom something is shown.

    disguised: with disguised answers to a question, once its version is closed. everything: of whom all else is shown,
    and disguised answers while the version collects; `disguised` is the same where no answers are shown of fewer.
    asked: the share of the disguised questions that each person is asked. early: whether undisguised answers are shown
    while the version collects, too.
    """

    disguised: int = 1
    everything: int = 1
    asked: Fraction = Fraction(1)
    early: bool = False

    def answers(self, people: int) -> int:
        """About how many answers there are once so many people were asked each disguised question."""
        return ceil(people / self.asked)

    @property
    def to_begin(self) -> int:
        """With how many answers reports begin while a version collects."""
        return self.everything if self.early else self.while_collecting

    @property
    def while_collecting(self) -> int:
        """With how many answers disguised ones are shown while a version collects."""
        return self.answers(self.everything)

    @property
    def once_closed(self) -> int:
        """With how many answers disguised ones are shown of a closed version."""
        return self.answers(self.disguised)

    def of_sets(self, people: int) -> int:
        """The fewest of whom several disguised answers are shown together, if so many people answer."""
        return self.everything if people >= self.everything else self.disguised

    @property
    def sentence(self) -> str:
        """What is shown from how many people on, for those who ask and for those who answer."""
        numbers = {
            "few": format_count(self.disguised),
            "least": format_count(self.everything),
            "answers": format_count(self.once_closed),
            "begin": format_count(self.while_collecting),
        }
        if self.disguised == self.everything:
            said = [_("Fewer than %(least)s people: nothing is ever shown, neither figures nor files.")]
        else:
            said = [
                _("Fewer than %(few)s people with disguised answers: nothing is ever shown, neither figures nor files.")
            ]
        if self.asked < 1:
            said.append(
                _(
                    "Each person is asked some of the disguised questions, so it takes about %(answers)s answers until "
                    "%(few)s people were asked each."
                )
            )
        if self.disguised < self.everything:
            said += (
                [
                    _(
                        "From %(few)s on, disguised answers are shown once the survey is closed; everything else from "
                        "%(least)s people on."
                    )
                ]
                if self.asked == 1
                else [
                    _(
                        "From there on, their answers are shown once the survey is closed; while it collects, from "
                        "about %(begin)s answers on."
                    ),
                    _("Everything else is shown from %(least)s people on; undisguised answers also while it collects.")
                    if self.early
                    else _("Everything else is shown from %(least)s people on."),
                ]
            )
        return join_sentences(sentence % numbers for sentence in said)

    @property
    def of_few(self) -> str:
        """What is shown of a closed version with fewer people than this, but enough with disguise."""
        values = {"least": format_count(self.everything)}
        return (
            _("Fewer than %(least)s people answered, so the report and the files have disguised answers alone.")
            % values
        )

    @property
    def note(self) -> str:
        """The same in a few words, for the step of the results."""
        numbers = {
            "n": format_count(self.to_begin),
            "few": format_count(self.once_closed),
            "while": format_count(self.while_collecting),
        }
        if self.disguised == self.everything:
            return _("from %(n)s answers on") % numbers
        if self.to_begin < self.while_collecting:
            return _("from %(n)s answers on; disguised ones from %(while)s, or from %(few)s once closed") % numbers
        return _("from %(n)s answers on; disguised ones from %(few)s once closed") % numbers


def minimum_of(design: Design | None, least: int, *, early: bool = False, quota: int | None = None) -> Minimum:
    """The minimum of a survey that reports on `least` people; without a design, of what is usual.

    `early`: undisguised answers are shown while it collects.

    What is certain in a stored answer, as the harmless one to a one-sided question is, no disguise protects among few.
    Where direct answers are allowed, a smaller `quota` says how many answer in all, and so how few directly.
    """
    counted = design is not None and design.direct and quota is not None and quota < least
    certain = design is not None and any(block.gamma == inf for block in design.blocks)
    asked = (Fraction(block.items_per_person, len(block.items)) for block in (design.blocks if design else ()))
    few = least if certain or counted else min(FEWEST, least)
    return Minimum(few, least, min(asked, default=Fraction(1)), early)


def minimum_of_draft(draft: Draft) -> Minimum:
    early = draft.document["early"] and any(question.block is None for question in draft.questions)
    least, quota = draft.survey.least, draft.survey.quota
    return minimum_of(design_or_none(draft), least, early=early, quota=quota)


def minimum_of_version(version: SurveyVersion) -> Minimum:
    written = version.parsed
    early = written.early and bool(written.open_questions)
    survey = version.survey
    return minimum_of(version.design, survey.least, early=early, quota=survey.quota)
