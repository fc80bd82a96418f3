"""Proposals for 40 random questionnaires: against an independent search, and their stated figures against simulation.

    python -m benchmarks.bench_proposal [--questionnaires 40] [--surveys 100]

A questionnaire has 3 to 40 answers of mixed types: yes/no, choices, several, tables, numbers and places; 200 to 20 000
people answer; somebody may become 10, 20, 33 or 50 % sure; single shares or pairs are to be estimated. *Best* is that
of the advisor, which deals every item by itself and takes its time; where there are numbers or places, with the split
of ln γ that a search of its own finds, by bisection on the errors of the finished blocks. The ratio
is best / proposed: below .98, the proposal has missed something.

*Spread* is the standard deviation of single shares in simulated surveys, through the real channel and reconstruction,
over the one that is stated; the last lines are connections: how often mining finds them, over what is stated.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from benchmarks.bench_connections import share_found
from papers.simulate import exact_error, independent
from privacy.design import Design
from privacy.design.block import Block
from privacy.design.blocks import RECIPES
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.patterns import parse_pattern
from privacy.design.recipes import EnteredItem
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table
from privacy.plan import best_designs
from privacy.plan.connections import YES, connections
from privacy.plan.proposal import Proposal, Topic, propose
from privacy.reconstruct import reconstruct

SEED = 38
SURE = (0.10, 0.20, 0.33, 0.50)
FINE = 1e-3  # of ln γ, to which the independent search splits
MOST_SIMULATED = 2000  # respondents of one simulated survey; errors are stated for as many


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--questionnaires", type=int, default=40)
    parser.add_argument("--surveys", type=int, default=100)
    given = parser.parse_args()
    random = np.random.default_rng(SEED)
    rows: list[list[object]] = []
    spreads: list[float] = []
    for number in range(given.questionnaires):
        topics, gamma, length, people = questionnaire(random)
        begun = time.perf_counter()
        proposal = propose(topics, gamma, length)
        seconds = time.perf_counter() - begun
        best = independent_best(topics, gamma, length)
        design = design_of(proposal, topics)
        assert design.odds <= Fraction(gamma)
        n = min(people, MOST_SIMULATED)
        spread = simulate_spread(design, n, given.surveys, int(random.integers(2**31))) if sizes_of(topics) else []
        spreads += spread
        stated_error = proposal.error / math.sqrt(people)
        rows.append(
            [
                number,
                text_of_kinds(topics),
                people,
                gamma,
                length,
                stated_error,
                best / proposal.error,
                seconds,
                *ends(spread),
            ]
        )
    print(as_table(["", "answers", "people", "γ", "length", "se", "best / proposed", "s", "spread from", "to"], rows))
    ratios = [row[6] for row in rows]
    off = math.sqrt(1 / (2 * given.surveys))
    print(f"{len(spreads)} spreads: mean {np.mean(spreads):.4f}, standard error {off / math.sqrt(len(spreads)):.4f};")
    print(f"farthest off {max(abs(spread - 1) for spread in spreads) / off:.1f} standard errors of one")
    return [
        ("worst of the proposals: best / proposed", float(min(map(float, ratios)))),  # type: ignore[arg-type]
        ("mean spread / stated", float(np.mean(spreads))),
        *rules(given.surveys),
    ]


def ends(spread: Sequence[float]) -> tuple[float | None, float | None]:
    return (min(spread), max(spread)) if spread else (None, None)


def questionnaire(random: np.random.Generator) -> tuple[tuple[Topic, ...], float, int, int]:
    """Questions until there are as many answers as the lot wants."""
    wanted = int(random.integers(3, 41))
    kinds = ["yes/no", *random.choice(["choice", "several", "table", "number", "place"], 2, replace=False)]
    topics: list[Topic] = []
    while sum(len(topic.sizes) or 1 for topic in topics) < wanted:
        left = wanted - sum(len(topic.sizes) or 1 for topic in topics)
        match random.choice(kinds, p=[0.7, 0.15, 0.15]):
            case "yes/no":
                topics.append(Topic((2,)))
            case "choice":
                topics.append(Topic((int(random.integers(3, 8)),)))
            case "several":
                topics.append(Topic((2,) * min(int(random.integers(2, 7)), left)))
            case "table":
                topics.append(Topic((int(random.integers(3, 6)),) * min(int(random.integers(2, 6)), left)))
            case "number" if sum(bool(topic.recipe) for topic in topics) < 3:
                top = int(random.choice([10, 60, 100]))
                topics.append(Topic(recipe="square-wave", grid=json.dumps({"min": 0, "max": top, "step": 1})))
            case "place" if sum(bool(topic.recipe) for topic in topics) < 3:
                size = {"width": int(random.integers(6, 20)), "height": int(random.integers(6, 20)), "cell": 1}
                topics.append(Topic(recipe="square", grid=json.dumps(size)))
    sure = float(random.choice(SURE))
    people = round(math.exp(random.uniform(math.log(200), math.log(20_000))))
    return tuple(topics), 19 * sure / (1 - sure), int(random.integers(1, 3)), people


def text_of_kinds(topics: Sequence[Topic]) -> str:
    kinds = sorted(topic.recipe or "+".join(map(str, topic.sizes)) for topic in topics)
    return ", ".join(f"{len(list(own))} × {kind}" for kind, own in groupby(kinds))


def sizes_of(topics: Sequence[Topic]) -> tuple[int, ...]:
    return tuple(sorted(size for topic in topics for size in topic.sizes))


# ---- the independent search -----------------------------------------------------------------------------------------


def independent_best(topics: Sequence[Topic], gamma: float, length: int) -> float:
    """The least worst error: the advisor's for items with options, split by bisection with numbers and places."""
    sizes, grids = sizes_of(topics), [topic for topic in topics if topic.recipe]
    if not grids:
        return error_of_advice(sizes, gamma, length)
    if not sizes:
        return least_alike(grids, math.log(gamma))
    low, high = 0.02, 0.98
    best = math.inf
    for _step in range(6):
        share = (low + high) / 2
        options, others = (
            error_of_advice(sizes, gamma**share, length),
            least_alike(grids, math.log(gamma) * (1 - share)),
        )
        best = min(best, max(options, others))
        low, high = (share, high) if options > others else (low, share)
    return best


def error_of_advice(sizes: tuple[int, ...], gamma: float, length: int) -> float:
    items = tuple(
        ExpectedItem(f"i{place}", ("0", "1"), (1 - YES, YES))
        if size == 2
        else ExpectedItem(f"i{place}", tuple(map(str, range(size))), (1 / size,) * size)
        for place, size in enumerate(sizes)
    )
    advice = best_designs(Brief(items, 1, Fraction(gamma), min(length, len(items))))
    choices = (*advice.winners, *advice.choices)
    return min(advice.error(choice) for choice in choices if not choice.biased)  # lists are no part of a proposal


def least_alike(grids: Sequence[Topic], budget: float) -> float:
    """The least error that all of them can have within ln γ: what each needs for it, added up, by bisection."""
    low, high = math.log(0.5), math.log(1e5)
    while high - low > FINE:
        error = (low + high) / 2
        low, high = (
            (error, high) if sum(least_log_gamma(grid, math.exp(error)) for grid in grids) > budget else (low, error)
        )
    return math.exp(high)


def least_log_gamma(grid: Topic, error: float) -> float:
    """The least ln γ with which a number or a place errs no more."""
    low, high = math.log(1e-4), math.log(20)
    while high - low > FINE:
        part = (low + high) / 2
        low, high = (part, high) if half_error(grid, math.exp(part)) > error else (low, part)
    return math.exp(high)


def half_error(grid: Topic, part: float) -> float:
    block = Design.parse(
        {"candor": 1, "blocks": write_block(grid.recipe, {"epsilon": part}, [items_of_topic(0, grid)[0]])}
    ).blocks[0]
    assert block.distribution is not None
    return block.distribution(None).half_error


# ---- simulation -----------------------------------------------------------------------------------------------------


def design_of(proposal: Proposal, topics: Sequence[Topic]) -> Design:
    blocks: list[dict[str, Any]] = []
    for block in proposal.blocks:
        items = [item for place in block.topics for item in items_of_topic(place, topics[place])]
        blocks += write_block(block.recipe, dict(block.settings), items)
    return Design.parse({"candor": 1, "blocks": blocks})


def write_block(recipe: str, settings: dict[str, Any], items: Sequence[EnteredItem]) -> list[dict[str, Any]]:
    return RECIPES[recipe].write(settings, [RECIPES[recipe].write_item(settings, item) for item in items])


def items_of_topic(place: int, topic: Topic) -> list[EnteredItem]:
    if topic.recipe:
        return [EnteredItem(f"t{place}", (), {}, json.loads(topic.grid))]
    options = [None if size == 2 else tuple(map(str, range(size))) for size in topic.sizes]
    return [EnteredItem(f"t{place}-{row}", own, {}) for row, own in enumerate(options)]


def simulate_spread(design: Design, n: int, surveys: int, seed: int) -> list[float]:
    """The spread of one share of each kind of item over the stated error."""
    own = Design(tuple(block for block in design.blocks if block.distribution is None), False)
    shares = [(1 - YES, YES) if item.boolean else (1 / len(item.options),) * len(item.options) for item in own.items]
    kinds: dict[tuple[int, Block], str] = {}
    for block in own.blocks:
        for item in block.items:
            kinds.setdefault((len(item.options), block), item.id if item.boolean else f"{item.id}=1")
    literals = list(dict.fromkeys(kinds.values()))[:6]
    patterns = [parse_pattern(literal, own) for literal in literals]
    known = {item.id: share for item, share in zip(own.items, shares, strict=True)}
    stated = [exact_error(own, pattern, independent(own, pattern, known), n) for pattern in patterns]
    random = np.random.default_rng(seed)
    supports = []
    for _survey in range(surveys):
        truth = np.stack([random.choice(len(share), n, p=share) for share in shares], axis=1).astype(own.code_type)
        records = disguise(own, truth, take=words_from_seed(int(random.integers(2**31))))
        supports.append([float(figure.support or 0) for figure in reconstruct(records, literals).patterns])
    return [
        float(spread / said) for spread, said in zip(np.std(np.array(supports), axis=0, ddof=1), stated, strict=True)
    ]


def rules(surveys: int) -> list[tuple[str, float]]:
    """Connections of two answers in proposals for yes/no questions, with as many people as find half of them."""
    rows: list[list[object]] = []
    ratios = []
    for count, sure in ((6, 0.5), (10, 0.5), (10, 0.33), (20, 0.5)):
        topics = (Topic((2,)),) * count
        design = design_of(propose(topics, 19 * sure / (1 - sure), 2), topics)
        (one, *_longer) = connections(design, 1000)
        assert one.needed is not None
        n = round(0.6 * one.needed)
        (one, *_longer) = connections(design, n)
        alone, by_q = share_found(design, one, n, 0.0, surveys)
        error = math.sqrt(one.chance * (1 - one.chance) / surveys)
        rows.append([f"{count} yes/no, {sure:.0%} sure", n, one.chance, alone, by_q, (alone - one.chance) / error])
        ratios.append((f"{count} yes/no, {sure:.0%} sure: found / stated", alone / one.chance))
    print(as_table(["connections of two answers", "people", "stated", "found", "by q", "standard errors off"], rows))
    return ratios


if __name__ == "__main__":
    main()
