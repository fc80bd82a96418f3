"""A column of numbers goes through a square wave: the channel, what is read from it, and what the report promises."""

import json
import math
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from candor.commands import main
from privacy.design.notation import EXACT
from privacy.design.rationals import ONE
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.release import anonymize, parse_spec
from privacy.release.anonymize import Release
from privacy.release.measures.disguised import class_beliefs
from privacy.release.methods.channels import read_channel
from tests.privacy.release.people import rising

KNOWN = {"role": "quasi", "hierarchy": [["f", "*"], ["m", "*"]]}
WAVE: dict[str, Any] = {"role": "disguised", "channel": "square-wave", "epsilon": 2, "min": -4, "max": 6}

NO_NUMBER = "of the column is no number, and a square wave has no place for it; give it ranges."


def release_of(column: list[str], seed: int = 7, **changed: Any) -> Release:
    """Rows whose note says the truth about them, so that a test sees both."""
    attributes = {"sex": KNOWN, "debt": WAVE | changed, "note": {"role": "insensitive"}}
    table = {"sex": ["f", "m"] * (len(column) // 2), "debt": column, "note": column}
    return anonymize(table, parse_spec({"attributes": attributes, "model": {"k": 2}}), words_from_seed(seed))


def chances_by_hand(release: Release) -> dict[tuple[int, int], float]:
    """The chance of each published number for each true one, from the numbers that the exact design is written with."""
    assert release.design is not None
    entry = release.design.blocks[0].entry(EXACT)
    reach, inside = entry["reach"], entry["inside"] / ONE
    near, far = inside / (2 * reach + 1), (1 - inside) / 10
    return {
        (true, sent): near if abs(true - sent) <= reach else far
        for true, sent in product(range(-4, 7), range(-4 - reach, 7 + reach))
    }


def test_every_number_is_published_with_the_chances_of_the_design() -> None:
    """Looked at from outside, each row of the channel by itself: within 4.5 standard errors, 44 000 rows, seed 7."""
    release = release_of([str(true) for true in range(-4, 7)] * 4000)

    seen = pd.crosstab(pd.Series(release.columns["note"]), pd.Series(release.columns["debt"]))
    for (true, sent), chance in chances_by_hand(release).items():
        bound = 4.5 * (chance * (1 - chance) / 4000) ** 0.5
        assert abs(seen.loc[str(true)].get(str(sent), 0) / 4000 - chance) < bound, (true, sent)
    assert {str(sent) for _, sent in chances_by_hand(release)} >= {*release.columns["debt"]}


def test_the_design_follows_from_the_spec_alone_and_keeps_its_epsilon() -> None:
    """Whatever the rows hold, numbers beyond the ends among it; γ is reached as nearly as steps of 2⁻³² allow."""
    one, other = release_of(["0", "1"] * 5), release_of(["-900", "1e9"] * 5)

    assert one.design is not None
    assert one.design == other.design
    assert math.e**2 * (1 - 1e-6) < float(one.design.gamma) <= math.e**2


def test_numbers_beyond_an_end_count_as_the_end_and_others_as_the_nearest_step() -> None:
    asked = read_channel({"channel": "square-wave", "epsilon": 2, "min": -4, "max": 6, "step": 0.5}, "debt")
    block = asked.block("debt", [])
    column = ["-900", "-4", "-3.8", "0.2", "5.9", "6", "6.2", "1e9"]

    places = asked.encode(block, column) - asked.encode(block, ["-4"])[0]

    assert (places / 2 - 4).tolist() == [-4, -4, -4, 0, 6, 6, 6, 6]


@pytest.mark.parametrize("rows", [(0,), (0, 3), (1, 1, 2), (3, 3, 3, 3, 0)])
def test_what_a_class_tells_is_the_posterior_over_all_truths_where_rows_show_many_sorts(rows: tuple[int, ...]) -> None:
    """Every truth of every row is tried, in exact fractions; beforehand its chance is that of Pólya's urn."""
    share, size = Fraction(1, 5), len(rows)
    own = [Fraction(part, 16) for part in (1, 3, 5, 7)]
    others = [Fraction(part, 16) for part in (6, 5, 3, 2)]
    whole = mine = Fraction(0)
    for truth in product([True, False], repeat=size):
        have = sum(truth)
        chance = rising(share, have) * rising(1 - share, size - have) / rising(Fraction(1), size)
        chance *= prod((own if has else others)[row] for has, row in zip(truth, rows, strict=True))
        whole += chance
        mine += chance * Fraction(have, size)

    counts = np.bincount(rows, minlength=4)[np.newaxis]
    found = class_beliefs(counts, np.array(own, float), np.array(others, float), float(share))

    assert found == pytest.approx([float(mine / whole)], abs=1e-12)


def test_the_error_of_the_mean_is_that_of_the_worst_people_and_no_more() -> None:
    """It is reached where half of people are at each end; of 200 other distributions none has a larger one."""
    release = release_of(["0", "1"] * 50)
    (column,) = release.disguised
    chances = chances_by_hand(release)
    truths, records = (sorted({pair[side] for pair in chances}) for side in (0, 1))
    matrix = np.array([[chances[true, sent] for sent in records] for true in truths])
    slope, level = np.polyfit(truths, matrix @ records, 1)
    values = (np.array(records) - level) / slope

    def error(shares: Any) -> float:
        of = shares @ matrix
        return float((of @ values**2 - (of @ values) ** 2) ** 0.5 / 10)

    ends = np.eye(11)[[0, 10]].mean(axis=0)
    others = np.random.default_rng(2).dirichlet([0.2] * 11, 200)
    assert column.accuracy.error == pytest.approx(error(ends), rel=1e-6)
    assert max(error(one) for one in others) <= column.accuracy.error


def test_the_report_says_what_a_square_wave_promises_and_what_it_does_not() -> None:
    """A class whose numbers are alike tells them; what is said follows from the released table and its design."""
    column = ["6" if place % 2 else "-4" for place in range(800)]
    release = release_of(column)

    (own,) = release.disguised
    assert own.of_class is not None
    assert (own.of_class.value in {"-4", "5 … 6"}, own.of_class.size, own.of_class.after > 0.9) == (True, 400, True)
    before, after = 100 * own.of_class.before, 100 * own.of_class.after
    assert list(map(str, own.sentences())) == [
        "“debt” is disguised: many rows show another value than the true one. Somebody who gave something a chance of "
        "5 % gives it at most 29 % after finding the person's row.",
        "Rows of a group together tell more than one. Somebody who knows only that a person is one of 400 alike goes "
        f"from {before:.3g} % to {after:.3g} % about “{own.of_class.value}” of “debt”. Neither γ nor k limits that.",
        "In “debt” a number below -4 counts as -4, and one above 6 as 6; the ends are those of the design.",
    ]
    assert {"column", "gamma", "epsilon", "range", "keep", "within", "error_of_mean", "class"} == own.to_json().keys()


@pytest.mark.parametrize(
    ("changed", "value", "said"),
    [
        ({}, "", f"attributes.debt: '' {NO_NUMBER}"),
        ({}, "no", f"attributes.debt: 'no' {NO_NUMBER}"),
        ({"epsilon": 0}, "1", "attributes.debt.epsilon: 0 is not above 0 and at most 20."),
        ({"max": -9}, "1", "attributes.debt.max: max -9 is not above min -4."),
        ({"step": 3}, "1", "attributes.debt.step: from -4 to 6 are no whole steps of 3."),
        ({"max": 10**6}, "1", "attributes.debt.step: 1000005 steps are more than 65536; take a larger step."),
        (
            {"min": 0, "max": 60_000},
            "1",
            "attributes.debt.step: records would have 75521 steps, more than 65536; take a larger step or less noise.",
        ),
        (
            {"gamma": 9},
            "1",
            "attributes.debt: the key 'gamma' is unknown here; known keys are role, channel, epsilon, min, max, step.",
        ),
        ({"channel": "wave"}, "1", "attributes.debt.channel: 'wave' is not one of coin, square-wave."),
    ],
    ids=["missing", "text", "epsilon", "ends", "step", "wide", "wide records", "key", "channel"],
)
def test_a_wave_that_cannot_be_is_refused_in_a_sentence(changed: dict[str, Any], value: str, said: str) -> None:
    """The sentence names the column, the value and the rule."""
    with pytest.raises(InputError) as refused:
        release_of(["1", value] * 5, **changed)

    assert str(refused.value) == said


def test_a_wave_without_ends_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError) as refused:
        read_channel({"channel": "square-wave", "epsilon": 2, "min": 0}, "debt")

    assert str(refused.value) == "debt.max: it is missing; a square wave needs epsilon, min and max."


def test_commands_find_the_mean_of_negative_numbers_in_the_released_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within 4.5 standard errors of the mean of 2000 rows, which the randomness of the system disguises."""
    monkeypatch.chdir(tmp_path)
    debts = np.random.default_rng(3).binomial(10, 0.3, 2000) - 4
    pd.DataFrame({"sex": ["f", "m"] * 1000, "debt": debts}).to_csv("table.csv", index=False)
    Path("spec.json").write_text(json.dumps({"attributes": {"sex": KNOWN, "debt": WAVE}, "model": {"k": 2}}))

    assert main(["anonymize", "table.csv", "spec.json", "-o", "out.csv", "--design", "design.json"]) == 0
    capsys.readouterr()
    assert main(["reconstruct", "out.csv", "design.json", "--distribution", "debt", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["distributions"]
    low, high = found["ci"]["mean"]
    assert abs(found["mean"] - debts.mean()) < 4.5 * (high - low) / (2 * 1.96)
