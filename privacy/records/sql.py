"""The SQL that counts records where they lie: distinct records, or tables of few items (`count_tables`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import mul

from privacy.design import Design
from privacy.design.fields import Field
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.count_tables import WRONG, columns_of_tables
from privacy.records.counts import CELL, COUNT, TABLE, refuse_item_named_count
from privacy.records.records import DIRECT

_MOST_CELLS = 2**31  # whose numbers are integers of any database
_WORDS = "('0', '1', '0.0', '1.0', 'true', 'false')"  # how databases write 0 and 1


@dataclass(frozen=True)
class Dialect:
    """How a database writes names and texts, and how it tells 0 and 1 from anything else."""

    mark: str = '"'  # around a name
    before_mark: str = '"'  # within a name
    before_quote: str = "'"  # within a text
    is_no_answer: str = "CAST({} AS DOUBLE) NOT IN (0, 1)"
    answer: str = "CAST({} AS INTEGER)"

    def name(self, name: str) -> str:
        return self.text(name, self.mark, self.before_mark)

    def text(self, text: str, mark: str = "'", before_mark: str = "") -> str:
        before = before_mark or self.before_quote
        return mark + "".join(before + letter if letter in (mark, before) else letter for letter in text) + mark


DIALECTS = {
    "duckdb": Dialect(),
    "postgresql": Dialect(is_no_answer=f"CAST({{}} AS TEXT) NOT IN {_WORDS}"),
    "spark": Dialect("`", "`", "\\"),
    "bigquery": Dialect("`", "\\", "\\", f"CAST({{}} AS STRING) NOT IN {_WORDS}"),
    # It would take any text for 0, and a name in double quotes that no column has for a text.
    "sqlite": Dialect(
        "`",
        "`",
        is_no_answer="{} NOT IN (0, 1, '0', '1')",
        answer="CASE WHEN {0} IN (0, 1, '0', '1') THEN CAST({0} AS INTEGER) ELSE {0} END",
    ),
}


def statement(design: Design, dialect: str = "duckdb", table: str = "records", length: int | None = None) -> str:
    """Return the SQL that counts a table of records, whose name is written as it is given.

    Without `length` it counts distinct records, with it tables in which any `length` items are together.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> print(statement(design, table="people"))
    SELECT 0 AS "direct", CAST("drugs" AS INTEGER) AS "drugs", COUNT(*) AS "count"
    FROM people
    GROUP BY 2;
    """
    names: dict[str, str] = {}
    for name in [DIRECT.name, *([COUNT] if length is None else []), *(field.name for field in design.fields)]:
        other = names.setdefault(name.casefold(), name)
        if other != name and dialect != "postgresql":
            raise InputError(f"--dialect: in {dialect} the columns {other!r} and {name!r} are one; rename an item.")
    if length is None:
        return _distinct_records(design, DIALECTS[dialect], table)
    return _tables(design, DIALECTS[dialect], table, length)


def _distinct_records(design: Design, dialect: Dialect, table: str) -> str:
    refuse_item_named_count(design)
    fields = {dialect.name(field.name): field for field in [DIRECT, *design.fields]}
    answer = dialect.answer.format
    columns = [f"{answer(name)} AS {name}" if field.boolean else name for name, field in fields.items()]
    if not design.direct:  # the table need not have the column
        columns[0] = f"0 AS {dialect.name(DIRECT.name)}"
    places = range(1 if design.direct else 2, len(columns) + 1)
    return (
        f"SELECT {', '.join(columns)}, COUNT(*) AS {dialect.name(COUNT)}\n"
        f"FROM {table}\nGROUP BY {', '.join(map(str, places))};"
    )


def _tables(design: Design, dialect: Dialect, table: str, length: int) -> str:
    tables = columns_of_tables(design, length)
    if not tables:
        raise InputError("No item of this design has options, so there is nothing to count.")
    cell, head = dialect.name(CELL), ", ".join(map(dialect.name, (TABLE, CELL)))

    def count(name: str, number: str, where: str = "") -> str:
        return (
            f"SELECT '{name}' AS {head}, COUNT(*) AS {dialect.name(COUNT)} "
            f"FROM (SELECT {number} AS {cell} FROM {table}) AS coded{where} GROUP BY {cell}"
        )

    counts = [
        count(" ".join(str(column + 1) for column in columns), _cell(design, dialect, columns)) for columns in tables
    ]
    wrong = " OR ".join(_wrong(design, dialect, {*chain(*tables)})) or "1 = 0"
    counts.append(count(WRONG, f"CASE WHEN {wrong} THEN 1 ELSE 0 END", f" WHERE {cell} = 1"))
    return "\nUNION ALL\n".join(counts) + ";"


def _cell(design: Design, dialect: Dialect, columns: Sequence[int]) -> str:
    """The number of a record's cell; nothing where an answer is missing or no option has its name."""
    fields = [DIRECT, *(design.fields[column] for column in columns)]
    *widths, cells = accumulate((field.value_count for field in fields), mul, initial=1)
    if cells > _MOST_CELLS:
        raise InputError(f"--length: {quote(fields[1].name)} and the items beside it have too many cells for a table.")
    terms = [f"{width} * {_code(dialect, field)}" for width, field in zip(widths, fields, strict=True)]
    return " + ".join(terms[not design.direct :])


def _code(dialect: Dialect, field: Field) -> str:
    name = dialect.name(field.name)
    code = f"CAST({name} AS INTEGER)"
    if not field.boolean:
        options = (f"WHEN {dialect.text(field.text(code))} THEN {code}" for code in range(field.size))
        code = f"CASE {name} {' '.join(options)} END"
    return f"CASE WHEN {name} IS NULL THEN {field.size} ELSE {code} END" if field.optional else code


def _wrong(design: Design, dialect: Dialect, columns: set[int]) -> list[str]:
    """What is true of records with a yes/no answer that is neither, or with as many answers as nobody is asked."""
    fields = [DIRECT] * design.direct + [design.fields[column] for column in sorted(columns)]
    wrong = [dialect.is_no_answer.format(dialect.name(field.name)) for field in fields if field.boolean]
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        if block.items_per_person < len(block.items):
            names = (dialect.name(field.name) for field in design.fields[first : first + len(block.items)])
            asked = " + ".join(f"CASE WHEN {name} IS NULL THEN 0 ELSE 1 END" for name in names)
            wrong.append(f"{asked} <> {block.items_per_person}")
    return wrong
