"""Figures of own draws that were worked out elsewhere as exact fractions, or published: each is reproduced."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.rationals import ONE
from privacy.draws.person_draw import PersonDraw
from privacy.draws.sources import SOURCES
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.privacy.draws.people import BLOCKS, DAYS, block, channel, rows
from tests.servers import ROOT

VALUES: list[dict[str, Any]] = json.loads((ROOT / "tests/vectors/own_draws.json").read_text(encoding="utf-8"))


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(value, id=value["id"]) for value in VALUES if value["kind"].startswith(kind)]


def exact(text: str) -> Fraction | float:
    return inf if text == "Infinity" else Fraction(text)


def cards(*parts: tuple[str, Any]) -> list[tuple[list[str], Any]]:
    """Cards of a pack in which each meaning has just its chance; the last meaning has the rest."""
    chances = [Fraction(chance) for chance, _ in parts]
    size = int(np.lcm.reduce([one.denominator for one in chances]))
    names = iter(f"c{number}" for number in range(size))
    return [
        ([next(names) for _ in range(int(chance * size))], says)
        for chance, (_, says) in zip(chances, parts, strict=True)
    ]


def less(*chances: str) -> str:
    return str(1 - sum(map(Fraction, chances)))


def entry_of(value: dict[str, Any]) -> dict[str, Any]:
    """The block of a value: from well-mixed packs, with nothing that may be off."""
    params, name = value["params"], value["id"]
    given: dict[str, Any] = {"delta": 0}
    if "red_yes" in params or "false_no" in params:
        red, other = params.get("red_yes") or less(params["false_no"]), params.get("red_no") or params["false_yes"]
        (yes, _), (no, _) = cards((other, 1), (less(other), 0))
        pack = {"source": "cards", "of": yes, "rest": no, "delta": 0}
        return block("kuk", "cards", cards((red, "yes"), (less(red), "no")), other=[pack], **given)
    if "theta" in params and "truth" not in params:
        return block("warner", "cards", cards((params["theta"], "truth"), (less(params["theta"]), "opposite")), **given)
    if "theta" in params:
        (yes, _), (no, _) = cards((params["theta"], 1), (less(params["theta"]), 0))
        pack = {"source": "cards", "of": yes, "rest": no, "delta": 0}
        meanings = cards((params["truth"], "truth"), (less(params["truth"]), "other"))
        return block("unrelated", "cards", meanings, other=[pack], **given)
    if "p" in params:
        way = "triangular" if name.startswith("triangular") else "extended" if "extended" in name else "crosswise"
        return block(way, "cards", cards((params["p"], "fact"), (less(params["p"]), "not")), **given)
    yes = params.get("forced_yes") or params["says_yes_anyway"]
    no = params.get("forced_no") or params["says_no_anyway"]
    return block("forced", "cards", cards((yes, "yes"), (no, "no"), (less(yes, no), "truth")), **given)


def read(*entries: dict[str, Any]) -> Design:
    return Design.parse({"blocks": list(entries)})


def draw_of(design: Design) -> PersonDraw:
    draw = design.blocks[0].draw
    assert draw
    return draw


def records_of(design: Design, counts: dict[tuple[int, ...], int]) -> Records:
    codes = np.concatenate([np.tile(row, (count, 1)) for row, count in counts.items()]).astype(design.code_type)
    return Records(design, codes, np.zeros(len(codes), bool))


@pytest.mark.parametrize("value", of_kind("one question, two buttons"))
def test_a_design_of_one_question_has_its_chances_odds_and_figures(value: dict[str, Any]) -> None:
    """Exactly u and v by people who follow, keep, noise and odds; the estimate and its error from the counts."""
    entry = entry_of(value)
    turned = value["coin"] is None  # record 1 is “both are the same” there
    design = read(entry)
    sources = {one["source"]: one for one in (entry["draw"], *entry["draw"].get("other", ()))}
    labels = [label for outcome in entry["draw"]["outcomes"] for label in outcome["of"]]
    shares = {"cards": {label: Fraction(1, len(labels)) for label in labels}}
    draw, ones = draw_of(design), value["n"] - value["ones"] if turned else value["ones"]

    numbers, odds = draw.numbers(1, 1), draw.odds(1, 1, 1)
    (made,) = reconstruct(records_of(design, {(1,): ones, (0,): value["n"] - ones}), "a").patterns

    u, v = (1 - Fraction(value["u"]), 1 - Fraction(value["v"])) if turned else map(Fraction, (value["u"], value["v"]))
    if len(sources) == 1 and not entry["draw"].get("other"):
        followed = channel(entry, shares)
        assert (followed[(1,), (1,)], followed[(0,), (1,)]) == (u, v)
    assert numbers.keep == u - v
    assert numbers.noise == ((v / (1 - u + v)),)
    assert draw.drawn.delta == 0
    assert odds == (exact(value["odds_yes"]) if value["gamma"] == "Infinity" else exact(value["gamma"]))
    assert design.gamma == exact(value["gamma"])
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
    design = read(entry_of({"id": "", "params": params}))
    numbers = draw_of(design).numbers(1, 1)
    no = (1 - numbers.keep) * numbers.noise[0]
    for hide, expected in (Fraction(1, 10), some), (Fraction(3, 10), many):
        ones = (1 - hide) / 5 * (numbers.keep + no) + Fraction(4, 5) * no
        counts = {(1,): ones.numerator, (0,): ones.denominator - ones.numerator}
        (made,) = reconstruct(records_of(design, counts), "a").patterns
        assert made.support == pytest.approx(float(Fraction(expected)), abs=1e-8)


@pytest.mark.parametrize("value", of_kind("one question, number of red cards"))
def test_one_card_of_kuk_has_its_matrix(value: dict[str, Any]) -> None:
    """P(red) from each pack, and γ."""
    draw = draw_of(read(entry_of(value)))

    numbers = draw.numbers(1, 1)

    (red, _), (less_red, _) = value["matrix"]
    assert (numbers.keep, draw.odds(1, 1, 1)) == (Fraction(red) - Fraction(less_red), Fraction(value["gamma"]))


@pytest.mark.parametrize("value", of_kind("group by one draw"))
def test_a_group_by_one_draw_has_its_promise_and_figures(value: dict[str, Any]) -> None:
    """γ; the share of one answer, of pairs and of triples, and a confidence, each with its error."""
    params = value["params"]
    items, truth = "abcde"[: params["questions"]], params["truth"]
    packs = []
    for place, yes in enumerate(params["noise_yes"]):
        (true, _), (false, _) = cards((yes, 1), (less(yes), 0))
        packs.append(
            {
                "source": "cards",
                "of": [f"{place}{one}" for one in true],
                "rest": [f"{place}{one}" for one in false],
                "delta": 0,
            }
        )
    design = read(
        block("unrelated", "cards", cards((truth, "truth"), (less(truth), "other")), items, other=packs, delta=0)
    )
    rest = [0] * (len(items) - 2)
    counts = {(1, 1, *rest): value["pair"]["count"], (1, 0, *rest): value["single"]["count"] - value["pair"]["count"]}
    if rest:
        counts[1, 1, *rest] -= value["triple"]["count"]
        counts[1, 1, 1, *rest[1:]] = value["triple"]["count"]
    counts[0, 0, *rest] = value["n"] - value["single"]["count"]
    records = records_of(design, counts)

    patterns = {"single": "a", "pair": "a,b", "triple": "a,b,c"}
    rule = figure(records, "a => b", Sampling.simple(value["n"])).simple_estimate()

    assert draw_of(design).odds(len(items), len(items), len(items)) == Fraction(value["gamma"])
    for key, pattern in patterns.items():
        if key in value:
            (made,) = reconstruct(records, pattern).patterns
            assert made.support == pytest.approx(float(Fraction(value[key]["estimate"])), abs=1e-8)
            assert made.se == pytest.approx(value[key]["se"], abs=1e-8)
    confidence = value["confidence_first_to_second"]
    assert rule.estimate == pytest.approx(float(Fraction(confidence["estimate"])), abs=1e-7)
    assert rule.se == pytest.approx(confidence["se"], abs=1e-7)


@pytest.mark.parametrize(
    ("truth", "each", "questions"), [(2, 1, 2), (20, 2, 3), (36, 2, 3), (20, 2, 4), (52, 3, 4), (36, 2, 5)]
)
def test_a_table_is_the_same_channel_as_coins_for_what_is_not_true(truth: int, each: int, questions: int) -> None:
    """T outcomes say the truth, and each pattern stands beside m of the others: γ = 1 + T/m, a = T/N."""
    labels = [f"c{number}" for number in range(truth + each * 2**questions)]
    meanings = [(labels[:truth], "truth"), *rows(labels[truth:], questions, each)]
    draw = draw_of(read(block("table", "cards", meanings, "abcde"[:questions], delta=0)))

    numbers = draw.numbers(questions, questions)

    assert numbers.keep == Fraction(truth, len(labels))
    assert numbers.noise == (Fraction(1, 2),) * questions
    assert draw.odds(questions, questions, questions) == 1 + Fraction(truth, each)


@pytest.mark.parametrize("value", of_kind("each question a fact of its own"))
def test_facts_of_their_own_multiply(value: dict[str, Any]) -> None:
    """γ of all, and a pair with its error."""
    size, p = value["params"]["questions"], value["params"]["p"]
    own = [block("crosswise", "cards", cards((p, "fact"), (less(p), "not")), item, delta=0) for item in "abcd"[:size]]
    design = read(*own)
    rest = (0,) * (size - 2)
    records = records_of(design, {(int(key[0]), int(key[1]), *rest): count for key, count in value["counts"].items()})

    (made,) = reconstruct(records, "a,b").patterns

    assert design.gamma == exact(value["gamma"])
    assert made.support == pytest.approx(float(Fraction(value["pair"])), abs=1e-8)
    assert made.se == pytest.approx(value["se"], abs=1e-8)


@pytest.mark.parametrize("value", of_kind("extended crosswise"))
def test_the_second_look_is_turned_over_before_it_is_counted(value: dict[str, Any]) -> None:
    """Records of both looks are one share with one error."""
    design = read(entry_of(value))
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
    assert design.gamma == exact(value["gamma"])


@pytest.mark.parametrize("value", of_kind("two questions or waves with one fact"))
def test_one_fact_for_two_answers_is_refused_for_what_it_shows(value: dict[str, Any]) -> None:
    """The matrix of two answers by one fact, by people who follow, has a column that only some truths can give."""
    way = value["id"].removeprefix("one-fact-")
    first = block(way, "day", [(DAYS[1:9], "fact"), ([*DAYS[:1], *DAYS[9:]], "not")], fact="mother")
    entry = block(way, "cards", cards(("1/4", "fact"), ("3/4", "not")), "ab")
    shares = {"cards": {label: Fraction(1, 4) for outcome in entry["draw"]["outcomes"] for label in outcome["of"]}}

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
    if p.denominator > 100:
        entry = block(
            "crosswise",
            "day",
            [(DAYS[:6], "fact"), (DAYS[6:], "not")],
            fact="m",
            delta=list(abs(moved).as_integer_ratio()),
        )
    else:
        parts = cards((str(p), "fact"), (less(str(p)), "not"))
        entry = block("crosswise", "cards", parts, delta=list(abs(moved).as_integer_ratio()))
    draw = draw_of(read(entry))

    bound = draw.shift(1, [0], [True], float(share), 1.0) / float(draw.numbers(1, 1).keep)
    odds = draw.odds(1, 1, 1)

    assert draw.numbers(1, 1).keep == 1 - 2 * p
    assert bound == pytest.approx(abs(float(Fraction(value["bias"]))), abs=1e-12)
    assert odds >= Fraction(value["gamma_true"])
    assert (odds == Fraction(value["gamma_true"])) == (moved < 0)


def test_a_window_by_lot_is_exact_and_promises_what_the_worst_window_does() -> None:
    """Three months by lot: 1/4 for the estimate; γ of the window with the fewest births, and of δ fewer elsewhere."""
    (param,) = of_kind("three months, start by a public lot")
    (value,) = param.values
    draw = draw_of(read(BLOCKS["extended"]))

    assert draw.numbers(1, 1).keep == 1 - 2 * Fraction(value["chance"])
    assert draw.is_exact
    shares = [chances["fact"] for chances in draw.drawn.windows]
    counted = replace(draw, drawn=replace(draw.drawn, delta=Fraction(0)))
    assert counted.odds(1, 1, 1) == Fraction(value["gamma_start_known"])
    rarest = min(shares) - SOURCES["month"].delta
    assert draw.odds(1, 1, 1) == (1 - rarest) / rarest
    assert (min(shares), max(shares)) == (Fraction(value["smallest"]), Fraction(value["largest"]))


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
