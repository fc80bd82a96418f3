"""Processes that mine are forked from one that stays warm from test to test."""

from collections.abc import Iterator

import pytest

from mining.domain import forked


@pytest.fixture(scope="session", autouse=True)
def _one_environment() -> Iterator[None]:
    """Pytest writes the name of each test into the environment, which else would be another one for each of them."""
    own = forked.child_environment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            forked,
            "child_environment",
            lambda: {name: value for name, value in own().items() if name != "PYTEST_CURRENT_TEST"},
        )
        yield
