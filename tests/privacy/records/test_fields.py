"""Fields: what a column of records may hold, from a yes/no answer to a place in 65 536 × 65 536 cells."""

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from privacy.design import Design
from privacy.design.fields import MOST_STEPS, YES_NO, Field, Steps, choice, code_type
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.reconstruct import reconstruct
from privacy.records import Records, read_answer_codes, read_records, write_records
from privacy.records.csv_rows import csv_rows, csv_text, without_apostrophes
from privacy.records.packing import pack, pack_one, row_bytes, unpack
from tests.cases import every, first
from tests.codes import NOT_ASKED
from tests.declared import block, design, drawn
from tests.fields import number, pair

GOLDEN = json.loads(Path(__file__).with_name("golden_records.json").read_text())
INCOME = number("income", Steps(65_536))
BALANCE = number("balance", Steps(401, Decimal(-100), Decimal("0.5")))
HOME = pair("home", Steps(1000), Steps(800))
WORLD = pair("world", Steps(65_536), Steps(65_536))


def same(back: Records, records: Records) -> bool:
    return (
        back.codes.dtype == records.codes.dtype
        and np.array_equal(back.codes, records.codes)
        and np.array_equal(back.direct, records.direct)
    )


def round_trips(records: Records, folder: Path) -> None:
    """Packed, alone and together, in CSV and in JSON lines: every way gives the records back."""
    packed = pack(records)
    assert packed.shape == (len(records), row_bytes(records.design))
    assert same(unpack(records.design, packed), records)
    rows = zip(records.codes.tolist(), records.direct, strict=True)
    assert b"".join(pack_one(records.design, row, direct) for row, direct in rows) == packed.tobytes()
    for name in ("records.csv", "records.jsonl", "records.parquet"):
        write_records(records, folder / name)
        assert same(read_records(folder / name, records.design), records)


@pytest.mark.parametrize(
    ("field", "bits", "optional_bits", "codes"),
    [
        (choice("drugs", YES_NO), 1, 2, np.uint8),
        (choice("age", "abcd"), 2, 3, np.uint8),
        (choice("many", [f"o{j}" for j in range(254)]), 8, 8, np.uint8),
        (number("year", Steps(255)), 8, 8, np.uint8),
        (number("day", Steps(256)), 8, 9, np.uint16),
        (number("minute", Steps(65_535)), 16, 16, np.uint16),
        (INCOME, 16, 17, np.uint32),
        (HOME, 20, 20, np.uint32),
        (WORLD, 32, 33, np.uint64),
    ],
)
def test_a_field_takes_as_many_bits_as_its_values_need(
    field: Field, bits: int, optional_bits: int, codes: type[np.unsignedinteger]
) -> None:
    """In a packed record "not asked" is one more value; in a table of codes it is the greatest number of the type."""
    optional = replace(field, optional=True)

    assert (field.bits, optional.bits, code_type([field]), code_type([optional])) == (bits, optional_bits, codes, codes)


def test_records_have_one_type_of_codes() -> None:
    """The narrowest that fits all fields: a byte as long as there are choices alone."""
    assert design(choice("a", YES_NO), choice("b", "xyz")).not_asked == 255
    assert design(choice("a", YES_NO), HOME).not_asked == 2**32 - 1


def test_values_are_written_in_plain_decimals(tmp_path: Path) -> None:
    """A number is a number in JSON, a place the text "x:y"; nothing stands where an item was not asked."""
    asked_two = design(BALANCE, HOME, choice("age", ["18-29", "50+"]), ask=2)
    none = asked_two.not_asked
    codes = np.array([[199, 801, none], [400, none, 1], [none, 799_999, 0]], np.uint32)
    records = Records(asked_two, codes, np.array([True, False, False]))

    for name in ("records.csv", "records.jsonl", "records.parquet"):
        write_records(records, tmp_path / name)

    assert (tmp_path / "records.csv").read_text() == (
        '"direct","balance","home","age"\n1,-0.5,"1:1",\n0,100,,"50+"\n0,,"999:799","18-29"\n'
    )
    assert (tmp_path / "records.jsonl").read_text() == (
        '{"direct": 1, "balance": -0.5, "home": "1:1", "age": null}\n'
        '{"direct": 0, "balance": 100, "home": null, "age": "50+"}\n'
        '{"direct": 0, "balance": null, "home": "999:799", "age": "18-29"}\n'
    )


@pytest.mark.parametrize(("ask", "rows"), first(1, [(None, 60), (2, 1_500)]))
def test_wide_records_come_back_as_they_were(tmp_path: Path, ask: int | None, rows: int) -> None:
    """A number of 65 536 steps and places of 1000 × 800 and of 65 536 × 65 536 cells, beside a choice."""
    round_trips(drawn(design(INCOME, choice("drugs", YES_NO), HOME, WORLD, BALANCE, ask=ask), rows, 1), tmp_path)


def test_a_field_of_one_value_takes_no_bits(tmp_path: Path) -> None:
    """Beside one that takes some, and alone."""
    point = Steps(1, Decimal(0), Decimal(1))
    for fields in ([pair("home", point, point), choice("drugs", YES_NO)], [pair("home", point, point)]):
        records = drawn(design(*fields), 12, 1)
        assert pack(records).shape == (12, 1)
        round_trips(records, tmp_path)


scales = st.builds(
    Steps,
    st.one_of(st.integers(1, 300), st.sampled_from([65_535, 65_536])),
    st.decimals(-1000, 1000, places=2),
    st.decimals("0.01", 10, places=2),
)
field_lists = st.lists(
    st.one_of(
        st.integers(2, 254).map(lambda size: choice("", [f"o{j}" for j in range(size)])),
        st.just(choice("", YES_NO)),
        scales.filter(lambda steps: len(steps) > 1).map(lambda steps: number("", steps)),
        st.tuples(scales, scales).map(lambda steps: pair("", *steps)),
    ),
    min_size=1,
    max_size=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=5)
@given(fields=field_lists, ask=st.integers(1, 6), rows=st.integers(0, 12), seed=st.integers(0, 2**32))
def test_any_list_of_fields_round_trips(tmp_path: Path, fields: list[Field], ask: int, rows: int, seed: int) -> None:
    """Whatever the fields are, and whether all are asked or some, nothing is lost on any way."""
    named = [replace(field, name=f"f{place}") for place, field in enumerate(fields)]

    round_trips(drawn(design(*named, ask=ask if ask < len(fields) else None), rows, seed), tmp_path)


def quoted(content: str) -> str:
    """A file that an earlier version wrote, with its texts in quotation marks and safe, as they are written now."""
    return csv_text([without_apostrophes(cell) for cell in row] for row in csv_rows(content))


@pytest.mark.parametrize("stored", GOLDEN, ids=lambda stored: str(stored["name"]))
def test_records_stored_before_fields_were_declared_are_read_and_written_the_same(tmp_path: Path, stored: dict) -> None:
    """What earlier versions made is read as it was meant, and made again to the byte; in CSV to the cell."""
    of_design = Design.parse(stored["design"])
    records = Records(of_design, np.array(stored["codes"], np.uint8), np.array(stored["direct"], bool))
    packed = np.frombuffer(bytes.fromhex(stored["packed"]), np.uint8).reshape(len(records), -1)

    assert same(unpack(of_design, packed), records)
    assert np.array_equal(pack(records), packed)
    for suffix in ("csv", "jsonl"):
        path = tmp_path / f"records.{suffix}"
        path.write_text(stored[suffix])
        assert same(read_records(path, of_design), records)
        write_records(records, path)
        assert path.read_text() == (quoted(stored[suffix]) if suffix == "csv" else stored[suffix])


@pytest.mark.parametrize(
    "cell",
    ["65536", "-1", "01", "1.00", "+1", " 1", "1e3", "", "-", "12345678901234567890", "1:1", "１", '"1', "1\0"],
)
def test_a_number_is_read_as_it_is_written(tmp_path: Path, cell: str) -> None:
    """One text for one number: what is off the grid, or written otherwise, is refused with its row and column."""
    path = tmp_path / "answers.csv"
    path.write_text(f"income,drugs\n7,1\n{cell},1\n")

    with pytest.raises(InputError, match=r"row 3, column 'income': .* is given where one of 0, 1, 2, |never closed"):
        read_answer_codes(path, design(INCOME, choice("drugs", YES_NO)))


@pytest.mark.parametrize("cell", ["1000:1", "1:800", "1", "1:", ":1", "1:1:1", "1;1", "01:1", "", "1:1 ", '1":"1'])
def test_a_place_is_read_as_it_is_written(tmp_path: Path, cell: str) -> None:
    """Both numbers must be there and on their grids, with one colon between them."""
    path = tmp_path / "answers.csv"
    path.write_text(f"home\n3:4\n{cell}\n")

    with pytest.raises(InputError, match=r"row 3, column 'home': .* is given where one of 0:0, 0:1, "):
        read_answer_codes(path, design(HOME))


OFF_THE_GRID = {
    "income": ["800000", "true", "[1]", '"x"', "1.5", "null", '"01"', "-1", "1e400"],
    "home": ["11", "null", '"1"', '"1:1:1"', '"1000:1"', '"1:01"', '"１:1"', '":"', "[1, 1]"],
}


@pytest.mark.parametrize(
    ("column", "value"), every(3, [(name, text) for name, texts in OFF_THE_GRID.items() for text in texts])
)
def test_json_values_off_the_grid_are_refused(tmp_path: Path, column: str, value: str) -> None:
    """The same strictness in JSON lines, whether rows are written alike or not; a place is a text of two numbers."""
    path, good = tmp_path / "answers.jsonl", {"income": "7", "home": '"1:1"'}
    rows = [", ".join(f'"{name}": {text}' for name, text in row.items()) for row in (good, good | {column: value})]
    path.write_text("".join(f"{{{row}}}\n" for row in rows))

    offered = {"income": "0, 1, 2, ", "home": "0:0, 0:1, "}[column]
    with pytest.raises(InputError, match=rf"row 2, column '{column}': .* is given where one of {offered}"):
        read_answer_codes(path, design(INCOME, HOME))


def test_numbers_of_other_programs_are_read(tmp_path: Path) -> None:
    """Quotation marks around a CSV cell, whole numbers written as floats in JSON, and rows not written alike."""
    (tmp_path / "a.csv").write_text('home,balance\r\n"1:1","-0.5"\r\n999:799,3\r\n')
    (tmp_path / "a.jsonl").write_text('{"home":"1:1","balance":-0.5}\n{"balance": 3.0, "home": "999:799"}\n')

    tables = [read_answer_codes(tmp_path / name, design(BALANCE, HOME)).tolist() for name in ("a.csv", "a.jsonl")]

    assert tables == [[[199, 801], [206, 799_999]]] * 2


SAMPLED = {"keep": 0.3, "ask": 2, "items": [{"id": name, "theta": 0.6} for name in "abc"]}


def test_choices_are_disguised_and_counted_the_same_beside_wide_fields() -> None:
    """In a table of wider codes every choice gets the same disguise, and every pattern the same figures."""
    (narrow,) = Design.parse({"blocks": [SAMPLED]}).blocks
    alone, beside = Design((narrow,), direct=True), Design((narrow, block([HOME, INCOME])), direct=True)
    rng = np.random.default_rng(1)
    wide = rng.integers(0, [800_000, 65_536], (2_000, 2))
    choices, direct = rng.integers(0, 2, (2_000, 3)), rng.random(2_000) < 0.2

    records = disguise(alone, choices, direct, words_from_seed(1))
    mixed = disguise(beside, np.hstack([choices, wide]), direct, words_from_seed(1))

    codes = np.where(mixed.codes[:, :3] == beside.not_asked, alone.not_asked, mixed.codes[:, :3])
    assert (records.codes.dtype, mixed.codes.dtype) == (np.uint8, np.uint32)
    assert np.array_equal(codes, records.codes)
    assert np.array_equal(mixed.codes[:, 3:], wide)
    patterns = ["a", "a,!b", "b,c"]
    assert reconstruct(mixed, patterns).patterns == reconstruct(records, patterns).patterns


def test_wide_codes_without_meaning_are_never_stored(tmp_path: Path) -> None:
    """A code that is no step of the grid is refused, not squeezed into its bits."""
    records = Records(design(INCOME, HOME), np.array([[65_535, 800_000]], np.uint32), np.zeros(1, bool))

    for store in (pack, lambda records: write_records(records, tmp_path / "records.csv")):
        with pytest.raises(InputError, match="row 0, column 'home': 800000 is not the index of one of its 800000"):
            store(records)


def test_more_steps_than_two_bytes_number_are_refused() -> None:
    """A scale has at most 65 536 steps, and a value lies on at most two scales."""
    with pytest.raises(InputError, match="wide: a value lies on one scale or two, each of at most 65536 steps"):
        number("wide", Steps(MOST_STEPS + 1))


# Records packed into bits.


def uniform(name: str, options: int) -> dict:
    return {"id": name, "options": [f"o{j}" for j in range(options)], "noise": [1 / options] * options}


MIXED = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": [uniform("a", 2), uniform("b", 5)]}]})


def test_the_layout_is_fixed() -> None:
    """The direct flag, then each code in as few bits as its options need, then zeros: part of the format."""
    records = Records(MIXED, np.array([[1, 4], [0, 3]], np.uint8), np.array([True, False]))

    assert pack(records).tolist() == [[0b1_1_100_000], [0b0_0_011_000]]


def test_not_asked_is_one_more_value() -> None:
    """In a sampled block a field also says that its item was not asked: after the last option."""
    design = Design.parse({"blocks": [{"keep": 0.3, "ask": 1, "items": [uniform("a", 2), uniform("b", 3)]}]})
    records = Records(design, np.array([[NOT_ASKED, 2], [1, NOT_ASKED]], np.uint8), np.zeros(2, bool))

    assert pack(records).tolist() == [[0b0_10_10_000], [0b0_01_11_000]]


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        ([[0b0_1_101_000]], "row 0 has 5 for 'b', too much"),
        ([[0b0_1_100_001]], "end in bits that belong to no item"),
        ([[0, 0]], r"uint8 and shape \(1, 2\) do not fit this design, whose records take 1 bytes"),
    ],
)
def test_bytes_that_are_no_records_are_refused(packed: list[list[int]], said: str) -> None:
    """A damaged part is noticed instead of being counted."""
    with pytest.raises(InputError, match=said):
        unpack(MIXED, np.array(packed, np.uint8))
