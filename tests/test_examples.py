"""The functions that one package calls of another show what goes in and what comes out."""

import doctest
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from inspect import isfunction, unwrap
from types import ModuleType

import pytest

from tests.docstrings import shows_example
from tests.imports import KNOWS, ROOMS, part_of
from tests.servers import ROOT

LIBRARY = ("privacy", "mining.engines", "candor")
APPS = ("config", "mining", "surveys", "papers")
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for top in APPS
    for path in sorted((ROOT / top).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.each
@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_every_example_of_an_app_prints_what_it_says(name: str) -> None:
    """A reader may copy any of them; those of the library have the same promise in its own tests."""
    assert doctest.testmod(import_module(name)).failed == 0


def test_what_others_call_of_a_package_is_shown_by_an_example() -> None:
    """Who reads a call of it elsewhere finds what goes in and what comes out."""
    packages = {*(f"privacy.{room}" for room in ROOMS["privacy"]), "mining.engines", "candor"}
    called = {f"{one.__module__}.{one.__qualname__}": one for one in _called() if _package(one.__module__) in packages}

    assert [name for name, one in called.items() if not _shown(one)] == []


def test_calls_of_others_are_found() -> None:
    """The promise above is about those that are imported by name, and those that are called by their module."""
    names = {one.__qualname__ for one in _called() if one.__module__ == "privacy.design.reading"}

    assert {"quote", "only_keys"} <= names


def _shown(function: Callable[..., object]) -> bool:
    """Whether it shows an example, or its module does for functions that are called alike."""
    return shows_example(function) or shows_example(import_module(function.__module__))


@cache
def _called() -> set[Callable[..., object]]:
    """The functions that a module takes of another package."""
    tops = sorted({package.split(".")[0] for package in KNOWS})
    paths = [path for top in tops for path in (ROOT / top).rglob("*.py")]
    called = set()
    for path in paths:
        own = _package(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        for one in filter(isfunction, map(unwrap, _taken(path.read_text(encoding="utf-8")))):
            if _package(one.__module__) != own:
                called.add(one)
    return called


# Found by their text: to parse every module of the product would take as long as a hundred tests.
IMPORT = re.compile(r"^ *from ((?:privacy|mining\.engines|candor)(?:\.\w+)*) import (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def _taken(source: str) -> Iterator[object]:
    """What a module imports by name from the library, and what it takes of the modules of it that it imports."""
    for module, in_lines, in_line in IMPORT.findall(source):
        for name, alias in re.findall(r"(\w+)(?: as (\w+))?", re.sub("#.*", "", in_lines or in_line)):
            one = getattr(import_module(module), name, None)
            yield one
            if isinstance(one, ModuleType):
                taken = re.findall(rf"\b{alias or name}\.(\w+)", source)
                yield from (getattr(one, attribute, None) for attribute in set(taken))


def _package(module: str) -> str | None:
    part = part_of(module)
    return ".".join(module.split(".")[:2]) if part == "privacy" else part
