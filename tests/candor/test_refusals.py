"""What analysts hand in by mistake is refused in one sentence; nobody reads an error from inside the library."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design import arguments
from privacy.design.reading import quote
from tests.refusals import refusal_of

YES = [True, False, True, True] * 25
FLIP = candor.models.warner(["drugs"], theta=0.75, direct=False)
FLIP_OR_TELL = candor.models.warner(["drugs"], theta=0.75, direct=True)
AGE = candor.Design.parse(
    {"blocks": [{"number": "square-wave", "epsilon": 3, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}]}
)


def opened(design: candor.Design, frame: pd.DataFrame) -> candor.Records:
    """Records with the undisguised columns w and town."""
    own = candor.disguise(frame, design, seed=7).to_frame().assign(w=1.0, town=["a", "b"] * (len(frame) // 2))
    return candor.Records.from_frame(own, design)


RECORDS, AGES = opened(FLIP, pd.DataFrame({"drugs": YES})), opened(AGE, pd.DataFrame({"age": range(100)}))
NOBODY = candor.Records.from_frame(RECORDS.to_frame().iloc[:0], FLIP)
COLUMN = pd.Series([1.0] * 100)
PEOPLE = pd.DataFrame({"age": [20, 20, 30, 30], "disease": ["flu", "cold", "flu", "flu"]})
NOWHERE = pd.DataFrame({"drugs": [1, 0, 0, 1], "town": pd.Series([None, "b", "a", "b"], dtype="string")})
IN_TOWN = candor.Records.from_frame(NOWHERE, FLIP)
SHARES: dict[str, Any] = {"support": 0.1, "null": 0.05}
HUGE = 10**400
NO_PAIRS = "is neither a mapping nor a list of pairs."
BY_NAME = "what is of type Series is not the name of an undisguised column; give the name of the column."
NO_RECORDS = "There are no records, so there is nothing to estimate."
LYING: dict[str, Any] = {"item": "drugs", "p": {"x": 0.2, "y": 0.8}, "group": "town", "t": 0.5}
Refusal = tuple[Callable[[], object], str]


def tell(direct: object) -> candor.Records:
    return candor.disguise(pd.DataFrame({"drugs": [1, 0]}), FLIP_OR_TELL, direct=direct)  # type: ignore[arg-type]


def weighed(value: object) -> object:
    records = candor.Records.from_frame(pd.DataFrame({"drugs": [1, 0], "w": [1.0, value]}), FLIP)
    return candor.reconstruct(records, "drugs", sample=candor.Sample(weights="w"))


def counted(counts: Any, pattern: str = "drugs", design: candor.Design = FLIP, **more: Any) -> Any:
    return candor.reconstruct_counts(design, pattern, counts, **more)


REFUSED: dict[str, list[Refusal]] = {
    "a column is given by its name and not by its values": [
        *(
            (lambda use=use: candor.table(RECORDS, "drugs", sample=candor.Sample(**{use: COLUMN})), f"{use}: {BY_NAME}")
            for use in ("weights", "cluster", "strata")
        ),
        (lambda: candor.distribution(AGES, "age", sample=candor.Sample(weights=COLUMN)), f"weights: {BY_NAME}"),
        (lambda: candor.compare(RECORDS, "drugs", COLUMN), f"by: {BY_NAME}"),
    ],
    "how respondents were drawn is one argument": [
        *(
            (lambda use=use: candor.mine(RECORDS, 0.1, **{use: "w"}),
             f"{use}: it is a field of one argument: write sample=candor.Sample({use}=...).")
            for use in ("weights", "cluster", "strata", "margins", "trim")
        ),
        (lambda: candor.reconstruct(RECORDS, "drugs", sample="w"),
         "sample: 'w' is not made by candor.Sample, as Sample(weights='w') is."),
    ],
    "numbers are counted": [
        (lambda: candor.power(FLIP, "drugs", respondents=0, **SHARES),
         "respondents: 0 is outside 1 to 9007199254740992."),
        (lambda: candor.distribution(AGES, "age", bins="x"), "bins: 'x' is not a whole number."),
        (lambda: candor.distribution(AGES, "age", bins=2.5), "bins: 2.5 is not a whole number."),
        (lambda: candor.distribution(AGES, "age", bins=[]), "bins: [] is not a whole number."),
        (lambda: candor.distribution(AGES, "age", bins=[30]),
         "bins: [30] is a list; write one count of bins without a list."),
        (lambda: candor.distribution(AGES, "age", bins=[0, 50, 99]),
         "bins: 'age' is a number, so give one count of bins, without edges or a grid."),
        (lambda: candor.distribution(AGES, "age", seed="x"), "seed: 'x' is not a whole number from 0."),
        (lambda: candor.measure(PEOPLE, ["age"], "disease", subsets=True), "subsets: True is not a whole number."),
        (lambda: candor.measure(PEOPLE, ["age"], "disease", subsets=-1), "subsets: -1 is below 0."),
        (lambda: candor.compare(RECORDS, "drugs", least=-4), "least: -4 is below 1."),
        (lambda: candor.advise(3, 1000, 19).reach(1e-320),
         "target: 9.99989e-321 would need more than 9007199254740992 respondents."),
    ],
    "edges between bins are numbers": [
        (lambda: candor.mine(AGES, 0.1, engine="bitset", bins=3),
         "bins: 3 is neither a text nor a mapping, such as {'age': [18, 30, 50]}."),
        (lambda: candor.mine(AGES, 0.1, engine="bitset", bins={"age": None}),
         "bins['age']: nothing is neither text nor a list of numbers."),
        (lambda: candor.mine(AGES, 0.1, engine="bitset", bins={"age": ["a"]}),
         "bins['age']: 'a' is not a finite number."),
    ],
    "a pattern has two counts": [
        (lambda: counted(None), f"counts: nothing {NO_PAIRS}"),
        (lambda: counted([1]), f"counts: what is of type list {NO_PAIRS}"),
        (lambda: counted({3: (10, 0)}), "counts: 3 is not text."),
        (lambda: counted({"": (10, 0), "drugs": (1,)}),
         "counts: (1,) of 'drugs' is not two counts, disguised and direct records."),
        (lambda: counted({}), "counts: the number of all records, under '', is missing."),
        (lambda: counted({"": (HUGE, 0), "drugs": (1, 0)}), f"counts: (1{'0' * 55}… of '' holds too large a number."),
    ],
    "a number that no figure holds is told shortly": [
        (lambda: candor.guarantee(FLIP, respondents=HUGE), f"respondents: 1{'0' * 56}… is too large a number."),
        (lambda: candor.mine(RECORDS, 0.1, least=HUGE), f"least: 1{'0' * 56}… is too large a number."),
        (lambda: candor.ledger({"a": FLIP}, budget=HUGE), f"budget: 1{'0' * 56}… is too large a number."),
        (lambda: tell(HUGE), f"direct: 1{'0' * 56}… is too large a number."),
        (lambda: candor.regress(pd.DataFrame({"drugs": YES, "age": [1e200, 1.0] * 50}), "drugs", "age", design=FLIP),
         "on: 'age' holds 1e+200, which is too large a number."),
    ],
    "a design is read from text or from an object": [
        (lambda: candor.Design.parse(None), "the design: nothing is not an object with named fields."),
        (lambda: candor.Design.parse([]), "the design: [] is not an object with named fields."),
        (lambda: FLIP.column([]), "There is no item [] in this design; its items are drugs."),
        (lambda: FLIP.place(99), "column: 99 is not from 0 to 0."),
        (lambda: FLIP.place("x"), "column: 'x' is not from 0 to 0."),
        (lambda: candor.models.gamma_diagonal({"a": []}, 19),
         "blocks[0].items[0].options: the number of options, 0, is outside 2 to 254; an item with one option would say "
         "nothing."),
        (lambda: candor.models.improved_grouped(["a"], p=-0.1, theta=0.5), "p: -0.1 is outside 0 to 1."),
        (lambda: candor.models.unrelated_question(["a", "b"], 0.7, [0.5, 3]), "theta[1]: 3 is outside 0 to 1."),
        (lambda: candor.models.one_sided(["a"], g=-1), "g: -1 is outside 0 to 1."),
        (lambda: candor.models.one_sided(["a"], g=0.5, ask="x"), "ask: 'x' is not a whole number."),
        (lambda: candor.models.warner(np.array(5), theta=0.75), "items: 5 is neither text nor a list of texts."),
    ],
    "a table is measured by what it has": [
        (lambda: candor.measure(PEOPLE, "sex", "disease"), "The table has no column 'sex'; it has 'age', 'disease'."),
        (lambda: candor.measure(PEOPLE[[]], ["age"], "disease"), "The table has no column 'age'; it has none."),
        (lambda: candor.measure(PEOPLE.assign(disease=np.nan), ["age"], "disease"),
         "The column 'disease' has no values, so nothing can be learned of it."),
        (lambda: candor.measure(PEOPLE, ["age"], "disease", distance="hierarchical", hierarchy=5),
         "hierarchy: what is of type int is not the path of a file."),
    ],
    "a text that no file is called is no path": [
        (lambda: candor.read_records("a\x00b", FLIP), "path: what is of type str is not the path of a file."),
        (lambda: candor.anonymize(PEOPLE, "\ud800"), "path: what is of type str is not the path of a file."),
    ],
    "a table of true answers is said by its type": [
        (lambda: candor.leak(PEOPLE), "records: what is of type DataFrame is not records, such as read_records gives."),
        (lambda: candor.regress(NOWHERE, NOWHERE["town"], design=FLIP), "outcome: what is of type Series is not text."),
        (lambda: candor.table(RECORDS, "drugs", estimator=RECORDS), "estimator: what is of type Records is not text."),
        (lambda: candor.mine(RECORDS, 0.1, cases=[RECORDS]), "cases: what is of type list is not text."),
        (lambda: candor.measure(PEOPLE, ["age"], "disease", distance=PEOPLE),
         "distance: what is of type DataFrame is not text."),
        (lambda: candor.regress(3, "drugs"), "records: what is of type int is not a DataFrame of pandas or polars."),
    ],
    "what pandas holds as missing is nothing": [
        (lambda: candor.reconstruct(IN_TOWN, "drugs", sample=candor.Sample(cluster="town")),
         "cluster: respondent 1 has nothing in the column 'town'."),
        (lambda: candor.mine(IN_TOWN, 0.1, sample=candor.Sample(strata="town")),
         "strata: respondent 1 has nothing in the column 'town'."),
        (lambda: candor.compare(IN_TOWN, "drugs", by="town"), "by: respondent 1 has nothing in the column 'town'."),
        (lambda: candor.regress(NOWHERE, "drugs", designs={"a": FLIP, "b": FLIP}, design_column="town"),
         "designs: respondent 1 has nothing in the column 'town'."),
        *(
            (lambda value=value: weighed(value),
             "weights: respondent 2 has nothing in the column 'w', which is not a finite number.")
            for value in (np.nan, None, "")
        ),
        (lambda: weighed(np.inf), "weights: respondent 2 has inf in the column 'w', which is not a finite number."),
    ],
    "who answers directly is said of everybody": [
        (lambda: tell(pd.Series([True, pd.NA], dtype="boolean")),
         "direct: an array needs True or False for every respondent."),
        (lambda: tell([[1, 2], [3]]), "direct: an array needs True or False for every respondent."),
    ],
    "what is known of an answer is its share": [
        *(
            (lambda value=value: candor.careless(RECORDS, anchors=value), f"anchors: what is of type {name} {NO_PAIRS}")
            for value, name in ((["drugs:.3"], "list"), ("drugs:.3", "str"), (False, "bool"), (COLUMN, "Series"))
        ),
        (lambda: candor.careless(RECORDS, anchors={3: 0.5}), "anchors: 3 is not text."),
        (lambda: candor.careless(RECORDS, anchors={"drugs": "x"}),
         "anchors: 'x' of 'drugs' is not a share from 0 to 1, or two that bound it."),
        (lambda: candor.ledger(np.array(5)), f"designs: what is of type ndarray {NO_PAIRS}"),
    ],
    "what is not used is refused": [
        (lambda: candor.compare(RECORDS, "drugs", measure="nope"),
         "measure: 'nope' is not one of support, confidence, lift, leverage."),
        (lambda: candor.compare({}, "drugs"), "records: no version is given."),
        (lambda: candor.guarantee(FLIP, delta=1e-6), "delta: 1e-06 goes with respondents."),
    ],
    "an argument has the name that it has in the call": [
        (lambda: candor.sample_size(FLIP, "drugs", power=1.2, **SHARES), "power: 1.2 is not between 0 and 1."),
        (lambda: candor.advise(3, 1000, 19, direct_share=2), "direct_share: 2.0 is not from 0 to below 1."),
        (lambda: candor.lot(RECORDS, 2), "share: 2.0 is not between 0 and 1."),
    ],
    "1 and '1' are one name": [
        (lambda call=call: call(), f"{place}: the name '1' appears twice; every name may appear once.")
        for place, call in (
            ("records", lambda: candor.compare({1: RECORDS, "1": RECORDS}, "drugs")),
            ("designs", lambda: candor.regress(NOWHERE, "drugs", designs={1: FLIP, "1": FLIP}, design_column="town")),
        )
    ],
    "an argument of another type is refused by its name": [
        (lambda: candor.models.warner(3, theta=0.7), "items: 3 is neither text nor a list of texts."),
        (lambda: candor.models.k_ary({"party": 3}, p=0.5), "party: 3 is neither text nor a list of texts."),
        (lambda: candor.read_design(None), "path: nothing is not the path of a file."),
        (lambda: candor.guarantee(FLIP, prior="x"), "prior: 'x' is not a finite number."),
        (lambda: FLIP + 3, "+: what is of type int is not a design; candor.models and candor.read_design make one."),
        (lambda: candor.disguise({}, FLIP), "frame: what is of type dict is not a DataFrame of pandas or polars."),
        (lambda: candor.disguise(pd.DataFrame({"drugs": [[1]]}), FLIP),
         "frame: the column 'drugs' holds a value that is neither a number nor text."),
        (lambda: candor.reconstruct(pd.DataFrame(), "drugs"),
         "records: what is of type DataFrame is not records; candor.Records.from_frame makes them of a DataFrame."),
        (lambda: counted({"": (9, 0), "drugs": (4, 0)}, level="x"), "level: 'x' is not a finite number."),
        (lambda: candor.advise(3, 1000, float("nan")), "gamma: nan is not a finite number."),
        (lambda: candor.advise(3, 1000.5, 19), "respondents: 1000.5 is not a whole number."),
        (lambda: candor.measure(PEOPLE, [3], "age"), "quasi: 3 is not text."),
        (lambda: candor.power(FLIP, 3, respondents=1000, **SHARES), "pattern: 3 is not text."),
    ],
    "a share, a group or a seed that is none is said to be none": [
        (lambda: tell(1.5), "direct: 1.5 is not a share from 0 to 1."),
        (lambda: tell([0.5, 0.5]), "direct: an array needs True or False for every respondent."),
        (lambda: tell([True]), "frame: the direct group is marked for 1 rows, and there are 2."),
        (lambda: candor.disguise(NOWHERE, FLIP, seed=-1), "seed: -1 is not a whole number from 0."),
        (lambda: candor.disguise(NOWHERE, FLIP, seed=True), "seed: True is not a whole number from 0."),
    ],
    "what is disguised cannot stay as it is, and what is not there cannot be kept": [
        *(
            (lambda names=names: candor.disguise(NOWHERE, FLIP, open_columns=names), f"open_columns: {said}")
            for names, said in (
                (["drugs"], "'drugs' is disguised and cannot be kept as it is."),
                (["direct"], "'direct' is disguised and cannot be kept as it is."),
                (["age"], "the frame has no column 'age'."),
                (3, "3 is neither text nor a list of texts."),
            )
        ),
    ],
    "what nobody can mean is not guessed": [
        (lambda: candor.reconstruct(RECORDS, {"drugs": 0}),
         "patterns: {'drugs': 0} is neither text nor a list of texts."),
        (lambda: candor.reconstruct(AGES),
         "'age' lies on a grid and has no options to match; ask for its distribution."),
        (lambda: FLIP + FLIP, "blocks[1]: the item 'drugs' is already in blocks[0]."),
        (lambda: FLIP.guarantee(prior=0.05),
         "design.guarantee() is candor.guarantee(design) now, with the same arguments after the design."),
        (lambda: candor.disguise(pd.concat({"one": NOWHERE}, axis="columns"), FLIP),
         "frame: the names of its columns have several levels; a column must have one name."),
    ],
    "no figure is of nobody": [
        (lambda: candor.reconstruct(NOBODY, "drugs"), NO_RECORDS),
        (lambda: candor.table(NOBODY, ["drugs"]), NO_RECORDS),
        (lambda: candor.compare(NOBODY, "drugs"), NO_RECORDS),
        (lambda: candor.lot(NOBODY, 0.2), NO_RECORDS),
        (lambda: candor.mine(NOBODY, 0.1), NO_RECORDS),
        (lambda: candor.careless(NOBODY), NO_RECORDS),
        (lambda: candor.regress(NOWHERE.iloc[:0], "drugs", model="sld", model_options=LYING),
         "There are no records to fit a regression to."),
    ],
}  # fmt: skip
CASES = [pytest.param(*case, id=f"{why} {place}") for why, cases in REFUSED.items() for place, case in enumerate(cases)]


@pytest.mark.parametrize(("call", "sentence"), CASES)
def test_a_mistake_is_refused_in_one_sentence(call: Callable[[], object], sentence: str) -> None:
    """Each for the reason that names it above."""
    assert refusal_of(call) == sentence


def test_a_count_of_bins_may_be_a_number_of_numpy() -> None:
    """A count that comes out of an array means what it says."""
    assert candor.distribution(AGES, "age", bins=np.int64(5)).shares.shape == (5,)  # type: ignore[arg-type]


def test_an_edge_of_bins_keeps_its_digits() -> None:
    """An edge of seven digits is that edge, and not one near it."""
    item = {"id": "income", "min": 1_234_000, "max": 1_234_999, "step": 1}
    design = candor.Design.parse({"blocks": [{"number": "square-wave", "epsilon": 3, "items": [item]}]})
    records = candor.disguise(pd.DataFrame({"income": range(1_234_000, 1_235_000)}), design, seed=7)

    mined = candor.mine(records, 0.01, engine="bitset", least=1, bins={"income": [1_234_567]})

    assert sorted(mined.itemsets["itemset"]) == ["income=1234000…1234566", "income=1234567…1234999"]


def test_two_spellings_of_a_pattern_have_one_count() -> None:
    """Counts of 'a,b' and 'b,a' that differ are refused; the last one was taken. The same count may stand twice."""
    both = candor.models.warner(["a", "b"], theta=0.75)
    counts = {"": (1000, 0), "a": (400, 0), "a=1": (400, 0), "b": (400, 0), "a,b": (200, 0)}

    assert refusal_of(lambda: candor.reconstruct_counts(both, "a,b", counts | {"b,a": (150, 0)})) == (
        "counts: 'a,b' and 'b,a' are the same pattern, but their counts differ."
    )
    assert refusal_of(lambda: candor.reconstruct_counts(both, "a", [*counts.items(), ("a", (3, 0))])) == (  # type: ignore[arg-type]
        "counts: the name 'a' appears twice; every name may appear once."
    )
    assert candor.reconstruct_counts(both, "a,b", counts).to_json() == (
        candor.reconstruct_counts(both, "b,a", {name: pair for name, pair in counts.items() if name != "a=1"}).to_json()
    )


@pytest.mark.parametrize("value", [[1], 1j, b"x"], ids=["list", "complex", "bytes"])
def test_a_column_that_no_file_can_hold_is_refused_when_it_comes(value: object) -> None:
    """Records that were taken and could not be written were lost where the notebook ended."""
    frame = pd.DataFrame({"drugs": [1, 0], "direct": [0, 0], "odd": [value, value]})
    sentence = f"frame: the column 'odd' holds {quote(value)}, which is neither a number nor text."

    assert refusal_of(lambda: candor.Records.from_frame(frame, FLIP)) == sentence
    assert refusal_of(lambda: candor.disguise(frame, FLIP, open_columns=["odd"])) == sentence


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (pd.Interval(0, 30), "(0, 30]"),
        (pd.Period("2026-03", "M"), "2026-03"),
        (UUID(int=7), "00000000-0000-0000-0000-000000000007"),
    ],
    ids=["interval", "period", "uuid"],
)
def test_a_column_of_groups_periods_or_uuids_is_kept_as_text(value: object, text: str) -> None:
    """`pd.cut` makes groups of ages, by which figures are compared."""
    frame = pd.DataFrame({"drugs": [1, 0], "direct": [0, 0], "group": [value, value]})

    assert candor.Records.from_frame(frame, FLIP).to_frame()["group"].tolist()[0] == text
    assert candor.disguise(frame, FLIP, open_columns=["group"]).to_frame()["group"].tolist()[0] == text


@pytest.mark.filterwarnings("error")
def test_a_figure_of_one_record_has_no_error() -> None:
    """One respondent does not tell how respondents differ: the error is left empty, as elsewhere, without a warning."""
    one = candor.disguise(pd.DataFrame({"drugs": [True]}), FLIP, seed=7)

    compared = candor.compare(one, "drugs")

    assert compared.to_frame()[["n", "estimate"]].to_numpy().tolist() == [[1, one.codes.item() * 2 - 0.5]]
    assert compared.to_frame()[["se", "low", "high"]].isna().to_numpy().all()
    assert [compared.to_json()["figures"][0][name] for name in ("se", "ci", "p")] == [None, [None, None], None]


def two_columns(names: list[Any]) -> pd.DataFrame:
    """Answers, and a weight and a town under these names."""
    frame = pd.DataFrame({"drugs": [1, 0, 0, 1], "w": 1.0, "town": ["a", "b", "a", "b"]})
    return frame.set_axis(["drugs", *names], axis="columns")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["town", "town"], "the column 'town' appears twice."),
        ([5, "5"], "the column '5' appears twice."),
        (["drugs", "town"], "the column 'drugs' appears twice."),
    ],
    ids=["open", "number and text", "item"],
)
@pytest.mark.parametrize(
    ("called", "taken"),
    [
        ("frame", lambda frame: candor.Records.from_frame(frame, FLIP)),
        ("frame", lambda frame: candor.disguise(frame, FLIP)),
        ("records", lambda frame: candor.regress(frame, "drugs", design=FLIP)),
        ("frame", lambda frame: candor.measure(frame, ["drugs"], "town")),
        ("frame", lambda frame: candor.anonymize(frame, {})),
    ],
    ids=["from_frame", "disguise", "regress", "measure", "anonymize"],
)
def test_a_name_of_two_columns_is_refused_wherever_a_table_comes_in(
    names: list[Any], sentence: str, called: str, taken: Callable[[pd.DataFrame], object]
) -> None:
    """After a join a column may stand twice: which of them is meant, nobody knows."""
    assert refusal_of(lambda: taken(two_columns(names))) == f"{called}: {sentence}"


@pytest.mark.parametrize("value", [10**5000, -(10**5000)], ids=["large", "small"])
@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda value: arguments.whole_number(value, "x"), "x"),
        (lambda value: candor.advise(["a"], 1000, gamma=value), "gamma"),
        (lambda value: candor.reconstruct_counts(FLIP, "drugs", {"drugs": (value, 5)}), "drugs"),
        (lambda value: candor.Design.parse({"model": "warner", "theta": value, "items": ["a"]}), "theta"),
    ],
    ids=["whole", "advise", "reconstruct_counts", "design"],
)
def test_a_number_too_long_to_be_written_is_refused_by_its_length(
    call: Callable[[int], object], place: str, value: int
) -> None:
    """Python writes no more than 4300 digits of a whole number; the sentence does without them."""
    sentence = refusal_of(lambda: call(value))

    assert place in sentence
    assert "a number of more than 4300 digits" in sentence


def test_who_answers_directly_is_said_row_by_row_of_the_frame() -> None:
    """A Series goes by its index, as everywhere in pandas: one of other rows, or of another order, is refused."""
    frame = pd.DataFrame({"drugs": [True, False, True]}, index=["x", "y", "z"])
    direct = pd.Series([True, False, False], index=frame.index)

    assert candor.disguise(frame, FLIP_OR_TELL, direct=direct, seed=7).direct.tolist() == [True, False, False]
    for other in (direct.iloc[::-1], direct.reset_index(drop=True), direct.iloc[:2]):
        assert refusal_of(lambda other=other: candor.disguise(frame, FLIP_OR_TELL, direct=other)) == (  # type: ignore[misc]
            "direct: a Series has the index of the frame; an array goes by the order of its rows."
        )


def test_an_answer_out_of_range_is_refused_by_the_range_of_answers(tmp_path: Path) -> None:
    """Records may hold more than people may answer: who hands in answers reads what these may be."""
    frame = pd.DataFrame({"age": [200]})
    file = tmp_path / "answers.csv"
    frame.to_csv(file, index=False)
    said = "200 is given where one of 0, 1, 2, 3, 4, 5, 6, 7, …, 99 must be."

    assert refusal_of(lambda: candor.disguise(frame, AGE)) == f"frame: row 0, column 'age': {said}"
    assert refusal_of(lambda: candor.read_answers(file, AGE)) == f"{file}: row 2, column 'age': '200'{said[3:]}"
    assert refusal_of(lambda: candor.Records.from_frame(frame, AGE)) == (
        "frame: row 0, column 'age': 200 is given where one of -6, -5, -4, -3, -2, -1, 0, 1, …, 105 must be."
    )


def test_another_design_than_that_of_the_records_is_refused() -> None:
    """It was ignored, so figures of one design were printed as if they were of the other."""
    design, other = (candor.models.warner(["drugs"], theta=theta, direct=False) for theta in (0.7, 0.8))
    records = candor.disguise(pd.DataFrame({"drugs": [0, 1] * 50}), design, seed=1)
    said = "design: these records have another design; leave this one out"

    for ask in (
        lambda: candor.reconstruct(records, "drugs", design=other),
        lambda: candor.table(records, ["drugs"], design=other),
        lambda: candor.mine(records, 0.1, 0.5, design=other),
    ):
        with pytest.raises(candor.InputError, match=said):
            ask()
    same = candor.Design.parse(design.to_json())
    assert str(candor.reconstruct(records, "drugs", design=same)) == str(candor.reconstruct(records, "drugs"))


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([[1, 0, None], [1, None, None]],
         "row y answers 1 of the 3 items from 'a' to 'c', and this design asks 2 of them."),
        ([[1, 0, 1], [1, None, 1], [0, 1, 0]],
         "row y, column 'b': nothing is given. Row x answers every item, so all rows must; the disguise chooses which "
         "items are asked."),
    ],
)  # fmt: skip
def test_a_row_that_is_refused_is_one_of_the_frame(answers: list[list[Any]], sentence: str) -> None:
    """Whatever is wrong with it: by the row and the column of the frame, and not by a row that answers everything."""
    some = candor.models.warner(["a", "b", "c"], theta=0.75, ask=2)
    frame = pd.DataFrame(answers, columns=["a", "b", "c"], index=[*"xyz"][: len(answers)])

    assert refusal_of(lambda: candor.disguise(frame, some)) == f"frame: {sentence}"
