"""The examples in the docstrings of the engines."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from mining import engines


@pytest.mark.parametrize("name", [name for _, name, _ in iter_modules(engines.__path__)])
def test_every_example_prints_what_it_says(name: str) -> None:
    """A reader may copy any of them."""
    assert doctest.testmod(import_module(f"mining.engines.{name}")).failed == 0
