"""Rules mined from disguised data against those of the original data, as papers on privacy-preserving mining report it.

Per length of itemsets: ρ, the mean relative error of the support of correctly mined itemsets; σ⁺, itemsets mined though
they are not frequent, and σ⁻, frequent itemsets missed, both relative to the frequent ones (Evfimievski et al. 2002;
Rizvi and Haritsa 2002 use the same measures). Adult (Becker and Kohavi 1996) has one yes/no item per attribute value,
all in one block, which is the improved grouped unrelated-question paper's model; the demo is Candor's own. k = .2
answer directly; disguised over and over with stated seeds.
"""

import csv
from pathlib import Path

import numpy as np

from mining.engines.mine import MinedLattice, mine
from mining.engines.request import MiningRequest
from papers import write_chart, write_table
from papers.about import about
from papers.reference import how_to_get, reference_file
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.draw.chart import Axis, Line, chart
from surveys.domain.demo.people import answers
from surveys.domain.demo.texts import SURVEYS, questions_of

TITLE = "Mined itemsets and rules of Adult and the demo, disguised against original: ρ, σ⁺, σ⁻ by length"
ABOUT = about("mined")

SETTINGS = {"paper (p=.3, θ=.6)": (0.3, 0.6), "mild (p=.7, θ=.3)": (0.7, 0.3)}
THRESHOLDS = {"demo": (0.05, 0.5), "adult": (0.1, 0.6)}  # support and confidence
K, LENGTH, REPETITIONS = 0.2, 4, 5
ADULT = "adult/adult.csv"
HEADINGS = ["data", "setting", "length", "frequent", "rho", "sigma_plus", "sigma_minus"]
RULE_HEADINGS = ["data", "setting", "rules", "confidence_error", "false", "missed"]

Itemset = tuple[str, ...]
Shares = tuple[dict[Itemset, float], dict[Itemset, float]]  # supports of itemsets, confidences of rules


def write(folder: Path) -> None:
    """mined_itemsets.csv, mined_rules.csv and a picture; Adult only where the reference data is there, else a word."""
    itemset_rows: list[list[object]] = []
    rule_rows: list[list[object]] = []
    for data, (names, truth) in _tables().items():
        for setting, (p, theta) in SETTINGS.items():
            model = {"model": "improved-grouped", "p": p, "theta": theta, "items": names, "direct": True}
            design = Design.parse(model)
            original = _mine(data, design, truth, np.ones(len(truth), dtype=bool))
            disguised = []
            for seed in range(REPETITIONS):
                direct = np.random.default_rng(seed).random(len(truth)) < K
                records = disguise(design, truth, direct, seeded_words(seed))
                disguised.append(_mine(data, design, records.codes, direct))
            itemset_rows += [[data, setting, *row] for row in _itemset_errors(original, disguised)]
            rule_rows.append([data, setting, *_rule_errors(original, disguised)])
    write_table(folder / "mined_itemsets.csv", HEADINGS, itemset_rows)
    write_table(folder / "mined_rules.csv", RULE_HEADINGS, rule_rows)
    write_chart(folder / "mined_itemsets.svg", _picture(itemset_rows))


def _tables() -> dict[str, tuple[list[str], np.ndarray]]:
    demo = questions_of(SURVEYS["demo"])
    tables = {"demo": ([question["name"] for question in demo], answers([question["risks"] for question in demo]))}
    if reference_file(ADULT).exists():
        tables["adult"] = _adult(reference_file(ADULT))
    else:
        print(f"Adult is left out. {how_to_get(ADULT)}", flush=True)
    return tables


def _adult(path: Path) -> tuple[list[str], np.ndarray]:
    """One yes/no column per attribute value, which Adult's values of two attributes never share."""
    with path.open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    names, columns = [], []
    for place, attribute in enumerate(heading):
        values = np.array([row[place] for row in rows])
        for value in np.unique(values):
            names.append(f"{attribute} {value}".replace("=", ""))  # no pattern could name it with an '='
            columns.append(values == value)
    return names, np.stack(columns, axis=1).astype(np.uint8)


def _mine(data: str, design: Design, codes: np.ndarray, direct: np.ndarray) -> Shares:
    """Itemsets and rules; a rule goes under the name of its itemset and the mask of its antecedent."""
    request = MiningRequest(*THRESHOLDS[data], LENGTH, engine="bitset")
    mined: MinedLattice = mine([(codes, direct)], design, request)
    labels = mined.literals.labels
    itemsets: dict[Itemset, float] = {}
    for level in mined.lattice.levels:
        for items, support in zip(
            level.items[level.accepted].tolist(), level.supports.support[level.accepted].tolist(), strict=True
        ):
            itemsets[tuple(labels[item] for item in items)] = support
    names = list(itemsets)
    rules = {}
    for place, mask, confidence in zip(
        mined.rules.itemset.tolist(),
        mined.rules.antecedent.tolist(),
        mined.rules.values["confidence"].tolist(),
        strict=True,
    ):
        rules[(*names[place], f"#{mask}")] = confidence
    return itemsets, rules


def _itemset_errors(original: Shares, disguised: list[Shares]) -> list[list[object]]:
    rows: list[list[object]] = []
    for length in range(1, LENGTH + 1):
        frequent = {itemset: support for itemset, support in original[0].items() if len(itemset) == length}
        if not frequent:
            continue
        rho, plus, minus = [], [], []
        for itemsets, _ in disguised:
            here = {itemset: support for itemset, support in itemsets.items() if len(itemset) == length}
            right = frequent.keys() & here.keys()
            rho += [abs(here[itemset] - frequent[itemset]) / frequent[itemset] for itemset in right]
            plus.append((len(here) - len(right)) / len(frequent))
            minus.append((len(frequent) - len(right)) / len(frequent))
        error = float(np.mean(rho)) if rho else float("nan")
        rows.append([length, len(frequent), error, float(np.mean(plus)), float(np.mean(minus))])
    return rows


def _rule_errors(original: Shares, disguised: list[Shares]) -> list[object]:
    true = original[1]
    errors, wrong, missed = [], [], []
    for _, rules in disguised:
        right = true.keys() & rules.keys()
        errors += [abs(rules[rule] - true[rule]) for rule in right]
        wrong.append((len(rules) - len(right)) / max(len(true), 1))
        missed.append((len(true) - len(right)) / max(len(true), 1))
    error = float(np.mean(errors)) if errors else float("nan")
    return [len(true), error, float(np.mean(wrong)), float(np.mean(missed))]


def _picture(rows: list[list[object]]) -> str:
    series = []
    for data, setting in dict.fromkeys((row[0], row[1]) for row in rows):
        here = [row for row in rows if row[:2] == [data, setting]]
        lengths, errors = [float(str(row[2])) for row in here], [100 * float(str(row[4])) for row in here]
        series.append(Line(f"{data}, {setting}", lengths, errors, markers=True))
    return chart(
        "Mean relative error ρ of correctly found itemsets",
        series,
        Axis("length of the itemset", names=("", "1", "2", "3", "4")),
        Axis("ρ, %", low=0),
        width=640,
    )
