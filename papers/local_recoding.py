"""The four experiments of the paper on information loss penalty and l-diversity (Zhu, Zhao and Wang 2010), on Adult.

Three algorithms as printed: Bottom-up k-anonymity, K-ACLUK, and ILP-based L-diversity with L = 3 (at k = 2, where no
class can have three values, L = 2). Experiment 1 is the run time, 2 the information loss penalty (and the
discernibility of the classes that were gathered), 3 the share of published classes with a single sensitive value, and 4
the same before and after L-diversity beside the share of records whose sensitive value was changed for it.

Seconds are those of one machine and of one run. The page draws what they are spent on, which is the same anywhere: how
many classes were compared or joined. It is also counted for a part of the people, for its growth with |T|.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from papers import about, write_chart, write_table
from papers.reference import ADULT, NUMBERS, SECRET, adult, code_labels, paper_tree, reference_file
from privacy.arrays import Floats, Ints
from privacy.draw.chart import Axis, Line, chart
from privacy.release.attributes import Covers, Quasi, Space
from privacy.release.classes import number_classes, tally
from privacy.release.hierarchies import by_rows
from privacy.release.methods import METHODS
from privacy.release.methods.job import Job, Made
from privacy.release.models import AnonymityModel, Diversity

TITLE = "Local recoding of Adult by three algorithms: run time, penalty, homogeneous classes, distortion, by k"
ABOUT = about("local_recoding")
DATA = (ADULT,)

KS = (2, 5, 10, 20, 50)
L = 3
SEED = 2010
NAMES = {"bottom-up": "Bottom-up k-anonymity", "k-acluk": "K-ACLUK", "ilp-l": "ILP-based L-diversity"}
PEOPLE = (5_000, 10_000, 20_000)  # of whom the work is counted, at k = 5
HEADINGS = [
    *("algorithm", "k", "seconds", "penalty", "discernibility", "homogeneous classes"),
    *("smallest", "largest", "penalty as printed"),
]
Figures = tuple[str, int, float, float, int, float, int, int, float, int]  # and the work
WORK = ["algorithm", "people", "k", "work"]
MORE = ["k", "homogeneous before", "homogeneous after", "records changed"]


@dataclass(frozen=True, eq=False)
class CountedSpace(Space):
    """Counts the classes that are compared with another one, and those that are joined."""

    counted: list[int] = field(default_factory=list)

    def costs_of_joining(self, covers: Covers, place: int) -> Floats:
        self.counted.append(len(covers))
        return super().costs_of_joining(covers, place)

    def join(self, covers: Covers, into: Ints, other: Ints) -> None:
        self.counted.append(len(into))
        super().join(covers, into, other)


@dataclass(frozen=True, eq=False)
class CountedJob(Job):
    counted: list[int] = field(default_factory=list)

    def space(self) -> Space:
        return CountedSpace(super().space().attributes, self.literal, self.counted)


def write(folder: Path) -> None:
    """Tables of figures, of work and of distortion, and a picture of each experiment; nothing without the data."""
    if not reference_file(ADULT).exists():
        return
    table, names = adult()
    secret = code_labels(table[SECRET])
    quasis = [_quasi(name, table[name]) for name in names]
    numbers = {name: table[name].tolist() for name in NUMBERS}
    rows: list[Figures] = []
    changes: list[tuple[int, float, float, float]] = []
    for method in NAMES:
        for k in KS:
            job = _job(method, quasis, numbers, secret, k)
            start = time.process_time()
            made = METHODS[method].make(job)
            seconds = time.process_time() - start
            before = _homogeneous(made, secret)
            assert made.gathered is not None
            sizes = np.bincount(made.gathered)
            penalty, discernibility = made.penalty * len(secret), int((sizes**2).sum())
            extremes = int(sizes.min()), int(sizes.max())
            work = sum(job.counted)
            rows.append((NAMES[method], k, seconds, penalty, discernibility, before, *extremes, made.penalty_sum, work))
            if method == "ilp-l":
                after = _homogeneous(made, made.secrets[0])
                changes.append((k, before, after, made.distorted / len(secret)))
    write_table(folder / "local-recoding.csv", HEADINGS, [row[:-1] for row in rows])
    write_table(folder / "distortion.csv", MORE, changes)
    of_all = ((row[0], len(secret), row[1], row[-1]) for row in rows)
    write_table(folder / "recoding-work.csv", WORK, [*of_all, *_work(quasis, numbers, secret)])
    for file, svg in _pictures(rows, changes):
        write_chart(folder / file, svg)


def _quasi(name: str, column: NDArray[np.str_]) -> Quasi:
    """A column with its hierarchy; a number has none here: its values stand under a root."""
    if name in NUMBERS:
        tree = by_rows([[value, "*"] for value in sorted(set(column.tolist()))], name)
    else:
        tree = paper_tree(name, column)
    return Quasi(name, tree, tree.encode(column, name))


def _work(quasis: list[Quasi], numbers: dict[str, list[str]], secret: Ints) -> Iterator[tuple[str, int, int, int]]:
    """The work at k = 5 for the first people of the table: algorithm, people, k, classes compared or joined."""
    for people in PEOPLE:
        some = [replace(quasi, codes=quasi.codes[:people]) for quasi in quasis]
        own = {name: column[:people] for name, column in numbers.items()}
        for method, name in NAMES.items():
            job = _job(method, some, own, secret[:people], 5)
            METHODS[method].make(job)
            yield name, people, 5, sum(job.counted)


def _job(method: str, quasis: list[Quasi], numbers: dict[str, list[str]], secret: Ints, k: int) -> CountedJob:
    diversity = (Diversity("distinct", min(L, k)),) if method == "ilp-l" else ()
    return CountedJob(
        method=method,
        quasis=quasis,
        numbers=numbers,
        weighed=False,
        secrets=[secret],
        expert=None,
        inverse=False,
        model=AnonymityModel(k, diversity),
        suppression=0.0,
        minimise="discernibility",
        literal=True,
        random=np.random.default_rng(SEED),
    )


def _homogeneous(made: Made, secret: Ints) -> float:
    """The share of the published classes that have one sensitive value."""
    classes = tally(number_classes([np.array(labels) for labels in made.labels]), secret)
    return float((classes.distinct == 1).mean())


def _pictures(rows: list[Figures], changes: list[tuple[int, float, float, float]]) -> Iterator[tuple[str, str]]:
    by_k = Axis("k", names=tuple(map(str, KS)))
    places = list(map(float, range(len(KS))))

    def lines(column: int) -> list[Line]:
        return [
            Line(name, places, [float(row[column]) for row in rows if row[0] == name], markers=True)
            for name in NAMES.values()
        ]

    yield "recoding-time.svg", chart("Run time", lines(2), by_k, Axis("seconds of the processor", low=0))
    work = Axis("classes, in all", log=True)
    yield "recoding-work.svg", chart("Work: classes compared or joined", lines(9), by_k, work)
    penalty = Axis("penalty of all records", low=0)
    yield "recoding-penalty.svg", chart("Information loss penalty", lines(3), by_k, penalty)
    classes = Axis("share of classes", percent=True, low=0)
    yield "recoding-homogeneity.svg", chart("Classes with one sensitive value", lines(5), by_k, classes)
    names = ("homogeneous before", "homogeneous after 3-diversity", "records changed for it")
    series = [
        Line(name, places, [change[index] for change in changes], markers=True) for index, name in enumerate(names, 1)
    ]
    share = Axis("share", percent=True, low=0)
    yield "recoding-distortion.svg", chart("ILP-based L-diversity: what 3-diversity costs", series, by_k, share)
