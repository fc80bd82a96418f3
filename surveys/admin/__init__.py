"""Where a questionnaire is written, checked, tried, published, closed and erased, until researchers get a builder."""

from surveys.admin import question, survey, version

__all__ = ["question", "survey", "version"]
