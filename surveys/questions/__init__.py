"""The types of question: all that is known of one is in its module. A new type is a module and a line."""

from privacy.errors import EntryError
from surveys.questions.date import Date
from surveys.questions.matrix import Matrix
from surveys.questions.number import Number
from surveys.questions.one_answer import Choice, Scale, YesNo
from surveys.questions.place import Place
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
from surveys.questions.ranking import Ranking
from surveys.questions.several import Several
from surveys.questions.text import Text

TYPES: dict[str, QuestionType] = {
    each.name: each
    for each in (YesNo(), Choice(), Several(), Scale(), Matrix(), Ranking(), Number(), Place(), Text(), Date())
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
