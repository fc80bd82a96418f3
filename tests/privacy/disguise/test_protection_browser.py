"""What the browser says of a design's protection is what Python proves of it."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.guarantee import gamma, outward, posterior_bound
from tests.privacy.channels import random_design

BROWSER = Path(__file__).parents[3] / "privacy" / "disguise" / "browser"
PROTECTION, KINDS = BROWSER / "protection.js", BROWSER / "kinds.js"
Node = Callable[..., str]
SEED = 20100607

EXTREME: dict[str, dict[str, Any]] = {
    "ten items under one coin": {"keep": 0.3, "items": [{"id": f"i{j}", "theta": 0.6} for j in range(10)]},
    "a thousand items under one coin": {"keep": 0.3, "items": [{"id": f"i{j}", "theta": 0.01} for j in range(1000)]},
    "noise that never says no": {"keep": 0.3, "items": [{"id": "a", "theta": 1}]},
    "a coin that always keeps": {"keep": 1, "items": [{"id": "a", "theta": 0.5}]},
    "a block that keeps almost nothing": {"keep": 2**-32, "items": [{"id": "a", "theta": 0.5}]},
    "flips that say nothing": {"flips": [0.25, 0.5, 0.25], "items": [{"id": "a"}, {"id": "b"}]},
    "harmless answers that almost all stay": {"one-sided": 2**-32, "items": [{"id": "a", "harmless": "0"}]},
    "harmless answers that are all turned": {"one-sided": 1, "items": [{"id": "a", "harmless": "0"}]},
    "a thousand harmless answers": {"one-sided": 0.2, "items": [{"id": f"i{j}", "harmless": "1"} for j in range(1000)]},
    "flips that never turn all over": {"flips": [0.5, 0.5, 0], "items": [{"id": "a"}, {"id": "b"}]},
}


def gammas(node: Node, designs: list[Design], figure: str = "gamma") -> list[float]:
    modules = ", ".join(f"import({json.dumps(path.as_uri())})" for path in (PROTECTION, KINDS))
    script = (
        f"Promise.all([{modules}]).then(async ([protection, {{ loadKinds }}]) => {{"
        "  const designs = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "  await Promise.all(designs.map(loadKinds));"
        f"  console.log(JSON.stringify(designs.map((design) => String(protection.{figure}(design)))));"
        "})"
    )
    in_browser = node("-e", script, input=json.dumps([design.document for design in designs]))
    return [float(value) for value in json.loads(in_browser)]


def test_gamma_is_the_same_float_as_in_python(node: Node) -> None:
    """300 random designs (seed 20100607): exact fractions, rounded upwards, to the same last digit."""
    rng = np.random.default_rng(SEED)
    designs = [random_design(rng) for _ in range(300)]

    assert gammas(node, designs) == [outward(gamma(design)) for design in designs]


def test_the_odds_of_what_is_hidden_are_the_same_float_as_in_python(node: Node) -> None:
    """The same designs: where an answer stays open, the others have odds of their own; else these are γ."""
    rng = np.random.default_rng(SEED)
    designs = [random_design(rng) for _ in range(300)]

    assert gammas(node, designs, "odds") == [outward(design.odds) for design in designs]


@pytest.mark.parametrize("name", EXTREME)
def test_gamma_and_odds_of_extreme_designs_are_the_same(node: Node, name: str) -> None:
    """Nothing protected, nothing told, and more than a float can hold."""
    design = Design.parse({"direct": True, "blocks": [EXTREME[name]]})

    assert gammas(node, [design]) == [outward(gamma(design))]
    assert gammas(node, [design], "odds") == [outward(design.odds)]


def test_the_bound_is_rounded_up_as_in_python(node: Node) -> None:
    """Whole percent, never below γ / (19 + γ): at each whole percent, one float to either side, and at random."""
    whole = [19 * percent / (100 - percent) for percent in range(5, 100)]
    beside = [math.nextafter(factor, way) for factor in whole[1:] for way in (0, math.inf)]
    random = np.random.default_rng(SEED).lognormal(3, 3, 1000) + 1
    factors = [*whole, *beside, *random.tolist(), 1e6, 1e300]
    script = (
        f"import({json.dumps(PROTECTION.as_uri())}).then(({{sure}}) => {{"
        "  const factors = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "  console.log(JSON.stringify([...factors, Infinity].map(sure)));"
        "})"
    )

    in_browser = json.loads(node("-e", script, input=json.dumps(factors)))

    proven = [posterior_bound(0.05, Fraction(factor)) for factor in factors] + [posterior_bound(0.05, math.inf)]
    assert in_browser == [math.ceil(100 * bound) / 100 for bound in proven]


def test_no_figure_is_given_of_a_design_that_is_not_exact(node: Node) -> None:
    """A design made to look harmless, with a chance above 1, is refused instead of measured."""
    item = {"id": "a", "options": ["0", "1"], "noise": [2**31, 2**31]}
    script = (
        f"import({json.dumps(PROTECTION.as_uri())}).then(({{gamma}}) => gamma("
        f"{json.dumps({'of': 2**32, 'blocks': [{'keep': 2**33, 'items': [item]}]})}))"
        ".then(console.log, (error) => console.log(error.name))"
    )

    assert node("-e", script) == "RangeError\n"
