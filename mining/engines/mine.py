"""From disguised records to itemsets and rules, by the engine that is asked for or that suits."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from math import comb

import numpy as np

from mining.engines.bits import pack
from mining.engines.cell_estimates import by_cells, weigh_records
from mining.engines.lattice import Lattice, candidates, search
from mining.engines.literals import Literals, literals_of
from mining.engines.reasons import MiningError
from mining.engines.request import READING, MiningRequest, Progress, require_cells, silent
from mining.engines.rules import Rules, rules
from mining.engines.table_counter import TableCounter
from privacy.design import Design
from privacy.estimate.sampling import Sampling
from privacy.records.bits import Batch
from privacy.records.count_tables import CountTables

# Possible itemsets that `auto` leaves to mlxtend: its join takes half a second more than ours at most (bench_mining).
MOST_JOINED = 60_000
# Itemsets of which mlxtend makes the rules of a site: of three literals each in half a second, of four in one.
MOST_BY_MLXTEND = 5_000


@dataclass(frozen=True)
class MinedLattice:
    """The lattice and its rules, with the engine that joined, and the code of the reason for that engine.

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
    batches: Iterable[Batch] | CountTables,
    design: Design,
    request: MiningRequest,
    progress: Progress = silent,
    sampling: Sampling | None = None,
    *,
    mlxtend_rules: bool = False,
) -> MinedLattice:
    """Itemsets and rules of records, which may come one batch after the other; with a sampling for its population.

    mlxtend is not needed where it neither joins nor, by `mlxtend_rules`, makes the rules.

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
    engine, why = choose_engine(literals, request, on_site=mlxtend_rules)
    weight = drawn = None
    if sampling is not None and not isinstance(batches, CountTables):  # which holds all records in memory
        codes, direct = (np.concatenate(column) for column in zip(*batches, strict=True))
        batches, weight = [(codes, direct)], weigh_records(literals, codes, direct, sampling)
    counter = TableCounter(literals, batches) if isinstance(batches, CountTables) else pack(batches, literals)
    if weight is not None or literals.by_cells:
        drawn = by_cells(counter, request.cases, weight)
    join = candidates
    if engine == "mlxtend":
        try:
            from mining.engines import reference  # pandas is slow to import, and most jobs do without
        except ImportError as lacking:
            raise MiningError("no join") from lacking
        join = reference.join
    lattice = search(counter, request, progress, drawn, join)
    return _with_rules(lattice, request, progress, engine, why, mlxtend_rules)


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


def choose_engine(literals: Literals, request: MiningRequest, *, on_site: bool) -> tuple[str, str]:
    """The engine to take, and the code of the reason; MiningError where mlxtend is asked for and not there.

    `auto` takes mlxtend on a site, by what is asked alone, so that the choice is known before anything is read.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> choose_engine(literals_of(design), MiningRequest(min_support=0.1, min_confidence=0.5), on_site=False)
    ('bitset', 'library')
    """
    missing = not find_spec("mlxtend")
    if request.engine == "mlxtend" and missing:
        raise MiningError("missing")
    if request.engine != "auto":
        return request.engine, "asked"
    if not on_site:
        return "bitset", "library"
    if missing:
        return "bitset", "missing"
    most = sum(comb(len(literals), length) for length in range(2, request.max_length + 1))
    return ("bitset", "candidates") if most > MOST_JOINED else ("mlxtend", "joined")
