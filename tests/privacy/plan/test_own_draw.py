"""Own draws that are advised: usual ones for each number of questions, and figures worked out elsewhere."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

import candor
from benchmarks.validation_people import PLAIN, people_for_false_positives, people_per_arm, variance_of_one
from privacy.design.brief import Brief, yes_no
from privacy.errors import InputError
from privacy.plan.own_draw import OwnChoice, own_draws
from privacy.plan.verdict import SHARES, compare_plain, fewest_people, gamma_of, most_hiding, next_promises
from tests.privacy.plan.printed import printed_sides

USUAL = {
    1: ("crosswise", "day", "fact: 8 of 31"),
    2: ("unrelated", "die", "truth: 4 of 6"),
    3: ("unrelated", "die", "truth: 4 of 6"),
    4: ("unrelated", "die", "truth: 4 of 6"),
    10: ("unrelated", "die", "truth: 4 of 6"),
}


@pytest.mark.parametrize("items", USUAL)
def test_the_usual_draw_needs_what_people_have_at_hand(items: int) -> None:
    """It is recommended where the promise allows it; of more than three questions three are asked by lot."""
    advice = candor.advise(items, 1000, 19, by="person")

    assert advice.choice.names == USUAL[items]
    assert advice.choice.questions_per_person == min(items, 3)


@pytest.mark.parametrize("items", [1, 2, 4, 7])
@pytest.mark.parametrize("gamma", [3, 9, 19])
def test_every_draw_keeps_the_promise_at_its_worst_chances(items: int, gamma: float) -> None:
    """None is above it, and the first has the least error."""
    advice = candor.advise(items, 1000, gamma, by="person")

    errors = [advice.error(one) for one in advice.choices]
    assert all(one.design.gamma <= gamma for one in advice.choices)
    assert errors == sorted(errors)


@pytest.mark.parametrize(
    ("items", "names", "prevalence", "share", "pair"),
    [
        (2, ("unrelated", "die", "truth: 3 of 6"), 0.05, 3404, 1883),
        (2, ("unrelated", "die", "truth: 3 of 6"), 0.2, 3884, 2117),
        (3, ("unrelated", "die", "truth: 4 of 6"), 0.05, 1537, 747),
        (3, ("unrelated", "die", "truth: 4 of 6"), 0.2, 2017, 940),
        (4, ("unrelated", "die", "truth: 3 of 6"), 0.2, 3884, 2117),
    ],
)
def test_people_for_three_points_are_those_worked_out_elsewhere(
    items: int, names: tuple[str, str, str], prevalence: float, share: int, pair: int
) -> None:
    """From the errors of a share and of a pair, by 1.96 standard errors."""
    choice = _usual(items, names, prevalence)

    needed = [1000 * (1.959964 * error / 0.03) ** 2 for error in choice.errors.expected]

    assert needed[0] == pytest.approx(share, abs=1)
    assert needed[1] == pytest.approx(pair, abs=1)


def _usual(items: int, names: tuple[str, str, str], prevalence: float) -> OwnChoice:
    """The choice of these names that asks all, of whatever promise lets it win its kind."""
    advised = (own_draws(Brief(yes_no(items, prevalence=prevalence), 1000, Fraction(gamma), 2)) for gamma in (6, 9, 18))
    return next(
        one for advice in advised for one in advice.choices if (one.names, one.questions_per_person) == (names, items)
    )


def test_a_plain_question_is_better_unless_enough_would_hide() -> None:
    """At 5 %, chances of 3/4 and 1/4 and 1 000 people: only if more than 56 % of those concerned would hide."""
    advice = candor.advise(2, 1000, 8, prevalence=0.05, by="person")

    assert advice.choice.names == ("unrelated", "die", "truth: 3 of 6")
    assert advice.hiding == pytest.approx(0.5570796819551397, abs=1e-9)
    assert "a plain question errs less, unless 56 of 100 of those concerned" in str(advice)


def test_people_needed_are_those_of_the_verdict() -> None:
    """The table and the sentences say one number."""
    advice = candor.advise(1, 1000, 19, prevalence=0.05, by="person")

    (shares,) = advice.verdict.aims

    assert advice.people(advice.choice) == shares.needed


def test_questions_with_options_are_refused() -> None:
    """People draw for yes and no."""
    with pytest.raises(InputError, match="'age' has options; people draw for yes/no answers alone"):
        candor.advise({"age": ["young", "old", "very old"]}, 1000, 19, by="person")


def test_a_promise_that_no_draw_keeps_is_refused() -> None:
    """The sentence says what to do."""
    with pytest.raises(InputError, match=r"gamma: at 1\.01 there is no draw with what people have at hand"):
        candor.advise(3, 1000, 1.01, by="person")


# When a plain question errs less than an own draw, and how many people a comparison of both needs.


# By γ and share: with 300, 1 000 and 5 000 people.
HIDING = {
    (3, "1/20"): (None, 0.5570796819551397, 0.24678044844016928),
    (3, "1/5"): (0.2554846796481768, 0.13850888551976445, 0.061544163287671386),
    (5, "1/20"): (0.6773763426570136, 0.3628540137334639, 0.15994030536285145),
    (5, "1/5"): (0.16673848979116293, 0.08994682261618414, 0.03983362294937632),
}
# People in each arm for differences of .05 and .1: own against device, own against plain.
ARMS = {
    (3, "1/20"): (7139, 1785, 4784, 1196),
    (3, "1/5"): (7315, 1829, 4960, 1240),
    (5, "1/20"): (3148, 787, 2167, 542),
    (5, "1/5"): (3634, 909, 2653, 663),
}


def symmetric(gamma: int) -> tuple[float, float]:
    return gamma / (gamma + 1), 1 / (gamma + 1)


@pytest.mark.parametrize("cell", HIDING)
def test_a_plain_question_is_better_until_this_share_hides(cell: tuple[int, str]) -> None:
    """The published table; None where an own draw never errs less."""
    chances, share = symmetric(cell[0]), float(Fraction(cell[1]))

    found = [
        most_hiding(n, share, math.sqrt(variance_of_one(chances, share, corrected=False) / n))
        for n in (300, 1000, 5000)
    ]

    assert found == pytest.approx(HIDING[cell], abs=1e-9)


@pytest.mark.parametrize("cell", ARMS)
def test_arms_need_so_many_people(cell: tuple[int, str]) -> None:
    """Whole people are rounded up where the table rounds."""
    chances, share = symmetric(cell[0]), float(Fraction(cell[1]))
    own, device, plain = (
        variance_of_one(one, share, corrected=here) for one, here in ((chances, True), (chances, False), (PLAIN, False))
    )

    found = [people_per_arm(apart, own, other) for other in (device, plain) for apart in (0.05, 0.1)]

    assert found == pytest.approx(ARMS[cell], abs=1)


def test_a_never_true_question_finds_false_positives() -> None:
    """2 399 (609) people at γ 3 and 1 025 (266) at γ 5 for .05 (.1)."""
    found = [people_for_false_positives(symmetric(gamma), share) for gamma in (3, 5) for share in (0.05, 0.1)]

    assert found == pytest.approx([2399, 609, 1025, 266], abs=1)


# What is said beside a verdict: other promises, a wrong guess, the least that any way needs, and a plain question.


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
