"""Patterns on answers of which each record is read whole: every surface gives one figure, and some refuse."""

import numpy as np
import pytest

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.records import Records

WORDS = Design.parse({"model": "one-of", "gamma": 19, "cap": 3, "longest": 2, "items": [*"abcde"]})
CHOICE = {"id": "z", "options": ["p", "q", "r"], "noise": [0.5, 0.25, 0.25]}
SIX = Design.parse({"direct": True, "blocks": [*WORDS.to_json()["blocks"], {"keep": 0.5, "items": [CHOICE]}]})
TEXTS = ["a", "b,e", "!a,c", "c,z=q"]
SHARES = np.array([0.3, 0.6, 0.5, 0.2, 0.7])


def some() -> Records:
    """Answers that hang together."""
    rng = np.random.default_rng(7)
    mood = rng.random((3_000, 1))
    yes = rng.random((3_000, 5)) < np.clip(SHARES + 0.4 * (mood - 0.5), 0, 1)
    choice = np.where(yes[:, 2], rng.choice(3, 3_000, p=[0.2, 0.5, 0.3]), rng.choice(3, 3_000, p=[0.6, 0.1, 0.3]))
    answers = np.column_stack([yes, choice]).astype(np.uint8)
    return disguise(SIX, answers, rng.random(3_000) < 0.2, words_from_seed(7))


def test_every_surface_has_the_same_figures() -> None:
    """Reports, samples in which everybody counts alike, and tables: one algebra."""
    records = some()
    report = reconstruct(records, TEXTS)
    sample = reconstruct(records, TEXTS, sample=Sampling.simple(len(records)))
    table = candor.table(records, ["b", "e"])
    sampled = candor.table(records, ["b", "e"], sample=Sampling.simple(len(records)))

    for one, other in zip(report.patterns, sample.patterns, strict=True):
        assert (one.support, one.n, one.observed) == pytest.approx((other.support, other.n, other.observed))
        assert one.se == pytest.approx(other.se, rel=1e-3)
    assert table.support[1, 1] == pytest.approx(report.patterns[1].support)
    assert table.support.sum() == pytest.approx(1)
    np.testing.assert_allclose(table.support, sampled.support)
    np.testing.assert_allclose(table.se, sampled.se, rtol=1e-3)


@pytest.mark.parametrize(
    ("estimator", "cases", "said"),
    [
        (
            "pooled",
            "available",
            "'a,b' has answers of which each record is read whole, which the pooled estimator cannot weigh",
        ),
    ],
)
def test_what_does_not_read_whole_records_is_refused(estimator: str, cases: str, said: str) -> None:
    """It would count every record alike, and be wrong."""
    with pytest.raises(InputError, match=said):
        reconstruct(some(), ["a,b"], estimator=estimator, cases=cases)
