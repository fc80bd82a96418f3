"""Designs whose records tell more of some items than yes, no or not asked, and how they are mined."""

import numpy as np

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from tests.mining.designs import CHOICE, yes_no

AGE = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 99}]}
HOME = {
    "place": "zones",
    "epsilon": 2,
    "zones": [[1, 1, 3, 3], [6, 5, 3, 3]],
    "items": [{"id": "home", "width": 10, "height": 8}],
}
WORDS = {"model": "one-of", "gamma": 100, "cap": 3, "longest": 2, "items": [*"abc"]}
GROUPS = {"model": "one-of", "gamma": 400, "cap": 5, "longest": 2, "groups": 5, "items": [*"abcde"]}
KINDS = {  # blocks and bins
    "words": (Design.parse(WORDS).to_json()["blocks"], ""),
    "words beside a sampled coin": (
        [*Design.parse(WORDS).to_json()["blocks"], {"keep": 0.7, "ask": 2, "items": [*yes_no("f", "g"), CHOICE]}],
        "",
    ),
    "bins beside a coin": ([{"keep": 0.7, "items": yes_no("a", "b")}, AGE, HOME], "age=18,30,50;home=zones"),
    "bins beside a sampled coin": ([HOME, {"keep": 0.7, "ask": 2, "items": yes_no("a", "b", "c")}, AGE], "age=40"),
    "groups of words": (Design.parse(GROUPS).to_json()["blocks"], ""),
}


def design_of(kind: str) -> Design:
    return Design.parse({"direct": True, "blocks": KINDS[kind][0]})


def simulate_records(kind: str, n: int, direct_share: float = 0.25, seed: int = 1) -> Records:
    """Records of people of two groups, who say yes, are old and live far right unlike."""
    design, chance = design_of(kind), np.random.default_rng(seed)
    group = chance.random(n) < 0.5
    columns = []
    for item in design.items:
        lean = chance.random(n) < np.where(group, 0.8, 0.3)
        if item.has_options:
            columns.append(np.where(lean, len(item.options) - 1, 0))
        elif item.id == "age":
            columns.append(item.codes_at([np.where(lean, 60, 10) + chance.integers(0, 30, n)]))
        else:
            columns.append(np.where(lean, 6, 1) * 8 + chance.integers(0, 8, n))
    truth = np.column_stack(columns).astype(design.code_type)
    return disguise(design, truth, chance.random(n) < direct_share, words_from_seed(seed))
