"""An option of an analysis: which values it has, the table of those that one analysis has, and arguments of a command.

>>> from privacy.options import tables
>>> parser = argparse.ArgumentParser()
>>> add_options(parser, tables.RECONSTRUCT)
>>> add_option(parser, tables.MAP)
>>> values_of_arguments(parser.parse_args(["--estimator", "combined"]), tables.RECONSTRUCT)["estimator"]
'combined'
"""

import argparse
import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any, ClassVar, ParamSpec, TypeVar

from privacy.choices import WayToEstimate
from privacy.errors import EntryError, InputError


class ValueType:
    """One kind of values: how one is `typed`, which are refused, and what JSON Schema says of them.

    `reads` names the function of `privacy.design.arguments` that refuses other types.

    `read` takes what analysts hand in, and refuses other types. `check` takes values of the right type, and says the
    rule.
    """

    typed: ClassVar[Mapping[str, Any]] = {}
    reads: ClassVar[str] = ""

    def argparse_options(self) -> dict[str, Any]:
        """The keywords with which `argparse` reads an argument of this kind; a text needs none."""
        return dict(self.typed)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of a value in the body of an operation."""
        return {"type": "string"}

    def read(self, value: Any, name: str) -> Any:
        """The value given for the argument `name`; refused if it has another type, or left to the function."""
        from privacy.design import arguments

        return getattr(arguments, self.reads)(value, name) if self.reads else value

    def check(self, value: Any, at: str) -> None:
        """Refuse a value that breaks a rule, naming it and the rule; some kinds have no rule."""
        return


@dataclass(frozen=True)
class NumberValue(ValueType):
    """A number, which may be typed as a fraction."""

    typed: ClassVar[Mapping[str, Any]] = {"type": float}
    reads: ClassVar[str] = "number"

    def schema(self) -> dict[str, Any]:
        return {"type": "number"}


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
    typed: ClassVar[Mapping[str, Any]] = {"type": int}
    reads: ClassVar[str] = "whole_number"

    def schema(self) -> dict[str, Any]:
        bounds = {"minimum": self.least, "maximum": self.most}
        return {"type": "integer"} | {name: bound for name, bound in bounds.items() if bound is not None}

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

    typed: ClassVar[Mapping[str, Any]] = {"action": "store_true"}
    reads: ClassVar[str] = "flag"

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


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

    def schema(self) -> dict[str, Any]:
        return super().schema() | ({} if self.longest is None else {"maxLength": self.longest})


@dataclass(frozen=True)
class Written(ValueType):
    """What has a notation of its own on the command line, which `of` reads when the command runs."""

    of: Callable[[Any], Any]


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


REQUIRED: Any = inspect.Parameter.empty

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Option:
    """One option: `name` is the parameter of the function, the member of a body and the field of a form.

    A command has it as a flag of the same name; one that may be repeated has its `each`, such as pattern for patterns.
    """

    name: str
    kind: ValueType
    about: str  # the help of a command
    default: Any = REQUIRED
    each: str = ""
    metavar: str | tuple[str, str] | None = None
    several: bool = False  # after one flag
    aliases: tuple[str, ...] = ()  # flags of the release before, which still work
    hint: str = ""  # on pages, beside the name of the column that keeps it
    begins: Any = None  # what a form begins with, where that is not the default
    absent: Mapping[str, str] = field(default_factory=dict)  # the places that lack it, and why

    def read(self, value: Any) -> Any:
        """Read an argument of a function; of an option that may be repeated, each of several."""
        if self.each and isinstance(value, list | tuple):
            return type(value)([self.kind.read(one, self.name) for one in value])
        return self.kind.read(value, self.name)

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def flag(self) -> str:
        return "--" + (self.each or self.name).replace("_", "-")


@dataclass(frozen=True)
class Options:
    """The options of one analysis. `absent` are the places that offer none of them, and why."""

    of: str  # the name of its function in `candor`
    options: tuple[Option, ...]
    absent: Mapping[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def __getitem__(self, name: str) -> Option:
        return next(option for option in self.options if option.name == name)

    def for_place(self, place: str) -> list[Option]:
        """The options that a place offers: library, command, api or page."""
        return [option for option in self.options if place not in option.absent and place not in self.absent]

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuse the first value that breaks a rule of its option."""
        for option in self.options:
            if option.name in values:
                option.kind.check(values[option.name], option.name)


def check_arguments(options: Options) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Read the arguments of a function as its table of options says, before it is called.

    >>> from privacy.options.option import Whole
    >>> @check_arguments(Options("count", (Option("least", Whole(), "the smallest", 1),)))
    ... def count(least: int = 1) -> int:
    ...     return least
    >>> count(least="many")
    Traceback (most recent call last):
    privacy.errors.InputError: least: 'many' is not a whole number.
    """

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(function)
        known = {option.name: option for option in options if option.name in signature.parameters}

        elsewhere = {option.name: option.absent["library"] for option in options if "library" in option.absent}

        @functools.wraps(function)
        def with_checks(*args: P.args, **kwargs: P.kwargs) -> T:
            if moved := next((name for name in kwargs if name in elsewhere), None):
                raise InputError(f"{moved}: {elsewhere[moved]}.")
            given = signature.bind(*args, **kwargs)
            for name, value in given.arguments.items():
                if name in known and value is not signature.parameters[name].default:
                    given.arguments[name] = known[name].read(value)
            return function(*given.args, **given.kwargs)

        return with_checks

    return wrap


def add_options(parser: argparse.ArgumentParser, options: Options, place: str = "command") -> None:
    """Add an argument for each option that a place has."""
    for one in options.for_place(place):
        add_option(parser, one)


def add_option(parser: argparse._ActionsContainer, one: Option) -> None:
    more: dict[str, Any] = one.kind.argparse_options()
    if one.each:
        more["action"] = "append"
    elif not one.required and not isinstance(one.kind, Flag | Written):
        more["default"] = one.default
    if one.metavar is not None:
        more["metavar"] = one.metavar
    if one.several or isinstance(one.metavar, tuple):
        more["nargs"] = "+" if one.several else len(one.metavar or ())
    if one.required:
        more["required"] = True
    parser.add_argument(one.flag, *one.aliases, dest=one.name, help=_help_with_default(one), **more)


def _help_with_default(one: Option) -> str:
    """The help of the table, with the default if the help does not name it."""
    if one.required or one.default in (None, False, "", ()) or "default" in one.about:
        return one.about
    return f"{one.about} (default {one.default})"


Readers = Mapping[str, Callable[[Any], Any]]


def values_of_arguments(
    arguments: argparse.Namespace, options: Options, files: Readers | None = None
) -> dict[str, Any]:
    """The typed arguments as the function takes them; others keep the function's defaults.

    `files` has a function that reads each kind of file, by what it `holds`.
    """
    values = {one: getattr(arguments, one.name) for one in options.for_place("command")}
    return {one.name: _read_value(one, value, files or {}) for one, value in values.items() if value is not None}


def _read_value(option: Option, value: Any, files: Readers) -> Any:
    kind = option.kind
    if isinstance(kind, Written):
        try:
            return kind.of(value)
        except InputError as error:
            named = str(error).startswith((option.name, "--"))
            raise InputError(str(error) if named else f"{option.name}: {error}") from None
    return files[kind.holds](value) if isinstance(kind, FilePath) and kind.holds else value
