"""The examples in the docstrings of the engines."""

import doctest

import pytest

from mining.engines import findings as module


def test_every_example_prints_what_it_says() -> None:
    """A reader may copy any of them."""
    result = doctest.testmod(module)

    assert (result.attempted > 0, result.failed) == (True, 0)


@pytest.mark.parametrize("name", ["findings", "findings_by"])
def test_the_ways_in_are_shown_by_an_example(name: str) -> None:
    """They say what goes in, what comes out, and show it."""
    said = getattr(module, name).__doc__

    assert [part for part in ("Parameters\n", "Returns\n", "Examples\n") if part not in said] == []
