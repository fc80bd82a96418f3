"""The lattice search finds what trying every node finds, and on Adult the nodes and losses that others published."""

import csv
import json
import math
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from papers.reference import ADULT, adult as read_adult, how_to_get, reference_file
from privacy.errors import InputError
from privacy.release import anonymize, parse_spec
from privacy.release.attributes import Quasi
from privacy.release.hierarchies import by_rows, read_hierarchy
from privacy.release.methods.full_domain import LOSSES, CodedTable, Search, by_loss, generalise
from privacy.release.methods.lattice import GeneralisationLattice, Levels, Node, search
from privacy.release.models import AnonymityModel, Closeness, Diversity
from privacy.release.models.conditions import DisclosurePrivacy, Frequency, Likeness
from privacy.release.reasons import nobody
from tests.cases import every, first

AGES = by_rows([[str(age), str(age // 2), str(age // 4), "*"] for age in range(8)], "age")
SEXES = by_rows([["f", "*"], ["m", "*"]], "sex")
ILL = by_rows([["flu", "lung", "*"], ["cold", "lung", "*"], ["ulcer", "belly", "*"]], "ill")
ROWS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=24)
MODELS = [
    AnonymityModel(k=2),
    AnonymityModel(k=4),
    AnonymityModel(2, (Diversity("distinct", 2),)),
    AnonymityModel(1, (Diversity("entropy", 1.8),)),
    AnonymityModel(1, (Diversity("recursive", 2, 2.0),)),
    AnonymityModel(1, (Closeness("equal", 0.25),)),
    AnonymityModel(1, (Closeness("ordered", 0.2),)),
    AnonymityModel(1, (Closeness("hierarchical", 0.25, ILL),)),
    AnonymityModel(2, (Frequency(0.6),)),
    AnonymityModel(2, (Diversity("distinct", 2), Frequency(0.8))),
    AnonymityModel(1, (Likeness("basic", 0.5),)),
    AnonymityModel(1, (Likeness("enhanced", 3.0),)),
    AnonymityModel(1, (DisclosurePrivacy(1.0),)),
]


def fulfils(secrets: list[int], overall: Counter[int], model: AnonymityModel) -> bool:
    """A class by the definitions, one after the other."""
    n, counts = len(secrets), sorted(Counter(secrets).values(), reverse=True)
    shares = [secrets.count(value) / n - overall[value] / overall.total() for value in range(3)]
    good = n >= model.k
    for condition in model.conditions:
        if isinstance(condition, Diversity):
            kind, length, c = condition.kind, condition.l, condition.c
            entropy = -sum(count / n * math.log(count / n) for count in counts)
            good &= {
                "distinct": len(counts) >= length,
                "entropy": entropy >= math.log(length) - 1e-9,
                "recursive": counts[0] < (c or 0) * sum(counts[int(length) - 1 :]),
            }[kind]
        elif isinstance(condition, Closeness):
            moved_in_lung = min(max(shares[0], 0) + max(shares[1], 0), max(-shares[0], 0) + max(-shares[1], 0))
            lung = shares[0] + shares[1]
            moved = [shares[value] for value in sorted(overall)]  # a value that nobody has is no step
            distance = {
                "equal": sum(map(abs, shares)) / 2,
                "ordered": sum(abs(sum(moved[:place])) for place in range(1, len(moved))) / max(len(moved) - 1, 1),
                "hierarchical": moved_in_lung / 2 + abs(lung),
            }[condition.distance]
            good &= distance <= condition.t + 1e-9
        elif isinstance(condition, Frequency):
            good &= counts[0] <= condition.alpha * n + 1e-9
        elif isinstance(condition, Likeness):
            for value, many in overall.items():
                p, most = many / overall.total(), condition.beta
                good &= shares[value] / p <= (min(most, -math.log(p)) if condition.kind == "enhanced" else most) + 1e-9
        elif isinstance(condition, DisclosurePrivacy):
            for value, many in overall.items():
                own, p = secrets.count(value) / n, many / overall.total()
                good &= own > 0 and abs(math.log2(own / p)) < condition.delta - 1e-9
    return bool(good)


def tried_one_by_one(
    rows: list[tuple[int, int, int]], model: AnonymityModel, allowed: int
) -> dict[tuple[int, int], int]:
    """For every node that holds how many records are suppressed."""
    overall = Counter(ill for *_, ill in rows)
    holding = {}
    for node in product(range(4), range(2)):
        classes = defaultdict(list)
        for age, sex, ill in rows:
            label = AGES.labels[node[0]][AGES.places[node[0]][age]], SEXES.labels[node[1]][SEXES.places[node[1]][sex]]
            classes[label].append(ill)
        suppressed = sum(len(secrets) for secrets in classes.values() if not fulfils(secrets, overall, model))
        if suppressed <= allowed:
            holding[node] = suppressed
    return holding


@pytest.mark.parametrize("model", every(2, MODELS))
@given(rows=ROWS, share=st.sampled_from([0.0, 0.2, 0.5]))
def test_the_search_finds_every_node_that_holds(
    model: AnonymityModel, rows: list[tuple[int, int, int]], share: float
) -> None:
    """Whatever is concluded from other nodes is what trying each node by the definitions gives."""
    ages, sexes, ills = (np.array(column) for column in zip(*rows, strict=True))
    expected = tried_one_by_one(rows, model, int(share * len(rows) + 1e-9))
    minimal = sorted(
        node for node in expected if not any(other != node and all(map(int.__le__, other, node)) for other in expected)
    )
    quasis = [Quasi("age", AGES, ages), Quasi("sex", SEXES, sexes)]

    lattice = Search(CodedTable(quasis, [ills]), model, int(share * len(rows) + 1e-9)).lattice(nobody)

    assert sorted(lattice.nodes()) == sorted(expected)
    assert list(lattice.minimal) == minimal
    if expected.get((3, 1)) != 0:
        with pytest.raises(InputError, match="does not satisfy it"):
            generalise(CodedTable(quasis, [ills]), model, share, "discernibility")
        return
    taken = generalise(CodedTable(quasis, [ills]), model, share, "penalty")
    assert taken.suppressed - taken.further == expected[taken.node]  # type: ignore[index]


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_few_nodes_settle_all_where_the_model_can_only_be_gained(heights: list[int], random: Any) -> None:
    """Any set of nodes that is closed upwards is found whole."""
    seeds = [tuple(random.randint(0, height) for height in heights) for _ in range(3)]

    def holds(node: tuple[int, ...]) -> bool:
        return any(all(map(int.__ge__, node, seed)) for seed in seeds)

    lattice = search(tuple(heights), holds)

    nodes = list(product(*(range(height + 1) for height in heights)))
    assert list(lattice.nodes()) == [node for node in nodes if holds(node)]
    assert len(lattice.path) <= len(nodes)
    # The path alone tells all: each answer, and what follows above a node that holds and below one that fails.
    assert [(step.node, step.holds) for step in lattice.path] == [(node, holds(node)) for node in told(lattice)]
    above = [node for node in nodes if any(step.holds and higher(node, step.node) for step in lattice.path)]
    below = [node for node in nodes if any(not step.holds and higher(step.node, node) for step in lattice.path)]
    assert (above, sorted([*above, *below])) == (list(lattice.nodes()), nodes)


def told(lattice: GeneralisationLattice) -> list[tuple[int, ...]]:
    """The nodes of a path, each of them once."""
    return list(dict.fromkeys(step.node for step in lattice.path))


def higher(node: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(map(int.__ge__, node, other))


def test_classes_are_counted_alike_in_a_table_and_by_sorting() -> None:
    """Many attributes with many values, more than a table of counts has room for."""
    random = np.random.default_rng(5)
    codes = [[random.integers(0, 400, 5_000), np.zeros(5_000, np.int64)] for _ in range(6)]

    levels = Levels(codes)

    for node in [(0, 1, 1, 1, 1, 1), (0, 0, 1, 1, 0, 1), (0,) * 6]:
        rows = Counter(zip(*(codes[place][level].tolist() for place, level in enumerate(node)), strict=True))
        assert sorted(levels.sizes(node)) == sorted(rows.values())
        assert sorted(np.bincount(levels.members(node))) == sorted(rows.values())


NESTED = st.lists(st.tuples(*[st.integers(0, 7)] * 3, *[st.integers(-1, 2)] * 2), min_size=1, max_size=40)


@given(rows=NESTED, secrets=st.integers(0, 2), nodes=st.permutations(list(product(range(4), repeat=3))))
def test_classes_that_are_rolled_up_are_those_of_the_rows(
    rows: list[tuple[int, ...]], secrets: int, nodes: list[tuple[int, ...]]
) -> None:
    """Whatever was asked before: sizes, class of every row, and how many rows of a class have which values."""
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    levels = Levels([[column >> level for level in range(4)] for column in columns[:3]], columns[3 : 3 + secrets])

    for node in nodes[:12]:
        grouped = Counter(
            (tuple(one >> level for one, level in zip(row, node, strict=False)), row[3 : 3 + secrets]) for row in rows
        )
        sizes = Counter({own: 0 for own, _ in grouped})
        for (own, _), count in grouped.items():
            sizes[own] += count
        assert sorted(levels.sizes(node)) == sorted(sizes.values())
        made, member = levels.classes(node), levels.members(node).tolist()
        labels = {number: tuple(one >> level for one, level in zip(row, node, strict=False))
                  for number, row in zip(member, rows, strict=True)}  # fmt: skip
        assert [sizes[labels[number]] for number in range(len(labels))] == made.sizes.tolist()
        values = zip(*(codes.tolist() for codes in levels.secrets(made, columns[3 : 3 + secrets])), strict=True)
        own = values if secrets else [()] * len(made.member)
        found = zip(((labels[number], value) for number, value in zip(made.member.tolist(), own, strict=True)),
                    made.count.tolist(), strict=True)  # fmt: skip
        assert dict(found) == grouped


@cache
def adult() -> dict[str, Quasi]:
    """The nine attributes of Adult, with the hierarchies of ARX."""
    path = reference_file("adult/adult.csv")
    if not path.exists():
        pytest.skip(how_to_get("adult/adult.csv"))
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    grades = "Preschool,1st-4th,5th-6th,7th-8th,9th,10th,11th,12th,HS-grad,Some-college,Assoc-voc,Assoc-acdm,Bachelors"
    names = [*grades.split(","), "Masters", "Prof-school", "Doctorate"]
    quasis = {}
    for name in published()["order9"]:
        hierarchy = read_hierarchy(path.parent / "hierarchies" / f"adult_hierarchy_{name}.csv")
        column = [names[int(row["education-num"]) - 1] if name == "education" else row[name] for row in rows]
        quasis[name] = Quasi(name, hierarchy, hierarchy.encode(column, name))
    return quasis


@cache
def published() -> Any:
    path = reference_file("anonymity_adult.json")
    if not path.exists():
        pytest.skip(how_to_get("anonymity_adult.json"))
    return json.loads(path.read_text())


@pytest.mark.parametrize("minimise", LOSSES)
@given(ROWS, st.integers(0, 3), st.integers(1, 3))
def test_nodes_come_in_the_order_of_their_losses(
    minimise: str, rows: list[tuple[int, int, int]], suppressed: int, k: int
) -> None:
    """All that hold, the least loss first, of equal ones the lower levels, though few losses are worked out at once."""
    ages, sexes, ills = map(list, zip(*rows, strict=True))
    quasis = [Quasi("age", AGES, np.array(ages), 2.0), Quasi("sex", SEXES, np.array(sexes))]
    asked = Search(CodedTable(quasis, [np.array(ills)]), AnonymityModel(k, (Diversity("distinct", 2),)), suppressed)
    lattice = asked.lattice(nobody)

    found = list(by_loss(asked, lattice, LOSSES[minimise]))

    losses = {node: LOSSES[minimise].of(asked, node) for node in lattice.nodes()}
    assert {node: loss for loss, node in found} == losses
    assert [round(loss, 9) for loss, _ in found] == sorted(round(loss, 9) for loss in losses.values())
    assert all(
        sum(one) <= sum(other) for (loss, one), (after, other) in pairwise(found) if loss == after and loss < math.inf
    )


@pytest.mark.parametrize("model", MODELS)
@given(
    ROWS, st.tuples(st.integers(0, 3), st.integers(0, 3)), st.tuples(st.integers(0, 1), st.integers(0, 1)), st.data()
)
def test_levels_are_between_the_least_and_the_greatest(
    model: AnonymityModel, rows: list[tuple[int, int, int]], of_age: tuple[int, int], of_sex: tuple[int, int], data: Any
) -> None:
    """Just those nodes hold that hold without bounds and are within them, and the best of these is taken."""
    ends = [sorted(of_age), sorted(of_sex)]
    share = data.draw(st.sampled_from([0, 0.2]))
    ages, sexes, ills = map(np.array, zip(*rows, strict=True))
    free = [Quasi("age", AGES, ages), Quasi("sex", SEXES, sexes)]
    bounded = [replace(quasi, least=low, greatest=high) for quasi, (low, high) in zip(free, ends, strict=True)]
    allowed = int(share * len(rows) + 1e-9)
    everywhere = Search(CodedTable(free, [ills]), model, allowed)
    expected = everywhere.lattice(nobody).holding.copy()
    for node in product(range(4), range(2)):
        if not all(low <= level <= high for level, (low, high) in zip(node, ends, strict=True)):
            expected[node] = False

    found = Search(CodedTable(bounded, [ills]), model, allowed).lattice(nobody).holding

    assert found.tolist() == expected.tolist()
    losses = {
        tuple(map(int, node)): LOSSES["penalty"].of(everywhere, tuple(map(int, node))) for node in np.argwhere(expected)
    }
    best = min(((loss, sum(node), node) for node, loss in losses.items() if loss < math.inf), default=None)
    try:
        node = generalise(CodedTable(bounded, [ills]), model, share, "penalty").node
    except InputError:
        assert best is None
    else:
        assert best is not None
        assert losses[node] == pytest.approx(best[0], abs=1e-12)


@pytest.mark.parametrize(
    ("levels", "more", "sentence"),
    [
        ([2, 1], {}, "attributes.age.levels: [2, 1] are not two levels, the least one first."),
        ([-1, 1], {}, "attributes.age.levels: [-1, 1] are not two levels, the least one first."),
        ([1], {}, "attributes.age.levels: [1] is not a least and a greatest level, such as [1, 3]."),
        ([0, 9], {}, "attributes.age.levels: 'age' has the levels 0 to 2."),
        ([0, 1], {"method": "local"}, "attributes.age.levels: local puts no column on a level."),
        (
            [0, 0],
            {},
            "model: even with every quasi-identifier on its greatest level, the table does not satisfy it; allow "
            "greater levels, or ask for less.",
        ),
    ],
)
def test_levels_that_cannot_be_are_refused_in_one_sentence(
    levels: list[int], more: dict[str, Any], sentence: str
) -> None:
    """Wrong ends, ends above the hierarchy, another method, and a model that needs greater levels."""
    ages = {"age": {"role": "quasi", "ranges": [[20, 40, 60]], "levels": levels}}

    with pytest.raises(InputError) as refused:
        anonymize({"age": ["21", "34", "48", "55"]}, parse_spec({"attributes": ages, "model": {"k": 2}, **more}))
    assert str(refused.value) == sentence


def test_a_least_level_makes_coarser_than_the_model_needs() -> None:
    """Two people of each year would do; ranges were asked for, and null is no bound."""
    ages = {"age": {"role": "quasi", "ranges": [[20, 40, 60]], "levels": [1, None]}}

    released = anonymize({"age": ["21", "21", "48", "48"]}, parse_spec({"attributes": ages, "model": {"k": 2}}))

    assert released.columns["age"] == ["[20, 40)"] * 2 + ["[40, 60]"] * 2


def test_without_a_loss_the_table_with_the_least_penalty_is_taken() -> None:
    """Of Adult, k = 5 and 5 %, the mean penalty of a cell is .258; by discernibility it was .534."""
    if not reference_file(ADULT).exists():
        pytest.skip(how_to_get(ADULT))
    table, names = read_adult()
    columns = {name: [str(value) for value in table[name].tolist()] for name in names}
    spec = {"attributes": {name: {"role": "quasi"} for name in names}, "model": {"k": 5}, "suppression": 0.05}

    found = {
        minimise: anonymize(columns, parse_spec(spec | ({"minimise": minimise} if minimise else {}))).measures.penalty
        for minimise in ("", "penalty", "discernibility")
    }

    assert found == {
        "": pytest.approx(0.2583, abs=5e-5),
        "penalty": found[""],
        "discernibility": pytest.approx(0.5344, abs=5e-5),
    }


def best_of_single_classes(case: dict[str, Any], attributes: str) -> tuple[Node, float, int]:
    """Node, loss and suppressed records where each class is looked at alone, as ARX does."""
    quasis = adult()
    occupation = quasis["occupation"]
    diversity = (
        Diversity("entropy", case["entropy_l"])
        if "entropy_l" in case
        else Diversity("distinct", case["l_distinct"])
        if "l_distinct" in case
        else Diversity("recursive", case["recursive"][1], case["recursive"][0])
        if "recursive" in case
        else None
    )
    closeness = (
        Closeness("equal", case["t_equal"])
        if "t_equal" in case
        else Closeness("hierarchical", case["t_hier"], occupation.hierarchy)
        if "t_hier" in case
        else None
    )
    minimise = "discernibility" if case["metric"].startswith("DM") else "entropy"
    model = AnonymityModel(
        case.get("k", 1), tuple(condition for condition in (diversity, closeness) if condition is not None)
    )
    chosen = [quasis[name] for name in published()[attributes]]
    made = generalise(CodedTable(chosen, [occupation.codes]), model, case["supp"], minimise)
    alone = Search(made.table, model, int(case["supp"] * made.table.records + 1e-9), together=False)
    loss, node = next(by_loss(alone, made.lattice, LOSSES[minimise]))
    return node, loss, int((~alone.stays(node, alone.suppress(node))).sum())


@pytest.mark.parametrize("place", first(1, [1, 5, 8, 0, 2, 3, 4, 6, 7, 9, 10]))
def test_the_published_optimum_of_adult_is_found(place: int) -> None:
    """Node and loss of every optimum that ARX's own tests expect."""
    case = published()["optimum"][place]

    node, loss, _ = best_of_single_classes(case, f"order{case['qi']}")

    assert (list(node), loss) == (case["node"], pytest.approx(case["loss"], rel=1e-12))


@pytest.mark.parametrize("place", first(2, range(4)))
def test_what_another_program_suppresses_is_suppressed(place: int) -> None:
    """Node, loss and number of suppressed records of four runs of ARX."""
    case = published()["arx_run_here"][place]

    node, *figures = best_of_single_classes(case, "order8")

    assert [list(node), *figures] == [case["node"], case["loss"], case["suppressed"]]


@pytest.mark.long
@pytest.mark.parametrize("setting", first(1, ["5,.04", "5,0", "10,.04", "50,.04"]))
def test_adult_has_as_many_minimal_nodes_as_published(setting: str) -> None:
    """How many nodes hold, and how many of them are minimal."""
    k, share = setting.split(",")
    quasis = [adult()[name] for name in published()["order8"]]

    lattice = generalise(CodedTable(quasis), AnonymityModel(k=int(k)), float(share), "entropy").lattice

    counts = published()["our_lattice_counts(k,supp:anonymous,minimal)"][setting]
    assert [int(lattice.holding.sum()), len(lattice.minimal)] == counts
