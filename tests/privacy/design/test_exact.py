"""Probabilities are exact numerators over 2^32."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from privacy.design.rationals import ONE, apportion, decimal, decimals, fraction, numerator


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
