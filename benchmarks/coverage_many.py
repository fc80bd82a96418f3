"""How often intervals of confidences hold the truth where a search counts many itemsets, and how far figures are off.

    python -m benchmarks.coverage_many [--surveys 3] [--support .02] [--most 2500]

Populations of 50 yes/no items, 10 000 people each, every answer disguised by itself (Warner, θ = .95; the noisy ones
with keep .6 and θ .2, of which rules between two of confidence .2 are looked for). Each person belongs to a class, and
answers within it are independent, so that the truth is known exactly. Survey number s of a population has the seed s.
Rules of two and of three answers apart: the share of 95 % intervals that hold the truth, raw and after selection, and
by how many points confidences are too high. `--most` is how many itemsets are shrunk at most.
"""

import argparse

import numpy as np

from mining.engines import lattice
from mining.engines.columns import NONE
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table

ITEMS, PEOPLE = 50, 10_000
NAMES = [f"q{place}" for place in range(ITEMS)]
DESIGN = {"model": "warner", "theta": 0.95, "items": NAMES}
NOISY = {"candor": 1, "blocks": [{"keep": 0.6, "items": [{"id": name, "theta": 0.2}]} for name in NAMES]}


def populations() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The share of each class of people, and the chance of yes in each class and item."""
    rare, even = np.linspace(0.05, 0.3, ITEMS), np.full(ITEMS, 0.15)
    topic, group = np.arange(ITEMS) % 5, np.arange(5)[:, None]
    return {
        "independent": (np.ones(1), rare[None]),
        "a third twice as likely": (np.array([2, 1]) / 3, np.stack([0.75 * rare, 1.5 * rare])),
        "a tenth with half of all": (np.array([9, 1]) / 10, np.stack([0.7 * rare, np.full(ITEMS, 0.5)])),
        "five topics": (np.full(5, 0.2), np.where(topic == group, 0.4, 0.08)),
        "five steps": (np.full(5, 0.2), np.linspace(0.3, 1.7, 5)[:, None] * even),
        "few ties": (np.array([0.9, 0.1]), np.stack([rare, np.where(np.arange(ITEMS) < 6, 0.8, rare)])),
        "weak ties, noisy": (
            np.full(5, 0.2),
            np.where((np.arange(ITEMS) // 10 == group) & (np.arange(ITEMS) % 10 < 6), 0.35, 0.06),
        ),
        "five topics, noisy": (np.full(5, 0.2), np.where(topic == group, 0.4, 0.08)),
    }


def survey(share: np.ndarray, chance: np.ndarray, support: float, noisy: bool, seed: int) -> dict[str, np.ndarray]:
    """Every rule of a survey: its length, true confidence, and both figures with their ends."""
    draws, design = np.random.default_rng(seed), Design.parse(NOISY if noisy else DESIGN)
    truth = draws.random((PEOPLE, ITEMS)) < chance[draws.choice(len(share), PEOPLE, p=share)]
    records = disguise(design, truth.astype(np.uint8), np.zeros(PEOPLE, bool), words_from_seed(seed))
    columns = findings(
        [(records.codes, records.direct)], design, MiningRequest(support, 0.2 if noisy else 0.3, 2 if noisy else 3)
    ).columns
    items = columns.items[columns.itemset]
    inside = items != NONE
    left = inside & (columns.antecedent[:, None] >> np.arange(items.shape[1]) & 1 == 1)

    def of_all(chosen: np.ndarray) -> np.ndarray:
        return share @ np.where(chosen, chance[:, np.where(inside, items, 0)], 1).prod(axis=2)

    figures = {"length": inside.sum(axis=1), "truth": of_all(inside) / of_all(left)}
    for kind in ("", "shrunken "):
        for end in ("", " low", " high"):
            figures[f"{kind}confidence{end}"] = columns.rules[f"{kind}confidence{end}"]
    return figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--surveys", type=int, default=3)
    parser.add_argument("--support", type=float, default=0.02)
    parser.add_argument("--most", type=int, default=lattice.MOST_JOINT)
    chosen = parser.parse_args()
    lattice.MOST_JOINT = chosen.most
    rows: list[list[object]] = []
    for name, (share, chance) in populations().items():
        made = [survey(share, chance, chosen.support, "noisy" in name, seed) for seed in range(chosen.surveys)]
        every = {key: np.concatenate([one[key] for one in made]) for key in made[0]}
        for length in sorted(set(every["length"])):
            row: list[object] = [name, length, int((every["length"] == length).sum())]
            for kind in ("", "shrunken "):
                known = (every["length"] == length) & np.isfinite(every[f"{kind}confidence"])
                figure, low, high = (every[f"{kind}confidence{end}"][known] for end in ("", " low", " high"))
                held = (low <= every["truth"][known]) & (every["truth"][known] <= high)
                off = 100 * (figure - every["truth"][known])
                row += [float(held.mean()), float(off.mean())] if known.any() else [float("nan")] * 2
            rows.append(row)
        print(rows[-1], flush=True)
    print(as_table(["people", "length", "rules", "raw holds", "raw off", "holds", "off"], rows))


if __name__ == "__main__":
    main()
