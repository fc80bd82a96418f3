"""Rows of Li and others, on privacy breaches, and of Kan and Cao, on grouped unrelated questions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf

import pandas as pd

from papers import breach
from papers.rows.row import Row, Tables, claim, percent
from privacy.design import Design
from privacy.disguise.frame import disguise
from privacy.guarantee import posterior_bound
from privacy.guarantee.breach import surest
from privacy.guarantee.channel import Breaches, breach as breach_of
from privacy.reconstruct import reconstruct_counts
from privacy.reconstruct.distribution import distribution
from privacy.records import Records

OF_CHANNEL = "candor breach CHANNEL --prior FILE"
BREACH = "python -m papers: breaches.csv"
TABLE_1 = ((1, 0), (40.5, 1), (71.6, 1), (83, 0), (4.8, 1), (100, 0), (2.9, 1), (70.8, 1))


def _table_1() -> list[Row]:
    rows = []
    for index, ((seen, name, share), (value, digits)) in enumerate(zip(breach.table(), TABLE_1, strict=True)):
        title = f"table 1, {index + 1}: {name}, {'before' if seen == 'nothing' else f'after {seen}'}"
        ours = percent(share, digits)
        rows.append(Row("breaches", title, BREACH, lambda _, ours=ours: ours, f"{value:.{digits}f} %"))  # type: ignore[misc]
    return rows


def _gamma_r3() -> Fraction:
    return Fraction(breach.amplifications()["R3"])


def _of_zero(operator: str, prior: Sequence[Fraction] | None = None, rho: tuple[str, str] | None = None) -> Breaches:
    """What `candor breach` says of an operator if all that is seen is whether it sent a 0."""
    return breach_of(breach.zero_or_not(operator), prior, rho=rho)


def _surest_property(operator: str) -> str:
    found = surest(breach.PRIOR, breach.zero_or_not(operator), Fraction(1, 100))
    assert found is not None
    return f"X = {', '.join(map(str, found.inputs))}: {percent(found.before)} → {percent(found.after, 1)}"


def _least_of(operator: str, inputs: range) -> str:
    """What a property was thought, and the least it becomes."""
    (belief,) = breach_of(breach.zero_or_not(operator), breach.PRIOR, properties=[list(map(str, inputs))]).beliefs
    return f"{percent(belief.properties[0].least.before)} → {percent(belief.properties[0].least.after)}"


_OUT = {x: breach.PRIOR[x] for x in breach.PROPERTIES["X not in 200 … 800"]}
_OUT_IN_ALL = sum(_OUT.values())
OUTSIDE = [_OUT.get(x, Fraction(0)) / _OUT_IN_ALL for x in range(breach.VALUES)]


def _draw_ages() -> Records:
    """As many people of 30 as of 70, behind a square wave."""
    age = {"id": "age", "min": 0, "max": 99, "step": 1}
    design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 1, "items": [age]}]})
    return disguise(pd.DataFrame({"age": [30] * 5000 + [70] * 5000}), design, seed=7)


BREACHES = [
    *_table_1(),
    Row(
        "breaches", "2.2: P[Y = y], a 0 from R1", BREACH,
        lambda _: percent(sum(p * breach.chance_r1(x) for x, p in enumerate(breach.PRIOR)), 3),
    ),
    Row(
        "breaches", "2.2: R1 lets 1 % become 70 %", BREACH,
        lambda _: claim(breach.table()[2][2] >= Fraction(7, 10), "1 % → 70 %"), "1 % → 70 %",
    ),
    Row(
        "breaches", "2.2: R2 lets 40 % become 100 %", BREACH,
        lambda _: f"{percent(breach.table()[1][2], 1)} → {percent(breach.table()[5][2])}", "40 % → 100 %",
        instead="40.5 % → 100 %", why="the same but for rounding: a belief of 40.5 % is not one of at most 40 %",
    ),
    Row(
        "breaches", "2.1: averages by expectation maximisation: half of 10 000 people are 70, disguised",
        "candor reconstruct", lambda _: percent(distribution(_draw_ages(), "age", bins=10).above(50)[0]),
    ),
    Row(
        "breaches", "definition 1: an age of 70 and more, after age + noise = 120", BREACH,
        lambda _: " → ".join(map(percent, breach.ages())), "30 % → 100 %",
    ),
    Row(
        "breaches", "definition 2, negative: 200 ≤ X ≤ 800, after R2 = 0", f"{OF_CHANNEL} --property",
        lambda _: _least_of("R2", range(200, 801)), "60 % → 0 %",
        instead="59 % → 0 %", why="the same but for rounding: it is 59.499 %",
    ),
    Row(
        "breaches", "definition 3, (a): γ of R3", "python -m papers: amplification.csv",
        lambda _: f"1 + {_gamma_r3() - 1} {'<' if _gamma_r3() < 6 else '≥'} 6", "1 + 1001/201 < 6",
    ),
    Row(
        "breaches", "(b): R3 allows no breach from 1/7 to 1/2", f"{OF_CHANNEL} --rho 1/7,1/2",
        lambda _: claim(bool(_of_zero("R3", rho=("1/7", "1/2")).ruled_out), "γ < 6"), "γ < 6",
    ),
    Row(
        "breaches", "definition 1: of all that is at most 1 % likely, what R1 = 0 makes surest", f"{OF_CHANNEL} --rho",
        lambda _: _surest_property("R1"), "X = 0: 1 % → 71.6 %",
    ),
    Row(
        "breaches", "background Z: the odds that R3 = 0 lets grow most, X not in 200 … 800", OF_CHANNEL,
        lambda _: claim(_of_zero("R3", OUTSIDE).beliefs[0].worst.amplification <= _gamma_r3(), "within γ"), "within γ",
    ),
    Row(
        "breaches", "3: P[x → y] of R3, near and far", BREACH,
        lambda _: claim(
            (breach.chance_r3(0), breach.chance_r3(500))
            == ((Fraction(1, 201) + Fraction(1, 1001)) / 2, Fraction(1, 1001) / 2),
            "½(1/201 + 1/1001), ½ · 1/1001",
        ), "½(1/201 + 1/1001), ½ · 1/1001",
    ),
    Row(
        "breaches", "(b): what 1/7 becomes at most by R3, whatever the prior", "python -m papers: posterior-bound.svg",
        lambda _: claim(posterior_bound(Fraction(1, 7), _gamma_r3()) < Fraction(1, 2), "below 1/2"), "below 1/2",
    ),
    Row(
        "breaches", "(b), negative: what 1/2 becomes at least", "python -m papers: posterior-bound.svg",
        lambda _: claim(1 - posterior_bound(Fraction(1, 2), _gamma_r3()) > Fraction(1, 7), "above 1/7"), "above 1/7",
    ),
]  # fmt: skip


POOLED = "candor reconstruct --estimator pooled"
_MODEL = {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b", "c"]}
_TRIPLE = {"": (80_000, 20_000), "a,b,c": (13_296, 1_000)}  # .3 · .05 + .7 · .6³ of the disguised ones
_COUNTS = {  # disguised and direct records where a and b are each true of 3 in 10, both of 1 in 10, k = .2
    "": (80_000, 20_000), "a": (40_800, 6_000), "!a": (39_200, 14_000),
    "a,b": (22_560, 2_000), "!a,!b": (20_960, 10_000), "a,!b": (18_240, 4_000), "!a,b": (18_240, 4_000),
}  # fmt: skip


def _figure(pattern: str, name: str = "support", counts: dict[str, tuple[int, int]] = _COUNTS) -> float:
    design = Design.parse(_MODEL | {"direct": True})
    (figures,) = reconstruct_counts(design, pattern, counts, estimator="pooled").patterns
    return float(getattr(figures, name))


def _support_of_unrelated() -> str:
    return f"{reconstruct_counts(Design.parse(_MODEL), 'a', {'': (1000, 0), 'a': (510, 0)}).patterns[0].support:.2f}"


def _gamma(model: str, p: float = 0.3) -> float:
    return float(Design.parse(_MODEL | {"model": model, "p": p}).gamma)


def _mean_error_w(tables: Tables) -> float:
    """The mean distance of reconstructed supports from the true ones."""
    asked = {"reading": "direct", "varied": "p", "value": "0.3", "estimator": "pooled"}
    return next(float(row["w"]) for row in tables("experiment") if asked.items() <= row.items())


def _warner_pi() -> float:
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a"]})
    return reconstruct_counts(design, "a", {"": (1000, 0), "a": (420, 0)}).patterns[0].support or 0.0


def _fall_of_w(tables: Tables, varied: str) -> str:
    own = [
        float(row["w"])
        for row in tables("experiment")
        if (row["reading"], row["varied"], row["estimator"]) == ("direct", varied, "pooled")
    ]
    rises = sum(later > earlier * 1.1 for earlier, later in pairwise(own))
    return claim(own[-1] == 0 and not rises, "falls to 0")


TENTH = {name: (first // 10, second // 10) for name, (first, second) in _COUNTS.items()}
GROUPED = [
    Row("grouped", "(1): π of 42 % yes, θ = .7", "candor reconstruct", lambda _: f"{_warner_pi():.2f}", worked="0.30"),
    Row("grouped", "(3), (4), (8): π of λ = .468, k = .2", POOLED, lambda _: f"{_figure('a'):.2f}", worked="0.30"),
    Row(
        "grouped", "(6): the error of π̂, n = 10 000", f"{POOLED}: se by (6)",
        lambda _: f"{_figure('a', 'se_printed', TENTH):.5f}".removeprefix("0"), worked=".01134",
    ),
    Row(
        "grouped", "(6): the same, knowing who answered directly", f"{POOLED}: se",
        lambda _: f"{_figure('a', 'se', TENTH):.5f}".removeprefix("0"), worked=".01134", instead=".01118",
        why="sharper: k is known and not drawn, so that what lies between the groups is no error",
    ),
    Row("grouped", "(9): π of the opposite", POOLED, lambda _: f"{_figure('!a'):.2f}", worked="0.70"),
    Row("grouped", "(10)–(12), (14): a pair, k = .2", POOLED, lambda _: f"{_figure('a,b'):.2f}", worked="0.10"),
    Row("grouped", "(15): neither of a pair", POOLED, lambda _: f"{_figure('!a,!b'):.2f}", worked="0.50"),
    Row(
        "grouped", "figure 1: W by p, k = .2", "python -m papers: experiment.csv",
        lambda tables: _fall_of_w(tables, "p"), "falls to 0", reads=True,
    ),
    Row(
        "grouped", "section 4: W by k, p = .3", "python -m papers: experiment.csv",
        lambda tables: _fall_of_w(tables, "k"), worked="falls to 0",
        why="so where k answer directly, as in (7)–(16); section 4 swaps its meaning", reads=True,
    ),
    Row(
        "grouped", "(2): π of the unrelated question, λ = .51", "candor reconstruct", lambda _: _support_of_unrelated(),
        worked="0.30",
    ),
    Row(
        "grouped", "2: what a mixed answer of the older grouped model tells", "candor guarantee",
        lambda _: claim(_gamma("grouped") == inf, "the truth"), "the truth",
    ),
    Row(
        "grouped", "3: γ of the improved model, three questions, p = .3", "candor guarantee",
        lambda _: f"{_gamma('improved-grouped'):.2f}",
    ),
    Row("grouped", "(16): one of a pair alone", POOLED, lambda _: f"{_figure('a,!b'):.2f}", worked="0.20"),
    Row(
        "grouped", "(11): all four of a pair sum to 1", POOLED,
        lambda _: f"{sum(_figure(one) for one in ('a,b', 'a,!b', '!a,b', '!a,!b')):.2f}", worked="1.00",
    ),
    Row("grouped", "(12): a triple", POOLED, lambda _: f"{_figure('a,b,c', counts=_TRIPLE):.2f}", worked="0.05"),
    Row(
        "grouped", "3: support and confidence of a ⇒ b", "candor mine",
        lambda _: f"{_figure('a,b'):.2f}, {_figure('a,b') / _figure('a'):.2f}", worked="0.10, 0.33",
    ),
    Row(
        "grouped", "figure 1: privacy as p nears 1", "candor guarantee",
        lambda _: claim(_gamma("improved-grouped", 0.9) > 10 * _gamma("improved-grouped"), "the worst"), "the worst",
    ),
    Row(
        "grouped", "section 4: W of 10 000 people and three items, p = .3, k = .2", "python -m papers: experiment.csv",
        lambda tables: f"{_mean_error_w(tables):.4f}".removeprefix("0"), reads=True,
    ),
]  # fmt: skip
