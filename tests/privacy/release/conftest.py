"""`unattacked`, `unless_attacked`: releases are made, and nobody tries what an attacker would."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module

import pytest

from privacy.release import worlds


@contextmanager
def without_attacks() -> Iterator[None]:
    """Each attack tries many tables, which is nearly all of the time of a release."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("anonymize", "responses"):
            module = import_module(f"privacy.release.{name}")  # the package gives a function by one of these names
            patch.setattr(module, "try_worlds", lambda *_, **__: [])
        yield


@pytest.fixture
def attacked() -> None:
    """For a test that looks at attacks, in a module where the others do not."""


@pytest.fixture
def unless_attacked(request: pytest.FixtureRequest) -> Iterator[None]:
    with nullcontext() if "attacked" in request.fixturenames else without_attacks():
        yield


@pytest.fixture(scope="module")
def unattacked() -> Iterator[None]:
    """For a module that looks at no attack."""
    with without_attacks():
        yield


ATTACKED = ("test_again", "test_downcoding", "test_minimality", "test_published_worlds")


@pytest.fixture(autouse=True)
def few_worlds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of other things make many releases, and try a few worlds on each."""
    if not request.module.__name__.endswith(ATTACKED):
        monkeypatch.setattr(worlds, "WORLDS", 40)
