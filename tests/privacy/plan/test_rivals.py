"""What is said beside a verdict: other promises, a wrong guess, the least that any way needs, and a plain question."""

import math
import re

import numpy as np
import pytest

import candor
from privacy.plan.verdict import SHARES, compare_plain, fewest_people, gamma_of, next_promises
from tests.privacy.plan.printed import printed_sides


def plain_error(hide: float, people: int, share: float) -> float:
    """Of a plain question from which so many of those concerned hide."""
    said = share * (1 - hide)
    return math.sqrt((share - said) ** 2 + said * (1 - said) / people)


def whole_number(text: str) -> int:
    return int(text.replace("\u202f", ""))


@pytest.mark.parametrize(("people", "share", "error"), [(800, 0.05, 0.028), (60, 0.2, 0.09), (5_000, 0.3, 0.01)])
def test_as_many_may_hide_as_make_a_plain_question_err_as_much(people: int, share: float, error: float) -> None:
    """Found again by trying every percent; where nobody errs more by saying that nobody does it, no number is named."""
    plain, anyway = (compare_plain(people, share, one) for one in (error, share))

    worse = next(hide for hide in range(101) if plain_error(hide / 100, people, share) >= error)
    assert (plain.hide, plain.is_better) == (worse, worse > 25)
    assert f"unless {worse} of 100 of those concerned or more" in str(plain.said[0])
    assert (anyway.hide, anyway.is_better) == (None, True)
    assert "however many hide the truth from it" in str(anyway.said[0])


@pytest.mark.parametrize("lasting", [0.0, 0.006])
def test_below_so_many_people_a_plain_question_from_which_a_quarter_hides_errs_less(lasting: float) -> None:
    """Found again by trying numbers: what is not bias falls as one over their number."""
    people, share, error = 800, 0.05, 0.028
    fewer = fewest_people(people, share, error, lasting)

    def disguised(n: int) -> float:
        return math.sqrt(lasting**2 + (error**2 - lasting**2) * people / n)

    exact = next(n for n in range(1, 10**6) if disguised(n) <= plain_error(0.25, n, share))
    assert fewer == exact


def test_no_number_is_named_where_the_bias_is_as_large_as_what_hides() -> None:
    """No number of people takes a bias away."""
    assert fewest_people(800, 0.05, 0.028, 0.013) is None


def test_one_question_has_the_number_of_the_page_on_evidence() -> None:
    """490 people of the table, which has steps of a tenth; harmless questions are asked plainly."""
    said = str(candor.advise(1, 500, 19, prevalence=0.05))

    (fewer,) = re.findall(r"errs less below ([\d\u202f]+) people", said)
    assert 490 / 1.1 < whole_number(fewer) <= 490
    assert "Where an answer can harm nobody, ask plainly." in said


@pytest.mark.parametrize(("people", "is_good"), [(400, False), (600, True)])
def test_no_aim_is_good_where_a_plain_question_errs_less(people: int, is_good: bool) -> None:
    """Shares are as exact as wanted, but a plain question is more so even if a quarter hide: one verdict says both."""
    verdict = candor.advise(1, people, 19, length=1, prevalence=0.05).verdict
    (aim,) = verdict.aims

    assert (aim.what, aim.met, verdict.is_good(aim)) == (SHARES, True, is_good)
    assert [*map(str, verdict.sentences())][3].startswith(f"With {people} people a plain question errs less, unless ")


def test_other_promises_have_the_widths_of_their_own_verdicts() -> None:
    """Of one question, whose best design is the only one there is: 33 % and 67 % beside 50 %."""
    at = {sure: candor.advise(1, 800, gamma_of(sure), prevalence=0.05).verdict.aims[0].figure for sure in (33, 50, 67)}

    said = str(candor.advise(1, 800, 19, prevalence=0.05))

    assert next_promises(19) == [33, 67]
    for sure in (33, 67):
        assert (
            f"from 5 % to at most {sure} %: shares ±{100 * at[sure]:.2g} points instead of ±{100 * at[50]:.2g}."
        ) in said


def test_a_guess_wrong_by_three_times_has_the_width_that_reports_print() -> None:
    """Of 30 simulated surveys of 300 people, of whom three times as many, or a third, say yes as guessed; seed 82."""
    advice = candor.advise(3, 300, 19, length=1, prevalence=0.09)
    ((less, few, more, many),) = re.findall(
        r"wrong by three times: ±([\d.]+) at ([\d.]+) %, ±([\d.]+) at ([\d.]+) %", str(advice)
    )

    printed = [100 * np.median(printed_sides(advice.design, share, 300, 30, 82)) for share in (0.03, 0.27)]

    assert (few, many) == ("3", "27")
    assert [float(less), float(more)] == pytest.approx(printed, rel=0.1)


def test_a_survey_to_stop_names_no_stronger_promise() -> None:
    """Nobody wants less of nothing."""
    said = str(candor.advise(10, 60, 19, prevalence=0.05))

    assert "Do not run this as it is." in said
    assert re.findall(r"to at most (\d+) %: ", said) == ["67"]
