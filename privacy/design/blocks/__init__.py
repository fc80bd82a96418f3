"""The kinds of block, one module or folder each. To add one: write it, and list its class in KINDS.

A kind knows everything of itself: its JSON, its exact promise, its disguise, how it is inverted, what the advisor may
vary and how a form asks for it. Nobody else asks of which kind a block is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from privacy.design.block import Block, Judge, Plan, Planned
from privacy.design.blocks.arms import ArmsBlock
from privacy.design.blocks.coin import COIN_EACH, ONE_COIN, CoinBlock, CoinPlan
from privacy.design.blocks.flips import FlipBlock
from privacy.design.blocks.grouped import GroupedBlock
from privacy.design.blocks.number import NumberBlock
from privacy.design.blocks.one_sided import OneSidedBlock
from privacy.design.blocks.patterned import PatternedBlock
from privacy.design.blocks.place import PlaceBlock
from privacy.design.brief import Brief
from privacy.design.forms import Advised, Form
from privacy.design.notation import Notation

__all__ = [
    "ADVISED",
    "FORMS",
    "KINDS",
    "SIMPLE",
    "alone",
    "apart",
    "matrix",
    "plans",
    "proposals",
    "read",
    "usual",
]

KINDS: tuple[type[Block], ...] = (
    CoinBlock,
    FlipBlock,
    PatternedBlock,
    GroupedBlock,
    OneSidedBlock,
    NumberBlock,
    PlaceBlock,
    ArmsBlock,
)

FORMS: dict[str, Form] = {form.name: form for kind in KINDS for form in kind.forms}
"""The ways of disguising that a form offers, by the name that is stored."""

ADVISED: dict[str, Advised] = {name: form.advised for name, form in FORMS.items() if form.advised}
"""How the advisor disguises numbers and places, by the name of the form."""


SIMPLE: dict[str, str] = {"one_coin": ONE_COIN, "coin_each": COIN_EACH}
"""The families of simple designs that others are held against, by their keys in JSON."""


def usual(scale: Mapping[str, Any]) -> str:
    """The form that disguises an item until another is chosen: by what its scale has, as the advisor takes it.

    An item without a scale has options, which the first form takes.

    Parameters
    ----------
    scale : mapping of str to object
        What the entry of an item says of its values.

    Returns
    -------
    str
        A key of `FORMS`.

    Examples
    --------
    >>> usual({"min": 0, "max": 100}), usual({"width": 1000, "height": 800, "cell": 1})
    ('square-wave', 'square')
    """
    return next((name for name, advised in ADVISED.items() if advised.takes(scale)), next(iter(FORMS)))


def read(entry: Mapping[str, Any], where: str, notation: Notation) -> Block:
    """The block of an entry in either notation; one that bears no mark is refused as the first kind.

    The last kind whose mark it bears: a block in two arms bears that of its arms, too.

    Parameters
    ----------
    entry : mapping of str to object
        A block, as a design has it.
    where : str
        The place in a design, which a refusal names.
    notation : Notation
        How its numbers are written.

    Returns
    -------
    Block

    Examples
    --------
    >>> from privacy.design.notation import DECIMAL
    >>> read({"keep": 0.5, "items": [{"id": "drugs", "theta": 0.6}]}, "blocks[0]", DECIMAL).asked
    1
    """
    kind = next((kind for kind in reversed(KINDS) if kind.mark in entry), KINDS[0])
    return kind.read(entry, where, notation)


def plans(items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """Plans of every kind, with the family each comes from.

    Parameters
    ----------
    items : sequence of int
        Their places among the questions.
    brief : Brief
        What is asked of the design.
    odds : float
        The largest γ.
    thorough : bool
        Whether more kinds of noise are tried.
    judge : Judge
        It says how much blocks err.

    Yields
    ------
    str, Plan

    Examples
    --------
    >>> from functools import partial
    >>> from privacy.design.brief import Brief, yes_no
    >>> from privacy.plan.standard_errors import errors_of_many
    >>> brief = Brief(yes_no(2), respondents=1000, gamma=Fraction(9))
    >>> judge = partial(errors_of_many, brief)
    >>> families = {family for family, _ in plans([0, 1], brief, 9.0, False, judge)}
    >>> "a coin per item" in families
    True
    """
    for kind in KINDS:
        yield from kind.plans(items, brief, odds, thorough, judge)


def proposals(
    brief: Brief, odds: float, asked: range, judge: Judge, error: Callable[[Plan], float]
) -> Iterator[Sequence[Plan]]:
    """Single blocks of every kind for a questionnaire, like ones in a list, best first.

    Parameters
    ----------
    brief : Brief
        What is asked of the design.
    odds : float
        The largest γ.
    asked : range
        Of how many items everybody is asked.
    judge : Judge
        It says how much blocks err.
    error : callable
        It takes a plan, and returns its error.

    Yields
    ------
    sequence of Plan
        Like ones, the best first.

    Examples
    --------
    >>> from functools import partial
    >>> from privacy.design.brief import Brief, yes_no
    >>> from privacy.plan.standard_errors import errors_of_many
    >>> brief = Brief(yes_no(2), respondents=1000, gamma=Fraction(9))
    >>> judge = partial(errors_of_many, brief)
    >>> made = proposals(brief, 9.0, range(1, 3), judge, lambda _: 0.1)
    >>> "CoinPlan" in [type(alike[0][0]).__name__ for alike in made]
    True
    """
    for kind in KINDS:
        yield from kind.proposals(brief, odds, asked, judge, error)


def alone(item: int, weight: float) -> Planned:
    """A block for one item that can be of any type.

    Parameters
    ----------
    item : int
        Its place among the questions.
    weight : float
        The part of the odds that it has, beside other blocks.

    Returns
    -------
    Planned

    Examples
    --------
    >>> alone(2, 0.5).items
    (2,)
    """
    return CoinPlan((item,), 1, weight)


def apart(items: Sequence[int]) -> Planned:
    """Items of any type that are all asked and disguised apart from each other, as one block of a form.

    Parameters
    ----------
    items : sequence of int
        Their places among the questions.

    Returns
    -------
    Planned

    Examples
    --------
    >>> apart([0, 1]).ask
    2
    """
    return CoinPlan(tuple(items), len(items), each=True)


def matrix(block: Block) -> list[list[Fraction]]:
    """P(sent y | truth x) at [x][y], over the answers to the items asked first and their records, for small blocks.

    Parameters
    ----------
    block : Block
        One with few answers.

    Returns
    -------
    list of list of Fraction
        A row for each true answer, a column for each record.

    Examples
    --------
    >>> from privacy.design import Design
    >>> (block,) = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}).blocks
    >>> [[float(chance) for chance in row] for row in matrix(block)]
    [[0.75, 0.25], [0.25, 0.75]]
    """
    here = range(block.asked)
    codes = [np.arange(block.items[place].field(optional=False).size) for place in here]
    can_be_true = [block.items[place].can_be_true(codes[place]) for place in here]
    truths = product(*(all_[true].tolist() for all_, true in zip(codes, can_be_true, strict=True)))
    sent = list(product(*(all_.tolist() for all_ in codes)))
    return [[block.chance(here, truth, record) for record in sent] for truth in truths]
