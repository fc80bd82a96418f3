"""The models of the notes on anonymity, on Adult with the hierarchies of ARX: the lattice, and what each model reaches.

The lattice has 4 320 nodes. All k-minimal generalisations with at most 4 % suppressed are found, and the one with the
least discernibility is taken; then every model and attack of the notes is measured on the table as it is and as
released.
"""

from pathlib import Path

import numpy as np

from papers import about, write_chart, write_table
from papers.reference import ADULT, SECRET, adult, code_labels, in_levels, reference_file
from privacy.draw.lattice import lattice
from privacy.release.attacks import attacks
from privacy.release.classes import classes_of
from privacy.release.measures import measure
from privacy.release.methods.full_domain import CodedTable, generalise
from privacy.release.models import AnonymityModel, Closeness, Diversity

TITLE = "The lattice of Adult for five models, with k, l, t and the attacks before and after"
ABOUT = about("notes_on_anonymity")
DATA = (ADULT,)

K, SHARE = 5, 0.04
MODELS = {
    "k = 5": AnonymityModel(K),
    "k = 5, distinct l = 3": AnonymityModel(K, (Diversity("distinct", 3),)),
    "k = 5, entropy l = 3": AnonymityModel(K, (Diversity("entropy", 3),)),
    "k = 5, recursive (4, 3)": AnonymityModel(K, (Diversity("recursive", 3, 4.0),)),
    "k = 5, t = .4": AnonymityModel(K, (Closeness("equal", 0.4),)),
}
HEADINGS = [
    *("model", "nodes that hold", "minimal", "node", "suppressed", "discernibility"),
    *("k", "l", "entropy l", "t", "found", "homogeneous"),
]


def write(folder: Path) -> None:
    """models-on-adult.csv and the lattice; nothing without the data."""
    if not reference_file(ADULT).exists():
        return
    table, names = adult()
    quasis, secret = in_levels(table, names), code_labels(table[SECRET])
    rows: list[list[object]] = [["as it is", None, None, "", 0, None, *_risks([q.codes for q in quasis], secret)]]
    for name, model in MODELS.items():
        taken = generalise(CodedTable(quasis, [secret]), model, SHARE, "discernibility")
        labels = [np.where(taken.kept, q.levels[level], -1) for q, level in zip(quasis, taken.node, strict=True)]
        attacked = _risks(labels, secret)
        count, minimal = int(taken.lattice.holding.sum()), len(taken.lattice.minimal)
        rows.append([name, count, minimal, "".join(map(str, taken.node)), taken.suppressed, taken.loss, *attacked])
        if name == "k = 5":
            drawn = lattice("The lattice of Adult", taken.lattice.holding, taken.lattice.minimal, taken.node)
            write_chart(folder / "lattice.svg", drawn)
    write_table(folder / "models-on-adult.csv", HEADINGS, rows)


def _risks(columns: list[np.ndarray], secret: np.ndarray) -> list[object]:
    classes = classes_of(columns, secret)
    measured = measure(classes)
    alone, alike, _ = attacks(classes)
    return [measured.k, measured.distinct, measured.entropy, measured.t, alone.succeeded, alike.succeeded]
