"""Rows of the notes on anonymity."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import exp

import numpy as np

from papers.rows.row import Row, Tables, claim, percent
from privacy.errors import InputError
from privacy.guarantee.channel import ChanceTable, breach
from privacy.guarantee.information import Information
from privacy.release import anonymize, classes_of, parse_spec
from privacy.release.anonymize import Release
from privacy.release.attacks import Subset
from privacy.release.attacks.link import Link, link
from privacy.release.counts import Counts, counts_of
from privacy.release.hierarchies import by_rows, by_truncation
from privacy.release.measures.beliefs import rise
from privacy.release.measures.report import Measures, measure
from privacy.release.methods.full_domain import Generalisation
from privacy.release.methods.lattice import search
from privacy.release.noise import Laplace, noise_of

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
    return measure(FIGURE_1, NAMES[:-1], NAMES[-1], rows=True)


def _belief_after() -> float:
    """What somebody who thought the flu half as likely as it is makes of a class with the shares of the table."""
    table = {"age": np.array([20, 20, 30, 30]), "ill": np.array(["flu", "cold"] * 2, object)}
    belief = measure(table, ["age"], "ill", belief=("flu", "1/4")).believed
    assert belief is not None  # it was asked for
    return belief[1][0].after


def _tell(channel: Sequence[Sequence[object]], prior: object) -> Information:
    """What outputs tell those to whom they tell most."""
    measured = [belief.information for belief in breach(channel, prior, measures=True).beliefs if belief.information]
    return max(measured, key=lambda one: one.loss)


def measure_of(key: str) -> float:
    return float(getattr(_figure_1().measures, key))


def _link(known: Mapping[str, str | Sequence[str]], *, in_order: bool = False) -> Link:
    """What links a person, or the rows of another table, with figure 1."""
    people = {name: [labels] if isinstance(labels, str) else list(map(str, labels)) for name, labels in known.items()}
    return link(people, {name: list(map(str, column)) for name, column in FIGURE_1.items()}, in_order=in_order)


def _best_within_bound() -> tuple[Release, Generalisation]:
    """The best table of figure 1 that tells half a bit at most, and how it was found."""
    roles = {name: {"role": "quasi"} for name in NAMES[:-1]} | {NAMES[-1]: {"role": "sensitive"}}
    asked = {"attributes": roles, "model": {"k": 2}, "front": "information", "bounds": {"information": 0.5}}
    asked["minimise"] = "discernibility"
    table = {name: list(map(str, column)) for name, column in FIGURE_1.items()}
    release = anonymize(table, parse_spec(asked))
    assert release.generalisation is not None  # full-domain has one
    return release, release.generalisation


def _on_adult(model: str, column: str) -> Callable[[Tables], str]:
    return lambda tables: next(row[column] for row in tables("models-on-adult") if row["model"] == model)


def _scale(columns: int) -> Fraction:
    """The scale of the noise of this number of tables of two cells, at ε = 1."""
    noise = noise_of([2] * columns, Fraction(1))
    assert isinstance(noise, Laplace)
    return noise.scale


def _information_if_alike() -> float:
    """The mutual information, in bits, of classes that are like the table."""
    own = {"sex": np.array([*"ffmm"], object), "ill": np.array([*"abab"], object)}
    return measure(own, ["sex"], "ill").measures.information or 0.0


def _subsets() -> Sequence[Subset]:
    return measure(FIGURE_1, NAMES[:-1], NAMES[-1], subsets=4).subsets


def _refusal(made: Callable[[], object]) -> str:
    try:
        made()
    except InputError:
        return "refused"
    return "not refused"


def _best_rows_and_node() -> str:
    release, taken = _best_within_bound()
    return f"{len(release.columns[NAMES[0]])} rows, {list(taken.node)}"


def _count_suppressed() -> int:
    asked = {
        "attributes": {"n": {"role": "quasi"}},
        "model": {"k": 2},
        "suppression": 0.25,
        "minimise": "discernibility",
    }
    return anonymize({"n": [*"11122234"]}, parse_spec(asked)).suppressed


_MEASURES = "candor breach CHANNEL --prior FILE --measures"
_COIN = [["3/4", "1/4"], ["1/4", "3/4"]]  # Warner's
_DECIDES = ChanceTable(("0", "1"), ("S = 0", "S = 1"), [[1, 0], [0, 1]])  # P(v | s): what is known decides the vote
_PATIENTS = {"sex": ["f", "f"], "ill": ["flu", "cold"], "drug": ["x", "y"]}
_TWO_SENSITIVE = {
    "attributes": {"sex": {"role": "quasi"}, "ill": {"role": "sensitive"}, "drug": {"role": "sensitive"}},
    "model": {"l": {"kind": "distinct", "l": 2}},
}
NOTES = [
    Row("2019", "figure 1: k", MEASURE, lambda _: f"{measure_of('k'):.0f}", "2"),
    Row(
        "2019", "homogeneity attack on figure 1", MEASURE,
        lambda _: str(Fraction(measure_of("homogeneity")).limit_denominator(99)) + " of the people",
    ),
    Row("2019", "distinct l-diversity of figure 1", MEASURE, lambda _: f"{measure_of('distinct'):.0f}"),
    Row("2019", "(9): entropy l-diversity of figure 1", MEASURE, lambda _: f"{measure_of('entropy'):.0f}"),
    Row("2019", "t-closeness of figure 1", MEASURE, lambda _: f"{measure_of('t'):.3f}"),
    Row(
        "2019", "(3), (5), 1.6.1: mutual information of figure 1, the mean KL distance of its classes", MEASURE,
        lambda _: f"{measure_of('information'):.3f} bits",
        worked="1.063 bits",  # 6/11 · log₂ 11/2 + 5/11 · log₂ 11/5 − 4/11 − 3/11 · log₂ 3
    ),
    Row(
        "2019", "(4): the best table within bounds, and the front", "candor anonymize people.csv spec.json",
        lambda _: (
            f"{len((taken := _best_within_bound()[1]).front)} tables on the front; "
            f"discernibility {taken.loss:.0f} with at most .5 bits"
        ),
    ),
    Row("2019", "1.6.3: unicity of figure 1", MEASURE, lambda _: f"{measure_of('unicity'):.0f}"),
    Row(
        "2019", "4.1.1: background knowledge of one value, figure 1", MEASURE,
        lambda _: f"{_figure_1().attacks[2].succeeded} of 11 people",
    ),
    Row(
        "2019", "1.3.1: linking a list of names with figure 1", "candor link people.csv figure1.csv",
        lambda _: (
            f"{(one := _link({'race': 'Black', 'birth': '1965', 'gender': 'f', 'zip': '02138'})).rows[0]} rows fit a "
            f"Black woman of 1965 in 02138; both say {one.revealed['problem'][0]}"
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
        lambda _: f"{_link({'birth': FIGURE_1['birth'].tolist()}, in_order=True).attack.succeeded} of 11 rows joined",
    ),
    Row(
        "2019", "1.6.1: Kullback-Leibler distance of the class of t3 and t4 from the whole table, figure 1", _MEASURES,
        lambda _: f"{_tell([[1, 0], [0, 1]], ['2/11', '9/11']).divergence:.3f} bits: they have what 2 of 11 have",
        worked="2.459 bits: they have what 2 of 11 have",  # log₂ 11/2
    ),
    Row(
        "2019", "1.6.2: perfect privacy given S: a vote that S tells, and evidence that depends on it", _MEASURES,
        lambda _: claim(_tell([["1/5", "4/5"], ["3/5", "2/5"]], _DECIDES).perfectly_private, "private"),
        worked="private",  # S leaves nothing of the vote unknown, so evidence tells nothing more
    ),
    Row(
        "2019", "(5): privacy loss, a vote by Warner's coin of .75", _MEASURES,
        lambda _: f"{_tell(_COIN, ['1/2', '1/2']).loss:.3f} bits", worked="0.189 bits",
    ),
    Row(
        "2019", "(5): what is unknown of the same vote before and after its answer, S says nothing", _MEASURES,
        lambda _: "{0.before:.3f} and {0.after:.3f} bits".format(_tell(_COIN, ["1/2", "1/2"])),
        worked="1.000 and 0.811 bits",
    ),
    Row(
        "2019", "(7), (8): P(s) and posterior of t3 and t4, figure 1", f"{MEASURE} --rows",
        lambda _: claim({(row.before, row.after) for row in _figure_1().beliefs[2:4]} == {(2 / 11, 1.0)}, "2/11 → 1"),  # type: ignore[index]
    ),
    Row(
        "2019", "theorem 3.1: the same for somebody who thought it half as likely",
        "candor measure FILE --quasi age --sensitive ill --belief flu=1/4",
        lambda _: f"{_belief_after():.2f} where half of the class has it",
        worked="0.25 where half of the class has it",
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
        lambda _: f"{_figure_1().measures.rho[0.2]:g}", "α < 1 − ρ₁ and β > 1 − ρ₂", instead="1",
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
    Row(
        "2019", "1.3.1: the chance to identify a given person by the quasi-identifiers, figure 1", MEASURE,
        lambda _: claim(measure_of("prosecutor") * measure_of("k") == 1, "1/k"), "1/k",
    ),
    Row(
        "2019", "1.3.2: two statistics in place of one, at the same ε", "candor counts",
        lambda _: f"noise × {_scale(2) / _scale(1)}",
    ),
    Row("2019", "(1): D as discernibility, figure 1", MEASURE, lambda _: f"{measure_of('discernibility'):.0f}"),
    Row("2019", "(2): L as the share of people found, figure 1", MEASURE, lambda _: f"{measure_of('marketer'):.3f}"),
    Row(
        "2019", "1.6.2: perfect privacy, classes like the table", "candor measure",
        lambda _: f"{_information_if_alike():.0f} bits", worked="0 bits",  # log₂ 1 in every class
    ),
    Row(
        "2019", "1.7.1: how often values of some of the quasi-identifiers appear together, figure 1",
        f"{MEASURE} --subsets 4",
        lambda _: claim(all(each.k >= measure_of("k") for each in _subsets()), "at least k times"), "at least k times",
    ),
    Row(
        "2019", "2.1: how many are alone with what others may know, Adult", "candor measure",
        lambda tables: percent(int(_on_adult("as it is", "found")(tables)) / 30_162), "87 %", instead="29 %",
        why="another table: the 87 % are Americans by birthday, sex and postal code; Adult has no birthday", reads=True,
    ),
    Row(
        "2019", "2.4: unsorted matching in another order, figure 1", "candor link A B --in-order",
        lambda _: f"{_link({'birth': FIGURE_1['birth'].tolist()}, in_order=True).in_order:.1f} of 11 rows on average",
    ),
    Row(
        "2019", "3.1.1: a value with two labels on one level", "candor anonymize",
        lambda _: _refusal(lambda: by_rows([["a", "x"], ["a", "y"]], "levels")), "refused",
    ),
    Row(
        "2019", "figure 2: the levels of the postal code 02138", "candor anonymize, \"truncate\": [4, 3]",
        lambda _: " → ".join(labels[0] for labels in by_truncation(["02138", "02141"], [5, 4, 3], "zip").labels[:3]),
    ),
    Row(
        "2019", "figures 3 to 5: nodes of the lattice of two and three levels", "candor anonymize --path",
        lambda _: f"{search((1, 2), lambda _node: True).holding.size}",
    ),
    Row(
        "2019", "3.1.2: rows and distance vector of the best table of at most .5 bits, figure 1",
        "candor anonymize people.csv spec.json", lambda _: _best_rows_and_node(),
    ),
    Row(
        "2019", "(6): suppressed where two of eight are alone, k = 2", "candor anonymize",
        lambda _: f"{_count_suppressed()} rows",
    ),
    Row("2019", "4.4.1: q*-blocks of figure 1", MEASURE, lambda _: f"{len(_figure_1().sizes)}"),
    Row(
        "2019", "4.2: somebody knows who is in the table, or does not: figure 1", MEASURE,
        lambda _: f"{measure_of('prosecutor'):g} and {measure_of('journalist'):g}",
    ),
    Row(
        "2019", "4.4.3: two sensitive columns, each with two values in a class, one of which tells the other",
        "candor anonymize", lambda _: _refusal(lambda: anonymize(_PATIENTS, parse_spec(_TWO_SENSITIVE))), "refused",
    ),
]  # fmt: skip
