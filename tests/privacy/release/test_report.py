"""A report begins with what the table still allows, has the keys of its contract, and looks at subsets if asked."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main
from privacy.errors import InputError
from privacy.release import (
    Closeness,
    anonymize,
    classes_of,
    measure,
    of_subsets,
    parse_spec,
    read_spec,
)
from privacy.release.attacks import METHOD_KNOWN
from privacy.release.frame import Anonymized
from privacy.release.methods.job import read_utility
from privacy.release.models import CONDITIONS, LIMITS, in_symbols
from tests.cases import first
from tests.privacy.release.patients import FIGURE_1

KEYS = ["method", "node", "suppressed", "records", "metrics", "attacks"]
METRICS = ["k", "l", "t", "discernibility", "average_class", "unicity", "risk", "homogeneity", "homogeneous_classes"]
METRICS += ["information", "penalty", "penalty_sum", "beliefs"]
ROLES: dict[str, Any] = {
    "age": {"role": "quasi", "ranges": [[20, 40, 60, 80], [20, 80]]},
    "town": {"role": "quasi", "hierarchy": [["Ulm", "*"], ["Bonn", "*"]]},
    "disease": {"role": "sensitive"},
}
PEOPLE = {
    "age": ["23", "23", "41", "41", "67", "23"],
    "town": ["Ulm", "Ulm", "Bonn", "Bonn", "Ulm", "Ulm"],
    "disease": ["flu", "cold", "flu", "flu", "flu", "asthma"],
}
MORE = {name: [*column, added] for (name, column), added in zip(PEOPLE.items(), ("55", "Bonn", "cold"), strict=True)}
ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=15)


@pytest.mark.parametrize(
    ("method", "local"), first(1, [("full-domain", False), ("bottom-up", True), ("k-acluk", True), ("local", True)])
)
def test_a_report_has_the_keys_of_the_contract(method: str, local: bool) -> None:
    """Just these, in this order; the node is null for local methods, and so is what their labels cover."""
    report = anonymize(PEOPLE, parse_spec({"attributes": ROLES, "model": {"k": 2}, "method": method})).to_json()

    assert list(report) == KEYS
    assert list(report["metrics"]) == METRICS
    assert [report["node"] is None, report["metrics"]["penalty"] is None] == [local, local]
    assert {tuple(attack) for attack in report["attacks"]} == {("name", "tried", "succeeded", "share")}


def test_nothing_published_says_how_many_values_were_changed() -> None:
    """ILP-L changes one value of the class that has one; the report says that it may have."""
    spec = {"attributes": ROLES, "model": {"k": 2, "l": {"kind": "distinct", "l": 2}}, "method": "ilp-l", "seed": 1}

    release = anonymize(PEOPLE, parse_spec(spec))

    assert Anonymized(release).to_json()["distorted"] == release.distorted == 1
    assert "distorted" not in release.to_json()
    assert "Some rows may carry another value than the true one, on purpose." in map(str, release.remaining_risks())


def test_a_table_without_a_sensitive_column_is_measured_all_the_same() -> None:
    """What is about sensitive values is null, and the paragraph says why."""
    table = {name: MORE[name] for name in ("age", "town")}
    roles = {name: ROLES[name] for name in table}

    release = anonymize(table, parse_spec({"attributes": roles, "model": {"k": 2}, "suppression": 0.3}))

    metrics = release.to_json()["metrics"]
    assert list(metrics) == METRICS
    assert (metrics["k"], metrics["l"], metrics["t"], metrics["homogeneity"]) == (
        2,
        {"distinct": None, "entropy": None, "recursive": {}},
        None,
        None,
    )
    assert str(release.remaining_risks()[2]).startswith("No column is sensitive")


def test_the_share_of_homogeneous_classes_is_beside_that_of_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sweeney's table of eleven, in the notes on anonymity: 2 of 5 classes, and 4 of 11 people in them."""
    (tmp_path / "figure.csv").write_text(
        FIGURE_1.replace("Race,Birth,Gender,ZIP,Problem", "race,birth,gender,zip,problem")
    )

    main(["measure", str(tmp_path / "figure.csv"), "--quasi", "race,birth,gender,zip", "--sensitive", "problem"])
    printed = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines() if line[:1].strip()}
    measured = candor.measure(pd.read_csv(tmp_path / "figure.csv"), ["race", "birth", "gender", "zip"], "problem")

    metrics = measured.to_json()["metrics"]
    assert (metrics["homogeneous_classes"], metrics["homogeneity"]) == (2 / 5, pytest.approx(4 / 11))
    assert (printed["HASR"], printed["k"]) == ("0.4", "2")


def test_the_computed_utilities_are_shown_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a spec takes an expert's, and never in the report, which is published: they come from the table as it is."""
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "people.csv", index=False)
    spec = {"attributes": ROLES, "model": {"k": 2}, "method": "local"}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    command = ["anonymize", *(str(tmp_path / name) for name in ("people.csv", "spec.json"))]
    command += ["-o", str(tmp_path / "out.csv"), "--report", str(tmp_path / "report.json"), "--show-utility"]

    main([*command, "--json"])
    shown = json.loads(capsys.readouterr().out)["utility"]
    main(command)
    printed = capsys.readouterr().out.splitlines()[-5:]

    assert shown["matrix"] == {
        "asthma": {"age": 0.0, "town": 0.5},
        "cold": {"age": 0.0, "town": 0.5},
        "flu": {"age": 1.0, "town": 1.0},  # from the youngest to the oldest, and in both towns
    }
    assert shown["weights"] == {"age": pytest.approx(1 / 3), "town": pytest.approx(2 / 3)}
    assert [line.split()[0] for line in printed] == ["disease", "asthma", "cold", "flu", "weight"]
    assert "utility" not in json.loads((tmp_path / "report.json").read_text())
    again = candor.anonymize(pd.DataFrame(PEOPLE), spec | {"utility": {"matrix": shown["matrix"]}})
    assert again.to_frame().equals(pd.read_csv(tmp_path / "out.csv", dtype=str))
    assert again.utility is not None
    assert again.picture() == ""


@pytest.mark.parametrize(
    ("method", "literal"), [("local", False), ("bottom-up", False), ("bottom-up", True), ("full-domain", True)]
)
def test_the_penalty_is_summed_as_the_paper_sums_it(method: str, literal: bool) -> None:
    """Over all records, from the published cells alone; "literal" counts each weight twice, as the paper prints it."""
    roles = {name: dict(role) for name, role in ROLES.items()}
    roles["age"]["weight"], roles["town"]["weight"] = 3.0, 1.0
    spec = {"attributes": roles, "model": {"k": 2}, "method": method, "literal": literal}

    release = anonymize(PEOPLE, parse_spec(spec))

    metrics = release.measures.to_json()
    once = twice = 0.0
    for age, town in zip(release.columns["age"], release.columns["town"], strict=True):
        low, high = map(float, age.strip("[])").split(",")) if "," in age else (0.0, 0.0)
        of_age = (1.0 if (low, high) == (20, 80) else 1 / 3) if method == "full-domain" and high else (high - low) / 44
        of_town = 1.0 if town == "*" else 0.0
        once += (3 * of_age + of_town) / 4
        twice += (9 * of_age + of_town) / 16
    assert metrics["penalty"] == pytest.approx(once / 6)
    assert metrics["penalty_sum"] == pytest.approx(twice if literal else once)


def first_paragraph(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.split("\n\n")[0].replace("\n", " ")


def test_the_first_paragraph_says_what_is_still_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In plain words, before any figure, for a raw table and for a release."""
    pd.DataFrame(MORE).to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "spec.json").write_text(json.dumps({"attributes": ROLES, "model": {"k": 2}, "suppression": 0.3}))

    main(["measure", str(tmp_path / "people.csv"), "--quasi", "age,town", "--sensitive", "disease"])
    raw = first_paragraph(capsys)
    main(["anonymize", str(tmp_path / "people.csv"), str(tmp_path / "spec.json"), "-o", str(tmp_path / "out.csv")])
    released = first_paragraph(capsys)

    beyond = "All this assumes that the reader knows no more and sees no other table about the same people."
    assert raw == (
        "Somebody who knows age, town can find the rows of 2 of 7 people, because they are alone with these values. "
        "For 4 of 7 people “disease” can be learned without finding the row: all fitting rows have the same value. "
        "Somebody who can rule out one value of “disease” for each person learns the right one for 4 of 7 people. "
        "About “disease”, somebody who knows age, town goes from 2 in 7 to certain for 1 of 7 people; no belief grows "
        "more. For 1 of 7 people a value of “disease” can be ruled out that 4 of 7 have. "
        f"{beyond}"
    )
    assert released == (
        "Somebody who knows age, town can find no single row: at least 2 rows are alike in all of this. "
        "For 2 of 7 people “disease” can be learned without finding the row: all fitting rows have the same value. "
        "Somebody who can rule out one value of “disease” for each person learns the right one for 4 of 7 people. "
        f"{METHOD_KNOWN} "
        "About “disease”, somebody who knows age, town goes from 4 in 7 to certain for 2 of 7 people; no belief grows "
        "more. For 2 of 7 people a value of “disease” can be ruled out that 2 of 7 have. "
        "2 rows are suppressed. People who fit no other class are among them, so all figures count them as a class. "
        f"{beyond}"
    )


@given(ROWS, st.integers(1, 4))
def test_every_subset_has_the_k_that_is_counted(rows: list[tuple[int, ...]], most: int) -> None:
    """All subsets up to the size asked for, each counted by itself, and who is alone in it."""
    names = "abcd"
    subsets = of_subsets(
        {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}, most
    )

    chosen = [some for size in range(1, most + 1) for some in combinations(range(4), size)]
    counted = {some: Counter(tuple(row[place] for place in some) for row in rows) for some in chosen}
    alone = {
        some: {place for place, row in enumerate(rows) if counts[tuple(row[at] for at in some)] == 1}
        for some, counts in counted.items()
    }
    assert [(subset.columns, subset.k, set(subset.alone.tolist())) for subset in subsets] == [
        (tuple(names[at] for at in some), min(counted[some].values()), alone[some]) for some in chosen
    ]


def test_subsets_are_in_the_files_where_they_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--subsets` of candor measure, and "subsets" of a spec; rows are counted from 1."""
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "people.csv", index=False)
    spec = {"attributes": ROLES, "model": {"k": 2}, "suppression": 0.3, "subsets": 3}

    asked = ["--quasi", "age,town", "--sensitive", "disease", "--subsets", "3", "--json"]
    main(["measure", str(tmp_path / "people.csv"), *asked])
    raw = json.loads(capsys.readouterr().out)
    released = anonymize(MORE, parse_spec(spec)).to_json()

    assert list(raw) == ["metrics", "attacks", "subsets"]
    assert raw["subsets"] == [
        {"columns": ["age"], "k": 1, "alone": 1},
        {"columns": ["town"], "k": 2, "alone": 0},
        {"columns": ["age", "town"], "k": 1, "alone": 1},
    ]
    assert released["subsets"][-1] == {"columns": ["age", "town"], "k": 2, "alone": 0}


def test_too_many_subsets_are_refused() -> None:
    """Instead of hours."""
    with pytest.raises(InputError, match="more than 100\u202f000 subsets of up to 6"):
        of_subsets({str(place): [0, 1] for place in range(40)}, 6)


def test_t_is_measured_by_the_distance_that_is_asked_for(tmp_path: Path) -> None:
    """Incomes of Li, Li and Venkatasubramanian (2007): {3k, 4k, 5k} is .375 from the table, {6k, 8k, 11k} .167."""
    incomes = ["3", "4", "5", "6", "11", "8", "7", "9", "10"]
    low = pd.DataFrame({"zip": ["a"] * 3 + ["b"] * 6, "income": incomes})
    mixed = pd.DataFrame({"zip": ["b"] * 3 + ["a"] * 3 + ["b"] * 3, "income": incomes})
    path = tmp_path / "incomes.csv"
    path.write_text("".join(f"{income};{'low' if int(income) < 6 else 'high'};*\n" for income in incomes))

    def t(frame: pd.DataFrame, **asked: Any) -> float:
        measured = candor.measure(frame, ["zip"], "income", **asked).measures.t
        assert measured is not None
        return measured

    assert t(low, distance="ordered") == pytest.approx(0.375)
    assert t(mixed, distance="ordered") == pytest.approx(1 / 6)
    assert t(low) == pytest.approx(2 / 3)
    assert t(low, distance="hierarchical", hierarchy=path) == pytest.approx(2 / 3)
    assert t(mixed, distance="hierarchical", hierarchy=path) == pytest.approx(1 / 3 + 1 / 3 * 1 / 2)


def test_the_report_measures_t_by_the_distance_of_the_model() -> None:
    """A model with the ordered distance gets its own t, not another one."""
    table = {"zip": ["a"] * 3 + ["b"] * 6, "income": ["3", "4", "5", "6", "11", "8", "7", "9", "10"]}
    roles = {"zip": {"role": "quasi"}, "income": {"role": "sensitive"}}
    model = {"k": 3, "t": {"distance": "ordered", "t": 0.38}}

    report = anonymize(table, parse_spec({"attributes": roles, "model": model})).to_json()

    assert (report["node"], report["metrics"]["t"]) == ({"zip": 0}, pytest.approx(0.375))


@pytest.mark.parametrize("asked", [{"distance": "hierarchical"}, {"distance": "equal", "hierarchy": "x.csv"}])
def test_a_distance_and_its_hierarchy_go_together(asked: dict[str, str]) -> None:
    """One sentence says so."""
    with pytest.raises(InputError, match="give one for the hierarchical distance, and only for it"):
        candor.measure(pd.DataFrame(PEOPLE), ["age"], "disease", **asked)


def test_mutual_information_is_what_the_class_tells() -> None:
    """Nothing where both are independent, the whole entropy where the class says it, and one bit of the two between."""
    independent = classes_of([[0, 0, 1, 1]], ["x", "y", "x", "y"])
    told = classes_of([[0, 0, 1, 1]], ["x", "x", "y", "y"])
    half = classes_of([[0, 0, 1, 1]], ["x", "y", "z", "w"])

    assert [measure(classes).information for classes in (independent, told, half)] == [0.0, 1.0, 1.0]


def test_every_figure_that_is_printed_is_in_the_json() -> None:
    """By its own key. Odds growth, which may have no end, and what is ruled out follow from the beliefs there."""
    measured = anonymize(PEOPLE, parse_spec({"attributes": ROLES, "model": {"k": 2}})).measures
    written = measured.to_json()

    assert {declared.key: value for declared, value in measured.rows() if declared.within != "beliefs"} == {
        key: value
        for place in (written, written["l"], written["risk"])
        for key, value in place.items()
        if key not in ("l", "risk", "beliefs", "recursive")
    }


def test_an_expert_says_how_useful_each_attribute_is(tmp_path: Path) -> None:
    """Weights follow the file in place of the data: what is worth nothing is given up first; the inverse turns that."""
    (tmp_path / "utility.csv").write_text("disease,age,town\nflu,0.9,0.1\ncold,0.9,0.1\nasthma,0.9,0.1\n")
    table = {
        "age": ["23", "23", "67", "67"],
        "town": ["Ulm", "Bonn", "Ulm", "Bonn"],
        "disease": ["flu", "cold", "flu", "asthma"],
    }
    spec = {"attributes": ROLES, "model": {"k": 2}, "method": "local", "utility": {"matrix": "utility.csv"}}
    turned = spec | {"utility": {"matrix": "utility.csv", "inverse": True}}
    (tmp_path / "spec.json").write_text(json.dumps(spec))

    by_expert = anonymize(table, read_spec(tmp_path / "spec.json"))
    by_inverse = anonymize(table, parse_spec(turned, tmp_path))

    assert (set(by_expert.columns["age"]), set(by_expert.columns["town"])) == ({"23", "67"}, {"*"})
    assert (set(by_inverse.columns["age"]), set(by_inverse.columns["town"])) == ({"[23, 67]"}, {"Ulm", "Bonn"})


@pytest.mark.parametrize(
    ("utility", "sentence"),
    [
        ({"matrix": {"flu": {"age": 1, "town": 1}}}, "utility.matrix: the sensitive value 'asthma' is missing."),
        (
            {"matrix": {name: {"age": 0.5} for name in ("flu", "cold", "asthma")}},
            "utility.matrix: the sensitive value 'asthma' has no utility for 'town'.",
        ),
        (
            {"matrix": {"flu": {"age": 2}}},
            "utility.matrix.flu.age: 2 is not a number from 0 to 1, or one of very high, high, medium, low, very low.",
        ),
        ({"other": 1}, "utility: the key 'other' is unknown here; known keys are matrix, inverse."),
    ],
)
def test_a_utility_matrix_that_lacks_something_is_refused(utility: dict[str, Any], sentence: str) -> None:
    """The sentence names what is missing or wrong."""
    with pytest.raises(InputError) as refused:
        anonymize(PEOPLE, parse_spec({"attributes": ROLES, "model": {"k": 2}, "method": "local", "utility": utility}))

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("content", "sentence"), [("d,a\nx,1\nx,1\n", "appears twice"), ("d,a\nx,much\n", "is not a number")]
)
def test_a_utility_file_that_is_wrong_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    """A value that appears twice, a utility that is none."""
    (tmp_path / "utility.csv").write_text(content)

    with pytest.raises(InputError, match=sentence):
        read_utility(tmp_path / "utility.csv")


def test_many_sensitive_values_do_not_fill_the_memory() -> None:
    """Of 3 000 classes and 6 000 values there are fewer than a thousand classes at a time, and all are measured."""
    count = 6_000
    classes = classes_of([np.arange(count) // 2], np.arange(count))

    assert measure(classes, Closeness("ordered", 1.0)).distinct == 2


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "1 row is suppressed. A person who fits no other class can be found by this."),
        (2, "2 rows are suppressed. People who fit no other class are among them, so all figures count them as a "
        "class."),
    ],
)  # fmt: skip
def test_one_row_is_told_in_the_singular(count: int, said: str) -> None:
    """Nobody reads of "1 rows"."""
    release = anonymize(MORE, parse_spec({"attributes": ROLES, "model": {"k": 2}, "suppression": 0.3}))

    sentences = replace(release, suppressed=count).remaining_risks()

    assert str(sentences[-2]) == said


def test_the_path_of_the_search_is_shown_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each node that was looked at with its answer, in print and in the picture; else none, and never in the report."""
    files = {name: str(tmp_path / name) for name in ("people.csv", "spec.json", "out.csv", "report.json", "l.svg")}
    pd.DataFrame(PEOPLE).to_csv(files["people.csv"], index=False)
    Path(files["spec.json"]).write_text(json.dumps({"attributes": ROLES, "model": {"k": 2}}))
    command = ["anonymize", files["people.csv"], files["spec.json"], "-o", files["out.csv"]]
    command += ["--picture", files["l.svg"]]

    assert main([*command, "--path", "--report", files["report.json"]]) == 0
    printed = capsys.readouterr().out
    assert main([*command, "--path", "--json"]) == 0
    path = json.loads(capsys.readouterr().out)["path"]
    drawn = Path(files["l.svg"]).read_text()
    assert main(command) == 0
    plain = capsys.readouterr().out

    assert "path" not in json.loads(Path(files["report.json"]).read_text())
    assert {tuple(step["node"].values()) for step in path if step["holds"]} >= {(2, 0)}
    assert all(step["asked"] == "the model" for step in path)
    shown = [line.split() for line in printed.split("The path of the search\n")[1].splitlines()[1:]]
    words = {True: "holds", False: "fails"}
    assert shown == [
        [str(place), *map(str, step["node"].values()), "the", "model", words[step["holds"]]]
        for place, step in enumerate(path, start=1)
    ]
    assert ("path of the search" in plain, "the path of the search" in drawn) == (False, True)
    assert "path of the search" not in Path(files["l.svg"]).read_text()


@pytest.mark.long
def test_a_local_method_has_no_lattice_to_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said in one line, and no file is written."""
    people, spec, out, picture = (str(tmp_path / name) for name in ("people.csv", "spec.json", "out.csv", "l.svg"))
    pd.DataFrame(PEOPLE).to_csv(people, index=False)
    Path(spec).write_text(json.dumps({"attributes": ROLES, "model": {"k": 2}, "method": "local"}))

    assert main(["anonymize", people, spec, "-o", out, "--picture", picture]) == 2
    assert capsys.readouterr().err == (
        "candor anonymize: --picture: local searches no lattice, so there is none to draw.\n"
    )
    assert (Path(out).exists(), Path(picture).exists()) == (False, False)


def test_every_member_of_a_model_says_itself_shortly() -> None:
    """A page prints the model without knowing which members there are."""
    model = {
        **{"k": 5, "l": {"l": 2.5, "kind": "entropy"}, "t": {"t": 0.2, "distance": "ordered"}, "alpha": 0.5},
        **{"rho": ["1/5", 0.5], "beta": {"kind": "basic", "beta": 2}, "disclosure": 1.5},
        **{"average": 0.1, "k_map": 3, "presence": [0, 0.5]},
    }

    said = in_symbols(model)

    assert model.keys() == {"k", *CONDITIONS, *LIMITS}
    assert "; ".join(said) == (
        "k = 5; l = 2.5 (entropy); t = 0.2 (ordered); α = 0.5; ρ = 0.2 → 0.5; β = 2 (basic); δ = 1.5; "
        "average = 0.1; k-map = 3; presence = [0, 0.5]"
    )
