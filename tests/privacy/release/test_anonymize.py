"""A table and a spec become a release that fulfils the model, whatever the method, and a report that is true of it."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings, strategies as st

import candor
from benchmarks.adult import in_space
from candor.commands import main
from papers.reference import ADULT, adult as read_adult, how_to_get, reference_file
from privacy.errors import InputError
from privacy.release import METHODS, anonymize, parse_spec
from privacy.release.attributes import Measured, Quasi, Space
from privacy.release.hierarchies import by_rows
from privacy.release.methods import clusters, distort
from privacy.release.methods.full_domain import CodedTable, Search
from privacy.release.methods.job import utilities, weights
from privacy.release.methods.local import blocks, bottom_up, grow_classes
from privacy.release.models import AnonymityModel, Diversity
from privacy.release.reasons import ReleaseError, nobody
from tests.cases import first
from tests.privacy.release.people import ATTRIBUTES, TOWNS, people

ANY_COLUMN = [name for name, method in METHODS.items() if not method.means]
ASKED = {
    "full-domain": {"model": {"k": 3}, "suppression": 0.2},
    "bottom-up": {"model": {"k": 3}},
    "k-acluk": {"model": {"k": 3}},
    "ilp-l": {"model": {"k": 3, "l": {"kind": "distinct", "l": 2}}},
    "local": {"model": {"k": 3, "l": {"kind": "distinct", "l": 2}}},
    "cells": {"model": {"k": 3, "l": {"kind": "distinct", "l": 2}}},
}
NOTHING = (
    "model: it asks for nothing; give at least one of k, l, t, alpha, rho, beta, disclosure, average, k_map, presence, "
    "safe_harbour."
)


def covers(label: str, value: str) -> bool:
    """Whether a published label may stand for a value."""
    if label in ("*", value):
        return True
    if label.startswith("["):
        low, high = map(float, label[1:-1].split(", "))
        return low <= float(value) < high or (label.endswith("]") and float(value) == high)
    return label in {town: region for town, region, _ in TOWNS}.get(value, "")


@pytest.mark.parametrize("method", ANY_COLUMN)
def test_every_row_is_published_under_labels_that_cover_it(method: str) -> None:
    """Identifiers are gone, other columns are as they were, and each quasi-identifier covers the value it hides."""
    table = people(60)

    release = anonymize(table, parse_spec({"attributes": ATTRIBUTES, "method": method, "seed": 1, **ASKED[method]}))

    assert list(release.columns) == ["age", "town", "disease", "note"]
    assert sorted(release.columns["note"]) == sorted(table["note"])
    for place, row in enumerate(release.order.tolist()):
        assert release.columns["note"][place] == table["note"][row]
        assert covers(release.columns["age"][place], table["age"][row])
        assert covers(release.columns["town"][place], table["town"][row])
    changed = sum(release.columns["disease"][place] != table["disease"][row] for place, row in enumerate(release.order))
    assert changed == release.distorted


@pytest.mark.parametrize("method", first(2, ANY_COLUMN))
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(12, 60))
def test_every_class_of_a_release_fulfils_the_model(method: str, seed: int, count: int) -> None:
    """Counted from the published table alone, which is all that an attacker has."""
    asked = ASKED[method]

    spec = parse_spec({"attributes": ATTRIBUTES, "method": method, "seed": seed, **asked})
    try:
        release = anonymize(people(count, seed), spec)
    except ReleaseError:  # the suppressed rows miss the model: nothing leaves
        assume(False)

    classes = defaultdict(list)
    for age, town, disease in zip(*(release.columns[name] for name in ("age", "town", "disease")), strict=True):
        classes[age, town].append(disease)
    assert release.suppressed <= 0.2 * count
    assert min(map(len, classes.values())) >= 3
    if "l" in asked["model"]:
        assert min(len(set(diseases)) for diseases in classes.values()) >= 2


def test_of_several_sensitive_attributes_the_worst_is_reported() -> None:
    """Each class has two illnesses and one income: the report is of the income."""
    table = {"q": ["0", "0", "1", "1"], "d": ["a", "b", "a", "b"], "e": ["x", "x", "y", "y"]}
    roles = {"q": {"role": "quasi"}, "d": {"role": "sensitive"}, "e": {"role": "sensitive"}}

    report = anonymize(table, parse_spec({"attributes": roles, "model": {"k": 2}})).to_json()

    assert (report["metrics"]["l"]["distinct"], report["metrics"]["homogeneity"]) == (1, 1.0)
    assert {attack["name"]: attack["succeeded"] for attack in report["attacks"]} == {
        "re-identification": 0,
        "homogeneity (d)": 0,
        "background knowledge of 1 (d)": 4,
        "homogeneity (e)": 4,
        "background knowledge of 1 (e)": 4,
    }


def test_a_class_that_is_published_as_stars_alone_is_a_class() -> None:
    """Nobody is suppressed where the whole table is one class of the root."""
    table = {"q": ["a", "b", "c"], "d": ["x", "x", "x"]}
    roles = {"q": {"role": "quasi"}, "d": {"role": "sensitive"}}

    report = anonymize(table, parse_spec({"attributes": roles, "model": {"k": 3}})).to_json()

    assert (report["suppressed"], report["metrics"]["k"], report["metrics"]["homogeneity"]) == (0, 3, 1.0)


def test_a_value_that_means_suppressed_is_refused() -> None:
    """A raw star would be taken for a suppressed row by a person who reads the release."""
    roles = {"q": {"role": "quasi"}, "d": {"role": "sensitive"}}

    with pytest.raises(InputError, match="holds the value"):
        anonymize({"q": ["*", "a"], "d": ["x", "y"]}, parse_spec({"attributes": roles, "model": {"k": 2}}))


def test_with_several_sensitive_attributes_every_node_is_tried() -> None:
    """Distinct values can be lost by generalising, where each attribute is looked at within the other."""
    known = Quasi("a", by_rows([["A", "*"], ["B", "*"]], "a"), np.array([0, 0, 0, 0, 1]))
    secrets = [np.array([1, 2, 1, 2, 1]), np.array([0, 0, 1, 1, 2])]
    model = AnonymityModel(conditions=(Diversity("distinct", 2),))

    assert list(Search(CodedTable([known], secrets), model, 1).lattice(nobody).minimal) == [(0,)]


def test_a_bound_is_met_as_it_was_written() -> None:
    """55 records of one value against 50 of another: recursive (1.1, 2)-diversity asks for fewer than 55."""
    table = {"q": ["0"] * 105, "d": ["x"] * 55 + ["y"] * 50}
    roles = {"q": {"role": "quasi"}, "d": {"role": "sensitive"}}

    with pytest.raises(InputError, match="does not satisfy it"):
        anonymize(table, parse_spec({"attributes": roles, "model": {"l": {"kind": "recursive", "l": 2, "c": 1.1}}}))


@pytest.mark.parametrize("method", ["bottom-up", "k-acluk", "ilp-l", "local"])
def test_a_table_of_which_nothing_is_useful_is_released_all_the_same(method: str) -> None:
    """Where the data give no attribute a weight, all weigh the same."""
    roles = {"age": {"role": "quasi", "ranges": [[1, 4]]}, "d": {"role": "sensitive"}}
    model = {"k": 2, "l": {"l": 2}} if method == "ilp-l" else {"k": 2}
    table = {"age": ["1", "2", "3", "4"], "d": ["a", "b", "c", "d"]}

    release = anonymize(table, parse_spec({"attributes": roles, "model": model, "method": method, "seed": 1}))

    assert release.to_json()["metrics"]["k"] >= 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"method": "magic"},
            "spec.method: 'magic' is not one of full-domain, bottom-up, k-acluk, ilp-l, local, cells, means.",
        ),
        (
            {"minimise": "tears"},
            "spec.minimise: 'tears' is not one of penalty, discernibility, entropy, average-class.",
        ),
        ({"literal": 1}, "spec.literal: 1 is not true or false."),
        ({"clusters": 2}, "spec.clusters: full-domain takes no number of clusters; k-acluk does."),
        ({"clusters": 0, "method": "k-acluk"}, "spec.clusters: 0 is below 1."),
        ({"suppression": 1}, "spec.suppression: 1 is not a share from 0 to below 1."),
        ({"suppression": 0.1, "method": "local"}, "spec.suppression: local suppresses no records."),
        ({"model": {"k": 0}}, "model.k: 0 is below 1."),
        (
            {"model": {"k": 2, "l": {"kind": "many", "l": 2}}},
            "model.l.kind: 'many' is not one of distinct, entropy, recursive.",
        ),
        (
            {"model": {"l": {"kind": "recursive", "l": 2}}},
            "model.l.c: recursive diversity needs c, and no other kind has it.",
        ),
        (
            {"model": {"t": {"distance": "hierarchical", "t": 0.2}}},
            "model.t: the hierarchical distance needs a hierarchy of the sensitive attribute.",
        ),
        (
            {"model": {"k": 2, "t": {"t": 0.2}}, "method": "bottom-up"},
            "spec.method: bottom-up supports only k; use local for other models.",
        ),
        (
            {"model": {"k": 3}, "method": "ilp-l"},
            "spec.method: ilp-l needs k and distinct l-diversity; model.l must ask for it.",
        ),
        (
            {"model": {"k": 2, "l": {"l": 3}}, "method": "ilp-l"},
            "model.k: 2 records cannot have 3 values; ilp-l needs k of at least l.",
        ),
        ({"model": {"k": 61}, "method": "local"}, "model.k: 61 is more than the 60 records there are."),
        (
            {"model": {"k": 61}},
            "model: even with every quasi-identifier generalised to its root, the table does not satisfy it; ask for "
            "less.",
        ),
        (
            {"model": {"l": {"l": 5}}, "method": "local"},
            "model: even the largest classes there can be do not satisfy it; ask for less.",
        ),
        (
            {"attributes": {**ATTRIBUTES, "age": {"role": "quasi", "ranges": [[0, 50]]}}},
            "attributes.age: the value '81' is outside 0 to 50.",
        ),
        (
            {"attributes": {**ATTRIBUTES, "town": {"role": "quasi", "hierarchy": TOWNS[:3]}}},
            "attributes.town: the value 'B2' of the column 'town' is missing.",
        ),
        (
            {"attributes": {**ATTRIBUTES, "age": {"role": "king"}}},
            "attributes.age.role: 'king' is not one of quasi, sensitive, identifier, insensitive, disguised.",
        ),
        (
            {"attributes": {**ATTRIBUTES, "note": {"role": "insensitive", "truncate": [1]}}},
            "attributes.note: truncate is for quasi-identifiers and sensitive attributes.",
        ),
        (
            {"attributes": {**ATTRIBUTES, "town": {"role": "quasi", "truncate": [1], "ranges": [[0, 1]]}}},
            "attributes.town: truncate and ranges both say how values are generalised; give one of them.",
        ),
        (
            {"attributes": {name: column for name, column in ATTRIBUTES.items() if name != "note"}},
            "The column 'note' has no role in the spec; the role insensitive publishes it unchanged.",
        ),
        (
            {"attributes": {**ATTRIBUTES, "shoe": {"role": "quasi"}}},
            "The table has no column 'shoe' from the spec; it has 'name', 'age', 'town', 'disease', 'note'.",
        ),
        (
            {"attributes": {"note": {"role": "insensitive"}}},
            "attributes: give at least one column the role quasi: one that others may know.",
        ),
        ({"model": {}}, NOTHING),
        ({"seed": -1}, "spec.seed: -1 is below 0."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    """The sentence names the place, the value and the rule."""
    with pytest.raises(InputError) as refused:
        anonymize(people(60), parse_spec({"attributes": ATTRIBUTES, "model": {"k": 2}, **change}))

    assert str(refused.value) == sentence


def test_the_command_writes_the_release_and_a_report_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files hold what is printed and may leave, hierarchies are found beside the spec, `candor measure` agrees."""
    table, spec, out, report = (tmp_path / name for name in ("table.csv", "spec.json", "out.csv", "report.json"))
    pd.DataFrame(people(80)).to_csv(table, index=False)
    (tmp_path / "town.csv").write_text("".join(";".join(row) + "\n" for row in TOWNS))
    attributes = {**ATTRIBUTES, "town": {"role": "quasi", "hierarchy": "town.csv"}}
    spec.write_text(json.dumps({"attributes": attributes, "model": {"k": 4}, "suppression": 0.05, "seed": 2}))

    assert main(["anonymize", str(table), str(spec), "-o", str(out), "--report", str(report), "--json"]) == 0

    written = json.loads(report.read_text())
    printed = json.loads(capsys.readouterr().out)
    assert {name: printed[name] for name in written} == written
    assert printed.keys() - written.keys() == {"minimal"}
    assert main(["measure", str(out), "--quasi", "age,town", "--sensitive", "disease", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    known = {name: written["metrics"][name] for name in ("penalty", "penalty_sum")}
    assert measured["metrics"] | known == written["metrics"]
    assert measured["attacks"] == written["attacks"]
    assert (written["records"], written["metrics"]["k"] >= 4) == (80, True)
    assert written["node"] in printed["minimal"]


def test_a_release_never_replaces_what_it_was_made_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The raw table is not overwritten, and the report does not overwrite the release."""
    table, spec = tmp_path / "table.csv", tmp_path / "spec.json"
    pd.DataFrame(people(20)).to_csv(table, index=False)
    spec.write_text(json.dumps({"attributes": ATTRIBUTES, "model": {"k": 2}}))
    before = table.read_bytes()

    assert main(["anonymize", str(table), str(spec), "-o", str(table)]) == 2
    assert main(["anonymize", str(table), str(spec), "-o", str(tmp_path / "x"), "--report", str(tmp_path / "x")]) == 2

    assert table.read_bytes() == before
    assert not (tmp_path / "x").exists()
    assert capsys.readouterr().err.splitlines() == [
        f"candor anonymize: {table}: writing here would replace the table.",
        f"candor anonymize: {tmp_path / 'x'}: writing here would replace the release.",
    ]


def test_a_release_does_not_appear_without_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where one of the two files cannot be written the other is not either."""
    table, spec, report = tmp_path / "table.csv", tmp_path / "spec.json", tmp_path / "absent" / "report.json"
    pd.DataFrame(people(20)).to_csv(table, index=False)
    spec.write_text(json.dumps({"attributes": ATTRIBUTES, "model": {"k": 2}}))

    assert main(["anonymize", str(table), str(spec), "-o", str(tmp_path / "out"), "--report", str(report)]) == 2

    assert sorted(tmp_path.iterdir()) == [spec, table]
    assert capsys.readouterr().err.startswith(f"candor anonymize: {report}: cannot be written")


def test_a_spec_without_a_model_is_refused() -> None:
    """A table that nobody asked to make less recognisable is not released as it is."""
    with pytest.raises(InputError) as refused:
        parse_spec({"attributes": ATTRIBUTES})

    assert str(refused.value) == NOTHING


@pytest.mark.parametrize("option", ["-o", "--report"])
@pytest.mark.parametrize(("name", "what"), [("town.csv", "hierarchy of 'town'"), ("utility.csv", "utility matrix")])
def test_a_release_never_replaces_what_its_spec_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, what: str, option: str
) -> None:
    """A hierarchy and a utility matrix are somebody's work: neither the release nor its report overwrites them."""
    table, spec = tmp_path / "table.csv", tmp_path / "spec.json"
    pd.DataFrame(people(20)).to_csv(table, index=False)
    (tmp_path / "town.csv").write_text("".join(";".join(row) + "\n" for row in TOWNS))
    (tmp_path / "utility.csv").write_text("disease,age,town\nflu,1,1\n")
    attributes = {**ATTRIBUTES, "town": {"role": "quasi", "hierarchy": "town.csv"}}
    asked = {"attributes": attributes, "model": {"k": 2}, "method": "local", "utility": {"matrix": "utility.csv"}}
    spec.write_text(json.dumps(asked))
    before = (tmp_path / name).read_bytes()

    assert main(["anonymize", str(table), str(spec), "-o", str(tmp_path / "out"), option, str(tmp_path / name)]) == 2

    assert (tmp_path / name).read_bytes() == before
    assert capsys.readouterr().err == (f"candor anonymize: {tmp_path / name}: writing here would replace the {what}.\n")


def test_a_frame_is_anonymized_and_printed() -> None:
    """What analysts get says the node, and is a table again."""
    released = candor.anonymize(pd.DataFrame(people(60)), {"attributes": ATTRIBUTES, "model": {"k": 5}, "seed": 1})

    assert str(released).split("\n\n")[1].startswith("60 records by full-domain")
    assert len(released.to_frame()) == 60
    assert released.to_json()["node"].keys() == {"age", "town"}
    assert released.picture().startswith('<svg class="chart"')


def gathered_by_rounds(values: list[int], k: int, literal: bool) -> list[list[int]]:
    """Classes of numbers by the printed rounds, the long way: everything is compared with everything."""
    classes = [[value] for value in values] if literal else [[v] * values.count(v) for v in sorted(set(values))]

    def loss(one: list[int], other: list[int]) -> int:
        def penalty(numbers: list[int]) -> int:
            return len(numbers) * (max(numbers) - min(numbers))

        return penalty(one + other) - (0 if literal else penalty(one) + penalty(other))

    while any(len(one) < k for one in classes):
        small = [one for one in classes if len(one) < k]
        gone: list[list[int]] = []
        while len(small) > 1:
            one = small.pop(0)
            partner = small.pop(min(range(len(small)), key=lambda place: loss(one, small[place])))
            one += partner
            gone.append(partner)
        classes = [one for one in classes if not any(one is other for other in gone)]
        if small:
            classes = [one for one in classes if one is not small[0]]
            min(classes, key=lambda one: loss(one, small[0])).extend(small[0])
    return sorted(map(sorted, classes))


@pytest.mark.parametrize("literal", [True, False])
@given(values=st.lists(st.integers(0, 64), min_size=4, max_size=14), k=st.integers(2, 4))
def test_pairs_and_the_one_left_over_are_chosen_by_one_rule(literal: bool, values: list[int], k: int) -> None:
    """As printed the penalty of the union decides, else its rise: for the class that finds no small partner, too."""
    values = [0, 64, *values]  # a whole range that is a power of 2: no sum is rounded, and ties are ties

    member = bottom_up(Space([Measured("age", np.array(values, float))]), k, np.arange(len(values)), literal=literal)

    classes = defaultdict(list)
    for value, own in zip(values, member.tolist(), strict=True):
        classes[own].append(value)
    assert sorted(map(sorted, classes.values())) == gathered_by_rounds(values, k, literal)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=6, max_size=60), st.integers(1, 3))
def test_a_large_table_is_cut_into_blocks(rows: list[tuple[int, int]], k: int) -> None:
    """Each record is in one block; none is larger than asked or smaller than k."""
    ages, towns = (np.array(column) for column in zip(*rows, strict=True))
    tree = by_rows([[town, region, "*"] for town, region, _ in TOWNS], "towns")
    space = Space([Measured("age", ages.astype(float)), Quasi("town", tree, towns)])

    cut = list(blocks(space, k, np.arange(len(rows)), most=8))

    assert sorted(np.concatenate(cut).tolist()) == list(range(len(rows)))
    assert {k <= len(block) <= 8 for block in cut} == {True}


def test_utilities_are_the_shares_that_a_sensitive_value_takes_up() -> None:
    """By hand: ages 20 to 60, flu from 20 to 40; two of three towns have flu."""
    towns = by_rows([["x", "*"], ["y", "*"], ["z", "*"]], "towns")
    space = Space([Measured("age", np.array([20.0, 40.0, 60.0, 60.0])), Quasi("town", towns, np.array([0, 1, 2, 2]))])

    matrix = utilities(space, np.array([0, 0, 1, 1]))

    assert matrix.tolist() == [[0.5, pytest.approx(2 / 3)], [0.0, pytest.approx(1 / 3)]]
    assert weights(matrix).tolist() == pytest.approx([1 / 3, 2 / 3])


def test_every_cluster_has_enough_sensitive_values() -> None:
    """Where as many clusters as wished cannot have that, there are fewer."""
    matrix = np.array([[0.1], [0.11], [0.12], [0.9], [0.91]])

    owner = clusters(matrix, 2, 2, np.random.default_rng(0))
    one = clusters(matrix, 2, 3, np.random.default_rng(0))
    alone = clusters(matrix[2:4], 3, 1, np.random.default_rng(0))

    assert sorted(Counter(owner.tolist()).values()) == [2, 3]
    assert one.tolist() == [0] * 5
    assert sorted(alone.tolist()) == [0, 1]


def test_distortion_stays_within_the_cluster_and_changes_no_more_than_needed() -> None:
    """A class of one value three times gets two other values of its cluster, one of two values gets one."""
    member, secret = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 0, 3, 3, 4])
    owner = np.array([0, 0, 0, 1, 1, 1])

    changed = distort(member, secret, owner, 3, np.random.default_rng(0))

    assert (sorted(changed[:3]), sorted(changed[3:])) == ([0, 1, 2], [3, 4, 5])
    assert int((changed != secret).sum()) == 3


@pytest.fixture(scope="module")
def adult() -> Space:
    """Adult with the hierarchies of the paper's shape, weighted by the utilities of the data."""
    if not reference_file(ADULT).exists():
        pytest.skip(how_to_get(ADULT))
    return in_space(*read_adult())


@pytest.mark.long
def test_the_literal_form_gives_the_published_figures_of_adult(adult: Space) -> None:
    """An independent run of bottom-up k-anonymity at k = 5: discernibility 241 332, penalty 1700."""
    member = bottom_up(adult, 5, np.arange(30_162), literal=True)

    assert int((np.bincount(member) ** 2).sum()) == 241_332
    assert round(adult.penalty(member)) == 1700


@pytest.mark.long
@pytest.mark.parametrize(("k", "most"), [(5, 800), pytest.param(10, 1450, marks=pytest.mark.long)])
def test_the_improved_form_loses_half_of_what_the_printed_one_loses(adult: Space, k: int, most: int) -> None:
    """On Adult, and every class has k records."""
    member = grow_classes(adult, k, np.arange(30_162))

    assert np.bincount(member).min() >= k
    assert adult.penalty(member) <= most


@pytest.mark.parametrize("clusters", [1, 2, 4])
def test_k_acluk_gathers_records_in_as_many_clusters_as_are_asked_for(clusters: int) -> None:
    """Sensitive values whose utilities differ stay apart: each class has the values of one cluster alone."""
    ages = [10 * group + one for group in range(4) for one in range(8)]
    table = {"age": list(map(str, ages)), "d": [f"d{age // 10}" for age in ages]}
    matrix = {f"d{group}": {"age": level} for group, level in enumerate(("very low", "low", "high", "very high"))}
    roles = {"age": {"role": "quasi"}, "d": {"role": "sensitive"}}
    asked = {"method": "k-acluk", "clusters": clusters, "seed": 1, "utility": {"matrix": matrix}}

    release = anonymize(table, parse_spec({"attributes": roles, "model": {"k": 2}, **asked}))

    classes: dict[str, set[str]] = {}
    for age, value in zip(release.columns["age"], release.columns["d"], strict=True):
        classes.setdefault(age, set()).add(value)
    together = {frozenset(values) for values in classes.values()}
    assert max(map(len, together)) <= {1: 4, 2: 2, 4: 1}[clusters]


@pytest.mark.parametrize("method", ["full-domain", "local", "ilp-l"])
def test_columns_that_keep_their_values_keep_their_types(method: str) -> None:
    """Numbers stay numbers, missing ones missing, and no category is named that nobody has; labels are texts."""
    frame = pd.DataFrame(
        {
            "age": [21, 24, 33, 38, 41, 47],
            "score": [1, 2, 3, 1, 2, 3],
            "paid": [0.5, 1.5, None, 2.5, 3.5, 4.5],
            "smokes": [True, False] * 3,
            "visit": pd.to_datetime(["2020-01-01", "2020-02-01"] * 3),
            "grade": pd.Categorical(["a", "b"] * 3, ["z", "b", "a"], ordered=True),
            "note": ["x", "y"] * 3,
        }
    )
    roles = {name: {"role": "insensitive"} for name in frame.columns}
    roles |= {"age": {"role": "quasi"}, "score": {"role": "sensitive"}}
    model: dict[str, Any] = {"k": 2} | ({"l": {"kind": "distinct", "l": 2}} if method == "ilp-l" else {})
    before = frame.copy()

    shown = candor.anonymize(frame, {"attributes": roles, "model": model, "method": method, "seed": 1}).to_frame()

    assert shown["age"].map(type).unique().tolist() == [str]
    kept = [name for name in frame.columns if name not in ("age", "grade")]
    assert [shown[name].dtype for name in kept] == [frame[name].dtype for name in kept]
    assert shown["grade"].dtype == pd.CategoricalDtype(["b", "a"], ordered=True)
    if method != "ilp-l":  # which changes sensitive values
        assert shown["score"].sum() == 12
    assert Counter(shown["paid"].dropna()) == Counter(frame["paid"].dropna())
    assert frame.equals(before)
