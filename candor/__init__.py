"""Candor for analysts: disguised answers, and the statistics recovered from them with their error.

    import candor

    design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    candor.guarantee(design, prior=0.05)
    records = candor.disguise(frame, design, direct=0.2, seed=7)
    candor.reconstruct(records, ["drugs", "drugs,!cheating"]).to_frame()
    candor.mine(records, min_support=0.05).rules
    candor.advise(items=10, respondents=10_000, gamma=19)

Tables go in and come out as pandas' DataFrames. A result prints as a table, a notebook shows its picture too,
`to_frame()` gives the figures as a DataFrame and `to_json()` as what the command of the same name prints with `--json`.
What cannot be used is refused by `InputError`, a ValueError whose text is one sentence. docs/README.md lists
the guides.

Nothing is imported before it is used: numpy, scipy and pandas take longer to load than most questions to answer.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privacy.errors import InputError as InputError, InputWarning as InputWarning

if TYPE_CHECKING:  # what `__getattr__` finds, said to type checkers and editors
    from candor import models as models
    from mining.engines.findings import Mined as Mined
    from mining.engines.records import mine as mine
    from privacy.design import Design as Design, read_design as read_design
    from privacy.disguise.frame import disguise as disguise
    from privacy.estimate.power import power as power, sample_size as sample_size
    from privacy.estimate.sample import Sample as Sample
    from privacy.following.careless import Careless as Careless, careless as careless
    from privacy.guarantee import Guarantee as Guarantee, guarantee as guarantee
    from privacy.guarantee.channel import Breaches as Breaches, breach as breach
    from privacy.guarantee.ledger import Ledger as Ledger, ledger as ledger
    from privacy.location.points import PlaceErrors as PlaceErrors
    from privacy.places import cells as cells, places as places
    from privacy.plan.advice import Advice as Advice
    from privacy.plan.own_draw import OwnAdvice as OwnAdvice
    from privacy.plan.request import advise as advise
    from privacy.reconstruct import (
        Reconstruction as Reconstruction,
        reconstruct as reconstruct,
        reconstruct_counts as reconstruct_counts,
    )
    from privacy.reconstruct.compare import Comparison as Comparison, compare as compare
    from privacy.reconstruct.distribution import Distribution as Distribution, distribution as distribution
    from privacy.reconstruct.group_difference import leak as leak
    from privacy.reconstruct.likeliest import Likeliest as Likeliest, likeliest as likeliest
    from privacy.reconstruct.lot import Lot as Lot, lot as lot
    from privacy.reconstruct.tables import JointTable as JointTable, table as table
    from privacy.reconstruct.words_sent import wave as wave
    from privacy.records import Records as Records, read_answers as read_answers, read_records as read_records
    from privacy.regress import Regression as Regression, regress as regress
    from privacy.release.attacks.link import Link as Link, link as link
    from privacy.release.coarsen import Coarsened as Coarsened, coarsen as coarsen
    from privacy.release.counts import Counts as Counts, counts as counts
    from privacy.release.frame import Anonymized as Anonymized, anonymize as anonymize
    from privacy.release.measures.report import Measures as Measures, measure as measure


def _homes() -> dict[str, str]:
    """The module of each name that is imported above, as this file has it for type checkers."""
    block = next(one for one in ast.parse(Path(__file__).read_bytes()).body if isinstance(one, ast.If))
    imports = [one for one in block.body if isinstance(one, ast.ImportFrom)]
    return {name.name: str(one.module) for one in imports for name in one.names}


_HOME = _homes()
MERGED = {"traces": "careless"}
"""Names and commands of before, and what they are part of now."""

# What analysts call, and the types that they make themselves. What a call returns, such as `candor.Mined`, can be named
# too, in an annotation say, but is nothing to begin with.
__all__ = sorted(["Design", "InputError", "Records", "Sample", *filter(str.islower, _HOME)])


def __getattr__(name: str) -> Any:
    """Import what is asked for, the first time it is."""
    if name == "models":
        return import_module("candor.models")
    if name == "__version__":
        return import_module("privacy.version").version()
    if name in MERGED:
        raise AttributeError(f"candor.{name} is now part of candor.{MERGED[name]}.")
    if name not in _HOME:
        raise AttributeError(f"module 'candor' has no attribute {name!r}")
    member = getattr(import_module(_HOME[name]), name)
    globals()[name] = member
    return member


def __dir__() -> list[str]:
    return sorted({*__all__, *_HOME, "InputWarning", "__version__"})
