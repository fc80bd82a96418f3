"""The ranges in which undisguised numbers and dates are shown: their ends tell nobody's answer."""

from typing import Any

import numpy as np
import pytest

from surveys.displays import Histogram
from surveys.questions import Answers, PublishedQuestion, type_of
from surveys.questions.question import Given
from tests.surveys.documents import WORDS


def display_of(type_: str, given: list[Any], least: int = 20) -> Histogram:
    question = PublishedQuestion("asked", type_, sensitive=False)
    entry = {"id": "asked", "type": type_, "text": WORDS}
    different, times = np.unique(given, return_counts=True)
    answers = Answers(question, entry, "en", Given(different.tolist(), times), None, least)
    (made,) = type_of(question).displays(answers)  # type: ignore[arg-type]
    assert isinstance(made, Histogram)
    return made


def ages(extreme: float) -> list[float]:
    return [*np.linspace(20, 25, 30).round().tolist(), *np.linspace(40, 45, 29).round().tolist(), extreme]


@pytest.mark.parametrize("extreme", [60, 91, 10**9, 45.5])
def test_one_extreme_number_changes_no_range(extreme: float) -> None:
    """Neither an edge nor, where one number has a fraction, the words of all ranges."""
    usual, told = display_of("number", ages(45)), display_of("number", ages(extreme))
    assert (told.labels, told.edges) == (usual.labels, usual.edges)
    assert (told.labels[0][:8], told.labels[-1][:9]) == ("at most ", "at least ")


def test_one_extreme_date_changes_no_range() -> None:
    """The first range has no beginning, and the last one no end."""
    days = [f"{1980 + one // 3}-06-01" for one in range(59)]
    usual, told = display_of("date", [*days, "1985-01-01"]), display_of("date", [*days, "1929-02-01"])
    assert (told.labels, told.edges) == (usual.labels, usual.edges)
    assert told.labels == ("up to 1986-06", "1986-07 or later")


@pytest.mark.parametrize("count", [0, 19, 39])
def test_numbers_of_fewer_people_than_two_ranges_need_are_not_shown(count: int) -> None:
    assert display_of("number", list(range(count))).n == 0


def test_numbers_with_fractions_are_said_to_end_before_the_next_range() -> None:
    labels = display_of("number", [place / 10 for place in range(100)]).labels
    assert (labels[0], labels[-1][:9]) == ("below 2", "at least ")
    assert all(" to below " in label for label in labels[1:-1])
