"""How often what `candor.careless` tells by a pair of questions is true: `python benchmarks/coverage_careless.py 30`.

Two questions, of which 25 and 10 % are true of people who follow the design, and the pair, in four designs: one coin
for all, a coin for each, flips, and people who draw by Warner's model. None, 10, 30 or 43 % do not follow: they press
yes to all, each answer at random, or one pattern (yes, no, yes, no). A row is a design, a way to press and a size of so
many surveys for each share: how often the intervals of the share who do not follow and of three figures held, their
median widths, and in how many surveys the sentence says that no figure can be corrected. The seed is the cell.
"""

import sys

import numpy as np

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table

ITEMS = ("drugs", "theft", "never", "always")
SHARES = np.array([0.25, 0.1, 0, 1])
DESIGNS = {
    "one coin": candor.models.improved_grouped(ITEMS, p=0.5, theta=0.5, direct=False),
    "each": candor.models.warner(ITEMS, theta=0.75, direct=False),
    "flips": Design.parse({"blocks": [{"flips": [0.5, 0.35, 0.15, 0, 0], "items": [{"id": item} for item in ITEMS]}]}),
    "own draw": candor.models.warner(ITEMS, theta=0.75, direct=False),
}
PRESSES = ("yes", "at random", "one pattern")
FIGURES = {"drugs": 0.25, "theft": 0.1, "drugs,theft": 0.025}
ANCHORS = {"never": (0, 0.01), "always": (0.99, 1)}


def survey(name: str, n: int, share: float, press: str, random: np.random.Generator) -> candor.Records:
    """The records of n people, of whom about this share do not follow."""
    design, said = DESIGNS[name], (random.random((n, 4)) < SHARES).astype(np.uint8)
    others = random.random(n) < share
    pressed = {"yes": np.ones((n, 4)), "at random": random.random((n, 4)) < 0.5, "one pattern": np.tile([1, 0], (n, 2))}
    if name != "own draw":
        said[others] = pressed[press][others]
        return disguise(design, said, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
    codes = np.where(random.random((n, 4)) < 0.75, said, 1 - said).astype(design.code_type)
    codes[others] = pressed[press][others]
    return candor.Records(design, codes, np.zeros(n, bool))


def cell(name: str, press: str, n: int, surveys: int) -> list[str]:
    random = np.random.default_rng([n, *press.encode(), *name.encode()])
    own = name == "own draw"
    held: dict[str, list[bool]] = {"people": [], **{figure: [] for figure in FIGURES}}
    widths: dict[str, list[float]] = {figure: [] for figure in held}
    refused = 0
    for share in (0.0, 0.1, 0.3, 0.43):
        for _ in range(surveys):
            found = candor.careless(
                survey(name, n, share, press, random),
                [figure for figure in FIGURES if not own or "," not in figure],
                anchors=ANCHORS,
                disguiser="person" if own else "device",
            )
            refused += not found.figures
            ends = {figure.figure: figure.ci for figure in found.figures} | {"people": found.share_ci or (0.0, 1.0)}
            for figure, (low, high) in ends.items():
                held[figure].append(low <= (share if figure == "people" else FIGURES[figure]) <= high)
                widths[figure].append(high - low)
    cells = [f"{np.mean(held[one]):.2f} ({np.median(widths[one]):.2f})" if held[one] else "" for one in held]
    return [name, press, str(n), *cells, str(refused)]


def main(surveys: int) -> None:
    rows = [cell(name, press, n, surveys) for name in DESIGNS for press in PRESSES for n in (500, 3000)]
    print(as_table(["design", "press", "people", "do not follow", *FIGURES, "refused"], rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
