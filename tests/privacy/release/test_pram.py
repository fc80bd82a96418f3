"""Columns of a release that are disguised: the channel, what is read from it, and what the report promises of it."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from candor.commands import main
from privacy.design.rationals import ONE
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.guarantee import gamma
from privacy.release import anonymize, parse_spec
from privacy.release.anonymize import Release
from privacy.release.frame import Anonymized, comparison
from privacy.release.measures.disguised import class_beliefs
from privacy.release.methods.channels import design_of_columns, read_channel
from tests.cases import first
from tests.privacy.release.people import rising

ILL = ("cold", "flu", "gout")
SHARES = (0.2, 0.3, 0.5)
KNOWN = {"role": "quasi", "hierarchy": [["f", "*"], ["m", "*"]]}
EVEN: dict[str, Any] = {"role": "disguised", "gamma": 9, "values": list(ILL)}
LIKE_TABLE: dict[str, Any] = {"role": "disguised", "gamma": 9, "invariant": True}
CHANNELS = {"even": EVEN, "invariant": LIKE_TABLE}


def spec_of(ill: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"attributes": {"sex": KNOWN, "ill": ill, "note": {"role": "insensitive"}}, "model": {"k": 2}, **more}


def table_of(rows: int, seed: int = 1) -> dict[str, list[str]]:
    """People whose note says the truth about them, so that a test sees both."""
    random = np.random.default_rng(seed)
    ill = [ILL[place] for place in random.choice(3, rows, p=SHARES)]
    return {"sex": random.choice(["f", "m"], rows).tolist(), "ill": ill, "note": ill}


def release_of(table: dict[str, list[str]], ill: dict[str, Any], seed: int = 7, **more: Any) -> Release:
    return anonymize(table, parse_spec(spec_of(ill, **more)), words_from_seed(seed))


def matrix_by_hand(design: Any) -> list[list[Fraction]]:
    """aI + (1 − a)1qᵀ, from the numbers that the design is written with."""
    (block,) = design.blocks
    keep, noise = Fraction(block.keep, ONE), [Fraction(one, ONE) for one in block.items[0].noise]
    return [[keep * (x == y) + (1 - keep) * q for y, q in enumerate(noise)] for x in range(len(noise))]


@pytest.mark.parametrize("ill", CHANNELS.values(), ids=CHANNELS)
def test_every_true_value_is_published_with_the_chances_of_the_design(ill: dict[str, Any]) -> None:
    """Looked at from outside, each row of the channel by itself: within 4.5 standard errors, 30 000 rows, seed 7."""
    release = release_of(table_of(30_000), ill)

    assert release.design is not None
    seen = pd.crosstab(pd.Series(release.columns["note"]), pd.Series(release.columns["ill"])).loc[list(ILL), list(ILL)]
    rows = seen.sum(axis=1).to_numpy()[:, None]
    chances = np.array(matrix_by_hand(release.design), float)
    assert (abs(seen.to_numpy() / rows - chances) < 4.5 * np.sqrt(chances * (1 - chances) / rows)).all()


@pytest.mark.parametrize("asked", first(2, [9, "19/2", 1.01, 1000]))
@pytest.mark.parametrize("ill", CHANNELS.values(), ids=CHANNELS)
def test_gamma_of_the_whole_matrix_is_reached_and_not_exceeded(ill: dict[str, Any], asked: Any) -> None:
    """By the definition, over all outputs and inputs, in exact fractions."""
    release = release_of(table_of(1000), ill | {"gamma": float(Fraction(asked))})

    found = gamma(matrix_by_hand(release.design))
    assert found <= Fraction(str(float(Fraction(asked))))
    assert found > Fraction(asked) * (1 - Fraction(1, 10**6))
    assert release.to_json()["gamma"] >= found


def test_an_invariant_channel_keeps_expected_frequencies() -> None:
    """Π times the matrix is Π, up to the 2⁻³² in which shares are written (Gouweleeuw and others 1998, section 3)."""
    table = table_of(1000)
    release = release_of(table, LIKE_TABLE)

    shares = [Fraction(table["ill"].count(value), 1000) for value in ILL]
    expected = [
        sum(share * row[place] for share, row in zip(shares, matrix_by_hand(release.design), strict=True))
        for place in range(3)
    ]
    assert all(abs(one - other) < Fraction(2, ONE) for one, other in zip(expected, shares, strict=True))


def test_nothing_else_of_a_release_depends_on_a_disguised_column() -> None:
    """So γ holds for the whole release: labels and measures are the same whatever people have."""
    table = table_of(30)
    turned = table | {"ill": table["ill"][::-1]}

    one, other = (release_of(of, EVEN, method="local") for of in (table, turned))

    assert {name: sorted(one.columns[name]) for name in ("sex", "note")} == {
        name: sorted(other.columns[name]) for name in ("sex", "note")
    }
    assert one.measures == other.measures
    assert one.design == other.design


def test_the_seed_of_a_spec_draws_no_disguise() -> None:
    """A spec may be published; who has the seed must not be able to take the disguise off."""
    table = table_of(400)
    spec = parse_spec(spec_of(EVEN, seed=1))

    assert anonymize(table, spec).columns["ill"] != anonymize(table, spec).columns["ill"]


@pytest.mark.parametrize(
    ("rows", "surveys"), first(1, [(600, 5), (600, 40), (2000, 1000)]), ids=["few", "small", "large"]
)
def test_shares_pairs_and_rules_of_a_release_are_read_with_honest_intervals(rows: int, surveys: int) -> None:
    """Of people drawn from a known population, 95 % intervals hold its figures: within 4.5 standard errors, seed 11.

    Of two disguised columns: a share, a pair, and the confidence of a rule.
    """
    random = np.random.default_rng(11)
    smokes = {"role": "disguised", "gamma": 19, "values": ["no", "yes"]}
    spec = parse_spec({"attributes": {"sex": KNOWN, "ill": EVEN, "smokes": smokes}, "model": {"k": 2}})
    chance = np.array([0.3, 0.5, 0.2])  # to smoke, of each illness
    truth = {"share": 0.3, "pair": 0.15, "confidence": 0.5}
    held = dict.fromkeys(truth, 0)
    for survey in range(surveys):
        ill = random.choice(3, rows, p=SHARES)
        smoking = random.random(rows) < chance[ill]
        table = {
            "sex": random.choice(["f", "m"], rows).tolist(),
            "ill": [ILL[one] for one in ill],
            "smokes": np.where(smoking, "yes", "no").tolist(),
        }
        released = Anonymized(anonymize(table, spec, words_from_seed(1000 + survey)))
        found = candor.reconstruct(released.records, ["ill=flu", "ill=flu,smokes=yes"]).to_frame()
        rules = candor.mine(released.records, min_support=0.001, min_confidence=0.01, max_length=2).to_frame()
        rule = rules[(rules["antecedent"] == "ill=flu") & (rules["consequent"] == "smokes=yes")]
        ends = {"share": found.loc[0, ["low", "high"]], "pair": found.loc[1, ["low", "high"]]}
        if len(rule):
            ends["confidence"] = rule.iloc[0][["confidence low", "confidence high"]]
        for name, (low, high) in ends.items():
            held[name] += low <= truth[name] <= high
    least = 0.95 - 4.5 * np.sqrt(0.95 * 0.05 / surveys)
    assert {name: count / surveys >= least for name, count in held.items()} == dict.fromkeys(truth, True)


def test_a_regression_reads_a_release() -> None:
    """The odds of an illness double with a mark that is published as it is: within 4.5 standard errors, seed 3."""
    random = np.random.default_rng(3)
    mark = random.integers(0, 2, 20_000)
    ill = random.random(20_000) < np.where(mark == 1, 0.4, 0.25)  # odds 2/3 and 1/3
    table = {
        "sex": ["f", "m"] * 10_000,
        "ill": np.where(ill, "flu", "gout").tolist(),
        "note": [str(one) for one in mark],
    }
    spec = spec_of({"role": "disguised", "gamma": 9, "values": ["flu", "gout"]})

    released = Anonymized(anonymize(table, parse_spec(spec), words_from_seed(4)))
    fitted = candor.regress(released.records, outcome="ill=flu", on=["note"]).to_frame().set_index("name")

    assert abs(fitted.loc["note", "estimate"] - np.log(2)) < 4.5 * fitted.loc["note", "se"]


@pytest.mark.parametrize(
    ("starts", "column", "ranges"),
    [
        (
            [-1, 6.5, 8],
            ["-1.01", "-1", "6.49", "6.5", "8", "1e3", "none"],
            "below -1|-1 to below 6.5|-1 to below 6.5|6.5 to below 8|8 and above|8 and above|none",
        ),
        (
            ["2024", "2024-07", "2025-01-15"],
            ["2023-12-31", "2024-01-01", "2024-06-30", "2024-07-01", "2025-01-14", "2025-01-15", "none"],
            "below 2024|2024 to below 2024-07|2024 to below 2024-07|2024-07 to below 2025-01-15|"
            "2024-07 to below 2025-01-15|2025-01-15 and above|none",
        ),
    ],
    ids=["numbers", "days"],
)
def test_numbers_and_days_become_ranges_without_ends(starts: list[Any], column: list[str], ranges: str) -> None:
    """A range holds its beginning; a value that was named stays; the design names each, also where nobody is in it."""
    asked = {"gamma": 9, "starts": starts, "values": ["none"]}
    table = {"sex": ["f"] * 7, "ill": column, "note": column}

    design = release_of(table, {"role": "disguised", **asked}).design

    assert read_channel(asked, "ill").into_options(column) == ranges.split("|")
    assert design is not None
    assert design.items[0].options == (*dict.fromkeys(ranges.split("|")),)


@pytest.mark.parametrize(("size", "seen"), first(4, [(1, 1), (1, 0), (3, 2), (6, 6), (2, 0), (5, 1), (7, 4), (9, 9)]))
def test_what_a_class_tells_is_the_posterior_over_all_truths_it_may_hide(size: int, seen: int) -> None:
    """Every truth of every row is tried, in exact fractions; beforehand its chance is that of Pólya's urn."""
    share, keep, noise = Fraction(3, 10), Fraction(2, 3), Fraction(1, 4)
    shows = {True: keep + (1 - keep) * noise, False: (1 - keep) * noise}
    rows = [place < seen for place in range(size)]
    whole = own = Fraction(0)
    for truth in product([True, False], repeat=size):
        have = sum(truth)
        chance = rising(share, have) * rising(1 - share, size - have) / rising(Fraction(1), size)
        for has, row in zip(truth, rows, strict=True):
            chance *= shows[has] if row else 1 - shows[has]
        whole += chance
        own += chance * Fraction(have, size)

    has, lacks = ([float(1 - shows[one]), float(shows[one])] for one in (True, False))
    found = class_beliefs(np.array([[size - seen, seen]]), np.array(has), np.array(lacks), float(share))

    assert found == pytest.approx([float(own / whole)], abs=1e-12)


def test_what_one_row_tells_is_bounded_by_gamma_and_what_a_class_tells_is_not() -> None:
    """A belief of 3 in 10 becomes at most 27 in 34 by a row with γ = 9, and nearly sure by a class that is alike."""
    share, own, others = 0.3, np.array([1 / 4, 3 / 4]), np.array([11 / 12, 1 / 12])  # it stays with the chance 2/3

    one, many, most = class_beliefs(np.array([[0, 1], [7, 23], [750, 2250]]), own, others, share)

    assert one == pytest.approx(27 / 34)
    assert many > 27 / 34
    assert most > 0.99


def test_the_report_says_what_gamma_promises_and_what_it_does_not() -> None:
    """The sentences are of the released table and its design, and nothing in them tells more of the original one."""
    table = {"sex": ["f"] * 30 + ["m"] * 30, "ill": ["flu"] * 30 + ["cold"] * 30}
    spec = {
        "attributes": {"sex": KNOWN, "ill": {"role": "disguised", "gamma": 9, "invariant": True}},
        "model": {"k": 2},
    }

    release = anonymize(table, parse_spec(spec), words_from_seed(7))

    (column,) = release.disguised
    assert column.of_class is not None
    shown = pd.Series(release.columns["ill"])[np.array(release.columns["sex"]) == "f"]
    seen = int((shown == column.of_class.value).sum())
    assert (column.of_class.size, seen >= 20 or seen <= 10) == (30, True)
    sentences = list(map(str, release.remaining_risks()))
    before, after = 100 * column.of_class.before, 100 * column.of_class.after
    assert sentences == [
        "Somebody who knows sex can find no single row: at least 30 rows are alike in all of this.",
        "What a reader learns who also knows how the table was made is not part of these figures.",
        "“ill” is disguised: many rows show another value than the true one. Somebody who gave something a "
        "chance of 5 % gives it at most 33 % after finding the person's row.",
        "Rows of a group together tell more than one. Somebody who knows only that a person is one of 30 alike goes "
        f"from {before:.3g} % to {after:.3g} % about “{column.of_class.value}” of “ill”. Neither γ nor k limits that.",
        "The design of “ill” tells how often each value occurs. Somebody who knows the value of everybody else learns "
        "the last one from it, whatever γ is.",
        "The values of “ill” were read from the table, so the design tells that each of them occurs.",
        "To disguise the same rows once more would multiply γ. Publish them once.",
        "All this assumes that the reader knows no more and sees no other table about the same people.",
    ]


def test_several_disguised_columns_multiply_their_gammas() -> None:
    """Each has a coin of its own, so that one row tells as much as both."""
    table = {"sex": ["f", "m"] * 20, "ill": ["flu", "cold"] * 20, "note": ["a", "b"] * 20}
    two = {name: {"role": "disguised", "gamma": 3} for name in ("ill", "note")}

    release = anonymize(table, parse_spec({"attributes": {"sex": KNOWN} | two, "model": {"k": 2}}), words_from_seed(1))

    assert release.to_json()["gamma"] == pytest.approx(9, abs=1e-6)
    assert "multiply the odds of anything by at most 9, the product" in " ".join(map(str, release.remaining_risks()))


@pytest.mark.parametrize(
    ("ill", "said"),
    [
        ({}, "attributes.ill: gamma is missing."),
        ({"gamma": 1}, "attributes.ill.gamma: 1 is not above 1; at 1 nothing can be learned."),
        ({"gamma": 9, "values": ["flu", "cold"]}, "attributes.ill.values: 'gout' of the column is missing."),
        (
            {"gamma": 9, "values": [*ILL, "pox"], "invariant": True},
            "attributes.ill.invariant: no row has 'pox', so no noise could give it.",
        ),
        ({"gamma": 9, "invariant": "yes"}, "attributes.ill.invariant: 'yes' is not true or false."),
        (
            {"gamma": 9, "values": ["a,b"]},
            "attributes.ill.values: 'a,b' is not a label: text without commas, edge spaces or controls.",
        ),
        ({"gamma": 1.0000000001}, "attributes.ill.gamma: 1.0000000001 keeps less than 2^-32 of the values."),
        (
            {"gamma": 9, "weight": 2},
            "attributes.ill: the key 'weight' is unknown here; known keys are role, channel, gamma, invariant, values, "
            "starts.",
        ),
        ({"gamma": 9, "starts": [3, 3]}, "attributes.ill.starts: 3 after 3 does not rise."),
        ({"gamma": 9, "starts": ["2024", 3]}, "attributes.ill.starts: ['2024', 3] are neither numbers nor days."),
        (
            {"gamma": 9, "starts": [3]},
            "attributes.ill.starts: 'gout' of the column is neither a number nor a day that the ranges hold.",
        ),
    ],
    ids=["no gamma", "gamma 1", "stray", "unused", "flag", "label", "tiny", "key", "falls", "mixed", "no number"],
)
def test_a_disguise_that_cannot_be_is_refused_in_a_sentence(ill: dict[str, Any], said: str) -> None:
    """The sentence names the column, the value and the rule."""
    with pytest.raises(InputError) as refused:
        release_of(table_of(50), {"role": "disguised"} | ill)

    assert str(refused.value) == said


def test_an_empty_cell_of_a_disguised_column_is_refused_in_a_sentence() -> None:
    """Nothing stands for it in a design, whether the values are named or read from the table."""
    for named in ({}, {"values": ["flu", "cold"]}):
        channel = read_channel({"gamma": 9} | named, "attributes.ill")
        with pytest.raises(InputError) as refused:
            design_of_columns({"ill": ["flu", "", "cold"]}, {"ill": channel})

        said = "attributes.ill: a cell of the column is empty; give it a value, such as 'no answer'."
        assert str(refused.value) == said


def test_a_model_about_answers_is_not_about_disguised_ones() -> None:
    """Nobody may take the diversity of values that are drawn for that of true ones."""
    with pytest.raises(InputError, match="l needs a sensitive attribute, but no column has that role"):
        parse_spec(spec_of(EVEN) | {"model": {"k": 2, "l": {"kind": "distinct", "l": 2}}})


def test_drawn_values_are_not_compared_with_true_ones() -> None:
    """How far drawn values are from true ones says nothing of what can be reconstructed; a table of them is refused."""
    table, release = table_of(60), release_of(table_of(60), EVEN)

    assert not any("ill" in one.name for one in comparison(table, release, ["sex"]))
    with pytest.raises(InputError, match="compare: 'ill' is disguised; reconstruct its tables by the design"):
        comparison(table, release, ["sex", "ill"])


def test_linking_does_not_call_a_drawn_value_revealed() -> None:
    """With the spec of the release only columns that say the truth are listed for the people who are found."""
    people = pd.DataFrame({"who": ["Ada"], "sex": ["f"]})
    release = pd.DataFrame({"sex": ["f"], "ill": ["flu"], "note": ["x"]})

    assert candor.link(people, release, spec_of(EVEN)).revealed.keys() == {"note"}


def test_the_command_writes_the_design_and_others_read_the_table_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`reconstruct`, `mine` and `regress` take the released file as it is, though no column says who is direct."""
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(table_of(2000)).to_csv("table.csv", index=False)
    Path("spec.json").write_text(json.dumps(spec_of(EVEN)))

    assert main(["anonymize", "table.csv", "spec.json", "-o", "out.csv"]) == 2
    assert "--design: the spec disguises ill, and without a design nobody can read that." in capsys.readouterr().err
    assert main(["anonymize", "table.csv", "spec.json", "-o", "out.csv", "--design", "design.json"]) == 0
    capsys.readouterr()
    assert main(["reconstruct", "out.csv", "design.json", "--json"]) == 0
    found = {one["pattern"]: one for one in json.loads(capsys.readouterr().out)["patterns"]}
    for value, share in zip(ILL, SHARES, strict=True):
        assert abs(found[f"ill={value}"]["support"] - share) < 4.5 * found[f"ill={value}"]["se"]
    assert main(["mine", "out.csv", "design.json", "--min-support", "0.05"]) == 0
    assert main(["regress", "out.csv", "design.json", "--outcome", "ill=flu"]) == 0
