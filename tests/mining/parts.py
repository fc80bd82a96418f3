"""Records in parts, each counted apart, and all that findings tell."""

import numpy as np

from mining.engines.bits import pack
from mining.engines.cluster import sum_of_answers
from mining.engines.exports import graphml, itemsets_csv, rules_csv
from mining.engines.findings import json_chunks


class Together:
    """Several counters, whose answers are added up as those of the workers of a cluster are."""

    def __init__(self, literals, counters):
        self.literals, self.counters = literals, counters

    def without_direct(self):
        return Together(self.literals, [counter.without_direct() for counter in self.counters])

    @property
    def sizes(self):
        return sum_of_answers(counter.sizes for counter in self.counters)

    def __getattr__(self, question):
        return lambda *asked: sum_of_answers(getattr(counter, question)(*asked) for counter in self.counters)


def spread(codes, direct, literals, parts, seed=1):
    """The records by lot in so many parts, some of them small, each packed apart."""
    chance = np.random.default_rng(seed)
    part = chance.choice(parts, len(direct), p=chance.dirichlet(np.ones(parts)))
    packed = [pack([(codes[part == place], direct[part == place])], literals) for place in range(parts)]
    return Together(literals, packed)


def everything_of(mined):
    """Everything that is stored, printed or exported, but for the seconds."""
    mined.summary["seconds"] = 0
    columns = mined.columns
    files = ["".join(write(columns)) for write in (rules_csv, itemsets_csv, graphml)]
    return [columns.to_bytes(), mined.summary, "".join(json_chunks(mined)), *files]
