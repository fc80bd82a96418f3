"""Merkle trees, in Python and in the browser's JavaScript.

tests/vectors/merkle.json: the eight leaves with which implementations of Certificate Transparency are compared, and the
roots over the first none to eight of them.
"""

import json
import os
from collections.abc import Callable
from hashlib import sha256

import pytest

from surveys.domain.closed import statement
from surveys.domain.page import bundle
from tests.servers import ROOT

VECTORS = json.loads((ROOT / "tests" / "vectors" / "merkle.json").read_text())
LEAVES = [bytes.fromhex(leaf) for leaf in VECTORS["leaves"]]
TWIN = """
import(process.argv[1]).then(async ({ leaf, root }) => {
  const lists = JSON.parse(process.argv[2]);
  const hashed = (texts) => Promise.all(texts.map((text) => leaf(Uint8Array.from(Buffer.from(text, 'hex')))));
  const roots = await Promise.all(lists.map(async (texts) => root(await hashed(texts))));
  console.log(JSON.stringify(roots.map((one) => Buffer.from(one).toString('hex'))));
});
"""


def recursive(hashes: list[bytes]) -> bytes:
    """The definition of RFC 6962, section 2.1, word for word."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"").digest()
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1" + recursive(hashes[:half]) + recursive(hashes[half:])).digest()


def twin(node: Callable[..., str], lists: list[list[bytes]]) -> list[str]:
    given = json.dumps([[leaf.hex() for leaf in leaves] for leaves in lists])
    return json.loads(node("-e", TWIN, bundle.CLIENT / "closed" / "merkle.js", given))


def test_the_published_vectors_come_out() -> None:
    """The root over the first n leaves, for every n from 0 to 8."""
    assert [statement.root(map(statement.leaf, LEAVES[:n])).hex() for n in range(9)] == VECTORS["roots"]


def test_the_browser_makes_the_same_roots(node: Callable[..., str]) -> None:
    """The published vectors, and lists of lengths around powers of two."""
    lists = [[os.urandom(32) for _ in range(n)] for n in (9, 15, 16, 17, 63, 100)]
    assert twin(node, [LEAVES[:n] for n in range(9)]) == VECTORS["roots"]
    assert twin(node, lists) == [statement.root(map(statement.leaf, leaves)).hex() for leaves in lists]


@pytest.mark.parametrize("n", range(34))
def test_pairing_neighbours_is_the_tree_of_the_definition(n: int) -> None:
    """Level by level, an odd last one rising, is the same as halving at the largest power of two."""
    hashes = [os.urandom(32) for _ in range(n)]
    assert statement.root(hashes) == recursive(hashes)


@pytest.mark.parametrize("n", [1, 4, 5, 8, 9, 13, 31])
def test_a_tree_over_the_roots_of_pieces_is_the_tree_over_all(n: int) -> None:
    """Pieces of a power of two, the last of them of any size."""
    hashes = [os.urandom(32) for _ in range(n)]
    assert statement.root(statement.root(hashes[i : i + 4]) for i in range(0, n, 4)) == statement.root(hashes)


def test_a_node_cannot_be_shown_as_a_leaf() -> None:
    """Two hashes side by side, given as a leaf, do not have the hash of their node."""
    left, right = os.urandom(32), os.urandom(32)
    assert statement.leaf(left + right) != statement.node(left, right)
