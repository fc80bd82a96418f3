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


@pytest.fixture
def records() -> candor.Records:
    return opened(FLIP, pd.DataFrame({"drugs": YES}))


@pytest.fixture
def ages() -> candor.Records:
    return opened(AGE, pd.DataFrame({"age": range(100)}))


def refused(call: Callable[[], object]) -> str:
    """The sentence that refuses it."""
    with pytest.raises(candor.InputError) as said:
        call()
    return str(said.value)


@pytest.mark.parametrize("use", ["weights", "cluster", "strata"])
@pytest.mark.parametrize(
    "statistic",
    [
        lambda records, _, **own: candor.reconstruct(records, "drugs", **own),
        lambda records, _, **own: candor.table(records, ["drugs"], **own),
        lambda records, _, **own: candor.compare(records, "drugs", **own),
        lambda records, _, **own: candor.mine(records, 0.1, engine="bitset", **own),
        lambda records, _, **own: candor.regress(records, "drugs", **own),
        lambda _, ages, **own: candor.distribution(ages, "age", **own),
    ],
    ids=["reconstruct", "table", "compare", "mine", "regress", "distribution"],
)
def test_a_column_is_given_by_its_name_and_not_by_its_values(
    records: candor.Records, ages: candor.Records, use: str, statistic: Callable[..., object]
) -> None:
    """A person who passes the weights themselves reads what to pass instead, whatever is estimated."""
    assert refused(lambda: statistic(records, ages, sample=candor.Sample(**{use: pd.Series([1.0] * 100)}))) == (
        f"{use}: what is of type Series is not the name of an undisguised column; give the name of the column."
    )


@pytest.mark.parametrize("use", ["weights", "cluster", "strata", "margins", "trim"])
@pytest.mark.parametrize(
    "statistic",
    [
        lambda records, **own: candor.reconstruct(records, "drugs", **own),
        lambda records, **own: candor.table(records, ["drugs"], **own),
        lambda records, **own: candor.compare(records, "drugs", **own),
        lambda records, **own: candor.careless(records, "drugs", anchors={"drugs": 0}, **own),
        lambda records, **own: candor.mine(records, 0.1, engine="bitset", **own),
        lambda records, **own: candor.regress(records, "drugs", **own),
        lambda records, **own: candor.distribution(records, "drugs", **own),
    ],
    ids=["reconstruct", "table", "compare", "careless", "mine", "regress", "distribution"],
)
def test_a_keyword_of_the_release_before_is_refused_by_the_name_of_the_new_one(
    records: candor.Records, use: str, statistic: Callable[..., object]
) -> None:
    """How respondents were drawn is one argument; what was one of six says so."""
    assert refused(lambda: statistic(records, **{use: "w"})) == (
        f"{use}: it is a field of one argument: write sample=candor.Sample({use}=...)."
    )


def test_a_sample_is_made_by_its_class(records: candor.Records) -> None:
    """The name of a column alone is refused, with what to write."""
    assert refused(lambda: candor.reconstruct(records, "drugs", sample="w")) == (  # type: ignore[arg-type]
        "sample: 'w' is not made by candor.Sample, as Sample(weights='w') is."
    )


def test_subgroups_are_given_by_the_name_of_their_column(records: candor.Records) -> None:
    """The column of subgroups is named as that of weights is."""
    assert refused(lambda: candor.compare(records, "drugs", pd.Series(["a", "b"] * 50))) == (  # type: ignore[arg-type]
        "by: what is of type Series is not the name of an undisguised column; give the name of the column."
    )


@pytest.mark.parametrize("respondents", [-5, 0])
def test_power_is_that_of_somebody(respondents: int) -> None:
    """No respondents have no power, and fewer than none are none."""
    assert refused(lambda: candor.power(FLIP, "drugs", respondents=respondents, support=0.1, null=0.05)) == (
        f"respondents: {respondents} is outside 1 to 9007199254740992."
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"bins": "x"}, "bins: 'x' is not a whole number."),
        ({"bins": 2.5}, "bins: 2.5 is not a whole number."),
        ({"bins": [5, None]}, "bins: nothing is not a whole number."),
        ({"bins": []}, "bins: [] is not a whole number."),
        ({"bins": [30]}, "bins: [30] is a list; write one count of bins without a list."),
        ({"seed": "x"}, "seed: 'x' is not a whole number from 0."),
        ({"seed": -1}, "seed: -1 is not a whole number from 0."),
    ],
)
def test_a_distribution_is_asked_for_by_whole_numbers(
    ages: candor.Records, options: dict[str, Any], sentence: str
) -> None:
    """Its bins are counted, and its seed is a number."""
    assert refused(lambda: candor.distribution(ages, "age", **options)) == sentence


def test_a_count_of_bins_may_be_a_number_of_numpy(ages: candor.Records) -> None:
    """A count that comes out of an array means what it says."""
    assert candor.distribution(ages, "age", bins=np.int64(5)).shares.shape == (5,)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bins", "sentence"),
    [
        (3, "bins: 3 is neither a text nor a mapping, such as {'age': [18, 30, 50]}."),
        ({"age": 3}, "bins['age']: 3 is neither text nor a list of numbers."),
        ({"age": None}, "bins['age']: nothing is neither text nor a list of numbers."),
        ({"age": ["a"]}, "bins['age']: 'a' is not a finite number."),
    ],
)
def test_bins_to_mine_are_given_by_edges(ages: candor.Records, bins: Any, sentence: str) -> None:
    """Edges between bins are numbers."""
    assert refused(lambda: candor.mine(ages, 0.1, engine="bitset", bins=bins)) == sentence


def test_an_edge_of_bins_keeps_its_digits() -> None:
    """An edge of seven digits is that edge, and not one near it."""
    item = {"id": "income", "min": 1_234_000, "max": 1_234_999, "step": 1}
    design = candor.Design.parse({"blocks": [{"number": "square-wave", "epsilon": 3, "items": [item]}]})
    records = candor.disguise(pd.DataFrame({"income": range(1_234_000, 1_235_000)}), design, seed=7)

    mined = candor.mine(records, 0.01, engine="bitset", least=1, bins={"income": [1_234_567]})

    assert sorted(mined.itemsets["itemset"]) == ["income=1234000…1234566", "income=1234567…1234999"]


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (None, "counts: nothing is neither a mapping nor a list of pairs."),
        ([1], "counts: what is of type list is neither a mapping nor a list of pairs."),
        ({3: (10, 0)}, "counts: 3 is not text."),
        ({"": (10, 0), "drugs": 2}, "counts: 2 of 'drugs' is not two counts, disguised and direct records."),
        ({"": (10, 0), "drugs": (1,)}, "counts: (1,) of 'drugs' is not two counts, disguised and direct records."),
    ],
)
def test_counts_are_pairs_of_whole_numbers(counts: Any, sentence: str) -> None:
    """A pattern has two counts: of disguised and of direct records."""
    assert refused(lambda: candor.reconstruct_counts(FLIP, "drugs", counts)) == sentence


def test_two_spellings_of_a_pattern_have_one_count() -> None:
    """Counts of 'a,b' and 'b,a' that differ are refused; the last one was taken. The same count may stand twice."""
    both = candor.models.warner(["a", "b"], theta=0.75)
    counts = {"": (1000, 0), "a": (400, 0), "a=1": (400, 0), "b": (400, 0), "a,b": (200, 0)}

    assert refused(lambda: candor.reconstruct_counts(both, "a,b", counts | {"b,a": (150, 0)})) == (
        "counts: 'a,b' and 'b,a' are the same pattern, but their counts differ."
    )
    assert refused(lambda: candor.reconstruct_counts(both, "a", [*counts.items(), ("a", (3, 0))])) == (  # type: ignore[arg-type]
        "counts: the name 'a' appears twice; every name may appear once."
    )
    assert candor.reconstruct_counts(both, "a,b", counts).to_json() == (
        candor.reconstruct_counts(both, "b,a", {name: pair for name, pair in counts.items() if name != "a=1"}).to_json()
    )


def test_the_number_of_all_records_is_asked_for_in_words() -> None:
    """The pattern of all records is an empty text, which names nothing to whom it is missing."""
    assert refused(lambda: candor.reconstruct_counts(FLIP, "drugs", {})) == (
        "counts: the number of all records, under '', is missing."
    )


@pytest.mark.parametrize(("source", "said"), [(None, "nothing"), (3, "3"), ([], "[]"), (True, "True")])
def test_a_design_is_read_from_text_or_from_an_object(source: Any, said: str) -> None:
    """What is neither JSON nor read from it is said to be no object."""
    assert refused(lambda: candor.Design.parse(source)) == f"the design: {said} is not an object with named fields."


@pytest.mark.parametrize(("subsets", "said"), [("x", "'x'"), (2.5, "2.5"), (None, "nothing"), (True, "True")])
def test_subsets_are_counted_by_a_whole_number(subsets: Any, said: str) -> None:
    """How many attributes others may know is a whole number."""
    frame = pd.DataFrame({"age": [20, 20, 30, 30], "disease": ["flu", "cold", "flu", "flu"]})

    assert refused(lambda: candor.measure(frame, ["age"], "disease", subsets=subsets)) == (
        f"subsets: {said} is not a whole number."
    )


PEOPLE = pd.DataFrame({"age": [20, 20, 30, 30], "disease": ["flu", "cold", "flu", "flu"]})


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: candor.measure(PEOPLE, ["age"], "disease", subsets=-1), "subsets: -1 is below 0."),
        (
            lambda: candor.measure(PEOPLE, ["age"], "disease", distance="hierarchical", hierarchy=5),  # type: ignore[arg-type]
            "hierarchy: what is of type int is not the path of a file.",
        ),
        (
            lambda: candor.measure(PEOPLE[[]], ["age"], "disease"),
            "The table has no column 'age'; it has none.",
        ),
        (
            lambda: candor.measure(PEOPLE.assign(disease=np.nan), ["age"], "disease"),
            "The column 'disease' has no values, so nothing can be learned of it.",
        ),
    ],
    ids=["subsets", "hierarchy", "no columns", "no values"],
)
def test_what_no_table_can_be_measured_by_is_refused(call: Callable[[], object], sentence: str) -> None:
    """Each by a rule that holds: no subsets are allowed, and a column without values tells nothing of anybody."""
    assert refused(call) == sentence


@pytest.mark.parametrize("model", [candor.models.gamma_diagonal, candor.models.k_ary], ids=["gamma-diagonal", "k-ary"])
def test_an_item_without_options_is_refused_alike_by_every_model(model: Callable[..., object]) -> None:
    """There is nothing to draw from."""
    assert refused(lambda: model({"a": []}, 0.5 if model is candor.models.k_ary else 19)) == (
        "blocks[0].items[0].options: the number of options, 0, is outside 2 to 254; "
        "an item with one option would say nothing."
    )


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (lambda: candor.models.improved_grouped(["a"], p=-0.1, theta=0.5), "p: -0.1 is outside 0 to 1."),
        (lambda: candor.models.unrelated_question(["a", "b"], 0.7, [0.5, 3]), "theta[1]: 3 is outside 0 to 1."),
        (lambda: candor.models.one_sided(["a"], g=-1), "g: -1 is outside 0 to 1."),
        (lambda: candor.models.one_sided(["a"], g=0.5, ask="x"), "ask: 'x' is not a whole number."),  # type: ignore[arg-type]
    ],
    ids=["p", "theta", "g", "ask"],
)
def test_a_model_refuses_an_argument_by_its_name(model: Callable[[], object], sentence: str) -> None:
    """And not by its place in the JSON that the model becomes."""
    assert refused(model) == sentence


@pytest.mark.parametrize("value", [[1], 1j, b"x"], ids=["list", "complex", "bytes"])
def test_a_column_that_no_file_can_hold_is_refused_when_it_comes(value: object) -> None:
    """Records that were taken and could not be written were lost where the notebook ended."""
    frame = pd.DataFrame({"drugs": [1, 0], "direct": [0, 0], "odd": [value, value]})
    sentence = f"frame: the column 'odd' holds {quote(value)}, which is neither a number nor text."

    assert refused(lambda: candor.Records.from_frame(frame, FLIP)) == sentence
    assert refused(lambda: candor.disguise(frame, FLIP, open_columns=["odd"])) == sentence


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


def test_a_refusal_does_not_print_the_table_that_it_refuses() -> None:
    """Where records or a text must be, a table may hold true answers: its type is said, and none of its rows."""
    frame = pd.DataFrame({"drugs": YES})

    assert refused(lambda: candor.leak(frame)) == (  # type: ignore[arg-type]
        "records: what is of type DataFrame is not records, such as read_records gives."
    )
    assert refused(lambda: candor.regress(frame, frame["drugs"], design=FLIP)) == (  # type: ignore[arg-type]
        "outcome: what is of type Series is not text."
    )


@pytest.mark.parametrize(
    "rows", [lambda records: records, lambda records: records.to_frame(), lambda records: [records]]
)
@pytest.mark.parametrize(
    ("option", "statistic"),
    [
        ("estimator", lambda records, **option: candor.reconstruct(records, "drugs", **option)),
        ("cases", lambda records, **option: candor.reconstruct(records, "drugs", **option)),
        (
            "estimator",
            lambda _, **option: candor.reconstruct_counts(FLIP, "drugs", {"": (9, 0), "drugs": (5, 0)}, **option),
        ),
        ("estimator", lambda records, **option: candor.table(records, ["drugs"], **option)),
        ("cases", lambda records, **option: candor.table(records, ["drugs"], **option)),
        ("measure", lambda records, **option: candor.compare(records, "drugs", **option)),
        ("estimator", lambda records, **option: candor.compare(records, "drugs", **option)),
        ("cases", lambda records, **option: candor.compare(records, "drugs", **option)),
        ("estimator", lambda records, **option: candor.mine(records, 0.1, **option)),
        ("engine", lambda records, **option: candor.mine(records, 0.1, **option)),
        ("cases", lambda records, **option: candor.mine(records, 0.1, **option)),
        ("family", lambda records, **option: candor.regress(records, "drugs", **option)),
        ("cases", lambda _, **option: candor.guarantee(FLIP, respondents=100, **option)),
        ("distance", lambda records, **option: candor.measure(records.to_frame(), ["drugs"], "town", **option)),
    ],
)
def test_a_refusal_prints_no_records_that_stand_where_a_word_must(
    records: candor.Records, option: str, statistic: Callable[..., object], rows: Callable[[candor.Records], object]
) -> None:
    """Records, a table of them or a list of them slipped into an option are said by their type, not by their rows."""
    given = rows(records)

    assert refused(lambda: statistic(records, **{option: given})) == (
        f"{option}: what is of type {type(given).__name__} is not text."
    )


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
    assert refused(lambda: taken(two_columns(names))) == f"{called}: {sentence}"


def test_names_of_several_levels_are_refused() -> None:
    """What a pivot makes has no column of one name."""
    frame = pd.concat({"one": two_columns(["w", "town"])}, axis="columns")

    assert refused(lambda: candor.disguise(frame, FLIP)) == (
        "frame: the names of its columns have several levels; a column must have one name."
    )


NOWHERE = pd.DataFrame({"drugs": [1, 0, 0, 1], "town": pd.Series([None, "b", "a", "b"], dtype="string")})


@pytest.mark.parametrize(
    ("statistic", "use"),
    [
        (lambda records: candor.reconstruct(records, "drugs", sample=candor.Sample(cluster="town")), "cluster"),
        (lambda records: candor.reconstruct(records, "drugs", sample=candor.Sample(strata="town")), "strata"),
        (lambda records: candor.compare(records, "drugs", by="town"), "by"),
        (lambda records: candor.table(records, ["drugs"], sample=candor.Sample(cluster="town")), "cluster"),
        (lambda records: candor.mine(records, 0.1, sample=candor.Sample(strata="town")), "strata"),
    ],
)
def test_what_pandas_holds_as_missing_is_nothing(statistic: Callable[..., object], use: str) -> None:
    """pandas.NA in a column of texts is refused as an empty cell is."""
    assert refused(lambda: statistic(candor.Records.from_frame(NOWHERE, FLIP))) == (
        f"{use}: respondent 1 has nothing in the column 'town'."
    )


def test_a_column_that_tells_designs_apart_lacks_no_value() -> None:
    """pandas.NA in it is refused as an empty cell is."""
    assert refused(lambda: candor.regress(NOWHERE, "drugs", designs={"a": FLIP, "b": FLIP}, design_column="town")) == (
        "designs: respondent 1 has nothing in the column 'town'."
    )


def test_who_answers_directly_is_said_of_everybody() -> None:
    """pandas.NA is neither yes nor no."""
    frame = pd.DataFrame({"drugs": [1, 0]})

    assert refused(lambda: candor.disguise(frame, FLIP_OR_TELL, direct=pd.Series([True, pd.NA], dtype="boolean"))) == (
        "direct: an array needs True or False for every respondent."
    )


@pytest.mark.parametrize(
    ("anchors", "sentence"),
    [
        (["drugs:.3"], "anchors: what is of type list is neither a mapping nor a list of pairs."),
        ("drugs:.3", "anchors: what is of type str is neither a mapping nor a list of pairs."),
        ("", "anchors: what is of type str is neither a mapping nor a list of pairs."),
        (3, "anchors: what is of type int is neither a mapping nor a list of pairs."),
        (False, "anchors: what is of type bool is neither a mapping nor a list of pairs."),
        (pd.Series({"drugs": 0.3}), "anchors: what is of type Series is neither a mapping nor a list of pairs."),
        ({3: 0.5}, "anchors: 3 is not text."),
        ({"drugs": "x"}, "anchors['drugs']: 'x' is not a finite number."),
    ],
)
def test_anchors_are_shares_by_their_answers(records: candor.Records, anchors: Any, sentence: str) -> None:
    """What is known of an answer is its share."""
    assert refused(lambda: candor.traces(records, anchors=anchors)) == sentence


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
    sentence = refused(lambda: call(value))

    assert place in sentence
    assert "a number of more than 4300 digits" in sentence


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda records: candor.compare(records, "drugs", measure="nope"),
            "measure: 'nope' is not one of support, confidence, lift, leverage.",
        ),
        (lambda _: candor.compare({}, "drugs"), "records: no version is given."),
        (lambda records: candor.compare(records, "drugs", least=-4), "least: -4 is below 1."),
    ],
)
def test_a_comparison_takes_nothing_that_it_does_not_use(
    records: candor.Records, call: Callable[[Any], object], sentence: str
) -> None:
    """A measure that no rule has, no versions and fewer than no respondents are refused, and not passed over."""
    assert refused(lambda: call(records)) == sentence


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda records: candor.compare({1: records, "1": records}, "drugs"), "records"),
        (lambda _: candor.regress(NOWHERE, "drugs", designs={1: FLIP, "1": FLIP}, design_column="town"), "designs"),
        (lambda _: candor.regress(NOWHERE, "drugs", designs=[("1", FLIP)] * 2, design_column="town"), "designs"),
    ],
)
def test_what_is_named_alike_is_refused(records: candor.Records, call: Callable[[Any], object], place: str) -> None:
    """Tables and files write 1 and "1" alike: the second one would take the place of the first without a word."""
    sentence = f"{place}: the name '1' appears twice; every name may appear once."
    assert refused(lambda: call(records)) == sentence


def test_who_answers_directly_is_said_row_by_row_of_the_frame() -> None:
    """A Series goes by its index, as everywhere in pandas: one of other rows, or of another order, is refused."""
    frame = pd.DataFrame({"drugs": [True, False, True]}, index=["x", "y", "z"])
    direct = pd.Series([True, False, False], index=frame.index)

    assert candor.disguise(frame, FLIP_OR_TELL, direct=direct, seed=7).direct.tolist() == [True, False, False]
    for other in (direct.iloc[::-1], direct.reset_index(drop=True), direct.iloc[:2]):
        assert refused(lambda other=other: candor.disguise(frame, FLIP_OR_TELL, direct=other)) == (  # type: ignore[misc]
            "direct: a Series has the index of the frame; an array goes by the order of its rows."
        )


def test_an_answer_out_of_range_is_refused_by_the_range_of_answers(tmp_path: Path) -> None:
    """Records may hold more than people may answer: who hands in answers reads what these may be."""
    frame = pd.DataFrame({"age": [200]})
    file = tmp_path / "answers.csv"
    frame.to_csv(file, index=False)
    said = "200 is given where one of 0, 1, 2, 3, 4, 5, 6, 7, …, 99 must be."

    assert refused(lambda: candor.disguise(frame, AGE)) == f"frame: row 0, column 'age': {said}"
    assert refused(lambda: candor.read_answers(file, AGE)) == f"{file}: row 2, column 'age': '200'{said[3:]}"
    assert refused(lambda: candor.Records.from_frame(frame, AGE)) == (
        "frame: row 0, column 'age': 200 is given where one of -6, -5, -4, -3, -2, -1, 0, 1, …, 105 must be."
    )


def test_a_row_that_is_refused_is_one_of_the_frame() -> None:
    """Whatever is wrong with it: one word for what was handed in."""
    some = candor.models.warner(["a", "b", "c"], theta=0.75, ask=2)
    frame = pd.DataFrame({"a": [1, 1], "b": [0, None], "c": [None, None]})

    assert refused(lambda: candor.disguise(frame, some)) == (
        "frame: row 1 answers 1 of the 3 items from 'a' to 'c', and this design asks 2 of them."
    )


def test_an_answer_that_is_missing_among_complete_ones_is_named() -> None:
    """By the row and the column of the frame, and not by a row that answers everything."""
    some = candor.models.warner(["a", "b", "c"], theta=0.75, ask=2)
    frame = pd.DataFrame({"a": [1, 1, 0], "b": [0, None, 1], "c": [1, 1, 0]}, index=["x", "y", "z"])

    assert refused(lambda: candor.disguise(frame, some)) == (
        "frame: row y, column 'b': nothing is given. Row x answers every item, so all rows must; the disguise chooses "
        "which items are asked."
    )


def test_words_for_yes_and_no_are_answers_of_a_frame() -> None:
    """In any case, as `candor disguise` reads them in a file."""
    frame = pd.DataFrame({"drugs": ["Yes", "no", "TRUE", "false"]})
    direct = candor.models.warner(["drugs"], theta=0.7, direct=True)
    assert candor.disguise(frame, direct, direct=[True] * 4).codes.ravel().tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("value", [np.nan, None, ""])
def test_a_weight_that_is_missing_is_nothing(value: object) -> None:
    """What was not given is said so, whatever stands for it."""
    frame = pd.DataFrame({"drugs": [1, 0], "w": [1.0, value]})

    assert refused(
        lambda: candor.reconstruct(candor.Records.from_frame(frame, FLIP), "drugs", sample=candor.Sample(weights="w"))
    ) == ("weights: respondent 2 has nothing in the column 'w', which is not a finite number.")


def test_a_weight_that_is_no_number_is_printed_plainly() -> None:
    """A number of numpy is printed as a number."""
    records = candor.Records.from_frame(pd.DataFrame({"drugs": [1, 0], "w": [1.0, np.inf]}), FLIP)

    assert refused(lambda: candor.reconstruct(records, "drugs", sample=candor.Sample(weights="w"))) == (
        "weights: respondent 2 has inf in the column 'w', which is not a finite number."
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda _: candor.measure(pd.DataFrame({"age": [20], "town": "a", "d": "flu"}), ["nope"], "d"),
            "The table has no column 'nope'; it has 'age', 'town', 'd'.",
        ),
        (
            lambda _: candor.sample_size(FLIP, "drugs", power=1.2, support=0.1, null=0.05),
            "power: 1.2 is not between 0 and 1.",
        ),
        (lambda _: candor.regress(3, "drugs"), "records: what is of type int is not a DataFrame of pandas or polars."),
        (lambda _: candor.advise(3, 1000, 19, direct_share=2), "direct_share: 2.0 is not from 0 to below 1."),
        (lambda records: candor.lot(records, 2), "share: 2.0 is not between 0 and 1."),
    ],
)
def test_a_refusal_names_what_was_handed_in(
    records: candor.Records, call: Callable[[Any], object], sentence: str
) -> None:
    """The argument has the name that it has in the call, and a table all of its columns."""
    assert refused(lambda: call(records)) == sentence


HUGE = 10**400


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("respondents", lambda _: candor.guarantee(FLIP, respondents=HUGE)),
        ("respondents", lambda _: candor.power(FLIP, "drugs", respondents=HUGE, support=0.1, null=0.05)),
        ("least", lambda records: candor.mine(records, 0.1, least=HUGE)),
        ("budget", lambda _: candor.ledger({"a": FLIP}, budget=HUGE)),
        ("direct", lambda _: candor.disguise(pd.DataFrame({"drugs": YES}), FLIP_OR_TELL, direct=HUGE)),
    ],
)
def test_a_number_that_no_figure_holds_is_refused(
    records: candor.Records, name: str, call: Callable[[Any], object]
) -> None:
    """It is told in a short sentence, and nobody reads of an overflow."""
    assert refused(lambda: call(records)) == f"{name}: 1{'0' * 56}… is too large a number."


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: candor.reconstruct_counts(FLIP, "drugs", {"": (HUGE, 0), "drugs": (1, 0)}),
            f"counts: (1{'0' * 55}… of '' holds too large a number.",
        ),
        (
            lambda: candor.two_samples(yes=(1, 1), sizes=(HUGE, HUGE), p=(0.7, 0.3)),
            f"sizes: (1{'0' * 55}… holds too large a number.",
        ),
    ],
)
def test_counts_that_no_figure_holds_are_refused(call: Callable[[], object], sentence: str) -> None:
    """Where several are given, the list is told."""
    assert refused(call) == sentence


@pytest.mark.parametrize("target", [1e-160, 1e-320])
def test_an_error_that_nobody_reaches_is_refused(target: float) -> None:
    """As many respondents as it takes are no number."""
    assert refused(lambda: candor.advise(3, 1000, 19).reach(target)) == (
        f"target: {target:g} would need more than 9007199254740992 respondents."
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: candor.guarantee(FLIP, cases="nope"), "cases: 'nope' goes with respondents."),
        (lambda: candor.guarantee(FLIP, delta=1e-6), "delta: 1e-06 goes with respondents."),
    ],
)
def test_a_guarantee_takes_nothing_that_it_does_not_use(call: Callable[[], object], sentence: str) -> None:
    """What is about a crowd is refused where none is given, as by the command."""
    assert refused(call) == sentence


def test_bins_are_no_edges(ages: candor.Records) -> None:
    """Edges are refused by what is taken in their place."""
    assert refused(lambda: candor.distribution(ages, "age", bins=[0, 50, 99])) == (
        "bins: 'age' is a number, so give one count of bins, without edges or a grid."
    )


def test_an_array_of_one_number_is_no_list() -> None:
    """Of numpy's arrays one has nothing to go through."""
    one = np.array(5)

    assert refused(lambda: candor.models.warner(one, theta=0.75)) == (  # type: ignore[arg-type]
        "items: 5 is neither text nor a list of texts."
    )
    assert refused(lambda: candor.ledger(one)) == (  # type: ignore[arg-type]
        "designs: what is of type ndarray is neither a mapping nor a list of pairs."
    )


def test_rows_of_several_lengths_do_not_say_who_answers_directly() -> None:
    """Somebody answers directly or not."""
    frame = pd.DataFrame({"drugs": [True, False]})

    assert refused(lambda: candor.disguise(frame, FLIP_OR_TELL, direct=[[1, 2], [3]])) == (
        "direct: an array needs True or False for every respondent."
    )


@pytest.mark.parametrize("path", ["a\x00b", "\ud800"])
def test_a_text_that_no_file_is_called_is_no_path(path: str) -> None:
    """Neither a zero nor half a character stands in the name of a file."""
    calls = (lambda: candor.read_records(path, FLIP), lambda: candor.anonymize(pd.DataFrame({"age": [20]}), path))
    for call in calls:
        assert refused(call) == "path: what is of type str is not the path of a file."


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: FLIP.column([]), "There is no item [] in this design; its items are drugs."),  # type: ignore[arg-type]
        (lambda: FLIP.place(99), "column: 99 is not from 0 to 0."),
        (lambda: FLIP.place("x"), "column: 'x' is not from 0 to 0."),  # type: ignore[arg-type]
    ],
)
def test_a_column_that_a_design_has_not_is_refused(call: Callable[[], object], sentence: str) -> None:
    """By a name that is no text, and by a place that is none."""
    assert refused(call) == sentence


@pytest.mark.parametrize(("value", "said"), [(1e200, "1e+200"), (np.inf, "inf")])
def test_a_predictor_whose_squares_cannot_be_added_up_is_refused(value: float, said: str) -> None:
    """It is a number, and the sentence does not call it words."""
    frame = pd.DataFrame({"drugs": YES, "age": [value, 1.0] * 50})

    assert refused(lambda: candor.regress(frame, "drugs", "age", design=FLIP)) == (
        f"on: 'age' holds {said}, which is too large a number."
    )


def test_a_model_of_nobody_is_refused() -> None:
    """The sentence calls a frame without rows empty."""
    frame = pd.DataFrame({"drugs": [1], "town": ["x"]}).iloc[:0]
    options = {"item": "drugs", "p": {"x": 0.2, "y": 0.8}, "group": "town", "t": 0.5}

    assert refused(lambda: candor.regress(frame, "drugs", model="sld", model_options=options)) == (
        "There are no records to fit a regression to."
    )


def test_nothing_is_said_of_a_design_by_no_records(records: candor.Records) -> None:
    """That nothing speaks against a design is said of records alone."""
    nobody = candor.Records.from_frame(records.to_frame().iloc[:0], FLIP)

    for call in (lambda: candor.traces(nobody), lambda: candor.traces(records, other=nobody)):
        assert refused(call) == "There are no records, so there is nothing to estimate."


@pytest.mark.parametrize(
    "figure",
    [
        lambda nobody: candor.reconstruct(nobody, "drugs"),
        lambda nobody: candor.table(nobody, ["drugs"]),
        lambda nobody: candor.compare(nobody, "drugs"),
        lambda nobody: candor.lot(nobody, 0.2),
        lambda nobody: candor.mine(nobody, 0.1),
    ],
)
def test_no_figure_is_of_nobody(records: candor.Records, figure: Callable[[candor.Records], object]) -> None:
    """A file of a header alone is no table of zeros and dashes."""
    nobody = candor.Records.from_frame(records.to_frame().iloc[:0], FLIP)

    assert refused(lambda: figure(nobody)) == "There are no records, so there is nothing to estimate."


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


def test_a_mapping_is_no_list_of_patterns() -> None:
    """`{"drugs": 0}` was read as the yes of drugs; a no is written `!drugs`."""
    design = candor.models.warner(["drugs"], theta=0.7, direct=False)
    records = candor.disguise(pd.DataFrame({"drugs": [0, 1] * 50}), design, seed=1)

    with pytest.raises(candor.InputError, match=r"patterns: \{'drugs': 0\} is neither text nor a list of texts"):
        candor.reconstruct(records, {"drugs": 0})
