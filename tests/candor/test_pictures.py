"""What a notebook draws of a design's channel, of itemsets, and of results with a row for each figure."""

import re
from xml.etree import ElementTree

import pandas as pd
import pytest

import candor

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
