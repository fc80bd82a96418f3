"""Mean and median of scales and numbers that were not disguised: right, and no more than the bars tell."""

from typing import Any

import numpy as np
import pytest
from django.urls import reverse
from scipy import stats

from surveys.displays import Display, Middle
from surveys.questions import Answers, PublishedQuestion, type_of
from surveys.questions.make_displays import AnswerRanges, middle as of_groups
from surveys.questions.question import Given
from tests.surveys.documents import WORDS
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody, visit

STEPS = tuple(map(str, range(11)))


def display_of(type_: str, given: Any, least: int = 20, **own: Any) -> Display:
    question = PublishedQuestion("asked", type_, sensitive=False, **own)
    entry = {"id": "asked", "type": type_, "text": WORDS}
    different, times = np.unique(given, return_counts=True)
    answers = Answers(question, entry, "en", Given(different.tolist(), times), None, least)  # type: ignore[arg-type]
    (made,) = type_of(question).displays(answers)
    return made


def scale(counts: list[int]) -> Display:
    return display_of("scale", np.repeat(STEPS[: len(counts)], counts), options=STEPS[: len(counts)], min=0)


def middle(display: Display) -> Middle:
    assert display.middle is not None
    return display.middle


def interval(values: np.ndarray, *ends: float) -> tuple[float, float]:
    """Student's, as SciPy has it, with one more answer at each of these ends."""
    low, high = stats.ttest_1samp([*values, *ends], 0.0).confidence_interval(0.95)
    return float(low), float(high)


def test_a_scale_has_the_mean_interval_and_median_of_scipy() -> None:
    """Where every step is told, to the last digit."""
    counts = [21, 25, 30, 41, 60, 110, 150, 220, 200, 110, 70]
    values, told = np.repeat(np.arange(11), counts), middle(scale(counts))
    assert told.exact
    assert told.mean == pytest.approx(values.mean())
    assert (told.mean_low, told.mean_high) == pytest.approx(interval(values, 0, 10))
    assert (told.median_low, told.median_high) == (np.median(values), np.median(values))
    assert str(told) == "Mean 6.5 (6.3 to 6.6). Median 7."


@pytest.mark.parametrize("rare", [[25, 0, 0], [0, 0, 25], [5, 12, 8], [19, 1, 5]])
def test_steps_too_rare_to_be_named_stay_unknown_behind_the_mean(rare: list[int]) -> None:
    """However these people are spread, what is printed is the same, and holds the mean with its interval."""
    others = [30, 60, 110, 150]
    told = middle(scale([*others, *rare[:2], 90, rare[2]]))
    values = np.repeat(np.arange(8), [*others, *rare[:2], 90, rare[2]])
    assert told == middle(scale([*others, 8, 9, 90, 8]))
    assert not told.exact
    low, high = interval(values, 0, 7)
    assert told.mean_low <= low <= values.mean() <= high <= told.mean_high
    assert told.median_low <= np.median(values) <= told.median_high
    assert told.note == "Worked out from the figures that are shown, so that it tells no single answer."


@pytest.mark.parametrize(("rare", "n"), [(0.01, 60), (0.05, 60), (0.01, 500)])
def test_a_few_who_answer_far_from_the_others_are_allowed_for(rare: float, n: int) -> None:
    """In 400 surveys 95 % intervals hold the mean at least as often as 93 %, less 4.5 standard errors, of these."""
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        far = int(generator.binomial(n, rare))
        told = of_groups([AnswerRanges(0, 0, n - far), AnswerRanges(10, 10, far)], (0, 10))
        held += told.mean_low <= 10 * rare <= told.mean_high

    assert held / 400 >= 0.93 - 4.5 * np.sqrt(0.93 * 0.07 / 400)


def test_nothing_is_told_where_no_step_is() -> None:
    """A hundred people whom no step has twenty of."""
    assert scale([10] * 10).middle is None


@pytest.mark.parametrize("n", [50, 200, 5000])
def test_numbers_have_a_mean_that_holds_the_true_one(n: int) -> None:
    """Between two public ends the interval holds that of the numbers themselves, and the median is there, too."""
    values = np.random.default_rng(n).integers(18, 91, n)
    told = middle(display_of("number", values, min=18, max=99))
    low, high = interval(values, 18, 99)
    assert told.mean_low <= low <= values.mean() <= high <= told.mean_high
    assert told.median_low <= np.median(values) <= told.median_high
    assert (told.least, told.most) == (18, 99)


def test_many_numbers_have_a_mean_that_is_worth_something() -> None:
    """Of 20 000 whole numbers in ranges of five the middle is within half a range of the mean."""
    values = np.random.default_rng(3).integers(18, 91, 20_000)
    told = middle(display_of("number", values, min=18, max=90))
    assert told.mean is not None
    assert abs(told.mean - values.mean()) < 2
    assert told.mean_high - told.mean_low < 5


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        (np.random.default_rng(1).normal(22, 2, 1000).round().clip(17, 40), (0, 150)),
        (np.random.default_rng(2).poisson(6, 1000), (0, 168)),
    ],
)
def test_ends_that_nobody_is_near_make_no_mean(values: np.ndarray, ends: tuple[int, int]) -> None:
    """Ages of students up to 150, hours of a week: the report says between which numbers the mean lies, no middle."""
    told = middle(display_of("number", values, least=100, min=ends[0], max=ends[1]))
    assert told.mean is None
    assert told.mean_low <= values.mean() <= told.mean_high
    assert (told.median_low, told.median_high) == (np.median(values), np.median(values))
    assert str(told) == (
        f"The mean is between {told.mean_low:.0f} and {told.mean_high:.0f}: ranges tell no more of it. "
        f"Median {np.median(values):.0f}."
    )


def test_plausible_ends_make_a_mean_that_is_near() -> None:
    """The same ages between 16 and 30: within the error of ranges of the true mean."""
    values = np.random.default_rng(1).normal(22, 2, 1000).round().clip(17, 30)
    told = middle(display_of("number", values, least=20, min=16, max=30))
    assert told.mean is not None
    assert abs(told.mean - values.mean()) < 1
    assert told.mean_low <= values.mean() <= told.mean_high


def test_without_an_end_there_is_no_mean() -> None:
    """How far the numbers of the last range reach, nobody knows."""
    told = middle(display_of("number", [*range(20, 45)] * 4))
    assert told.mean is None
    assert str(told) == "No mean is shown: the question has no minimum or no maximum. Median from 30 to 34."


@pytest.mark.parametrize("extreme", [46, 91, 10**9])
def test_one_extreme_number_moves_neither_mean_nor_median(extreme: int) -> None:
    """It is in the last range, as any other."""
    usual = [*range(20, 45), *range(20, 45), *range(20, 45), 45]
    ends = {"min": 0, "max": 10**9}
    assert display_of("number", [*usual, extreme], **ends).middle == display_of("number", [*usual, 45], **ends).middle


def test_a_disguised_scale_and_options_in_words_have_none() -> None:
    """A mean is of numbers."""
    assert display_of("choice", np.repeat(["a", "b"], 50), options=("a", "b")).middle is None
    points = np.array([{"s": "1"}] * 50 + [{"s": "2"}] * 50)
    question = PublishedQuestion("asked", "matrix", False, items=("s",), options=("1", "2"))
    entry = {"id": "asked", "type": "matrix", "text": WORDS}
    answers = Answers(question, entry, "en", Given([points[0], points[50]], np.array([50, 50])), None, 20)  # type: ignore[arg-type]
    assert [display.middle for display in type_of(question).displays(answers)] == [None]


def test_the_report_shows_them_in_a_part_of_their_own() -> None:
    """Scale, number and statement with mean, median and picture, and none of their steps on the axis of shares."""
    version = survey_with_results()
    page = visit(somebody("view"), reverse("studio:results", args=[version.pk]))
    (_part, shown, _pictures) = page.context_data["parts"][0]
    assert [
        (each.title, each.middle.best_guess, each.middle.without_mean, each.middle.median)
        for each in shown["undisguised"]
    ] == [
        ("How are you?", "3.00", "", "Median 3."),
        ("Hours of sleep?", "7.1", "", "Median 7."),
        ("Do you agree? Exams are fair.", "2.50", "", "Median 2.5."),
    ]
    assert not {"How are you?", "Hours of sleep?"} & {one.part for one in shown["scale"]}
