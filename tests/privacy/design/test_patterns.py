"""Patterns are read, merged, refused and written back."""

import pytest

from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError

DESIGN = Design.parse(
    {
        "blocks": [
            {
                "keep": 0.3,
                "items": [
                    {"id": "drugs", "theta": 0.6},
                    {"id": "age", "options": ["18-29", "30-49", "50+"], "noise": [0.4, 0.4, 0.2]},
                    {"id": "cheating", "theta": 0.6},
                ],
            }
        ]
    }
)


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("drugs", ((0, {1}),)),
        ("!drugs", ((0, {0}),)),
        ("drugs=0", ((0, {0}),)),
        ("age=30-49", ((1, {1}),)),
        ("!age=30-49", ((1, {0, 2}),)),
        (" cheating , drugs ", ((0, {1}), (2, {1}))),
        ("drugs,!cheating,age=50+", ((0, {1}), (1, {2}), (2, {0}))),
        ("!age=18-29,!age=50+", ((1, {1}),)),
        ("drugs,drugs", ((0, {1}),)),
    ],
)
def test_a_pattern_is_its_literals_in_column_order(text: str, literals: tuple[tuple[int, set[int]], ...]) -> None:
    """Every form of a literal is understood, and literals on one item become one set of options."""
    assert parse_pattern(text, DESIGN).literals == literals


@pytest.mark.parametrize("text", ["drugs", "!drugs", "age=50+", "!age=50+", "drugs,age=30-49,!cheating"])
def test_a_pattern_is_written_as_it_is_read(text: str) -> None:
    """The text of a pattern gives the same pattern again."""
    assert parse_pattern(text, DESIGN).text(DESIGN) == text


def test_a_literal_that_all_answers_match_is_left_out() -> None:
    """Asking for any option of an item asks nothing."""
    every = Pattern.from_literals([(0, frozenset([1])), (1, frozenset([0, 1, 2]))], DESIGN)

    assert every == parse_pattern("drugs", DESIGN)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("drugs,!drugs", "Pattern 'drugs,!drugs': The literals on 'drugs' contradict each other."),
        ("age=18-29,age=50+", "Pattern 'age=18-29,age=50+': The literals on 'age' contradict each other."),
        (
            "sex",
            "Pattern 'sex': There is no item 'sex' in this design; its items are drugs, age, cheating.",
        ),
        ("age", "Pattern 'age': 'age' is not yes/no; write age=option with one of 18-29, 30-49, 50+."),
        ("age=17", "Pattern 'age=17': 'age' has no option '17'; its options are 18-29, 30-49, 50+."),
        (
            "drugs,,age=50+",
            "Pattern 'drugs,,age=50+': A literal is empty; "
            "write item, !item, item=option or !item=option between commas.",
        ),
    ],
)
def test_a_pattern_that_makes_no_sense_is_refused(text: str, said: str) -> None:
    """Each refusal is one sentence that names the pattern and the rule."""
    with pytest.raises(InputError) as refusal:
        parse_pattern(text, DESIGN)

    assert str(refusal.value) == said
