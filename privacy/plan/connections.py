"""How likely connections between answers are found, before anyone is asked, and how many respondents that takes.

A connection is a rule A ⇒ C: A stands for one answer or several independent ones, and C goes with all of A together as
strongly as `strength`, the correlation φ of the two sides. It is *found* if its leverage sup(AC) − sup(A)sup(C) is
beyond chance among all rules that a run looks at: with a q of at most .05 although nothing else is found. Two answers
are a family of their own, and of longer itemsets each length has the same part of the tests
(`privacy.reconstruct.discoveries`), so a p counts times

    M_2 = itemsets of 2 literals,    M_L = (2^(L−1) − 1) · (itemsets of L literals) · (longest − 2),

and with r = leverage/σ of one respondent, σ from the covariance of the parts by available cases, n respondents find it
with the chance Φ(√n·r − z), where 2Φ(−z) = .05/M_L. The reports on answers say the same of the respondents they have.
Where a disguise is biased, what is left of the leverage counts, whatever the bias is, as in `mining.engines.rules`.

Where several tests of two answers (`links`) are true at once, those that are found make room for the others: z follows
from .05·f/M_2, with f = max(1, links · chance) the number that is found (Genovese and Wasserman 2002).

A report that shows pairs of answers corrects their p by Holm (1979) instead: z follows from .05/(m − (f − 1)/2), of m
pairs that it looks at, as the one that is found last counts m − f + 1 times and the first m times. Their test is that
of the table of those who were asked both, and not by available cases. It takes the error σ₀ of independent answers, so
z counts σ₀/σ times; but the report leaves a pair whose leverage alone has a p above .05. Lists of words have no table.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from itertools import combinations, groupby, product
from statistics import NormalDist

import numpy as np

from privacy.design import Design, Item
from privacy.design.brief import WIDE
from privacy.design.channels import Floats
from privacy.design.channels.replacing import independent
from privacy.design.draws import share_asked
from privacy.design.patterns import possible_itemsets
from privacy.design.plans import Losses, Sketched
from privacy.errors import InputError
from privacy.estimate.available import matching
from privacy.estimate.power import fewest
from privacy.reconstruct.discoveries import BEYOND_CHANCE as BEYOND_CHANCE, MOST_LOOKED_AT as MOST_LOOKED_AT
from privacy.result import TextColumns

STRENGTH = 0.3  # φ; of Cohen's (1988) three words for it, "medium"
GOAL = 0.8  # how likely a connection is found where there are respondents enough
YES = 0.3  # who says yes, where nothing better is known
_MOST = 2**40  # respondents; more are never reached
_ILL = 1e9  # the condition of a channel that leaves nothing of a pattern
_SETTLED = 1e-4  # a chance that grows by less does not grow any more
_TRIED = 200  # itemsets of one length; of more, as many by lot


@dataclass(frozen=True)
class Connection:
    """A connection of so many answers: the chance that it is found, and how many respondents make it likely.

    `among_those` say yes to its last answer of those who say yes to all others; `among_all` do of all. `needed` is None
    where no number of respondents is enough.
    """

    length: int
    among_those: float
    among_all: float
    chance: float
    needed: int | None

    def to_json(self) -> dict[str, float | int | None]:
        return dict(vars(self))


def connections(
    design: Design,
    respondents: int,
    *,
    shares: Mapping[str, Sequence[float]] | None = None,
    direct_share: float = 0.0,
    strength: float = STRENGTH,
    longest: int = 3,
    length: int | None = None,
    least: int = 1,
    negated: bool = False,
    answers: Mapping[str, int] | None = None,
    apart: Collection[str] = (),
    links: int = 1,
    looked_at: int | None = None,
) -> tuple[Connection, ...]:
    """Compute how likely connections of two answers, three, … are found.

    `shares`: how common each option of an item is; without it three in ten say yes, and all options of a choice are
    alike.
    `strength`: the correlation of the two sides, above 0 and up to 1.
    `longest`: the most answers in a rule that is looked for: all tests share what chance may do.
    `length`: the one that is worked out; without it all up to the longest.
    `least`: the fewest respondents about whom anything is reported.
    `answers`: the option of an item that its connections are of; without it the yes, or each option of a choice.
    `apart`: items that are looked through as all others are, and go with none.
    `links`: how many tests of connections of two answers are true at once.
    `looked_at`: how many pairs of answers a report looks at, by Holm; without it connections of two are mined rules.
    Returns one for each length that anybody is asked; the average over the answers there are.

    >>> items = [{"id": name, "theta": 0.5} for name in "abcdefghij"]
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": items, "ask": 4}]})
    >>> [(one.length, round(one.chance, 2), one.needed) for one in connections(design, 3000)]
    [(2, 0.24, 7801), (3, 0.01, 34877)]
    """
    if respondents < 1:
        raise InputError(f"respondents: {respondents} is not at least 1.")
    if not 0 < strength <= 1:
        raise InputError(f"strength: {strength!r} is not above 0 and up to 1.")
    if design.leaks:
        return ()
    literals = _literals(design, shares or {})
    per_item = [len(literal) + (negated and len(literal) == 1) for literal in literals]
    possible = possible_itemsets(per_item, longest)
    known = answers or {}
    by_item = zip(literals, (item for item in design.items if item.has_options), strict=True)
    tied = [[own[known[item.id]]] if item.id in known else own for own, item in by_item if item.id not in apart]

    @cache
    def channel(place: int) -> _SeenBlock:
        block = design.blocks[place]
        sketch = block.sketch(tuple(range(len(block.items)))).channel
        losses = sketch.losses([_shares_of(item, shares or {}) for item in block.items])
        return _SeenBlock(sketch, len(block.items), losses, block.reads_whole)

    listed = []
    for count in [length] if length else range(2, longest + 1):
        true, looked = (links, looked_at) if count == 2 else (1, None)
        complete = looked is not None
        itemsets = _choose_itemsets(tied, count)
        made = {
            itemset: _side(channel, itemset, strength, direct_share, complete) for itemset in dict.fromkeys(itemsets)
        }
        sides = [made[itemset] for itemset in itemsets]
        if any(side.asked for side in sides):
            tests = (2 ** (count - 1) - 1) * possible[count] * (max(longest - 2, 1) if count > 2 else 1)
            level = partial(_level_by_holm, looked) if looked else partial(_level_of_rules, tests)
            listed.append(_connection(count, sides, level, respondents, least, true))
    return tuple(listed)


def pairs_looked_at(answers: Sequence[int]) -> int | None:
    """How many pairs of answers a report looks at, by how many answers each item has; None where it leaves all out.

    Of two answers one says it all.

    >>> pairs_looked_at([2, 2, 2]), pairs_looked_at([2, 3]), pairs_looked_at([2] * 30)
    (3, 3, None)
    """
    counts = [count if count > 2 else 1 for count in answers]
    pairs = (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2
    return pairs if 0 < pairs <= MOST_LOOKED_AT else None


def _level_by_holm(looked_at: int, found: float) -> float:
    """The p of which a pair is sure, where so many of them are found, on average over these."""
    return BEYOND_CHANCE / max(looked_at - (found - 1) / 2, 1.0)


def _level_of_rules(tests: float, found: float) -> float:
    """The p of which a rule has a q of at most .05, where so many of them are found."""
    return BEYOND_CHANCE * found / tests


def expects_none(connections: Sequence[Connection]) -> bool:
    """Whether connections of every length would be missed more often than found.

    >>> expects_none([Connection(2, 0.5, 0.3, 0.18, 8547)]), expects_none([])
    (True, False)
    """
    return bool(connections) and max(connection.chance for connection in connections) < 0.5


def roughly(count: int) -> int:
    """A number of respondents rounded up to two digits: more are not known.

    >>> roughly(12_345), roughly(87)
    (13000, 87)
    """
    digit = int(10 ** max(len(str(count)) - 2, 0))
    return -(-count // digit) * digit


def forecast(connections: Sequence[Connection], respondents: int) -> Iterator[str | TextColumns]:
    """Say whether rules are to be expected, and how many respondents they take."""
    if not connections:
        return
    yield ""
    if expects_none(connections):
        enough = [connection.needed for connection in connections if connection.needed is not None]
        needed = f"; about {roughly(min(enough))} respondents would be needed" if enough else ""
        yield f"Expect no rules from {respondents} respondents{needed}."
        yield ""
    yield "How likely a link of medium strength is found (correlation .3; pairs by Holm, others with q at most .05)"
    columns = ["answers", "share among those", "among all", "found", "respondents for 80 %"]
    rows = [
        [connection.length, connection.among_those, connection.among_all, connection.chance, connection.needed]
        for connection in connections
    ]
    yield TextColumns(
        columns, [[cell if not isinstance(cell, float) else float(f"{cell:.3g}") for cell in row] for row in rows]
    )


@dataclass(frozen=True)
class _SeenBlock:
    """How a block of so many items disguises them, and what its figures lose; `whole`: its records are read whole."""

    sketch: Sketched
    items: int
    losses: Losses | None
    whole: bool


@dataclass(frozen=True)
class _Literal:
    """One answer: its block, how common it is, how likely noise says it, and the share of its options that it is."""

    block: int
    share: float
    noise: float
    centre: float


@dataclass(frozen=True)
class _Side:
    """One connection: its leverage by the error of one respondent, the chance to be asked all of it, and its shares.

    `doubt`: the end of what a bias takes from the leverage, beyond its mean, by the same error; for rules alone.
    `null`: the error that its test takes, by the same error.
    """

    ratio: float
    doubt: float
    null: float
    asked: float
    among_those: float
    among_all: float


def _literals(design: Design, shares: Mapping[str, Sequence[float]]) -> list[list[_Literal]]:
    """The answers of every item that has options; of a yes/no item its yes."""
    literals = []
    for index, block in enumerate(design.blocks):
        if block.distribution is not None:
            continue
        patterns = block.patterns
        for inside, item in enumerate(block.items):
            count, known = len(item.options), _shares_of(item, shares)
            noise = [patterns.noise(inside, frozenset((option,))) for option in range(count)]
            noise = [0.0 if math.isnan(chance) else chance for chance in noise]
            options = (1,) if item.boolean else range(count)
            literals.append([_Literal(index, known[option], noise[option], 1 / count) for option in options])
    return literals


def _shares_of(item: Item, shares: Mapping[str, Sequence[float]]) -> Sequence[float]:
    """How common each option of an item is, or is taken to be."""
    count = len(item.options)
    return shares.get(item.id) or ((1 - YES, YES) if item.boolean else (1 / count,) * count)


def _choose_itemsets(literals: Sequence[Sequence[_Literal]], length: int) -> list[tuple[_Literal, ...]]:
    """Itemsets of this length: all of them, or if they are many some by lot, the same ones each time."""
    if math.comb(len(literals), length) * math.prod(sorted(map(len, literals))[-length:]) <= _TRIED:
        return [chosen for items in combinations(literals, length) for chosen in product(*items)]
    if len(literals) < length:
        return []
    return [
        tuple(literals[place][option] for place, option in some) for some in _lots(tuple(map(len, literals)), length)
    ]


@cache
def _lots(options: tuple[int, ...], length: int) -> list[list[tuple[int, int]]]:
    """Itemsets by lot: items by their places, with the place of one of its `options`."""
    lot = np.random.default_rng(length)
    places = [sorted(lot.choice(len(options), length, replace=False).tolist()) for _ in range(_TRIED)]
    return [[(place, int(lot.integers(options[place]))) for place in some] for some in places]


def _side(
    channel: Callable[[int], _SeenBlock],
    chosen: Sequence[_Literal],
    strength: float,
    direct_share: float,
    complete: bool,
) -> _Side:
    """A connection of these literals, of which the last is the consequent.

    complete: those alone count who were asked all of it, as in the table of a report.
    """
    parts, shares = [], []
    for place, own in groupby(chosen, lambda literal: literal.block):
        inside = list(own)
        parts.append((channel(place), tuple((one.noise, one.centre) for one in inside)))
        shares += [one.share for one in inside]
    return _compute_side(tuple(parts), tuple(shares), strength, direct_share, complete)


@cache
def _compute_side(
    parts: tuple[tuple[_SeenBlock, tuple[tuple[float, float], ...]], ...],
    shares: tuple[float, ...],
    strength: float,
    direct_share: float,
    complete: bool,
) -> _Side:
    """The figures of one connection, from the covariance of its parts (see `privacy.estimate.available`)."""
    length, centres = len(shares), [centre for _, members in parts for _, centre in members]
    truth, among_those = together(shares, strength)
    nothing = _Side(0.0, 0.0, 1.0, 0.0, among_those, shares[-1])
    if any(len(members) > block.sketch.ask for block, members in parts):
        return nothing
    seen, channel = np.ones(1), np.ones((1, 1))
    for block, members in parts:
        sizes = np.bitwise_count(np.arange(2 ** len(members))).tolist()
        own = np.array([share_asked(block.items, block.sketch.ask, size) for size in sizes])
        seen = np.outer(own, seen).ravel()  # bit j of a mask is literal j: later blocks hold the higher bits
        channel = np.kron(block.sketch.chances(np.array([[noise for noise, _ in members]]))[0], channel)
    if np.linalg.cond(channel) > _ILL:
        return replace(nothing, asked=float(seen[-1]))
    asked = float(seen[-1])
    if complete:
        seen = np.full_like(seen, asked)
    sets = np.arange(2**length)
    matches = matching(2**length)[..., 0]
    centred = reduce(lambda a, b: np.kron(b, a), [np.array([[1.0, 1.0], [-centre, 1 - centre]]) for centre in centres])
    weights = centred @ np.linalg.inv(channel).T
    joined = matches @ np.linalg.inv(centred)  # supports from the means of centred products
    supports = matches @ truth
    whole, consequent = len(sets) - 1, 1 << (length - 1)
    slopes = np.zeros(len(sets))
    both, left, right = supports[[whole, whole - consequent, consequent]].tolist()
    slopes[[whole, whole - consequent, consequent]] = 1.0, -right, -left
    slopes = slopes @ joined

    def error_of(answers: Floats) -> float:
        """Return the error of the leverage where the cells of the answers are so common."""
        means = centred @ answers
        disguised, direct = (weights * (answers @ channel)) @ weights.T, (centred * answers) @ centred.T
        square = direct_share * direct + (1 - direct_share) * disguised - np.outer(means, means)
        return math.sqrt(slopes @ (seen[sets[:, None] | sets] / np.outer(seen, seen) * square) @ slopes)

    error = error_of(truth)
    by_table = complete and not any(block.whole for block, _ in parts)
    null = error_of(independent(np.array([shares]))[0]) / error if by_table else 1.0
    sizes = [(block.losses, len(members), int(index == len(parts))) for index, (block, members) in enumerate(parts, 1)]
    of_both = _lose(both, [(losses, count) for losses, count, _ in sizes])
    of_left = _lose(left, [(losses, count - last) for losses, count, last in sizes])
    of_right = _lose(right, [(losses, last) for losses, _, last in sizes])
    # A side that is more common than its estimate leaves less of the leverage.
    reach, doubt = (
        of_right[0] * one + of_left[0] * other for one, other in zip(of_left[1:], of_right[1:], strict=True)
    )
    lost = both - left * right - (of_both[0] - of_left[0] * of_right[0] - reach)
    ratio = max(both - left * right - (1 - direct_share) * lost, 0.0) / error
    doubt = 0.0 if complete else (1 - direct_share) * WIDE * doubt / error
    return _Side(ratio, doubt, null, asked, among_those, shares[-1])


def _lose(support: float, parts: Sequence[tuple[Losses | None, int]]) -> tuple[float, float, float]:
    """The estimate that is expected of a support, how far above it the truth may be, and the error of that.

    `parts`: what figures of each block lose, and how many answers are of it.
    """
    estimate, reach, error = support, 0.0, 0.0
    for losses, count in parts:
        if losses and count:
            estimate *= losses.kept[count - 1]
            reach += losses.times * estimate + losses.mean
            error += losses.error
    return estimate, reach, error


def together(shares: Sequence[float], strength: float = STRENGTH) -> tuple[Floats, float]:
    """Compute how common the cells of answers are of which the last goes with all others together.

    `shares`: how common each answer is, the consequent last. `strength`: the correlation of the two sides. Returns the
    shares of all cells, bit j of a place for answer j, and that of the consequent among those who match the antecedent.

    >>> cells, among_those = together((0.3, 0.3))
    >>> cells.round(3).tolist(), round(among_those, 2)
    ([0.553, 0.147, 0.147, 0.153], 0.51)
    """
    *antecedent, consequent = shares
    (chances,) = independent(np.array([antecedent]))
    all_of_it = float(chances[-1])
    spread = math.sqrt(all_of_it * (1 - all_of_it) * consequent * (1 - consequent))
    leverage = min(strength * spread, all_of_it * (1 - consequent), (1 - all_of_it) * consequent)
    of_each = np.full(len(chances), consequent - leverage / (1 - all_of_it) if all_of_it < 1 else consequent)
    of_each[-1] = consequent + (leverage / all_of_it if all_of_it else 0.0)
    return np.concatenate([chances * (1 - of_each), chances * of_each]), float(of_each[-1])


def _connection(
    length: int, sides: Sequence[_Side], level: Callable[[float], float], respondents: int, least: int, links: int
) -> Connection:
    """Average the connections of one length (`sides`), and find how many respondents make them likely.

    level: the largest p of one that is found, by how many are.
    """
    normal = NormalDist()
    kinds = Counter(sides)
    looked_into = -normal.inv_cdf(BEYOND_CHANCE / 2)

    def chance_of_finding(found: float, n: int) -> float:
        """Return the chance that a connection is found among `found` rules in all."""
        critical = -normal.inv_cdf(min(level(found), 1.0) / 2)
        chances = {
            side: normal.cdf(math.sqrt(n) * side.ratio - side.doubt - max(side.null * critical, looked_into))
            if side.ratio > 0 and n * side.asked >= least
            else 0.0
            for side in kinds
        }
        return sum(chances[side] * count for side, count in kinds.items()) / len(sides)

    def chance(n: int) -> float:
        before, now = -1.0, chance_of_finding(1.0, n)
        while links * now > 1 and now - before > _SETTLED:
            before, now = now, chance_of_finding(links * now, n)
        return now

    return Connection(
        length,
        sum(side.among_those for side in sides) / len(sides),
        sum(side.among_all for side in sides) / len(sides),
        chance(respondents),
        fewest(chance, GOAL) if chance(_MOST) >= GOAL else None,
    )
