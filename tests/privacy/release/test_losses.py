"""What a release costs and how near its classes are, worked out from its published columns and by transport."""

from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import candor
from privacy.release import measure
from privacy.release.classes import encode, number_classes, tally
from privacy.release.hierarchies import by_rows
from privacy.release.models import Closeness
from tests.cases import first

ILL = [["1", "low", "a", "*"], ["2", "low", "a", "*"], ["3", "mid", "a", "*"], ["10", "mid", "a", "*"]]
ILL += [["x", "high", "b", "*"], ["none", "high", "b", "*"], ["nobody's", "high", "b", "*"]]
TOWNS = [[town, f"r{place // 2}", f"s{place // 4}", "*"] for place, town in enumerate("abcdef")]
METHODS = ["local", "bottom-up", "k-acluk", "ilp-l"]


def transport(some: np.ndarray, others: np.ndarray, costs: np.ndarray) -> float:
    """The least cost of moving one distribution onto another, as the linear program that it is."""
    count = len(some)
    sums = np.concatenate([np.kron(np.eye(count), np.ones(count)), np.kron(np.ones(count), np.eye(count))])
    solution = linprog(costs.ravel(), A_eq=sums[:-1], b_eq=np.concatenate([some, others])[:-1])
    assert solution.status == 0
    return float(solution.fun)


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
@pytest.mark.parametrize("seed", range(4))
def test_t_is_the_least_cost_of_moving_a_class_onto_the_table(distance: str, seed: int) -> None:
    """Small tables with ties and classes of one: the distance of the worst class."""
    random = np.random.default_rng(seed)
    count = 4 + 6 * seed
    known = random.integers(0, 3, count)
    secrets = random.choice([row[0] for row in ILL[:-1]], count, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.1]).astype(object)
    order = (
        [row[0] for row in ILL] if distance == "hierarchical" else sorted(set(secrets), key=[r[0] for r in ILL].index)
    )
    there = [value for value in order if value in secrets]
    paths = {row[0]: row for row in ILL}
    if distance == "hierarchical":
        steps = [[sum(map(str.__ne__, paths[one], paths[other])) for other in there] for one in there]
        costs = np.array(steps) / 3
    else:
        apart = np.abs(np.subtract.outer(np.arange(len(there)), np.arange(len(there))))
        costs = apart / max(len(there) - 1, 1) if distance == "ordered" else np.sign(apart).astype(float)

    tree = by_rows(ILL, "ill") if distance == "hierarchical" else None
    t = measure(tally(number_classes([known]), encode(secrets, order)), Closeness(distance, 1.0, tree)).t

    shares = {
        group: np.array([np.mean(secrets[chosen] == value) for value in there])
        for group, chosen in [("all", known >= 0), *((one, known == one) for one in set(known.tolist()))]
    }
    everybody = shares.pop("all")
    assert t == pytest.approx(max(transport(own, everybody, costs) for own in shares.values()), abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", first(1, range(3)))
def test_the_penalty_is_what_the_published_labels_have_lost(method: str, seed: int) -> None:
    """Ranges over the whole range, values under an ancestor over all values that occur, weighted; a row on average."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": random.integers(20, 60, 30).astype(str),
            "town": random.choice(list("abcdef"), 30),
            "ill": random.choice(["flu", "cold", "gout" if method == "ilp-l" else "", "ulcer"], 30),
        }
    )
    model: dict[str, Any] = {"k": 3} | ({"l": {"kind": "distinct", "l": 2}} if method in ("local", "ilp-l") else {})
    attributes = {
        "age": {"role": "quasi", "weight": 2.0},
        "town": {"role": "quasi", "hierarchy": TOWNS, "weight": 0.5},
        "ill": {"role": "sensitive"},
    }

    released = candor.anonymize(table, {"attributes": attributes, "model": model, "method": method, "seed": seed})

    paths, width = {row[0]: row for row in TOWNS}, np.ptp(table["age"].astype(int))
    occurring = set(table["town"])
    lost, classes = 0.0, defaultdict(list)
    for age, town, ill in released.to_frame()[["age", "town", "ill"]].itertuples(index=False):
        low, *high = map(float, age.strip("[]").split(", "))
        lost += 2.0 * ((high or [low])[0] - low) / width
        if town not in occurring:
            lost += 0.5 * sum(town in paths[one] for one in occurring) / len(occurring)
        classes[age, town].append(ill or "")
    metrics = released.to_json()["metrics"]
    assert metrics["penalty"] == pytest.approx(lost / 2.5 / 30, abs=1e-12)
    assert metrics["k"] == min(map(len, classes.values())) >= 3
    diverse = [len(values) for own in classes.values() if (values := set(own) - {""})]
    assert metrics["l"]["distinct"] == min(diverse) >= model.get("l", {"l": 1})["l"]
