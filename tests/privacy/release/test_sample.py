"""Risks of a table that is a sample: against definitions, enumerations, and populations of which samples are drawn."""

import json
from collections import Counter
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, poisson

import candor
from candor.commands import main
from privacy.errors import InputError
from privacy.release.anonymize import anonymize
from privacy.release.measures.everybody import Everybody, SampleClasses
from privacy.release.measures.sample import SampleFigures, class_risks, fewest_people, global_risk
from privacy.release.specs import parse_spec
from tests.cases import every, first


def classes_of(sizes: list[int], everybody: Everybody) -> SampleClasses:
    return SampleClasses(everybody, [np.repeat(np.arange(len(sizes)), sizes)])


@pytest.mark.parametrize("drawn", [0.02, 0.1, 0.5, 1.0])
def test_k_is_the_largest_that_the_test_rejects_less_than(drawn: float) -> None:
    """Among F people who fit, f or more rows are drawn with a chance above 5 %, but not among F − 1."""
    for rows, least in zip(range(1, 30), fewest_people(np.arange(1, 30), np.full(29, drawn)).tolist(), strict=True):
        chances = [
            float(binom.sf(rows - 1, people, drawn) / binom.sf(0, people, drawn)) for people in range(1, least + 1)
        ]
        assert chances[-1] > 0.05
        assert all(chance <= 0.05 for chance in chances[:-1])


@pytest.mark.parametrize("step", first(1, [8, 1]))
def test_the_tested_k_is_too_large_for_one_class_in_twenty_at_most(step: int) -> None:
    """Each F up to 40 is drawn from 20 000 times at 20 %: k is above F in 5 % of those that are seen, or fewer."""
    random = np.random.default_rng(11)
    for people in range(1, 41, step):
        rows = random.binomial(people, 0.2, 20_000)
        seen = rows[rows > 0]
        wrong = (fewest_people(seen, np.full(len(seen), 0.2)) > people).mean()
        assert wrong <= 0.05 + 4.5 * (0.05 * 0.95 / len(seen)) ** 0.5


def test_the_risk_of_a_row_is_the_mean_of_one_over_f() -> None:
    """Summed over Poisson numbers of others, by how common its labels are among the other rows, and its own weight."""
    random = np.random.default_rng(5)
    columns = [random.integers(0, size, 400) for size in (2, 3, 200)]
    columns[2][:300] = 7  # classes of one row to sixty
    weights = random.integers(1, 300, 400).astype(float)
    seen = SampleClasses(Everybody(weights.sum(), weights), columns)

    for number, risk in enumerate(class_risks(seen).tolist()):
        rows = np.flatnonzero(seen.member == number)
        among = [(column == column[rows[0]]).sum() - 1 for column in columns]
        mean = prod(among) / 399**2 * (weights[rows].sum() / len(rows) - 1)
        others = np.arange(int(mean + 40 * mean**0.5) + 40)
        assert risk == pytest.approx(float((poisson.pmf(others, mean) / (len(rows) + others)).sum()), rel=1e-9)


@pytest.mark.parametrize(("f", "p"), [(2000, 0.5), (2000, 0.003), (10**5, 0.01), (1, 1e-6), (30, 1.0)])
def test_the_risk_is_exact_in_large_classes_and_small_samples(f: int, p: float) -> None:
    """Of one column with one label all others are of the class: F is f and a Poisson number more."""
    mean = (f - 1) * (1 - p) / p
    others = np.arange(max(int(mean - 12 * mean**0.5), 0), int(mean + 12 * mean**0.5) + 2)
    expected = float((poisson.pmf(others, mean) / (f + others)).sum())

    assert class_risks(classes_of([f], Everybody(f / p)))[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("common", [False, True])
def test_the_risk_of_a_sample_is_not_understated(share: float, common: bool) -> None:
    """Independent columns, even or with rare labels: the estimate is the mean of 1/F, or up to a third more."""
    random = np.random.default_rng(7)
    people = [
        np.minimum(random.zipf(1.6, 20_000), 60) if common else random.integers(0, size, 20_000)
        for size in (40, 12, 5, 2)
    ]
    member = np.unique(np.stack(people), axis=1, return_inverse=True)[1].ravel()
    fitting, ratios = np.bincount(member)[member], []
    for _ in range(20):
        rows = random.choice(20_000, round(share * 20_000), replace=False)
        estimated = global_risk(SampleClasses(Everybody(20_000), [column[rows] for column in people]))
        ratios.append(estimated.value / float((1 / fitting[rows]).mean()))

    error = np.std(ratios, ddof=1) / 20**0.5
    assert np.mean(ratios) >= 1 - 4.5 * error
    assert np.mean(ratios) <= 4 / 3 + 4.5 * error


TOWNS = {"*": {"south": ["Ulm", "Rom"], "west": ["Bonn", "Trier"]}}


def random_people(seed: int) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Sixty people, and a third of them as the table."""
    random = np.random.default_rng(seed)
    people = {
        "age": random.integers(20, 28, 60).astype(str).tolist(),
        "town": random.choice(["Ulm", "Rom", "Bonn", "Trier"], 60).tolist(),
    }
    drawn = random.choice(60, 20, replace=False)
    return people, {name: [column[place] for place in drawn] for name, column in people.items()}


def spec_of(people: dict[str, list[str]], **more: object) -> dict[str, Any]:
    attributes = {
        "age": {"role": "quasi", "ranges": [[20, 22, 24, 26, 28], [20, 24, 28], [20, 28]]},
        "town": {"role": "quasi", "hierarchy": TOWNS},
    }
    return {"attributes": attributes, "model": {"k": 1}, "population": {"table": people}} | more


def fits(label: str, value: str) -> bool:
    """Whether a published label stands for a value."""
    inside = {"south": ("Ulm", "Rom"), "west": ("Bonn", "Trier"), "*": ("Ulm", "Rom", "Bonn", "Trier")}
    if label.startswith("["):
        low, high = (float(end) for end in label[1:-1].split(", "))
        return low <= float(value) < high or (label.endswith("]") and float(value) == high)
    return value == label or value in inside.get(label, ()) or (label == "*" and value.isdigit())


@pytest.mark.parametrize("seed", every(3, list(range(12))))
@pytest.mark.parametrize("method", ["full-domain", "local"])
def test_figures_from_a_table_of_everybody_are_counted(seed: int, method: str) -> None:
    """Each row is tried with each person: k-map, risks and lone people are those of the released labels."""
    people, table = random_people(seed)
    released = anonymize(table, parse_spec(spec_of(people, model={"k": 3}, method=method)))

    everybody, rows = list(zip(*people.values(), strict=True)), list(zip(*released.columns.values(), strict=True))
    count = [sum(all(map(fits, row, one)) for one in everybody) for row in rows]
    figures = released.measures.sample

    assert figures["k_map"].value == min(count)
    assert figures["individual"].value == pytest.approx(1 / min(count))
    assert figures["global_risk"].value == pytest.approx(np.mean([1 / one for one in count]))
    if method == "full-domain":
        has = Counter(rows)
        within = [[row for row in has if all(map(fits, row, one))] for one in everybody]
        sure = [sum(has[row] for row in own) / within.count(own) for own in within]
        assert figures["presence"].value == pytest.approx(max(sure))
        assert figures["absence"].value == pytest.approx(1 - min(sure))


@pytest.mark.parametrize("seed", every(3, list(range(12))))
@pytest.mark.parametrize(
    "limits", [{"k_map": 5}, {"presence": [0.1, 0.6]}, {"average": 0.2, "k": 2}, {"k_map": 3, "presence": [0, 0.5]}]
)
def test_the_best_table_within_a_limit_is_taken(seed: int, limits: dict[str, Any]) -> None:
    """Every node is made by itself: the one with the least loss of those within is what is released, or none."""
    people, table = random_people(seed)
    within = []
    for levels in product(range(4), range(3)):
        everybody, rows = (Counter(at_levels(own, levels)) for own in (people, table))
        sure = [rows[label] / many for label, many in everybody.items()]
        low, high = limits.get("presence", (0, 1))
        good = min(everybody[label] for label in rows) >= limits.get("k_map", 1)
        good &= max(sure) <= high + 1e-9 and min(sure) >= low - 1e-9
        good &= len(rows) / 20 <= limits.get("average", 1) and min(rows.values()) >= limits.get("k", 1)
        if good:
            within.append((sum(many**2 for many in rows.values()), sum(levels), levels))

    if not within:
        with pytest.raises(InputError, match=r"within these bounds|does not satisfy it"):
            anonymize(table, parse_spec(spec_of(people, model=limits, minimise="discernibility")))
        return
    taken = anonymize(table, parse_spec(spec_of(people, model=limits, minimise="discernibility")))

    assert taken.generalisation is not None
    assert taken.generalisation.node == min(within)[2]


def at_levels(table: dict[str, list[str]], levels: tuple[int, int]) -> list[tuple[int, str]]:
    """The labels of each row on these levels of age and town."""
    region = {town: name for name, towns in TOWNS["*"].items() for town in towns}
    ages = [int(age) // (1, 2, 4, 8)[levels[0]] if levels[0] < 3 else 0 for age in table["age"]]
    towns = [(town, region[town], "*")[levels[1]] for town in table["town"]]
    return list(zip(ages, towns, strict=True))


def test_people_who_fit_no_class_are_among_the_suppressed() -> None:
    """So a suppressed row is one of those who have no class, and nobody is surely absent."""
    people = {"age": ["20", "20", "20", "21", "25", "26", "27"], "town": ["Ulm"] * 7}
    table = {"age": ["20", "20", "25"], "town": ["Ulm"] * 3}
    spec = spec_of(people, model={"k": 1}, suppression=0)
    everybody = parse_spec(spec).population

    assert everybody is not None
    released = anonymize(table, parse_spec(spec))
    quasis = released.job.quasis
    seen = everybody.everybody(table, quasis).on_levels(quasis, (0, 0), np.array([True, True, False]))

    figures = SampleFigures(seen)
    assert seen.people_who_fit.tolist() == [4, 3] or sorted(seen.people_who_fit.tolist()) == [3, 4]
    assert figures["presence"].value == pytest.approx(2 / 3)
    assert figures["absence"].value == pytest.approx(1 - 1 / 4)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"population": {"size": 3}}, "population: 3 people are fewer than the 20 rows of the table."),
        ({"population": {"size": 0}}, "population.size: 0 people are fewer than one."),
        ({"population": {"size": 90, "table": {}}}, "population: size and table are both given; give one of them."),
        ({"population": {"count": "town"}}, "population: give at least one of size, table and weight."),
        ({"population": {"size": 90, "household": "h"}}, "population: the key 'household' is unknown here; known"),
        ({"population": {"weight": "town"}}, "population.weight: '"),
        ({"population": {"weight": "w"}}, "population.weight: the table has no column 'w'."),
        ({"population": {"table": {"age": ["20"]}}}, "population.table: it has no column 'town', which is"),
        (
            {"population": {"table": {"age": ["20"] * 30, "town": ["Ulm"] * 30, "Count": ["5"] * 30}}},
            "population.table: the table has a column 'Count': name it with count in a spec if it says how many",
        ),
        ({"population": {"size": 90, "count": "n"}}, "population.count: count names a column of the table, and there"),
        ({"population": {"table": {"age": ["20"], "n": ["-1"]}, "count": "n"}}, "population.count: '-1' is not a"),
        ({"population": {}, "model": {"k_map": 3}}, "bounds.k_map: k_map needs population."),
        ({"population": {"size": 90}, "model": {"presence": [0, 1]}}, "bounds.presence: presence needs population."),
        ({"method": "local", "model": {"presence": [0, 0.5]}}, "bounds.presence: presence needs population.table, and"),
        ({"method": "means"}, "population.table: means of groups fit nobody's value; give a size in its place."),
        ({"bounds": {"lone_risk": 0.5}}, "bounds: 'lone_risk' is not one of "),
        ({"model": {"k_map": 0}}, "model.k_map: 0 is below 1."),
        ({"model": {"presence": [0.5, 0.1]}}, "model.presence: [0.5, 0.1] is not the least and the largest"),
        ({"model": {"average": 2}}, "model.average: 2 is not a share from 0 to 1."),
        ({"model": {"k_map": 99}, "method": "local"}, "bounds.k_map: the table has"),
    ],
)  # fmt: skip
def test_what_is_missing_or_wrong_is_said_in_one_sentence(more: dict[str, object], sentence: str) -> None:
    """The sentence names the member, the value and the rule."""
    people, table = random_people(0)

    with pytest.raises(InputError) as refused:
        anonymize(table, parse_spec(spec_of(people, **more)))

    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("method", ["full-domain", "local"])
def test_a_table_of_counts_says_what_a_row_for_each_person_does(method: str) -> None:
    """Each combination once with its number, or as many rows: the same release and the same risks."""
    people, table = random_people(5)
    alike = Counter(zip(*people.values(), strict=True))
    counted = {name: list(column) for name, column in zip(people, zip(*alike, strict=True), strict=True)}
    counted["n"] = [str(many) for many in alike.values()]
    made = [
        anonymize(table, parse_spec(spec_of(people, model={"k": 2}, method=method, population=population))).to_json()
        for population in ({"table": people}, {"table": counted, "count": "n"})
    ]
    assert made[0] == made[1]


def test_a_table_of_everybody_that_lacks_somebody_is_refused() -> None:
    """Else a risk would be above 1."""
    people, table = random_people(1)
    others = {name: column[:5] * 4 for name, column in people.items()}

    with pytest.raises(InputError, match="it must hold everybody"):
        anonymize(table, parse_spec(spec_of(others, population={"table": others})))


def test_measure_counts_people_by_the_numbers_of_their_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row for each combination says the same as a row for each person, on the command line; both by brute force."""
    import pandas as pd

    monkeypatch.chdir(tmp_path)
    people, table = random_people(4)
    pd.DataFrame(table | {"ill": ["flu", "cold"] * 10}).to_csv("table.csv", index=False)
    everybody = pd.DataFrame(people)
    everybody.to_csv("people.csv", index=False)
    everybody.value_counts(["age", "town"]).rename("people").reset_index().to_csv("counted.csv", index=False)
    asked = ["measure", "table.csv", "--quasi", "age,town", "--sensitive", "ill", "--json", "--population"]
    said = []
    for more in (["people.csv"], ["counted.csv", "--count", "people"]):
        assert main([*asked, *more]) == 0
        said.append(json.loads(capsys.readouterr().out)["metrics"]["sample"])

    fit = Counter(zip(people["age"], people["town"], strict=True))
    assert said[0] == said[1]
    assert said[0]["k_map"]["value"] == min(fit[one] for one in zip(table["age"], table["town"], strict=True))
    assert main([*asked, "80", "--count", "people"]) == 2
    assert "count names a column of the table, and there is none." in capsys.readouterr().err


def test_measure_says_the_same_of_a_release_as_its_report() -> None:
    """By the table of everybody: labels are compared with the values that they may stand for."""
    import pandas as pd

    people, table = random_people(4)
    table = table | {"ill": ["flu", "cold"] * 10}
    spec = spec_of(people, model={"k": 2})
    spec["attributes"] = {**spec["attributes"], "ill": {"role": "sensitive"}}
    spec["attributes"]["town"] = {
        "role": "quasi",
        "hierarchy": [[town, "*"] for town in ("Ulm", "Rom", "Bonn", "Trier")],
    }
    released = candor.anonymize(pd.DataFrame(table), spec)

    measured = candor.measure(released.to_frame(), ["age", "town"], "ill", population=pd.DataFrame(people))

    said, reported = (one.to_json()["metrics"]["sample"] for one in (measured, released))
    assert {key: pytest.approx(own["value"]) for key, own in said.items()} == {
        key: own["value"] for key, own in reported.items()
    }
