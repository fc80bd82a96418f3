"""What questions ask for, in words that other programs have, too.

A type of question names one of these, and a format of files (surveys.domain.exchange) says what it calls each. So a
format knows no type, and a type knows no format.
"""

from enum import Enum, auto


class Asks(Enum):
    YES_OR_NO = auto()
    ONE_OF = auto()  # of a list
    ANY_OF = auto()  # of a list: none, some or all
    ON_A_SCALE = auto()  # a whole number from one end to the other
    ORDER_OF = auto()  # of a list: what comes first, second, and so on
    OF_STATEMENTS = auto()  # for each statement one of a list, which is the same for all of them
    NUMBER = auto()
    TEXT = auto()
    DATE = auto()
    PLACE = auto()
