"""The types of question: all that is known of one is in its module. A new type is a module and a line."""

from privacy.errors import EntryError
from surveys.questions import date, matrix, number, place, ranking, several, text
from surveys.questions.one_answer import Choice, Scale, YesNo
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
    each.name: each
    for each in (
        *(YesNo(), Choice(), several.TYPE, Scale(), matrix.TYPE, ranking.TYPE),
        *(number.TYPE, place.TYPE, text.TYPE, date.TYPE),
    )
}


def type_asking(asks: Asks) -> QuestionType:
    """The first type that asks for this."""
    return next(type_ for type_ in TYPES.values() if type_.asks is asks)


def type_of(question: PublishedQuestion) -> QuestionType:
    return TYPES[question.type]


def disguise_of(name: str, at: str) -> Disguise:
    """How the type of this name is disguised; EntryError at the place where it cannot be."""
    disguise = TYPES[name].disguise
    if disguise is None:
        raise EntryError("this type cannot be disguised; ask a choice or a scale instead.", at=at)
    return disguise
