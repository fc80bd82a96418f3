"""The examples in the docstrings of the engines."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from mining import engines
from mining.engines import findings as module


@pytest.mark.parametrize("name", [name for _, name, _ in iter_modules(engines.__path__)])
def test_every_example_prints_what_it_says(name: str) -> None:
    """A reader may copy any of them."""
    assert doctest.testmod(import_module(f"mining.engines.{name}")).failed == 0


@pytest.mark.parametrize("name", ["findings", "findings_by"])
def test_the_ways_in_are_shown_by_an_example(name: str) -> None:
    """They say what goes in, what comes out, and show it."""
    said = getattr(module, name).__doc__

    assert [part for part in ("Parameters\n", "Returns\n", "Examples\n", ">>> ") if part not in said] == []
