"""Making releases in the process of a test, which alone sees what its transaction has written."""

from surveys.releases.claim import claim
from surveys.releases.make import make


def work(pk: int) -> None:
    """Take the release if it is free, and make it, as a worker's process does."""
    if token := claim(pk):
        make(pk, token)
