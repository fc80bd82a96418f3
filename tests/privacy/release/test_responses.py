"""Responses of a survey are released with open answers made coarser and disguised answers as they are stored."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.errors import InputError
from privacy.records import Records
from privacy.release.hierarchies import Hierarchy, by_rows
from privacy.release.responses import Released, release_responses

DESIGN = Design.parse(
    {"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}, {"id": "theft", "theta": 0.5}]}]}
)
TOWNS = by_rows([[town, region, "*"] for town, region in zip("abcdef", "112233", strict=True)], "towns")
PEOPLE = 600


def responses(seed: int = 1) -> tuple[Records, dict[str, list[str]]]:
    random = np.random.default_rng(seed)
    answers = (random.random((PEOPLE, 2)) < 0.3).astype(np.uint8)
    records = disguise(DESIGN, answers, random.random(PEOPLE) < 0.3, seeded_words(seed))
    return records, {name: [str(town) for town in random.choice(list("abcdef"), PEOPLE)] for name in ("home", "work")}


def released(k: int = 5, least: int = 2, share: float = 0.05) -> Released:
    records, answers = responses()
    known = {name: (given, TOWNS) for name, given in answers.items()}
    return release_responses(records, known, {"note": ["-"] * PEOPLE}, k=k, least=least, share=share)


def rows(found: Released) -> list[dict[str, str]]:
    return [dict(zip(found.columns, row, strict=True)) for row in zip(*found.columns.values(), strict=True)]


def test_every_group_is_alike_in_what_others_may_know() -> None:
    """Counted from the published table alone: k of the same group, and both answers in classes of the direct one."""
    found = released()

    classes = defaultdict(list)
    for row in rows(found):
        classes[row["direct"], row["home"], row["work"]].append(row)
    hidden = classes.pop(("*", "*", "*"), [])
    assert len(hidden) == found.suppressed <= 0.05 * PEOPLE
    assert min(map(len, classes.values())) >= 5
    assert all(
        len({row[item] for row in own}) == 2
        for (direct, *_), own in classes.items()
        for item in ("drugs", "theft")
        if direct == "1"
    )
    assert {direct for direct, *_ in classes} == {"0", "1"}


def test_disguised_answers_are_published_as_they_are_stored() -> None:
    """Nothing is changed or left out: the same answers in the same numbers; rows are sorted by what they say."""
    records, _ = responses()

    found = rows(released())

    stored = Counter((str(drugs), str(theft)) for drugs, theft in records.codes.tolist())
    assert Counter((row["drugs"], row["theft"]) for row in found) == stored
    assert list(found[0]) == ["direct", "home", "work", "note", "drugs", "theft"]
    assert found == sorted(found, key=lambda row: tuple(row.values()))


def test_a_place_outside_the_zones_is_published_where_enough_people_share_it() -> None:
    """It is true as it stands: a cell of fewer than k such people is hidden, and what comes from a zone is not."""
    map_ = {"id": "home", "width": 10, "height": 10, "cell": 1}
    block = {"place": "zones", "epsilon": 3, "side": 2, "zones": [[4, 4, 2, 2]], "items": [map_]}
    design = Design.parse({"blocks": [block]})
    codes = np.repeat([0, 7, 44], [5, 4, 3]).astype(design.code_type)[:, np.newaxis]

    found = release_responses(Records(design, codes, np.zeros(12, bool)), town(12), {}, k=5, least=1, share=0.0)

    assert Counter(found.columns["home"]) == {"0:0": 5, "*": 4, "4:4": 3}
    assert found.masked == {"home": 4}


def test_a_direct_number_is_published_where_enough_people_gave_it() -> None:
    """Two direct respondents alone with theirs are hidden; the same number of a disguised record stands."""
    age = {"id": "age", "min": 0, "max": 9, "step": 1}
    design = Design.parse({"direct": True, "blocks": [{"number": "square-wave", "epsilon": 2, "items": [age]}]})
    first = design.blocks[0].items[0].grid.firsts[0]
    codes = (first + np.repeat([2, 3], [6, 7])).astype(design.code_type)[:, np.newaxis]

    found = release_responses(Records(design, codes, np.arange(13) < 8), town(13), {}, k=5, least=1, share=0.0)

    assert Counter(zip(found.columns["direct"], found.columns["age"], strict=True)) == {
        ("1", "2"): 6,
        ("1", "*"): 2,
        ("0", "3"): 5,
    }
    assert found.masked == {"age": 2}


def town(people: int) -> dict[str, tuple[list[str], Hierarchy]]:
    return {"town": (["a"] * people, TOWNS)}


def test_no_node_below_the_minimal_ones_holds_and_the_one_taken_loses_least() -> None:
    """The lattice is that of the whole model, the diversity of the direct group included."""
    lattice = released().generalisation.lattice

    for node in lattice.minimal:
        assert lattice.holding[node]
        for axis in range(1, 3):
            if node[axis]:
                below = (*node[:axis], node[axis] - 1, *node[axis + 1 :])
                assert not lattice.holding[below]
    assert lattice.heights == (0, 2, 2)


def test_the_report_says_what_was_and_what_is() -> None:
    """Before, somebody was nearly alone, and after nobody is; classes are judged, the direct ones fingerprinted."""
    found = released()

    assert found.before.k < 5 <= found.after.k
    assert [judged.item for judged in found.judged] == ["drugs", "theft"]
    assert found.judged[0].gamma == 3
    assert set(found.penalties) == {"direct", "home", "work"}
    direct = int(responses()[0].direct.sum())
    assert (len(found.fingerprint.member), found.penalties["direct"] < 0.05) == (direct, True)


def test_what_cannot_be_fulfilled_is_refused() -> None:
    """One sentence."""
    with pytest.raises(InputError, match="too many responses would have to be hidden"):
        released(k=500)
    with pytest.raises(InputError, match="too many responses would have to be hidden"):
        released(least=3)
