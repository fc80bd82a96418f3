"""Named models become the blocks that docs/design.md gives for them."""

from fractions import Fraction
from math import prod
from typing import Any

import pytest

import candor
from privacy.design import Block, Design, Item
from privacy.design.blocks import matrix
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.grouped import GroupedBlock
from privacy.design.model_blocks import MODELS
from privacy.design.rationals import ONE
from privacy.errors import InputError
from tests.refusals import refusal_of


def blocks(**model: Any) -> tuple[Block, ...]:
    return Design.parse(model).blocks


def yes_no(name: str, theta: Fraction) -> Item:
    yes = round(theta * ONE)
    return Item(name, ("0", "1"), (ONE - yes, yes))


def share(p: float) -> int:
    return round(Fraction(repr(p)) * ONE)


HALF = Fraction(1, 2)
ABC = tuple("abc")


def test_warner_above_one_half_is_a_coin_over_even_noise() -> None:
    assert blocks(model="warner", theta=0.7, items=["a"]) == (CoinBlock((yes_no("a", HALF),), 2 * share(0.7) - ONE),)


def test_warner_below_one_half_is_a_flip() -> None:
    assert blocks(model="warner", theta=0.3, items=["a"]) == (FlipBlock((Item("a"),), (share(0.3), ONE - share(0.3))),)


def test_crosswise_is_warner_at_the_prevalence_of_the_innocent_fact() -> None:
    assert blocks(model="crosswise", prevalence=0.25, items=["a"]) == blocks(model="warner", theta=0.25, items=["a"])


def test_unrelated_question_has_a_coin_per_item_and_its_own_innocent_question() -> None:
    assert blocks(model="unrelated-question", p=0.5, theta=[0.1, 0.3], items=["a", "b"]) == (
        CoinBlock((yes_no("a", Fraction(1, 10)),), ONE // 2),
        CoinBlock((yes_no("b", Fraction(3, 10)),), ONE // 2),
    )


def test_forced_response_takes_the_unconditional_share_of_forced_yes() -> None:
    """p = 3/5 and yes = 1/10 leave a quarter of the noise for yes."""
    assert blocks(model="forced-response", p=0.6, yes=0.1, items=["a"]) == (
        CoinBlock((yes_no("a", Fraction(1, 4)),), share(0.6)),
    )


def test_any_binary_channel_is_a_coin_and_noise() -> None:
    """u = .8, v = .1: keep .7, and a third of the noise is yes."""
    assert blocks(model="binary", u=0.8, v=0.1, items=["a"]) == (CoinBlock((yes_no("a", Fraction(1, 3)),), share(0.7)),)


def test_the_improved_grouped_model_has_one_coin_for_all_items() -> None:
    assert blocks(model="improved-grouped", p=0.3, theta=0.6, items=list(ABC)) == (
        CoinBlock(tuple(yes_no(name, Fraction(3, 5)) for name in ABC), share(0.3)),
    )


def test_the_grouped_predecessor_is_a_kind_of_its_own_and_says_that_it_leaks() -> None:
    design = Design.parse({"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]})

    assert design.blocks == (GroupedBlock((Item("a"), Item("b")), share(0.3), share(0.6)),)
    assert [float(chance) for chance in matrix(design.blocks[0])[1]] == pytest.approx([0.28, 0.3, 0, 0.42])
    assert design.leaks


def test_k_ary_randomised_response_draws_evenly_among_the_options() -> None:
    (block,) = blocks(model="k-ary", p=0.5, items=[{"id": "a", "options": ["x", "y", "z", "w"]}])

    assert block == CoinBlock((Item("a", ("x", "y", "z", "w"), (ONE // 4,) * 4),), ONE // 2)


@pytest.mark.parametrize("gamma", [1.5, 3, 19, 1000])
def test_gamma_diagonal_stays_just_under_the_gamma_asked(gamma: float) -> None:
    """a = (γ−1)/(γ−1+|D|), rounded so that the exact γ is at most the one asked."""
    (block,) = blocks(model="gamma-diagonal", gamma=gamma, items=["a", {"id": "b", "options": ["x", "y", "z"]}])

    assert isinstance(block, CoinBlock)
    keep = Fraction(block.keep, ONE)
    rarest = prod(Fraction(min(item.noise or ()), ONE) for item in block.items)
    exact = 1 + keep / ((1 - keep) * rarest)
    assert Fraction(repr(gamma)) * (1 - Fraction(1, 10**6)) < exact <= Fraction(repr(gamma))
    assert block.keep / ONE == pytest.approx((gamma - 1) / (gamma - 1 + 6), abs=1e-8)


def test_flips_of_radius_zero_equal_one_coin_over_even_noise() -> None:
    """Keeping all answers more often than turning over any set is what a coin with θ = ½ does."""
    (flip,) = blocks(model="flip", gamma=19, radius=0, items=list(ABC))
    (coin,) = blocks(model="gamma-diagonal", gamma=19, items=list(ABC))

    assert isinstance(flip, FlipBlock)
    assert isinstance(coin, CoinBlock)
    keep = coin.keep / ONE
    assert flip.flips[0] / ONE == pytest.approx(keep + (1 - keep) / 8, abs=1e-8)
    assert flip.flips[3] / ONE == pytest.approx((1 - keep) / 8, abs=1e-8)


@pytest.mark.parametrize(
    "model",
    [
        {"model": "warner", "theta": 0.7},
        {"model": "unrelated-question", "p": 0.5, "theta": 0.1},
        {"model": "forced-response", "p": 0.6, "yes": 0.1},
        {"model": "crosswise", "prevalence": 0.75},
        {"model": "k-ary", "p": 0.4},
        {"model": "binary", "u": 0.8, "v": 0.1},
    ],
    ids=lambda model: model["model"],
)
def test_a_model_with_a_coin_per_item_keeps_it_when_only_some_items_are_asked(model: dict[str, Any]) -> None:
    """Sampling changes who is asked what, not the channel an asked item goes through."""
    whole = blocks(**model, items=list(ABC))

    (sampled,) = blocks(**model, items=list(ABC), ask=2)

    assert isinstance(sampled, CoinBlock)
    assert (sampled.each, sampled.ask) == (True, 2)
    assert tuple(CoinBlock((item,), sampled.keep) for item in sampled.items) == whole


def test_sampled_warner_below_one_half_turns_each_asked_answer_over_by_itself() -> None:
    """Independent turns are a flip table of binomial shares."""
    assert blocks(model="warner", theta=0.25, items=list(ABC), ask=2) == (
        FlipBlock(tuple(Item(name) for name in ABC), (ONE // 16, 6 * ONE // 16, 9 * ONE // 16), 2),
    )


@pytest.mark.parametrize(
    "model",
    [
        {"model": "improved-grouped", "p": 0.3, "theta": 0.6},
        {"model": "gamma-diagonal", "gamma": 19},
        {"model": "flip", "gamma": 19, "radius": 0},
    ],
    ids=lambda model: model["model"],
)
def test_a_model_of_one_block_can_be_sampled(model: dict[str, Any]) -> None:
    (block,) = blocks(**model, items=list(ABC), ask=2)

    assert not isinstance(block, GroupedBlock)
    assert (block.ask, len(block.items)) == (2, 3)


@pytest.mark.parametrize(
    "design",
    [
        {"by-gamma": 9, "ask": 1, "items": [{"id": "a"}, {"id": "b"}]},
        {"by-gamma": 9, "names": 2, "items": [{"id": "a", "options": ["1", "2", "3", "4"]}]},
        {"model": "gamma-diagonal", "gamma": 9, "items": ["a", "b"]},
        {"model": "flip", "gamma": 9, "radius": 1, "items": ["a", "b", "c"]},
        {"model": "one-of", "gamma": 9, "cap": 1, "items": ["a", "b"]},
    ],
    ids=str,
)
def test_a_promise_is_written_by_its_epsilon_too(design: dict[str, Any]) -> None:
    """And holds, whatever is written: at most e^ε, and below it by no more than steps of 2^-32 leave."""
    (key,) = design.keys() & {"gamma", "by-gamma"}
    whole = candor.Design.parse({"blocks": [design | {key: {"epsilon": 2}}]})

    assert 0 <= Fraction("7.38905609893065022723") - Fraction(whole.gamma) < Fraction(1, 10**7)


REFUSALS = [
    ({"model": "foo"}, f"design.model: 'foo' is unknown; the models are {', '.join(MODELS)}."),
    ({"model": "warner", "p": 0.7}, "design: the key 'p' is unknown here; known keys are model, items, ask, "
     "theta."),
    ({"model": "warner"}, "design: theta is missing."),
    ({"model": "warner", "theta": 0.5}, "design.theta: 0.5 keeps nothing of any answer; choose a smaller or larger "
    "value."),
    ({"model": "unrelated-question", "p": 0.5, "theta": [0.1]}, "design.theta: 1 shares do not fit the 2 items."),
    ({"model": "forced-response", "p": 0.9, "yes": 0.2}, "design.yes: 0.2 and p 0.9 sum to more than 1."),
    ({"model": "binary", "u": 0.1, "v": 0.2}, "design.u: 0.1 is below v 0.2; record the opposite answer."),
    ({"model": "grouped", "p": 0.3, "theta": 0.6, "ask": 1}, "design.ask: the grouped model asks every item; it has "
    "no sampled form."),
    ({"model": "gamma-diagonal", "gamma": 1}, "design.gamma: 1 is not above 1; at 1 nothing can be learned."),
    ({"model": "flip", "gamma": {"epsilon": 0}, "radius": 1}, "design.gamma.epsilon: 0 is outside 1e-06 to 100."),
    ({"model": "flip", "gamma": {"epsilon": 2, "gamma": 9}, "radius": 1}, "design.gamma: the key 'gamma' is unknown "
     "here; known keys are epsilon."),
    ({"model": "flip", "gamma": 19, "radius": 2}, "design.radius: 2 is not from 0 to 1, one less than the answers "
     "turned over."),
    ({"model": "flip", "gamma": 19, "radius": 0, "ask": 3}, "design.ask: 3 is not from 1 to the 2 items of the block."),
]  # fmt: skip


@pytest.mark.parametrize(("model", "sentence"), REFUSALS, ids=[sentence[:50] for _, sentence in REFUSALS])
def test_a_model_that_breaks_a_rule_is_refused_in_one_sentence(model: dict[str, Any], sentence: str) -> None:
    """The sentence names the field, the value and the rule."""
    assert refusal_of(lambda: blocks(**model, items=["a", "b"])) == sentence


def test_a_flip_table_finer_than_the_steps_is_refused() -> None:
    """Forty-one answers at γ = 1.5 would need probabilities below 2^−32."""
    with pytest.raises(
        InputError, match=r"^flips: 41 answers at gamma 1\.5 need steps finer than 2\^-32; ask fewer\.$"
    ):
        blocks(model="flip", gamma=1.5, radius=0, items=[f"i{j}" for j in range(41)])


def test_a_list_takes_the_parameters_of_its_model() -> None:
    """`candor.models.one_of` and the JSON of a design name the same list: with weights, and with a threshold."""
    plain = {"model": "one-of", "gamma": 9, "items": ["a", "b", "c", "d", "e", "f"], "direct": True}
    names = plain["items"]

    made = [
        candor.models.one_of(names, 9, 2, longest=2, weights=[1, 0.5]),
        candor.models.one_of(names, 9, longest=4, least=2, weights=[1, 0.5]),
    ]

    assert [design.sha256 for design in made] == [
        Design.parse(plain | {"cap": 2, "longest": 2, "weights": [1, 0.5]}).sha256,
        Design.parse(plain | {"cap": 2, "longest": 4, "least": 2, "weights": [1, 0.5]}).sha256,
    ]
