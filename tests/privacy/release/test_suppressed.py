"""Suppressed rows are a class of a release: who fits no other class is among them."""

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main
from privacy.design import Design
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import anonymize, attacks, classes_of, measure, of_subsets, parse_spec
from privacy.release.responses import release_responses
from tests.cases import every, first

ROLES: dict[str, Any] = {
    "town": {"role": "quasi", "hierarchy": [["a", "*"], ["b", "*"], ["c", "*"]]},
    "drugs": {"role": "sensitive"},
}
ONE_ALONE = {"town": ["a"] * 24 + ["b"], "drugs": ["0", "1"] * 12 + ["1"]}
MODELS: list[dict[str, Any]] = [
    {"k": 3},
    {"k": 2, "l": {"kind": "distinct", "l": 2}},
    {"k": 2, "l": {"kind": "entropy", "l": 1.7}},
    {"k": 2, "l": {"kind": "recursive", "l": 2, "c": 2}},
    {"k": 2, "t": {"distance": "equal", "t": 0.3}},
    {"k": 2, "alpha": 0.7},
]
ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("012")), min_size=4, max_size=25)


def spec(model: dict[str, Any], suppression: float = 0.5, **other: Any) -> dict[str, Any]:
    return {"attributes": ROLES, "model": model, "suppression": suppression, **other}


def holds(drugs: list[str], everybody: list[str], model: dict[str, Any]) -> bool:
    """Whether rows that are a class fulfil a model, by its definition."""
    counts = sorted(Counter(drugs).values(), reverse=True)
    shares = np.array(counts) / len(drugs)
    distance = sum(
        abs(drugs.count(value) / len(drugs) - everybody.count(value) / len(everybody)) for value in set(everybody)
    )
    kind, asked = model.get("l", {}).get("kind"), model.get("l", {}).get("l", 1)
    return bool(
        len(drugs) >= model["k"]
        and (kind != "distinct" or len(counts) >= asked)
        and (kind != "entropy" or np.exp(-(shares * np.log(shares)).sum()) >= asked - 1e-9)
        and (kind != "recursive" or counts[0] < model["l"]["c"] * sum(counts[asked - 1 :]))
        and distance / 2 <= model.get("t", {}).get("t", 1) + 1e-9
        and shares[0] <= model.get("alpha", 1) + 1e-9
    )


def test_one_suppressed_row_with_its_true_value_does_not_leave() -> None:
    """The only person in town b would be the row `*,1`: a person who knows the town would read the answer.

    So the next node is taken.
    """
    made = candor.anonymize(pd.DataFrame(ONE_ALONE), spec({"k": 5, "l": {"l": 2}}, 0.05, minimise="discernibility"))

    assert made.release.columns["town"] == ["*"] * 25
    assert "rule" not in made.to_json()


def test_further_classes_are_suppressed_until_all_of_them_keep_the_model() -> None:
    """One row of b misses k; with the five of c it is a class of six, and the limit allows that."""
    table = {"town": ["a"] * 20 + ["b"] + ["c"] * 5, "drugs": ["0", "1"] * 10 + ["1"] + ["0", "1", "0", "1", "1"]}

    made = candor.anonymize(pd.DataFrame(table), spec({"k": 5}, 0.25))

    assert Counter(made.release.columns["town"]) == {"a": 20, "*": 6}
    assert (made.suppressed, made.to_json()["rule"]) == (6, {"further": 5, "exact": True})
    assert "5 further rows are suppressed, so that all suppressed rows together keep the model" in str(made)


@pytest.mark.parametrize("model", every(2, MODELS))
@given(rows=ROWS)
def test_suppressed_rows_fulfil_every_condition_or_nothing_leaves(
    model: dict[str, Any], rows: list[tuple[str, str]]
) -> None:
    """Counted from the published table alone, whatever was asked for."""
    town, drugs = (list(column) for column in zip(*rows, strict=True))
    try:
        release = anonymize({"town": town, "drugs": drugs}, parse_spec(spec(model)))
    except InputError:
        return

    stars = [
        secret
        for label, secret in zip(release.columns["town"], release.columns["drugs"], strict=True)
        if label == "*" and release.suppressed
    ]
    assert len(stars) == release.suppressed
    assert not stars or holds(stars, drugs, model)


def test_rows_that_are_suppressed_and_fulfil_the_model_leave_with_their_values() -> None:
    """Five rows of five towns with both answers are a class of five."""
    table = {"town": ["a"] * 20 + ["b"] * 3 + ["c"] * 2, "drugs": ["0", "1"] * 10 + ["0", "1", "0", "1", "1"]}

    release = anonymize(table, parse_spec(spec({"k": 5, "l": {"l": 2}}, 0.2)))

    assert Counter(zip(release.columns["town"], release.columns["drugs"], strict=True)) == {
        ("a", "0"): 10, ("a", "1"): 10, ("*", "0"): 2, ("*", "1"): 3,
    }  # fmt: skip
    assert (release.suppressed, release.to_json()["metrics"]["k"]) == (5, 5)


def test_figures_and_attacks_count_suppressed_rows_as_a_class() -> None:
    """One suppressed row is alone, is found, and tells its value; three that say the same tell theirs."""
    alone = classes_of([["a"] * 4 + ["*"]], ["0", "1", "0", "1", "1"])
    alike = classes_of([["a"] * 4 + ["*"] * 3], ["0", "1", "0", "1", "1", "1", "1"])

    assert (measure(alone).k, measure(alone).unicity, measure(alone).distinct) == (1, 0.2, 1)
    assert [one.succeeded for one in attacks(alone)] == [1, 1, 5]
    assert (measure(alike).k, measure(alike).homogeneity) == (3, 3 / 7)
    assert [one.succeeded for one in attacks(alike)] == [0, 3, 7]
    (subset,) = of_subsets({"town": ["a"] * 4 + ["*"]}, 1)
    assert (subset.k, subset.alone.tolist()) == (1, [4])


def test_a_file_with_one_suppressed_row_is_measured_as_it_is_read(tmp_path: Path) -> None:
    """`candor.measure` says that the row is found, and that its value is learned."""
    frame = pd.DataFrame({"town": ["a"] * 4 + ["*"], "drugs": ["0", "1", "0", "1", "1"]})

    measured = candor.measure(frame, ["town"], "drugs")

    assert (measured.k, [attack.succeeded for attack in measured.attacks]) == (1, [1, 1, 5])
    assert "can find the rows of 1 of 5 people" in measured.allowed
    assert "5 records in 2 classes, 1 record suppressed" in str(measured)


def test_the_command_writes_nothing_where_the_whole_table_misses_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit status 2, neither release nor report: what a limit of suppression cannot mend."""
    table, asked, out, report = (tmp_path / name for name in ("table.csv", "spec.json", "out.csv", "report.json"))
    pd.DataFrame(ONE_ALONE).to_csv(table, index=False)
    asked.write_text(json.dumps(spec({"k": 5, "alpha": 0.5}, 0.05)))

    assert main(["anonymize", str(table), str(asked), "-o", str(out), "--report", str(report)]) == 2

    assert "the table does not satisfy it; ask for less." in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == [asked, table]


@pytest.mark.parametrize("others", ["0", "1"])
def test_suppressed_direct_answers_fulfil_the_model_among_themselves(others: str) -> None:
    """Disguised rows beside them hide no true answer: of the suppressed the direct ones alone are looked at."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    direct = np.array([True] * 20 + [True] + [False] * 6)
    codes = np.array([0, 1] * 10 + [1] + [int(others)] * 6, np.uint8)[:, np.newaxis]
    towns = ["a"] * 20 + ["b"] + ["b"] * 3 + ["c"] * 3

    made = release_responses(
        Records(design, codes, direct), {"town": towns}, parse_spec(spec({"k": 4, "l": {"l": 2}}, 0.3))
    )

    assert (Counter(made.columns["town"]), made.suppressed) == ({"*": 27}, 0)


def test_of_many_classes_some_are_suppressed_where_nobody_answered_directly() -> None:
    """No true answer is known, so only the sizes of classes say which further one goes."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    towns = [*"abcdefghijkl" * 3, "m"]
    records = Records(design, np.zeros((37, 1), np.uint8), np.zeros(37, bool))
    rows = [[town, "*"] for town in sorted({*towns})]
    attributes = {"town": {"role": "quasi", "hierarchy": rows}, "drugs": {"role": "sensitive"}}

    asked = parse_spec({"attributes": attributes, "model": {"k": 3, "l": {"l": 2}}, "suppression": 0.11})

    assert sorted(Counter(release_responses(records, {"town": towns}, asked).columns["town"]).values()) == [
        *[3] * 11,
        4,
    ]


AREAS = {"a": ["a", "south", "*"], "b": ["b", "south", "*"], "c": ["c", "north", "*"], "d": ["d", "*", "*"]}
SEXES = {"f": ["f", "*"], "m": ["m", "*"]}
TWO = {
    "town": {"role": "quasi", "hierarchy": [*AREAS.values()]},
    "sex": {"role": "quasi", "hierarchy": [*SEXES.values()]},
    "drugs": {"role": "sensitive"},
}


def drawn(seed: int) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """A small table, and a model."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(6, 24))
    table = {
        "town": random.choice(list("abcd"), rows, p=random.dirichlet([1.0] * 4)).tolist(),
        "sex": random.choice(list("fm"), rows).tolist(),
        "drugs": random.choice(list("012"), rows, p=random.dirichlet([3.0] * 3)).tolist(),
    }
    return table, MODELS[int(random.integers(len(MODELS)))]


def tables_that_may_leave(
    table: dict[str, list[str]], model: dict[str, Any], most: int
) -> dict[tuple[int, int], tuple[int, int]]:
    """Of each node that may leave its discernibility and the fewest suppressed rows, by every choice of classes."""
    found = {}
    for node in product(range(3), range(2)):
        classes: dict[tuple[str, str], list[str]] = {}
        for town, sex, secret in zip(*table.values(), strict=True):
            classes.setdefault((AREAS[town][node[0]], SEXES[sex][node[1]]), []).append(secret)
        stars = classes.get(("*", "*"), [])
        need = [label for label, own in classes.items() if not holds(own, table["drugs"], model)]
        others = [label for label in classes if label not in need and label != ("*", "*")]
        fewest = most + 1
        for choice in product([False, True], repeat=len(others)):
            chosen = [*need, *(label for label, taken in zip(others, choice, strict=True) if taken)]
            rows = [secret for label in chosen for secret in classes[label]]
            together = rows + (stars if ("*", "*") not in chosen else [])
            if not rows or holds(together, table["drugs"], model):
                fewest = min(fewest, len(rows))
        if fewest <= most:
            found[node] = sum(len(own) ** 2 for own in classes.values()), fewest
    return found


def further_rows(seed: int, share: float) -> int:
    """How many further rows a release of a drawn table suppresses; it is the best of all there are."""
    table, model = drawn(seed)
    found = tables_that_may_leave(table, model, int(share * len(table["town"]) + 1e-9))
    try:
        asked = {"attributes": TWO, "model": model, "suppression": share, "minimise": "discernibility"}
        taken = anonymize(table, parse_spec(asked)).generalisation
    except InputError:
        assert not found
        return 0
    assert taken is not None
    assert taken.loss == min(loss for loss, _ in found.values())
    assert (taken.loss, taken.suppressed) == found[taken.node]  # type: ignore[index]
    return taken.further


def test_the_table_that_loses_least_of_all_that_may_leave_is_taken() -> None:
    """By every node and every choice of classes, for 30 drawn tables and models; nothing is refused but what must."""
    assert sum(further_rows(seed, [0.1, 0.25, 0.5][seed % 3]) > 0 for seed in range(30)) > 1


@pytest.mark.parametrize("tables", first(1, [3, 20]))
@pytest.mark.parametrize("minimise", ["discernibility", "entropy", "average-class", "penalty"])
def test_a_larger_limit_refuses_nothing_and_loses_no_more(minimise: str, tables: int) -> None:
    """Of drawn tables, for every loss, and also where more classes than are few are chosen from."""
    for seed in range(tables):
        table, model = drawn(seed)
        if seed % 2:
            table, model = many_towns(seed)
        losses = []
        for share in (0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7):
            roles = TWO | {
                "town": {"role": "quasi", "hierarchy": [[one, one[0], "*"] for one in sorted(set(table["town"]))]}
            }
            asked = {"attributes": roles, "model": model, "suppression": share, "minimise": minimise}
            try:
                taken = anonymize(table, parse_spec(asked)).generalisation
            except InputError:
                losses.append(np.inf)
                continue
            losses.append(taken.loss if taken else np.inf)
        assert losses == sorted(losses, reverse=True)


def many_towns(seed: int) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Two dozen towns, of which a few have one person; shares of the answers differ between them."""
    random = np.random.default_rng(seed)
    town = [f"{one % 5}-{one}" for one in range(24) for _ in range(1 if one < 3 else int(random.integers(4, 9)))]
    common = {one: random.dirichlet([4.0] * 3) for one in sorted(set(town))}
    secret = [str(random.choice(3, p=common[one])) for one in town]
    return {"town": town, "sex": ["f"] * len(town), "drugs": secret}, {"k": 4, "t": {"t": 0.35}}


def test_of_many_classes_a_greedy_choice_is_taken_and_said_so() -> None:
    """Three people of three towns, and a town of four beside them."""
    table, model = many_towns(3)[0], {"k": 4}
    roles = TWO | {"town": {"role": "quasi", "hierarchy": [[one, one[0], "*"] for one in sorted(set(table["town"]))]}}

    made = candor.anonymize(pd.DataFrame(table), {"attributes": roles, "model": model, "suppression": 0.5})

    stars = [own for town, own in zip(made.release.columns["town"], made.release.columns["drugs"], strict=True)
             if town == "*"]  # fmt: skip
    rule = made.to_json()["rule"]
    assert (rule["exact"], rule["further"] > 0, len(stars)) == (False, True, made.suppressed)
    assert made.suppressed < 12
    assert holds(stars, table["drugs"], model)
    assert "fewer might do" in str(made)
