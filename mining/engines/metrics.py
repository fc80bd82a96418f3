"""The twelve metrics of mlxtend, by its names and its conventions, over arrays of rules at once."""

import numpy as np

METRICS = (
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


def metrics(antecedent: np.ndarray, consequent: np.ndarray, both: np.ndarray) -> dict[str, np.ndarray]:
    """All metrics from sup(A), sup(C) and sup(A∪C)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence = both / antecedent
        leverage = both - antecedent * consequent
        spread = np.maximum(both * (1 - antecedent), antecedent * (consequent - both))
        return {
            "antecedent support": antecedent,
            "consequent support": consequent,
            "support": both,
            "confidence": confidence,
            "lift": confidence / consequent,
            "representativity": np.ones_like(both),
            "leverage": leverage,
            "conviction": np.where(confidence < 1, (1 - consequent) / (1 - confidence), np.inf),
            "zhangs_metric": np.where(spread == 0, 0, leverage / spread),
            "jaccard": both / (antecedent + consequent - both),
            "certainty": np.where(consequent == 1, 0, (confidence - consequent) / (1 - consequent)),
            "kulczynski": (confidence + both / consequent) / 2,
        }
