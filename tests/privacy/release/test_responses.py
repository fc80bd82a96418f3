"""Responses of a survey are released with undisguised answers made coarser and disguised answers as they are stored."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.arrays import Floats
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import METHODS, Spec, parse_spec
from privacy.release.responses import Released, release_responses
from tests.cases import every

DESIGN = Design.parse(
    {"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}, {"id": "theft", "theta": 0.5}]}]}
)
TOWNS = [[town, region, "*"] for town, region in zip("abcdef", "112233", strict=True)]
PEOPLE = 600
ANY_COLUMN = [name for name, method in METHODS.items() if not method.means]


def responses(seed: int = 1) -> tuple[Records, dict[str, list[str]]]:
    random = np.random.default_rng(seed)
    answers = (random.random((PEOPLE, 2)) < 0.3).astype(np.uint8)
    records = disguise(DESIGN, answers, random.random(PEOPLE) < 0.3, words_from_seed(seed))
    known = {name: [str(town) for town in random.choice(list("abcdef"), PEOPLE)] for name in ("home", "work")}
    known["age"] = random.integers(18, 70, PEOPLE).astype(str).tolist()
    return records, known | {"note": ["-"] * PEOPLE}


def spec(*items: str, **other: Any) -> dict[str, Any]:
    attributes: dict[str, Any] = {name: {"role": "quasi", "hierarchy": TOWNS} for name in ("home", "work")}
    attributes |= {item: {"role": "sensitive"} for item in items or ("drugs", "theft")}
    model = {"k": 5, "l": {"kind": "distinct", "l": 2}}
    asked = {"attributes": attributes | {"note": {"role": "insensitive"}}, "model": model, "suppression": 0.05}
    return asked | {"seed": 1} | other


def released(*items: str, **other: Any) -> Released:
    records, answers = responses()
    return release_responses(records, answers, parse_spec(spec(*items, **other)))


def test_responses_are_not_disguised_once_more() -> None:
    """Disguised answers stay as they are stored."""
    asked = spec()
    asked["attributes"] |= {"drugs": {"role": "disguised", "gamma": 9}}
    with pytest.raises(InputError) as refused:
        release_responses(*responses(), parse_spec(asked))
    assert str(refused.value) == (
        "attributes.drugs.role: 'drugs' is disguised already, and its answers are released as they are stored: only "
        "answers to undisguised questions are disguised in a release."
    )


def test_an_undisguised_column_is_disguised_for_both_groups_and_read_by_the_design() -> None:
    """The 600 people's shares come back within 4.5 standard errors (seed 3), though three in ten answered directly."""
    records, answers = responses()
    answers["note"] = ["yes", "no", "", "no"] * 150
    asked = spec("drugs")
    asked["attributes"] |= {"note": {"role": "disguised", "gamma": 4, "values": ["yes", "no", "no answer"]}}

    made = release_responses(records, answers, parse_spec(asked), take=words_from_seed(3))

    assert (next(iter(made.columns)), made.design and float(made.design.gamma)) == (
        "answered_directly",
        pytest.approx(4),
    )
    read = Records.from_frame(pd.DataFrame(made.columns), made.design)
    figures = candor.reconstruct(read, ["note=yes", "note=no", "note=no answer"]).to_frame()
    for true, row in zip((0.25, 0.5, 0.25), figures.to_dict("records"), strict=True):
        assert abs(row["support"] - true) < 4.5 * row["se"]
    kept = Counter(zip(answers["note"], made.columns["note"], strict=True))
    assert kept["yes", "yes"] < 150  # rows are sorted and values drawn
    plain = release_responses(records, answers, parse_spec(spec("drugs")))
    assert [column for name, column in made.columns.items() if name in made.names] != []
    assert Counter(made.columns["home"]) == Counter(plain.columns["home"])


def rows(release: Released) -> list[dict[str, str]]:
    return [dict(zip(release.columns, row, strict=True)) for row in zip(*release.columns.values(), strict=True)]


def classes_of_rows(release: Released) -> dict[tuple[str, ...], list[dict[str, str]]]:
    """The published rows by what others may know and by group, without those that are hidden."""
    classes = defaultdict(list)
    for row in rows(release):
        classes[tuple(row[name] for name in ("direct", *release.names))].append(row)
    classes.pop(("*",) * (1 + len(release.names)), None)
    return classes


def test_every_group_is_alike_in_what_others_may_know() -> None:
    """Counted from the published table alone: k of the same group, and both answers in classes of the direct one."""
    release = released()

    classes = classes_of_rows(release)
    shown = sum(map(len, classes.values()))
    assert PEOPLE - shown == release.suppressed <= 0.05 * PEOPLE
    assert min(map(len, classes.values())) >= 5
    assert all(
        len({row[item] for row in own}) == 2
        for (direct, *_), own in classes.items()
        for item in ("drugs", "theft")
        if direct == "1"
    )
    assert {direct for direct, *_ in classes} == {"0", "1"}


@pytest.mark.parametrize("method", ANY_COLUMN)
def test_every_method_keeps_the_groups_apart_and_gathers_k(method: str) -> None:
    """From the table alone: a class is of one group and has k rows; each group has as many rows as before."""
    asks_l = method in ("full-domain", "ilp-l", "local")
    model = {"k": 4} | ({"l": {"kind": "distinct", "l": 2}} if asks_l else {})
    release = released("drugs", method=method, model=model, suppression=0)

    classes, direct = classes_of_rows(release), int(responses()[0].direct.sum())
    assert min(map(len, classes.values())) >= 4
    assert Counter(row["direct"] for row in rows(release)) == {"1": direct, "0": PEOPLE - direct}
    if asks_l:
        assert {len({row["drugs"] for row in own}) for (flag, *_), own in classes.items() if flag == "1"} == {2}
    assert (release.generalisation is None) == (method != "full-domain")
    assert all(0 <= share <= 1 for share in release.lost.values())


def test_ilp_l_changes_true_answers_alone() -> None:
    """Those of the disguised group stay as they were sent, whatever the method."""
    records, _ = responses()
    release = released("drugs", method="ilp-l", model={"k": 3, "l": {"kind": "distinct", "l": 2}}, suppression=0)

    def published(flag: str) -> Counter[str]:
        return Counter(row["drugs"] for row in rows(release) if row["direct"] == flag)

    def stored(direct: bool) -> Counter[str]:
        return Counter(map(str, records.codes[records.direct == direct, 0].tolist()))

    assert published("0") == stored(direct=False)
    assert (release.distorted > 0, published("1") == stored(direct=True)) == (True, False)


@pytest.mark.parametrize(
    "condition",
    [
        {"l": {"kind": "entropy", "l": 1.5}},
        {"l": {"kind": "recursive", "l": 2, "c": 4}},
        {"t": {"distance": "equal", "t": 0.2}},
        {"t": {"distance": "ordered", "t": 0.2}},
        {"alpha": 0.85},
    ],
)
@pytest.mark.parametrize("method", ["full-domain", "local"])
def test_every_model_is_asked_of_the_direct_group(condition: dict[str, Any], method: str) -> None:
    """The share of yes in each class of direct respondents, from the table alone, is within what the model allows."""
    release = released("drugs", method=method, model={"k": 5} | condition, suppression=0)

    direct = [own for (flag, *_), own in classes_of_rows(release).items() if flag == "1"]
    shares = np.array([np.mean([row["drugs"] == "1" for row in own]) for own in direct])
    overall = np.mean([row["drugs"] == "1" for own in direct for row in own])
    most = np.maximum(shares, 1 - shares)
    bound = {
        "entropy": lambda: -(shares * np.log(shares) + (1 - shares) * np.log(1 - shares)) >= np.log(1.5) - 1e-9,
        "recursive": lambda: most < 4 * (1 - most),
        "t": lambda: np.abs(shares - overall) <= 0.2 + 1e-9,
        "alpha": lambda: most <= 0.85 + 1e-9,
    }[condition.get("l", {}).get("kind") or next(iter(condition))]
    assert bound().all()


def test_answers_may_have_a_hierarchy_along_which_classes_are_near() -> None:
    """The hierarchical distance takes the options in the order of the design, whatever the order of its rows."""
    records, answers = responses()
    asked = spec("drugs", model={"k": 5, "t": {"distance": "hierarchical", "t": 0.2}}, suppression=0)
    asked["attributes"]["drugs"]["hierarchy"] = [["1", "*"], ["0", "*"]]
    equal = spec("drugs", model={"k": 5, "t": {"distance": "equal", "t": 0.2}}, suppression=0)

    by_tree, alike = (release_responses(records, answers, parse_spec(one)) for one in (asked, equal))

    assert by_tree.columns == alike.columns
    assert by_tree.measures.t == pytest.approx(alike.measures.t)


def test_disguised_answers_are_published_as_they_are_stored() -> None:
    """Nothing is changed or left out: the same answers in the same numbers; rows are sorted by what they say."""
    records, _ = responses()

    table = rows(released())

    stored = Counter((str(drugs), str(theft)) for drugs, theft in records.codes.tolist())
    assert Counter((row["drugs"], row["theft"]) for row in table) == stored
    assert list(table[0]) == ["direct", "home", "work", "note", "drugs", "theft"]
    assert table == sorted(table, key=lambda row: tuple(row.values()))


def test_a_place_outside_the_zones_is_published_where_enough_people_share_it() -> None:
    """It is true as it stands: a cell of fewer than k such people is hidden, and what comes from a zone is not."""
    map_ = {"id": "home", "width": 10, "height": 10, "cell": 1}
    block = {"place": "zones", "epsilon": 3, "side": 2, "zones": [[4, 4, 2, 2]], "items": [map_]}
    design = Design.parse({"blocks": [block]})
    codes = np.repeat([0, 7, 44], [5, 4, 3]).astype(design.code_type)[:, np.newaxis]

    release = release_responses(Records(design, codes, np.zeros(12, bool)), *in_town(12, "home"))

    assert Counter(release.columns["home"]) == {"0:0": 5, "*": 4, "4:4": 3}
    assert release.masked == {"home": 4}


def test_a_direct_number_is_published_where_enough_people_gave_it() -> None:
    """Two direct respondents alone with theirs are hidden; the same number of a disguised record stands."""
    age = {"id": "age", "min": 0, "max": 9, "step": 1}
    design = Design.parse({"direct": True, "blocks": [{"number": "square-wave", "epsilon": 2, "items": [age]}]})
    first = design.blocks[0].items[0].grid.firsts[0]
    codes = (first + np.repeat([2, 3], [6, 7])).astype(design.code_type)[:, np.newaxis]

    release = release_responses(Records(design, codes, np.arange(13) < 8), *in_town(13, "age"))

    assert Counter(zip(release.columns["direct"], release.columns["age"], strict=True)) == {
        ("1", "2"): 6,
        ("1", "*"): 2,
        ("0", "3"): 5,
    }
    assert release.masked == {"age": 2}


def in_town(people: int, item: str) -> tuple[dict[str, list[str]], Spec]:
    """People of one town, and a spec that publishes an item of all of them."""
    attributes = {"town": {"role": "quasi"}, item: {"role": "sensitive"}}
    return {"town": ["a"] * people}, parse_spec({"attributes": attributes, "model": {"k": 5}})


def test_questions_that_are_not_named_are_left_out() -> None:
    """Undisguised ones and disguised ones."""
    asked = spec("drugs")
    del asked["attributes"]["work"], asked["attributes"]["note"]

    release = release_responses(*responses(), parse_spec(asked))

    assert list(release.columns) == ["direct", "home", "drugs"]


def test_numbers_are_published_as_ranges_by_local_methods() -> None:
    """Of the class, and not of the levels that were proposed for them."""
    asked = spec("drugs", method="local", suppression=0)
    asked["attributes"]["age"] = {"role": "quasi"}

    release = release_responses(*responses(), parse_spec(asked))

    ages = {row["age"] for row in rows(release)}
    assert any(label.startswith("[") and label.endswith("]") for label in ages)


def test_the_report_says_what_was_and_what_is() -> None:
    """Before, somebody was nearly alone, and after nobody is; classes are judged."""
    release = released()

    assert release.before.k < 5 <= release.measures.k
    assert (release.before.homogeneity, release.measures.homogeneity) == (pytest.approx(release.before.homogeneity), 0)
    assert [judged.item for judged in release.judged] == ["drugs", "theft"]
    assert release.judged[0].gamma == 3
    assert set(release.lost) == {"home", "work"}
    direct = int(responses()[0].direct.sum())
    assert release.direct == direct


def test_attacks_on_answers_are_tried_on_the_direct_group() -> None:
    """Counted from the table alone: classes whose direct respondents all say the same; the paragraph tells of them."""
    release = released(model={"k": 2}, suppression=0.0)

    alike = dict.fromkeys(("drugs", "theft"), 0)
    for (flag, *_), own in classes_of_rows(release).items():
        for item in alike:
            alike[item] += len(own) * (flag == "1" and len({row[item] for row in own}) == 1)
    tried = {attack.name: attack for attack in release.attacks}
    assert {item: tried[f"homogeneity ({item})"].succeeded for item in alike} == alike
    assert tried["homogeneity (drugs)"].tried == release.direct
    assert any(
        f"For {alike['drugs']} of {release.direct} people “drugs”" in str(said) for said in release.remaining_risks()
    )


@pytest.mark.parametrize(
    ("direct", "people", "begins"),
    [
        (1, 3, "The figures on answers are about the people who answered directly, 1 of 3, whose answers are true. "),
        (2, 3, "The figures on answers are about the people who answered directly, 2 of 3, whose answers are true. "),
        (
            2,
            4,
            "The figures on answers are about the 2 direct respondents, whose answers are true. The answers of the 2 ",
        ),
    ],
)
def test_nobody_reads_of_1_direct_respondents(direct: int, people: int, begins: str) -> None:
    """Where one group is one person the sentence is another; otherwise it is the one that stored releases hold."""
    sentences = replace(released(), direct=direct, columns={"drugs": ["0"] * people}).remaining_risks()

    assert str(sentences[-2]).startswith(begins)


def test_what_cannot_be_fulfilled_is_refused() -> None:
    """One sentence."""
    with pytest.raises(InputError, match="even with every quasi-identifier generalised to its root"):
        released(model={"k": 500})
    with pytest.raises(InputError, match="needs 3 answers to “drugs”, but all together gave 2"):
        released(model={"k": 5, "l": {"kind": "distinct", "l": 3}})
    with pytest.raises(InputError, match="k-acluk needs just one sensitive attribute"):
        released(method="k-acluk", model={"k": 5}, suppression=0)
    with pytest.raises(InputError, match="bottom-up supports only k"):
        released(method="bottom-up", suppression=0)
    with pytest.raises(InputError, match="the design has no item 'sex'"):
        released("sex")


def test_the_share_of_the_work_is_told_and_can_be_ended() -> None:
    """It never falls, and what the listener raises ends the work."""
    records, answers = responses()
    heard: list[float] = []
    for method in ANY_COLUMN:
        model = {"k": 3} | ({"l": {"kind": "distinct", "l": 2}} if method == "ilp-l" else {})
        release_responses(
            records, answers, parse_spec(spec("drugs", method=method, model=model, suppression=0)), heard.append
        )
        assert heard == sorted(heard)
        assert 0 <= heard[0] <= heard[-1] <= 1
        heard.clear()

    def enough(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        release_responses(records, answers, parse_spec(spec(method="local", suppression=0)), enough)


CONDITIONS: dict[str, tuple[dict[str, Any], Callable[[Floats, Floats], bool]]] = {
    "distinct": ({"l": {"kind": "distinct", "l": 3}}, lambda own, _: int((own > 0).sum()) >= 3),
    "entropy": (
        {"l": {"kind": "entropy", "l": 1.8}},
        lambda own, _: float(np.exp(-sum(own[own > 0] * np.log(own[own > 0])))) >= 1.8 - 1e-9,
    ),
    "recursive": (
        {"l": {"kind": "recursive", "l": 2, "c": 3}},
        lambda own, _: float(own.max()) < 3 * (1 - float(own.max())),
    ),
    "alpha": ({"alpha": 0.7}, lambda own, _: float(own.max()) <= 0.7 + 1e-9),
    "equal t": (
        {"t": {"distance": "equal", "t": 0.3}},
        lambda own, every: float(abs(own - every).sum()) / 2 <= 0.3 + 1e-9,
    ),
    "ordered t": (
        {"t": {"distance": "ordered", "t": 0.25}},
        lambda own, every: float(abs(np.cumsum(own - every)[:-1]).sum()) / 2 <= 0.25 + 1e-9,
    ),
    "rho": (
        {"rho": [0.34, 0.6]},
        lambda own, every: all(after <= 0.6 for before, after in zip(every, own, strict=True) if before < 0.34),
    ),
}


@pytest.mark.parametrize(("condition", "method"), every(3, product(CONDITIONS, ["full-domain", "local"])))
def test_every_model_is_asked_of_undisguised_answers_in_both_groups(condition: str, method: str) -> None:
    """By hand, from the table alone: each class of either group, against the shares of everybody's answers."""
    model, holds = CONDITIONS[condition]
    table = rows(with_work(method=method, model={"k": 5} | model, suppression=0))

    every, classes = shares_of(table), groups_of(table)
    assert len(classes) > 2
    assert {flag for flag, _ in classes} == {"0", "1"}
    assert [flag for flag, own in classes if not holds(shares_of(own), every)] == []


@pytest.mark.parametrize("method", ["bottom-up", "k-acluk"])
def test_methods_for_k_alone_publish_undisguised_answers_as_they_are(method: str) -> None:
    """Each class has k rows of one group, and everybody keeps their answer."""
    table = rows(with_work(method=method, model={"k": 4}, suppression=0))

    records, answers = leaning()
    flags = np.where(records.direct, "1", "0").tolist()
    assert min(len(own) for _, own in groups_of(table)) >= 4
    assert Counter((row["direct"], row["work"]) for row in table) == Counter(zip(flags, answers["work"], strict=True))


def test_true_answers_and_undisguised_ones_are_each_looked_at() -> None:
    """Local recoding with both: direct classes have two answers to both questions, disguised ones to the open one."""
    table = rows(with_work("drugs", method="local", model={"k": 3, "l": {"kind": "distinct", "l": 2}}, suppression=0))

    judged = {("1", "drugs"), ("1", "work"), ("0", "work")}
    alike = [
        (flag, item)
        for flag, own in groups_of(table)
        for item in ("drugs", "work")
        if (flag, item) in judged and len({row[item] for row in own}) < 2
    ]
    assert alike == []


def test_a_method_that_changes_answers_is_refused_for_undisguised_ones() -> None:
    """It would change those of the direct group alone."""
    with pytest.raises(InputError) as error:
        with_work(method="ilp-l", model={"k": 3, "l": {"kind": "distinct", "l": 2}}, suppression=0)

    assert str(error.value) == (
        "spec.method: Undisguised answers to “work” cannot be sensitive with ilp-l, which changes answers."
    )


def leaning() -> tuple[Records, dict[str, list[str]]]:
    """Responses in which the two groups answer differently where they work."""
    records, answers = responses()
    random = np.random.default_rng(5)
    chances = np.array([[0.4, 0.35, 0.25], [0.62, 0.3, 0.08]])[records.direct.astype(int)]
    place = (random.random((PEOPLE, 1)) > np.cumsum(chances, axis=1)).sum(axis=1).clip(max=2)
    return records, answers | {"work": [str(one) for one in place]}


def with_work(*items: str, **other: Any) -> Released:
    """The undisguised answer is sensitive; home and age are known."""
    attributes: dict[str, Any] = {"home": {"role": "quasi", "hierarchy": TOWNS}, "age": {"role": "quasi"}}
    attributes |= {item: {"role": "sensitive"} for item in ("work", *items)}
    return release_responses(*leaning(), parse_spec({"attributes": attributes, "seed": 1} | other))


def groups_of(table: list[dict[str, str]]) -> list[tuple[str, list[dict[str, str]]]]:
    """The rows of each class, and of whom they are."""
    classes = defaultdict(list)
    for row in table:
        classes[row["direct"], row["home"], row["age"]].append(row)
    return [(flag, own) for (flag, *_), own in classes.items()]


def shares_of(table: list[dict[str, str]]) -> Floats:
    return np.array([sum(row["work"] == value for row in table) for value in "012"]) / len(table)
