"""From disguised records to itemsets and rules: the one way in."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from mining.engines.bits import pack
from mining.engines.few import kept
from mining.engines.lattice import Lattice
from mining.engines.literals import Literals, literals
from mining.engines.progress import READING, Progress, silent
from mining.engines.reasons import WAS_ASKED, WAS_EMPTY, WAS_LARGE, WAS_MANY, WAS_SMALL
from mining.engines.rules import Rules, rules
from mining.engines.search import Wanted, search
from mining.engines.threshold import declines, most_candidates
from privacy.design import Design
from privacy.errors import EntryError
from privacy.reconstruct.estimators import ESTIMATORS

ENGINES = ("auto", "bitset", "mlxtend")
LONGEST = 6
# What `auto` gives to the reference engine takes it .1 s.
_SMALL = 100_000  # records × literals
_FEW = 10_000  # itemsets that may pass its threshold

Part = tuple[np.ndarray, np.ndarray]  # codes (n, items), direct (n,), as in privacy.records.Records


@dataclass(frozen=True)
class Request:
    """What to mine, checked: every value is refused with one sentence where it makes no sense."""

    min_support: float
    min_confidence: float
    max_length: int = 3
    negated: bool = False
    estimator: str = "stratified"
    engine: str = "auto"
    least: int = 1  # of fewer respondents nothing is told
    most_itemsets: int = 200_000
    most_rules: int = 100_000

    ASKED: ClassVar = ("min_support", "min_confidence", "max_length", "negated", "estimator", "engine")

    def __post_init__(self) -> None:
        if not 0 < self.min_support <= 1:
            raise EntryError(
                "{min_support} is not a share above 0 and up to 1.", "min_support", min_support=plain(self.min_support)
            )
        if not 0 <= self.min_confidence <= 1:
            raise EntryError(
                "{min_confidence} is not a share from 0 to 1.",
                "min_confidence",
                min_confidence=plain(self.min_confidence),
            )
        if not 1 <= self.max_length <= LONGEST:
            raise EntryError(
                "{max_length} is not from 1 to {longest} items.",
                "max_length",
                max_length=self.max_length,
                longest=LONGEST,
            )
        if self.estimator not in ESTIMATORS:
            raise EntryError(
                "{name!r} is not one of {known}.", "estimator", name=self.estimator, known=", ".join(ESTIMATORS)
            )
        if self.least < 1:
            raise EntryError("{least} respondents are fewer than one.", "least", least=self.least)
        if self.engine not in ENGINES:
            raise EntryError("{name!r} is not one of {known}.", "engine", name=self.engine, known=", ".join(ENGINES))


def plain(number: float) -> str:
    """A number with all the digits it has: rounded, 1.0000001 would be refused as 1, and two runs look alike."""
    return repr(float(number)).removesuffix(".0")


@dataclass(frozen=True)
class Mined:
    """The lattice and its rules, with the engine that made them, and why it was that one."""

    lattice: Lattice
    rules: Rules
    engine: str
    why: str

    @property
    def literals(self) -> Literals:
        return self.lattice.literals


def mine(parts: Iterable[Part], design: Design, request: Request, progress: Progress = silent) -> Mined:
    """Itemsets and rules of the records in `parts`, which may come one after the other."""
    of = literals(design, request.negated)
    wanted = Wanted(request.min_support, request.max_length, request.estimator, request.most_itemsets, request.least)
    progress(READING, 0, 0, 0)
    engine, why, parts = _engine(parts, of, wanted, request.engine)
    if engine == "mlxtend":
        from mining.engines import frames  # pandas is slow to import, and most jobs do without

        codes, direct = _whole(parts)
        lattice = frames.search_frame(of, codes, direct, wanted, progress)
    else:
        lattice = search(pack(parts, of), wanted, progress)
    found = rules(lattice, request.min_confidence, request.estimator, request.max_length, request.most_rules, progress)
    if engine == "mlxtend":
        found = frames.reference_metrics(lattice, found)
    return Mined(lattice, found, engine, why)


def _engine(parts: Iterable[Part], of: Literals, wanted: Wanted, asked: str) -> tuple[str, str, Iterable[Part]]:
    """The engine to take, why, and the parts; `auto` reads no more of them beforehand than it takes to tell.

    InputError where mlxtend is asked for and declines.
    """
    if asked == "bitset":
        return "bitset", WAS_ASKED, parts
    parts = iter(parts)
    read: list[Part] = []
    for part in parts:
        read.append(part)
        if asked == "auto" and sum(len(direct) for _, direct in read) * len(of) > _SMALL:
            return "bitset", WAS_LARGE, chain(read, parts)
    if not any(len(direct) for _, direct in read):
        return "bitset", WAS_EMPTY, []
    codes, direct = _whole(read)
    read = [(codes, direct)]
    codes, direct = kept(of.design, codes, direct, wanted.least, wanted.max_length)
    refusal = declines(of, wanted, direct)
    if asked == "mlxtend" and refusal:
        raise EntryError("{refusal} Take the bitset engine.", refusal=refusal)
    if asked == "mlxtend":
        return "mlxtend", WAS_ASKED, read
    if refusal or most_candidates(of, wanted, codes, direct) > _FEW:
        return "bitset", refusal or WAS_MANY, read
    return "mlxtend", WAS_SMALL, read


def _whole(parts: Iterable[Part]) -> Part:
    codes, direct = (np.concatenate(column) for column in zip(*parts, strict=True))
    return codes, direct
