"""What the types have in common of which one option is the answer: a choice, a scale, yes or no."""

from collections.abc import Sequence

from surveys.displays import Shares
from surveys.questions.coarse import Coarse, coarse_options
from surveys.questions.make_displays import open_options, option_shares, place_among
from surveys.questions.question import Answers, Categories, Given, PublishedQuestion, QuestionType, Values


class OneAnswer(QuestionType):
    def fits(self, question: PublishedQuestion, value: object) -> bool:
        return isinstance(value, str) and value in question.options

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
