"""Guesses of how common answers are, before a survey."""

import json
from fractions import Fraction
from typing import Any

import pytest

from privacy.errors import InputError
from privacy.plan import ExpectedItem
from privacy.plan.request import advise, with_earlier, with_guesses

ITEMS = (ExpectedItem("drugs"), ExpectedItem("phone", ("never", "once", "often")))
TENTH, HALF = (0.9, 0.1), (0.5, 0.5)


@pytest.mark.parametrize(
    ("prevalence", "expected"),
    [
        ("rare", (TENTH, (0.8, 0.1, 0.1))),
        ([0.5, "some"], (HALF, (0.5, 0.25, 0.25))),
        ({"phone": {"once": "some", "often": 0.125}, "drugs": "rare"}, (TENTH, (0.625, 0.25, 0.125))),
        ({"phone": {"often": 0.25, "never": 0.5, "once": "some"}, "drugs": {"1": 0.5}}, (HALF, (0.5, 0.25, 0.25))),
    ],
)
def test_a_guess_says_how_common_each_option_is(prevalence: Any, expected: tuple[tuple[float, ...], ...]) -> None:
    """One share is that of yes and of each option but the first; by its name each has its own, and one the rest."""
    assert tuple(one.expected for one in with_guesses(ITEMS, prevalence)) == expected


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        ("most", "prevalence['phone']: 0.75 for each of 2 options, all but 'never', is above 1 in all."),
        ({"twice": 0.1}, "prevalence['phone']: 'twice' is no option."),
        (
            {"once": 0.1},
            "prevalence['phone']: 'never' and 'often' have no share; one option may be left to take the rest.",
        ),
        ({"once": 0.5, "often": 0.75}, "prevalence['phone']: the shares add up to 1.25, not to 1."),
        ({"never": 0.25, "once": 0.25, "often": 0.25}, "prevalence['phone']: the shares add up to 0.75, not to 1."),
        (
            {"once": "few", "often": 0.1},
            "prevalence['phone']['once']: 'few' is neither a number nor one of very rare, rare, some, half, most.",
        ),
    ],
)
def test_shares_that_do_not_fit_the_options_are_refused(guess: Any, said: str) -> None:
    """In one sentence with the item, the option and the rule."""
    with pytest.raises(InputError) as refused:
        with_guesses(ITEMS, {"drugs": "rare", "phone": guess})

    assert str(refused.value) == said


def test_the_advice_on_options_follows_the_guess() -> None:
    """Where each is rare, one word of a list is best; where the guess says nothing of that, it is not offered."""
    items = {f"q{number}": ["no", "yes", "skip"] for number in range(8)}
    own = {name: {"yes": 0.05, "skip": "very rare"} for name in items}
    guesses: list[Any] = [None, "some", "very rare", own]

    families = [
        advise(items, 10_000, Fraction(19), length=1, prevalence=one).to_frame()["family"][0] for one in guesses
    ]

    assert [family == "one of yours" for family in families] == [False, False, True, True]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"support": 5}, r"report\.patterns\[0\]\.support: 5 is"),
        ({"support": -3}, r"report\.patterns\[0\]\.support: -3 is"),
        ({"support": 0.1, "se": -1}, r"report\.patterns\[0\]\.se: -1 is below 0"),
    ],
)
def test_a_report_with_what_no_report_has_is_refused(entry: dict[str, float], said: str) -> None:
    """An estimate of few people may be a little below 0, and not −3."""
    report = json.dumps({"patterns": [{"pattern": "drugs", **entry}]})
    with pytest.raises(InputError, match=f"^{said}"):
        with_earlier([ExpectedItem("drugs")], report)
