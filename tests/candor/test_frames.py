"""One way to read frames and one way to write names: every function takes the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from mlxtend.frequent_patterns import association_rules

import candor
from candor.commands import main
from tests.commands import Shell

polars = pytest.importorskip("polars", reason="polars is not installed: pip install polars")

DESIGN = candor.models.warner(["drugs", "theft"], theta=0.8, direct=False)
PEOPLE = pd.DataFrame(
    {
        "drugs": [1, 0, 0, 0] * 500,
        "theft": [1, 1, 0, 0, 0, 0, 0, 0] * 250,
        "town": ["Bonn", "Ulm", "Bonn", "Bonn"] * 500,
        "age": [30, 31, 32, 40] * 500,
    }
)
SPEC = {
    "attributes": {
        **{key: {"role": "quasi"} for key in ("age", "town")},
        **{key: {"role": "sensitive"} for key in ("drugs", "theft")},
    },
    "model": {"k": 2},
    "seed": 1,
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "disguise": lambda frame: candor.disguise(frame, DESIGN, seed=3, open_columns=["town", "age"]),
    "measure": lambda frame: candor.measure(frame, "town,age", "theft"),
    "anonymize": lambda frame: candor.anonymize(frame, SPEC),
    "regress": lambda frame: candor.regress(frame, "drugs", "age", design=DESIGN, family="linear"),
    "link": lambda frame: candor.link(frame, PEOPLE, on="town, age"),
}


@pytest.mark.each
@pytest.mark.parametrize("name", CALLS)
def test_frames_of_polars_and_arrow_give_what_pandas_gives(name: str) -> None:
    """Everything that takes a frame takes all of them."""
    of_polars = polars.from_pandas(PEOPLE)

    results = [CALLS[name](frame).to_json() for frame in (PEOPLE, of_polars, of_polars.to_arrow())]

    assert results == [results[0]] * 3


def test_names_are_one_text_or_a_list() -> None:
    """Wherever items or columns are listed, as patterns are written."""
    records = candor.disguise(PEOPLE[["drugs", "theft"]], DESIGN, seed=3)

    assert candor.table(records, "drugs, theft").to_json() == candor.table(records, ["drugs", "theft"]).to_json()
    assert candor.measure(PEOPLE, "town,age", "theft").to_json() == (
        candor.measure(PEOPLE, ["town", "age"], "theft").to_json()
    )


def test_mlxtend_makes_rules_of_itemsets_that_were_mined() -> None:
    """The same rules with the same figures; an itemset whose part is below the threshold goes with `support_only`."""
    chance = np.random.default_rng(5)
    drugs = chance.random(4000) < 0.4
    answers = {"drugs": drugs, "theft": chance.random(4000) < np.where(drugs, 0.7, 0.2)}
    people = pd.DataFrame(answers).astype(int)
    mined = candor.mine(candor.disguise(people, DESIGN, seed=3), 0.1, 0.5)

    rules = association_rules(mined.to_mlxtend(), min_threshold=0.5)

    sides = [[",".join(side) for side in rules[name]] for name in ("antecedents", "consequents")]
    theirs = dict(zip(zip(*sides, strict=True), rules["confidence"], strict=True))
    own = mined.rules[["antecedent", "consequent", "confidence"]].itertuples(index=False)
    ours = {(antecedent, consequent): confidence for antecedent, consequent, confidence in own}
    assert theirs == pytest.approx(ours, rel=1e-12)
    assert len(mined.to_mlxtend(support_only=True)) == len(mined.itemsets) >= len(mined.to_mlxtend())


def test_rules_are_written_as_a_graph(tmp_path: Path, shell: Shell) -> None:
    """The ending of the name says which format."""
    records = candor.disguise(PEOPLE[["drugs", "theft"]], DESIGN, seed=3)
    records.write(tmp_path / "records.csv")
    (tmp_path / "design.json").write_bytes(DESIGN.canonical())
    mine = ["mine", f"{tmp_path}/records.csv", f"{tmp_path}/design.json", "--min-support", "0.05"]

    assert main([*mine, "-o", f"{tmp_path}/rules.graphml"]) == 0

    graph = ElementTree.parse(tmp_path / "rules.graphml").getroot()
    assert graph.tag == "{http://graphml.graphdrawing.org/xmlns}graphml"
    assert len(graph.findall(".//{*}node")) > 2
    assert "a name ending in .svg is for another format; this one needs .csv or .graphml." in shell.refusal(
        *mine, "-o", f"{tmp_path}/rules.svg"
    )
