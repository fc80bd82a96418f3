"""What figures read of undisguised answers is the same whether nobody or a few gave a rare one."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest

from surveys.domain.responses import groups
from surveys.questions import PublishedQuestion, coarse

LEAST, KNOWN = 3, 2  # so small that every survey can be tried

Counts = tuple[int, ...]
Published = tuple[object, ...]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coarse, "NOBODY_KNOWS", KNOWN)


def published_options(counts: Counts, silent: int | None) -> Published:
    """All that is published of these options: the count of each that is apart, and of all others together."""
    apart, with_silent = coarse.pool(counts, LEAST, silent)
    together = sum(count for count, tells in zip(counts, apart, strict=True) if not tells)
    shown = [count if tells else None for count, tells in zip(counts, apart, strict=True)]
    return (*shown, together + (silent or 0) * with_silent, None if with_silent else silent)


def published_ranges(counts: Counts, silent: int | None) -> Published:
    """All that is published of so many people with each number from 0 on: the ranges, and how many are in each."""
    values = np.repeat(np.arange(len(counts), dtype=float), counts)
    with_silent = silent is not None and silent < LEAST
    made = coarse.coarse_numbers(values, (0.0, float(len(counts))), True, LEAST, silent)
    spans = [made.of(value) for value in values.tolist()] + [made.silence] * ((silent or 0) * with_silent)
    all_of = made.of(0), made.of(len(counts))
    return (*sorted({(span, spans.count(span)) for span in spans}), all_of, None if with_silent else silent)


def worlds(size: int, most: int, with_silent: bool) -> Iterator[tuple[Counts, int | None]]:
    for counts in product(range(most + 1), repeat=size + with_silent):
        yield (counts[:size], counts[size]) if with_silent else (counts, None)


CASES = [
    pytest.param(published_options, 3, 9, False, id="three options"),
    pytest.param(published_options, 2, 12, True, id="two options or none"),
    pytest.param(published_options, 3, 8, True, id="three options or none", marks=pytest.mark.long),
    pytest.param(published_options, 4, 7, False, id="four options", marks=pytest.mark.long),
    pytest.param(published_ranges, 4, 5, False, id="four numbers"),
    pytest.param(published_ranges, 4, 7, False, id="four numbers of more people", marks=pytest.mark.long),
    pytest.param(published_ranges, 5, 5, False, id="five numbers", marks=pytest.mark.long),
    pytest.param(published_ranges, 4, 5, True, id="four numbers or none", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("publish", "size", "most", "with_silent"), CASES)
def test_nobody_looks_like_a_few(
    publish: Callable[[Counts, int | None], Published], size: int, most: int, with_silent: bool
) -> None:
    """Of every rare answer, and of no answer, any count from none to `NOBODY_KNOWS` fits all that is published."""
    fits = defaultdict(set)
    for counts, silent in worlds(size, most, with_silent):
        given = (*counts, *([silent] if silent is not None else []))
        shown = publish(counts, silent) if coarse.are_enough(sum(counts), LEAST, silent) else ()
        if sum(given) <= most:
            for place, count in enumerate(given):
                fits[shown, sum(given), place].add(count)
    assert fits
    for (said, people, place), possible in fits.items():
        if people >= LEAST and min(possible) < LEAST:
            assert possible >= set(range(KNOWN + 1)), (said, people, place, possible)


@pytest.mark.parametrize("enough", [{"a": 3}, {"a": 4, "b": 3}, {"a": 3, "b": 3, "c": 3}])
def test_nobody_looks_like_a_few_beside_groups_that_are_full(
    enough: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody reads which groups have enough, so a rare answer is pooled with more, where that would tell of it."""
    monkeypatch.setattr(groups, "MORE", KNOWN + 1)
    question = PublishedQuestion("faculty", "choice", False, options=("a", "b", "c"), enough=enough)
    fits = defaultdict(set)
    for counts in product(range(9), repeat=3):
        given = dict(zip(question.options, counts, strict=True))
        for more in product(range(KNOWN + 1), repeat=len(enough)):
            full = [one for one, extra in zip(enough, more, strict=True) if given[one] >= enough[one] + extra]
            apart, _ = coarse.pool(counts, LEAST, None, groups.known_people(question, full))
            shown = [count if tells else None for count, tells in zip(counts, apart, strict=True)]
            if apart.any() and sum(counts) <= 8:
                for place, count in enumerate(counts):
                    fits[(*shown, *full), sum(counts), place].add(count)

    assert fits
    for (said, people, place), possible in fits.items():
        if min(possible) < LEAST:
            assert possible >= set(range(KNOWN + 1)), (said, people, place, possible)


@pytest.mark.parametrize(("publish", "size", "most", "with_silent"), CASES)
def test_who_knows_all_others_does_not_learn_that_somebody_gave_a_rare_answer(
    publish: Callable[[Counts, int | None], Published], size: int, most: int, with_silent: bool
) -> None:
    """Anybody in it might have given another answer, and everything published would be the same."""

    def tell(given: np.ndarray) -> Published:
        counts, silent = tuple(given[:size].tolist()), int(given[size]) if with_silent else None
        return publish(counts, silent) if coarse.are_enough(sum(counts), LEAST, silent) else ()

    for counts, silent in worlds(size, most, with_silent):
        given = np.array([*counts, *([silent] if silent is not None else [])])
        if sum(given) > most:
            continue
        for place in np.flatnonzero((given > 0) & (given < LEAST)):
            others = [given - np.eye(len(given), dtype=int)[place] + one for one in np.eye(len(given), dtype=int)]
            alike = [tell(other) == tell(given) for at, other in enumerate(others) if at != place]
            assert any(alike), (given, place)
