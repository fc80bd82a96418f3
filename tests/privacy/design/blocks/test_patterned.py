"""Patterned blocks: sets of places in a public order that are turned over by a table."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, inf

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.design import ONE, Design
from privacy.design.blocks import matrix
from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.blocks.patterned.tables import by_size, likely_masks, walsh
from privacy.design.channels.orders import places_in_order
from privacy.design.gammas import of_matrix
from privacy.design.parameters import parameters
from privacy.errors import InputError
from tests.privacy.channels import even_words

TABLE = [0.5, 0.2, 0.1, 0.2]
ITEMS = [{"id": name} for name in "abcd"]


def block(
    table: list[float], items: list[dict[str, str]] = ITEMS, ask: int | None = 2, even: bool = False
) -> PatternedBlock:
    asked = ({} if ask is None else {"ask": ask}) | ({"order": "even"} if even else {})
    made = Design.parse({"blocks": [{"patterned": table, "items": items, **asked}]}).blocks[0]
    assert isinstance(made, PatternedBlock)
    return made


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], int, int]:
    """A table in which no place is turned over more often than not, how many items there are and are asked."""
    items = draw(st.integers(1, 6))
    ask = draw(st.integers(1, min(items, 3)))
    shares = draw(st.lists(st.integers(1, 50), min_size=2**ask, max_size=2**ask))
    shares[0] += sum(shares)
    return [share / sum(shares) for share in shares], items, ask


@given(tables(), st.booleans())
def test_gamma_is_that_of_the_matrix_whatever_was_asked(drawn: tuple[list[float], int, int], even: bool) -> None:
    """γ and the γ of one answer are the largest ratios over all asked sets, by enumeration in fractions."""
    table, count, ask = drawn
    own = block(table, [{"id": f"i{j}"} for j in range(count)], ask, even)
    cells = [tuple(cell >> j & 1 for j in range(ask)) for cell in range(2**ask)]
    ofs = [[[own.chance(here, x, y) for y in cells] for x in cells] for here in combinations(range(count), ask)]

    assert max(map(of_matrix, ofs)) == own.gamma
    assert own.gamma == of_matrix(matrix(own))
    alone = [
        of_matrix([[sum(row[y] for y in range(2**ask) if cells[y][j] == a) for a in (0, 1)] for row in (m[0], m[2**j])])
        for m in ofs
        for j in range(ask)
    ]
    assert max(alone) == own.item_gamma(0)
    assert Design.parse(Design((own,), False).canonical()).blocks == (own,)
    assert Design.parse(Design((own,), False).to_json()).blocks == (own,)


def test_a_table_without_some_pattern_has_an_infinite_gamma() -> None:
    """Such a record rules out what lies that far away."""
    assert block([0.5, 0.5, 0.0, 0.0]).gamma == inf


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"patterned": [0.5, 0.5]},
            "blocks[0].patterned: 2 shares were given; the sets of 2 answers need 4 shares that sum to 1.",
        ),
        (
            {"patterned": [0.1, 0.2, 0.3, 0.4]},
            "blocks[0].patterned: the answer at place 0 is turned over in more than half of the cases; swap the "
            "shares of its sets.",
        ),
        (
            {"patterned": [0.25] * 4},
            "blocks[0].patterned: this table keeps nothing of any answer, so nothing could be recovered.",
        ),
        (
            {"items": [{"id": j} for j in "abcdef"], "ask": 6},
            "blocks[0].ask: 6 answers in an order are more than 5; ask fewer.",
        ),
        ({"order": "odd"}, "blocks[0].order: 'odd' is not 'even'."),
        (
            {"items": [{"id": f"i{j}"} for j in range(400)], "order": "even"},
            "blocks[0].order: there are too many sets of 2 answers for the even order; leave the order out.",
        ),
        (
            {"items": [{"id": "a"}, {"id": "b", "options": ["p", "q"]}]},
            "blocks[0].items[1]: 'b' is not a yes/no item without noise, as patterns need.",
        ),
    ],
)
def test_what_cannot_work_is_refused(change: dict[str, object], said: str) -> None:
    """One sentence, with the place and the rule."""
    with pytest.raises(InputError) as refused:
        Design.parse({"blocks": [{"patterned": TABLE, "items": ITEMS, "ask": 2} | change]})

    assert str(refused.value) == said


def test_the_order_is_a_function_of_what_was_asked() -> None:
    """Sets are numbered by Σ C(c_i, i), and set r stands in order r mod s!: three of six by hand."""
    here = np.array([[False, True, False, True, False, True], [True, True, True, False, False, False]])

    # 1, 3, 5: 1 + 3 + 10 = 14, order 2 of six is (1, 0, 2): the second item stands first. 0, 1, 2: number 0.
    assert places_in_order(here, 3).tolist() == [[-1, 1, -1, 0, -1, 2], [0, 1, 2, -1, -1, -1]]


@pytest.mark.parametrize(("items", "ask"), [(10, 4), (20, 5), (50, 3)])
def test_orders_come_about_as_often(items: int, ask: int) -> None:
    """Over all sets each order comes as often as any other, but for one in thirty of the largest count."""
    sets = np.array(list(combinations(range(items), ask)))
    here = np.zeros((len(sets), items), bool)
    np.put_along_axis(here, sets, True, axis=1)
    places = np.take_along_axis(places_in_order(here, ask), sets, axis=1)

    counts = Counter(map(tuple, places.tolist()))

    assert len(counts) == [0, 1, 2, 6, 24, 120][ask]
    assert max(counts.values()) / (len(sets) / len(counts)) < 1.9


@pytest.mark.parametrize(("items", "ask"), [(4, 4), (6, 3), (7, 2), (9, 4)])
def test_the_even_order_is_the_one_in_which_parts_have_stood_least_often(items: int, ask: int) -> None:
    """As written out with dictionaries, set by set."""
    for own, word in even_words(items, ask).items():
        here = np.isin(np.arange(items), own)[np.newaxis]
        assert places_in_order(here, ask, even=True)[0, list(own)].tolist() == list(map(word.index, range(ask)))


@pytest.mark.parametrize(("items", "ask"), [(10, 4), (12, 3), (20, 4)])
def test_in_the_even_order_every_pair_stands_everywhere_about_as_often(items: int, ask: int) -> None:
    """At the likeliest places of any pair it stands at most twice as often as at the rarest, which it never misses; in
    the order by numbers some pair misses some places."""
    sets = np.array(list(combinations(range(items), ask)))
    here = np.zeros((len(sets), items), bool)
    np.put_along_axis(here, sets, True, axis=1)

    def spread(even: bool) -> float:
        at = 1 << np.take_along_axis(places_in_order(here, ask, even), sets, axis=1)
        often: Counter[tuple[int, int, int]] = Counter()
        for i, j in combinations(range(ask), 2):
            often.update(zip(sets[:, i].tolist(), sets[:, j].tolist(), (at[:, i] | at[:, j]).tolist(), strict=True))
        places = [sum(1 << place for place in two) for two in combinations(range(ask), 2)]
        pairs = [[often[*pair, place] for place in places] for pair in combinations(range(items), 2)]
        return max(max(pair) / max(min(pair), 0.1) for pair in pairs)

    assert spread(True) <= 2 < spread(False)


@pytest.mark.parametrize(
    ("gamma", "items", "length", "ask", "error"),
    [
        (19.0, 20, 2, 4, 0.0305),
        (19.0, 20, 3, 5, 0.0439),
        (19.0, 50, 3, 5, 0.1499),
        (np.e, 10, 2, 4, 0.0566),
        (np.e, 20, 2, 5, 0.1027),
        (np.e, 20, 3, 4, 0.1584),
        (np.e, 50, 2, 3, 0.2302),
        (np.e, 50, 3, 4, 0.5199),
    ],
)
def test_the_tables_found_have_the_errors_of_the_study(
    gamma: float, items: int, length: int, ask: int, error: float
) -> None:
    """Standard errors at n = 10 000 of independent answers of prevalence ½, as decisions 31 and 43 have them."""
    high = likely_masks(items, ask, gamma, length)
    table = np.array([gamma if mask in high else 1.0 for mask in range(2**ask)])
    known = by_size(walsh(table / table.sum()) ** 2)

    worst = max(
        sum(comb(size, m) * comb(items, ask) / comb(items - m, ask - m) / known[m] for m in range(1, size + 1))
        / 4**size
        for size in range(1, length + 1)
    )

    assert round((worst / 10_000) ** 0.5, 4) == error


@pytest.mark.parametrize("gamma", ["1.5", "2.718281828", "19"])
def test_a_model_by_gamma_keeps_its_gamma_exactly(gamma: str) -> None:
    """The exact γ is at most the one asked for, and as near as steps of 2^-32 allow."""
    model = {"model": "patterned", "gamma": float(gamma), "ask": 4, "items": [f"i{j}" for j in range(10)]}
    made = Design.parse(model)

    assert 0 <= Fraction(gamma) - Fraction(made.gamma) < Fraction(1, 10**6)
    assert sum(made.document["blocks"][0]["patterned"]) == ONE


def test_a_caption_has_no_thirty_two_numbers() -> None:
    """Of a long table it holds the first chances, and how many there are."""
    made = Design.parse({"model": "patterned", "gamma": 9, "ask": 5, "items": [f"i{j}" for j in range(12)]})

    assert parameters(made, ["i3"]) == "patterned = (0.1406, 0.1406, 0.01562, … 32), ask = 5/12"
