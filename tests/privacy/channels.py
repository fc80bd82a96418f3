"""What a block must do to an input, by definition: every record it may send, with its exact probability."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, gcd, prod
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.stats import chisquare

from privacy.design import ONE, Block, Design
from privacy.design.blocks.by_gamma import GammaBlock
from privacy.design.blocks.by_gamma.naming import NamingBlock
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.flips.krawtchouk import eigenvalues
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_sided import OneSidedBlock
from privacy.design.notation import EXACT
from privacy.design.rationals import apportion, fraction
from tests.codes import NOT_ASKED

Record = tuple[int, ...]

NAMED = {
    "a coin block of three": {
        "keep": 0.3,
        "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.5}, {"id": "c", "theta": 0.2}],
    },
    "a flip block of three": {"flips": [0.4, 0.3, 0.1, 0.2], "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}]},
    "an item of four options": {
        "keep": 0.25,
        "items": [{"id": "a", "options": ["p", "q", "r", "s"], "noise": [0.4, 0.3, 0.2, 0.1]}],
    },
    "one of two, yes/no or four options": {
        "keep": 0.5,
        "ask": 1,
        "items": [
            {"id": "a", "theta": 0.7},
            {"id": "b", "options": ["p", "q", "r", "s"], "noise": [0.4, 0.3, 0.2, 0.1]},
        ],
    },
    "one of two, its coin by γ": {
        "by-gamma": 9,
        "ask": 1,
        "items": [{"id": "a"}, {"id": "b", "options": ["p", "q", "r", "s"]}],
    },
    "two of three, their coin by γ": {
        "by-gamma": 9,
        "ask": 2,
        "items": [{"id": "a"}, {"id": "b"}, {"id": "c", "options": ["p", "q", "r"]}],
    },
    "two of three, their coin by γ names two": {
        "by-gamma": 9,
        "names": 2,
        "ask": 2,
        "items": [{"id": "a"}, {"id": "b"}, {"id": "c", "options": ["p", "q", "r"]}],
    },
    "two of three, a coin each": {
        "keep": 0.5,
        "ask": 2,
        "coin": "each",
        "items": [{"id": "a", "theta": 0.7}, {"id": "b", "theta": 0.5}, {"id": "c", "theta": 0.2}],
    },
    "a flip block asking two of three": {
        "flips": [0.5, 0.3, 0.2],
        "ask": 2,
        "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
    },
    "a one-sided block of two": {
        "one-sided": 0.4,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}],
    },
    "a one-sided block asking two of three": {
        "one-sided": 0.25,
        "ask": 2,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}, {"id": "c", "harmless": "0"}],
    },
    "a one-of block of three": {
        "one-of": 0.3,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}, {"id": "c", "harmless": "0"}],
        "words": [
            {"word": "a", "base": 0.1, "own": 0.3},
            {"word": "!b", "base": 0.05, "own": 0.35},
            {"word": "c", "base": 0.1, "own": 0.2},
        ],
    },
    "a one-of block with pairs, options and a loss word": {
        "one-of": 0.35,
        "items": [
            {"id": "a", "harmless": "0"},
            {"id": "b", "options": ["p", "q", "r"], "harmless": "q"},
            {"id": "c", "harmless": "0"},
        ],
        "words": [
            {"word": "a", "base": 0.05, "own": 0.3},
            {"word": "b=p", "base": 0.05, "own": 0.3},
            {"word": "b=r", "base": 0.04, "own": 0.2},
            {"word": "c", "base": 0.02, "own": 0.1},
            {"word": "a,b=p", "base": 0.03, "own": 0.2},
        ],
        "losses": [{"length": 0, "base": 0.04, "own": 0.2, "full": 0.5, "spare": 0.25}],
    },
    "a one-of block with a threshold": {
        "one-of": 0.4,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}, {"id": "c", "harmless": "0"}, "d"],
        "words": [
            {"word": "a", "base": 0.05, "own": 0.2},
            {"word": "!b", "base": 0.05, "own": 0.2},
            {"word": "c", "base": 0.05, "own": 0.2},
            {"word": "d", "base": 0.05, "own": 0.2},
            {"word": "a,!b,c", "least": 2, "base": 0.04, "own": 0.2},
            {"word": "!b,c,d", "least": 2, "base": 0.04, "own": 0.2},
        ],
        "losses": [{"length": 0, "base": 0.05, "own": 0.45, "full": 1}],
    },
    "a one-of block whose skip words stand alone": {
        "model": "one-of",
        "gamma": 9,
        "cap": 1.5,
        "longest": 2,
        "items": [
            {"id": "a", "options": ["no", "yes", "secret"], "harmless": "no", "alone": "secret"},
            {"id": "b", "options": ["no", "yes", "secret"], "harmless": "no", "alone": "secret"},
            {"id": "c", "harmless": "0"},
        ],
    },
    "a group-of block with a loss word": {
        "model": "one-of",
        "gamma": 9,
        "cap": 1,
        "groups": 3,
        "items": ["a", {"id": "b", "options": ["p", "q", "r"], "harmless": "q"}, {"id": "c", "harmless": "1"}, "d"],
    },
    "a group-of block that nobody exceeds": {
        "group-of": 0.4,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}, {"id": "c", "harmless": "0"}],
        "words": [{"word": word, "base": 0.05, "own": 0.15} for word in ("a", "!b", "c", "a,c")],
        "groups": 2,
    },
    "a one-of block with loss words by length": {
        "one-of": 0.3,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "0"}, {"id": "c", "harmless": "1"}],
        "words": [
            {"word": "a", "base": 0.05, "own": 0.3},
            {"word": "b", "base": 0.05, "own": 0.25},
            {"word": "!c", "base": 0.05, "own": 0.3},
        ],
        "losses": [
            {"length": 0, "base": 0.03, "own": 0.1, "full": 0.8},
            {"length": 1, "base": 0.02, "own": 0.12, "full": 1.5},
        ],
    },
}
DESIGNS = {name: Design.parse({"blocks": [block]}) for name, block in NAMED.items()}


def inputs(design: Design) -> list[Record]:
    """Every true answer there can be."""
    return list(product(*(range(len(item.options)) for item in design.items)))


def declared(block: Block, truth: Record) -> dict[Record, Fraction]:
    """The probability of every record, the asked set drawn first; NOT_ASKED stands where an item was not asked."""
    size = block.items_per_person
    sets = list(combinations(range(len(block.items)), size))
    chances: dict[Record, Fraction] = {}
    for here in sets:
        for sent in product(*(range(block.items[j].numbers or len(block.items[j].options)) for j in here)):
            record = [NOT_ASKED] * len(truth)
            for j, code in zip(here, sent, strict=True):
                record[j] = code
            chance = _sent(block, here, [truth[j] for j in here], sent)
            chances[tuple(record)] = chance / len(sets)
    return chances


Word = tuple[int, ...]


def _in_groups(block: GroupOfBlock, truth: list[int], sent: Record) -> Fraction:
    """The same where words are in groups, by lines of a plane: {(x, y): y = s·x + bucket}, and those with one x."""
    size, (base, own) = block.groups, (block.words[0].base, block.words[0].own)
    points = [(u, (u**2 + w) % size) for w, u in (divmod(number, size) for number in range(len(block.words)))]
    lines = [
        {number for number, (x, y) in enumerate(points) if (y + seed * x - bucket) % size == 0}
        for seed in range(size)
        for bucket in range(size)
    ] + [{number for number, (x, _) in enumerate(points) if x == bucket} for bucket in range(size)]
    true = {
        number for number, word in enumerate(block.words) if all(truth[place] == code for place, code in word.parts)
    }
    mine = [bool(line & true) for line in lines]
    count, added, square = sum(mine), own - base, (size + 1) ** 2
    known = added * square - block.cap
    measured: list[int] = [0] * len(block.losses)
    more = known // (square - count)
    if count * added > block.cap:
        share = Fraction(block.cap, count * added)
        for number, loss in enumerate(block.losses):  # of length 0
            kept = Fraction(int((1 + loss.spare) * 2**30) * added * (square - count) // known, 2**30)
            size_of = int((loss.own - loss.base) / loss.full) if count * added > kept * block.cap else 0
            share = Fraction(block.cap - size_of) / (count * added - kept * size_of)
            measured[number] = int(size_of * max(1 - kept * _cut(share), Fraction(0)))
            if measured[number] > loss.own - loss.base:
                measured[number] = loss.own - loss.base
                share = Fraction(block.cap - measured[number], count * added)
        more = int(added * _cut(share))
    numerators = [base + more * own for own in mine]
    numerators += [loss.base + adds for loss, adds in zip(block.losses, measured, strict=True)]
    options = [len(item.options) for item in block.items]
    shown = [(code - usual) % size for code, usual, size in zip(sent, block.harmless, options, strict=True)]
    number = sum(digit * prod(options[:place]) for place, digit in enumerate(shown))
    numerators = [ONE - sum(numerators), *numerators]
    return Fraction(numerators[number], ONE) if number < len(numerators) else Fraction(0)


def _one_of(block: OneOfBlock, truth: list[int], sent: Record) -> Fraction:
    """The chance of a record by the definition: shares are cut to steps of 2^-30, and numerators to whole ones."""
    if isinstance(block, GroupOfBlock):
        return _in_groups(block, truth, sent)
    held = [sum(truth[place] == code for place, code in word.parts) for word in block.words]
    own = [word for word, true in zip(block.words, held, strict=True) if true >= (word.least or len(word.parts))]
    total = sum(word.own - word.base for word in own)
    sizes, spare = [], [1 + Fraction(int(loss.spare * 2**30), 2**30) for loss in block.losses]
    most_of = [loss.own - loss.base for loss in block.losses]
    for loss, most_added in zip(block.losses, most_of, strict=True):
        alike = [word for word in block.words if len(word.parts) == loss.length]
        most = max((word.own - word.base for word in alike), default=1)
        parts = [Fraction(word.own - word.base, most) for word in alike if word in own]
        sizes.append(sum(int(most_added * part / loss.full) for part in (parts if loss.length else [Fraction(1)])))
    kept, measured = Fraction(1), [0] * len(sizes)
    if total > block.cap:
        begun = [size if total > r * block.cap else 0 for size, r in zip(sizes, spare, strict=True)]
        left = Fraction(max(block.cap - sum(begun), 0))
        kept = _cut(left / (total - sum(r * size for size, r in zip(begun, spare, strict=True)))) if left else left
        measured = [int(size * max(1 - r * kept, Fraction(0))) for size, r in zip(begun, spare, strict=True)]
        if any(one > most for one, most in zip(measured, most_of, strict=True)):
            measured = [min(one, most) for one, most in zip(measured, most_of, strict=True)]
            kept = _cut(Fraction(block.cap - sum(measured), total))
    chances: dict[Record, Fraction] = {}
    for word in block.words:
        record = list(block.harmless)
        for place, code in word.parts:
            record[place] = code
        chances[tuple(record)] = Fraction(word.base + int(kept * (word.own - word.base)) * (word in own), ONE)
    for number, (loss, adds) in enumerate(zip(block.losses, measured, strict=True)):
        record = [1 if harmless == 0 else 0 for harmless in block.harmless]
        if number:
            record[number - 1] = block.harmless[number - 1]
        chances[tuple(record)] = Fraction(loss.base + adds, ONE)
    chances[tuple(block.harmless)] = 1 - sum(chances.values(), Fraction(0))
    return chances.get(tuple(sent), Fraction(0))


def _cut(share: Fraction) -> Fraction:
    return Fraction(int(share * 2**30), 2**30)


def _naming(block: NamingBlock, here: tuple[int, ...], truth: list[int], sent: Record) -> Fraction:
    """The chance of a record by the definition: the true cell is in the set with γd / (γd + Q − d)."""
    options = [len(block.items[j].options) for j in here]
    cells, d = prod(options), block.names
    points = next(q for q in range(cells, 2 * cells + 2) if q % 2 and all(gcd(q, other) == 1 for other in range(2, d)))
    ways = points * (points - 1) // 2
    most = max(block.coins[kinds].sets for kinds in block.coins)
    size = next(
        size
        for size in range(max(map(len, (item.options for item in block.items))), most + 1)
        if size ** len(here) >= most
    )
    number = sum(code * size**place for place, code in enumerate(sent))
    if number >= ways:
        return Fraction(0)
    step, start = number // points + 1, number % points
    named = {(start + step * place) % points for place in range(d)}
    cell = sum(code * prod(options[place + 1 :]) for place, code in enumerate(truth))
    gamma = Fraction(block.stated, ONE)
    inside = Fraction(int(gamma * d / (gamma * d + points - d) * ONE), ONE)
    alike = ways * (d if cell in named else points - d) // points
    return (inside if cell in named else 1 - inside) / alike


def _sent(block: Block, here: tuple[int, ...], truth: list[int], sent: Record) -> Fraction:
    if isinstance(block, OneOfBlock):
        return _one_of(block, truth, sent)
    if isinstance(block, OneSidedBlock):
        g = Fraction(block.turned, ONE)
        chances = {(0, 0): 1 - g, (0, 1): g, (1, 0): Fraction(0), (1, 1): Fraction(1)}
        harmless = [int(block.entry(EXACT)["items"][j]["harmless"]) for j in here]
        return prod(
            (chances[int(a != h), int(b != h)] for h, a, b in zip(harmless, truth, sent, strict=True)),
            start=Fraction(1),
        )
    if isinstance(block, FlipBlock):
        turned = sum(before != after for before, after in zip(truth, sent, strict=True))
        return Fraction(block.flips[turned], ONE * comb(len(truth), turned))
    if isinstance(block, NamingBlock):
        return _naming(block, here, truth, sent)
    if isinstance(block, GammaBlock):
        shares = [[Fraction(share, ONE) for share in block.items[j].noise or ()] for j in here]
        more = (Fraction(block.stated, ONE) - 1) * prod(map(min, shares))
        keep = Fraction(int(more / (1 + more) * ONE), ONE)
        by_chance = prod((own[code] for own, code in zip(shares, sent, strict=True)), start=Fraction(1))
        return keep * (tuple(truth) == tuple(sent)) + (1 - keep) * by_chance
    assert isinstance(block, CoinBlock)
    keep = Fraction(block.keep, ONE)
    noise = [Fraction((block.items[j].noise or ())[code], ONE) for j, code in zip(here, sent, strict=True)]
    same = [before == after for before, after in zip(truth, sent, strict=True)]
    if block.each:
        return prod((keep * kept + (1 - keep) * q for kept, q in zip(same, noise, strict=True)), start=Fraction(1))
    return keep * all(same) + (1 - keep) * prod(noise, start=Fraction(1))


def agreement(block: Block, truth: Record, counts: dict[Record, int]) -> float:
    """The p-value of the χ² test that counted records come from the declared channel; 0 if one came that cannot."""
    chances = {record: chance for record, chance in declared(block, truth).items() if chance}
    if not counts.keys() <= chances.keys():
        return 0.0
    observed = np.array([counts.get(record, 0) for record in chances])
    expected = np.array([float(chance) for chance in chances.values()]) * observed.sum()
    return float(chisquare(observed, expected * (observed.sum() / expected.sum())).pvalue)


def random_design(rng: np.random.Generator) -> Design:
    """A design of one to three blocks of any live kind, as nobody would choose it."""
    return Design.parse({"blocks": [_random_block(rng, f"b{number}") for number in range(rng.integers(1, 4))]})


def _random_block(rng: np.random.Generator, name: str) -> dict[str, Any]:
    size = int(rng.integers(1, 6))
    ask = int(rng.integers(1, size + 1))
    sampled: dict[str, Any] = {"ask": ask} if rng.random() < 0.5 else {}
    if rng.random() < 0.15:
        marked = [{"id": f"{name}.{j}", "harmless": str(rng.integers(2))} for j in range(size)]
        return {"one-sided": float(rng.uniform(0.05, 0.95)), "items": marked, **sampled}
    if rng.random() < 0.2:
        return _random_list(rng, name, size)
    if rng.random() < 0.4:
        flips = rng.dirichlet(np.ones(1 + (ask if sampled else size))).tolist()
        return {"flips": flips, "items": [{"id": f"{name}.{j}"} for j in range(size)], **sampled}
    if rng.random() < 0.2:
        own = [[f"o{k}" for k in range(rng.integers(2, 6))] for _ in range(size)]
        plain = [{"id": f"{name}.{j}", "options": options} for j, options in enumerate(own)]
        asked = sampled.get("ask", size)
        names = {"names": int(rng.integers(2, 4))} if asked in (2, 3) and min(map(len, own)) ** asked >= 6 else {}
        return {"by-gamma": float(rng.uniform(1.05, 30)), "items": plain, **names, **sampled}
    if sampled and rng.random() < 0.5:
        sampled["coin"] = "each"
    items: list[dict[str, Any]] = []
    for j in range(size):
        options = int(rng.integers(2, 6))
        noise = rng.dirichlet(np.ones(options)).tolist()
        items.append({"id": f"{name}.{j}", "options": [f"o{k}" for k in range(options)], "noise": noise})
    return {"keep": float(rng.uniform(0.05, 0.95)), "items": items, **sampled}


def _random_list(rng: np.random.Generator, name: str, size: int) -> dict[str, Any]:
    """A one-of block of yes/no items and items of up to five options, of any words, and some loss words.

    One in three of three items is of groups.
    """
    if size == 3 and rng.random() < 1 / 3:
        loss = {"losses": [{"length": 0, "base": 0.02, "own": 0.12, "full": float(rng.uniform(0.5, 1))}]}
        marked = [{"id": f"{name}.{j}", "harmless": str(rng.integers(2))} for j in range(size)]
        chances = {"base": 0.03, "own": float(rng.uniform(0.06, 0.13))}
        all_words = [{"word": "!" * int(one["harmless"]) + one["id"], **chances} for one in marked]
        cap = float(rng.uniform(3.1, 5.9)) * (chances["own"] - chances["base"])
        block = {"group-of": max(cap, 0.11), "items": marked, "words": all_words, "groups": 2}
        return block | (loss if rng.random() < 0.5 else {})
    options = [[f"o{k}" for k in range(rng.integers(2, 6))] if rng.random() < 0.5 else ["0", "1"] for _ in range(size)]
    harmless = [str(rng.choice(own)) for own in options]
    items: list[dict[str, Any]] = []
    for j, (own, least) in enumerate(zip(options, harmless, strict=True)):
        items.append({"id": f"{name}.{j}", "harmless": least})
        if own != ["0", "1"]:
            items[-1]["options"] = own

    def answer(j: int) -> str:
        code = str(rng.choice([one for one in options[j] if one != harmless[j]]))
        return {"0": "!", "1": ""}[code] + f"{name}.{j}" if options[j] == ["0", "1"] else f"{name}.{j}={code}"

    words = {answer(j) for j in range(size)}
    for _ in range(int(rng.integers(0, 4))):
        words.add(",".join(answer(j) for j in sorted(rng.choice(size, min(size, 2), replace=False))))
    longest = max(word.count(",") for word in words) + 1
    lengths = sorted({word.count(",") + 1 for word in words})
    losses: list[dict[str, Any]] = []
    if size > longest and rng.random() < 0.7:
        losses.append({"length": int(rng.choice([0, *lengths])), "full": float(rng.uniform(0.3, 2))})
        if losses[0]["length"] == 0 and rng.random() < 0.5:
            losses[0]["spare"] = float(rng.uniform(0, 1))
    shares = rng.dirichlet(np.ones(2 * (len(words) + len(losses)) + 2))
    for place, loss in enumerate(losses):
        loss |= {"base": shares[2 * place], "own": shares[2 * place] + shares[2 * place + 1]}
    rest = shares[2 * len(losses) :]
    made = [
        {"word": word, "base": rest[2 * place], "own": rest[2 * place] + rest[2 * place + 1]}
        for place, word in enumerate(sorted(words))
    ]
    least = max(*(word["own"] - word["base"] for word in made), sum(loss["own"] - loss["base"] for loss in losses))
    left = 1 - sum(word["base"] for word in [*made, *losses])
    block = {"one-of": float(rng.uniform(least, left)), "items": items, "words": made}
    return block | ({"losses": losses} if losses else {})


_SHARES = st.integers(1, 99).map(lambda percent: percent / 100)


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """A design of one or two small blocks of any live kind."""
    blocks = [draw(draw(st.sampled_from(_SMALL)))(f"b{number}") for number in range(draw(st.integers(1, 2)))]
    return Design.parse({"direct": draw(st.booleans()), "blocks": blocks})


@st.composite
def _shares(draw: st.DrawFn, count: int) -> list[float]:
    cuts = sorted(draw(st.lists(st.integers(1, 99), min_size=count - 1, max_size=count - 1, unique=True)))
    return [(b - a) / 100 for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]


@st.composite
def _coins(draw: st.DrawFn) -> Callable[[str], dict[str, Any]]:
    size = draw(st.integers(1, 3))
    noise = [draw(_shares(draw(st.integers(2, 3)))) for _ in range(size)]
    block: dict[str, Any] = {"keep": draw(_SHARES)} | draw(_sampled(size))
    if "ask" in block and draw(st.booleans()):
        block["coin"] = "each"
    return lambda name: (
        block
        | {
            "items": [
                {"id": f"{name}.{j}", "options": [f"o{option}" for option in range(len(own))], "noise": own}
                for j, own in enumerate(noise)
            ]
        }
    )


@st.composite
def _by_gamma(draw: st.DrawFn) -> Callable[[str], dict[str, Any]]:
    options = draw(st.lists(st.integers(2, 4), min_size=1, max_size=3))
    block = {"by-gamma": draw(st.integers(11, 300)) / 10} | draw(_sampled(len(options)))
    return lambda name: (
        block
        | {"items": [{"id": f"{name}.{j}", "options": [f"o{k}" for k in range(n)]} for j, n in enumerate(options)]}
    )


@st.composite
def _flips(draw: st.DrawFn) -> Callable[[str], dict[str, Any]]:
    size = draw(st.integers(1, 3))
    block = draw(_sampled(size))
    block |= {"flips": draw(_shares(block.get("ask", size) + 1).filter(_leaves_something))}
    return lambda name: block | {"items": [{"id": f"{name}.{j}"} for j in range(size)]}


def _leaves_something(flips: list[float]) -> bool:
    return any(eigenvalues(apportion([fraction(share) for share in flips]))[1:])


@st.composite
def _sampled(draw: st.DrawFn, size: int) -> dict[str, Any]:
    return {"ask": draw(st.integers(1, size))} if draw(st.booleans()) else {}


@st.composite
def _one_sided(draw: st.DrawFn) -> Callable[[str], dict[str, Any]]:
    size = draw(st.integers(1, 3))
    harmless = [draw(st.sampled_from("01")) for _ in range(size)]
    block = {"one-sided": draw(_SHARES)} | draw(_sampled(size))
    return lambda name: (
        block | {"items": [{"id": f"{name}.{j}", "harmless": answer} for j, answer in enumerate(harmless)]}
    )


_SMALL = (_coins(), _by_gamma(), _flips(), _one_sided())
