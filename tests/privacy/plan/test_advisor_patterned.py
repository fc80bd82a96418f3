"""The advisor judges a patterned block by the pattern that stands worst, and says how far patterns lie apart."""

import re
from itertools import combinations
from math import comb

import pytest

from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.plan.request import advise
from tests.cases import first
from tests.privacy.channels import even_words


@pytest.mark.parametrize(("items", "length"), first(1, [(10, 2), (12, 3)]))
def test_no_pattern_has_a_larger_error_than_a_patterned_block_is_judged_by(items: int, length: int) -> None:
    """By going through every set and every pattern under γ = e, for even answers: the errors printed enclose them all,
    the larger one by less than one in fifty; and no other kind of block is better than that."""
    advice = advise(items, 10_000, 2.718281828, length=length, prevalence=0.5)
    chosen = next(choice for choice in advice.choices if choice.family.startswith("patterned"))
    (block,) = chosen.design.blocks
    assert isinstance(block, PatternedBlock)
    assert block.even
    words = even_words(items, block.items_per_person)
    table = [share / 2**32 for share in block.table]

    def left(places: frozenset[int]) -> float:
        return sum(share * (-1) ** sum(mask >> place & 1 for place in places) for mask, share in enumerate(table))

    def told(part: tuple[int, ...]) -> float:
        """1/(π·mean λ²)."""
        sets = [(own, word) for own, word in words.items() if set(part) <= set(own)]
        mean = sum(left(frozenset(word.index(own.index(item)) for item in part)) ** 2 for own, word in sets) / len(sets)
        return comb(items, block.items_per_person) / comb(items - len(part), block.items_per_person - len(part)) / mean

    known = {part: told(part) for size in range(1, length + 1) for part in combinations(range(items), size)}
    by_size = [
        [
            sum(known[part] for m in range(1, size + 1) for part in combinations(pattern, m)) ** 0.5 / 2**size / 100
            for pattern in combinations(range(items), size)
        ]
        for size in range(1, length + 1)
    ]
    worst = max(map(max, by_size))
    assert worst <= advice.error(chosen) * (1 + 1e-6) <= 1.02 * worst
    assert all(advice.error(chosen) <= advice.error(other) for other in advice.choices)
    if advice.recommended == chosen:
        (line,) = (line for line in str(advice).splitlines() if line.startswith("Patterns stand at better"))
        least, most, mean = map(float, re.findall(r"\d\.\d+", line))
        assert least <= 1.001 * max(map(min, by_size)) < mean < 0.999 * worst <= most
