"""How long tables with a row per person take to be measured and generalised, in seconds of the processor.

    python -m benchmarks release, or python -m benchmarks.bench_release ROWS ...

Adult has 30 162 records (CONTRIBUTING.md says where it comes from). The paper of 2010 needed about 50 s for bottom-up
and 20 s for ILP-L. pycanon and anjana run in the same process where they are installed. Then the same on made-up tables
of 1 473 and of 150 to 1 000 000 rows. The baseline is one sort of the table by all its columns.
"""

import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.adult import in_space
from benchmarks.plain_release import plain_mdav, plain_search
from papers.reference import (
    ADULT,
    NUMBERS,
    SECRET,
    adult,
    code_labels,
    how_to_get,
    in_levels,
    paper_tree,
    reference_file,
)
from privacy.output import as_table
from privacy.release import anonymize, attacks, classes_of, measure, parse_spec
from privacy.release.anonymize import prepare_job
from privacy.release.attributes import Quasi
from privacy.release.methods import METHODS
from privacy.release.methods.full_domain import LOSSES, CodedTable, Search, by_loss, generalise
from privacy.release.methods.local import bottom_up, grow_classes
from privacy.release.methods.means import mdav
from privacy.release.models import AnonymityModel, Closeness, Diversity
from privacy.release.specs import Spec

SIZES = (150, 400, 1_000, 2_500, 5_000, 10_000, 20_000, 32_000, 100_000, 1_000_000)
MDAV = 10_000  # rows
SMALL = 1_473
MODELS_OF_SMALL: dict[str, dict[str, Any]] = {
    "": {},
    ", l = 3": {"l": {"kind": "distinct", "l": 3}},
    ", entropy l = 2": {"l": {"kind": "entropy", "l": 2}},
    ", t = .3": {"t": {"distance": "equal", "t": 0.3}},
}


def main() -> list[tuple[str, float]]:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    ratios = []
    if reference_file(ADULT).exists():
        ratios += on_adult() + beside_plain(in_levels(*adult()))
    else:
        print(f"Adult is left out. {how_to_get(ADULT)}", flush=True)
    return ratios + small() + growth(sizes)


def small() -> list[tuple[str, float]]:
    """1 473 rows with three attributes and a method of three values, from table to report."""
    random, rows = np.random.default_rng(3), list[list[Any]]()
    drawn = {
        "age": np.clip(np.rint(random.gamma(9, 2.6, SMALL) + 12), 16, 49).astype(int),
        "education": random.choice([1, 2, 3, 4], SMALL, p=[0.1, 0.23, 0.28, 0.39]),
        "children": np.minimum(random.poisson(3.2, SMALL), 12),
    }
    drawn["method"] = random.choice(3, SMALL, p=[0.43, 0.22, 0.35]) * (drawn["children"] > 0)
    columns = {name: column.astype(str).tolist() for name, column in drawn.items()}
    attributes = {
        "age": {"role": "quasi", "ranges": [[*range(15, 51, 5)], [15, 25, 35, 50], [15, 50]]},
        "education": {"role": "quasi", "hierarchy": {"*": {"1-2": ["1", "2"], "3-4": ["3", "4"]}}},
        "children": {"role": "quasi", "ranges": [[0, 2, 4, 6, 8, 10, 12], [0, 4, 8, 12], [0, 12]]},
        "method": {"role": "sensitive"},
    }
    baseline = processor_seconds(lambda: np.lexsort([code_labels(np.array(column)) for column in columns.values()]))
    for name, more in MODELS_OF_SMALL.items():
        for suppression in (0, 0.02, 0.05):
            spec = parse_spec({"attributes": attributes, "model": {"k": 5} | more, "suppression": suppression})
            seconds = processor_seconds(lambda spec=spec: anonymize(columns, spec))  # type: ignore[misc]
            rows.append([f"k = 5{name}, {suppression:.0%}", seconds, 0.15, seconds / baseline])
    print(as_table([f"{SMALL} rows", "seconds", "target", "times a sort"], rows), flush=True)
    return [(f"{SMALL} rows, {name}", float(ratio)) for name, _, _, ratio in rows]


def beside_plain(quasis: Sequence[Quasi]) -> list[tuple[str, float]]:
    """Searches and groups beside a plain writing of the published algorithm, with the same result."""
    rows: list[list[Any]] = []
    allowed = int(0.05 * len(quasis[0].codes))

    def own_search() -> tuple[float, tuple[int, ...]]:
        model = AnonymityModel(5)
        made = generalise(CodedTable(quasis), model, 0.05, "discernibility")
        return next(by_loss(Search(made.table, model, allowed, together=False), made.lattice, LOSSES["discernibility"]))

    points = np.rint(np.random.default_rng(1).normal(size=(MDAV, 2)) * 2**20)
    works: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
        (f"Adult, k = 5, 5 %: {len(quasis[0].codes)} rows", lambda: plain_search(quasis, 5, allowed), own_search),
        (f"MDAV, k = 5: {MDAV} rows", lambda: plain_mdav(points, 5).tolist(), lambda: mdav(points, 5).tolist()),
    ]
    for work, plain, own in works:
        assert plain() == own(), work
        figure, ours = processor_seconds(plain), processor_seconds(own)
        rows.append([work, figure, ours, ours / figure])
    print(as_table(["work", "its figure: plain, s", "ours, s", "ratio"], rows), flush=True)
    return [(f"{work}, of plain", float(ratio)) for work, _, _, ratio in rows]


def processor_seconds(run: Callable[[], object]) -> float:
    """Seconds of the processor, the better of two."""
    times = []
    for _ in range(2):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def on_adult() -> list[tuple[str, float]]:
    table, names = adult()
    spec = {"attributes": roles_of_adult(table, names)}
    columns = {name: column.tolist() for name, column in table.items()}
    space, quasis, secret = in_space(table, names), in_levels(table, names), code_labels(table[SECRET])
    everybody = np.arange(len(secret))
    asked = parse_spec(spec | {"method": "ilp-l", "model": {"k": 5, "l": {"kind": "distinct", "l": 3}}, "seed": 1})
    job, _ = prepare_job(columns, asked)
    model = AnonymityModel(5, (Diversity("entropy", 3), Closeness("equal", 0.4)))
    whole = []
    for name, more in (
        ("", {}),
        (", l = 3", {"l": {"kind": "distinct", "l": 3}}),
        (", entropy l = 3", {"l": {"kind": "entropy", "l": 3}}),
    ):
        whole.append((name, levels_of_adult(table, names, {"k": 5} | more)))
    cases: list[tuple[str, float | None, Callable[[], object]]] = [
        ("bottom-up as printed, k = 5", 4.0, lambda: bottom_up(space, 5, everybody, literal=True)),
        ("bottom-up, k = 5", 1.0, lambda: bottom_up(space, 5, everybody, literal=False)),
        ("improved form, k = 5", 2.0, lambda: grow_classes(space, 5, everybody)),
        (
            "lattice of 4 320 nodes, k = 5, 4 %",
            0.3,
            lambda: generalise(CodedTable(quasis), AnonymityModel(5), 0.04, "discernibility"),
        ),
        (
            "the same, entropy l = 3 and t = .4",
            None,
            lambda: generalise(CodedTable(quasis, [secret]), model, 0.04, "discernibility"),
        ),
        *((f"table to release, k = 5, 5 %{name}", 1.2, lambda own=own: anonymize(*own)) for name, own in whole),
        ("all metrics and attacks", 0.5, lambda: report([table[name] for name in names], table[SECRET])),
        ("ILP-L, k = 5, l = 3", 0.6, lambda: METHODS["ilp-l"].make(job)),
        ("the same, from table to release", None, lambda: anonymize(columns, asked)),
    ]
    cases += [(name, None, run) for name, run in peers(table, names)]
    baseline = processor_seconds(lambda: np.lexsort([code_labels(column) for column in table.values()]))
    rows: list[list[Any]] = []
    for name, target, run in cases:
        seconds = processor_seconds(run)
        rows.append([name, seconds, target, seconds / baseline])
    print(as_table(["Adult, 30 162 records", "seconds", "target", "times a sort"], rows), flush=True)
    return [(str(name), float(ratio)) for name, _, _, ratio in rows]


def report(quasi: list[Any], secret: Any) -> None:
    classes = classes_of(quasi, secret)
    measure(classes)
    attacks(classes)


def growth(sizes: list[int] | tuple[int, ...]) -> list[tuple[str, float]]:
    """The same work on made-up tables: five attributes, of which one is a number."""
    towns = [f"{one}{two}{three}" for one in range(5) for two in range(5) for three in range(5)]
    roles = {
        "age": {"role": "quasi", "ranges": [[*range(0, 101, 5)], [*range(0, 101, 20)], [0, 100]]},
        "town": {"role": "quasi", "truncate": [3, 2, 1, 0]},
        "work": {"role": "quasi", "hierarchy": [[str(place), f"w{place % 3}", "*"] for place in range(9)]},
        "sex": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    }
    rows: list[list[Any]] = []
    for size in sizes:
        random = np.random.default_rng(1)
        drawn = {
            "age": random.integers(0, 100, size).astype(str),
            "town": np.array(towns)[random.integers(0, 125, size)],
            "work": random.integers(0, 9, size).astype(str),
            "sex": np.array(["f", "m"])[random.integers(0, 2, size)],
            "disease": random.integers(0, 12, size).astype(str),
        }
        columns = {name: column.tolist() for name, column in drawn.items()}
        spec = {"attributes": roles, "model": {"k": 5}, "suppression": 0.02}
        baseline = processor_seconds(lambda drawn=drawn: np.lexsort([code_labels(column) for column in drawn.values()]))  # type: ignore[misc]
        for name, run in (
            ("all metrics", lambda drawn=drawn: report(list(drawn.values())[:-1], drawn["disease"])),
            ("full-domain, table to release", lambda columns=columns, spec=spec: anonymize(columns, parse_spec(spec))),
            (
                "local, table to release",
                lambda columns=columns, spec=spec: anonymize(
                    columns, parse_spec(spec | {"method": "local", "suppression": 0})
                ),
            ),
        ):
            start = time.process_time()
            run()
            seconds = time.process_time() - start
            rows.append([size, name, seconds, 1e6 * seconds / size, seconds / baseline])
    print(as_table(["rows", "", "seconds", "µs per row", "times a sort"], rows), flush=True)
    return [(f"{name}, {size} rows", float(ratio)) for size, name, _, _, ratio in rows]


def roles_of_adult(table: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The roles of Adult in a spec."""
    attributes: dict[str, Any] = {SECRET: {"role": "sensitive"}}
    for name in names:
        if name in NUMBERS:
            attributes[name] = {"role": "quasi", "ranges": [[0, 100]]}
        else:
            tree = paper_tree(name, table[name])
            levels = [
                np.array(labels)[places].tolist() for labels, places in zip(tree.labels, tree.places, strict=True)
            ]
            rows = [list(row) for row in zip(*levels, strict=True)]
            attributes[name] = {"role": "quasi", "hierarchy": rows}
    return attributes


def levels_of_adult(table: dict[str, Any], names: list[str], model: dict[str, Any]) -> tuple[dict[str, Any], Spec]:
    """Adult with the hierarchies of ARX as a table of texts, and the spec of a release with 5 % suppressed."""
    columns: dict[str, Any] = {SECRET: table[SECRET].tolist()}
    attributes: dict[str, Any] = {SECRET: {"role": "sensitive"}}
    for quasi in in_levels(table, names):
        tree = quasi.hierarchy
        levels = [np.array(own)[places].tolist() for own, places in zip(tree.labels, tree.places, strict=True)]
        columns[quasi.name] = np.array(tree.labels[0])[quasi.codes].tolist()
        attributes[quasi.name] = {"role": "quasi", "hierarchy": [list(row) for row in zip(*levels, strict=True)]}
    return columns, parse_spec({"attributes": attributes, "model": model, "suppression": 0.05})


def peers(table: dict[str, Any], names: list[str]) -> list[tuple[str, Callable[[], object]]]:
    """What other programs take, where they are installed."""
    import pandas as pd

    programs: list[tuple[str, Callable[[], object]]] = []
    frame = pd.DataFrame(table)
    if importlib.util.find_spec("pycanon"):
        from pycanon import anonymity  # type: ignore[import-not-found]

        def of_pycanon() -> None:
            anonymity.k_anonymity(frame, names)
            anonymity.l_diversity(frame, names, [SECRET])
            anonymity.entropy_l_diversity(frame, names, [SECRET])
            anonymity.t_closeness(frame, names, [SECRET])

        programs.append(("pycanon: k, l, entropy l and t", of_pycanon))
    if importlib.util.find_spec("anjana"):
        from anjana.anonymity import k_anonymity  # type: ignore[import-not-found]

        trees, data = {}, frame.copy()
        for quasi in in_levels(table, names):
            labels = zip(quasi.hierarchy.labels, quasi.hierarchy.places, strict=True)
            trees[quasi.name] = dict(enumerate(np.array(own)[places] for own, places in labels))
            data[quasi.name] = np.array(quasi.hierarchy.labels[0])[quasi.codes]
        programs.append(("anjana: k = 5, 4 % suppressed", lambda: k_anonymity(data, [], names, 5, 4, trees)))
    return programs


if __name__ == "__main__":
    main()
