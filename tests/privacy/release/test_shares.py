"""β-likeness and δ-disclosure privacy are what their papers define, and the search finds every table that has them."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import log, log2

import numpy as np
import pytest

from privacy.errors import InputError
from privacy.release.classes import tally
from privacy.release.models.conditions import DisclosurePrivacy, Likeness
from privacy.release.models.row import Condition
from privacy.release.specs import parse_spec
from tests.cases import every

Shares = dict[int, Fraction]


def gains(among: Shares, own: Shares, beta: float, *, enhanced: bool) -> bool:
    """Whether no gain (q − p) / p is above β, and where enhanced none above −ln p."""
    return all(
        (share - among[value]) / among[value] <= min(beta, -log(among[value]) if enhanced else beta) + 1e-9
        for value, share in own.items()
    )


def bits(among: Shares, own: Shares, delta: float) -> bool:
    """Whether each value of the table is there, and its share less than δ bits away."""
    return all(value in own and abs(log2(own[value] / p)) < delta - 1e-9 for value, p in among.items())


DEFINED: list[tuple[Condition, Callable[[Shares, Shares], bool]]] = [
    (Likeness("basic", 0.5), lambda among, own: gains(among, own, 0.5, enhanced=False)),
    (Likeness("basic", 1.0), lambda among, own: gains(among, own, 1.0, enhanced=False)),
    (Likeness("enhanced", 1.0), lambda among, own: gains(among, own, 1.0, enhanced=True)),
    (Likeness("enhanced", 3.0), lambda among, own: gains(among, own, 3.0, enhanced=True)),
    (DisclosurePrivacy(1.0), lambda among, own: bits(among, own, 1.0)),
    (DisclosurePrivacy(1.7), lambda among, own: bits(among, own, 1.7)),
]


def shares_of(values: tuple[int, ...]) -> Shares:
    return {value: Fraction(count, len(values)) for value, count in Counter(values).items()}


@pytest.mark.parametrize(("condition", "defined"), every(2, DEFINED))
def test_a_class_holds_where_the_definition_does(
    condition: Condition, defined: Callable[[Shares, Shares], bool]
) -> None:
    """In all tables of two classes with up to four records each, of three values; and two that hold may be merged."""
    some = [own for size in range(1, 5) for own in combinations_with_replacement(range(3), size)]
    for one, other in product(some, repeat=2):
        member = np.repeat([0, 1], [len(one), len(other)])
        among = shares_of(one + other)

        held = condition.holds(tally(member, np.array(one + other))).tolist()

        assert held == [defined(among, shares_of(one)), defined(among, shares_of(other))]
        assert condition.holds(tally(np.zeros_like(member), np.array(one + other))).all()


@pytest.mark.parametrize("condition", [Likeness("basic", 1.0), Likeness("enhanced", 1.0), DisclosurePrivacy(1.0)])
def test_three_classes_that_hold_hold_when_two_are_merged_and_one_that_fails_can_spoil(condition: Condition) -> None:
    """In 3 000 random tables of three classes: the search may conclude upwards only where nothing is suppressed."""
    random, spoilt = np.random.default_rng(5), 0
    for _ in range(3000):
        member = np.repeat([0, 1, 2], random.integers(2, 9, 3))
        secret = random.integers(0, 3, len(member))
        apart, merged = (condition.holds(tally(own, secret)) for own in (member, np.minimum(member, 1)))
        assert merged[1] or not (apart[1] and apart[2])
        spoilt += bool(apart[1] and not apart[2] and not merged[1])

    assert condition.can_spoil
    assert spoilt > 0


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ({"beta": {"kind": "strong", "beta": 1}}, "model.beta.kind: 'strong' is not one of basic, enhanced."),
        ({"beta": {"beta": 0}}, "model.beta.beta: 0 is not above 0."),
        ({"beta": 1}, "model.beta: 1 is not an object with named fields."),
        ({"disclosure": -1}, "model.disclosure: -1 is not above 0."),
    ],
)
def test_wrong_limits_are_refused_in_one_sentence(model: dict[str, object], sentence: str) -> None:
    """The sentence names the member, the value and the rule."""
    with pytest.raises(InputError) as refused:
        parse_spec({"attributes": {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}}, "model": model})

    assert str(refused.value) == sentence
