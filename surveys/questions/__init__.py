"""The types of question, each in one module that holds all that is known of it. A new type is a module and a line."""

from privacy.errors import EntryError
from surveys.questions import choice, date, matrix, number, place, ranking, scale, several, text, yesno
from surveys.questions.question import (
    NOBODY,
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

TYPES: dict[str, QuestionType] = {
    module.TYPE.name: module.TYPE
    for module in (yesno, choice, several, scale, matrix, ranking, number, place, text, date)
}


def type_asking(asks: Asks) -> QuestionType:
    """The first type that asks for this."""
    return next(each for each in TYPES.values() if each.asks is asks)


def type_of(question: PublishedQuestion) -> QuestionType:
    return TYPES[question.type]


def disguise_of(name: str, at: str) -> Disguise:
    """How the type of this name is disguised; EntryError at the place where it cannot be."""
    disguise = TYPES[name].disguise
    if disguise is None:
        raise EntryError("this type cannot be disguised; ask a choice or a scale instead.", at=at)
    return disguise
