"""Every formula, definition, figure and table of the five papers: how anybody gets it, what comes out, what is printed.

A row is computed when the table is made. Where ours is what the paper prints, the verdict is "the same"; where the
paper prints no number (a definition, a curve), it is "runs"; in all other cases the row says why, or there is no table.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import exp, isclose
from pathlib import Path

import numpy as np

from papers import breach
from papers.places import CENTRE, CORNERS, MAP, POSITIONS, best_side_by_cobyla
from papers.squares import best_side, square_mechanism, zone_mechanism
from privacy.arrays import Ints
from privacy.design import Design
from privacy.guarantee.breach import surest
from privacy.guarantee.channel import Breaches, breach as breach_of
from privacy.location.cells import CellMechanism
from privacy.location.zones import Rectangle
from privacy.reconstruct import reconstruct_counts
from privacy.release import anonymize, classes_of, complementary, parse_spec
from privacy.release.attacks import ABSENT
from privacy.release.attributes import Measured
from privacy.release.beliefs import posterior, rise
from privacy.release.counts import Counts, counts_of
from privacy.release.covers import Space
from privacy.release.frame import Measures, measured
from privacy.release.lattice import search
from privacy.release.link import Link, linked
from privacy.release.utility import distorted, utilities, weights

NOTHING = "–"  # in place of a number that a paper does not print
SAME, RUNS = "the same", "runs"
SHORT = {
    "breaches": "Li and others",
    "2010": "Zhu and others",
    "2019": "notes of 2019",
    "2023": "Feng and Zhu",
    "grouped": "Kan and Cao",
}
TITLE = "## All rows: ours beside what the papers print"
LEGEND = (
    "Each figure is computed by `make papers`. A dash is where a paper defines something, or draws a curve, and prints "
    "no number; then the verdict is that it runs."
)
HEADINGS = ("paper", "row", "command", "ours", "printed", "verdict")
Tables = Callable[[str], list[dict[str, str]]]


@dataclass(frozen=True)
class Row:
    """One thing that a paper has. `ours` computes it; `reads`: from the tables that the parts have written."""

    paper: str
    name: str
    command: str
    ours: Callable[[Tables], str]
    printed: str = NOTHING
    why: str = ""
    reads: bool = False

    def verdict(self, ours: str) -> str:
        """Say how our number and the paper's go together."""
        if self.why:
            return self.why
        if self.printed == NOTHING:
            return RUNS
        if ours != self.printed:
            raise ValueError(f"{self.name}: {ours} is not {self.printed}, and nothing says why.")
        return SAME

    def written(self, tables: Tables) -> tuple[str, ...]:
        """The cells of the row."""
        ours = self.ours(tables)
        return SHORT[self.paper], self.name, self.command, ours, self.printed, self.verdict(ours)


def tables_in(folder: Path) -> Tables:
    """What reads the CSV files of a folder by their names."""

    def read(name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    return read


def written(rows: Iterable[Row], tables: Tables) -> list[tuple[str, ...]]:
    """Compute rows; those whose data is not here are left out."""
    done = []
    for row in rows:
        try:
            done.append(row.written(tables))
        except FileNotFoundError as error:
            print(f"{row.name} is left out: there is no {error.filename}.")
    return done


def as_markdown(cells: Sequence[Sequence[str]]) -> list[str]:
    """The end of the page: the table, its title and what a dash means."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *cells]
    table = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return [TITLE, "", LEGEND, "", *table]


def percent(share: Fraction | float, digits: int = 0) -> str:
    return f"{100 * float(share):.{digits}f} %"


def claim(holds: bool, words: str) -> str:
    """The words of the paper; where they do not hold there is no table."""
    if not holds:
        raise ValueError(f"It is not so: {words}.")
    return words


# ---- 000: limiting privacy breaches ---------------------------------------------------------------------------------

OF_CHANNEL = "candor breach CHANNEL --prior FILE"
BREACH = "python -m papers: breaches.csv"
TABLE_1 = ((1, 0), (40.5, 1), (71.6, 1), (83, 0), (4.8, 1), (100, 0), (2.9, 1), (70.8, 1))


def _table_1() -> list[Row]:
    rows = []
    for place, ((seen, name, share), (value, digits)) in enumerate(zip(breach.table(), TABLE_1, strict=True)):
        title = f"table 1, {place + 1}: {name}, {'before' if seen == 'nothing' else f'after {seen}'}"
        ours = percent(share, digits)
        rows.append(Row("breaches", title, BREACH, lambda _, ours=ours: ours, f"{value:.{digits}f} %"))  # type: ignore[misc]
    return rows


def _third() -> Fraction:
    return Fraction(breach.amplifications()["R3"])


def _of_zero(operator: str, prior: Sequence[Fraction] | None = None, rho: tuple[str, str] | None = None) -> Breaches:
    """What is known of an operator where one sees whether it sent a 0."""
    return breach_of(breach.zero_or_not(operator), prior, rho=rho)


def _surest(operator: str) -> str:
    found = surest(breach.PRIOR, breach.zero_or_not(operator), Fraction(1, 100))
    assert found is not None
    return f"X = {', '.join(map(str, found.inputs))}: {percent(found.before)} → {percent(found.after, 1)}"


_OUT = {x: breach.PRIOR[x] for x in breach.PROPERTIES["X not in 200 … 800"]}
OUTSIDE = [_OUT.get(x, Fraction(0)) / sum(_OUT.values()) for x in range(breach.VALUES)]
BREACHES = [
    *_table_1(),
    Row(
        "breaches", "definition 1: an age of 70 and more, after age + noise = 120", BREACH,
        lambda _: " → ".join(map(percent, breach.ages())), "30 % → 100 %",
    ),
    Row(
        "breaches", "definition 2, negative: 200 ≤ X ≤ 800, after R2 = 0", BREACH,
        lambda _: " → ".join(percent(1 - breach.table()[place][2]) for place in (1, 5)), "60 % → 0 %",
        why="the same but for rounding: it is 59.499 %",
    ),
    Row(
        "breaches", "definition 3, (a): γ of R3", "python -m papers: amplification.csv",
        lambda _: f"1 + {_third() - 1} {'<' if _third() < 6 else '≥'} 6", "1 + 1001/201 < 6",
    ),
    Row(
        "breaches", "(b): R3 allows no breach from 1/7 to 1/2", f"{OF_CHANNEL} --rho 1/7,1/2",
        lambda _: claim(bool(_of_zero("R3", rho=("1/7", "1/2")).ruled_out), "γ < 6"), "γ < 6",
    ),
    Row(
        "breaches", "definition 1: of all that is at most 1 % likely, what R1 = 0 makes surest", f"{OF_CHANNEL} --rho",
        lambda _: _surest("R1"), "X = 0: 1 % → 71.6 %",
    ),
    Row(
        "breaches", "background Z: the odds that R3 = 0 lets grow most, X not in 200 … 800", OF_CHANNEL,
        lambda _: claim(_of_zero("R3", OUTSIDE).beliefs[0].worst.amplification <= _third(), "within γ"), "within γ",
    ),
]  # fmt: skip

# ---- 001: notes on anonymity ----------------------------------------------------------------------------------------

_PEOPLE = (
    ("Black", 1965, "m", "0214*", "short breath"), ("Black", 1965, "m", "0214*", "chest pain"),
    ("Black", 1965, "f", "0213*", "hypertension"), ("Black", 1965, "f", "0213*", "hypertension"),
    ("Black", 1964, "f", "0213*", "obesity"), ("Black", 1964, "f", "0213*", "chest pain"),
    ("White", 1964, "m", "0213*", "chest pain"), ("White", 1964, "m", "0213*", "obesity"),
    ("White", 1964, "m", "0213*", "short breath"),
    ("White", 1967, "m", "0213*", "chest pain"), ("White", 1967, "m", "0213*", "chest pain"),
)  # fmt: skip
NAMES = ("race", "birth", "gender", "zip", "problem")
FIGURE_1 = {name: np.array(column, object) for name, column in zip(NAMES, zip(*_PEOPLE, strict=True), strict=True)}
MEASURE = "candor measure figure1.csv --quasi race,birth,gender,zip --sensitive problem"


@cache
def _counts() -> Counts:
    return counts_of({"sex": ["f", "m"] * 20}, {"sex": ["f", "m"]}, Fraction(1))


@cache
def _figure_1() -> Measures:
    return measured(FIGURE_1, NAMES[:-1], NAMES[-1], rows=True)


def _measure(key: str) -> float:
    return float(getattr(_figure_1().measures, key))


def _linked(known: Mapping[str, str | Sequence[str]], *, in_order: bool = False) -> Link:
    """What links a person, or the rows of another table, with figure 1."""
    people = {name: [labels] if isinstance(labels, str) else list(map(str, labels)) for name, labels in known.items()}
    return linked(people, {name: list(map(str, column)) for name, column in FIGURE_1.items()}, in_order=in_order)


def _bounded() -> str:
    """The front of figure 1, and what the best of its tables loses that tells half a bit at most."""
    roles = {name: {"role": "quasi"} for name in NAMES[:-1]} | {NAMES[-1]: {"role": "sensitive"}}
    asked = {"attributes": roles, "model": {"k": 2}, "front": "information", "bounds": {"information": 0.5}}
    table = {name: list(map(str, column)) for name, column in FIGURE_1.items()}
    taken = anonymize(table, parse_spec(asked)).generalisation
    assert taken is not None  # full-domain has one
    return f"{len(taken.front)} tables on the front; discernibility {taken.loss:.0f} with at most .5 bits"


def _release(*member: int) -> tuple[Ints, Ints]:
    """A release in which everybody has an illness of their own."""
    return np.array(member), np.arange(len(member))


def _on_adult(model: str, column: str) -> Callable[[Tables], str]:
    return lambda tables: next(row[column] for row in tables("models-on-adult") if row["model"] == model)


NOTES = [
    Row("2019", "figure 1: k", MEASURE, lambda _: f"{_measure('k'):.0f}", "2"),
    Row(
        "2019", "homogeneity attack on figure 1", MEASURE,
        lambda _: str(Fraction(_measure("homogeneity")).limit_denominator(99)) + " of the people",
    ),
    Row("2019", "distinct l-diversity of figure 1", MEASURE, lambda _: f"{_measure('distinct'):.0f}"),
    Row("2019", "(9): entropy l-diversity of figure 1", MEASURE, lambda _: f"{_measure('entropy'):.0f}"),
    Row("2019", "t-closeness of figure 1", MEASURE, lambda _: f"{_measure('t'):.3f}"),
    Row("2019", "(3): mutual information of figure 1", MEASURE, lambda _: f"{_measure('information'):.3f} bits"),
    Row(
        "2019", "(4): the best table within bounds, and the front", "candor anonymize people.csv spec.json",
        lambda _: _bounded(),
    ),
    Row("2019", "1.6.3: unicity of figure 1", MEASURE, lambda _: f"{_measure('unicity'):.0f}"),
    Row(
        "2019", "4.1.1: background knowledge of one value, figure 1", MEASURE,
        lambda _: f"{_figure_1().attacks[2].succeeded} of 11 people",
    ),
    Row(
        "2019", "1.3.1: linking a list of names with figure 1", "candor link people.csv figure1.csv",
        lambda _: (
            f"{(one := _linked({'race': 'Black', 'birth': '1965', 'gender': 'f', 'zip': '02138'})).rows[0]} rows fit a "
            f"Black woman of 1965 in 02138; both say {one.told['problem'][0]}"
        ),
    ),
    Row(
        "2019", "1.3.2: differential privacy: ε = 1, odds of a count if one person were another one", "candor counts",
        lambda _: f"× {exp(1 / _counts().noise.scale):.3f}",  # type: ignore[union-attr]
    ),
    Row(
        "2019", "1.3.2: differential identifiability: one of ten people, ε = 1", "candor counts",
        lambda _: f"at most {percent(dict(_counts().identity)[10], 1)} sure who it is",
    ),
    Row(
        "2019", "1.3.2: membership privacy: a belief of 5 % that somebody is in the table, ε = 1", "candor counts",
        lambda _: f"at most {percent(dict(_counts().membership)[0.05], 1)}",
    ),
    Row(
        "2019", "2.4: unsorted matching, figure 1 with another release in its order", "candor link A B --in-order",
        lambda _: f"{_linked({'birth': FIGURE_1['birth'].tolist()}, in_order=True).attack.succeeded} of 11 rows joined",
    ),
    Row(
        "2019", "2.4: complementary release: classes that cross, two illnesses in each", "candor anonymize --earlier",
        lambda _: f"{complementary([_release(0, 0, 1, 1), _release(0, 1, 1, 0)]).succeeded} of 4 told",
    ),
    Row(
        "2019", "2.4: temporal attack: a class of two, and the same with somebody new", "candor anonymize --earlier",
        lambda _: f"{complementary([_release(0, 0, ABSENT), _release(0, 0, 0)]).succeeded} of 3 told",
    ),
    Row(
        "2019", "(7), (8): prior and posterior of t3 and t4, figure 1", f"{MEASURE} --rows",
        lambda _: claim({(one.before, one.after) for one in _figure_1().beliefs[2:4]} == {(2 / 11, 1.0)}, "2/11 → 1"),  # type: ignore[index]
    ),
    Row(
        "2019", "theorem 3.1: the same for somebody who thought it half as likely", "privacy.release.beliefs.posterior",
        lambda _: f"{posterior([2, 2], [0.25, 0.75], [0.5, 0.5])[0]:.2f} where half of the class has it",
    ),
    Row(
        "2019", "4.3.1: positive disclosure, figure 1", MEASURE,
        lambda _: (
            f"{(one := _figure_1().measures.rise).before} in {one.of} to {one.after} in {one.size}, {one.rows} people"  # type: ignore[union-attr]
        ),
    ),
    Row(
        "2019", "4.3.1: negative disclosure, figure 1", MEASURE,
        lambda _: f"what {(one := _figure_1().measures.fall).before} in {one.of} have, {one.rows} people",  # type: ignore[union-attr]
    ),
    Row(
        "2019", "4.3.1: uninformative principle, classes that are like the table", "candor measure",
        lambda _: f"odds grow {rise(classes_of([[1, 1, 2, 2]], ['a', 'b', 'a', 'b'])).growth:.0f} time",
    ),
    Row(
        "2019", "4.3.1: (ρ₁, ρ₂)-private: the least ρ₂ of figure 1 for ρ₁ = 1/5", f'{MEASURE}; "rho" in a spec',
        lambda _: f"{_figure_1().measures.rho[0.2]:g}", "α < 1 − ρ₁ and β > 1 − ρ₂",
        why="its second half is a slip: α > 1 − ρ₁ and β < 1 − ρ₂ in the source, which is what is computed",
    ),
    Row(
        "2019", "3.1.1: a way through the lattice of two and three levels", "candor anonymize --path",
        lambda _: " → ".join("".join(map(str, step.node)) for step in search((1, 2), lambda node: sum(node) > 1).path),
    ),
    Row(
        "2019", "3.1: nodes of Adult's lattice that hold, k = 5", "candor anonymize",
        _on_adult("k = 5", "nodes that hold"), reads=True,
    ),
    Row(
        "2019", "3.1.2: k-minimal nodes of Adult, k = 5", "candor anonymize",
        _on_adult("k = 5", "minimal"), reads=True,
    ),
    Row(
        "2019", "3.2: rows suppressed there, at most 4 %", "candor anonymize",
        _on_adult("k = 5", "suppressed"), reads=True,
    ),
    Row(
        "2019", "4.4.2: people whose class tells the occupation, k = 5 and then l = 3", "candor anonymize",
        lambda read: " → ".join(_on_adult(f"k = 5{more}", "homogeneous")(read) for more in ("", ", distinct l = 3")),
        reads=True,
    ),
    Row(
        "2019", "4.4.2: recursive (4, 3)-diversity of Adult: l", "candor anonymize",
        _on_adult("k = 5, recursive (4, 3)", "l"), reads=True,
    ),
]  # fmt: skip

# ---- 002: places ----------------------------------------------------------------------------------------------------

SIDES, FIVE = "python -m papers: places-side.csv", 5.0
LAYOUTS = {
    "figures 3 and 4: a zone in the centre": ["centre"],
    **{f"figure 5 ({letter}): one zone at the {name}": [name] for letter, name in zip("abcd", POSITIONS, strict=True)},
    "figure 6: 2, 4 and 6 random zones": ["2-random", "4-random", "6-random"],
}


def _zones_win(tables: Tables, *layouts: str) -> str:
    errors = {
        (row["city"], row["zones"], row["epsilon"], row["mechanism"]): float(row["squared_error"])
        for row in tables("places")
        if row["zones"] in layouts
    }
    least = [errors[*key[:3], "zones, the paper's side"] < errors[key] for key in errors if key[3] == "square"]
    return claim(all(least), "zones err less at every ε")


def _sides() -> list[float]:
    return [best_side(MAP, [MAP], epsilon) for epsilon in range(1, 21)]


def _densities() -> float:
    """By how much the chance of one cell of a design differs between two places, at most."""
    home = {"id": "home", "width": 2000, "height": 2000, "cell": 100}
    design = Design.parse({"blocks": [{"place": "square", "epsilon": FIVE, "items": [home]}]})
    return float(design.gamma)


def _track() -> float:
    """The ε of four places of one person, 2 each: blocks of one design."""
    homes = [{"id": f"home{place}", "width": 2000, "height": 2000, "cell": 100} for place in range(4)]
    blocks = [{"place": "square", "epsilon": 2, "items": [home]} for home in homes]
    return float(Design.parse({"blocks": blocks}).guarantee().epsilon)


def _levels() -> str:
    """The ε of a place in each of two zones against any other place: minimum identification."""
    home = {"id": "home", "width": 2000, "height": 2000, "cell": 100}
    zones = [[200, 200, 600, 600, 3], [1200, 1200, 600, 600, 5]]
    design = Design.parse({"blocks": [{"place": "zones", "epsilon": FIVE, "zones": zones, "items": [home]}]})
    (block,) = design.guarantee().to_json()["blocks"]
    return " and ".join(f"{epsilon:.3f}" for epsilon in block["epsilon_zones"])


def _corollary_2() -> bool:
    """A place outside the zones is reported as itself, or from the zones, and so never as another place outside."""
    mechanism = CellMechanism(20, 20, (Rectangle(5, 5, 10, 10),), 3, 3 << 30)
    sent = [(x, y) for x in range(20) for y in range(20) if mechanism.chance((1, 1), (x, y))]
    return {*sent} == {(1, 1), *((x, y) for x in range(5, 15) for y in range(5, 15))}


PLACES = [
    Row(
        "2023", "definition 1, (3): the ratio of two densities at ε = 5", "candor guarantee",
        lambda _: claim(_densities() <= exp(FIVE) * (1 + 1e-12), "at most e^ε"), "at most e^ε",
    ),
    Row("2023", "(6): the squared error at ε = 5", SIDES, lambda _: f"{square_mechanism(MAP, FIVE).error:.0f}"),
    Row(
        "2023", "(7): the best side by COBYLA and by a root, ε = 5", SIDES,
        lambda _: f"{best_side_by_cobyla(MAP, FIVE):.2f}, {best_side(MAP, [MAP], FIVE):.2f}",
    ),
    Row(
        "2023", "figure 2: w by ε", SIDES,
        lambda _: claim(all(later < earlier for earlier, later in pairwise(_sides())), "falls"), "falls",
    ),
    Row(
        "2023", "(8), (9): the chances of a place in a zone sum to 1", "candor guarantee",
        lambda _: claim(
            isclose(
                (one := zone_mechanism(MAP, CENTRE, FIVE)).alpha * (one.sensitive + (exp(FIVE) - 1) * one.side**2), 1
            ), "1"
        ), "1",
    ),
    Row(
        "2023", "(10): the chance that a place outside is sent as it is, ε = 5", "candor guarantee",
        lambda _: f"{zone_mechanism(MAP, CENTRE, FIVE).beta:.3f}",
    ),
    Row(
        "2023", "(12), (13): the error in zones and elsewhere, ε = 5", "candor guarantee",
        lambda _: f"{(one := zone_mechanism(MAP, CENTRE, FIVE)).error_in_zones:.0f}, {one.error_elsewhere:.0f}",
    ),
    Row(
        "2023", "corollary 2: outside, only the place itself is sent, or one in a zone", "candor disguise",
        lambda _: claim(_corollary_2(), "so"), "so",
    ),
    Row(
        "2023", "corollary 3: zones err less than one square, four corners, ε = 5", SIDES,
        lambda _: claim(zone_mechanism(MAP, CORNERS, FIVE).error < square_mechanism(MAP, FIVE).error, "less"), "less",
        why="the same on average over places; not for each place, which the proof does not show",
    ),
    *(
        Row(
            "2023", name, "candor places FILE" if len(layouts) == 1 else "python -m papers: places.csv",
            lambda tables, layouts=layouts: _zones_win(tables, *layouts), "zones err less at every ε",  # type: ignore[misc]
            why="the same finding, on two made-up cities: the paper's data cannot be passed on", reads=True,
        )
        for name, layouts in LAYOUTS.items()
    ),
    Row("2023", "outlook: two levels of zones, ε = 3 and 5", "candor guarantee", lambda _: _levels()),
    Row("2023", "outlook: ε of a track of four places, 2 each", "candor places --track 4", lambda _: f"{_track():.3f}"),
]  # fmt: skip

# ---- 003: information loss penalty and l-diversity ------------------------------------------------------------------

RECODING, UTILITY = "python -m papers: local-recoding.csv", "candor anonymize --show-utility"
_AGES, _CODES = (25.0, 29.0, 38.0, 37.0, 40.0, 26.0), (12300.0, 14000.0, 13500.0, 13010.0, 13400.0, 12600.0)
_SPACE = Space([Measured("age", np.array(_AGES)), Measured("zip", np.array(_CODES))])
_DISEASE = np.array([0, 1, 2, 3, 2, 3])  # AIDS, pneumonia, bronchitis, flu, as in the paper's figure 1


def _recoded(tables: Tables, column: str, k: int = 5) -> dict[str, float]:
    return {row["algorithm"]: float(row[column]) for row in tables("local-recoding") if row["k"] == str(k)}


def _order(figures: dict[str, float]) -> str:
    short = {"Bottom-up k-anonymity": "bottom-up", "K-ACLUK": "K-ACLUK", "ILP-based L-diversity": "ILP-L"}
    return " < ".join(short[name] for name in sorted(figures, key=figures.__getitem__))


def _sizes(tables: Tables) -> str:
    own = [row for row in tables("local-recoding") if row["k"] == "5" and row["algorithm"] != "K-ACLUK"]
    return f"{min(int(row['smallest']) for row in own)} to {max(int(row['largest']) for row in own)}"


def _distorted() -> int:
    """How many values a class of four has that had one, where three are asked for."""
    changed = distorted(np.zeros(4, int), np.zeros(4, int), np.zeros(3, int), 3, np.random.default_rng(1))
    return len(set(changed.tolist()))


def _changed(tables: Tables, column: str, k: int) -> str:
    return next(percent(float(row[column])) for row in tables("distortion") if row["k"] == str(k))


PENALTY = [
    Row(
        "2010", "3.1: the utility matrix of figure 1, age for flu", UTILITY,
        lambda _: f"{utilities(_SPACE, _DISEASE)[3, 0]:.3f}",
    ),
    Row(
        "2010", "3.2: D between bronchitis and flu, figure 1", UTILITY,
        lambda _: f"{np.abs(np.diff(utilities(_SPACE, _DISEASE)[2:], axis=0)).sum():.3f}",
    ),
    Row(
        "2010", "5.2: the weights sum to 1", UTILITY,
        lambda _: f"{weights(utilities(_SPACE, _DISEASE)).sum():.0f}", "1",
    ),
    Row(
        "2010", "3.2: ILP(T) of figure 1 as one class, weights counted once", "candor anonymize: ILP(T)",
        lambda _: f"{_SPACE.penalty(np.zeros(6, int)):.3g}",
    ),
    Row(
        "2010", "3.2: the same, weights counted twice as printed", 'candor anonymize, "literal": true',
        lambda _: f"{Space(_SPACE.attributes, twice=True).penalty(np.zeros(6, int)):.3g}",
    ),
    Row(
        "2010", "4.3: distortion gives each class l values", "candor anonymize, ilp-l",
        lambda _: f"{_distorted()} values", "3 values",
    ),
    Row(
        "2010", "4.3: sizes of classes lie between k and 2k, k = 5", RECODING, _sizes, "5 to 10",
        why="does not hold as printed: a round pairs classes below k, and one that is left over joins another",
        reads=True,
    ),
    Row(
        "2010", "experiment 1, figure 5: run time at k = 5", RECODING,
        lambda tables: _order(_recoded(tables, "seconds")), "K-ACLUK < ILP-L < bottom-up",
        why="the same as its first sentence and its figure; its last one, ILP-L below K-ACLUK, is a slip", reads=True,
    ),
    Row(
        "2010", "experiment 2, figure 6: penalty at k = 5", RECODING,
        lambda tables: _order(_recoded(tables, "penalty")), "bottom-up < ILP-L < K-ACLUK", reads=True,
    ),
    Row(
        "2010", "experiment 2: ILP(T) of bottom-up at k = 5, weights counted once", RECODING,
        lambda tables: f"{_recoded(tables, 'penalty')['Bottom-up k-anonymity']:.0f}", reads=True,
    ),
    Row(
        "2010", "experiment 2: discernibility at k = 5, the largest by the smallest", RECODING,
        lambda tables: f"{max((own := _recoded(tables, 'discernibility')).values()) / min(own.values()):.2f}",
        "about 1", why="nearly the same, as the paper says without a number", reads=True,
    ),
    Row(
        "2010", "HASR of the notes' figure 1: classes, not people", MEASURE,
        lambda _: str(Fraction(_measure("homogeneous_classes")).limit_denominator(99)),
    ),
    Row(
        "2010", "experiment 3, figure 7: HASR of ILP-L at k = 20, before L-diversity", RECODING,
        lambda tables: percent(_recoded(tables, "homogeneous classes", 20)["ILP-based L-diversity"]), "0 %", reads=True,
    ),
    Row(
        "2010", "experiment 4, figure 8: HASR after 3-diversity, k = 5", "python -m papers: distortion.csv",
        lambda tables: _changed(tables, "homogeneous after", 5), "0 %", reads=True,
    ),
    Row(
        "2010", "experiment 4, figure 8: records changed for it, k = 5", "python -m papers: distortion.csv",
        lambda tables: _changed(tables, "records changed", 5), reads=True,
    ),
]  # fmt: skip

# ---- 004: grouped unrelated questions -------------------------------------------------------------------------------

POOLED = "candor reconstruct --estimator pooled"
_MODEL = {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]}
_COUNTS = {  # disguised and direct records where a and b are each true of 3 in 10, both of 1 in 10, k = .2
    "": (80_000, 20_000), "a": (40_800, 6_000), "!a": (39_200, 14_000),
    "a,b": (22_560, 2_000), "!a,!b": (20_960, 10_000),
}  # fmt: skip


def _pooled(pattern: str, name: str = "support", counts: dict[str, tuple[int, int]] = _COUNTS) -> float:
    design = Design.parse(_MODEL | {"direct": True})
    (figures,) = reconstruct_counts(design, pattern, counts, estimator="pooled").patterns
    return float(getattr(figures, name))


def _warner() -> float:
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a"]})
    return reconstruct_counts(design, "a", {"": (1000, 0), "a": (420, 0)}).patterns[0].support or 0.0


def _falls(tables: Tables, varied: str) -> str:
    own = [
        float(row["w"])
        for row in tables("experiment")
        if (row["reading"], row["varied"], row["estimator"]) == ("direct", varied, "pooled")
    ]
    rises = sum(later > earlier * 1.1 for earlier, later in pairwise(own))
    return claim(own[-1] == 0 and not rises, "falls to 0")


TENTH = {name: (first // 10, second // 10) for name, (first, second) in _COUNTS.items()}
GROUPED = [
    Row("grouped", "(1): π of 42 % yes, θ = .7", "candor reconstruct", lambda _: f"{_warner():.2f}", "0.30"),
    Row("grouped", "(3), (4), (8): π of λ = .468, k = .2", POOLED, lambda _: f"{_pooled('a'):.2f}", "0.30"),
    Row(
        "grouped", "(6): the error of π̂, n = 10 000", f"{POOLED}: se by (6)",
        lambda _: f"{_pooled('a', 'se_printed', TENTH):.5f}".removeprefix("0"), ".01134",
    ),
    Row(
        "grouped", "(6): the same, knowing who answered directly", f"{POOLED}: se",
        lambda _: f"{_pooled('a', 'se', TENTH):.5f}".removeprefix("0"), ".01134",
        why="sharper: k is known and not drawn, so that what lies between the groups is no error",
    ),
    Row("grouped", "(9): π of the opposite", POOLED, lambda _: f"{_pooled('!a'):.2f}", "0.70"),
    Row("grouped", "(10)–(12), (14): a pair, k = .2", POOLED, lambda _: f"{_pooled('a,b'):.2f}", "0.10"),
    Row("grouped", "(15): neither of a pair", POOLED, lambda _: f"{_pooled('!a,!b'):.2f}", "0.50"),
    Row(
        "grouped", "figure 1: W by p, k = .2", "python -m papers: experiment.csv", lambda tables: _falls(tables, "p"),
        "falls to 0", reads=True,
    ),
    Row(
        "grouped", "section 4: W by k, p = .3", "python -m papers: experiment.csv", lambda tables: _falls(tables, "k"),
        "falls to 0", why="the same where k answer directly, as in (7)–(16); section 4 swaps its meaning", reads=True,
    ),
]  # fmt: skip

ROWS: Sequence[Row] = (*BREACHES, *PENALTY, *NOTES, *PLACES, *GROUPED)
"""All of them, in the order of the page."""
