"""Rules mined from disguised data against those of the original data, as papers on privacy-preserving mining report it.

Per length of itemsets: ρ, the mean relative error of the support of correctly mined itemsets; σ⁺, itemsets mined though
they are not frequent, and σ⁻, frequent itemsets missed, both relative to the frequent ones (Evfimievski et al. 2002;
Rizvi and Haritsa 2002 use the same measures). Adult (Becker and Kohavi 1996) has one yes/no item per attribute value,
all in one block, which is the improved grouped unrelated-question paper's model; the demo is Candor's own. k = .2
answer directly; disguised over and over with stated seeds.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mining.engines.mine import MinedLattice, mine
from mining.engines.request import MiningRequest
from papers import about, write_chart, write_table
from papers.reference import ADULT, adult, reference_file
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.draw.chart import Axis, Line, chart
from surveys.domain.demo.people import SURVEYS, answers, questions_of

TITLE = "Mined itemsets and rules of Adult and the demo, disguised against original: ρ, σ⁺, σ⁻ by length"
ABOUT = about("mined")
DATA = (ADULT,)

SETTINGS = {"paper (p=.3, θ=.6)": (0.3, 0.6), "mild (p=.7, θ=.3)": (0.7, 0.3)}
THRESHOLDS = {"demo": (0.05, 0.5), "adult": (0.1, 0.6)}  # support and confidence
K, LENGTH, REPETITIONS = 0.2, 4, 5
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
                records = disguise(design, truth, direct, words_from_seed(seed))
                disguised.append(_mine(data, design, records.codes, direct))
            itemset_rows += [[data, setting, *row] for row in _itemset_errors(original, disguised)]
            rules = [rules for _, rules in disguised]
            rule_rows.append([data, setting, *_errors(original[1], rules, relative=False)])
    write_table(folder / "mined_itemsets.csv", HEADINGS, itemset_rows)
    write_table(folder / "mined_rules.csv", RULE_HEADINGS, rule_rows)
    write_chart(folder / "mined_itemsets.svg", _picture(itemset_rows))


def _tables() -> dict[str, tuple[list[str], np.ndarray]]:
    demo = questions_of(SURVEYS["demo"])
    tables = {"demo": ([question["id"] for question in demo], answers([question["risks"] for question in demo]))}
    if reference_file(ADULT).exists():
        tables["adult"] = _adult()
    return tables


def _adult() -> tuple[list[str], np.ndarray]:
    """One yes/no column per attribute value, which Adult's values of two attributes never share."""
    names, columns = [], []
    for attribute, values in adult()[0].items():
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
        found = (column[level.accepted].tolist() for column in (level.items, level.supports.support))
        for items, support in zip(*found, strict=True):
            itemsets[tuple(labels[item] for item in items)] = support
    names, columns = list(itemsets), (mined.rules.itemset, mined.rules.antecedent, mined.rules.values["confidence"])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return itemsets, {(*names[place], f"#{mask}"): confidence for place, mask, confidence in rows}


def _itemset_errors(original: Shares, disguised: list[Shares]) -> Iterator[list[object]]:
    """Length, ρ, σ⁺ and σ⁻ of each length of which there are frequent itemsets."""
    for length in range(1, LENGTH + 1):
        frequent, *found = (
            {itemset: support for itemset, support in itemsets.items() if len(itemset) == length}
            for itemsets, _ in (original, *disguised)
        )
        if frequent:
            yield [length, *_errors(frequent, found, relative=True)]


def _errors(true: dict[Itemset, float], found: list[dict[Itemset, float]], *, relative: bool) -> list[object]:
    """How many itemsets are true, the mean error of those found, and how many are false and missed, in proportion."""
    errors, wrong, missed = [], [], []
    for here in found:
        right = true.keys() & here.keys()
        errors += [abs(here[one] - true[one]) / (true[one] if relative else 1) for one in right]
        wrong.append((len(here) - len(right)) / max(len(true), 1))
        missed.append((len(true) - len(right)) / max(len(true), 1))
    error = float(np.mean(errors)) if errors else float("nan")
    return [len(true), error, float(np.mean(wrong)), float(np.mean(missed))]


def _picture(rows: list[list[object]]) -> str:
    series = []
    for data, setting in dict.fromkeys((row[0], row[1]) for row in rows):
        here = [row for row in rows if row[:2] == [data, setting]]
        lengths, errors = [float(str(row[2])) for row in here], [100 * float(str(row[4])) for row in here]
        series.append(Line(f"{data}, {setting}", lengths, errors, markers=True))
    axes = Axis("length of the itemset", names=("", "1", "2", "3", "4")), Axis("ρ, %", low=0)
    return chart("Mean relative error ρ of correctly found itemsets", series, *axes, width=640)
