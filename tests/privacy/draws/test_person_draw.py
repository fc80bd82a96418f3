"""Blocks that people draw themselves: what a design holds, what follows from a draw, and what is refused."""

from contextlib import nullcontext
from fractions import Fraction
from itertools import product
from math import inf, isfinite
from typing import Any

import pytest

import candor
from privacy.design import Design
from privacy.design.parameters import parameters
from privacy.design.rationals import ONE
from privacy.draws.facts import WHOSE, NamedFact
from privacy.draws.sources import SOURCES
from privacy.errors import InputError
from surveys.kinds.person import FACTS
from tests.privacy.draws.people import BLOCKS, DIE, block, channel, rows


def read(*blocks: dict[str, Any]) -> Design:
    return Design.parse({"blocks": list(blocks)})


def shares_of(entry: dict[str, Any]) -> dict[str, dict[str, Fraction]]:
    """The chance of each label: even under a lot and in a pack, else that of the source."""
    made = {}
    for one in (entry["draw"], *entry["draw"].get("other", ())):
        named = [label for outcome in one.get("outcomes", ()) for label in outcome["of"]]
        named += [*one.get("of", ()), *one.get("rest", ())]
        own = SOURCES[one["source"]].chances or dict.fromkeys(named, Fraction(0))
        even = one.get("lot") or not SOURCES[one["source"]].chances
        made[one["source"]] = {label: Fraction(1, len(own)) if even else own[label] for label in own}
    return made


@pytest.mark.parametrize("name", BLOCKS)
def test_people_who_follow_a_draw_have_the_channel_of_its_block(name: str) -> None:
    """They read outcomes and words alone; their chances by enumeration are those of the block, to its rounding."""
    entry = BLOCKS[name]
    shares = shares_of(entry)
    if name == "kuk":  # two packs: the second one is read by its own labels
        shares["cards"] |= {label: Fraction(1, 10) for label in (*(f"r{card}" for card in range(8)), "b1", "b2")}
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
            block("table", "die", [(DIE[:3], "truth"), *rows(DIE[3:], 2, 1)[:3]], "ab"),
            "blocks[0].draw.outcomes: no outcome says yes, yes, so a record that shows it can only be the truth.",
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
            block("coins", "die", [(DIE[:1], "truth"), (DIE[1:2], "coins"), (DIE[2:], "opposite")], "ab"),
            "blocks[0].draw.outcomes: 'opposite' is unknown here; outcomes say 'truth' or 'coins'.",
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
    with pytest.raises(InputError) as refusal:
        read(entry)

    assert str(refusal.value) == sentence


def test_one_fact_serves_one_block() -> None:
    """Two questions with one fact would tell of each other; the sentence says what."""
    first = BLOCKS["crosswise"]
    second = first | {"items": [{"id": "b"}]}

    with pytest.raises(InputError) as refusal:
        read(first, second)

    assert str(refusal.value) == (
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


def test_the_last_digit_is_one_of_the_last_two() -> None:
    """A number that serves one draw by a digit, and another one by two digits, is one fact."""
    assert NamedFact("digit", "note").may_be(NamedFact("digits", "note"))


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
    design = read(BLOCKS["coins"])

    assert str(design).splitlines()[2].startswith("1      draw coins by die, keep 0.5  a (theta 0.5)")
    assert parameters(design, ["a"]) == "draw = coins by die, p = 0.5, θ = 0.5"


EXACT = [name for name in BLOCKS if not BLOCKS[name]["draw"].get("other") and BLOCKS[name]["draw"]["way"] != "coins"]


@pytest.mark.parametrize("name", BLOCKS)
def test_no_chances_within_delta_tell_more_than_the_promise(name: str) -> None:
    """δ is moved from each meaning to each other one, and people follow; the worst of these is the promise itself."""
    entry = BLOCKS[name]
    (made,) = read(entry).blocks
    draw, asked = entry["draw"], made.items_per_person
    assert made.draw
    delta = made.draw.drawn.delta if name != "extended" else Fraction(0)  # its months are counted, window by window
    groups = [outcome["of"] for outcome in draw["outcomes"]]
    worst: Fraction | float = 0

    for more, less in product(groups, groups):
        shares = {source: dict(own) for source, own in shares_of(entry).items()}
        if name == "kuk":
            shares["cards"] |= {label: Fraction(1, 10) for label in (*(f"r{card}" for card in range(8)), "b1", "b2")}
        own = shares[draw["source"]]
        if more != less:
            for labels, moved in ((more, delta), (less, -delta)):
                total = sum(own[label] for label in labels)
                own |= {label: own[label] * (1 + moved / total) for label in labels}
        followed = channel(entry, shares)
        truths = list(product((0, 1), repeat=asked))
        for record in truths:
            chances = [followed[truth, record] for truth in truths]
            if made.draw.way.hides_no or any(record):
                worst = max(worst, max(chances) / min(chances) if min(chances) else inf)

    assert worst <= made.odds
    if name in EXACT and name != "extended":
        assert worst == made.odds
