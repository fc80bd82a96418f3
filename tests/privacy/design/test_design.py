"""Designs are read, checked, written and hashed."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from privacy.design import Design, Item
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.rationals import ONE, apportion, apportion_within, decimal, decimals, fraction, numerator
from privacy.errors import InputError
from tests.refusals import refusal_of

PAPER = """{"candor": 1, "direct": true,
 "blocks": [{"keep": 0.3, "items": [
   {"id": "drugs", "theta": 0.6},
   {"id": "age", "options": ["18-29", "30-49", "50+"], "noise": [0.4, 0.4, 0.2]}]}]}"""


def coin(**changes: Any) -> dict[str, Any]:
    return {"blocks": [{"keep": 0.3, "items": [{"id": "a", "theta": 0.6}]} | changes]}


def test_the_documented_example_is_read_into_exact_numerators() -> None:
    """θ is short for two options, and every share becomes a numerator over 2^32."""
    design = Design.parse(PAPER)

    age = Item("age", ("18-29", "30-49", "50+"), (1717986919, 1717986918, 858993459))
    drugs = Item("drugs", ("0", "1"), (1717986918, 2576980378))
    assert design == Design((CoinBlock((drugs, age), 1288490189),), direct=True)


def test_a_design_is_written_as_it_was_read() -> None:
    """Decimals survive: what a researcher wrote is what a colleague reads."""
    assert Design.parse(PAPER).to_json() == json.loads(PAPER)


def test_the_hash_is_of_fixed_bytes() -> None:
    """The canonical bytes are part of the format, so the hash of the documented example never changes."""
    assert Design.parse(PAPER).sha256 == "32afeccac3fe9dbab2cfe095bedbf98018fcde83996a4fdd91a8dac6f11ef125"


def test_a_sampled_block_asks_only_some_of_its_items() -> None:
    """`ask` is kept, and tells how many items one respondent answers."""
    items = [{"id": name, "theta": 0.5} for name in "abcd"]

    design = Design.parse(coin(ask=2, items=items))

    assert design.blocks[0].items_per_person == 2
    assert design.sampled


def test_columns_and_places_follow_the_order_of_the_items() -> None:
    """A column is found by name, and knows its block and its place in it."""
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b", "c"]})

    assert [design.column(name) for name in "abc"] == [0, 1, 2]
    assert [design.place(column) for column in range(3)] == [(0, 0), (1, 0), (2, 0)]


def test_an_unknown_item_is_refused_with_the_items_there_are() -> None:
    """The sentence names what was asked for and what there is."""
    with pytest.raises(InputError, match=r"^There is no item 'cars' in this design; its items are drugs, age\.$"):
        Design.parse(PAPER).column("cars")


REFUSALS = [
    ("", "The design is not JSON: expecting value at line 1, column 1."),
    ("[" * 100_000, "The design is nested too deeply."),
    (b"\xff{}", "The design is not UTF-8 text (byte 0)."),
    ("[1]", "the design: [1] is not an object with named fields."),
    ('{"a": 1, "a": 2}', "The key 'a' appears twice in one object."),
    ('{"direct": NaN}', "NaN is not a number that JSON knows."),
    ({"candor": 2}, "candor: 2 is not a version that this program reads; it reads 1."),
    ({"direct": 1}, "direct: 1 is not true or false."),
    ({"block": []}, "design: the key 'block' is unknown here; known keys are candor, direct, blocks."),
    ({"blocks": []}, "design.blocks: the list is empty; it needs at least one entry."),
    ({"candor": True, "direct": True, "of": 2**32, "blocks": []}, "An exact design needs candor: 1 and direct: true or "
     "false."),
    ({"candor": 1, "direct": True, "of": 2.0**32, "blocks": []}, "of: 4294967296.0 is not the denominator 4294967296 "
     "that exact designs have."),
    (coin(keep=1.2), "blocks[0].keep: 1.2 is outside 0 to 1."),
    (coin(keep="x"), "blocks[0].keep: 'x' is not a number."),
    (coin(keep=True), "blocks[0].keep: True is not a number."),
    ('{"blocks": [{"keep": ' + "9" * 400 + ', "items": []}]}', f"blocks[0].keep: {'9' * 57}… is too large a number."),
    ('{"blocks": [{"keep": 1e999, "items": []}]}', "blocks[0].keep: 1e999 is too large a number."),
    (coin(keep=1e-12), "blocks[0].keep: 1e-12 is closer to 0 than steps of 2^-32 allow."),
    (coin(keep=0), "blocks[0].keep: 0 keeps no answer, so nothing could be recovered without a direct group."),
    (coin(items=[]), "blocks[0].items: the list is empty; it needs at least one entry."),
    (coin(ask=2), "blocks[0].ask: 2 is not from 1 to the 1 items of the block."),
    (coin(ask=1.5), "blocks[0].ask: 1.5 is not a whole number."),
    (coin(coin="each"), "blocks[0].coin: 'each' needs ask; without ask, give every item its own block."),
    (coin(coin="own"), "blocks[0].coin: 'own' is neither 'shared' nor 'each'."),
    (coin(items=[{"id": "a", "theta": 0.5}] * 2), "blocks[0]: the item 'a' is already in blocks[0]."),
    (coin(items=[{"id": "a"}]), "blocks[0].items[0]: options is missing (an item has theta, or options and noise)."),
    (coin(items=[{"id": "direct", "theta": 0.5}]), "blocks[0].items[0].id: 'direct' is the name of the column of the "
    "direct group; choose another name."),
    (coin(items=[{"id": "!a", "theta": 0.5}]), "blocks[0].items[0].id: '!a' is empty, begins with '!', or holds ',', "
     "'=', edge spaces or controls."),
    (coin(items=[{"id": "a", "options": ["x"], "noise": [1]}]), "blocks[0].items[0].options: the number of "
     "options, 1, is outside 2 to 254; an item with one option would say nothing."),
    (coin(items=[{"id": "a", "options": ["x", "x"], "noise": [0.5, 0.5]}]), "blocks[0].items[0].options: the option "
     "'x' appears twice."),
    (coin(items=[{"id": "a", "options": ["x", "y"], "noise": [0.5, 0.4]}]), "blocks[0].items[0].noise: the shares "
     "[0.5, 0.4] sum to 0.9, not to 1."),
    (coin(items=[{"id": "a", "options": ["x", "y", "z"], "noise": [0.5, 0.5]}]), "blocks[0].items[0].noise: 2 shares "
     "do not fit the 3 options of 'a'."),
    ({"blocks": [{"flips": [0.5, 0.5], "items": [{"id": "a"}]}]}, "blocks[0].flips: this table keeps nothing of any "
    "answer, so nothing could be recovered."),
    ({"blocks": [{"flips": [0.6, 0.3, 0.1], "items": [{"id": "a"}]}]}, "blocks[0].flips: 3 shares were given; 0 to 1 "
    "turned answers need 2 shares that sum to 1."),
    ({"blocks": [{"flips": [0.7, 0.3], "items": [{"id": "a", "theta": 0.5}]}]}, "blocks[0].items[0]: the key 'theta' "
     "is unknown here; known keys are id, options."),
    ({"blocks": [{"flips": [0.7, 0.3], "items": [{"id": "a", "options": ["x", "y"]}]}]}, "blocks[0].items[0]: 'a' is "
     "not a yes/no item without noise, as flips need."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "sentence"), REFUSALS, ids=[sentence[:50] for _, sentence in REFUSALS])
def test_a_design_that_breaks_a_rule_is_refused_in_one_sentence(source: Any, sentence: str) -> None:
    """The sentence names the field, the value and the rule."""
    assert refusal_of(lambda: Design.parse(source)) == sentence


# Probabilities are exact numerators over 2^32.


def test_a_number_means_what_was_written() -> None:
    """0.3 is three tenths, not the binary double beside it."""
    assert fraction(0.3) == Fraction(3, 10)


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=12).filter(any))
def test_apportioned_numerators_sum_to_one_and_stay_within_one_of_their_share(weights: list[int]) -> None:
    """Largest remainders lose nothing and move no share by a whole step."""
    shares = [Fraction(weight, sum(weights)) for weight in weights]

    numerators = apportion(shares)

    assert sum(numerators) == ONE
    assert all(abs(value - share * ONE) < 1 for value, share in zip(numerators, shares, strict=True))


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=12), st.integers(0, 1000))
def test_numerators_apportioned_within_bounds_sum_to_one_and_stay_within_them(weights: list[int], slack: int) -> None:
    """Each is nearest to its share of 2^32, but for what is moved to make the sum."""
    shares = [Fraction(weight * ONE, sum(weights)) for weight in weights]
    least, most = [int(share) - slack for share in shares], [int(share) + 1 + slack for share in shares]

    table = apportion_within(shares, least, most, weights)

    assert table is not None
    assert sum(table) == ONE
    assert all(low <= value <= high for low, value, high in zip(least, table, most, strict=True))
    assert sum(abs(value - round(share)) for value, share in zip(table, shares, strict=True)) <= len(weights) / 2


def test_what_rounding_leaves_over_goes_where_it_is_said_to_go_first() -> None:
    """A third of 2^32 three times leaves one over."""
    third, few, many = [Fraction(ONE, 3)] * 3, [0] * 3, [ONE] * 3

    assert apportion_within(third, few, many, [0, 2, 1]) == (ONE // 3, ONE // 3 + 1, ONE // 3)
    assert apportion_within(third, few, [ONE, ONE // 3, ONE], [0, 2, 1]) == (ONE // 3, ONE // 3, ONE // 3 + 1)


def test_no_numerators_are_apportioned_within_bounds_that_none_fit() -> None:
    """Bounds that cross, and bounds in which nothing sums to 2^32."""
    halves = [Fraction(ONE, 2)] * 2

    assert apportion_within(halves, [5, 0], [4, ONE], [1, 1]) is None
    assert apportion_within(halves, [0, 0], [ONE // 2, ONE // 2 - 1], [1, 1]) is None


@given(st.integers(0, ONE))
def test_a_numerator_survives_being_written_as_a_decimal(value: int) -> None:
    """The shortest decimal is read back as the same numerator."""
    assert numerator(fraction(decimal(value))) == value


@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=8))
def test_a_list_of_numerators_survives_being_written_as_decimals(weights: list[int]) -> None:
    """The decimals are read back as the same list, ties and leftovers included."""
    numerators = apportion([Fraction(weight, sum(weights)) for weight in weights])

    assert apportion([fraction(value) for value in decimals(numerators)]) == numerators


def test_plain_decimals_stay_plain() -> None:
    """What a person wrote as .4, .4, .2 is shown so again."""
    assert decimals(apportion([Fraction(2, 5), Fraction(2, 5), Fraction(1, 5)])) == [0.4, 0.4, 0.2]


# Patterns are read, merged, refused and written back.


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
        ("sex", "Pattern 'sex': There is no item 'sex' in this design; its items are drugs, age, cheating."),
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
    assert refusal_of(lambda: parse_pattern(text, DESIGN)) == said
