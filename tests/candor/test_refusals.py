"""What analysts hand in by mistake is refused in one sentence; nobody reads an error from inside the library."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor

YES = [True, False, True, True] * 25
FLIP = candor.models.warner(["drugs"], theta=0.75)
AGE = candor.Design.parse(
    {"blocks": [{"number": "square-wave", "epsilon": 3, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}]}
)


def opened(design: candor.Design, frame: pd.DataFrame) -> candor.Records:
    """Records with the open columns w and town."""
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
    """Whoever passes the weights themselves reads what to pass instead, whatever is estimated."""
    assert refused(lambda: statistic(records, ages, **{use: pd.Series([1.0] * 100)})) == (
        f"{use}: what is of type Series is not the name of an open column; the column is given by its name."
    )


def test_subgroups_are_given_by_the_name_of_their_column(records: candor.Records) -> None:
    """The column of subgroups is named as that of weights is."""
    assert refused(lambda: candor.compare(records, "drugs", pd.Series(["a", "b"] * 50))) == (  # type: ignore[arg-type]
        "by: what is of type Series is not the name of an open column; the column is given by its name."
    )


@pytest.mark.parametrize("respondents", [-5, 0, 10**400])
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
        ({"": (10, 0), "drugs": 2}, "supports: 2 of 'drugs' is not two counts, disguised and direct records."),
        ({"": (10, 0), "drugs": (1,)}, "supports: (1,) of 'drugs' is not two counts, disguised and direct records."),
    ],
)
def test_counts_are_pairs_of_whole_numbers(counts: Any, sentence: str) -> None:
    """A pattern has two counts: of disguised and of direct records."""
    assert refused(lambda: candor.reconstruct_counts(FLIP, "drugs", counts)) == sentence


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


@pytest.mark.parametrize("model", [candor.models.gamma_diagonal, candor.models.k_ary], ids=["gamma-diagonal", "k-ary"])
def test_an_item_without_options_is_refused_alike_by_every_model(model: Callable[..., object]) -> None:
    """There is nothing to draw from."""
    assert refused(lambda: model({"a": []}, 0.5 if model is candor.models.k_ary else 19)) == (
        "blocks[0].items[0].options: the number of options, 0, is outside 2 to 254; "
        "an item with one option would tell nothing."
    )


@pytest.mark.filterwarnings("error")
def test_a_figure_of_one_record_has_no_error() -> None:
    """One respondent does not tell how respondents differ: the error is left empty, as elsewhere, without a warning."""
    one = candor.disguise(pd.DataFrame({"drugs": [True]}), FLIP, seed=7)

    told = candor.compare(one, "drugs")

    assert told.to_frame()[["n", "estimate"]].to_numpy().tolist() == [[1, one.codes.item() * 2 - 0.5]]
    assert told.to_frame()[["se", "low", "high"]].isna().to_numpy().all()
    assert [told.to_json()["figures"][0][name] for name in ("se", "ci", "p")] == [None, [None, None], None]


def test_a_refusal_does_not_print_the_table_that_it_refuses() -> None:
    """Where records or a text must be, a table may hold true answers: its type is said, and none of its rows."""
    frame = pd.DataFrame({"drugs": YES})

    assert refused(lambda: candor.leak(frame)) == (  # type: ignore[arg-type]
        "records: what is of type DataFrame is not records, such as read_records gives."
    )
    assert refused(lambda: candor.regress(frame, frame["drugs"], design=FLIP)) == (  # type: ignore[arg-type]
        "outcome: what is of type Series is not text."
    )
