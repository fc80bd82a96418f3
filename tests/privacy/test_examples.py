"""The examples in docstrings."""

import doctest
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction
from pkgutil import iter_modules, walk_packages

import pytest

import candor
import privacy
from tests.docstrings import lacking, shows_example

MODULES = [name for _, name, _ in walk_packages(privacy.__path__, "privacy.") if "__" not in name]
ROOMS = [name for _, name, package in iter_modules(privacy.__path__) if package]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_prints_what_it_says(name: str) -> None:
    """A reader may copy any of them."""
    result = doctest.testmod(import_module(name))

    assert result.failed == 0


@pytest.mark.parametrize("room", ROOMS)
def test_the_face_of_a_room_is_shown_by_examples(room: str) -> None:
    """Each public function of a room shows what goes in and what comes out; its annotations say of which types."""
    face = import_module(f"privacy.{room}")
    functions = [name for name in getattr(face, "__all__", ()) if isfunction(getattr(face, name))]

    assert [name for name in functions if not shows_example(getattr(face, name))] == []


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("privacy.guarantee.breach", ["belief", "breach_limit", "posterior", "surest", "worst_breach"]),
        ("privacy.guarantee.information", ["entropy", "kullback_leibler", "uldp_epsilon"]),
    ],
)
def test_what_the_guides_call_behind_a_face_is_shown_by_an_example(module: str, names: list[str]) -> None:
    """Guides name these modules for what `candor` does not pass on; a function of another package has one anyway."""
    assert [name for name in names if not shows_example(getattr(import_module(module), name))] == []


@pytest.mark.parametrize(
    "function",
    [one for home in (candor, candor.models) for name in home.__all__ if isfunction(one := getattr(home, name))],
)
def test_what_analysts_call_says_what_goes_in_and_what_comes_out(function: Callable[..., object]) -> None:
    """Each function of the front door and each model has the sections that people of numpy and pandas look for."""
    assert lacking(function) == []


def test_a_function_without_an_example_is_told() -> None:
    """The promises above are kept by what is lacking, not by there being a docstring."""
    assert not shows_example(lacking)
    assert lacking(lacking) == ["Parameters", "Returns", "Examples"]
