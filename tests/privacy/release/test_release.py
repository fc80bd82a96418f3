"""Tables of people are measured as the literature defines it, and attacked as the tables allow."""

import csv
import json
import math
from collections import Counter, defaultdict
from dataclasses import fields
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from candor.commands import main
from papers.reference import how_to_get, reference_file
from privacy.errors import InputError
from privacy.release import TableMeasures, attacks, classes_of, measure, read_table
from privacy.release.classes import as_csv
from privacy.release.measures import MEASURES

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from("abc")), min_size=1, max_size=30)


def by_definition(rows: list[tuple[int, int, str]]) -> dict[str, object]:
    """Every measure the long way, class by class."""
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    for age, sex, disease in rows:
        groups[age, sex].append(disease)
    overall = Counter(disease for *_, disease in rows)
    sizes = [len(group) for group in groups.values()]
    counts = [sorted(Counter(group).values(), reverse=True) for group in groups.values()]
    distinct = min(map(len, counts))
    entropies = [-sum(n / sum(c) * math.log(n / sum(c)) for n in c) for c in counts]
    distances = [
        sum(abs(Fraction(group.count(value), len(group)) - Fraction(n, len(rows))) for value, n in overall.items()) / 2
        for group in groups.values()
    ]
    information = sum(
        n / len(rows) * math.log2(n / len(group) * len(rows) / overall[value])
        for group in groups.values()
        for value, n in Counter(group).items()
    )
    homogeneous = sum(size for size, c in zip(sizes, counts, strict=True) if len(c) == 1)
    return {
        "k": min(sizes),
        "l": {
            "distinct": distinct,
            "entropy": pytest.approx(math.exp(min(entropies))),
            "recursive": {
                length: pytest.approx(max(c[0] / sum(c[length - 1 :]) for c in counts))
                for length in range(2, distinct + 1)
            },
        },
        "t": pytest.approx(float(max(distances))),
        "discernibility": sum(size**2 for size in sizes),
        "average_class": len(rows) / len(sizes),
        "penalty": None,
        "unicity": sizes.count(1) / len(rows),
        "risk": {"prosecutor": 1 / min(sizes), "journalist": 1 / min(sizes), "marketer": len(sizes) / len(rows)},
        "homogeneity": homogeneous / len(rows),
        "homogeneous_classes": sum(len(c) == 1 for c in counts) / len(counts),
        "information": pytest.approx(information, abs=1e-12),
        "penalty_sum": None,
        "beliefs": beliefs_by_definition(list(groups.values()), overall, len(rows)),
    }


def beliefs_by_definition(groups: list[list[str]], overall: Counter[str], people: int) -> dict[str, object]:
    """The worst rise and fall of a belief, and the least ρ₂ of each ρ₁, over all classes and values."""
    rises, falls = [], defaultdict(int)
    least: dict[float, Fraction | None] = dict.fromkeys((0.01, 0.05, 0.1, 0.2, 0.5))
    for group, (value, n) in product(groups, overall.items()):
        before, after = Fraction(n, people), Fraction(group.count(value), len(group))
        if not after:
            falls[before, value] += len(group)
        odds = math.inf if after == 1 > before else after * (1 - before) / (before * (1 - after)) if before < 1 else 1
        rises.append((odds, -before, after, group.count(value)))
        for level in least:
            if before < Fraction(str(level)):
                least[level] = max(least[level] or Fraction(0), after)
            if before > 1 - Fraction(str(level)):
                least[level] = max(least[level] or Fraction(0), 1 - after)
    odds, before, after, _ = max(rises)
    rows = sum(count for *worst, _, count in rises if worst == [odds, before])
    fallen, missing = max(((before, size) for (before, _), size in falls.items()), default=(Fraction(0), 0))
    return {
        "positive": {"rows": rows, "before": pytest.approx(float(-before)), "after": pytest.approx(float(after))},
        "negative": {"rows": missing, "before": pytest.approx(float(fallen))},
        "rho": {level: None if rho2 is None else pytest.approx(float(rho2)) for level, rho2 in least.items()},
    }


@given(ROWS)
def test_measures_are_those_of_the_definitions(rows: list[tuple[int, int, str]]) -> None:
    """On any table every measure is what its definition gives, class by class."""
    ages, sexes, diseases = (list(column) for column in zip(*rows, strict=True))

    assert measure(classes_of([ages, sexes], diseases)).to_json() == by_definition(rows)


def test_every_single_number_is_declared_once() -> None:
    """What is printed, and what it means, follows the declarations; the c of each l is a table of its own."""
    tables = {"recursive", "rise", "fall", "rho", "sample"}
    assert {declared.key for declared in MEASURES} == {field.name for field in fields(TableMeasures)} - tables | {
        "growth", "excluded",
    }  # fmt: skip
    assert len({declared.name for declared in MEASURES}) == len(MEASURES)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_means_nothing(rows: list[tuple[int, int, str]], random) -> None:
    """A table that is shuffled has the same measures, and the same attacks succeed."""
    shuffled = random.sample(rows, len(rows))

    first, second = (
        classes_of(quasi, sensitive) for *quasi, sensitive in (zip(*table, strict=True) for table in (rows, shuffled))
    )

    assert measure(first) == measure(second)
    assert attacks(first) == attacks(second)


def test_attacks_say_how_many_they_get() -> None:
    """Who is alone is found; a class of one sensitive value tells it, one of two tells it to those who rule one out."""
    classes = classes_of([[20, 30, 30, 40, 40]], ["flu", "flu", "flu", "flu", "cold"])

    assert [attack.to_json() for attack in attacks(classes)] == [
        {"name": "re-identification", "tried": 5, "succeeded": 1, "share": 0.2},
        {"name": "homogeneity", "tried": 5, "succeeded": 3, "share": 0.6},
        {"name": "background knowledge of 1", "tried": 5, "succeeded": 5, "share": 1.0},
    ]


@pytest.mark.parametrize(
    ("quasi", "sensitive", "sentence"),
    [
        ([], ["a"], "quasi: name at least one column that others may know."),
        ([[1, 2]], ["a"], "columns: the lengths 2, 1 must be the same."),
        ([[]], [], "The table has no rows."),
    ],
)
def test_what_is_no_table_is_refused(quasi: list[list[object]], sensitive: list[object], sentence: str) -> None:
    """One sentence says what is missing."""
    with pytest.raises(InputError) as refused:
        classes_of(quasi, sensitive)

    assert str(refused.value) == sentence


@pytest.mark.skipif(not reference_file("adult/adult.csv").exists(), reason=how_to_get("adult/adult.csv"))
def test_adult_has_the_published_measures() -> None:
    """Adult generalised to node 1,1,1,1,3,2,2,1 of ARX's lattice: k, l in three forms and t."""
    with reference_file("adult/adult.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    node = {"sex": 1, "age": 1, "race": 1, "marital-status": 1, "native-country": 2, "workclass": 2, "salary-class": 1}
    quasi = [np.array([level(name, row[name], at) for row in table]) for name, at in node.items()]
    quasi.append(np.array([level("education", GRADES[int(row["education-num"]) - 1], 3) for row in table]))

    measured = measure(classes_of(quasi, np.array([row["occupation"] for row in table])))

    assert (measured.k, measured.distinct, round(measured.entropy, 5), measured.t) == (
        16,
        7,
        5.65507,
        pytest.approx(0.43165655460513225),
    )
    assert {length: round(c, 4) for length, c in measured.recursive.items()} == {
        2: 0.4545, 3: 0.7143, 4: 1.0, 5: 1.6667, 6: 3.0, 7: 6.0,
    }  # fmt: skip


GRADES = (
    "Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college", "Assoc-voc",
    "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate",
)  # fmt: skip
HIERARCHIES: dict[str, dict[str, list[str]]] = {}


def level(name: str, value: str, at: int) -> str:
    """A value generalised so many levels up."""
    if name not in HIERARCHIES:
        lines = reference_file(f"adult/hierarchies/adult_hierarchy_{name}.csv").read_text().splitlines()
        HIERARCHIES[name] = {line.split(";")[0]: line.split(";") for line in lines}
    return HIERARCHIES[name][value][at]


def test_the_command_prints_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`candor measure --json` has just these members, in this order; what needs a hierarchy is null."""
    path = tmp_path / "people.csv"
    path.write_text('age,town,disease\n20,"A, B",flu\n20,"A, B",cold\n30,C,flu\n30,C,flu\n')

    assert main(["measure", str(path), "--quasi", "age, town", "--sensitive", "disease", "--json"]) == 0

    assert capsys.readouterr().out == json.dumps(
        {
            "metrics": {
                "k": 2,
                "l": {"distinct": 1, "entropy": 1.0, "recursive": {}},
                "t": 0.25,
                "discernibility": 8,
                "average_class": 2.0,
                "unicity": 0.0,
                "risk": {"prosecutor": 0.5, "journalist": 0.5, "marketer": 0.5},
                "homogeneity": 0.5,
                "homogeneous_classes": 0.5,
                "information": 0.31127812445913283,
                "penalty": None,
                "penalty_sum": None,
                "beliefs": {
                    "positive": {"rows": 2, "before": 0.75, "after": 1.0},
                    "negative": {"rows": 2, "before": 0.25},
                    "rho": {"0.01": None, "0.05": None, "0.1": None, "0.2": None, "0.5": 0.5},
                },
            },
            "attacks": [
                {"name": "re-identification", "tried": 4, "succeeded": 0, "share": 0.0},
                {"name": "homogeneity", "tried": 4, "succeeded": 2, "share": 0.5},
                {"name": "background knowledge of 1", "tried": 4, "succeeded": 4, "share": 1.0},
            ],
        },
        indent=2,
    ) + "\n"  # fmt: skip


def test_a_released_cell_is_read_back_however_long_it_is(tmp_path: Path) -> None:
    """The csv module reads no more than 131 072 characters of a cell unless asked to."""
    towns = ", ".join(f"town {number}" for number in range(20_000))
    path = tmp_path / "people.csv"
    path.write_bytes(as_csv({"town": [towns], "disease": ["flu"]}))
    assert {name: column.tolist() for name, column in read_table(path).items()} == {"town": [towns], "disease": ["flu"]}


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    """Files end in them, and some programs write one after every row."""
    (tmp_path / "people.csv").write_text("\ufeffa,b\r\n\r\n1,2\r\n\r\n3,4\r\n\r\n", encoding="utf-8")

    assert {name: column.tolist() for name, column in read_table(tmp_path / "people.csv").items()} == {
        "a": ["1", "3"],
        "b": ["2", "4"],
    }


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("a,b\n1,2\n", ["--quasi", "c", "--sensitive", "b"], "The table has no column 'c'; it has 'a', 'b'."),
        ("a,b\n1,2\n", ["--quasi", "a,b", "--sensitive", "b"], "The column 'b' is named twice."),
        ("a,a\n1,2\n", ["--quasi", "a", "--sensitive", "a"], "people.csv: row 1: the column 'a' appears twice."),
        (
            "a,b\n1\n",
            ["--quasi", "a", "--sensitive", "b"],
            "people.csv: line 2 has 1 value, and the header names 2 columns.",
        ),
        ('a,b\n"1,2\n', ["--quasi", "a", "--sensitive", "b"], "people.csv: line 2 is not CSV, unexpected end of data."),
        (
            "",
            ["--quasi", "a", "--sensitive", "b"],
            "people.csv: the file is empty; its first row must name the columns.",
        ),
        ("a,b\n", ["--quasi", "a", "--sensitive", "b"], "The table has no rows."),
        (
            "a;b\n1;2\n",
            ["--quasi", "a", "--sensitive", "b"],
            "people.csv: the header 'a;b' is one column; columns are separated by commas.",
        ),
    ],
)
def test_a_table_that_cannot_be_measured_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    content: str,
    arguments: list[str],
    sentence: str,
) -> None:
    """One line names the file and the place, exit status 2."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(content)

    assert main(["measure", "people.csv", *arguments]) == 2

    assert capsys.readouterr().err == f"candor measure: {sentence}\n"
