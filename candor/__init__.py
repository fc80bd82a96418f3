"""Candor for analysts: disguised answers, and the statistics recovered from them with their error.

    import candor

    design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    design.guarantee(prior=0.05)
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    candor.reconstruct(records, ["drugs", "drugs,!cheating"]).to_frame()
    candor.mine(records, min_support=0.05).rules
    candor.advise(items=10, respondents=10_000, gamma=19)

Tables go in and come out as pandas' DataFrames. A result prints as a table, a notebook shows its picture too,
`to_frame()` gives the figures as a DataFrame and `to_json()` as what the command of the same name prints with `--json`.
What cannot be used is refused by `InputError`, a ValueError whose text is one sentence. docs/analysts.md is the guide.

Nothing is imported before it is used: numpy, scipy and pandas take longer to load than most questions to answer.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from privacy.errors import InputError
from privacy.errors import InputWarning as InputWarning

if TYPE_CHECKING:  # what `__getattr__` finds, said to type checkers and editors
    from candor import models
    from candor.advice import Advice as Advice
    from candor.advice import advise
    from candor.channels import em
    from candor.comparison import Comparison as Comparison
    from candor.comparison import compare
    from candor.designs import Design, read_design
    from candor.distributions import Distribution as Distribution
    from candor.distributions import distribution
    from candor.estimates import JointTable as JointTable
    from candor.estimates import Reconstruction as Reconstruction
    from candor.estimates import reconstruct, reconstruct_counts, table
    from candor.leaks import leak
    from candor.lots import Lot as Lot
    from candor.lots import lot
    from candor.promise import Guarantee as Guarantee
    from candor.promise import Ledger as Ledger
    from candor.promise import ledger
    from candor.records import Records, disguise, read_answers, read_records
    from candor.regression import Regression as Regression
    from candor.regression import regress
    from candor.release import Anonymized as Anonymized
    from candor.release import Measures as Measures
    from candor.release import anonymize, measure
    from candor.rules import Mined as Mined
    from candor.rules import mine
    from candor.samples import power, sample_size, two_samples
    from candor.trace_tests import Traces as Traces
    from candor.trace_tests import traces
    from candor.two_arms import Arms as Arms
    from candor.two_arms import arms

# What analysts call, and the types that they make themselves. What a call returns, such as `candor.Mined`, can be named
# too, in an annotation say, but is nothing to begin with.
__all__ = [
    "Design",
    "InputError",
    "Records",
    "advise",
    "anonymize",
    "arms",
    "compare",
    "disguise",
    "distribution",
    "em",
    "leak",
    "ledger",
    "lot",
    "measure",
    "mine",
    "models",
    "power",
    "read_answers",
    "read_design",
    "read_records",
    "reconstruct",
    "reconstruct_counts",
    "regress",
    "sample_size",
    "table",
    "traces",
    "two_samples",
]

_HOMES = {
    "candor.advice": ("Advice", "advise"),
    "candor.channels": ("em",),
    "candor.comparison": ("Comparison", "compare"),
    "candor.designs": ("Design", "read_design"),
    "candor.distributions": ("Distribution", "distribution"),
    "candor.estimates": ("JointTable", "Reconstruction", "reconstruct", "reconstruct_counts", "table"),
    "candor.leaks": ("leak",),
    "candor.lots": ("Lot", "lot"),
    "candor.promise": ("Guarantee", "Ledger", "ledger"),
    "candor.records": ("Records", "disguise", "read_answers", "read_records"),
    "candor.regression": ("Regression", "regress"),
    "candor.release": ("Anonymized", "Measures", "anonymize", "measure"),
    "candor.rules": ("Mined", "mine"),
    "candor.samples": ("power", "sample_size", "two_samples"),
    "candor.trace_tests": ("Traces", "traces"),
    "candor.two_arms": ("Arms", "arms"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what is asked for, the first time it is."""
    if name == "models":
        return import_module("candor.models")
    if name == "__version__":
        return import_module("importlib.metadata").version("candor")
    if name not in _HOME:
        raise AttributeError(f"module 'candor' has no attribute {name!r}")
    member = getattr(import_module(_HOME[name]), name)
    globals()[name] = member
    return member


def __dir__() -> list[str]:
    return sorted({*__all__, *_HOME, "InputWarning", "__version__"})
