"""`import candor`: tables in, results out, the same figures as the command line."""

import doctest
import subprocess
import sys
import warnings
from collections.abc import Callable
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import walk_packages
from textwrap import fill
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import candor
from mining.engines.findings import LUCK
from privacy.records.open_columns import literal
from privacy.result import WIDTH, Result, TextColumns
from tests.commands import Shell

# What calls return; designs and records are made by analysts, too.
RESULTS = {
    name
    for name in dir(candor)
    if isinstance(getattr(candor, name), type) and issubclass(getattr(candor, name), Result)
} - {"Design", "Records"}
MODULES = [name for _, name, _ in walk_packages(candor.__path__, "candor.") if "__" not in name]


@pytest.fixture
def frame() -> pd.DataFrame:
    random = np.random.default_rng(2010)
    drugs = random.random(10_000) < 0.1
    cheating = random.random(10_000) < np.where(drugs, 0.5, 0.2)
    return pd.DataFrame({"drugs": drugs, "cheating": cheating})


@pytest.fixture
def design() -> candor.Design:
    return candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_are_true(name: str) -> None:
    """Every example in the documentation of a function prints what it says."""
    assert doctest.testmod(import_module(name)).failed == 0


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    """`__all__` names what one begins with. `dir` shows that, what calls return and the version, all documented."""
    assert [name for name in (*candor.__all__, *RESULTS) if not getattr(candor, name).__doc__] == []
    assert set(dir(candor)) == {*candor.__all__, *RESULTS, "InputWarning", "__version__"}
    assert RESULTS & set(candor.__all__) == set()
    assert candor.__version__.split("+")[0] == version("candor-survey")


@pytest.mark.parametrize("name", [name for name in dir(candor) if name not in ("models", "__version__")])
def test_a_name_is_that_of_the_library(name: str) -> None:
    """A class or a function is defined once, where the mathematics is, and the front door passes it on."""
    one = getattr(candor, name)
    there = import_module(one.__module__)

    assert getattr(there, one.__name__) is one
    assert one.__module__.startswith(("privacy.", "mining.engines."))


@pytest.mark.long
@pytest.mark.parametrize(
    "first",
    [
        "from candor import *",
        "import candor; [getattr(candor, name) for name in dir(candor)]",  # each class before its function
        "from candor import Lot",
    ],
)
def test_a_public_name_is_the_same_whatever_is_touched_first(first: str) -> None:
    """No module hides a function: all public names but `models` can be called, and no module bears one of theirs."""
    code = (
        f"{first}\nimport candor, pkgutil\n"
        "uncalled = [name for name in candor.__all__ if not callable(getattr(candor, name))]\n"
        "modules = {module.name for module in pkgutil.iter_modules(candor.__path__)}\n"
        "print(uncalled, sorted(modules & set(candor.__all__)))"
    )

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert said == "['models'] ['models']\n"


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    """What is loaded late is missed like anything else."""
    with pytest.raises(AttributeError, match="module 'candor' has no attribute 'guess'"):
        candor.guess  # noqa: B018


def test_it_disguises_as_the_command_does(
    frame: pd.DataFrame, design: candor.Design, tmp_path: Path, shell: Shell
) -> None:
    """The same answers, design, share and seed give the same records, to the byte of their file."""
    frame.astype(int).to_csv(tmp_path / "answers.csv", index=False)
    design.write(tmp_path / "design.json")

    candor.disguise(frame, design, direct=0.2, seed=7).write(tmp_path / "own.csv")
    shell.out("disguise", tmp_path / "answers.csv", tmp_path / "design.json", "-o", tmp_path / "records.csv",
        "--direct-share", 0.2, "--seed", 7,
    )  # fmt: skip

    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "records.csv").read_bytes()


def test_it_prints_and_exports_what_commands_do(
    frame: pd.DataFrame, design: candor.Design, tmp_path: Path, shell: Shell
) -> None:
    """A result as text is what the command prints, and its JSON what the command prints with `--json`."""
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    records.write(tmp_path / "records.csv")
    design.write(tmp_path / "design.json")
    frame.to_csv(tmp_path / "people.csv", index=False)
    files = (tmp_path / "records.csv", tmp_path / "design.json")
    patterns = ["drugs", "drugs,!cheating"]
    pairs = {
        ("guarantee", files[1], "--prior", 0.05): candor.guarantee(design, prior=0.05),
        ("guarantee", files[1], files[1]): candor.ledger([(str(files[1]), design)] * 2),
        ("reconstruct", *files, "--pattern", patterns[0], "--pattern", patterns[1]): candor.reconstruct(
            records, patterns
        ),
        ("mine", *files, "--min-support", 0.05, "--min-confidence", 0.2): candor.mine(records, 0.05, 0.2),
        ("table", *files, "--items", "drugs,cheating"): candor.table(records, ["drugs", "cheating"]),
        ("measure", tmp_path / "people.csv", "--quasi", "drugs", "--sensitive", "cheating"): candor.measure(
            frame, ["drugs"], "cheating"
        ),
        ("advise", "--items", 2, "--respondents", 1_000, "--gamma", 19): candor.advise(2, 1_000, 19),
    }

    for arguments, result in pairs.items():
        assert shell.out(*arguments) == f"{result}\n", arguments
        timeless = [
            {name: value for name, value in document.items() if name != "seconds"}
            for document in (shell.json(*arguments, "--json"), result.to_json())
        ]
        assert timeless[0] == timeless[1], arguments


def test_a_notebook_shows_a_table_and_a_picture(frame: pd.DataFrame, design: candor.Design) -> None:
    """What a notebook shows is well-formed: a table, and SVG pictures where there are any."""
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    with_picture = [
        candor.guarantee(design),
        candor.reconstruct(records, ["drugs", "!cheating"]),
        candor.table(records, ["drugs", "cheating"]),
        candor.mine(records, min_support=0.05, min_confidence=0.2),
        candor.measure(frame, ["drugs"], "cheating"),
        candor.mine(records, min_support=0.05, min_confidence=1),
        candor.lot(records, 0.2),
    ]
    without = [design, candor.ledger({"a": design}), records, candor.careless(records), candor.advise(1, 1_000, 19)]

    shown = [ElementTree.fromstring(f"<div>{result._repr_html_()}</div>") for result in [*with_picture, *without]]

    svg = "{http://www.w3.org/2000/svg}svg"
    assert [len(page.findall("table")) > 0 for page in shown] == [True] * 12
    assert [len(page.findall(svg)) for page in shown] == [1] * 7 + [0] * 5


def test_what_stands_in_a_table_is_escaped() -> None:
    """An item may be named as one likes; a notebook shows the name and runs nothing of it."""
    design = candor.models.warner(["<script>alert(1)</script>"], theta=0.7)

    assert "<script>" not in design._repr_html_() + candor.guarantee(design)._repr_html_()


def test_long_tables_are_cut_in_a_console_and_whole_in_print(design: candor.Design) -> None:
    """The first twenty rows stand for all; `print` leaves nothing out."""
    many = candor.guarantee(candor.models.warner([f"q{place}" for place in range(15)], theta=0.7))

    assert len(str(many).splitlines()) == 1 + 31 + 2
    assert repr(many).splitlines()[21] == "… and 11 more rows"


@pytest.mark.filterwarnings("ignore:design. this design gives true answers away")
@pytest.mark.parametrize(
    "column",
    [
        pd.Series([True, False, True]),
        pd.Series([1, 0, 1]),
        pd.Series([1.0, 0.0, 1.0]),
        pd.Series(["1", "0", "1"]),
        pd.Series(["Yes", "no", "TRUE"]),
        pd.Series(["1", "0", "1"], dtype="category"),
        pd.Series([1, 0, 1], dtype="Int8"),
        pd.Series([True, False, True], dtype="boolean"),
        pd.Series([True, 0, "1"], dtype=object),
    ],
    ids=str,
)
def test_a_yes_may_be_written_in_many_ways(column: pd.Series) -> None:
    """True, 1, 1.0, "1" and words in any case are yes, whatever type of column holds them."""
    design = candor.models.binary(["a"], u=1, v=0)

    assert candor.disguise(pd.DataFrame({"a": column}), design).codes.tolist() == [[1], [0], [1]]


@pytest.mark.parametrize(
    ("design", "warned"),
    [
        (candor.models.binary(["a"], u=1, v=0), 1),
        (candor.models.grouped(["a", "b"], p=0.5, theta=0.5), 1),
        (candor.models.binary(["a"], u=0.99, v=0.01), 0),
        (candor.models.one_sided(["a"], g=0.5), 0),
    ],
    ids=["nothing is changed", "mixed records are true", "little is changed", "only a harmless answer is true"],
)
def test_a_design_that_hides_nothing_is_used_with_a_warning(design: candor.Design, warned: int) -> None:
    """As the command does; one that protects one of two answers is used without."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        candor.disguise(pd.DataFrame({"a": [1, 0], "b": [1, 0]}), design)

    sentence = "design: this design gives true answers away (gamma is infinite): the records protect nobody."
    assert [(one.category, str(one.message), one.filename) for one in said] == warned * [
        (candor.InputWarning, sentence, __file__)
    ]


@pytest.mark.parametrize(
    "told",
    [
        pd.Series([True, False, True]),
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series([True, None, False], dtype=object),
    ],
    ids=["bool", "boolean with a gap", "object with a gap"],
)
def test_true_is_1_in_an_open_column_whether_or_not_one_is_missing(told: pd.Series) -> None:
    """A literal names it alike, and nothing stands where it is missing; a released table says True."""
    frame = pd.DataFrame({"a": [1, 0, 1], "told": told})
    records = candor.Records.from_frame(frame, candor.models.warner(["a"], theta=0.7, direct=False))

    released = candor.anonymize(frame[["told"]], {"attributes": {"told": {"role": "quasi"}}, "model": {"k": 1}})

    assert literal(records.open_columns, "told", "1").tolist() == [str(value) == "True" for value in told]
    assert literal(records.open_columns, "told", "0").tolist() == [str(value) == "False" for value in told]
    written = ["" if pd.isna(value) else str(value) for value in told]
    assert sorted(released.release.columns["told"]) == sorted(written)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"age": ["young"]}, "frame: row 0, column 'age': 'young' is given where one of 18-29, 30+ must be."),
        ({"age": [True]}, "frame: row 0, column 'age': True is given where one of 18-29, 30+ must be."),
        ({"years": ["30+"]}, "frame: the column 'age' is missing; there must be age."),
    ],
)
def test_an_answer_that_is_none_is_refused(answers: dict[str, list[object]], sentence: str) -> None:
    """One sentence names the row, the column and what may stand there."""
    design = candor.models.k_ary({"age": ["18-29", "30+"]}, p=0.5)

    with pytest.raises(candor.InputError) as refused:
        candor.disguise(pd.DataFrame(answers), design)

    assert (str(refused.value), isinstance(refused.value, ValueError)) == (sentence, True)


def test_records_go_out_as_a_frame_and_come_back() -> None:
    """What was asked of whom, labels and the direct group survive the way through a DataFrame."""
    design = candor.models.improved_grouped(["a", "b", "c"], p=0.3, theta=0.6, ask=2) + candor.models.k_ary(
        {"age": ["18-29", "30+"]}, p=0.5
    )
    answers = pd.DataFrame({"a": [1, 0] * 50, "b": [0, 1] * 50, "c": [1, 1] * 50, "age": ["30+", "18-29"] * 50})
    records = candor.disguise(answers, design, direct=[True, False] * 50, seed=1)

    back = candor.Records.from_frame(records.to_frame(), design)

    assert (back.codes.tolist(), back.direct.tolist()) == (records.codes.tolist(), records.direct.tolist())
    assert records.to_frame()[["a", "b", "c"]].isna().sum(axis=1).tolist() == [1] * 100


def test_a_regression_takes_the_frame_of_records_some_of_whom_were_not_asked() -> None:
    """What is missing makes numbers of 0 and 1 in pandas; they are the answers that they were."""
    items = [{"id": name, "theta": 0.5} for name in ("drugs", "cheating")]
    age = {"id": "age", "options": ["young", "old"], "noise": [0.5, 0.5]}
    design = candor.Design.parse({"blocks": [{"keep": 0.6, "ask": 2, "items": [*items, age]}]})
    random = np.random.default_rng(1)
    answers = pd.DataFrame(random.integers(0, 2, (600, 2)), columns=["drugs", "cheating"])
    answers["age"] = random.choice(["young", "old"], 600)
    frame = candor.disguise(answers, design, seed=1).to_frame().assign(income=random.normal(size=600))

    regression = candor.regress(frame, "drugs", "income,cheating,age=old", design=design)

    of_records = candor.Records.from_frame(frame, design)
    assert regression.to_json() == candor.regress(of_records, "drugs", "income,cheating,age=old").to_json()
    as_floats = frame.astype({"drugs": float, "cheating": float})
    assert (
        regression.to_json() == candor.regress(as_floats, "drugs", "income,cheating,age=old", design=design).to_json()
    )


def test_columns_that_the_design_does_not_name_are_not_looked_at(frame: pd.DataFrame, design: candor.Design) -> None:
    """A table may hold more than what is disguised; none of it is in the records."""
    records = candor.disguise(frame.assign(name="Ann"), design, seed=7)

    assert list(records.to_frame().columns) == ["direct", "drugs", "cheating"]


@pytest.mark.parametrize("name", ["records.csv", "records.jsonl", "records.parquet"])
def test_open_columns_come_back_from_a_file(tmp_path: Path, name: str) -> None:
    """Figures by weights and groups, and the names of groups, are the same after records were written and read."""
    design = candor.models.warner(["drugs"], theta=0.7, direct=False)
    groups = {
        "town": ["Ulm, old", "Bonn"],
        "share": [0.1 + 0.2, -0.0],
        "income": [1e15, 1e16],
        "age": [10**15, 20],
        "rural": [True, False],
        "mixed": [True, 0.1 + 0.2],
    }
    weights = [0.1, 0.1 + 0.2, 1e-5]
    frame = pd.DataFrame({"drugs": [1, 0, 0] * 200, "w": weights * 200})
    frame = frame.assign(**{group: pd.Series(values * 300) for group, values in groups.items()})
    records = candor.Records.from_frame(frame, design)

    records.write(tmp_path / name)
    again = candor.read_records(tmp_path / name, design, open_columns=True)

    for group in groups:
        by_both = [
            candor.compare(one, "drugs", by=group, sample=candor.Sample(weights="w")).to_json()
            for one in (records, again)
        ]
        assert by_both[0] == by_both[1]
    for number in ("w", "share", "income", "age"):
        assert again.open_columns[number].astype(float).tolist() == frame[number].tolist()


def test_a_column_of_who_answered_directly_that_is_forgotten_is_warned_of(tmp_path: Path) -> None:
    """Where a design lets people answer directly, figures of all as if disguised are biased."""
    free, bound = (candor.models.warner(["drugs"], theta=0.7, direct=direct) for direct in (True, False))
    table = pd.DataFrame({"drugs": [1, 0, 0] * 200, "age": 30})
    table.to_csv(tmp_path / "records.csv", index=False)
    calls: list[Callable[[candor.Design], object]] = [
        lambda design: candor.Records.from_frame(table, design),
        lambda design: candor.read_records(tmp_path / "records.csv", design, open_columns=True),
        lambda design: candor.regress(table, "drugs", design=design),
    ]

    for call in calls:
        with pytest.warns(
            UserWarning, match=r": the column 'direct' is missing, so everybody .* this design allows direct answers\.$"
        ):
            call(free)
        call(bound)


@pytest.mark.parametrize(
    ("days", "texts"),
    [
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), ["2020-01-01", "2021-01-01"]),
        (pd.to_datetime(["2020-01-01 09:30", None]), ["2020-01-01T09:30:00", None]),
        (pd.to_datetime(["2020-01-01 09:30+01:00", None]), ["2020-01-01T09:30:00+01:00", None]),
        (pd.to_timedelta([1, 36], unit="h"), ["P0DT1H0M0S", "P1DT12H0M0S"]),
        ([date(2020, 1, 1), None], ["2020-01-01", None]),
    ],
    ids=["days", "times", "times of a zone", "spans", "dates"],
)
def test_dates_and_times_of_open_columns_are_texts_of_iso_8601(days: Any, texts: list[str | None]) -> None:
    """They are what a CSV file holds, and no count of nanoseconds; a missing one is nothing."""
    design = candor.models.warner(["drugs"], theta=0.7, direct=False)
    frame = pd.DataFrame({"drugs": [1, 0], "day": days})

    assert candor.Records.from_frame(frame, design).open_columns["day"].tolist() == texts
    assert candor.disguise(frame, design, open_columns=["day"]).open_columns["day"].tolist() == texts


def test_days_make_subgroups_and_predictors_by_their_dates() -> None:
    """A subgroup prints its day, and a literal names it, in records and in a table beside its design."""
    design = candor.models.warner(["drugs"], theta=0.7, direct=False)
    frame = pd.DataFrame({"drugs": [1, 0, 0] * 200, "day": pd.to_datetime(["2020-01-01", "2021-01-01"] * 300)})
    records = candor.Records.from_frame(frame, design)

    groups = candor.compare(records, "drugs", by="day").to_frame()["group"].dropna()
    fits = [
        candor.regress(records, "drugs", "day=2020-01-01", family="linear"),
        candor.regress(frame, "drugs", "day=2020-01-01", family="linear", design=design),
    ]

    assert sorted(set(groups)) == ["day=2020-01-01", "day=2021-01-01"]
    assert [fit.coefficients[1].name for fit in fits] == ["day=2020-01-01"] * 2


def test_whoever_lacks_a_predictor_is_left_out_whatever_pandas_holds_for_it() -> None:
    """pandas.NA, as convert_dtypes leaves it, means what None means."""
    design = candor.models.warner(["drugs"], theta=0.7, direct=False)
    frame = pd.DataFrame({"drugs": [1, 0, 0] * 200, "town": ["x", "y", None] * 200, "age": [20.0, 30.0, None] * 200})

    fits = [
        candor.regress(one, "drugs", predictor, family="linear", design=design).to_json()
        for predictor in ("town=x", "age")
        for one in (frame, frame.convert_dtypes())
    ]

    assert fits[0] == fits[1]
    assert fits[2] == fits[3]


def test_a_table_of_people_holds_what_a_file_of_it_holds() -> None:
    """A missing value is an empty cell, whatever pandas holds for it, and a day stays one."""
    roles = {"town": {"role": "quasi"}, "day": {"role": "insensitive"}}
    frame = pd.DataFrame(
        {
            "town": pd.Series(["U", pd.NA, "U", pd.NA], dtype="string"),
            "day": pd.to_datetime(["2020-01-01", "2021-01-01"] * 2),
        }
    )

    released = candor.anonymize(frame, {"attributes": roles, "model": {"k": 2}}).to_frame()

    assert released["town"].tolist() == ["", "", "U", "U"]
    assert released["day"].tolist() == [pd.Timestamp("2021-01-01")] * 2 + [pd.Timestamp("2020-01-01")] * 2


def test_a_column_that_is_named_stays_beside_the_answers(frame: pd.DataFrame, design: candor.Design) -> None:
    """A weight of each respondent is at hand when figures are asked for, and comes back from the frame of records."""
    weighted = frame.assign(hours=np.arange(1.0, len(frame) + 1), name="Ann")

    records = candor.disguise(weighted, design, seed=7, open_columns=["hours"])

    frame_of_records = records.to_frame()
    assert list(frame_of_records.columns) == ["direct", "drugs", "cheating", "hours"]
    assert frame_of_records["hours"].tolist() == weighted["hours"].tolist()
    again = candor.Records.from_frame(frame_of_records, design)
    by_both = [
        candor.reconstruct(one, ["drugs"], sample=candor.Sample(weights="hours")).to_json() for one in (records, again)
    ]
    assert by_both[0] == by_both[1]


def test_designs_are_joined(design: candor.Design) -> None:
    """Two designs make one that has the blocks of both, and promises the product of their γ."""
    both = design + candor.models.warner(["theft"], theta=0.7)

    assert [item.id for item in both.items] == ["drugs", "cheating", "theft"]
    assert (
        candor.guarantee(both).gamma
        == candor.guarantee(design).gamma * candor.guarantee(candor.models.warner(["x"], theta=0.7)).gamma
    )


def test_every_result_says_the_same_in_each_form(frame: pd.DataFrame, design: candor.Design) -> None:
    """A frame holds the figures of the JSON, to the last digit."""
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    result = candor.reconstruct(records, ["drugs", "drugs,!cheating"])
    assert isinstance(result, Result)

    figures = result.to_frame().set_index("pattern")

    assert figures["support"].to_dict() == {one["pattern"]: one["support"] for one in result.to_json()["patterns"]}
    assert figures[["low", "high"]].to_numpy().tolist() == [one["ci"] for one in result.to_json()["patterns"]]


def test_rules_are_a_frame_with_their_errors(
    frame: pd.DataFrame, design: candor.Design, tmp_path: Path, shell: Shell
) -> None:
    """`rules` is the table that `candor mine -o` writes: metrics, standard errors, intervals, p and q of every rule."""
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    records.write(tmp_path / "records.csv")
    design.write(tmp_path / "design.json")
    written = tmp_path / "rules.csv"

    rules = candor.mine(records, min_support=0.05, min_confidence=0.2).rules

    shell.out("mine", tmp_path / "records.csv", tmp_path / "design.json", "--min-support", 0.05,
        "--min-confidence", 0.2, "-o", written,
    )  # fmt: skip
    flags = dict.fromkeys(rules.select_dtypes(bool).columns, bool)
    pd.testing.assert_frame_equal(
        rules, pd.read_csv(written, float_precision="round_trip").astype(flags), check_exact=True
    )
    assert {"confidence se", "confidence low", "confidence high", "p", "q"} <= set(rules.columns)


def test_where_nothing_is_found_the_columns_are_texts_all_the_same(frame: pd.DataFrame, design: candor.Design) -> None:
    """Who filters by a name need not ask first whether there are any."""
    records = candor.disguise(frame, design, direct=0.2, seed=7)

    none, some = (candor.mine(records, min_support=least, min_confidence=0.2) for least in (0.99, 0.05))

    assert (len(none.rules), len(none.itemsets)) == (0, 0)
    assert none.rules["antecedent"].str.contains("drugs").sum() == none.itemsets["itemset"].str.len().sum() == 0
    for name in ("antecedent", "consequent"):
        assert none.rules[name].dtype == some.rules[name].dtype


def test_figures_that_are_not_those_of_the_frame_bear_a_star(frame: pd.DataFrame, design: candor.Design) -> None:
    """`rules` has raw figures under the plain names; what is printed is pulled towards the others, and says so."""
    mined = candor.mine(candor.disguise(frame, design, direct=0.2, seed=7), min_support=0.05, min_confidence=0.2)

    (table,) = (part for part in mined.contents() if isinstance(part, TextColumns) and part.headings[0] == "rule")
    best = mined.rules.set_index(mined.rules["antecedent"] + " => " + mined.rules["consequent"]).loc[table.rows[0][0]]
    printed = dict(zip(table.headings, table.rows[0], strict=True))
    assert printed["confidence*"] == best["shrunken confidence"] != best["confidence"] == printed["raw confidence"]
    assert [part for part in mined.contents() if isinstance(part, str) and part.startswith("* ")] == [fill(LUCK, WIDTH)]


def test_a_frame_of_rules_has_the_ten_columns_that_people_read(frame: pd.DataFrame, design: candor.Design) -> None:
    """All others come with `all=True`; a notebook shows ten without a scroll bar."""
    mined = candor.mine(candor.disguise(frame, design, direct=0.2, seed=7), min_support=0.05, min_confidence=0.2)

    assert list(mined.to_frame().columns) == [
        "antecedent", "consequent", "support", "support se", "confidence", "confidence low", "confidence high", "lift",
        "p", "q",
    ]  # fmt: skip
    pd.testing.assert_frame_equal(mined.to_frame(), mined.rules[list(mined.to_frame().columns)])
    pd.testing.assert_frame_equal(mined.to_frame(all=True), mined.rules)


def test_without_patterns_every_item_is_estimated(frame: pd.DataFrame, design: candor.Design) -> None:
    """The yes of yes/no items, every option of others."""
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    every = [
        name
        for item in design.items
        for name in ([item.id] if item.boolean else [f"{item.id}={o}" for o in item.options])
    ]

    assert candor.reconstruct(records).to_json() == candor.reconstruct(records, every).to_json()


def test_numbers_of_numpy_are_numbers(design: candor.Design) -> None:
    """A share that comes out of an array means what it says."""
    own = candor.models.improved_grouped(np.array(["drugs", "cheating"]), p=np.float64(0.3), theta=np.full(2, 0.6))

    assert own == design
    assert candor.guarantee(own, prior=np.float64(0.05)).posterior == candor.guarantee(design, prior=0.05).posterior
