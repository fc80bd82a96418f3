"""Figures of own draws that were worked out elsewhere as exact fractions, or published: each is reproduced."""

import json
from fractions import Fraction
from itertools import product
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.rationals import ONE
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.own_draw.ways import WAYS, Chance, Numbers, WayOfDrawing
from privacy.reconstruct import reconstruct
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.privacy.own_draw.people import BLOCKS, DAYS, DIE, block, channel
from tests.servers import ROOT

VALUES: list[dict[str, Any]] = json.loads((ROOT / "tests/vectors/own_draws.json").read_text(encoding="utf-8"))


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(value, id=value["id"]) for value in VALUES if value["kind"].startswith(kind)]


def exact(text: str) -> Fraction | float:
    return inf if text == "Infinity" else Fraction(text)


def drawn(value: dict[str, Any]) -> tuple[WayOfDrawing, dict[str, Fraction], list[Chance]]:
    """The way of a value, its exact chances, and the facts that are answered instead, of which nothing may be off."""
    params, name = value["params"], value["id"]
    chances = {key: Fraction(chance) for key, chance in params.items() if isinstance(chance, str)}
    if "p" in chances:
        way = "triangular" if name.startswith("triangular") else "extended" if "extended" in name else "crosswise"
        return WAYS[way], {"fact": chances["p"], "not": 1 - chances["p"]}, []
    if "truth" in chances:
        facts = [Fraction(yes) for yes in params.get("noise_yes", [params.get("theta")])]
        others = [Chance(yes) for yes in facts]
        return WAYS["unrelated"], {"truth": chances["truth"], "other": 1 - chances["truth"]}, others
    if "theta" in chances:
        return WAYS["warner"], {"truth": chances["theta"], "opposite": 1 - chances["theta"]}, []
    yes, no = (chances.get(f"forced_{say}", chances.get(f"says_{say}_anyway", Fraction(0))) for say in ("yes", "no"))
    return WAYS["forced"], {"yes": yes, "no": no, "truth": 1 - yes - no}, []


def design_of(way: WayOfDrawing, numbers: Numbers) -> Design:
    """A block that devices draw with the same numbers."""
    if way.mark == "one-sided":
        turned = numbers.noise[0] * (1 - numbers.keep)
        return read({"one-sided": turned, "items": [{"id": "a", "harmless": "0"}]})
    items = [{"id": name, "theta": yes} for name, yes in zip("abcde", numbers.noise, strict=False)]
    return read({"keep": numbers.keep, "items": items})


def read(*entries: dict[str, Any]) -> Design:
    return Design.parse({"blocks": list(entries)})


def records_of(design: Design, counts: dict[tuple[int, ...], int]) -> Records:
    codes = np.concatenate([np.tile(row, (count, 1)) for row, count in counts.items()]).astype(design.code_type)
    return Records(design, codes, np.zeros(len(codes), bool))


@pytest.mark.parametrize("value", of_kind("one question, two buttons"))
def test_a_design_of_one_question_has_its_chances_odds_and_figures(value: dict[str, Any]) -> None:
    """Exactly u and v, keep, noise and odds; the estimate and its error from the counts."""
    way, chances, others = drawn(value)
    turned = value["coin"] is None  # record 1 is “both are the same” there
    ones = value["n"] - value["ones"] if turned else value["ones"]

    numbers, odds = way.numbers(chances, others), way.odds(chances, Fraction(0), others, 1)
    records = records_of(design_of(way, numbers), {(1,): ones, (0,): value["n"] - ones})
    (made,) = reconstruct(records, "a").patterns

    u, v = (1 - Fraction(value["u"]), 1 - Fraction(value["v"])) if turned else map(Fraction, (value["u"], value["v"]))
    assert numbers.keep == u - v
    assert numbers.noise == ((v / (1 - u + v)),)
    assert odds == exact(value["odds_yes"] if value["gamma"] == "Infinity" else value["gamma"])
    assert made.support == pytest.approx(float(Fraction(value["estimate"])), abs=1e-8)
    assert made.se == pytest.approx(value["se"], abs=1e-8)


@pytest.mark.parametrize(
    ("params", "some", "many"),
    [
        ({"forced_yes": "1/4", "forced_no": "1/4"}, "17/100", "11/100"),
        ({"forced_yes": "1/6", "forced_no": "1/6"}, "7/40", "1/8"),
        ({"truth": "1/2", "theta": "1/4"}, "7/40", "1/8"),
    ],
)
def test_hiding_costs_more_than_in_a_plain_question(params: dict[str, str], some: str, many: str) -> None:
    """A fifth did it; of them a tenth, or three tenths, press no whatever they drew. Asked plainly: .18, .14."""
    way, chances, others = drawn({"id": "", "params": params})
    numbers = way.numbers(chances, others)
    design = design_of(way, numbers)
    no = (1 - numbers.keep) * numbers.noise[0]
    for hide, expected in (Fraction(1, 10), some), (Fraction(3, 10), many):
        ones = (1 - hide) / 5 * (numbers.keep + no) + Fraction(4, 5) * no
        counts = {(1,): ones.numerator, (0,): ones.denominator - ones.numerator}
        (made,) = reconstruct(records_of(design, counts), "a").patterns
        assert made.support == pytest.approx(float(Fraction(expected)), abs=1e-8)


@pytest.mark.parametrize("value", of_kind("group by one draw"))
def test_a_group_by_one_draw_has_its_promise_and_figures(value: dict[str, Any]) -> None:
    """γ; the share of one answer, of pairs and of triples, and a confidence, each with its error."""
    way, chances, others = drawn(value)
    items = "abcde"[: len(others)]
    design = design_of(way, way.numbers(chances, others))
    rest = [0] * (len(items) - 2)
    counts = {(1, 1, *rest): value["pair"]["count"], (1, 0, *rest): value["single"]["count"] - value["pair"]["count"]}
    if rest:
        counts[1, 1, *rest] -= value["triple"]["count"]
        counts[1, 1, 1, *rest[1:]] = value["triple"]["count"]
    counts[0, 0, *rest] = value["n"] - value["single"]["count"]
    records = records_of(design, counts)

    patterns = {"single": "a", "pair": "a,b", "triple": "a,b,c"}
    rule = figure(records, "a => b", Sampling.simple(value["n"])).simple_estimate()

    assert way.odds(chances, Fraction(0), others, len(items)) == Fraction(value["gamma"])
    for key, pattern in patterns.items():
        if key in value:
            (made,) = reconstruct(records, pattern).patterns
            assert made.support == pytest.approx(float(Fraction(value[key]["estimate"])), abs=1e-8)
            assert made.se == pytest.approx(value[key]["se"], abs=1e-8)
    confidence = value["confidence_first_to_second"]
    assert rule.estimate == pytest.approx(float(Fraction(confidence["estimate"])), abs=1e-7)
    assert rule.se == pytest.approx(confidence["se"], abs=1e-7)


@pytest.mark.parametrize("value", of_kind("each question a fact of its own"))
def test_facts_of_their_own_multiply(value: dict[str, Any]) -> None:
    """γ of all, and a pair with its error."""
    size, (way, chances, _others) = value["params"]["questions"], drawn(value)
    numbers = way.numbers(chances, [])
    design = read(
        *({"keep": numbers.keep, "items": [{"id": name, "theta": numbers.noise[0]}]} for name in "abcd"[:size])
    )
    rest = (0,) * (size - 2)
    records = records_of(design, {(int(key[0]), int(key[1]), *rest): count for key, count in value["counts"].items()})

    (made,) = reconstruct(records, "a,b").patterns

    assert way.odds(chances, Fraction(0), [], 1) ** size == exact(value["gamma"])
    assert made.support == pytest.approx(float(Fraction(value["pair"])), abs=1e-8)
    assert made.se == pytest.approx(value["se"], abs=1e-8)


@pytest.mark.parametrize("value", of_kind("extended crosswise"))
def test_the_second_look_is_turned_over_before_it_is_counted(value: dict[str, Any]) -> None:
    """Records of both looks are one share with one error."""
    way, chances, others = drawn(value)
    design = design_of(way, way.numbers(chances, others))
    first, second = value["arm_p"], value["arm_1_minus_p"]
    ones, n = first["ones"] + second["n"] - second["ones"], first["n"] + second["n"]

    (made,) = reconstruct(records_of(design, {(1,): ones, (0,): n - ones}), "a").patterns

    p = Fraction(value["params"]["p"])
    of_each = [
        (Fraction(first["ones"], first["n"]) - p) / (1 - 2 * p),
        (1 - Fraction(second["ones"], second["n"]) - p) / (1 - 2 * p),
    ]
    assert made.support == pytest.approx(float((of_each[0] * first["n"] + of_each[1] * second["n"]) / n), abs=1e-8)
    assert made.support == pytest.approx(float(Fraction(value["estimate"])), abs=1e-7)
    assert made.se == pytest.approx(value["se"], abs=1e-7)
    assert way.odds(chances, Fraction(0), others, 1) == exact(value["gamma"])


@pytest.mark.parametrize("value", of_kind("two questions or waves with one fact"))
def test_one_fact_for_two_answers_is_refused_for_what_it_shows(value: dict[str, Any]) -> None:
    """The matrix of two answers by one fact, by people who follow, has a column that only some truths can give."""
    way = value["id"].removeprefix("one-fact-")
    first = block(way, "day", [(DAYS[1:9], "fact"), ([*DAYS[:1], *DAYS[9:]], "not")], fact="mother")
    entry = block(way, "die", [(DIE[5:], "fact"), (DIE[:5], "not")], "ab")
    shares = {"die": {label: Fraction(1, 4) if label == "6" else Fraction(3, 20) for label in DIE}}

    matrix = channel(entry, shares)

    both = list(product((0, 1), repeat=2))
    assert [[str(matrix[truth, record]) for record in both] for truth in both] == value["matrix"]
    with pytest.raises(InputError, match="the fact 'mother' is already used"):
        read(first, {**first, "items": [{**first["items"][0], "id": "b"}]})
    with pytest.raises(InputError, match="one draw is for 2 questions"):
        read(entry)


@pytest.mark.parametrize("value", of_kind("crosswise with a chance off by delta"))
def test_a_wrong_chance_moves_figures_and_odds_by_so_much(value: dict[str, Any]) -> None:
    """The bound of a figure is the bias of that chance; odds are at least those of the true chance."""
    p, moved, share = (Fraction(one) for one in (value["params"]["p"], value["params"]["delta"], value["prevalence"]))
    way, chances = WAYS["crosswise"], {"fact": p, "not": 1 - p}

    bound = way.shift(chances, float(abs(moved)), [], [True], float(share), 1.0) / float(way.numbers(chances, []).keep)
    odds = way.odds(chances, abs(moved), [], 1)

    assert bound == pytest.approx(abs(float(Fraction(value["bias"]))), abs=1e-12)
    assert odds >= Fraction(value["gamma_true"])
    assert (odds == Fraction(value["gamma_true"])) == (moved < 0)


def test_an_exact_design_writes_odds_that_are_not_below_its_promise() -> None:
    """The numerator that devices read is rounded up."""
    for name, entry in BLOCKS.items():
        design = read(entry)
        written = design.document["blocks"][0]["draw"]["odds"]
        assert 0 <= Fraction(written, ONE) - Fraction(design.odds) < Fraction(1, ONE), name


def test_the_error_of_a_share_by_hand_is_that_of_a_binomial() -> None:
    """An oracle beside the values: √(λ(1−λ)/n)/a."""
    design = read(BLOCKS["forced"])
    (made,) = reconstruct(records_of(design, {(1,): 300, (0,): 700}), "a").patterns

    assert made.se == pytest.approx(sqrt(0.3 * 0.7 / 1000) / (2 / 3), abs=1e-8)
