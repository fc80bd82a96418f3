"""Ten questions, four ways of asking: standard errors of supports at one and the same promise, γ = 19.

10 000 disguised respondents, ten independent items of prevalence .3, innocent questions answered yes by half. The
exact errors are those of the algebra; beside them stands the spread of simulated surveys.
"""

from math import sqrt
from pathlib import Path

import numpy as np

from papers import about, write_chart, write_table
from papers.simulate import exact_error, independent, surveys
from privacy.design import ONE, YES_NO, Design
from privacy.design.patterns import parse_pattern
from privacy.draw.chart import Axis, Line, Points, chart
from privacy.estimate.estimators import estimate
from privacy.estimate.weights import channel_of, factors

TITLE = "The error of an item, a pair and a triple of ten under four channels of γ = 19, exact and simulated"
ABOUT = about("channels_of_ten")

SEED = 19
RESPONDENTS = 10_000
SURVEYS = 2_000
PREVALENCE = 0.3
NAMES = list("abcdefghij")
PATTERNS = {"item": "a", "pair": "a,b", "triple": "a,b,c"}


def designs() -> dict[str, Design]:
    """The four ways; a keep is rounded down to 2^-32, so that no γ is above 19."""
    item_gamma = 19 ** (1 / 10)  # a coin per item multiplies ten of these
    keep, even = int((item_gamma - 1) / (item_gamma + 1) * ONE), [ONE // 2, ONE // 2]
    coins = [{"keep": keep, "items": [{"id": name, "options": list(YES_NO), "noise": even}]} for name in NAMES]
    return {
        "one coin over all ten": Design.parse({"model": "gamma-diagonal", "gamma": 19, "items": NAMES}),
        "a coin per item": Design.parse({"candor": 1, "direct": False, "of": ONE, "blocks": coins}),
        "sampled, ask 4": Design.parse({"model": "gamma-diagonal", "gamma": 19, "items": NAMES, "ask": 4}),
        "flip, radius 2": Design.parse({"model": "flip", "gamma": 19, "radius": 2, "items": NAMES}),
    }


def write(folder: Path) -> None:
    random = np.random.default_rng(SEED)
    rows: list[tuple[str, str, float, float, float]] = []
    lines = []
    for name, design in designs().items():
        exact = []
        for length, pattern in PATTERNS.items():
            parsed = parse_pattern(pattern, design)
            states = independent(design, parsed, dict.fromkeys(NAMES, (1 - PREVALENCE, PREVALENCE)))
            counts, sizes = surveys(design, parsed, states, RESPONDENTS, 0.0, SURVEYS, random)
            support = estimate(counts, sizes, channel_of([factors(design, parsed)]), "stratified").support
            spread = float(support.std(ddof=1))
            exact.append(exact_error(design, parsed, states, RESPONDENTS))
            rows.append((name, length, exact[-1], spread, spread / sqrt(2 * SURVEYS - 2)))
        lines.append(Line(name, [0.0, 1.0, 2.0], exact))
    headings = ["channel", "pattern", "se", "se_simulated", "monte_carlo_error"]
    write_table(folder / "channels-of-ten.csv", headings, rows)
    simulated = [spread for *_, spread, _ in rows]
    low, high = ([spread + side * 1.96 * error for *_, spread, error in rows] for side in (-1, 1))
    points = Points("simulated, 95 %", [0.0, 1.0, 2.0] * len(lines), simulated, low, high)
    svg = chart(
        "Standard error by length of the pattern, γ = 19",
        [*lines, points],
        Axis(names=("one item", "a pair", "a triple")),
        Axis("standard error", log=True),
        description=f"{RESPONDENTS} respondents, ten independent items of prevalence {PREVALENCE}; "
        f"lines are exact, points the spread of {SURVEYS} simulated surveys.",
    )
    write_chart(folder / "channels-of-ten.svg", svg)
