"""From disguised records to itemsets and rules, by the engine that is asked for or that suits."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain

import numpy as np

from mining.engines.bits import pack
from mining.engines.counter import Counter
from mining.engines.drawn import Weight, by_cells, weigh_records
from mining.engines.lattice import Lattice
from mining.engines.literals import Literals, literals_of
from mining.engines.progress import READING, Progress, silent
from mining.engines.reasons import MiningError
from mining.engines.request import MiningRequest, require_cells
from mining.engines.rules import Rules, rules
from mining.engines.search import search
from mining.engines.small_groups import without_small_group
from mining.engines.threshold import declines, declines_all, most_candidates
from privacy.design import Design
from privacy.reconstruct.sampling import Sampling
from privacy.records.bits import Batch

# Up to these sizes `auto` takes the reference engine, which then needs .1 s.
_SMALL = 100_000  # records × literals
_FEW = 10_000  # itemsets that may pass its threshold
# Itemsets of which mlxtend makes the rules of a site: of three literals each in half a second, of four in one.
MOST_BY_MLXTEND = 5_000


@dataclass(frozen=True)
class MinedLattice:
    """The lattice and its rules, with the engine that counted, and the code of the reason for that engine.

    `rules_by` is the code of who made the rules, and why; empty where nobody asked for mlxtend's.
    """

    lattice: Lattice
    rules: Rules
    engine: str
    why: str
    rules_by: str = ""

    @property
    def literals(self) -> Literals:
        return self.lattice.literals


def mine(
    batches: Iterable[Batch],
    design: Design,
    request: MiningRequest,
    progress: Progress = silent,
    sampling: Sampling | None = None,
    *,
    mlxtend_rules: bool = False,
) -> MinedLattice:
    """Itemsets and rules of records, which may come one batch after the other; with a sampling for its population.

    mlxtend is not needed where it neither counts nor, by `mlxtend_rules`, makes the rules.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> batch = np.array([[1], [0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> request = MiningRequest(min_support=0.1, min_confidence=0.5, engine="bitset")
    >>> mine([batch], design, request).lattice.sizes.tolist()  # the disguised, and the direct
    [1000, 0]
    """
    progress(READING, 0, 0, 0)
    literals = literals_of(design, request.negated, request.bins)
    if sampling is not None or literals.by_cells:
        require_cells(literals.bins, request)  # before anything is read
    if sampling is not None:
        return _mine_weighted(batches, literals, request, progress, sampling)
    engine, why, batches = choose_engine(batches, literals, request)
    if engine == "bitset":
        return mine_by(pack(batches, literals), request, progress, why, mlxtend_rules=mlxtend_rules)
    from mining.engines import reference  # pandas is slow to import, and most jobs do without

    lattice = reference.search_frame(literals, *_join_batches(batches), request, progress)
    return _with_rules(lattice, request, progress, engine, why, mlxtend_rules)


def _mine_weighted(
    batches: Iterable[Batch], literals: Literals, request: MiningRequest, progress: Progress, sampling: Sampling
) -> MinedLattice:
    """Mine respondents with weights; this holds all records in memory."""
    if request.engine == "mlxtend":
        raise MiningError("drawn")
    codes, direct = _join_batches(batches)
    weight = weigh_records(literals, codes, direct, sampling)
    why = "asked" if request.engine == "bitset" else "drawn"
    return mine_by(pack([(codes, direct)], literals), request, progress, why, weight)


def mine_by(
    counter: Counter,
    request: MiningRequest,
    progress: Progress = silent,
    why: str = "asked",
    weight: Weight | None = None,
    *,
    mlxtend_rules: bool = False,
) -> MinedLattice:
    """Find itemsets and rules with this counter, whatever engine the request names; `require_cells` has passed it."""
    drawn = None
    if weight is not None or counter.literals.by_cells:
        drawn = by_cells(counter, request.cases, weight)
    lattice = search(counter, request, progress, drawn)
    return _with_rules(lattice, request, progress, "bitset", why, mlxtend_rules)


def _with_rules(
    lattice: Lattice, request: MiningRequest, progress: Progress, engine: str, why: str, mlxtend_rules: bool
) -> MinedLattice:
    """The lattice with its rules; with `mlxtend_rules` by mlxtend, as far as it can make them."""
    by = _who_makes_rules(lattice) if mlxtend_rules else ""
    if by == "rules mlxtend":
        from mining.engines import reference

        try:
            return MinedLattice(lattice, rules(lattice, request, progress, reference.mlxtend_rules), engine, why, by)
        except reference.MissingPartError:
            by = "rules part"
    return MinedLattice(lattice, rules(lattice, request, progress), engine, why, by)


def _who_makes_rules(lattice: Lattice) -> str:
    """The code of who makes the rules: mlxtend, or Candor because mlxtend is missing or they are many."""
    if not find_spec("mlxtend"):
        return "rules missing"
    itemsets = sum(int(np.count_nonzero(level.accepted)) for level in lattice.levels)
    return "rules mlxtend" if itemsets <= MOST_BY_MLXTEND else "rules many"


def choose_engine(
    batches: Iterable[Batch], literals: Literals, request: MiningRequest
) -> tuple[str, str, Iterable[Batch]]:
    """The engine to take, why, and the batches; `auto` reads only as many batches as the choice needs.

    MiningError where mlxtend is asked for and declines.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> batch = np.array([[1], [0]] * 60_000, np.uint8), np.zeros(120_000, bool)
    >>> choose_engine([batch], literals_of(design), MiningRequest(min_support=0.1, min_confidence=0.5))[:2]
    ('bitset', 'large')
    """
    asked = request.engine
    if asked == "bitset":
        return "bitset", "asked", batches
    if literals.by_cells and (refusal := declines_all(literals.design, literals.bins.text)):
        if asked == "mlxtend":
            raise MiningError(refusal)
        return "bitset", refusal, batches
    batches = iter(batches)
    read: list[Batch] = []
    for batch in batches:
        read.append(batch)
        if asked == "auto" and sum(len(direct) for _, direct in read) * len(literals) > _SMALL:
            return "bitset", "large", chain(read, batches)
    if not any(len(direct) for _, direct in read):
        return "bitset", "empty", []
    codes, direct = _join_batches(read)
    read = [(codes, direct)]
    codes, direct = without_small_group(literals.design, codes, direct, request.least, request.max_length)
    refusal = declines(literals, request, direct)
    missing = None if find_spec("mlxtend") else "missing"
    if asked == "mlxtend":
        if obstacle := refusal or missing:
            raise MiningError(obstacle)
        return "mlxtend", "asked", read
    if refusal or most_candidates(literals, request, codes, direct) > _FEW:
        return "bitset", refusal or "many", read
    return ("bitset", missing, read) if missing else ("mlxtend", "small", read)


def _join_batches(batches: Iterable[Batch]) -> tuple[np.ndarray, np.ndarray]:
    codes, direct = (np.concatenate(column) for column in zip(*batches, strict=True))
    return codes, direct
