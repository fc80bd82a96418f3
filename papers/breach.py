"""Privacy breaches: the example of Evfimievski, Gehrke and Srikant (2003), as shown again by Li and others, in exact
fractions.

X is 0 with 1 %, and each of 1 … 1000 with .099 %. R₁ keeps it with 20 % and else sends another value; R₂ adds a uniform
number from −100 … 100, modulo 1001; R₃ is R₂ with 50 % and else a uniform value. What does seeing a 0 tell? And the
older warning, by Agrawal and Srikant's (2000) noise: an age plus a uniform number from −50 … 50 can give it all away.
"""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy.special import comb

from papers import about, write_chart, write_table
from privacy.design import Design
from privacy.draw.chart import Axis, Line, Mark, chart
from privacy.guarantee import Gamma, gamma, posterior_bound
from privacy.guarantee.breach import belief, posterior

TITLE = "What one disguised answer tells: the breaches of the published example, exactly, and how γ bounds them"
ABOUT = about("breach")

VALUES = 1001
PRIOR = np.array([Fraction(1, 100)] + [Fraction(99, 100_000)] * (VALUES - 1), dtype=object)
PROPERTIES = {"X = 0": [0], "X not in 200 … 800": [x for x in range(VALUES) if not 200 <= x <= 800]}
AGES, OLD = range(100), range(70, 100)  # everybody from 0 to 99, as many of each age
LEAKS = range(1, 13)


def chance_r1(x: int) -> Fraction:
    """R₁: P(0 | x)."""
    return Fraction(1, 5) if x == 0 else Fraction(4, 5) / (VALUES - 1)


def chance_r2(x: int) -> Fraction:
    """R₂: P(0 | x)."""
    return Fraction(1, 201) if min(x, VALUES - x) <= 100 else Fraction(0)


def chance_r3(x: int) -> Fraction:
    """R₃: P(0 | x)."""
    return chance_r2(x) / 2 + Fraction(1, 2 * VALUES)


OPERATORS: dict[str, Callable[[int], Fraction]] = {"R1": chance_r1, "R2": chance_r2, "R3": chance_r3}


def zero_or_not(operator: str) -> np.ndarray:
    """The channel of an operator where one sees whether it sent a 0."""
    return _two_outputs([OPERATORS[operator](x) for x in range(VALUES)])


def table() -> list[tuple[str, str, Fraction]]:
    """Table 1: the belief in each property before, and after each operator has sent a 0."""
    beliefs = [("nothing", name, belief(PRIOR, inputs)) for name, inputs in PROPERTIES.items()]
    for operator in OPERATORS:
        after = posterior(PRIOR, zero_or_not(operator), 0)
        beliefs += [(f"{operator} = 0", name, belief(after, inputs)) for name, inputs in PROPERTIES.items()]
    return beliefs


def percent_text(share: Fraction) -> str:
    """A percentage as Table 1 prints it: whole where three decimals hold it, otherwise in four digits."""
    percent = 100 * share
    digits = 5 if (1000 * percent).denominator == 1 else 4
    return f"{float(percent):.{digits}g} %"


def amplifications() -> dict[str, Gamma]:
    """γ of the three operators: all outputs are alike but for a rotation, so that one column says it."""
    return {name: gamma([[chance(x)] for x in range(VALUES)]) for name, chance in OPERATORS.items()}


def ages() -> tuple[Fraction, Fraction]:
    """How likely an age of 70 and more is, before and after the sum of age and noise turns out to be 120."""
    prior = np.array([Fraction(1, len(AGES))] * len(AGES), dtype=object)
    seen = _two_outputs([Fraction(1, 101) if abs(120 - age) <= 50 else Fraction(0) for age in AGES])
    return belief(prior, OLD), belief(posterior(prior, seen, 0), OLD)


def count_given_away(items: int) -> tuple[Gamma, float]:
    """γ of the improved grouped model (p = .3, θ = .6), and the share of people with a yes whom it gives away.

    Items are independent, each true of one in ten. Given away: the record has a yes, is wholly true, and one can be
    95 % sure of it.
    """
    design = Design.parse(
        {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": [f"item{j}" for j in range(items)]}
    )
    yes = np.arange(items + 1)  # in the truth, or in the record
    shares, noise = (no ** (items - yes) * share**yes for no, share in ((0.9, 0.1), (0.4, 0.6)))
    true = shares * (0.3 + 0.7 * noise)  # of one record with so many yeses: that it is sent, and true
    sure = (true >= 0.95 * (0.3 * shares + 0.7 * noise)) & (yes > 0)
    return gamma(design), float((comb(items, yes) * true)[sure].sum() / (1 - 0.9**items))


def write(folder: Path) -> None:
    rows = [[seen, name, percent_text(share), share] for seen, name, share in table()]
    before, after = ages()
    rows += [
        ["nothing", "age of 70 and more", percent_text(before), before],
        ["age + noise = 120", "age of 70 and more", percent_text(after), after],
    ]
    write_table(folder / "breaches.csv", ["seen", "property", "belief", "exact"], rows)
    exact = [[name, float(value), value] for name, value in amplifications().items()]
    write_table(folder / "amplification.csv", ["operator", "gamma", "exact"], exact)
    leaks = [(items, *count_given_away(items)) for items in LEAKS]
    given_away = [[items, float(value), share] for items, value, share in leaks]
    write_table(folder / "leak-by-length.csv", ["items", "gamma", "given away"], given_away)
    write_chart(folder / "posterior-bound.svg", _bounds_chart())
    write_chart(
        folder / "leak-by-length.svg",
        chart(
            "One coin over a long questionnaire: who is given away",
            [Line("", list(LEAKS), [share for _, _, share in leaks], markers=True)],
            Axis("questions under one coin (p = .3, θ = .6)"),
            Axis("of those with a yes, shown with 95 % certainty", percent=True, low=0.0),
            description="; ".join(f"{items} questions, γ {float(g):.4g}: {share:.3g}" for items, g, share in leaks),
        ),
    )


def _bounds_chart() -> str:
    priors = [Fraction(index, 100) for index in range(101)]
    lines = [
        Line(f"γ = {value}", [float(p) for p in priors], [float(posterior_bound(p, Fraction(value))) for p in priors])
        for value in (2, 6, 19, 100, 4090)
    ]
    return chart(
        "How sure can one answer make someone?",
        lines,
        Axis("belief before", percent=True, low=0.0, high=1.0),
        Axis("belief after, at most", percent=True, low=0.0, high=1.0),
        description="The largest posterior that γ allows for each prior: 5 % becomes 50 % at γ = 19.",
        marks=[Mark("5 %", x=0.05)],
    )


def _two_outputs(chances: list[Fraction]) -> np.ndarray:
    """A channel with two outputs: the one that was seen, and any other."""
    return np.array([[chance, 1 - chance] for chance in chances], dtype=object)
