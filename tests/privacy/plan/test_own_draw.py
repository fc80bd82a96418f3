"""Own draws that are advised: usual ones for each number of questions, and figures worked out elsewhere."""

from fractions import Fraction

import pytest

import candor
from privacy.design.brief import Brief, yes_no
from privacy.errors import InputError
from privacy.plan.own_draw import OwnChoice, own_draws

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
    assert "only if more than 56 % of" in str(advice)


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


def test_one_answer_alone_is_protected_by_the_triangular_design() -> None:
    """Where only a yes is to be hidden."""
    advice = candor.advise(1, 1000, 5, one_sided=True, by="person")

    assert {one.names[0] for one in advice.choices} == {"triangular"}
    assert advice.design.odds <= 5
