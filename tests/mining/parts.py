"""Records in parts, each counted apart, and all that findings tell."""

from dataclasses import dataclass

import numpy as np

from mining.engines.bits import BitCounter, pack
from mining.engines.exports import graphml, itemsets_csv, rules_csv
from mining.engines.findings import printed
from mining.engines.spread import SpreadCounter


@dataclass
class Here:
    """Some of the records, counted in this process."""

    counter: BitCounter

    @property
    def sizes(self):
        return self.counter.sizes

    def ask(self, question, arguments, disguised):
        counter = self.counter.disguised() if disguised else self.counter
        return lambda: getattr(counter, question)(*arguments)


def spread(codes, direct, literals, parts, seed=1):
    """The records by lot in so many parts, some of them small, each packed apart."""
    chance = np.random.default_rng(seed)
    part = chance.choice(parts, len(direct), p=chance.dirichlet(np.ones(parts)))
    packed = [pack([(codes[part == place], direct[part == place])], literals) for place in range(parts)]
    return SpreadCounter(literals, [Here(counter) for counter in packed])


def everything_of(mined):
    """Everything that is stored, printed or exported, but for the seconds."""
    mined.summary["seconds"] = 0
    columns = mined.columns
    files = ["".join(write(columns)) for write in (rules_csv, itemsets_csv, graphml)]
    return [columns.to_bytes(), mined.summary, "".join(printed(mined)), *files]
