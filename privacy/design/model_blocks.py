"""The blocks of a model that a design names; the models themselves are the rows of `privacy.design.models`.

Every model takes `items` (names, or objects with `id` and, where the model has categories, `options`) and, to ask each
respondent only some of them, `ask`. A model that tosses a coin per item becomes one block per item, or with `ask` one
sampled block whose items have a coin each.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, comb, prod

from privacy.design import reading
from privacy.design.block import Block
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.grouped import GroupedBlock
from privacy.design.blocks.one_of.at_least import EXACT, has_figures
from privacy.design.blocks.one_of.design import (
    MOST_WORDS,
    OneOfBlock,
    check_count,
    read_harmless_items,
    read_items_alone,
)
from privacy.design.blocks.one_of.group_of import check_buckets
from privacy.design.blocks.one_of.lists import count_words, list_block, loss_weight, sets_block, spare_of, words_up_to
from privacy.design.items import YES_NO, Item
from privacy.design.notation import Entry, check_ask, read_ask, read_gamma
from privacy.design.rationals import ONE, apportion, numerator
from privacy.errors import EntryError, InputError

_LONGEST_WORD = 3

Build = Callable[[Entry, str], list[Block]]
MODELS: dict[str, tuple[tuple[str, ...], Build]] = {}
"""The keys of each model beside its items, and what makes its blocks of its JSON and of where that stands."""


def expand(entry: Entry, where: str) -> list[Block]:
    """The blocks of a model given by name, such as {"model": "warner", "theta": 0.7, "items": ["a"]}."""
    name = entry["model"]
    if not isinstance(name, str) or name not in MODELS:
        raise InputError(f"{where}.model: {reading.quote(name)} is unknown; the models are {', '.join(MODELS)}.")
    keys, build = MODELS[name]
    reading.only_keys(entry, ("model", "items", "ask", *keys), where)
    return build(entry, where)


def unrelated_question(entry: Entry, where: str) -> list[Block]:
    """Greenberg et al. (1969), the paper's (1): the question with probability p, else one answered yes with known θ."""
    keep = reading.share(entry, "p", where)
    return _coin_each(keep, _read_items_with_theta(entry, where), entry, where)


def forced_response(entry: Entry, where: str) -> list[Block]:
    """Boruch (1971): the truth with probability p, a forced yes with `yes`, a forced no with the rest."""
    keep, yes = reading.share(entry, "p", where), reading.share(entry, "yes", where)
    if keep + yes > 1:
        raise InputError(f"{where}.yes: {float(yes):.10g} and p {float(keep):.10g} sum to more than 1.")
    theta = yes / (1 - keep) if keep < 1 else Fraction(1, 2)
    return _coin_each(keep, [_with_yes_noise(item, theta) for item in _read_items(entry, where, YES_NO)], entry, where)


def binary(entry: Entry, where: str) -> list[Block]:
    """Any two-by-two channel: u = P(1|1) and v = P(1|0)."""
    u, v = reading.share(entry, "u", where), reading.share(entry, "v", where)
    if u < v:
        raise InputError(f"{where}.u: {float(u):.10g} is below v {float(v):.10g}; record the opposite answer.")
    theta = v / (1 - u + v) if u - v < 1 else Fraction(1, 2)
    return _coin_each(u - v, [_with_yes_noise(item, theta) for item in _read_items(entry, where, YES_NO)], entry, where)


def k_ary(entry: Entry, where: str) -> list[Block]:
    """Randomised response over k options: the truth with probability p, else an option drawn evenly."""
    keep = reading.share(entry, "p", where)
    return _coin_each(keep, [_with_even_noise(item) for item in _read_items(entry, where, None)], entry, where)


def improved_grouped(entry: Entry, where: str) -> list[Block]:
    """The improved grouped unrelated-question model, the paper's (7): one coin for all items, noise θ_i for each."""
    keep = reading.share(entry, "p", where)
    return [CoinBlock(tuple(_read_items_with_theta(entry, where)), numerator(keep), _read_checked_ask(entry, where))]


def grouped(entry: Entry, where: str) -> list[Block]:
    """The grouped unrelated-question model, the paper's (3)–(6): one coin, and the noise is all yes or all no."""
    if "ask" in entry:
        raise InputError(f"{where}.ask: the grouped model asks every item; it has no sampled form.")
    keep, theta = reading.share(entry, "p", where), reading.share(entry, "theta", where)
    return [GroupedBlock(tuple(_read_items(entry, where, YES_NO)), numerator(keep), numerator(theta))]


def gamma_diagonal(entry: Entry, where: str) -> list[Block]:
    """Agrawal and Haritsa (2005): one coin, even noise, a = (γ−1)/(γ−1+|D|), rounded so that γ is not exceeded."""
    gamma = read_gamma(entry, "gamma", where)
    items = [_with_even_noise(item) for item in _read_items(entry, where, None)]
    ask = _read_checked_ask(entry, where)
    rarest = prod(sorted(Fraction(min(item.noise or (ONE,)), ONE) for item in items)[: ask or len(items)])
    keep = int((gamma - 1) * rarest / (1 + (gamma - 1) * rarest) * ONE)
    if keep == 0:
        raise InputError(
            f"{where}.gamma: {float(gamma):.10g} over so many options keeps less than 2^-32 of the answers."
        )
    return [CoinBlock(tuple(items), keep, ask)]


def flip(entry: Entry, where: str) -> list[Block]:
    """Flips by γ and radius r: flips[d] ∝ C(s, d)·(γ if d ≤ r else 1) (after Duchi, Jordan and Wainwright 2018)."""
    gamma, radius = read_gamma(entry, "gamma", where), reading.whole_number(entry, "radius", where)
    items, ask = _read_items(entry, where, YES_NO), _read_checked_ask(entry, where)
    size = ask or len(items)
    if not 0 <= radius < size:
        raise EntryError(
            "{radius} is not from 0 to {most}, one less than the answers turned over.",
            at=f"{where}.radius",
            radius=radius,
            most=size - 1,
        )
    return [FlipBlock(tuple(items), flip_table(gamma, radius, size), ask)]


def flip_table(gamma: Fraction, radius: int, size: int) -> tuple[int, ...]:
    """Numerators of the flip table whose exact γ is at most the one asked, and as near to it as 2^−32 allows.

    Beyond the radius shares are rounded up, within it down; the remainder goes to the count with the most sets.
    """
    ways = [comb(size, d) for d in range(size + 1)]
    total = gamma * sum(ways[: radius + 1]) + sum(ways[radius + 1 :])
    unit = Fraction(ONE) / total  # the share of one set of answers beyond the radius
    while True:
        far = [ceil(unit * way) for way in ways[radius + 1 :]]
        least = min(Fraction(share, way) for share, way in zip(far, ways[radius + 1 :], strict=True))
        near = [int(gamma * least * way) for way in ways[: radius + 1]]
        surplus = sum(near) + sum(far) - ONE
        if surplus >= 0:
            break
        unit += Fraction(-surplus) / total
    near[ways.index(max(ways[: radius + 1]))] -= surplus
    table = (*near, *far)
    per_set = [Fraction(share, way) for share, way in zip(table, ways, strict=True)]
    if min(per_set) <= 0 or max(per_set) > gamma * min(per_set):
        raise EntryError(
            "{size} answers at gamma {gamma:.10g} need steps finer than 2^-32; ask fewer.",
            at="flips",
            size=size,
            gamma=float(gamma),
        )
    return table


def opposites(key: str, entry: Entry, where: str) -> list[Block]:
    """Blocks for questions asked as they stand with the probability under `key`, else as their opposite."""
    truth = reading.share(entry, key, where)
    if truth == Fraction(1, 2):
        raise InputError(f"{where}.{key}: 0.5 keeps nothing of any answer; choose a smaller or larger value.")
    items, ask = _read_items(entry, where, YES_NO), _read_checked_ask(entry, where)
    if truth > Fraction(1, 2):
        half = (ONE // 2, ONE // 2)
        noisy = [Item(item.id, item.options, half) for item in items]
        return _blocks_of_coins(2 * numerator(truth) - ONE, noisy, ask)
    stay = numerator(truth)
    if ask is None:
        return [FlipBlock((item,), (stay, ONE - stay)) for item in items]
    turned = Fraction(ONE - stay, ONE)
    binomial = [comb(ask, d) * turned**d * (1 - turned) ** (ask - d) for d in range(ask + 1)]
    return [FlipBlock(tuple(items), apportion(binomial), ask)]


def _coin_each(keep: Fraction, items: Sequence[Item], entry: Entry, where: str) -> list[Block]:
    """Blocks in which each item has a coin of its own that keeps the truth with the chance `keep`."""
    return _blocks_of_coins(numerator(keep), items, _read_checked_ask(entry, where))


def one_of(entry: Entry, where: str) -> list[Block]:
    """One word of a list by γ: all sets of up to `longest` telling answers, with a cap in answers and a loss word.

    `weights` say how much the words of each length weigh beside those of one answer; without them all weigh the same.
    With `groups` a record names a group of words, of which each seed has so many. With `least` words have one
    answer, or `longest` of which so many are enough.
    """
    gamma = read_gamma(entry, "gamma", where)
    longest = reading.whole_number(entry, "longest", where) if "longest" in entry else 1
    if "ask" in entry:
        raise InputError(f"{where}.ask: everybody answers all questions of a list; it has no sampled form.")
    if "least" in entry:
        return [_sets(entry, gamma, longest, where)]
    if not 1 <= longest <= _LONGEST_WORD:
        raise EntryError(
            "{longest} is not from 1 to {most}.", at=f"{where}.longest", longest=longest, most=_LONGEST_WORD
        )
    cap = reading.number(entry, "cap", where)
    if cap < 1:
        raise EntryError("{cap:g} is below 1 answer.", at=f"{where}.cap", cap=float(cap))
    items, harmless, alone = read_items_alone(entry, where)
    weights = _read_weights(entry, longest, where)
    count = sum(count_words([item.options for item in items], alone, longest))
    if count > MOST_WORDS:
        raise EntryError(
            "{count} words are more than {most}; take shorter ones.",
            at=f"{where}.longest",
            count=count,
            most=MOST_WORDS,
        )
    words = words_up_to(items, harmless, longest, alone)
    loss = loss_weight(len(items), longest)
    groups = reading.whole_number(entry, "groups", where) if "groups" in entry else 0
    if "groups" in entry:
        loss = Fraction(1)
        if len(set(weights)) > 1:
            raise EntryError("words in groups all weigh the same.", at=f"{where}.weights")
        check_buckets(groups, len(words), f"{where}.groups")
    return [list_block(items, harmless, gamma, cap, words, weights, loss, spare_of(longest), groups)]


def _sets(entry: Entry, gamma: Fraction, size: int, where: str) -> OneOfBlock:
    """Single answers, and sets of `size` of which some are enough; `weights` are those of these two."""
    least, cap = reading.whole_number(entry, "least", where), reading.number(entry, "cap", where)
    items, harmless = read_harmless_items(entry, where)
    if least != EXACT or cap != least or "groups" in entry:
        raise EntryError("with a threshold least and cap are {least}, and there are no groups.", at=where, least=EXACT)
    two = all(len(item.options) == 2 for item in items)
    if not (two and least < size and has_figures(len(items), (size, least))):
        raise EntryError(
            "words of {size} answers with a threshold tell nothing here; take 4 answers, of 6 questions or more with "
            "two answers each.",
            at=f"{where}.longest",
            size=size,
        )
    check_count(len(items) + comb(len(items), size), f"{where}.longest")
    return sets_block(items, harmless, gamma, size, least, _read_weights(entry, 2, where)[1])


def _read_weights(entry: Entry, longest: int, where: str) -> list[Fraction]:
    if "weights" not in entry:
        return [Fraction(1)] * longest
    given = reading.read_filled_list(entry, "weights", where)
    if len(given) != longest:
        raise EntryError(
            "{count} weights do not fit words of up to {longest} answers.",
            at=f"{where}.weights",
            count=len(given),
            longest=longest,
        )
    weights = [reading.number({"weights": weight}, "weights", where) for weight in given]
    if not all(0 < weight <= 1 for weight in weights):
        raise EntryError("weights are above 0 and at most 1.", at=f"{where}.weights")
    return weights


def _blocks_of_coins(keep: int, items: Sequence[Item], ask: int | None) -> list[Block]:
    """A coin for each item, with the numerator `keep`: a block each, or with `ask` one sampled block."""
    if ask is None:
        return [CoinBlock((item,), keep) for item in items]
    return [CoinBlock(tuple(items), keep, ask, each=True)]


def _read_items(entry: Entry, where: str, options: tuple[str, ...] | None) -> list[Item]:
    """The named items; `options` fixes them to yes/no, None lets an item bring its own."""
    named = []
    for index, item in enumerate(reading.read_filled_list(entry, "items", where)):
        inner = f"{where}.items[{index}]"
        if isinstance(item, str):
            named.append(Item(item))
            continue
        item = reading.mapping(item, inner)
        reading.only_keys(item, ("id",) if options else ("id", "options"), inner)
        own = reading.labels(item["options"], f"{inner}.options") if "options" in item else YES_NO
        named.append(Item(reading.text(item, "id", inner), own))
    return named


def _read_items_with_theta(entry: Entry, where: str) -> list[Item]:
    """The items with their innocent questions, answered yes with θ (one for all, or one for each)."""
    items = _read_items(entry, where, YES_NO)
    if not isinstance(entry.get("theta"), list):
        theta = reading.share(entry, "theta", where)
        return [_with_yes_noise(item, theta) for item in items]
    thetas = [reading.share({"": value}, "", f"{where}.theta[{index}]") for index, value in enumerate(entry["theta"])]
    if len(thetas) != len(items):
        raise InputError(f"{where}.theta: {len(thetas)} shares do not fit the {len(items)} items.")
    return [_with_yes_noise(item, theta) for item, theta in zip(items, thetas, strict=True)]


def _with_yes_noise(item: Item, yes: Fraction) -> Item:
    return Item(item.id, item.options, (ONE - numerator(yes), numerator(yes)))


def _with_even_noise(item: Item) -> Item:
    share = Fraction(1, max(len(item.options), 1))
    return Item(item.id, item.options, apportion([share] * len(item.options)))


def _read_checked_ask(entry: Entry, where: str) -> int | None:
    ask = read_ask(entry, where)
    check_ask(ask, len(entry["items"]), where)
    return ask
