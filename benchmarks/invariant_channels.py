"""What it costs to keep expected frequencies: the table of docs/decisions/0106-invariant-channels.md.

    python -m benchmarks.invariant_channels [gamma]

Exact standard errors of reconstructed shares times √n, of people drawn at random whose shares are those of the row.
"""

import sys

import numpy as np

from privacy.arrays import Floats
from privacy.output import as_table

SHARES = (
    (0.9, 0.1),
    (0.4, 0.3, 0.2, 0.1),
    (0.55, 0.4, 0.05),
    (0.5, 0.2, 0.15, 0.1, 0.04, 0.01),
    (0.5, 0.2, 0.15, 0.15),
)


def coin(noise: Floats, gamma: float) -> Floats:
    keep = (gamma - 1) * noise.min() / (1 + (gamma - 1) * noise.min())
    return np.asarray(keep * np.eye(len(noise)) + (1 - keep) * noise)


def gamma_of(channel: Floats) -> float:
    return float((channel.max(axis=0) / channel.min(axis=0)).max())


def two_steps(shares: Floats, gamma: float) -> Floats:
    """R = PQ (Gouweleeuw and others 1998, section 3): even noise P at the γ for which R has this one, by bisection."""
    even = np.full(len(shares), 1 / len(shares))

    def both(first: float) -> Floats:
        channel = coin(even, first)
        return np.asarray(channel @ (channel * shares[:, None] / (shares @ channel)).T)

    low, high = gamma, 1e6
    for _ in range(100):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if gamma_of(both(middle)) <= gamma else (low, middle)
    return both(low)


def printed_form(shares: Floats, gamma: float) -> Floats | None:
    """1 − θT(K)/T(k) on the diagonal of row k, and else θT(K)/((K−1)T(k)); the least θ with this γ."""
    count = len(shares)
    for theta in np.linspace(1e-4, 1, 20_001):
        channel = np.repeat((theta * shares.min() / ((count - 1) * shares))[:, None], count, axis=1)
        np.fill_diagonal(channel, 1 - theta * shares.min() / shares)
        if channel.min() > 0 and gamma_of(channel) <= gamma:
            return channel
    return None


def errors(channel: Floats, shares: Floats) -> str:
    weights, seen = np.linalg.inv(channel), shares @ channel
    spread = weights.T @ (np.diag(seen) - np.outer(seen, seen)) @ weights
    return " ".join(f"{error:.2f}" for error in np.sqrt(np.diag(spread)))


def main() -> None:
    gamma = float(sys.argv[1]) if len(sys.argv) > 1 else 9.0
    rows = []
    for own in map(np.array, SHARES):
        printed = printed_form(own, gamma)
        channels = [coin(np.full(len(own), 1 / len(own)), gamma), coin(own, gamma), two_steps(own, gamma), printed]
        rows.append([" ".join(map(str, own)), *("none" if one is None else errors(one, own) for one in channels)])
    print(as_table(["shares", "even noise", "coin, invariant", "two steps", "printed form"], rows))


if __name__ == "__main__":
    main()
