"""One small design of every kind, and records of it: latent groups make the answers depend on one another."""

import numpy as np

from privacy.design import ONE, Design
from privacy.design.blocks.by_gamma import GammaBlock
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.one_sided import OneSidedBlock
from tests.codes import NOT_ASKED


def yes_no(*names, theta=0.4):
    return [{"id": name, "theta": theta} for name in names]


CHOICE = {"id": "age", "options": ["young", "middle", "old"], "noise": [0.5, 0.3, 0.2]}
KINDS = {
    "one block": [{"keep": 0.5, "items": [*yes_no("a", "b", "c"), *yes_no("d", "e", theta=0.6)]}],
    "a choice in the block": [{"keep": 0.5, "items": [*yes_no("a", "b"), CHOICE]}],
    "two blocks": [{"keep": 0.6, "items": yes_no("a", "b", "c")}, {"keep": 0.7, "items": yes_no("d", "e")}],
    "a block per item": [{"keep": 0.7, "items": yes_no(name)} for name in "abcd"],
    "flips": [{"flips": [0.6, 0.2, 0.1, 0.06, 0.04], "items": [{"id": name} for name in "abcd"]}],
    "flips beside a coin": [
        {"flips": [0.7, 0.2, 0.1], "items": [{"id": "a"}, {"id": "b"}]},
        {"keep": 0.6, "items": yes_no("c", "d")},
    ],
    "sampled coin": [{"keep": 0.6, "ask": 3, "items": yes_no("a", "b", "c", "d")}],
    "sampled, a coin each": [{"keep": 0.6, "ask": 3, "coin": "each", "items": yes_no("a", "b", "c", "d")}],
    "sampled flips beside a coin": [
        {"flips": [0.7, 0.2, 0.06, 0.04], "ask": 3, "items": [{"id": name} for name in "abcd"]},
        {"keep": 0.6, "items": [*yes_no("e"), CHOICE]},
    ],
    "one-sided beside a coin": [
        {"one-sided": 0.3, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]},
        {"keep": 0.6, "items": yes_no("c", "d")},
    ],
    "sampled one-sided": [{"one-sided": 0.3, "ask": 3, "items": [{"id": name, "harmless": "0"} for name in "abcd"]}],
}

# mlxtend's metrics, by its names and in its order.
MLXTEND = (
    "antecedent support",
    "consequent support",
    "support",
    "confidence",
    "lift",
    "representativity",
    "leverage",
    "conviction",
    "zhangs_metric",
    "jaccard",
    "certainty",
    "kulczynski",
)


def design_of(kind, direct=True):
    return Design.parse({"direct": direct, "blocks": KINDS[kind]})


def records_of(design, n=3000, direct_share=0.25, seed=1):
    """Disguised codes (n, items) and the direct flags, by the definition of every block."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, n)
    direct = rng.random(n) < (direct_share if design.direct else 0)
    columns = []
    for item in design.items:
        lean = 0.5 + 0.35 * group
        first = rng.random(n) < lean
        other = rng.integers(0, len(item.options), n)
        columns.append(np.where(first, len(item.options) - 1, other))
    codes = np.stack(columns, axis=1).astype(np.uint8)
    for start, block in zip(design.first_columns, design.blocks, strict=True):
        size, ask = len(block.items), block.items_per_person
        order = rng.random((n, size)).argsort(axis=1)
        here = codes[:, start : start + size]
        if isinstance(block, FlipBlock):
            count = rng.choice(ask + 1, n, p=np.array(block.flips) / ONE)
            place = order.argsort(axis=1)  # the asked items are those of place < ask, in random order
            turned = (place < count[:, None]) & ~direct[:, None]
            disguised = here ^ turned
        else:
            if isinstance(block, OneSidedBlock):
                keep, each = 1 - block.turned / ONE, True
            elif isinstance(block, GammaBlock):
                sizes = [len(item.options) for item in block.items]
                rarest = np.where(order.argsort(axis=1) < ask, 1 / np.array(sizes), 1).prod(axis=1, keepdims=True)
                more = (block.stated / ONE - 1) * rarest
                keep, each = more / (1 + more), False
            else:
                keep, each = block.keep / ONE, block.each
            coins = rng.random((n, size if each else 1)) < keep
            noise = [rng.choice(len(item.options), n, p=np.array(item.noise) / ONE) for item in block.items]
            disguised = np.where(coins | direct[:, None], here, np.stack(noise, axis=1))
        unasked = order.argsort(axis=1) >= ask
        codes[:, start : start + size] = np.where(unasked, NOT_ASKED, disguised)
    return codes, direct
