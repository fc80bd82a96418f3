"""A validation study, simulated whole: three arms by a lot, people who hide, and people who do not follow.

    python benchmarks/validation_study.py [studies] [people in each arm]

A fifth did the act. Asked plainly, three in ten of them hide it. Behind a device one in twenty answers at random. Of
those who draw themselves (crosswise by a day of birth, 2 to 9, half of them with the opposite), 27 % press at random,
the least to the second largest of four surveys of athletes being .25, .27, .27 and .39. Each study is analysed by
`examples/validation/analyse.py`, from the same records as a site exports. It prints the mean and the spread of each
figure over studies (200 of 1 200 people an arm, unless said otherwise; the seed is the number of the study), the mean
of its standard error, and how often its 95 % interval holds what is true; last, how often each difference is found.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import candor
from privacy.output import as_table

ANALYSIS = Path(__file__).parents[1] / "examples/validation/analyse.py"
_spec = importlib.util.spec_from_file_location("analyse", ANALYSIS)
assert _spec is not None
assert _spec.loader is not None
analyse = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(analyse)

ACT, HIDE, CARELESS_DEVICE, CARELESS_OWN = 0.2, 0.3, 0.05, 0.27
FACTS = ("mother", "father", "friend", "cousin")
DAYS = [str(day) for day in range(1, 32)]
OUTCOMES = [{"of": DAYS[1:9], "says": "fact"}, {"of": [*DAYS[:1], *DAYS[9:]], "says": "not"}]
DEVICE = candor.models.improved_grouped(list(analyse.ITEMS), p=0.5, theta=0.5, direct=False)
OWN = candor.Design.parse({"blocks": [
    {"by": "person", "items": [{"id": name}],
     "draw": {"way": "extended", "source": "day", "fact": fact, "outcomes": OUTCOMES, "delta": 0.003}}
    for name, fact in zip(analyse.ITEMS, FACTS, strict=True)
]})  # fmt: skip
TRUE = {
    "plain": ACT * (1 - HIDE),
    "device": ACT,
    "own": ACT,
    "device followed": 1 - CARELESS_DEVICE,
    "own followed": 1 - CARELESS_OWN,
    "own less plain": ACT * HIDE,
    "own less device": 0.0,
}


def people(n: int, random: np.random.Generator) -> pd.DataFrame:
    """What is true of people, and what their slips say."""
    slip = random.random(n) < 0.5
    frame = pd.DataFrame({"act": random.random(n) < ACT, "never": False, "always": True, "secret": slip})
    return frame.assign(slip=np.where(slip, "yes", "no"))


def plain_arm(n: int, random: np.random.Generator) -> pd.DataFrame:
    frame = people(n, random)
    frame["act"] &= random.random(n) >= HIDE
    return frame


def device_arm(n: int, random: np.random.Generator) -> candor.Records:
    frame = people(n, random)
    careless = random.random(n) < CARELESS_DEVICE
    frame.loc[careless, list(analyse.ITEMS)] = random.random((int(careless.sum()), 4)) < 0.5
    return candor.disguise(frame, DEVICE, seed=int(random.integers(2**32)), open_columns=["slip"])


def own_arm(n: int, random: np.random.Generator) -> candor.Records:
    """Each question by the birthday of somebody else, turned over where the look is the opposite."""
    frame = people(n, random)
    day = random.random((n, 4)) < 8 * 12 / 365.2425
    look = random.random(n) < 0.5
    exactly_one = frame[list(analyse.ITEMS)].to_numpy() != (day ^ look[:, np.newaxis])
    careless = random.random(n) < CARELESS_OWN
    exactly_one[careless] = random.random((int(careless.sum()), 4)) < 0.5
    codes = (exactly_one ^ look[:, np.newaxis]).astype(np.uint8)
    columns = {"slip": frame["slip"].to_numpy(object), "look": np.where(look, "opposite", "fact").astype(object)}
    return candor.Records(OWN, codes, np.zeros(n, bool), columns)


def study(n: int, seed: int) -> dict[str, tuple[float, float]]:
    random = np.random.default_rng(seed)
    plain = analyse.of_plain(plain_arm(n, random))
    device, own = analyse.of_arm(device_arm(n, random), "device"), analyse.of_arm(own_arm(n, random), "person")

    def apart(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
        return one[0] - other[0], float(np.hypot(one[1], other[1]))

    return {
        "plain": plain["act"],
        "device": device["act"],
        "own": own["act"],
        "device followed": device["followed"],
        "own followed": own["followed"],
        "own less plain": apart(own["act"], plain["act"]),
        "own less device": apart(own["act"], device["act"]),
    }


def main(studies: int = 200, n: int = 1200) -> None:
    made = [study(n, seed) for seed in range(studies)]
    rows = []
    for name, true in TRUE.items():
        figures = np.array([one[name] for one in made])
        held = np.abs(figures[:, 0] - true) <= 1.96 * figures[:, 1]
        found = np.abs(figures[:, 0]) > 1.96 * figures[:, 1]
        rows.append([name, f"{true:.3f}", f"{figures[:, 0].mean():.3f}", f"{figures[:, 0].std():.3f}",
                     f"{figures[:, 1].mean():.3f}", f"{held.mean():.2f}", f"{found.mean():.2f}"])  # fmt: skip
    print(as_table(["figure", "true", "mean", "spread", "its error", "held", "above or below 0"], rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
