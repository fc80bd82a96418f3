"""Counts in place of rows: what a database groups gives the same report as its rows, bit for bit."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privacy.design import Design
from privacy.records import Records, write_records
from privacy.records.sql import DIALECTS, statement
from tests.cases import every
from tests.mining.designs import KINDS, design_of, records_of

MINE = ["--min-support", "0.1", "--min-confidence", "0.3", "--negated", "--json"]
RECONSTRUCT = ["--pattern", "a,!b", "--json"]
TABLE = ["--items", "a,b", "--json"]


def stored(folder, kind, n=2000, direct=True):
    """Rows as CSV, and their design."""
    design = design_of(kind, direct)
    write_records(Records(design, *records_of(design, n, direct_share=0.25 if direct else 0)), folder / "rows.csv")
    (folder / "design.json").write_text(json.dumps(design.to_json()))
    return str(folder / "rows.csv"), str(folder / "design.json")


def counted(path, target):
    """The distinct lines of a CSV with their number."""
    header, *lines = Path(path).read_text().splitlines()
    counts = [f"{line},{number}" for line, number in Counter(lines).items()]
    Path(target).write_text("\n".join([f'{header},"count"', *counts, ""]))
    return str(target)


def asked(shell, design, *options):
    return shell.out("sql", design, *options)


@pytest.mark.parametrize("kind", every(4, KINDS))
def test_counts_give_the_report_of_rows(kind, tmp_path, shell, monkeypatch):
    """As CSV and as Parquet, also where records are made of counts in several turns."""
    import duckdb  # here and below: no process that only collects tests waits for it

    monkeypatch.setattr("privacy.records.counts._AT_ONCE", 300)
    rows, design = stored(tmp_path, kind)
    counts = counted(rows, tmp_path / "counts.csv")
    duckdb.sql(f"COPY (FROM read_csv('{counts}')) TO '{tmp_path}/counts.parquet'")
    for command in ["mine", *MINE], ["reconstruct", *RECONSTRUCT], ["table", *TABLE]:
        name, *options = command
        expected = shell.json(name, rows, design, *options)
        for file in counts, tmp_path / "counts.parquet":
            assert shell.json(name, "--counts", file, design, *options) == expected


def test_a_few_counts_say_what_millions_of_rows_would(tmp_path, shell):
    counts = "direct,a,count,b\n0,1,1000000,0\n0,0,1000000,1\n0,0,999000,0\n0,1,1000,1\n"
    (tmp_path / "counts.csv").write_text(counts)
    (tmp_path / "design.json").write_text(json.dumps({"model": "warner", "theta": 0.9, "items": ["a", "b"]}))
    found = shell.json("mine", "--counts", tmp_path / "counts.csv", tmp_path / "design.json", *MINE)
    assert found["n"] == 3_000_000


@pytest.mark.parametrize(("kind", "direct"), [("sampled flips beside a coin", True), ("one block", False)])
@pytest.mark.parametrize("dialect", every(2, ["duckdb", "postgresql"]))
def test_the_statement_for_a_database_makes_these_counts(dialect, kind, direct, tmp_path, shell, request):
    """Run by the database itself, which holds truth values, texts and nothing where somebody was not asked."""
    rows, design = stored(tmp_path, kind, direct=direct)
    statement = asked(shell, design, "--dialect", dialect, "--table", "people").rstrip(";\n")
    flags = [name for name in ("direct", *"abcde") if f'"{name}"' in Path(rows).read_text().splitlines()[0]]
    types = dict.fromkeys(flags, "BOOLEAN") | ({"age": "TEXT"} if "sampled" in kind else {})
    table = f"CREATE TABLE people ({', '.join(f'{name} {kind}' for name, kind in types.items())})"
    counts = tmp_path / "counts.csv"
    if dialect == "duckdb":
        import duckdb

        with duckdb.connect() as database:
            database.execute(table)
            database.execute(f"COPY people FROM '{rows}' (HEADER)")
            database.execute(f"COPY ({statement}) TO '{counts}' (HEADER)")
    else:
        with psycopg.connect(request.getfixturevalue("postgres")) as database:
            database.execute(table)
            with database.cursor().copy("COPY people FROM STDIN (FORMAT csv, HEADER)") as copy:
                copy.write(Path(rows).read_text())
            with database.cursor().copy(f"COPY ({statement}) TO STDOUT (FORMAT csv, HEADER)") as copy:
                counts.write_bytes(b"".join(bytes(part) for part in copy))
    assert len(counts.read_text().splitlines()) < 500
    expected = shell.json("mine", rows, design, *MINE)
    assert shell.json("mine", "--counts", counts, design, *MINE) == expected


def test_the_statement_quotes_names_as_each_dialect_does(tmp_path, shell):
    design = {"model": "warner", "theta": 0.7, "items": ['he said "no"', "a`b"], "direct": True}
    (tmp_path / "design.json").write_text(json.dumps(design))
    expected = {
        "duckdb": ['"he said ""no"""', '"a`b"'],
        "postgresql": ['"he said ""no"""', '"a`b"'],
        "spark": ['`he said "no"`', "`a``b`"],
        "bigquery": ['`he said "no"`', "`a\\`b`"],
        "sqlite": ['`he said "no"`', "`a``b`"],
    }
    for dialect, (first, second) in expected.items():
        mark, answer = first[0], DIALECTS[dialect].answer.format
        columns = ", ".join(f"{answer(name)} AS {name}" for name in (f"{mark}direct{mark}", first, second))
        assert asked(shell, str(tmp_path / "design.json"), "--dialect", dialect) == (
            f"SELECT {columns}, COUNT(*) AS {mark}count{mark}\nFROM records\nGROUP BY 1, 2, 3;\n"
        )
    document = shell.json("sql", tmp_path / "design.json", "--dialect", "spark", "--json")
    assert document["dialect"] == "spark"
    assert document["sql"].endswith("GROUP BY 1, 2, 3;")


def test_names_that_a_database_takes_for_one_are_refused(tmp_path, shell):
    """DuckDB, Spark and BigQuery fold capitals within quotation marks, too; each would count one column twice."""
    design = {"model": "warner", "theta": 0.7, "items": ["drugs", "Drugs"]}
    (tmp_path / "design.json").write_text(json.dumps(design))
    for dialect in "duckdb", "spark", "bigquery", "sqlite":
        said = shell.refusal("sql", tmp_path / "design.json", "--dialect", dialect)
        assert said == (
            f"candor sql: --dialect: in {dialect} the columns 'drugs' and 'Drugs' are one; rename an item.\n"
        )
    assert '"drugs"' in asked(shell, str(tmp_path / "design.json"), "--dialect", "postgresql")


@pytest.mark.parametrize("length", [None, 1])
def test_sqlite_takes_no_text_for_an_answer(length):
    """Neither the name of a column that the table lacks, nor what is no answer: both would be a no of everybody."""
    asked = statement(Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}), "sqlite", length=length)
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE records (drug)")
        with pytest.raises(sqlite3.OperationalError, match="no such column: drugs"):
            database.execute(asked)
        database.execute("ALTER TABLE records RENAME COLUMN drug TO drugs")
        database.executemany("INSERT INTO records VALUES (?)", [(answer,) for answer in (0, 1, "0", "1", "yes")])
        counts = {row[:-1]: row[-1] for row in database.execute(asked)}
    assert (
        counts == {None: {(0, 0): 2, (0, 1): 2, (0, "yes"): 1}, 1: {("1", 0): 3, ("1", 2): 2, ("wrong", 1): 1}}[length]
    )


def test_a_name_with_a_backslash_stays_a_name_in_bigquery(tmp_path, shell):
    """There a backslash within a name says that what follows is no end of it."""
    (tmp_path / "design.json").write_text(json.dumps({"model": "warner", "theta": 0.7, "items": ["a\\`; --"]}))
    said = asked(shell, str(tmp_path / "design.json"), "--dialect", "bigquery")
    assert said.startswith("SELECT 0 AS `direct`, CAST(`a\\\\\\`; --` AS INTEGER) AS `a\\\\\\`; --`, COUNT(*)")


def test_more_records_than_can_be_counted_are_one_sentence(tmp_path, shell):
    """Their number would not fit, and some would be left out."""
    _, design = stored(tmp_path, "one block")
    rows = "".join(f"0,{','.join(f'{bits:05b}')},{10**10}\n" for bits in range(32))
    (tmp_path / "counts.csv").write_text(f"direct,a,b,c,d,e,count\n{rows}")
    said = shell.refusal("mine", "--counts", tmp_path / "counts.csv", design, *MINE)
    assert said == (
        f"candor mine: {tmp_path}/counts.csv: its counts add up to 3.2e+11 records, more than 10000000000.\n"
    )


@pytest.mark.parametrize("count", ["0", "-1", "1.5", "many", "", "1e30", "inf"])
def test_a_count_that_is_none_is_one_sentence(count, tmp_path, shell):
    _, design = stored(tmp_path, "one block")
    (tmp_path / "counts.csv").write_text(f"direct,a,b,c,d,e,count\n0,1,1,1,1,1,3\n0,1,1,1,1,0,{count}\n")
    said = shell.refusal("mine", "--counts", tmp_path / "counts.csv", design, *MINE)
    shown = f"'{count}'" if count else "nothing"
    assert said == (
        f"candor mine: {tmp_path}/counts.csv: row 3, column 'count': {shown} is not a whole number from 1 to "
        "10000000000.\n"
    )


def test_what_counts_cannot_say_is_one_sentence(tmp_path, shell):
    """Rows without their number, options of other questions, and an item of that name."""
    rows, design = stored(tmp_path, "one block")
    said = shell.refusal("mine", "--counts", rows, design, *MINE)
    assert said == f"candor mine: {rows}: the column 'count' is missing; it says how often each record was counted.\n"
    pq.write_table(pa.table({name: [0] for name in ("direct", *"abcde")}), tmp_path / "rows.parquet")
    assert "the column 'count' is missing" in shell.refusal(
        "reconstruct", "--counts", tmp_path / "rows.parquet", design
    )
    counts = counted(rows, tmp_path / "counts.csv")
    for command in ["mine", *MINE], ["reconstruct"], ["table", *TABLE]:
        name, *options = command
        said = shell.refusal(name, "--counts", counts, design, *options, "--weights", "count")
        assert said.startswith(
            f"candor {name}: --counts: weights, clusters, strata and other undisguised columns go with"
        )
    (tmp_path / "design.json").write_text(json.dumps({"model": "warner", "theta": 0.7, "items": ["count"]}))
    assert shell.refusal("sql", design) == (
        "candor sql: The design has an item 'count', so no column of that name can say how often.\n"
    )
