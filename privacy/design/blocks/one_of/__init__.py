"""A one-of block: everybody answers all questions, and one word of a public list is sent, or nothing."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from privacy.design import reading, recipes
from privacy.design.block import BlockKind
from privacy.design.blocks.one_of.advise import ADVISOR, sketch
from privacy.design.blocks.one_of.design import (
    ALONE,
    GROUP_WORDS,
    WORDS,
    OneOfBlock,
    answers_of,
    check_count,
    disguise,
    parts_of_word,
    read_items_alone,
)
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.invert import GroupPatterns
from privacy.design.blocks.one_of.invert_at_least import patterns_of
from privacy.design.fields import YES_NO
from privacy.design.notation import DECIMAL, check_gamma
from privacy.design.recipes import EnteredItem, Recipe, Values
from privacy.errors import EntryError


def _item_entry(values: Values, item: EnteredItem) -> dict[str, Any]:
    """The item with its harmless answer: no, or the first option, unless another is entered; and the one alone."""
    own = recipes.bare_item(values, item) | ({} if item.options is None else {"options": list(item.options)})
    options = item.options or YES_NO
    usual = YES_NO[0] if {*YES_NO} <= {*options} else options[0]
    alone = item.values.get(ALONE)
    return own | {"harmless": item.values.get("harmless") or usual} | ({ALONE: alone} if alone else {})


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    gamma, cap = (values.get(name) for name in ("list_gamma", "cap"))
    if gamma is None:
        raise EntryError("a list of words needs γ, its promise.", at="list_gamma")
    if cap is None:
        raise EntryError("a list of words needs a cap: how many answers of one person it tells in full.", at="cap")
    block = {"model": "one-of", "gamma": gamma, "cap": cap, "items": list(items)}
    more = ("longest", "weights", "groups", "least")
    return [block | {name: values[name] for name in more if values.get(name) is not None}]


def _named_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The block with the words that the settings name, all with the same chances."""
    from privacy.design.blocks.one_of.waves import list_by_length  # scipy is slow to import

    gamma, cap = (_read_number(recipes.require_setting(values, name), name) for name in ("list_gamma", "word_cap"))
    named = values.get("words") or ()
    if not named:
        raise EntryError("name the words of the list, such as theft; theft,fraud.", at="words")
    check_count(len(named), "words")
    check_gamma(gamma, "list_gamma")
    if cap < 1:
        raise EntryError("{cap:g} is below 1 word.", at="word_cap", cap=float(cap))
    asked, harmless, _ = read_items_alone({"items": list(items)}, "block")
    answers = answers_of(asked)
    words = [parts_of_word(text, answers, "words") for text in named]
    full = [_read_number(one, "losses") for one in reading.items(values.get("losses") or [], "losses")]
    lengths = {len(parts) for parts in words}
    losses = {length: one for length, one in enumerate(full, start=1) if one and length in lengths}
    made = list_by_length(asked, harmless, gamma, cap.limit_denominator(1000), words, losses)
    return [made.entry(DECIMAL)]


def _read_number(value: Any, at: str) -> Fraction:
    return reading.number({"": value}, "", at)


_ALL_WORDS = Recipe(
    name="one-of",
    takes=lambda item: not item.scale,
    write_item=_item_entry,
    write=_block_entries,
    needs=lambda _values: 1,
)
RECIPES: tuple[Recipe, ...] = (_ALL_WORDS, replace(_ALL_WORDS, name="named-words", write=_named_entries))

KIND = BlockKind(OneOfBlock, WORDS, disguise, patterns=patterns_of, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
GROUPS = BlockKind(GroupOfBlock, GROUP_WORDS, disguise, patterns=GroupPatterns, sketch=sketch)
