"""Power and sample sizes as published, exact to the last respondent."""

import numpy as np
import pytest

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.power import MatchLine, line_of_pattern
from privacy.reconstruct import reconstruct
from tests.cases import first
from tests.refusals import refusal_of

FORCED = Design.parse({"model": "forced-response", "p": 2 / 3, "yes": 1 / 6, "items": ["a"]})


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        (FORCED, 0.9868872),  # the example of rr's power.rr.test
        (Design.parse({"model": "warner", "theta": 2 / 3, "items": ["a"]}), 0.3767497),  # rr: mirrored question
        (Design.parse({"model": "unrelated-question", "p": 2 / 3, "theta": 1 / 3, "items": ["a"]}), 0.9963891),
    ],
)
def test_published_powers(design: Design, expected: float) -> None:
    """200 respondents, support .2 against 0, one-sided at .01, in three models."""
    assert line_of_pattern(design, "a").power(200, 0.2, 0.0, alpha=0.01) == pytest.approx(expected, abs=5e-8)


@pytest.mark.parametrize(("target", "n"), [(0.80, 89), (0.90, 119), (0.95, 148)])
def test_the_smallest_sample_is_found_exactly(target: float, n: int) -> None:
    """One respondent fewer misses the power; rr's search stops early at 87, 115 and 141."""
    channel = line_of_pattern(FORCED, "a")

    assert channel.sample_size(target, 0.2, 0.0, alpha=0.01) == n
    assert channel.power(n, 0.2, 0.0, alpha=0.01) >= target > channel.power(n - 1, 0.2, 0.0, alpha=0.01)


def test_of_a_sampled_block_those_who_are_asked_count() -> None:
    """Four of ten items each: 10 000 respondents show of one item what 4 000 who are asked it show."""
    design = Design.parse({"model": "gamma-diagonal", "gamma": 19, "ask": 4, "items": list("abcdefghij")})
    channel = line_of_pattern(design, "a")
    all_asked = MatchLine(channel.c, channel.d)

    assert channel.power(10_000, 0.33, 0.30) == pytest.approx(all_asked.power(4_000, 0.33, 0.30), rel=1e-12)
    assert 0 <= all_asked.sample_size(0.8, 0.33, 0.30) - 0.4 * channel.sample_size(0.8, 0.33, 0.30) < 1


@pytest.mark.parametrize("surveys", first(1, [80, 300]))
def test_surveys_reject_as_often_as_the_power_says(surveys: int) -> None:
    """300 surveys of 2 000 people who are asked two of three items, disguised and tested one by one."""
    design = Design.parse({"blocks": [{"keep": 0.5, "ask": 2, "items": [{"id": x, "theta": 0.5} for x in "abc"]}]})
    channel, n, null = line_of_pattern(design, "a"), 2_000, 0.2
    chance = np.random.default_rng(20261122)
    rejected = 0
    for survey in range(surveys):
        truth = (chance.random((n, 3)) < 0.27).astype(np.uint8)
        records = disguise(design, truth, take=words_from_seed(survey))
        support = reconstruct(records, ["a"]).patterns[0].support
        rejected += support - null > 1.6448536 * np.sqrt(channel.variance(null) / n)

    expected = channel.power(n, 0.27, null)
    assert abs(rejected / surveys - expected) < 4.5 * np.sqrt(expected * (1 - expected) / surveys)
    assert 0.3 < expected < 0.95  # far from where nothing could be distinguished


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda line: line.sample_size(0.8, 0.2, 0.2),
            "The supports to tell apart are the same; no number of respondents suffices.",
        ),
        (lambda line: line.sample_size(1.0, 0.2, 0.1), "power: 1.0 is not between 0 and 1."),
        (lambda line: line.power(100, 1.2, 0.1), "support: 1.2 is not from 0 to 1."),
        (lambda line: line.power(100, 0.2, 0.1, alpha=0), "alpha: 0 is not between 0 and 1."),
        (lambda line: line.power(100, 0.2, 0.1, sides=3), "sides: 3 is neither 1 nor 2."),
    ],
)
def test_impossible_plans_are_refused(wrong, said: str) -> None:
    """Each refusal names the value and the rule."""
    assert refusal_of(lambda: wrong(line_of_pattern(FORCED, "a"))) == said


def test_power_is_not_said_where_a_cap_shortens_what_people_send() -> None:
    """It depends on their other answers, too. A list that keeps every answer has the power of its own chances."""
    names = ["a", "b", "c", "d"]

    def listed(cap: int) -> Design:
        return Design.parse({"model": "one-of", "gamma": 19, "cap": cap, "items": names})

    assert 0 < candor.power(listed(4), "a", respondents=1000, support=0.1, null=0.05) < 1
    with pytest.raises(InputError, match="send a part of it, so power depends on their other answers, too"):
        candor.power(listed(2), "a", respondents=1000, support=0.1, null=0.05)
