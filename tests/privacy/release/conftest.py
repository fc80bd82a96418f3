"""`unattacked`: releases are made, and nobody tries what an attacker would."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest


@contextmanager
def without_attacks() -> Iterator[None]:
    """Each attack tries many tables, which is nearly all of the time of a release."""
    module = import_module("privacy.release.anonymize")  # the package gives its function by this name
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "tried_worlds", lambda *_, **__: [])
        yield


@pytest.fixture(scope="module")
def unattacked() -> Iterator[None]:
    """For a module that looks at no attack."""
    with without_attacks():
        yield
