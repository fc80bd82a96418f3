"""What the values of an option are: how one is typed, which are refused, and what JSON Schema says of them.

`read` takes what analysts hand in, and refuses other types. `check` takes values of the right type, and says the rule.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from privacy.choices import WayToEstimate
from privacy.errors import EntryError


class ValueType(ABC):
    """One kind of values."""

    @abstractmethod
    def argparse_options(self) -> dict[str, Any]:
        """The keywords with which `argparse` reads an argument of this kind."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """JSON Schema of a value in the body of an operation."""

    def read(self, value: Any, name: str) -> Any:
        """The value given for the argument `name`; refused if it has another type, or left to the function, as here."""
        return value

    def check(self, value: Any, at: str) -> None:
        """Refuse a value that breaks a rule, naming it and the rule; some kinds have no rule."""
        return


@dataclass(frozen=True)
class NumberValue(ValueType):
    """A number, which may be typed as a fraction."""

    def argparse_options(self) -> dict[str, Any]:
        return {"type": float}

    def schema(self) -> dict[str, Any]:
        return {"type": "number"}

    def read(self, value: Any, name: str) -> float:
        from privacy.design import arguments

        return arguments.number(value, name)


@dataclass(frozen=True)
class ShareValue(NumberValue):
    """A share from 0 to 1, or above 0."""

    above_zero: bool = False

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum" if self.above_zero else "minimum": 0, "maximum": 1}

    def check(self, value: float, at: str) -> None:
        if self.above_zero and not 0 < value <= 1:
            raise EntryError("{share} is not a share above 0 and up to 1.", at, share=every_digit(value))
        if not 0 <= value <= 1:
            raise EntryError("{share} is not a share from 0 to 1.", at, share=every_digit(value))


@dataclass(frozen=True)
class Whole(ValueType):
    """A whole number within bounds."""

    least: int | None = None
    most: int | None = None

    def argparse_options(self) -> dict[str, Any]:
        return {"type": int}

    def schema(self) -> dict[str, Any]:
        bounds = {"minimum": self.least, "maximum": self.most}
        return {"type": "integer"} | {name: bound for name, bound in bounds.items() if bound is not None}

    def read(self, value: Any, name: str) -> int:
        from privacy.design import arguments

        return arguments.whole_number(value, name)

    def check(self, value: int, at: str) -> None:
        if self.least is not None and self.most is not None and not self.least <= value <= self.most:
            raise EntryError(
                "{number} is not from {least} to {most}.", at, number=value, least=self.least, most=self.most
            )
        if self.least is not None and value < self.least:
            raise EntryError("{number} is less than {least}.", at, number=value, least=self.least)


@dataclass(frozen=True)
class Flag(ValueType):
    """Yes or no, and no where nothing is said."""

    def argparse_options(self) -> dict[str, Any]:
        return {"action": "store_true"}

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def read(self, value: Any, name: str) -> bool:
        from privacy.design import arguments

        return arguments.flag(value, name)


@dataclass(frozen=True)
class OneOf(ValueType):
    """A word of a list.

    A list that is slow to import is named by the function that makes it, as module:function.
    """

    words: Collection[str] | str

    @property
    def all(self) -> Collection[str]:
        if not isinstance(self.words, str):
            return self.words
        listed: Collection[str] = resolve_name(self.words)()
        return listed

    @property
    def offers(self) -> dict[str, str]:
        """The choices on the site, each with its explanation if there is one."""
        return {word: _explanation(self.all, word) for word in self.all}

    def argparse_options(self) -> dict[str, Any]:
        return {"choices": tuple(self.all)}

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.offers)}

    def read(self, value: Any, name: str) -> Any:
        from privacy.design import arguments

        return value if value is None else arguments.choice(value, name, self.all)

    def check(self, value: str, at: str) -> None:
        if value not in self.all:
            raise EntryError("{name!r} is not one of {known}.", at, name=value, known=", ".join(self.all))


def _explanation(words: Collection[str], word: str) -> str:
    said = words[word] if isinstance(words, Mapping) else word
    return said.explained if isinstance(said, WayToEstimate) else str(said)


@dataclass(frozen=True)
class TextValue(ValueType):
    """A text: the name of a column, the path of a file, or what its function reads by itself."""

    longest: int | None = None

    def argparse_options(self) -> dict[str, Any]:
        return {}

    def schema(self) -> dict[str, Any]:
        return {"type": "string"} | ({} if self.longest is None else {"maxLength": self.longest})


@dataclass(frozen=True)
class Written(ValueType):
    """What has a notation of its own on the command line, which `of` reads when the command runs."""

    of: Callable[[Any], Any]

    def argparse_options(self) -> dict[str, Any]:
        return {}

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True)
class FilePath(TextValue):
    """The path of a file, whose content the function takes. `holds` names what reads it, as commands know it."""

    holds: str = ""


def every_digit(number: float) -> str:
    """A number with all its digits: rounded, 1.0000001 would be refused as 1, and two runs would look the same.

    >>> every_digit(0.1), every_digit(2.0)
    ('0.1', '2')
    """
    return repr(float(number)).removesuffix(".0")
