"""The people of the demo surveys: what is asked of them, how common their answers are, and simulated ones.

All of it is in `demo.json`. Beside what a draft says of a question, `risks` are the chances of a yes outside and inside
the group that takes more risks, and `yes` and `no` are how a report tells it of those who say so. A demo has one name:
staff read the heading that respondents read.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from privacy.design import Design

_FILE = json.loads(Path(__file__).with_name("demo.json").read_text(encoding="utf-8"))

SURVEYS: dict[str, dict[str, Any]] = {
    slug: {"who": _FILE["who"], "consent": _FILE["consent"], "closing": _FILE["closing"], **survey}
    for slug, survey in _FILE["surveys"].items()
}
TOWN: dict[str, Any] = _FILE["questions"]["home"]["settings"]["map"]


def questions_of(survey: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": name, **_FILE["questions"][name]} for block in survey["blocks"] for name in block["questions"]]


RESPONDENTS = 10_000
# Where the people of the town live: share, x, y and spread of each quarter, in metres.
_CLUSTERS = [
    (0.28, 3000, 2500, 520),
    (0.20, 1500, 1500, 380),
    (0.14, 4500, 3500, 420),
    (0.12, 4600, 1300, 300),
    (0.12, 1300, 3700, 300),
]  # and the others anywhere


def answers(risks: list[tuple[float, float]]) -> np.ndarray:
    """Draw true answers, a row for each person. A group of three in ten says yes more often to every question.

    So the answers depend on each other, as they do among real people; inside a group they are independent. `risks`
    holds the chances of a yes to each question, outside and inside that group.
    """
    chance = np.random.default_rng(2010)
    group = chance.random(RESPONDENTS) < 0.3
    outside, inside = np.array(risks).T
    yes = np.where(group[:, None], inside, outside)
    return (chance.random(yes.shape) < yes).astype(np.uint8)


def where_one_may_skip(answers: np.ndarray) -> np.ndarray:
    """The same answers as codes of three options: 0 yes, 1 no, 2 "prefer not to say".

    One in four of those who would say yes prefers it, and three in a hundred of the others.
    """
    skips = np.random.default_rng(2011).random(answers.shape) < np.where(answers == 1, 0.25, 0.03)
    return np.where(skips, 2, 1 - answers).astype(np.uint8)


def in_town(design: Design) -> np.ndarray:
    """Draw how much people drink a week, and where they live, as codes of a design of these two items.

    Most drink little or nothing; people who live in the quarter of the harbour drink more often, and more.
    """
    chance = np.random.default_rng(2023)
    shares = [share for share, *_ in _CLUSTERS]
    quarter = chance.choice(len(shares) + 1, RESPONDENTS, p=[*shares, 1 - sum(shares)])
    middles = np.array([(x, y, spread) for _, x, y, spread in _CLUSTERS] + [(0, 0, 0)])[quarter]
    places = middles[:, :2] + middles[:, 2:] * chance.normal(size=(RESPONDENTS, 2))
    size = np.array([TOWN["width"], TOWN["height"]])
    stray = (quarter == len(shares)) | ((places < 0) | (places >= size)).any(axis=1)
    places = np.where(stray[:, np.newaxis], chance.random((RESPONDENTS, 2)) * size, places)
    x, y = (places // TOWN["cell"]).astype(np.int64).T
    drinker = chance.random(RESPONDENTS) < np.where(quarter == 1, 0.55, 0.25)
    drinks = np.where(drinker, chance.gamma(5, 4, RESPONDENTS), chance.gamma(1, 3, RESPONDENTS)).astype(np.int64)
    number, home = design.items
    codes = [number.codes_at([np.minimum(drinks, len(number.steps[0]) - 1)]), home.codes_at([x, y])]
    return np.column_stack(codes).astype(design.code_type)
