"""The types of which one option is the answer: yes or no, a choice, a scale. An undisguised answer is its value."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import YES_NO
from privacy.design.recipes import EnteredItem
from surveys.displays import Shares
from surveys.questions.coarse import Coarse, coarse_options
from surveys.questions.entered import Question, bounds, ends_in, lacks_ends, lacks_options, one_item, options_in
from surveys.questions.make_displays import open_options, open_steps, option_shares, place_among
from surveys.questions.question import (
    Answers,
    Asks,
    Categories,
    Disguise,
    Entry,
    Given,
    PublishedQuestion,
    QuestionType,
    Values,
)
from surveys.questions.rows import NUMBERS, OPTIONS, POINTS, YES_AND_NO
from surveys.questions.values import steps, values_of


class OneAnswer(QuestionType):
    fields = frozenset(("options", "shuffle"))
    uses = fields

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        return isinstance(value, str) and value in question.options

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return {"options": options_in(entered.options, languages)} if entered.options else {}

    def displays(self, answers: Answers) -> Sequence[Shares]:
        """How common each option is."""
        question = answers.question
        labels = [answers.label(value) for value in question.options]
        if question.sensitive:
            return [option_shares(answers, question.id, labels)]
        return [open_options(answers, question.id, answers.given, labels)]

    def coarse(self, question: PublishedQuestion, given: Given, silent: int | None, least: int) -> Coarse:
        """Each option is a class, but for the rare ones, which are pooled."""
        return coarse_options(question.options, given.count(question.options), least, silent)

    def categories(self, answers: Answers) -> Sequence[Categories]:
        """Return one axis with the question's options."""
        question = answers.question
        labels = tuple(answers.label(value) for value in question.options)
        return [Categories(question.id, answers.text, labels, place_among(question.options))]


def own_item(question: PublishedQuestion) -> tuple[tuple[str, Values], ...]:
    """The only item of the question: its name and its options."""
    return ((question.id, question.options),)


def _values(entered: Question) -> list[str]:
    return [option.value for option in entered.options]


class YesNo(OneAnswer):
    """Yes or no, or with options of its own: yes, no, and "prefer not to say". Without these they are "0" and "1"."""

    name = "yesno"
    label = gettext_lazy("yes or no")
    asks = Asks.YES_OR_NO
    groups = (replace(OPTIONS, optional=True),)
    skipped = YES_AND_NO
    disguise = Disguise(
        items=own_item, entered=lambda entered: [one_item(entered, _values(entered) or None)], yes_no=True
    )

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        return replace(question, options=values_of(question, entry) if "options" in entry else YES_NO)

    def answer_text(self, entered: Question, value: str, language: str) -> str:
        text = super().answer_text(entered, value, language)
        return {"1": _("Yes"), "0": _("No")}.get(value, text) if text == value else text

    def displays(self, answers: Answers) -> list[Shares]:
        """Show the share of yes, which implies that of no."""
        (shares,) = super().displays(answers)
        if answers.question.options != YES_NO or not shares.rows:
            return [shares]
        return [replace(shares, rows=(replace(shares.rows[1], label=_("Yes")),), together=None)]

    def categories(self, answers: Answers) -> list[Categories]:
        (axis,) = super().categories(answers)
        return [replace(axis, labels=(_("No"), _("Yes"))) if answers.question.options == YES_NO else axis]


class Choice(OneAnswer):
    """One answer among "options"."""

    name = "choice"
    label = gettext_lazy("one of several")
    asks = Asks.ONE_OF
    groups = (OPTIONS,)
    scales = POINTS
    skipped = ()
    disguise = Disguise(own_item, lambda entered: [one_item(entered, _values(entered))])

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        return replace(question, options=values_of(question, entry))

    def lacks(self, entered: Question) -> str:
        return lacks_options(entered)


def _item_of_scale(entered: Question) -> list[EnteredItem]:
    ends = bounds(entered)
    return [one_item(entered, steps(entered.id, ends.get("min"), ends.get("max")) if ends else ())]


class Scale(OneAnswer):
    """A step on a scale of whole numbers from "min" to "max", with words at its "ends".

    Its options in the design are the steps as decimal strings.
    """

    name = "scale"
    label = gettext_lazy("scale")
    asks = Asks.ON_A_SCALE
    fields = frozenset(("min", "max", "ends"))
    uses = frozenset(("min", "max", "low", "high"))
    scales = NUMBERS
    disguise = Disguise(own_item, _item_of_scale)

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        low, high = entry.get("min"), entry.get("max")
        return replace(question, min=low, max=high, options=steps(question.id, low, high))

    def displays(self, answers: Answers) -> Sequence[Shares]:
        """How common each step is; where they were not disguised, their mean and median, too."""
        if answers.question.sensitive:
            return super().displays(answers)
        return [open_steps(answers, answers.question.id, answers.given, answers.question.options)]

    def write(self, entered: Question, languages: Sequence[str]) -> Entry:
        return bounds(entered) | ends_in(entered, languages)

    def lacks(self, entered: Question) -> str:
        return lacks_ends(entered)
