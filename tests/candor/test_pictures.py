"""What a notebook draws of a design's channel, of itemsets, and of results with a row for each figure."""

import math
import re
from xml.etree import ElementTree

import pandas as pd
import pytest

import candor
from privacy.design.channel_pictures import channel_pictures

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = {"number": "square-wave", "epsilon": 2, "items": [{"id": "hours", "min": 0, "max": 40}]}
PLACE = {"place": "square", "epsilon": 2, "items": [{"id": "home", "width": 100, "height": 80, "cell": 5}]}


def said(svg: str) -> list[str]:
    """What the marks of a picture say where a pointer rests on them."""
    found = ElementTree.fromstring(svg)
    titles = [node.findtext(f"{SVG}title") for node in found.iter() if node is not found]
    return [title for title in titles if title]


def across(svg: str) -> list[float]:
    """Where its round marks stand, from left to right, in the order of the rows."""
    return [float(node.attrib["cx"]) for node in inside(svg).iter(f"{SVG}circle")]


def whiskers(svg: str) -> list[tuple[float, float]]:
    """Where its intervals begin and end, in the order of the rows."""
    drawn = (re.fullmatch(r"M([\d.]+) [\d.]+H([\d.]+)", node.attrib["d"]) for node in inside(svg).iter(f"{SVG}path"))
    return [(float(one[1]), float(one[2])) for one in drawn if one]


def inside(svg: str) -> ElementTree.Element:
    """The part of a picture that holds its marks, without axes and lines across."""
    (found,) = (node for node in ElementTree.fromstring(svg) if node.tag == f"{SVG}g")
    return found


def line_across(svg: str) -> float:
    """Where the dashed line stands."""
    dashed = [node for node in ElementTree.fromstring(svg).iter(f"{SVG}path") if "stroke-dasharray" in node.attrib]
    (at,) = (re.match(r"M([\d.]+) ", node.attrib["d"]) for node in dashed)
    assert at is not None
    return float(at[1])


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_design_is_drawn_with_the_channel_of_each_block() -> None:
    """How likely each record is by the true answers, in every combination."""
    design = candor.models.warner(["drugs"], theta=0.75) + candor.models.k_ary({"age": ["young", "old"]}, p=0.5)

    first, second = design.pictures()

    assert said(first) == ["0 → 0: 75 %", "0 → 1: 25 %", "1 → 0: 25 %", "1 → 1: 75 %"]
    assert said(second) == [
        "young → young: 75 %", "young → old: 25 %", "old → young: 25 %", "old → old: 75 %"
    ]  # fmt: skip
    assert ["stored: drugs" in texts(first), "stored: age" in texts(second)] == [True, True]


def test_items_under_one_coin_have_one_channel() -> None:
    """Rows and columns are combinations of answers; each row adds up."""
    design = candor.models.improved_grouped(["drugs", "cheating"], p=0.5, theta=0.5)

    (channel,) = design.pictures()

    shares = dict(cell.removesuffix(" %").split(": ") for cell in said(channel))
    assert shares["1, 0 → 1, 0"] == "62.5"
    assert shares["1, 0 → 0, 1"] == "12.5"
    assert len(shares) == 16


def test_a_number_that_records_may_hold_is_in_its_channel_and_may_be_no_answer() -> None:
    """Records of a number reach beyond the answers: the channel has more columns than rows."""
    block = NUMBER | {"items": [{"id": "children", "min": 0, "max": 2}]}

    (channel,) = candor.Design.parse({"blocks": [block]}).pictures()

    cells = [cell.split(":")[0].split(" → ") for cell in said(channel)]
    true, stored = ({cell[end] for cell in cells} for end in (0, 1))
    assert true == {"0", "1", "2"}
    assert true <= stored
    assert len(cells) == len(true) * len(stored)


def test_of_a_sampled_block_the_channel_is_that_of_the_items_asked_first() -> None:
    """It says so, and where it stands."""
    (channel,) = candor.models.improved_grouped(["a", "b", "c"], p=0.5, theta=0.5, ask=2).pictures()

    assert {"What is stored of true answers, in %: block 1, where these are asked", "stored: a, b"} <= set(
        texts(channel)
    )


def test_a_channel_that_nobody_could_read_is_not_drawn() -> None:
    """Five items under one coin have 32 records; and of many blocks the first four are drawn."""
    names = [f"q{place}" for place in range(5)]

    assert len(candor.models.improved_grouped(names, p=0.3, theta=0.6).pictures()) == 0
    assert len(candor.models.warner(names, theta=0.7).pictures()) == 4


def test_without_rules_the_itemsets_are_drawn() -> None:
    """They stand with their intervals, the largest first; without itemsets nothing is drawn."""
    frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    records = candor.disguise(frame, candor.models.warner(["drugs", "cheating"], theta=0.9), seed=7)

    none, itemsets = (candor.mine(records, least, 1, engine="bitset") for least in (0.99, 0.05))

    assert none.picture() == ""
    assert len(itemsets.rules) == 0
    by_support = itemsets.itemsets.sort_values("support", ascending=False)
    assert [name for name in texts(itemsets.picture()) if name in set(by_support["itemset"])] == list(
        by_support["itemset"]
    )


def test_an_answer_that_may_yet_be_turned_is_not_said_to_stay_for_certain() -> None:
    """What is stored as it is in 99.995 of 100 cases is neither all nor written as 100 %."""
    (svg,) = channel_pictures((candor.models.k_ary({"a": ["l", "m"]}, p=0.9999)).blocks)

    description = ElementTree.fromstring(svg).findtext(f"{SVG}desc")
    assert description == "True answers that are stored as they are: l with >99.9 %, m with >99.9 %."
    assert texts(svg)[-6:] == ["l", ">99.9", "<0.1", "m", "<0.1", ">99.9"]


def test_a_ledger_is_drawn_with_what_each_survey_adds() -> None:
    """Each survey has its epsilon and that of all so far, rounded up, and the budget stands across."""
    wave = candor.models.warner(["drugs"], theta=0.7)
    other = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    account = candor.ledger({"spring": wave, "autumn": wave, "winter": other}, budget=100)

    svg = account.picture()

    assert said(svg) == [
        "spring, the survey: 0.847298", "autumn, the survey: 0.847298", "winter, the survey: 1.30253",
        "spring, with all before it: 0.847298", "autumn, with all before it: 1.6946",
        "winter, with all before it: 2.99713",
    ]  # fmt: skip
    spring, autumn, winter = across(svg)
    assert spring == autumn
    a_unit = (winter - spring) / (1.30253 - 0.847298)
    assert line_across(svg) - spring == pytest.approx(a_unit * (math.log(100) - 0.847298), abs=1)
    assert "budget: a gamma of 100" in texts(svg)
    description = ElementTree.fromstring(svg).findtext(f"{SVG}desc")
    assert description == str(account).splitlines()[-1] == "A gamma of 4.99307 is left of the budget of 100."


def test_of_many_surveys_the_last_are_drawn_with_the_sum_of_all() -> None:
    """Forty rows at the most, and what is spent before them is not forgotten."""
    wave = candor.models.warner(["drugs"], theta=0.6)
    svg = candor.ledger([(f"wave {number}", wave) for number in range(50)]).picture()

    marks = said(svg)
    assert [len(marks), marks[0], marks[-1]] == [
        80, "wave 10, the survey: 0.405466", "wave 49, with all before it: 20.2733"
    ]  # fmt: skip


def test_a_survey_that_protects_some_answers_only_has_no_place_in_the_picture_of_a_ledger() -> None:
    """An infinite epsilon leaves its row empty, as are all sums after it; of nothing else nothing is drawn."""
    wave, one_sided = candor.models.warner(["drugs"], theta=0.7), candor.models.one_sided(["drugs"], g=0.3)

    svg = candor.ledger({"a": wave, "b": one_sided, "c": wave}).picture()

    assert said(svg) == ["a, the survey: 0.847298", "c, the survey: 0.847298", "a, with all before it: 0.847298"]
    assert candor.ledger({"b": one_sided}).picture() == candor.ledger({}).picture() == ""


def drawn_as(svg: str, estimates: list[float], intervals: list[tuple[float, float]]) -> bool:
    """Whether marks and intervals stand where the line of no difference and the widest interval put them."""
    none, (least, most) = line_across(svg), (min(low for low, _ in intervals), max(high for _, high in intervals))
    ends = whiskers(svg)
    unit = (max(right for _, right in ends) - min(left for left, _ in ends)) / (most - least)
    want = [none + unit * value for value in (*estimates, *(end for both in intervals for end in both))]
    return [*across(svg), *(end for both in ends for end in both)] == pytest.approx(want, abs=0.5)


def test_what_a_lot_tells_is_drawn_with_the_intervals_whoever_declined() -> None:
    """Each answer has its difference of the groups, against none; without two groups nothing is drawn."""
    design = candor.models.warner(["drugs", "cheating"], theta=0.8)
    answers = pd.DataFrame({"drugs": [0, 0, 0, 1] * 500, "cheating": [0, 1] * 1000})
    tested = candor.lot(candor.disguise(answers, design, direct=0.5, seed=1), 0.5)
    effects = tested.to_json()["effects"]

    svg = tested.picture()

    differences = [effect["kept"]["difference"] for effect in effects]
    intervals = [tuple(effect["whoever_declined"]["ci"]) for effect in effects]
    assert said(svg) == [
        f"{name}: {one:.6g}, from {low:.6g} to {high:.6g}"
        for name, one, (low, high) in zip(["drugs", "cheating"], differences, intervals, strict=True)
    ]
    assert drawn_as(svg, differences, intervals)
    assert candor.lot(candor.disguise(answers, design, seed=1), 0.5).picture() == ""
