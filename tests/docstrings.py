"""What a docstring has, read for the tests of examples."""

import re
from collections.abc import Callable
from inspect import isgeneratorfunction, unwrap


def lacking(function: Callable[..., object]) -> list[str]:
    """The numpydoc sections that the docstring of a function has not; an annotation that is one name says Returns."""
    sections = {*re.findall(r"^ *(\w+)\n *-+$", function.__doc__ or "", re.MULTILINE)}
    returned = function.__annotations__.get("return")
    out = "Yields" if isgeneratorfunction(unwrap(function)) else "" if isinstance(returned, type) else "Returns"
    return [section for section in ("Parameters", out, "Examples") if section and section not in sections]


def shows_example(one: object) -> bool:
    """Whether the docstring of a function or a module has an example."""
    return ">>> " in (one.__doc__ or "")
