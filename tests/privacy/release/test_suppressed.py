"""Suppressed rows are a class of a release: who fits no other class is among them."""

import json
from collections import Counter
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
from tests.cases import every

pytestmark = pytest.mark.usefixtures("unattacked")

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
    """The only person in town b would be the row `*,1`: a person who knows the town would read the answer."""
    with pytest.raises(InputError) as refused:
        anonymize(ONE_ALONE, parse_spec(spec({"k": 5, "l": {"l": 2}}, 0.05)))

    assert str(refused.value) == (
        "spec.suppression: The suppressed rows (1) are a class too, because people who fit no other class are among "
        "them. This class does not satisfy k, l of the model; suppress none, or ask for less."
    )


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


def test_the_command_writes_nothing_where_suppressed_rows_miss_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit status 2, neither release nor report."""
    table, asked, out, report = (tmp_path / name for name in ("table.csv", "spec.json", "out.csv", "report.json"))
    pd.DataFrame(ONE_ALONE).to_csv(table, index=False)
    asked.write_text(json.dumps(spec({"k": 5}, 0.05)))

    assert main(["anonymize", str(table), str(asked), "-o", str(out), "--report", str(report)]) == 2

    assert "This class does not satisfy k of the model" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == [asked, table]


@pytest.mark.parametrize("others", ["0", "1"])
def test_suppressed_direct_answers_fulfil_the_model_among_themselves(others: str) -> None:
    """Disguised rows beside them hide no true answer: of the suppressed the direct ones alone are looked at."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    direct = np.array([True] * 20 + [True] + [False] * 6)
    codes = np.array([0, 1] * 10 + [1] + [int(others)] * 6, np.uint8)[:, np.newaxis]
    towns = ["a"] * 20 + ["b"] + ["b"] * 3 + ["c"] * 3

    with pytest.raises(InputError, match="This class does not satisfy l of the model"):
        release_responses(
            Records(design, codes, direct), {"town": towns}, parse_spec(spec({"k": 4, "l": {"l": 2}}, 0.3))
        )
