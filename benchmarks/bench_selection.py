"""Figures that stay true after selection: bias, error and false coverage of reported confidences, in simulated surveys.

    python -m benchmarks.bench_selection [--surveys 300] [--stress 100] [--settings flips,sampled]

Three settings: the demo's ten questions by flips; the same people asked 4 of 10 under one coin (p = .3, θ = .6,
complete cases); the paper's three questions, 2 000 respondents, a fifth of them direct. Every survey draws new people,
of whom the truth is known exactly, and mines them (support .05, confidence .3). Stress cases by flips: one strong pair
among independent items, five pairs, and nothing that goes together. `bias` and `rmse` are in points of confidence;
`missed` is the share of reported 95 % intervals without the truth. More settings than the bars name say whether the
method holds where it was untried: available cases, the other estimators, choices, negations, four items.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np

from mining.engines.columns import Columns, columns_of
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from mining.engines.shrunken_rules import add_shrunk_figures
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.sampling import Sampling
from privacy.output import as_table
from surveys.domain.demo.people import SURVEYS, questions_of

FIGURES = ("bias", "rmse", "missed")
# The bars of |bias|, RMSE and false coverage, by setting and by which rules are looked at.
BARS: dict[tuple[str, str], tuple[float | None, float | None, float]] = {
    ("flips", "all reported"): (1.5, 5.0, 0.055),
    ("flips", "significant"): (1.5, 4.3, 0.085),
    ("flips", "first ten by raw figures"): (2.5, 5.0, 0.07),
    ("flips", "first ten"): (2.5, None, 0.08),
    ("sampled", "all reported"): (2.7, 7.0, 0.045),
    ("sampled", "significant"): (5.5, 7.5, 0.06),
    ("sampled", "first ten by raw figures"): (3.2, 6.5, 0.05),
    ("sampled", "first ten"): (3.5, None, 0.05),
    ("three items", "all reported"): (3.7, 10.3, 0.05),
    ("three items", "significant"): (7.5, 10.2, 0.055),
    ("three items", "first ten by raw figures"): (3.5, 10.3, 0.05),
    ("one strong pair", "true links"): (2.0, None, 0.06),
    ("five pairs", "significant"): (3.0, None, 0.11),
    ("independent", "all reported"): (3.0, None, 0.03),
}
OTHERS = (
    "three items with a pair",
    "three items with a triple",
    "four pairs sampled",
    "one pair sampled",
    "five items with a pair and a triple",
    "five items with a pair",
    "three pairs sampled",
    "all together",
)
BARS |= {(name, rules): (None, None, 0.065) for name in OTHERS for rules in ("all reported", "significant")}
BARS["independent sampled", "all reported"] = (None, None, 0.065)
TRUTHS = {"flips": 56.0, "sampled": 52.3}  # the mean true confidence of the first ten, at least


@dataclass(frozen=True)
class Setting:
    """A population, as the share of every combination of answers, and how a survey asks it."""

    shares: np.ndarray  # over combinations, the first item as the last digit
    options: Sequence[int]  # of each item
    design: Design
    respondents: int = 10_000
    direct: float = 0.0
    request: dict[str, Any] = field(default_factory=dict)
    thresholds: tuple[float, float] = (0.05, 0.3)  # of support and confidence
    sampling: Callable[[np.random.Generator, int], Sampling] | None = None
    links: Sequence[Sequence[int]] = ()  # items that go together by themselves

    def survey(self, seed: int) -> Columns:
        """What a survey of new people finds."""
        chance = np.random.default_rng(seed)
        cells = chance.choice(len(self.shares), self.respondents, p=self.shares)
        truth = self._answers(cells).astype(np.uint8)
        direct = chance.random(self.respondents) < self.direct
        records = disguise(self.design, truth, direct, words_from_seed(seed))
        request = MiningRequest(*self.thresholds, engine="bitset", **self.request)
        drawn = self.sampling(chance, self.respondents) if self.sampling else None
        mined = mine([(records.codes, records.direct)], self.design, request, sampling=drawn)
        return add_shrunk_figures(mined, columns_of(mined), request.estimator)

    def truth(self, columns: Columns) -> np.ndarray:
        """The true confidence of every rule."""
        made = []
        for place in range(len(columns.itemset)):
            antecedent, consequent = columns.sides(place)
            made.append(self.support([*antecedent, *consequent]) / self.support(antecedent))
        return np.array(made)

    def support(self, labels: Sequence[str]) -> float:
        """The true support of an itemset."""
        return float(self.shares[np.all([self._cells_of[label] for label in labels], axis=0)].sum())

    @cached_property
    def _cells_of(self) -> dict[str, np.ndarray]:
        """Which cells each literal holds of."""
        answers = self._answers(np.arange(len(self.shares)))
        names = {}
        for column, item in enumerate(self.design.items):
            for option, label in enumerate(item.options):
                names[f"{item.id}={label}"] = answers[:, column] == option
            names[item.id], names[f"!{item.id}"] = answers[:, column] == 1, answers[:, column] != 1
        return names

    def is_link(self, columns: Columns) -> np.ndarray:
        """Whether every rule is about items that go together, and no others."""
        links = {tuple(sorted(self.design.items[place].id for place in link)) for link in self.links}
        sides = (columns.sides(place) for place in range(len(columns.itemset)))
        return np.array([tuple(sorted((*antecedent, *consequent))) in links for antecedent, consequent in sides])

    def _answers(self, cells: np.ndarray) -> np.ndarray:
        answers = []
        for options in self.options:
            cells, answer = np.divmod(cells, options)
            answers.append(answer)
        return np.stack(answers, axis=1)


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--surveys", type=int, default=30)
    parser.add_argument("--stress", type=int, default=20)
    parser.add_argument("--settings", default=",".join([*settings(), *stress()]))
    asked = parser.parse_args()
    ratios: list[tuple[str, float]] = []
    heading = ["rules", "number", *FIGURES, *(f"raw {figure}" for figure in FIGURES), "truth", "bars"]
    for makers, surveys in ((settings(), asked.surveys), (stress(), asked.stress)):
        for name, make in makers.items():
            if name in asked.settings.split(","):
                rows, worst = _measure(name, make(), surveys)
                print(f"{name}, {surveys} surveys", as_table(heading, rows), sep="\n", flush=True)
                ratios += worst
    return ratios


def settings() -> dict[str, Callable[[], Setting]]:
    ten, three = _of_demo("demo-ten"), _of_demo("demo")
    flips, sampled = _design("flip", 10, gamma=19, radius=2), _coin(10, 4)
    paper = _paper()
    grades = [{"id": f"q{at}", "options": ["a", "b", "c"], "noise": [0.34, 0.33, 0.33]} for at in range(5)]
    choices = Design.parse({"blocks": [{"keep": 0.3, "ask": 3, "items": grades}]})
    return {
        "flips": lambda: Setting(_latent(ten), [2] * 10, flips),
        "sampled": lambda: Setting(_latent(ten), [2] * 10, sampled, request={"cases": "complete"}),
        "three items": lambda: Setting(_latent(three), [2] * 3, paper, 2_000, 0.2),
        "available cases": lambda: Setting(_latent(ten), [2] * 10, sampled),
        "three items combined": lambda: Setting(_latent(three), [2] * 3, paper, 2_000, 0.2, {"estimator": "combined"}),
        "three items pooled": lambda: Setting(_latent(three), [2] * 3, paper, 2_000, 0.2, {"estimator": "pooled"}),
        "negations": lambda: Setting(_latent(ten), [2] * 10, flips, request={"negated": True}),
        "up to four": lambda: Setting(_latent(ten), [2] * 10, flips, request={"max_length": 4}),
        "choices": lambda: Setting(_leaning_cells(5), [3] * 5, choices),
        "few people": lambda: Setting(_latent(ten), [2] * 10, flips, 200, thresholds=(0.02, 0.1)),
        "few people three items": lambda: Setting(_latent(three), [2] * 3, paper, 200, 0.2, thresholds=(0.02, 0.1)),
        "weights": lambda: Setting(_latent(ten), [2] * 10, flips, sampling=_weights),
        "weights with clusters": lambda: Setting(_latent(ten), [2] * 10, flips, sampling=_clusters),
        "weights sampled": lambda: Setting(_latent(ten), [2] * 10, sampled, sampling=_weights),
        "few people weights": lambda: Setting(
            _latent(ten), [2] * 10, flips, 500, thresholds=(0.02, 0.1), sampling=_weights
        ),
    }


def _weights(chance: np.random.Generator, respondents: int) -> Sampling:
    """Weights that have nothing to do with answers, and so the same truth: an eighth of the people in them is lost."""
    weights = chance.gamma(7, 1 / 7, respondents)
    return Sampling(weights / weights.mean(), np.arange(respondents), np.zeros(respondents, np.intp))


def _clusters(chance: np.random.Generator, respondents: int) -> Sampling:
    """The same weights in four strata of clusters of about ten people."""
    count = respondents // 10
    places = np.r_[np.arange(count), chance.integers(count, size=respondents - count)]
    return Sampling(_weights(chance, respondents).weights, places, np.arange(count) % 4)


def stress() -> dict[str, Callable[[], Setting]]:
    flips = _design("flip", 10, gamma=19, radius=2)
    return {
        "one strong pair": lambda: Setting(_pairs([0.9]), [2] * 10, flips, links=_first_pairs(1)),
        "five pairs": lambda: Setting(_pairs([0.6] * 5), [2] * 10, flips, links=_first_pairs(5)),
        "all together": lambda: Setting(
            _latent(np.array([[0.1, 0.8]] * 10)), [2] * 10, flips, links=[*combinations(range(10), 2)]
        ),
        "independent": lambda: Setting(_pairs([]), [2] * 10, flips),
        **_others(),
    }


def _others() -> dict[str, Callable[[], Setting]]:
    """Other people than the demo's, few questions among them."""
    ten, five = _coin(10, 4), _coin(5, 3)
    few = _paper()
    flips = _design("flip", 5, gamma=19, radius=1)
    return {
        "three items with a pair": lambda: Setting(_pairs([0.65], 3), [2] * 3, few, 2_000, 0.2, links=_first_pairs(1)),
        "three items with a triple": lambda: Setting(_triple(0.9), [2] * 3, few, 2_000, 0.2, links=[(0, 1, 2)]),
        "four pairs sampled": lambda: Setting(_pairs([0.8, 0.7, 0.6, 0.5]), [2] * 10, ten, links=_first_pairs(4)),
        "three pairs sampled": lambda: Setting(_unlike_pairs(), [2] * 10, ten, links=_first_pairs(3)),
        "one pair sampled": lambda: Setting(_pairs([0.75]), [2] * 10, ten, links=_first_pairs(1)),
        "independent sampled": lambda: Setting(_pairs([]), [2] * 10, ten),
        "five items with a pair and a triple": lambda: Setting(
            np.kron(_pairs([0.65], 2), _triple(0.8, 0.4)), [2] * 5, five, 4_000, links=[(0, 1, 2), (3, 4)]
        ),
        "five items with a pair": lambda: Setting(_pairs([0.65], 5), [2] * 5, flips, 3_000, links=_first_pairs(1)),
    }


def _paper() -> Design:
    return Design.parse(
        {"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["q0", "q1", "q2"]}
    )


def _coin(items: int, ask: int) -> Design:
    named = [{"id": f"q{at}", "theta": 0.6} for at in range(items)]
    return Design.parse({"blocks": [{"keep": 0.3, "ask": ask, "items": named}]})


def _design(model: str, items: int, **options: Any) -> Design:
    return Design.parse({"blocks": [{"model": model, "items": [f"q{at}" for at in range(items)], **options}]})


def _of_demo(slug: str) -> np.ndarray:
    """The chances of a yes outside and inside the group of the demo's people, (items, 2)."""
    return np.array([question["risks"] for question in questions_of(SURVEYS[slug])])


def _latent(risks: np.ndarray) -> np.ndarray:
    """The demo's people: three in ten belong to a group, and inside a group answers are independent."""
    outside, inside = (_independent(chances) for chances in risks.T)
    return 0.7 * outside + 0.3 * inside


def _independent(yes: np.ndarray) -> np.ndarray:
    shares = np.ones(1)
    for chance in yes[::-1]:
        shares = np.concatenate([shares[:, None] * (1 - chance), shares[:, None] * chance], axis=1).ravel()
    return shares


def _pairs(confidences: Sequence[float], items: int = 10, share: float = 0.3) -> np.ndarray:
    """Items of the same share, of which the first two, the next two, … go together with these confidences."""
    shares = np.ones(1)
    for confidence in confidences:
        both = share * confidence
        shares = np.kron(np.array([1 - 2 * share + both, share - both, share - both, both]), shares)
    return np.kron(_independent(np.full(items - 2 * len(confidences), share)), shares)


def _first_pairs(count: int) -> list[tuple[int, int]]:
    """The items that `_pairs` ties."""
    return [(2 * place, 2 * place + 1) for place in range(count)]


def _unlike_pairs() -> np.ndarray:
    """Ten items of shares from .1 to .5, of which the first six go together two by two: .6 of who does one."""
    shares = np.ones(1)
    for share in (0.1, 0.3, 0.5):
        shares = np.kron(_pairs([0.6], 2, share), shares)
    return np.kron(_independent(np.array([0.2, 0.3, 0.4, 0.5])), shares)


def _triple(confidence: float, share: float = 0.3) -> np.ndarray:
    """Three items, two by two independent, of which two together lead to the third with this confidence."""
    signs = np.array([(-1) ** (3 - cell.bit_count()) for cell in range(8)])
    return _independent(np.full(3, share)) + signs * share**2 * (confidence - share)


def _leaning_cells(items: int) -> np.ndarray:
    """Three options each; three in ten people lean to the third option of every item."""
    shares = []
    for lean in ([0.5, 0.35, 0.15], [0.2, 0.3, 0.5]):
        shares.append([np.prod([lean[option] for option in cell]) for cell in product(range(3), repeat=items)])
    mixed: np.ndarray = 0.7 * np.array(shares[0]) + 0.3 * np.array(shares[1])
    return mixed


def _measure(name: str, setting: Setting, surveys: int) -> tuple[list[list[object]], list[tuple[str, float]]]:
    gathered: dict[str, list[np.ndarray]] = {}
    for seed in range(surveys):
        columns = setting.survey(seed)
        if len(columns.itemset):
            by_rules = _tables_of_rules(columns.rules, setting.truth(columns), setting.is_link(columns))
            for rules, table in by_rules.items():
                gathered.setdefault(rules, []).append(table)
    rows: list[list[object]] = []
    ratios = []
    for rules, tables in gathered.items():
        table = np.concatenate(tables)
        if not len(table):
            continue
        shrunken, raw, truth = _figures(table)
        bars = BARS.get((name, rules))
        shown = "" if bars is None else " / ".join("–" if bar is None else f"{bar:g}" for bar in bars)
        if bars and rules == "first ten" and name in TRUTHS:
            shown += f", truth {TRUTHS[name]:g}"
            ratios.append((f"{name}, {rules}: bar / mean truth", TRUTHS[name] / truth))
        rows.append([rules, sum(map(len, tables)) / surveys, *shrunken, *raw, truth, shown])
        for figure, value, bar in zip(FIGURES, shrunken, bars or (), strict=False):
            if bar is not None:
                ratios.append((f"{name}, {rules}: {figure} / bar", abs(value) / bar))
    return rows, ratios


def _tables_of_rules(rules: dict[str, np.ndarray], truth: np.ndarray, is_link: np.ndarray) -> dict[str, np.ndarray]:
    """Tables of rules: the truth, and estimate, low and high of the figures that are shown, and of the raw ones."""
    known = np.isfinite(rules["shrunken confidence"])
    ends = ("", " low", " high")
    raw = np.stack([rules[f"confidence{end}"] for end in ends])
    best = np.where(known, np.stack([rules[f"shrunken confidence{end}"] for end in ends]), raw)
    table = np.stack([truth, *best, *raw], axis=1)
    reported = ~rules["redundant"]
    sure = reported & (rules["q"] <= 0.05) & ~rules["infeasible"]
    orders = [np.lexsort((-np.nan_to_num(low, nan=-np.inf), ~sure)) for low in (raw[1], best[1])]
    first = [order[reported[order]][:10] for order in orders]
    return {
        "all reported": table[reported],
        "redundant ones, too": table,
        "significant": table[sure],
        "first ten by raw figures": table[first[0]],
        "first ten": table[first[1]],
        "true links": table[reported & is_link],
        "truly strong": table[reported & (truth >= 0.8)],
        "truly strong, significant": table[sure & (truth >= 0.8)],
        "true links, significant": table[sure & is_link],
    }


def _figures(table: np.ndarray) -> tuple[list[float], list[float], float]:
    truth, *columns = table.T
    made = []
    for estimate, low, high in (columns[:3], columns[3:]):
        error = 100 * (estimate - truth)
        missed = float(np.mean((low > truth) | (high < truth)))
        made.append([float(error.mean()), float(np.sqrt(np.mean(error**2))), missed])
    return made[0], made[1], float(100 * truth.mean())


if __name__ == "__main__":
    for name, ratio in main():
        print(f"{ratio:8.3f}  {name}")
