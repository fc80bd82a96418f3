"""What every result at the front door does: print, be a frame and be JSON."""

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design.model_blocks import MODELS as BUILT
from privacy.design.parameters import parameters
from privacy.reconstruct.group_difference import Leak

MODELS: dict[str, dict[str, object]] = {
    "warner": {"theta": 0.7, "items": ["a", "b"]},
    "unrelated-question": {"p": 0.7, "theta": 0.4, "items": ["a", "b"]},
    "forced-response": {"p": 0.6, "yes": 0.2, "items": ["a", "b"]},
    "crosswise": {"prevalence": 0.25, "items": ["a", "b"]},
    "grouped": {"p": 0.3, "theta": 0.6, "items": ["a", "b"]},
    "improved-grouped": {"p": 0.3, "theta": 0.6, "items": ["a", "b"]},
    "k-ary": {"p": 0.5, "items": [{"id": "party", "options": ["left", "centre", "right"]}]},
    "gamma-diagonal": {"gamma": 9, "items": ["a", "b"]},
    "flip": {"gamma": 9, "radius": 1, "items": ["a", "b", "c"]},
    "binary": {"u": 0.75, "v": 0.25, "items": ["a", "b"]},
    "one-of": {"gamma": 9, "cap": 2, "items": ["a", "b", "c"]},
}


@pytest.fixture
def leak() -> Leak:
    answers = pd.DataFrame({"drugs": [1, 0, 0, 1] * 25, "cheating": [0, 1, 0, 1] * 25})
    grouped = candor.models.grouped(["drugs", "cheating"], p=0.5, theta=0.5)
    return candor.leak(candor.disguise(answers, grouped, seed=7))


@pytest.mark.filterwarnings("ignore:design. this design gives true answers away")
def test_a_small_result_is_shown_as_the_large_ones_are(leak: Leak) -> None:
    """It prints as a table, a notebook shows that table, and no part of a dataclass is read."""
    assert "<table>" in leak._repr_html_()
    assert "\n" in str(leak)
    assert "Leak" not in repr(leak)


@pytest.mark.filterwarnings("ignore:design. this design gives true answers away")
def test_a_small_result_has_its_figures_in_every_form(leak: Leak) -> None:
    """The frame holds the figures that the attributes and the JSON hold, to the last digit."""
    document = leak.to_json()

    assert leak.to_frame()["row"].tolist() == leak.rows.tolist() == document["rows"]
    assert document["share"] == leak.share > 0


@pytest.mark.filterwarnings("ignore:design. this design gives true answers away")
def test_rows_that_leak_are_counted_and_not_all_printed() -> None:
    """The first twenty stand for all, also in `print`; the frame has each of them."""
    answers = pd.DataFrame({"drugs": [1, 0] * 100, "cheating": [0, 1] * 100})
    leaked = candor.leak(candor.disguise(answers, candor.models.grouped(["drugs", "cheating"], p=0.5, theta=0.5)))

    assert len(leaked.to_frame()) > 21
    assert len(str(leaked).splitlines()) == 2 + 20 + 1
    assert str(leaked).splitlines()[-1] == f"… and {len(leaked.rows) - 20} more rows" == repr(leaked).splitlines()[-1]


@pytest.mark.parametrize("model", MODELS)
def test_a_design_of_every_model_prints_and_has_its_parameters(model: str) -> None:
    """As JSON it reads back, and captions of figures tell its parameters."""
    design = candor.Design.parse({"model": model, **MODELS[model]})

    assert str(design).splitlines()[0].startswith(f"{len(design.items)} item")
    assert set(MODELS) == set(BUILT)
    assert "= " in parameters(design, [item.id for item in design.items])
    assert candor.Design.parse(design.to_json()) == design


@pytest.mark.parametrize("model", MODELS)
def test_whether_people_may_answer_directly_is_true_or_false(model: str) -> None:
    options = {name: value for name, value in MODELS[model].items() if name != "items"}

    with pytest.raises(candor.InputError, match=r"^direct: 'x' is not true or false\.$"):
        getattr(candor.models, model.replace("-", "_"))(["a", "b", "c"], **options, direct="x")


@pytest.mark.filterwarnings("error")
def test_a_group_of_which_nothing_can_be_told_is_said_to_be_one() -> None:
    """Noise alone, and pooled figures: only who answered directly tells anything, and of the others nobody did."""
    design = candor.Design.parse({"direct": True, "blocks": [{"keep": 0, "items": [{"id": "drugs", "theta": 0.5}]}]})
    table = pd.DataFrame(
        {"direct": [1, 1, 0, 0] * 5, "drugs": [1, 0] * 10, "group": ["told", "told", "not", "not"] * 5}
    )

    compared = candor.compare(candor.Records.from_frame(table, design), "drugs", "group", estimator="pooled")

    assert compared.to_frame()["estimate"].isna().tolist() == [True, False]
    assert str(compared).splitlines()[-1] == (
        "An estimate is missing where nobody answered directly and the disguise leaves nothing of it."
    )


# Results with arrays are equal to themselves alone, and can be looked for in a list.


AGE = candor.Design.parse(
    {"blocks": [{"number": "square-wave", "epsilon": 3, "items": [{"id": "age", "min": 0, "max": 9, "step": 1}]}]}
)


def _records() -> candor.Records:
    return candor.disguise(pd.DataFrame({"drugs": [True, False] * 50}), candor.models.warner(["drugs"], 0.75), seed=7)


def _ages() -> candor.Records:
    return candor.disguise(pd.DataFrame({"age": np.arange(100) % 10}), AGE, seed=7)


@pytest.mark.parametrize(
    "make",
    [
        _records,
        lambda: candor.table(_records(), ["drugs"]),
        lambda: candor.mine(_records(), 0.1, engine="bitset"),
        lambda: candor.measure(pd.DataFrame({"age": [20, 30], "disease": ["flu", "cold"]}), ["age"], "disease"),
        lambda: candor.leak(_records()),
        lambda: candor.distribution(_ages(), "age", bins=5),
    ],
    ids=["records", "table", "mine", "measure", "leak", "distribution"],
)
def test_a_result_with_arrays_equals_itself_alone(make):
    """`==` answers, and a result can stand in a set."""
    one, other = make(), make()

    assert one == one
    assert one != other
    assert len({one, other}) == 2
