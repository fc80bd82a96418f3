"""β-likeness and δ-disclosure privacy are what their papers define, and the search finds every table that has them."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import log, log2

import numpy as np
import pytest

from privacy.errors import InputError
from privacy.release.attributes import Quasi
from privacy.release.classes import tally
from privacy.release.hierarchies import by_rows
from privacy.release.methods.full_domain import CodedTable, generalise
from privacy.release.models import AnonymityModel
from privacy.release.models.conditions import DisclosurePrivacy, Likeness
from privacy.release.models.row import Condition
from privacy.release.specs import parse_spec
from tests.cases import every, first

AGES = by_rows([[str(age), str(age // 2), "*"] for age in range(4)], "age")
SEXES = by_rows([["f", "*"], ["m", "*"]], "sex")
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


@pytest.mark.parametrize(("condition", "defined"), every(2, DEFINED))
@pytest.mark.parametrize("allowed", first(1, [0, 3]))
def test_the_search_finds_every_table_that_has_it(
    condition: Condition, defined: Callable[[Shares, Shares], bool], allowed: int
) -> None:
    """Forty random tables: the nodes that hold are those of which each was tried by the definition."""
    random = np.random.default_rng(7)
    for _ in range(40):
        ages, sexes, ills = random.integers(0, 4, 14), random.integers(0, 2, 14), random.integers(0, 3, 14)
        among = shares_of(tuple(ills.tolist()))
        expected = []
        for node in product(range(3), range(2)):
            labels = list(zip(AGES.places[node[0]][ages], SEXES.places[node[1]][sexes], strict=True))
            classes = [
                tuple(ill for own, ill in zip(labels, ills.tolist(), strict=True) if own == label)
                for label in set(labels)
            ]
            if sum(len(own) for own in classes if not defined(among, shares_of(own))) <= allowed:
                expected.append(node)

        found = generalise(
            CodedTable([Quasi("age", AGES, ages), Quasi("sex", SEXES, sexes)], [ills]),
            AnonymityModel(1, (condition,)), allowed / 14, "penalty",
        )  # fmt: skip

        assert list(found.lattice.nodes()) == expected


def test_what_each_stops_and_does_not() -> None:
    """Basic β lets a common value become certain, enhanced not; δ alone forbids that a value is ruled out."""
    member = np.repeat([0, 1], [3, 3])
    certain = tally(member, np.array([0, 0, 0, 0, 1, 1]))  # 4 of 6 have the value 0, and everybody of a class
    gone = tally(np.repeat([0, 1], [4, 5]), np.array([0, 0, 1, 1, 0, 0, 1, 1, 2]))  # the class lacks the value 2

    assert [Likeness(kind, 1.0).holds(certain).tolist() for kind in ("basic", "enhanced")] == [
        [True, True], [False, True],
    ]  # fmt: skip
    assert Likeness("enhanced", 1.0).holds(gone).all()
    assert DisclosurePrivacy(1.0).holds(gone).tolist() == [False, True]


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
