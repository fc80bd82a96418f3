"""Two arms compared with each other: how often honest ones differ, what is found, and what cannot be."""

import dataclasses

import numpy as np
import pytest

from privacy.design import ARM, Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.reconstruct.arms import arms, detectable
from privacy.records import Records
from tests.cases import first

ITEMS = [{"id": f"q{place}", "theta": 0.6} for place in range(4)]
GRADES = {"id": "grade", "options": ["a", "b", "c"], "noise": [0.5, 0.25, 0.25]}
COIN = Design.parse({"blocks": [{"keep": 0.5, "stronger": 0.4, "items": ITEMS[:3]}]})
SAMPLED = Design.parse(
    {"direct": True, "blocks": [{"keep": 0.6, "stronger": 0.4, "ask": 2, "items": [*ITEMS, GRADES]}]}
)
FLIPS = Design.parse({"model": "flip", "gamma": 19, "radius": 1, "items": list("abcd"), "stronger": 0.6})


def survey(design: Design, n: int, seed: int, bypass: float = 0.0, noise: float = 0.0, random: float = 0.0) -> Records:
    """Of n people, three in ten of whom say yes: shares of devices send the truth, or anything; people say anything."""
    chance = np.random.default_rng(seed)
    sizes = [len(item.options) for item in design.items]
    truth = np.stack([chance.random(n) * size if size > 2 else chance.random(n) < 0.3 for size in sizes], axis=1)
    anything = np.stack([chance.integers(0, size, n) for size in sizes], axis=1).astype(np.uint8)
    truth = np.where(chance.random((n, 1)) < random, anything, truth.astype(np.uint8)).astype(np.uint8)
    records = disguise(design, truth, take=words_from_seed(seed))
    kind = chance.random((n, 1))
    sent = np.where(kind < bypass, truth, np.where(kind < bypass + noise, anything, records.codes))
    return dataclasses.replace(records, codes=np.where(records.codes == design.not_asked, records.codes, sent))


def share_found(design: Design, n: int, surveys: int = 80, **kinds: float) -> float:
    return float(np.mean([not arms(survey(design, n, seed, **kinds)).alike for seed in range(surveys)]))


@pytest.mark.parametrize("design", first(1, [COIN, SAMPLED, FLIPS]), ids=["coin", "sampled", "flips"])
def test_honest_arms_differ_in_one_survey_of_twenty(design: Design) -> None:
    """Whatever is true: within 4.5 standard errors of 5 %, also where options of one item exclude each other."""
    assert abs(share_found(design, 800) - 0.05) < 4.5 * np.sqrt(0.05 * 0.95 / 80)


@pytest.mark.parametrize("design", first(1, [COIN, SAMPLED, FLIPS]), ids=["coin", "sampled", "flips"])
def test_what_bypasses_the_disguise_is_found_as_often_as_is_said(design: Design) -> None:
    """In four surveys of five, within 4.5 standard errors."""
    least, _noise = detectable(design, 4000)
    assert least is not None
    assert abs(share_found(design, 4000, 60, bypass=least) - 0.8) < 4.5 * np.sqrt(0.8 * 0.2 / 60)


def test_records_drawn_at_random_are_found_as_often_as_is_said() -> None:
    """Noise says yes to six in ten; what is drawn evenly shows."""
    _bypass, least = detectable(COIN, 4000)
    assert least is not None
    assert abs(share_found(COIN, 4000, 60, noise=least) - 0.8) < 4.5 * np.sqrt(0.8 * 0.2 / 60)


def test_people_who_answer_at_random_are_not_seen() -> None:
    """They move both arms alike, which is why an answer of known share stands beside them."""
    assert share_found(COIN, 1000, random=0.8) < 0.05 + 4.5 * np.sqrt(0.05 * 0.95 / 80)


def test_both_arms_together_tell_more_than_either() -> None:
    """By inverse variance: unbiased, with the error that is said."""
    tested = [arms(survey(COIN, 1000, seed)).answers[0] for seed in range(200)]
    shares = np.array([one.share for one in tested])
    assert abs(shares.mean() - 0.3) < 4.5 * shares.std() / np.sqrt(200)
    assert np.mean([one.share_se for one in tested]) == pytest.approx(shares.std(), rel=4.5 / np.sqrt(400))


def test_direct_answers_stand_apart() -> None:
    """An arm says nothing of a person who answered directly."""
    records = survey(SAMPLED, 2000, 1)
    direct = np.arange(2000) < 500
    kept = dataclasses.replace(records, direct=direct)
    rest = Records(SAMPLED, records.codes[500:], direct[500:], {ARM: records.open_columns[ARM][500:]})
    assert arms(kept) == arms(rest)


def test_uneven_arms_are_told() -> None:
    """Who chooses the arm leaves this trace: more of one than chance gives."""
    records = survey(COIN, 1000, 2)
    weaker = records.open_columns[ARM] == "weaker"
    chosen = np.flatnonzero(weaker | (np.cumsum(~weaker) <= 300))
    tested = arms(
        Records(COIN, records.codes[chosen], records.direct[chosen], {ARM: records.open_columns[ARM][chosen]})
    )
    assert tested.drawn < 1e-6
    assert arms(records).drawn > 0.01


def test_few_are_not_compared() -> None:
    """Below the least number of respondents nothing is reported; with one arm alone neither."""
    records = survey(COIN, 60, 3)
    assert arms(records, least=100).answers == ()
    assert arms(records, least=100).alike is None


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (Records(COIN, np.zeros((2, 3), np.uint8), np.zeros(2, bool)), "the column 'arm' is missing"),
        (
            Records(COIN, np.zeros((2, 3), np.uint8), np.zeros(2, bool), {ARM: np.array(["weaker", "x"], object)}),
            "arm: 'x' is not one of weaker, stronger.",
        ),
        (Records(COIN.arms[0], np.zeros((2, 3), np.uint8), np.zeros(2, bool)), "the design has no two arms"),  # type: ignore[index]
    ],
)
def test_records_without_arms_are_refused(records: Records, said: str) -> None:
    """In one sentence."""
    with pytest.raises(InputError, match=said):
        arms(records)
