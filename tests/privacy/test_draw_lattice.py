"""The drawing of a lattice shows which nodes hold, which are minimal, and which was taken."""

from xml.etree import ElementTree

import numpy as np

from privacy.draw.lattice import LatticeWords, lattice

SVG = "{http://www.w3.org/2000/svg}"


def test_a_small_lattice_is_drawn_node_by_node() -> None:
    """Six nodes and seven steps; the legend has four more dots; each node says its levels."""
    holding = np.array([[False, False, True], [False, True, True]])

    drawn = ElementTree.fromstring(lattice("Two", holding, [(0, 2), (1, 1)], (1, 1)))

    named = [circle.find(f"{SVG}title") for circle in drawn.iter(f"{SVG}circle")]
    assert sorted(title.text or "" for title in named if title is not None) == [
        "0, 0", "0, 1", "0, 2", "1, 0", "1, 1", "1, 2",
    ]  # fmt: skip
    assert (len(named), len(list(drawn.iter(f"{SVG}path")))) == (10, 7)


def test_a_large_lattice_is_a_bar_for_each_height() -> None:
    """Of 4 320 nodes the picture stays small, and says of each height how many nodes hold."""
    holding = np.zeros((2, 5, 2, 3, 4, 3, 3, 2), bool)
    holding[1] = True

    drawn = lattice(
        "Adult", holding, [(1, 0, 0, 0, 0, 0, 0, 0)], (1, 0, 0, 0, 0, 0, 0, 0), LatticeWords(holds="<holds>")
    )

    texts = ["".join(text.itertext()) for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert "1/1" in texts
    assert sum(int(text.split("/")[0]) for text in texts if "/" in text) == holding.sum()
    assert len(drawn) < 12_000
    assert "<holds>" in texts


def test_the_path_of_a_search_is_a_line_from_node_to_node() -> None:
    """Its corners are where the nodes are; of a large lattice it rises and falls with their heights."""
    small, large = np.array([[False, False, True], [False, True, True]]), np.ones((11, 12), bool)

    drawn = ElementTree.fromstring(lattice("Two", small, [(0, 2), (1, 1)], (1, 1), path=[(1, 1), (0, 0), (0, 2)]))
    bars = ElementTree.fromstring(lattice("Many", large, [(0, 0)], (0, 0), path=[(5, 5), (0, 0), (10, 11)]))

    _, line = drawn.iter(f"{SVG}polyline")  # the first is that of the legend
    dots = {
        (title.text or ""): (circle.get("cx"), circle.get("cy"))
        for circle in drawn.iter(f"{SVG}circle")
        if (title := circle.find(f"{SVG}title")) is not None
    }
    assert [tuple(point.split(",")) for point in str(line.get("points")).split()] == [
        dots[node] for node in ("1, 1", "0, 0", "0, 2")
    ]
    _, line = bars.iter(f"{SVG}polyline")
    heights = [float(point.split(",")[1]) for point in str(line.get("points")).split()]
    assert (heights[1] - heights[0], heights[1] - heights[2]) == (10 * 22, 21 * 22)
    assert "the path of the search" in "".join(drawn.itertext())
