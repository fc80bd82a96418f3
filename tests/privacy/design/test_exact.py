"""Probabilities are exact numerators over 2^32."""

from fractions import Fraction

from hypothesis import given, strategies as st

from privacy.design.rationals import ONE, apportion, apportion_within, decimal, decimals, fraction, numerator


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
