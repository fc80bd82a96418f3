"""Walks of pages, as in tests of the studio."""

from tests.surveys.studio.conftest import signed_in, walk

__all__ = ["signed_in", "walk"]
