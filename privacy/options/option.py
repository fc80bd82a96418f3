"""An option of an analysis, and the table of those that one analysis has."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from privacy.errors import InputError
from privacy.options.kinds import ValueType

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
        return next(one for one in self.options if one.name == name)

    def for_place(self, place: str) -> list[Option]:
        """The options that a place offers: library, command, api or page."""
        return [one for one in self.options if place not in one.absent and place not in self.absent]

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuse the first value that breaks a rule of its option."""
        for one in self.options:
            if one.name in values:
                one.kind.check(values[one.name], one.name)


def check_arguments(options: Options) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Read the arguments of a function as its table of options says, before it is called.

    >>> from privacy.options.kinds import Whole
    >>> @check_arguments(Options("count", (Option("least", Whole(), "the smallest", 1),)))
    ... def count(least: int = 1) -> int:
    ...     return least
    >>> count(least="many")
    Traceback (most recent call last):
    privacy.errors.InputError: least: 'many' is not a whole number.
    """

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(function)
        known = {one.name: one for one in options if one.name in signature.parameters}

        elsewhere = {one.name: one.absent["library"] for one in options if "library" in one.absent}

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
