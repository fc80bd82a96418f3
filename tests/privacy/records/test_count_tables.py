"""Tables of few items, counted by a database: the report of its rows, bit for bit, or one sentence."""

import csv
import json
import os
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import psycopg
import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv

import candor
from privacy.design import Design
from privacy.records import Records, write_records
from privacy.records.count_tables import columns_of_tables, read_count_tables
from privacy.records.records import record_blocks
from privacy.records.sql import DIALECTS, statement
from tests.cases import every
from tests.mining.designs import KINDS, design_of, records_of
from tests.servers import ROOT

MINE = {"min_support": 0.1, "min_confidence": 0.3, "max_length": 2, "negated": True}
AFTER_SELECTION = ("shrunken", "others", "listed")


@pytest.fixture
def small_tables(monkeypatch):
    """Tables of so few cells that few items make several."""
    monkeypatch.setattr("privacy.records.count_tables.MOST_CELLS", 10)


def stored(folder, design, n=1500):
    """Rows as a file of CSV, and as rows of texts, None where nobody was asked."""
    records = Records(design, *records_of(design, n, direct_share=0.25 if design.direct else 0))
    write_records(records, folder / "rows.csv")
    header, *rows = csv.reader((folder / "rows.csv").read_text().splitlines())
    (folder / "design.json").write_text(json.dumps(design.to_json()))
    return header, [[cell or None for cell in row] for row in rows]


def ask_sqlite(folder, design, header, rows, length=2):
    """What SQLite answers to the statement, in a file."""
    with closing(sqlite3.connect(":memory:")) as database:
        names = ", ".join(f'"{name}"' for name in header)
        database.execute(f"CREATE TABLE records ({names})")
        database.executemany(f"INSERT INTO records VALUES ({', '.join('?' * len(header))})", rows)
        answer = database.execute(statement(design, "sqlite", length=length))
        return write_rows(folder, [[one[0] for one in answer.description], *answer])


def write_rows(folder, rows):
    with (folder / "counts.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return folder / "counts.csv"


@pytest.mark.parametrize("kind", every(6, KINDS))
def test_tables_give_the_figures_of_rows(kind, tmp_path, small_tables):
    """Supports, errors, intervals, p, q and rules, of mining, reconstructing and joint tables; nothing is rounded."""
    design = design_of(kind)
    counts = ask_sqlite(tmp_path, design, *stored(tmp_path, design))
    rows = tmp_path / "rows.csv"
    assert len({line.split(",")[0] for line in counts.read_text().splitlines()[1:]}) > 1
    expected, found = candor.mine(rows, **MINE, design=design), candor.mine(counts, **MINE, design=design, counts=True)
    told = [name for name in expected.rules if not name.startswith(AFTER_SELECTION)]
    assert {"support", "confidence se", "lift high", "p", "q"} <= {*told}
    assert len(expected.rules)
    assert found.rules[told].equals(expected.rules[told])
    assert found.itemsets.equals(expected.itemsets)
    for estimator in "stratified", "combined":
        of_rows = candor.reconstruct(rows, estimator=estimator, design=design)
        of_counts = candor.reconstruct(counts, estimator=estimator, design=design, counts=True)
        assert of_counts.to_json() == of_rows.to_json()
        items = [design.items[0].id, design.items[-1].id]
        of_rows = candor.table(rows, items, estimator=estimator, design=design)
        of_counts = candor.table(counts, items, estimator=estimator, design=design, counts=True)
        assert of_counts.to_json() == of_rows.to_json()


def test_words_of_a_list_are_in_one_table(tmp_path, small_tables):
    """Each record of them is read whole, so no table has a part of the list."""
    design = candor.models.one_of(["drugs", "cheating", "theft", "lies"], gamma=19, cap=2, longest=2)
    rng = np.random.default_rng(1)
    some = rng.random(4000) < 0.3  # who did anything at all
    answers = pd.DataFrame({item.id: some & (rng.random(4000) < 0.6) for item in design.items}).astype(int)
    records = candor.disguise(answers, design, direct=0.3, seed=2)
    records.write(tmp_path / "rows.csv")
    header, *rows = csv.reader((tmp_path / "rows.csv").read_text().splitlines())
    counts = ask_sqlite(tmp_path, design, header, rows, length=1)
    assert {line.split(",")[0] for line in counts.read_text().splitlines()[1:]} == {"1 2 3 4"}
    asked = MINE | {"min_support": 0.05, "negated": False, "design": design}
    expected, found = candor.mine(tmp_path / "rows.csv", **asked), candor.mine(counts, **asked, counts=True)
    assert len(expected.rules)
    assert found.itemsets.equals(expected.itemsets)
    assert found.rules["q"].equals(expected.rules["q"])
    expected = candor.reconstruct(tmp_path / "rows.csv", ["drugs,theft", "lies"], design=design)
    assert candor.reconstruct(counts, ["drugs,theft", "lies"], design=design, counts=True).to_json() == (
        expected.to_json()
    )


def test_triples_come_from_tables_of_three(tmp_path, small_tables):
    design = design_of("one block")
    counts = ask_sqlite(tmp_path, design, *stored(tmp_path, design), length=3)
    asked = {"patterns": ["a,b,c", "c,!d,e"], "design": design}
    expected = candor.reconstruct(tmp_path / "rows.csv", **asked)
    assert candor.reconstruct(counts, **asked, counts=True).to_json() == expected.to_json()
    asked = {**MINE, "max_length": 3, "least": 1, "design": design}
    expected, found = candor.mine(tmp_path / "rows.csv", **asked), candor.mine(counts, **asked, counts=True)
    assert (expected.itemsets["itemset"].str.count(",") == 2).any()
    assert found.itemsets.equals(expected.itemsets)


@pytest.mark.parametrize("length", [None, 2])
def test_a_stream_of_arrow_is_counted_though_it_can_be_read_once(length, tmp_path):
    """What a driver gives of a query, such as that of ADBC: neither distinct records nor tables are read twice."""
    design = design_of("one block")
    counts = ask_sqlite(tmp_path, design, *stored(tmp_path, design), length=length)
    table = arrow_csv.read_csv(counts)
    stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=50))
    expected = candor.reconstruct(tmp_path / "rows.csv", design=design)
    assert candor.reconstruct(stream, design=design, counts=True).to_json() == expected.to_json()


def test_figures_after_selection_are_left_out_and_said(tmp_path):
    design = design_of("one block")
    found = candor.mine(ask_sqlite(tmp_path, design, *stored(tmp_path, design)), **MINE, design=design, counts=True)
    shrunken = [name for name in found.rules if name.startswith("shrunken")]
    assert shrunken
    assert found.rules[shrunken].isna().all(axis=None)
    (said,) = [sentence for sentence in found.warnings if "cannot allow for luck" in sentence]
    assert said.startswith("With counts of tables, ")


@pytest.mark.parametrize("length", [1, 2, 3])
def test_any_few_items_are_together_in_one_table(length):
    items = [f"q{number}" for number in range(15)]
    design = Design.parse({"model": "warner", "theta": 0.7, "items": items})
    tables = [{*columns} for columns in columns_of_tables(design, length)]
    assert all(2 ** len(table) <= 4096 for table in tables)
    assert all(any({*some} <= table for table in tables) for some in combinations(range(15), length))


def test_the_statement_numbers_cells_as_the_format_says():
    """By hand: the direct group is the lowest digit, then each item; who was not asked has the place after the last."""
    design = design_of("sampled flips beside a coin")
    first, *_, last = statement(design, length=2).split("\nUNION ALL\n")
    assert first.startswith("""SELECT '1 2 3 4 5 6' AS "table", "cell", COUNT(*) AS "count" FROM (SELECT 1 * CAST(""")
    assert '2 * CASE WHEN "a" IS NULL THEN 2 ELSE CAST("a" AS INTEGER) END + 6 * CASE WHEN "b" IS NULL' in first
    assert """324 * CASE "age" WHEN 'young' THEN 0 WHEN 'middle' THEN 1 WHEN 'old' THEN 2 END AS "cell" FROM""" in first
    assert last.startswith("SELECT 'wrong'")
    assert last.endswith('AS coded WHERE "cell" = 1 GROUP BY "cell";')


def test_an_option_with_a_quotation_mark_stays_a_text_in_every_dialect():
    item = {"id": "x", "options": ["it's", "a\\b"], "noise": [0.5, 0.5]}
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [item]}]})
    doubled, escaped = "WHEN 'it''s' THEN 0 WHEN 'a\\b' THEN 1", "WHEN 'it\\'s' THEN 0 WHEN 'a\\\\b' THEN 1"
    expected = dict.fromkeys(("duckdb", "postgresql", "sqlite"), doubled)
    expected |= dict.fromkeys(("spark", "bigquery"), escaped)
    assert expected.keys() == DIALECTS.keys()
    for dialect, written in expected.items():
        assert written in statement(design, dialect, length=1)


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed: make test-long does")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
        yield session
        session.stop()


ENGINES = ["duckdb", pytest.param("postgresql", marks=pytest.mark.long), pytest.param("spark", marks=pytest.mark.long)]


@pytest.mark.parametrize("dialect", ENGINES)
def test_databases_count_truth_values_texts_and_nothing(dialect, tmp_path, small_tables, request):
    design = design_of("sampled flips beside a coin")
    header, rows = stored(tmp_path, design, 400)
    expected = ask_sqlite(tmp_path, design, header, rows).read_text().splitlines()
    types = ", ".join(f"{name} {'VARCHAR(9)' if name == 'age' else 'BOOLEAN'}" for name in header)
    asked = statement(design, dialect, "people", 2)
    if dialect == "duckdb":
        import duckdb  # no process that only collects tests waits for it

        with duckdb.connect() as database:
            database.execute(f"CREATE TABLE people ({types})")
            database.execute(f"COPY people FROM '{tmp_path}/rows.csv' (HEADER)")
            answer = database.execute(asked).fetchall()
    elif dialect == "spark":
        session = request.getfixturevalue("spark")
        people = [[cell if name == "age" else cell and cell == "1" for name, cell in zip(header, row, strict=True)]
                  for row in rows]  # fmt: skip
        session.createDataFrame(people, types.replace(" VARCHAR(9)", " STRING")).createTempView("people")
        answer = session.sql(asked).collect()
    else:
        with psycopg.connect(request.getfixturevalue("postgres")) as database:
            database.execute(f"CREATE TABLE people ({types})")
            with database.cursor().copy("COPY people FROM STDIN (FORMAT csv, HEADER)") as copy:
                copy.write((tmp_path / "rows.csv").read_text())
            answer = database.execute(asked).fetchall()
    assert sorted(",".join(map(str, row)) for row in answer) == sorted(expected[1:])


@pytest.mark.long
def test_workers_of_spark_count_as_the_guide_says(tmp_path, spark, monkeypatch):
    """Its lines run as they stand there, and the report of the folder that they write is that of the rows."""
    design = design_of("sampled flips beside a coin")
    stored(tmp_path, design)
    (tmp_path / "people").mkdir()
    candor.read_records(tmp_path / "rows.csv", design).write(tmp_path / "people/rows.parquet")
    guide = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    (block,) = (block for block in re.findall(r"```py\n(.*?)```", guide, re.DOTALL) if "mapInArrow" in block)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")

    exec(block.replace('parquet("', f'parquet("{tmp_path}/'), {"__name__": "__main__"})  # Spark began elsewhere

    found = candor.reconstruct(tmp_path / "counts", design=design, counts=True)
    assert found.to_json() == candor.reconstruct(tmp_path / "rows.csv", design=design).to_json()


def test_duckdb_hands_over_rows_and_counts_as_arrow(tmp_path):
    """Neither is written to a file, and both make the report of the file."""
    import duckdb

    design = design_of("one block")
    stored(tmp_path, design)
    expected = candor.mine(tmp_path / "rows.csv", **MINE, design=design)
    with duckdb.connect() as database:
        database.execute(f"CREATE TABLE records AS FROM '{tmp_path}/rows.csv'")
        of_rows = candor.mine(database.sql("FROM records"), **MINE, design=design)
        counts = database.sql(statement(design, length=2))
        of_counts = candor.mine(counts, **MINE, design=design, counts=True)
    assert of_rows.rules.equals(expected.rules)
    assert of_rows.itemsets.equals(expected.itemsets)
    assert of_counts.itemsets.equals(expected.itemsets)
    assert of_counts.rules["q"].equals(expected.rules["q"])


def test_counts_of_two_databases_add_up(tmp_path):
    design = design_of("one block")
    header, rows = stored(tmp_path, design, 600)
    halves = [ask_sqlite(tmp_path, design, header, half).read_text() for half in (rows[:200], rows[200:])]
    (tmp_path / "counts.csv").write_text(halves[0] + halves[1].split("\n", 1)[1])
    found = candor.reconstruct(tmp_path / "counts.csv", design=design, counts=True)
    assert found.to_json() == candor.reconstruct(tmp_path / "rows.csv", design=design).to_json()


@pytest.mark.parametrize(
    ("kind", "item", "value"),
    [*(("one block", "b", value) for value in ("2", "yes", "0.4", None)), ("a choice in the block", "age", "ancient")],
)
def test_a_value_that_is_no_answer_is_refused(kind, item, value, tmp_path):
    design = design_of(kind, direct=False)
    header, rows = stored(tmp_path, design, 50)
    rows[7][header.index(item)] = value
    counts = ask_sqlite(tmp_path, design, header, rows)
    with pytest.raises(candor.InputError, match=r"1 of the counted records have a value that is no answer"):
        candor.reconstruct(counts, design=design, counts=True)


def test_a_record_with_too_few_answers_is_refused(tmp_path):
    design = design_of("sampled coin", direct=False)
    header, rows = stored(tmp_path, design, 50)
    asked = next(place for place, cell in enumerate(rows[7]) if place and cell is not None)
    rows[7][asked] = None
    counts = ask_sqlite(tmp_path, design, header, rows)
    with pytest.raises(candor.InputError, match=r"or not as many answers as the design asks"):
        candor.reconstruct(counts, design=design, counts=True)


def refused(tmp_path, rows, kind="one block", direct=True, **asked):
    design = design_of(kind, direct)
    counts = write_rows(tmp_path, [("table", "cell", "count"), *rows])
    with pytest.raises(candor.InputError) as said:
        candor.reconstruct(counts, design=design, counts=True, **asked)
    return str(said.value).removeprefix(f"{counts}: ")


def test_what_is_no_table_of_the_design_is_refused(tmp_path):
    assert refused(tmp_path, [("1 9", 0, 5)]) == "'1 9' is not the name of a table of this design."
    assert refused(tmp_path, [("2 1", 0, 5)]) == "'2 1' is not the name of a table of this design."
    assert refused(tmp_path, [("1 2", 8, 5)]) == "table '1 2': 8 is not the number of one of its cells."
    assert refused(tmp_path, [("1 2", 1, 5)], direct=False) == "table '1 2': 1 is not the number of one of its cells."
    said = refused(tmp_path, [("1 2", 0, "many")])
    assert said == "row 2, column 'count': 'many' is not a whole number from 1 to 10000000000."
    assert refused(tmp_path, []) == "There are no records, so there is nothing to estimate."


def test_tables_of_other_records_are_refused(tmp_path):
    said = refused(tmp_path, [("1 2", 0, 5), ("1 2", 1, 3), ("3 4", 0, 6), ("3 4", 1, 2)])
    assert said == (
        "table '1 2' counts 8 records, 3 of them direct; table '3 4' counts 8 records, 2 of them direct; both must be "
        "counts of the same records."
    )


def test_items_that_no_table_has_together_are_refused(tmp_path, shell, small_tables):
    """A pattern, a joint table, and a search, before it looks at what the counts say."""
    design = design_of("one block")
    counts = ask_sqlite(tmp_path, design, *stored(tmp_path, design), length=1)
    files, last = (counts, tmp_path / "design.json", "--counts"), "take a larger `candor sql --length`"
    said = shell.refusal("reconstruct", *files, "--pattern", "a,e")
    assert said.startswith(f"candor reconstruct: --counts: no table has 'a', 'e' together; {last}")
    assert "no table has 'a', 'e' together" in shell.refusal("table", *files, "--items", "a,e")
    said = shell.refusal("mine", *files, "--min-support", "1")
    assert said.startswith("candor mine: --counts: no table has 'a', 'd' together; take a larger")


def test_what_needs_the_records_refuses_tables(tmp_path, shell):
    design = design_of("one block")
    counts = ask_sqlite(tmp_path, design, *stored(tmp_path, design, 50))
    files = counts, tmp_path / "design.json", "--counts"
    said = f"{counts}: counts of tables tell too little for this; it needs the records, or the counts of `candor sql`"
    assert said in shell.refusal("wave", *files, "--respondents", "5000")
    assert said in shell.refusal("mine", *files, "--top", "5")
    assert "weights, clusters, strata" in shell.refusal("mine", *files, "--min-support", "0.1", "--weights", "w")


def test_a_statement_that_a_database_cannot_take_is_refused(tmp_path, shell):
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "hours", "min": 0, "max": 60}]}
    (tmp_path / "design.json").write_text(json.dumps({"blocks": [number]}))
    said = shell.refusal("sql", tmp_path / "design.json", "--length", "1")
    assert said == "candor sql: No item of this design has options, so there is nothing to count.\n"
    assert "invalid choice: 7 (choose from 1, 2" in shell.refusal("sql", tmp_path / "design.json", "--length", "7")
    words = {"model": "one-of", "gamma": 9, "cap": 1, "items": [f"q{number}" for number in range(40)]}
    (tmp_path / "design.json").write_text(json.dumps(words))
    said = shell.refusal("sql", tmp_path / "design.json", "--length", "1")
    assert said == "candor sql: --length: 'q0' and the items beside it have too many cells for a table.\n"


def test_more_records_than_32_bits_count_are_counted(tmp_path):
    design = Design.parse({"model": "warner", "theta": 0.9, "items": ["a", "b"]})
    rows = [("1 2", cell, 2 * 10**9) for cell in (0, 2, 6)]
    counts = write_rows(tmp_path, [("table", "cell", "count"), *rows])
    found = candor.mine(counts, 0.1, max_length=2, design=design, counts=True)
    shares = dict(zip(found.itemsets["itemset"], found.itemsets["observed"], strict=True))
    assert shares == pytest.approx({"a": 2 / 3, "b": 1 / 3, "a,b": 1 / 3})
    assert found.summary["n"] == 6 * 10**9


def test_a_table_that_counts_nobody_directly_has_no_direct_rows(tmp_path):
    design = design_of("one block")
    counts = write_rows(tmp_path, [("table", "cell", "count"), ("1 2", 0, 5), ("1 2", 3, 2)])
    tables = read_count_tables(record_blocks(counts), design)
    assert tables.without_direct().tables[0].sizes == [5, 0]
    table = tables.holding([1])
    assert table.records.codes[:, :2].tolist() == [[0, 0], [1, 0]]
    assert (table.records.direct.tolist(), table.counts.tolist()) == ([False, True], [5, 2])
    assert np.all(table.records.codes[:, 2:] == design.not_asked)
