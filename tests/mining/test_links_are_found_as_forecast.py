"""What pages forecast of links is what a report finds: simulated surveys with a known truth.

The people are drawn here: each yes/no question goes together with its neighbour (φ = .3), and with no other.
"""

from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.reconstruct.pairs import look_at_pairs
from privacy.records import Records
from surveys.domain.questionnaire.expected import expect_connections, pair_items
from tests.cases import first

TRUE = {(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)}


def ten(keep: float, ask: int, item: dict[str, Any]) -> Design:
    return Design.parse(
        {"blocks": [{"keep": keep, "ask": ask, "items": [{"id": name, **item} for name in "abcdefghij"]}]}
    )


WITHOUT = ten(0.529, 4, {"theta": 0.5})
WITH = ten(0.666, 2, {"options": ["1", "0", "secret"], "noise": [0.34, 0.33, 0.33]})


def neighbours(design: Design, n: int, lot: np.random.Generator) -> np.ndarray:
    """51 % in place of 30 % say yes to the second question of two where they say yes to the first.

    Where one in 20 skips, it is 50 % in place of 28.5 %.
    """
    share = 0.3 if design is WITHOUT else 0.285
    both = share**2 + 0.3 * share * (1 - share)
    first = lot.random((n, 5)) < share
    second = lot.random((n, 5)) < np.where(first, both / share, (share - both) / (1 - share))
    yes = np.stack([first, second], axis=2).reshape(n, 10)
    if design is WITHOUT:
        return yes.astype(np.uint8)
    return np.where(yes, 0, np.where(lot.random(yes.shape) < 0.05 / (1 - share), 2, 1)).astype(np.uint8)


def links_of(design: Design, codes: np.ndarray) -> set[tuple[int, ...]]:
    """The pairs of questions of which a report says that they go together."""
    sent = disguise(design, codes, np.zeros(len(codes), bool))
    yes = [(place, frozenset([item.options.index("1")])) for place, item in enumerate(design.items)]
    seen = look_at_pairs(Records(design, sent.codes, sent.direct), yes, 20)
    return {tuple(sorted(column for column, _options in pair.answers)) for pair in seen.sure}


@pytest.mark.parametrize(
    ("design", "n", "surveys"),
    [
        pytest.param(WITHOUT, 3200, 100, marks=pytest.mark.long),
        pytest.param(WITHOUT, 20_000, 20, marks=pytest.mark.long),
        pytest.param(WITHOUT, 2000, 400, marks=pytest.mark.long),
        pytest.param(WITHOUT, 5000, 300, marks=pytest.mark.long),
        (WITH, 16_000, 2),
        pytest.param(WITH, 16_000, 40, marks=pytest.mark.long),
        pytest.param(WITH, 8000, 300, marks=pytest.mark.long),
        pytest.param(WITH, 30_000, 100, marks=pytest.mark.long),
    ],
)
def test_as_many_links_are_found_as_forecast_and_they_are_true(design: Design, n: int, surveys: int) -> None:
    """No fewer and at most one in eight more, 4.5 standard errors aside; of those found at most 5 % are not true."""
    lot = np.random.default_rng(35)
    seen = [links_of(design, neighbours(design, n, lot)) for _survey in range(surveys)]
    shares = np.array([len(pairs & TRUE) / 5 for pairs in seen])
    false = np.array([len(pairs - TRUE) / max(len(pairs), 1) for pairs in seen])
    forecast = expect_connections(design, n)[0].chance

    band = 4.5 * max(float(shares.std(ddof=1)), 0.1) / surveys**0.5
    assert set(pair_items(design)) == TRUE
    assert forecast - band <= shares.mean() <= forecast + 0.125 + band
    assert false.mean() <= 0.05 + 4.5 * max(float(false.std(ddof=1)), 0.1) / surveys**0.5


@pytest.mark.parametrize("surveys", first(1, [1, 5]))
def test_a_true_link_is_in_the_report_of_enough_people(surveys: int) -> None:
    """A usual run hides none of medium strength below its smallest confidence: of 30 000 people all are found."""
    lot = np.random.default_rng(36)
    assert all(links_of(WITHOUT, neighbours(WITHOUT, 30_000, lot)) >= TRUE for _survey in range(surveys))
