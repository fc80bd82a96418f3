"""Adult in the space of local recoding, for the benchmark of releases and the test that compares with the optimum."""

from dataclasses import replace

from papers.reference import NUMBERS, SECRET, Table, code_labels, paper_tree
from privacy.release.attributes import Measured, Quasi, Space
from privacy.release.methods.job import utilities, weights


def in_space(table: Table, names: list[str]) -> Space:
    """Adult for local recoding, weighted by the utilities of the data."""
    attributes: list[Quasi | Measured] = []
    for name in names:
        if name in NUMBERS:
            attributes.append(Measured(name, table[name].astype(float)))
        else:
            tree = paper_tree(name, table[name])
            attributes.append(Quasi(name, tree, tree.encode(table[name], name)))
    own = weights(utilities(Space(attributes), code_labels(table[SECRET])))
    return Space([replace(attribute, weight=float(weight)) for attribute, weight in zip(attributes, own, strict=True)])
