"""A slow miner to check the fast ones against: inverts the disguise of each block as a matrix, row by row.

It shares nothing with the engines but the design: the matrix of a block is written down from its definition over all
answers, inverted by linear algebra, and every itemset is tried.
"""

from itertools import combinations, product

import numpy as np

from privacy.design import ONE, Design
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.one_sided import OneSidedBlock
from tests.codes import NOT_ASKED


def channel(block, places):
    """P(record | truth) of the items at `places` of a block, both as tuples of options."""
    items = [block.items[place] for place in places]
    domain = list(product(*(range(len(item.options)) for item in items)))
    matrix = np.zeros((len(domain), len(domain)))
    if isinstance(block, FlipBlock):
        size = len(block.flips) - 1
        for d, share in enumerate(block.flips):
            sets = list(combinations(range(size), d))
            for turned in sets:  # the items looked at stand first among those asked
                for x, truth in enumerate(domain):
                    seen = tuple(value ^ (place in turned) for place, value in enumerate(truth))
                    matrix[domain.index(seen), x] += share / ONE / len(sets)
        return domain, matrix
    keep = 1 - block.turned / ONE if isinstance(block, OneSidedBlock) else block.keep / ONE
    for y, seen in enumerate(domain):
        noise = np.prod([item.noise[value] / ONE for item, value in zip(items, seen, strict=True)])
        matrix[y] = (1 - keep) * noise
        matrix[y, y] += keep
    return domain, matrix


def units(design: Design):
    """The columns that are disguised together, with their block and places."""
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        places = range(len(block.items))
        if isinstance(block, OneSidedBlock) or (isinstance(block, CoinBlock) and block.each):
            yield from (([first + place], block, [place]) for place in places)
        else:
            yield [first + place for place in places], block, list(places)


def row_weights(design: Design, codes: np.ndarray, literals) -> np.ndarray:
    """The weight of every record for a pattern: a list of (column, option, positive)."""
    weight = np.ones(len(codes))
    wanted = {column: (option, positive) for column, option, positive in literals}
    for columns, block, places in units(design):
        here = [(column, place) for column, place in zip(columns, places, strict=True) if column in wanted]
        if not here:
            continue
        domain, matrix = channel(block, [place for _, place in here])
        match = [
            all(
                (value == wanted[column][0]) == wanted[column][1] for (column, _), value in zip(here, cell, strict=True)
            )
            for cell in domain
        ]
        values = np.array(match, dtype=float) @ np.linalg.inv(matrix)
        index = dict(zip(domain, values, strict=True))
        weight *= [index[tuple(row)] for row in codes[:, [column for column, _ in here]].tolist()]
    return weight


def row_values(design: Design, codes, direct, literals) -> np.ndarray:
    """What each record adds to the stratified estimate: the match of a direct one, the weight of a disguised one."""
    match = np.all([(codes[:, column] == option) == positive for column, option, positive in literals], axis=0)
    return np.where(direct, match, row_weights(design, codes, literals))


def asked_all(codes, literals) -> np.ndarray:
    """The records that were asked every item of the pattern."""
    return np.all([codes[:, column] != NOT_ASKED for column, _, _ in literals], axis=0)


def mean_and_error(values, direct, k, n):
    """The stratified mean of values of the asked, and its standard error: k and n are those of all respondents."""
    groups = [(k, values[direct]), (1 - k, values[~direct])]
    parts = [(share, group.mean(), group.var() / len(group)) for share, group in groups if len(group)]
    mean = sum(share * own for share, own, _ in parts)
    variance = sum(share**2 * own for share, _, own in parts)
    if len(parts) == 2:
        variance += k * (1 - k) * (parts[0][1] - parts[1][1]) ** 2 / n
    return mean, np.sqrt(variance)


def estimate(design, codes, direct, literals):
    """The stratified support and its standard error about the population."""
    rows = asked_all(codes, literals)
    values = row_values(design, codes[rows], direct[rows], literals)
    return mean_and_error(values, direct[rows], direct.mean(), len(direct))
