"""Intervals reach over all chances that people's own draws may have."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

import candor
from privacy.design import Design
from privacy.design.blocks.coin import CoinBlock
from privacy.errors import EntryError, InputError, InputWarning
from privacy.estimate.sampling import Sampling
from privacy.own_draw.ready import draw_of
from privacy.own_draw.sources import SOURCES
from privacy.own_draw.ways import WAYS
from privacy.reconstruct import reconstruct
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.privacy.own_draw.people import BLOCKS, DAYS, DIE, block


def records_of(design: Design, rows: list[tuple[list[int], int]]) -> Records:
    """So many records of each row, nobody direct."""
    codes = np.concatenate([np.tile(row, (count, 1)) for row, count in rows]).astype(design.code_type)
    return Records(design, codes, np.zeros(len(codes), bool))


def wilson(share: float, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return centre - half, centre + half


CHANCES = [round(-1 + step / 200, 3) for step in range(401)]  # of δ, from −1 to 1


def over_all(n: int, ones: int, lines: list[tuple[float, float]]) -> tuple[float, float]:
    """Wilson's ends through each line (v, u), the least and the largest."""
    low, high = wilson(ones / n, n)
    return min((low - v) / (u - v) for v, u in lines), max((high - v) / (u - v) for v, u in lines)


def lines_of(name: str, delta: float) -> list[tuple[float, float]]:
    """(v, u) for chances within δ, on a grid with the corners, worked out by hand for each way."""
    shifts = [delta * one for one in CHANCES]
    day = 38_400 / 146_097
    if name == "crosswise":
        return [(day + d, 1 - day - d) for d in shifts]
    if name == "warner":
        return [(1 / 6 + d, 5 / 6 - d) for d in shifts]
    if name == "triangular":
        return [(1 / 6 + d, 1.0) for d in shifts]
    # forced: yes and no each take from, or give to, the truth, or one takes from the other
    pairs = [(d, 0) for d in shifts] + [(0, d) for d in shifts] + [(d, -d) for d in shifts]
    return [(1 / 6 + yes, 1 - 1 / 6 - no) for yes, no in pairs]


@pytest.mark.parametrize("name", ["crosswise", "warner", "triangular", "forced"])
@pytest.mark.parametrize("ones", [320, 400, 700])
def test_an_interval_holds_those_of_every_chance_within_its_bound(name: str, ones: int) -> None:
    """Its ends are the extremes of Wilson's ends over all chances within δ, each mapped by its own line."""
    design = Design.parse({"blocks": [BLOCKS[name]]})
    records = records_of(design, [([1], ones), ([0], 1000 - ones)])
    drawn = design.blocks[0].draw
    assert drawn

    (made,) = reconstruct(records, "a").patterns

    assert made.ci == pytest.approx(over_all(1000, ones, lines_of(name, float(drawn.drawn.delta))), abs=2e-6)


def test_a_lot_makes_the_chance_exact() -> None:
    """A digit by lot has the interval of its chance alone, whatever digits people have."""
    design = Design.parse({"blocks": [BLOCKS["extended"]]})

    (made,) = reconstruct(records_of(design, [([1], 360), ([0], 640)]), "a").patterns

    low, high = wilson(0.36, 1000)
    assert made.ci == pytest.approx(((low - 0.3) / 0.4, (high - 0.3) / 0.4), abs=1e-7)


def two_facts() -> Design:
    days = [(DAYS[1:9], "fact"), ([*DAYS[:1], *DAYS[9:]], "not")]
    blocks = [block("crosswise", "day", days, item, fact=fact) for item, fact in (("a", "mother"), ("b", "friend"))]
    return Design.parse({"blocks": blocks})


def bias_of_pair(design: Design, table: dict[tuple[int, int], float], delta: float) -> float:
    """How far the mean of the pair's weights lies from the truth, at most over both chances, by enumeration."""
    p = 38_400 / 146_097
    worst = 0.0
    for first in (-delta, delta):
        for second in (-delta, delta):
            mean = 0.0
            for truth, share in table.items():
                weight = 1.0
                for one, moved in zip(truth, (first, second), strict=True):
                    press = 1 - p - moved if one else p + moved
                    weight *= (press - p) / (1 - 2 * p)
                mean += share * weight
            worst = max(worst, abs(mean - table[1, 1]))
    return worst


def test_of_a_pair_the_bounds_of_both_facts_add_up() -> None:
    """The interval of a pair reaches at least as far as wrong chances move it, and hardly further."""
    design = two_facts()
    table = {(1, 1): 0.1, (1, 0): 0.1, (0, 1): 0.2, (0, 0): 0.6}
    exact = Design.parse({"blocks": [{**entry, "draw": {**entry["draw"], "delta": 0}} for entry in two_entries()]})
    p, n = 38_400 / 146_097, 100_000
    rows = []
    for record in table:
        chance = sum(
            share * np.prod([1 - p if x == y else p for x, y in zip(truth, record, strict=True)])
            for truth, share in table.items()
        )
        rows.append((list(record), round(n * float(chance))))

    (made,), (sure,) = (reconstruct(records_of(one, rows), "a,b").patterns for one in (design, exact))

    needed = bias_of_pair(design, table, 0.003)
    assert made.ci
    assert sure.ci
    assert needed < made.ci[1] - sure.ci[1] < 1.6 * needed
    assert needed < sure.ci[0] - made.ci[0] < 1.6 * needed


def two_entries() -> list[dict[str, Any]]:
    days = [(DAYS[1:9], "fact"), ([*DAYS[:1], *DAYS[9:]], "not")]
    return [block("crosswise", "day", days, item, fact=fact) for item, fact in (("a", "mother"), ("b", "friend"))]


def test_shares_of_a_sample_and_of_mining_reach_as_far() -> None:
    """Where weights enter, and in a search, intervals are wider by the same bound as in a report."""
    coins = block(
        "unrelated",
        "die",
        [(DIE[:3], "truth"), (DIE[3:], "other")],
        "abc",
        other=[{"source": "die", "of": DIE[:3], "delta": 0.01}],
    )
    design = Design.parse({"blocks": [coins]})
    sure = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ["a", "b", "c"]})
    rows = [([1, 1, 0], 300), ([0, 0, 0], 400), ([0, 1, 1], 150), ([1, 0, 1], 150)]
    own, other = records_of(design, rows), records_of(sure, rows)
    sampling = Sampling.simple(1000)

    (made,), (exact,) = (reconstruct(one, "a,b").patterns for one in (own, other))
    drawn, plain = (figure(one, "a,b", sampling).estimate(sampling) for one in (own, other))
    mined, less = (candor.mine(one, min_support=0.05, max_length=2) for one in (own, other))

    assert made.ci
    assert exact.ci
    bound = made.ci[1] - exact.ci[1]
    assert bound == pytest.approx(0.01 * abs(made.ci[1] - 0.25) + ((0.51**2 - 0.25) * 0.5 / 0.5), abs=1e-3)
    assert drawn.ci[1] - plain.ci[1] == pytest.approx(bound, abs=1e-3)
    wider = [one.itemsets.set_index("itemset")["high"]["a,b"] for one in (mined, less)]
    assert wider[0] - wider[1] == pytest.approx(bound, abs=1e-3)


def test_cells_of_a_table_reach_over_chances() -> None:
    """With and without a sample, as far as a report of the same pattern."""
    design = two_facts()
    own = records_of(design, [([1, 1], 300), ([0, 0], 400), ([0, 1], 150), ([1, 0], 150)])
    own = Records(design, own.codes, own.direct, {"weight": np.ones(1000)})

    (reported,) = reconstruct(own, "a,b").patterns
    made, sampled = (candor.table(own, ["a", "b"], sample=one) for one in (None, candor.Sample(weights="weight")))

    assert made.ends
    assert sampled.ends
    assert reported.ci
    assert "send each of their words" not in str(sampled)
    for ends in (made.ends, sampled.ends):
        assert (ends[0][1, 1], ends[1][1, 1]) == pytest.approx(reported.ci, abs=1e-3)


def test_coefficients_reach_over_the_fits_at_both_ends() -> None:
    """Of a logistic regression on a crosswise answer: as far as the fits with the chance p − δ and p + δ."""
    design = Design.parse({"blocks": [BLOCKS["crosswise"]]})
    rows = [1] * 520 + [0] * 480 + [1] * 380 + [0] * 620
    old = np.repeat([1.0, 0.0], 1000)
    codes = np.array(rows, design.code_type)[:, np.newaxis]
    nobody = np.zeros(2000, bool)

    made = candor.regress(Records(design, codes, nobody, {"old": old}), "a", ["old"]).coefficients

    p, delta = 38_400 / 146_097, 0.003
    fits = []
    for chance in (p - delta, p, p + delta):
        young, aged = ((share - chance) / (1 - 2 * chance) for share in (0.38, 0.52))
        log_young, log_aged = (np.log(share / (1 - share)) for share in (young, aged))
        fits.append((log_young, log_aged - log_young))
    exact = Design.parse({"blocks": [{**BLOCKS["crosswise"], "draw": {**BLOCKS["crosswise"]["draw"], "delta": 0}}]})
    sure = candor.regress(Records(exact, codes, nobody, {"old": old}), "a", ["old"]).coefficients
    for place, (one, plain) in enumerate(zip(made, sure, strict=True)):
        own = [fit[place] for fit in fits]
        assert one.estimate == pytest.approx(own[1], abs=1e-6)
        assert one.ci[0] - plain.ci[0] == pytest.approx(min(own) - own[1], abs=1e-6)
        assert one.ci[1] - plain.ci[1] == pytest.approx(max(own) - own[1], abs=1e-6)
        assert one.p >= plain.p


def days_near_half(delta: float) -> dict[str, Any]:
    """Crosswise by days 2 to 15 of a month: .46, so that .08 is kept."""
    return block("crosswise", "day", [(DAYS[1:15], "fact"), (DAYS[:1] + DAYS[15:], "not")], fact="friend", delta=delta)


def test_a_draw_that_its_own_bound_may_turn_round_is_refused() -> None:
    """For crosswise what is kept is to be above 2δ; one sentence names it."""
    with pytest.raises(EntryError) as refusal:
        Design.parse({"blocks": [days_near_half(0.0401)]})

    assert str(refusal.value) == (
        "blocks[0].draw.delta: the kept part of 0.08 is so small that chances off by δ could turn every answer "
        "round; take outcomes whose chance is farther from one half, or a lot."
    )
    Design.parse({"blocks": [days_near_half(0.04)]})


def test_no_draw_of_any_source_and_way_can_be_turned_round() -> None:
    """Of all that the studio can make of a source, a way and a part, and of one or two questions."""
    refused = []
    for way, source, part, asked in product(WAYS, SOURCES, range(1, 13), (1, 2)):
        with suppress(InputError):
            draw = draw_of(way, source, part, asked, "mother")
            items = [{"id": f"q{place}"} for place in range(asked)]
            try:
                (own,) = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": items}]}).blocks
            except EntryError as error:
                refused += [(way, source, part)] if "turn every answer" in str(error) else []
                continue
            assert own.draw
            assert all(end.keep > 0 for end in own.draw.ends(asked))

    assert refused == []


def test_a_published_draw_that_may_be_turned_round_opens_with_a_warning_and_says_nothing() -> None:
    """The exact form of such a design is read; of 3 000 people of whom 5 % did it no interval leaves out any share."""
    (own,) = Design.parse({"blocks": [days_near_half(0.001)]}).blocks
    assert isinstance(own, CoinBlock)
    assert own.draw
    drawn = replace(own.draw.drawn, delta=Fraction(5, 100))
    before = Design((replace(own, draw=replace(own.draw, drawn=drawn)),), direct=False)
    with pytest.warns(InputWarning, match="could turn every answer round"):
        published = Design.parse(before.document)
    ones = round(3_000 * (0.05 * (1 - 0.447) + 0.95 * 0.447))

    (made,) = reconstruct(records_of(published, [([1], ones), ([0], 3_000 - ones)]), "a").patterns

    low, high = made.ci or (1.0, 0.0)
    assert low <= 0
    assert high >= 1


@pytest.mark.parametrize("delta", [0.02, 0.035, 0.04])
def test_an_interval_holds_the_truth_at_both_ends_of_a_bound_near_what_is_kept(delta: float) -> None:
    """A million people, crosswise by days 2 to 15 of a month: what is kept, .0801, is above 2δ.

    Their records are those that the real chance gives on average, so the truth lies well within.
    """
    design, chance, people = Design.parse({"blocks": [days_near_half(delta)]}), 67_200 / 146_097, 1_000_000
    for real, truth in product((chance - delta, chance + delta), (0.0, 0.05, 0.3, 0.5, 0.95)):
        ones = round(people * (truth * (1 - real) + (1 - truth) * real))

        (made,) = candor.reconstruct_counts(design, "a", {"": (people, 0), "a": (ones, 0)}).patterns

        assert made.ci
        assert made.ci[0] < truth < made.ci[1]
