"""What is packed and counted of fixed records: a version in which it is anything else has other copies and crews."""

from hashlib import sha256

import numpy as np

from mining.domain.crew.copies import written
from mining.domain.crew.groups import PACKING
from mining.engines.bits import pack
from mining.engines.literals import literals_of
from mining.engines.wire import to_bytes
from tests.mining import by_cells, designs

N = 200


def examples():
    """Records of every kind, with bins and without."""
    for kind in designs.KINDS:
        design = designs.design_of(kind)
        yield design, *designs.records_of(design, N), ""
    for kind, (_, bins) in by_cells.KINDS.items():
        records = by_cells.sent(kind, N)
        for asked in sorted({"", bins}):
            yield records.design, records.codes, records.direct, asked


def counted(counter):
    """An answer to each question that a search may ask of these columns."""
    literals, design = counter.literals, counter.literals.design
    pairs = [(first, second) for first in range(len(literals)) for second in range(first)]
    apart = [[second, first] for first, second in pairs if literals.column[first] != literals.column[second]]
    yield counter.singles()
    yield counter.parities([[], *apart])
    yield counter.cells(np.array(apart))
    if design.sampled:
        tails = np.array([second for _, second in apart])
        yield counter.mixed(np.array([[first] for first, _ in apart]), np.arange(len(apart) + 1), tails)
    else:
        yield counter.differences(np.arange(len(literals))[:, None], *np.triu_indices(len(literals), 1))
    if not literals.by_cells:
        yield counter.views(np.unique(literals.column)[:2].tolist())


def test_what_is_packed_and_counted_is_that_of_this_version():
    """Where it is not, PACKING becomes what this test finds: copies of before are made anew, and a crew stays among
    workers of its own version. Where records were packed wrong and nothing here tells, add an example that does."""
    digest = sha256()
    for design, codes, direct, bins in examples():
        for negated in (False, True):
            counter = pack([(codes, direct)], literals_of(design, negated, bins))
            digest.update(written(counter))
            for answer in counted(counter):
                digest.update(to_bytes(answer))
    assert digest.hexdigest()[:8] == PACKING
