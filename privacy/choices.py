"""How figures can be estimated: what a caller may choose, each declared once. Requests, commands, forms, API follow.

Nothing here is slow to import, so that a command can say what there is before it computes anything. A new estimator is
an entry here, and its function in `privacy.estimate.estimators`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from privacy.errors import to_translate

# The words of a parameter as type checkers know them; `tests/candor/test_choices.py` compares them with what is taken.
Estimator = Literal["stratified", "combined", "pooled"]
Cases = Literal["available", "complete"]
Measure = Literal["support", "confidence", "lift", "leverage"]
Engine = Literal["auto", "bitset", "mlxtend"]
Family = Literal["logistic", "linear", "ordinal", "normal"]
Distance = Literal["equal", "ordered", "hierarchical"]
Disguiser = Literal["device", "person"]


@dataclass(frozen=True)
class WayToEstimate:
    """One way to estimate. `key` is what is typed and stored, `explained` tells those who choose what it does."""

    key: str
    explained: str
    label: str = ""  # as a page names what was chosen
    note: str = ""  # printed beside the figures; empty for the usual way


AVAILABLE, COMPLETE = "available", "complete"
USUAL_SUPPORT = 0.1  # with which forms of mining begin, and plans reckon
# A link of medium strength, of which plans speak, has a confidence of .51 where three in ten say yes. By .5 a quarter
# of true links stayed hidden, however many people answered, so forms begin with less.
USUAL_CONFIDENCE = 0.4
_ESTIMATORS = (
    WayToEstimate(
        "stratified",
        to_translate("stratified: right also when the two groups answer differently"),
        to_translate("stratified"),
    ),
    WayToEstimate(
        "combined", to_translate("combined: assumes that both groups answer alike"), to_translate("combined")
    ),
    WayToEstimate(
        "pooled", to_translate("pooled: the paper's, right only when both groups answer alike"), to_translate("pooled")
    ),
)
_CASES = (
    WayToEstimate(AVAILABLE, to_translate("available: everyone who was asked a part of it")),
    WayToEstimate(COMPLETE, to_translate("complete: only those who were asked all of it"), note="complete cases"),
)

# By key; the first one is taken where nobody has said otherwise.
ESTIMATORS = {estimator.key: estimator for estimator in _ESTIMATORS}
CASES = {case.key: case for case in _CASES}

NORMAL = "normal"
LINEAR = "linear"
# The families of regressions, the usual one first, and what each explains; the models of one item without a design.
FAMILIES = {
    "logistic": "of the odds",
    LINEAR: "of the outcome itself, by least squares",
    "ordinal": "of the odds of more, for an outcome whose values have an order",
    NORMAL: "of the outcome itself, if it is normal with one spread for everybody",
}
ITEM_MODELS = ("sld",)

# The noise of counts. Which is nearer depends on the tables; Laplace's needs no δ.
LAWS = LAPLACE, GAUSSIAN = "laplace", "gaussian"

# How far two sensitive values are apart, for t-closeness; `privacy.release.models.distances` computes each.
DISTANCES = ("equal", "ordered", "hierarchical")


def describe_choices(choices: Mapping[str, WayToEstimate]) -> str:
    """List all choices, for the help of a command; the first is the default.

    >>> describe_choices(CASES)
    'available: everyone who was asked a part of it (default); complete: only those who were asked all of it'
    """
    usual, *others = (choice.explained for choice in choices.values())
    return "; ".join([f"{usual} (default)", *others])


DEVICE, PERSON = "device", "person"
DISGUISERS = {
    DEVICE: "the device, also of what careless people press",
    PERSON: "people themselves, by a draw of their own or in their heads, and careless ones do not",
}
