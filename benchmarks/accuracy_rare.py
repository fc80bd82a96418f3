"""A whole survey of rare answers by the best coin and by one word each: both reports beside the simulated truth.

    python -m benchmarks.accuracy_rare [seed]

Ten questions with yes, no and *prefer not to say*, 800 people, γ = 19, shares of single answers. 15 % of people say yes
four times as often as the others. The advisor gets 5 % for every question, and finds both designs. The last line has
root mean square errors over many surveys of the same people. The table is that of decision 60.
"""

import sys

import numpy as np
import pandas as pd

import candor
from privacy.design import Design

PEOPLE, GAMMA, SKIP, SKIPS = 800, 19, "secret", 0.03
YES = {"q1": 0.1, "q2": 0.08, "q3": 0.07, "q4": 0.06, "q5": 0.05, "q6": 0.04, "q7": 0.03, "q8": 0.03, "q9": 0.02,
       "q10": 0.02}  # fmt: skip
SEED, SURVEYS = 56, 50


def people() -> pd.DataFrame:
    chance = np.random.default_rng(SEED)
    often = np.where(chance.random((PEOPLE, 1)) < 0.15, 4.0, 1.0) / 1.45
    yes = chance.random((PEOPLE, len(YES))) < np.array([*YES.values()]) * often
    skips = chance.random(yes.shape) < SKIPS
    return pd.DataFrame(np.where(skips, SKIP, np.where(yes, "yes", "no")), columns=[*YES])


def designs() -> tuple[Design, Design]:
    """The advisor's best design that disguises answers, and its best of all."""
    options = {name: ["no", "yes", SKIP] for name in YES}
    guess = {name: {"yes": 0.05, SKIP: SKIPS} for name in YES}
    made = candor.advise(options, PEOPLE, GAMMA, length=1, prevalence=guess, alone=SKIP).to_json()
    answers = next(one for one in made["choices"] if "biased" not in one)
    return Design.parse(answers["design"]), Design.parse(made["recommended"]["design"])


def report(truth: pd.DataFrame, design: Design, seed: int) -> pd.DataFrame:
    patterns = [f"{name}={option}" for option in ("yes", SKIP) for name in YES]
    records = candor.disguise(truth, design, seed=seed)
    return candor.reconstruct(records, patterns).to_frame().set_index("pattern")


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    truth, both = people(), designs()
    shown = [report(truth, design, seed) for design in both]
    print("| answer | truth | coin: share | 95 % interval | one word: share | 95 % interval |")
    print("| --- | --- | --- | --- | --- | --- |")
    true = {
        pattern: float((truth[pattern.split("=")[0]] == pattern.split("=")[1]).mean()) for pattern in shown[0].index
    }
    for pattern, share in true.items():
        rows = [one.loc[pattern] for one in shown]
        cells = " | ".join(f"{row.support:.3f} | {row.low:.3f} to {row.high:.3f}" for row in rows)
        print(f"| {pattern} | {share:.3f} | {cells} |")
    errors, held = np.zeros((2, SURVEYS)), np.zeros((2, SURVEYS))
    exact = np.array([*true.values()])
    for number in range(SURVEYS):
        for place, design in enumerate(both):
            one = report(truth, design, 1000 + number)
            errors[place, number] = np.mean((one["support"] - exact) ** 2)
            held[place, number] = np.mean((one["low"] <= exact) & (exact <= one["high"]))
    print("root mean square errors", np.sqrt(errors.mean(axis=1)).round(4), "covered", held.mean(axis=1).round(3))


if __name__ == "__main__":
    main()
