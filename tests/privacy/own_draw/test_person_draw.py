"""Blocks that people draw themselves: what a design holds, what follows from a draw, and what is refused."""

from contextlib import nullcontext
from fractions import Fraction
from itertools import permutations, product
from math import inf, isfinite
from typing import Any

import pytest

import candor
from privacy.design import Design
from privacy.design.parameters import parameters
from privacy.design.rationals import ONE
from privacy.errors import InputError
from privacy.own_draw.person_draw import WHOSE
from privacy.own_draw.ready import draw_of, ready_draws
from privacy.own_draw.sources import SOURCES
from surveys.kinds.person import FACTS
from tests.privacy.own_draw.people import BLOCKS, DIE, block, channel
from tests.refusals import refusal_of

PHONE = {"source": "phone", "fact": "friend", "of": ["0", "1"]}


def read(*blocks: dict[str, Any]) -> Design:
    return Design.parse({"blocks": list(blocks)})


def shares_of(entry: dict[str, Any]) -> dict[str, dict[str, Fraction]]:
    """The chance of each label: even under a lot, else that of the source."""
    shares = {}
    for drawn in (entry["draw"], *entry["draw"].get("other", ())):
        chances = SOURCES[drawn["source"]].chances
        shares[drawn["source"]] = {
            label: Fraction(1, len(chances)) if drawn.get("lot") else chance for label, chance in chances.items()
        }
    return shares


def ends_of_fact(other: dict[str, Any]) -> set[Fraction]:
    """The least and the largest chance that a fact may have."""
    source = SOURCES[other["source"]]
    share = sum((source.chances[label] for label in other["of"]), Fraction(0))
    return {share - source.delta, share + source.delta}


def block_of(settings: dict[str, Any], count: int) -> dict[str, Any]:
    """The block of a ready draw."""
    asked = settings.get("ask", count)
    draw = draw_of(settings["draw_way"], settings["source"], settings["part"], asked, settings.get("fact"))
    return {"by": "person", "draw": draw, "items": [{"id": item} for item in "abcdefghij"[:count]], "ask": asked}


@pytest.mark.parametrize("name", BLOCKS)
def test_people_who_follow_a_draw_have_the_channel_of_its_block(name: str) -> None:
    """They read outcomes and words alone; their chances by enumeration are those of the block, to its rounding."""
    entry = BLOCKS[name]
    shares = shares_of(entry)
    (made,) = read(entry).blocks
    asked = made.items_per_person

    expected = channel(entry, shares)

    records = list(product((0, 1), repeat=asked))
    differences = [
        abs(made.chance(range(asked), truth, record) - expected[truth, record])
        for truth in records
        for record in records
    ]
    assert max(differences) < Fraction(2 * asked, ONE)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_design_keeps_its_draw_in_both_notations(name: str) -> None:
    """What people write, what is hashed, and what is read of either are one design."""
    design = read(BLOCKS[name])

    assert Design.parse(design.to_json()) == design
    assert Design.parse(design.canonical()) == design
    assert Design.parse(design.canonical()).sha256 == design.sha256


def test_a_block_without_a_draw_is_written_as_before() -> None:
    """The bytes of a design that devices draw do not know of people."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})

    assert design.sha256 == "1f7d89f70fab5e845ad68360c78141c3bd186c806b026e7a12ebb381b38497b7"


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            block("warner", "die", [(DIE[:5], "truth"), (DIE[5:], "opposite")], "ab"),
            "blocks[0].draw: one draw is for 2 questions. Two answers by one draw, both true or both turned over, show "
            "whether the true answers are the same.",
        ),
        (
            block("crosswise", "die", [(DIE[:5], "fact"), (DIE[5:], "not")]),
            "blocks[0].draw.outcomes: a record 1 does not speak for yes; say the opposite for each outcome.",
        ),
        (
            block("crosswise", "die", [(DIE[:1], "fact"), (DIE[2:], "not")]),
            "blocks[0].draw.outcomes: nothing says what '2' means; each outcome needs a meaning.",
        ),
        (
            block("crosswise", "die", [(DIE[:1], "fact"), (DIE[1:3], "not"), (DIE[3:], "nothing")]),
            "blocks[0].draw.outcomes: 'nothing' is unknown here; outcomes say 'fact' or 'not'.",
        ),
        (
            block("table", "cards", [(["A♠"], "truth")], "ab"),
            "blocks[0].draw.way: 'table' is unknown; the ways are crosswise, extended, warner, forced, unrelated, "
            "triangular.",
        ),
        (
            block("unrelated", "die", [(DIE[:4], "truth"), (DIE[4:], "other")], other=[PHONE | {"lot": True}]),
            "blocks[0].draw.other[0]: the key 'lot' is unknown here; known keys are source, fact, delta, of.",
        ),
        (
            block("crosswise", "cards", [(["A♠"], "fact"), (["2♠"], "not")]),
            "blocks[0].draw.source: 'cards' is unknown; the sources are day, die, coin, digit, phone.",
        ),
        (
            block(
                "unrelated",
                "die",
                [(DIE[:4], "truth"), (DIE[4:], "other")],
                "ab",
                other=[{"source": "coin", "of": ["heads"]}],
            ),
            "blocks[0].draw.other: there are 1 entries, and 'unrelated' needs 2.",
        ),
        (
            block("crosswise", "die", [(["7"], "fact"), (DIE, "not")]),
            "blocks[0].draw.outcomes: '7' is no outcome of 'die'.",
        ),
        (
            block("crosswise", "die", [(DIE[:1], "fact"), (DIE[1:], "not")], delta=[1, 6]),
            "blocks[0].draw.delta: 1/6 is not from 0 to below 1/6, the chance of the rarest meaning.",
        ),
        (
            block("crosswise", "die", [(DIE[:1], "fact"), (DIE[1:], "not")]) | {"keep": 0.5},
            "blocks[0].keep: 0.5 is not 2/3, which follows from the draw; leave it out.",
        ),
        (
            block("crosswise", "die", [(DIE[:1], "fact"), (DIE[1:], "not")]) | {"by": "device"},
            "blocks[0].by: 'device' is not 'person'; leave it out where devices draw.",
        ),
    ],
)
def test_a_draw_that_cannot_work_is_refused(entry: dict[str, Any], sentence: str) -> None:
    """One sentence names the place and what two answers together would show."""
    assert refusal_of(lambda: read(entry)) == sentence


def test_one_fact_serves_one_block() -> None:
    """Two questions with one fact would tell of each other; the sentence says what."""
    first = BLOCKS["crosswise"]
    second = first | {"items": [{"id": "b"}]}

    assert refusal_of(lambda: read(first, second)) == (
        "blocks[1].draw: the fact 'mother' is already used by blocks[0].draw. Two answers with one fact show whether "
        "the two true answers are the same."
    )


@pytest.mark.parametrize(
    ("one", "other", "clear"),
    [
        ("mother", {"en": "your mother"}, False),
        ("mother", " Mother", False),
        ("your mum", "your mother", False),
        ({"en": "your mother"}, {"de": "Ihre Mutter"}, False),
        ({"en": "your mum", "whose": "mother"}, "mother", False),
        ({"en": "your mum", "whose": "mother"}, {"en": "your dad", "whose": "father"}, True),
        ({"en": "your mum", "whose": "mother"}, "friend", True),
    ],
)
def test_words_of_two_facts_do_not_make_them_two(one: Any, other: Any, *, clear: bool) -> None:
    """Of one kind of fact each draw says whose it is, and another person's; words alone may name one fact twice."""
    first, second = (
        BLOCKS["crosswise"] | {"items": [{"id": item}], "draw": BLOCKS["crosswise"]["draw"] | {"fact": fact}}
        for item, fact in (("a", one), ("b", other))
    )
    ledger = candor.ledger({"spring": read(first), "autumn": read(second)})

    assert isfinite(ledger.spent) == clear
    with nullcontext() if clear else pytest.raises(InputError, match=r"already used|say in “whose” whose each is"):
        read(first, second)


def test_whose_a_fact_is_comes_from_the_list() -> None:
    """The list of the program is that of the studio's menu."""
    draw = BLOCKS["crosswise"]["draw"] | {"fact": {"en": "your dog", "whose": "dog"}}
    with pytest.raises(InputError, match=r"fact\.whose: 'dog' is unknown; these are known: mother, father, "):
        read(BLOCKS["crosswise"] | {"draw": draw})
    assert tuple(FACTS) == WHOSE


def test_two_waves_by_one_fact_have_no_promise_together() -> None:
    """A change of mind would be seen for certain; the ledger says so, and another fact multiplies."""
    wave = read(BLOCKS["crosswise"])
    draw = {**BLOCKS["crosswise"]["draw"], "fact": "friend"}
    other = read({**BLOCKS["crosswise"], "draw": draw})

    same, apart = (candor.ledger({"spring": wave, "autumn": one}, budget=100) for one in (wave, other))

    assert (same.spent, same.odds) == (inf, inf)
    assert "spring and autumn draw by one fact, 'mother'. Two answers with one fact show" in str(same)
    assert not candor.ledger({"spring": wave}, budget=100).allows(wave)
    assert apart.spent == wave.gamma**2


def test_a_design_prints_its_draw_in_a_few_words() -> None:
    """Its way and its source, not every outcome."""
    design = read(BLOCKS["a die each"])

    assert str(design).splitlines()[2].startswith("1      draw unrelated by die, keep 0.6666666667  a (theta 0.5)")
    assert parameters(design, ["a"]) == "draw = unrelated by die, p = 0.6667, θ = 0.5"


SAME = (" 5", " 6", " 7", " 8", " 9")  # questions of which three are asked, as of four and ten
READY = {
    f"{name} of {count}": block_of(settings, count)
    for count in range(1, 11)
    for name, settings in ready_draws(count).items()
}


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=name, marks=[pytest.mark.long] if name[-2:] in SAME else [])
        for name, entry in (BLOCKS | READY).items()
    ],
)
def test_no_chances_within_delta_tell_more_than_the_promise(entry: dict[str, Any]) -> None:
    """δ is moved from each meaning to each other one, and people follow; the worst of these is the promise itself.

    So it is of each ready draw, for each number of questions.
    """
    (made,) = read(entry).blocks
    draw, asked = entry["draw"], made.items_per_person
    groups = [outcome["of"] for outcome in draw["outcomes"]]
    facts = [ends_of_fact(other) for other in draw.get("other", ())]
    truths = list(product((0, 1), repeat=asked))
    worst: Fraction | float = 0

    for (more, less), ends in product(permutations(groups, 2), product(*facts)):
        shares = shares_of(entry)
        chances = shares[draw["source"]]
        for labels, moved in ((more, SOURCES[draw["source"]].delta), (less, -SOURCES[draw["source"]].delta)):
            total = sum(chances[label] for label in labels)
            chances |= {label: chances[label] * (1 + moved / total) for label in labels}
        followed = channel(entry, shares, ends)
        for record in truths:
            given = [followed[truth, record] for truth in truths]
            if draw["way"] != "triangular" or any(record):
                worst = max(worst, max(given) / min(given) if min(given) else inf)

    assert worst == made.odds


def test_each_ready_draw_keeps_the_usual_limit_of_a_site() -> None:
    """For each number of questions."""
    assert max(read(entry).odds for entry in READY.values()) <= 19
