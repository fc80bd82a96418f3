"""Analyse a study that compares a plain question, a device's disguise and people's own draws.

    python analyse.py plain.csv device.csv device.json own.csv own.json

Each file has the records of one arm as Candor exports them: `act`, `never`, `always` and `secret`, and in the column
`slip` what the lot said for `secret`, yes or no. Write the study down before you run this: docs/evidence.md.
"""

import json
import sys
from collections.abc import Mapping
from math import sqrt

import pandas as pd

import candor

ITEMS = ("act", "never", "always", "secret")
ANCHORS = {"never": (0, 0.01), "always": (0.99, 1)}


def of_plain(frame: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """The share of yes to each question with its error."""
    shares = {name: (float(frame[name].mean()), len(frame[name].dropna())) for name in ITEMS}
    return {name: (share, sqrt(share * (1 - share) / n)) for name, (share, n) in shares.items()}


def of_arm(records: candor.Records, disguiser: str) -> dict[str, tuple[float, float]]:
    """Corrected by both anchors; `followed` is the share who do what they are asked to."""
    found = candor.careless(records, ["act"], anchors=ANCHORS, disguiser=disguiser)
    (act,) = found.figures
    pressed = candor.reconstruct(records, list(ITEMS)).to_json()["patterns"]
    made = {f"{one['pattern']} as answered": (one["support"], one["se"]) for one in pressed}
    return made | {"act": (act.attentive, act.se), "followed": share_followed(records)}


def share_followed(records: candor.Records) -> tuple[float, float]:
    """How much of the made-up secret comes through: 1 where all follow. Its share is known, so nothing is assumed."""
    slip = pd.Series(records.open_columns["slip"]) == "yes"
    shares = []
    for said in (True, False):
        rows = (slip == said).to_numpy()
        part = candor.Records(records.design, records.codes[rows], records.direct[rows])
        (one,) = candor.reconstruct(part, ["secret"]).to_json()["patterns"]
        shares.append((one["support"], one["se"]))
    (yes, of_yes), (no, of_no) = shares
    return yes - no, sqrt(of_yes**2 + of_no**2)


def compare(one: tuple[float, float], other: tuple[float, float]) -> str:
    apart, se = one[0] - other[0], sqrt(one[1] ** 2 + other[1] ** 2)
    return f"{apart:+.3f} ± {se:.3f} ({apart - 1.96 * se:+.3f} to {apart + 1.96 * se:+.3f})"


def report(plain: Mapping[str, tuple[float, float]], arms: Mapping[str, Mapping[str, tuple[float, float]]]) -> str:
    lines = [f"plain: act {plain['act'][0]:.3f} ± {plain['act'][1]:.3f}, never {plain['never'][0]:.3f}"]
    for name, arm in arms.items():
        lines.append(f"{name}: " + ", ".join(f"{what} {share:.3f} ± {se:.3f}" for what, (share, se) in arm.items()))
        lines.append(f"{name} less plain, act: {compare(arm['act'], plain['act'])}")
    if {"own", "device"} <= arms.keys():
        lines.append(f"own less device, act: {compare(arms['own']['act'], arms['device']['act'])}")
    return "\n".join(lines)


def main(plain: str, *files: str) -> None:
    arms = {}
    for name, disguiser, records, design in zip(
        ("device", "own"), ("device", "person"), files[::2], files[1::2], strict=True
    ):
        with open(design, encoding="utf-8") as file:
            read = candor.Design.parse(json.load(file))
        arms[name] = of_arm(candor.read_records(records, read, open_columns=True), disguiser)
    print(report(of_plain(pd.read_csv(plain)), arms))


if __name__ == "__main__":
    main(*sys.argv[1:])
