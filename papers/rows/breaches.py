"""Rows of the paper on limiting privacy breaches."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from papers import breach
from papers.rows.row import Row, claim, percent
from privacy.design import Design
from privacy.disguise.frame import disguise_rows
from privacy.guarantee import posterior_bound
from privacy.guarantee.breach import surest
from privacy.guarantee.channel import Breaches, breach as breach_of
from privacy.reconstruct.distribution import distribution
from privacy.records import Records

OF_CHANNEL = "candor breach CHANNEL --prior FILE"
BREACH = "python -m papers: breaches.csv"
TABLE_1 = ((1, 0), (40.5, 1), (71.6, 1), (83, 0), (4.8, 1), (100, 0), (2.9, 1), (70.8, 1))


def _table_1() -> list[Row]:
    rows = []
    for place, ((seen, name, share), (value, digits)) in enumerate(zip(breach.table(), TABLE_1, strict=True)):
        title = f"table 1, {place + 1}: {name}, {'before' if seen == 'nothing' else f'after {seen}'}"
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
    """As many people of 30 as of 70, disguised by a coin and uniform noise."""
    age = {"id": "age", "min": 0, "max": 99, "step": 1}
    noise = {"number": "uniform", "spread": 20, "edge": "wrap", "mix": 0.25}
    design = Design.parse({"blocks": [noise | {"items": [age]}]})
    return disguise_rows(design, np.repeat([30, 70], 5000)[:, np.newaxis], 0, seed=7)


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
