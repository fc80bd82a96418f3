"""What people are told in frequencies, against the channel itself: every record of every answers, by enumeration."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import inf, prod
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext

from privacy.design import Block, Design
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.listed_words import Word
from privacy.design.sentences import Said
from privacy.guarantee import explain
from surveys.domain.page import bundle
from tests.cases import every, first

STEP = Fraction(1, 2**28)  # a chance of .42 is held in steps of 2^-32

SO = "So nobody can be certain of any of these answers."
ALONE = [
    "The other answers, taken alone:",
    "Nobody who sees only these can be sure that you gave one of them.",
]
CHANGES = "Your device may change your answers before it sends them."


MORE = "All answers together reveal more than one alone."


def together(of: int, most: int, some: int) -> list[str]:
    return [
        MORE,
        f"Say half of a crowd would give your answers, and half other answers. Take {of} people in it with the same "
        f"stored answers. Up to {most} would give your answers. At least {some} would give others.",
    ]


def together_hidden(of: int, most: int, some: int) -> list[str]:
    return [
        MORE,
        "Take the questions where one answer is not hidden. Say half of a crowd would give only such answers, and "
        f"half would not. Take {of} people in it with the same stored answers. Up to {most} would give a hidden answer "
        f"at least once. At least {some} would not.",
    ]


_DIE = {
    "way": "crosswise",
    "source": "die",
    "outcomes": [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}],
}
COIN = [
    "Of 100 people who would say “No”, the site stores about 42 as “Yes”.",
    "Of 100 people who would say “Yes”, the site stores about 28 as “No”.",
]
FLIPS = [
    "Of 100 people who would say “No”, the site stores about 40 as “Yes”.",
    "Of 100 people who would say “Yes”, the site stores about 40 as “No”.",
]
ONE_SIDED = [
    "“No” is not hidden here: a stored “No” is true.",
    "Of 100 people who would say “No”, the site stores about 30 as “Yes”.",
    "Every true “Yes” is stored as “Yes”. So one stored “Yes” alone does not show that you gave it.",
]
THREE = {"keep": 0.3, "items": [{"id": name, "theta": 0.6} for name in ("a", "b", "c")]}
TURNED = {"flips": [0.4, 0.4, 0.2], "items": [{"id": "x"}, {"id": "y"}]}
HARMLESS = {"id": "month", "harmless": "1"}
MARKED = {"one-sided": 0.3, "items": [{"id": "u", "harmless": "0"}, {"id": "v", "harmless": "0"}]}

WORDS = [{"word": word, "base": 0.05, "own": 0.3} for word in ("a", "b", "!c", "a,b")]
LIST = {"one-of": 0.4, "items": ["a", "b", {"id": "c", "harmless": "1"}], "words": WORDS}
OTHER_LIST = {"one-of": 0.4, "items": ["d", "e"], "words": [{"word": word, "base": 0.05, "own": 0.3} for word in "de"]}
ONE_MESSAGE = (
    "You answer 3 sensitive questions. Your device sends one short message about them, or none. The message can be "
    "made up by chance."
)
IN_A_LIST = [
    ONE_MESSAGE,
    "A message may name 2 answers together.",
    "Of 100 people who have nothing to tell, about 20 still send a message. So a message may come from anybody.",
    "Of 100 people who have something to tell, 40 or more send none.",
]

SENTENCES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "coin": ({"blocks": [THREE]}, [CHANGES, *COIN, SO, *together(100, 89, 11)]),
    "flips": ({"blocks": [TURNED]}, [CHANGES, *FLIPS, SO, *together(100, 67, 33)]),
    "grouped": (
        {"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]},
        [
            CHANGES,
            "Of 100 people who would say “No”, the site stores about 42 as “Yes”.",
            "Of 100 people who would say “Yes”, the site stores about 28 as “No”.",
            "But a random answer is the same for all questions. So stored answers with both “yes” and “no” are true "
            "and not hidden.",
            "The disguise here is weak: someone could become practically sure of your answers.",
        ],
    ),
    "one-sided": ({"blocks": [MARKED]}, [CHANGES, *ONE_SIDED, *together_hidden(100, 92, 8)]),
    "one word": ({"blocks": [LIST]}, [*IN_A_LIST, SO, *together(100, 86, 14)]),
    "two lists": (
        {"blocks": [LIST, OTHER_LIST]},
        [
            "For 3 of your answers:",
            *IN_A_LIST,
            "For 2 of your answers:",
            ONE_MESSAGE.replace("3", "2"),
            "Of 100 people who have nothing to tell, about 10 still send a message. So a message may come from "
            "anybody.",
            "Of 100 people who have something to tell, 50 or more send none.",
            *(SO, *together(1000, 973, 27)),
        ],
    ),
    "one word and flips": (
        {"blocks": [LIST, TURNED]},
        [CHANGES, "For 3 of your answers:", *IN_A_LIST, "For 2 of your answers:", *FLIPS, SO, *together(100, 93, 7)],
    ),
    "coin and flips": (
        {"blocks": [THREE, TURNED]},
        [CHANGES, "For 3 of your answers:", *COIN, "For 2 of your answers:", *FLIPS, SO, *together(100, 94, 6)],
    ),
    "one-sided and coin": (
        {"blocks": [MARKED, THREE]},
        [
            *(CHANGES, "For 2 of your answers:", *ONE_SIDED, "For 3 of your answers:", *COIN),
            *together_hidden(1000, 989, 11),
            *ALONE,
            *together(100, 89, 11),
        ],
    ),
    "coin and one-sided, a question each": (
        {"blocks": [{"keep": 0.5, "items": [{"id": "ever", "theta": 0.5}]}, {"one-sided": 0.5, "items": [HARMLESS]}]},
        [
            CHANGES,
            "For 1 of your answers:",
            "Of 100 people who would say “No”, the site stores about 25 as “Yes”.",
            "Of 100 people who would say “Yes”, the site stores about 25 as “No”.",
            "For 1 of your answers:",
            "“Yes” is not hidden here: a stored “Yes” is true.",
            "Of 100 people who would say “Yes”, the site stores about 50 as “No”.",
            "Every true “No” is stored as “No”. So one stored “No” alone does not show that you gave it.",
            *together_hidden(100, 86, 14),
            *ALONE,
        ],
    ),
    "one-sided, all turned, and a coin": (
        {"direct": True, "blocks": [{"one-sided": 1, "items": [HARMLESS]}, THREE]},
        [
            CHANGES,
            "For 1 of your answers:",
            "Of 100 people who would say “Yes”, the site stores about 100 as “No”.",
            "Every true “No” is stored as “No”. So one stored “No” alone does not show that you gave it.",
            *("For 3 of your answers:", *COIN, SO, *together(100, 89, 11)),
        ],
    ),
    "people who draw, beside a device": (
        {"blocks": [{"by": "person", "draw": _DIE, "items": [{"id": "d"}]}, THREE]},
        [
            CHANGES,
            "For 1 of your answers:",
            "You draw the chance yourself: with a birthday, a die or the like. What you press is sent as it is.",
            "Of 100 people who would say “No”, about 16 press one button.",
            "Of 100 people who would say “Yes”, about 16 press the other button.",
            *("For 3 of your answers:", *COIN, SO, *together(1000, 976, 24)),
        ],
    ),
    "flips that turn seldom and mostly": (
        {"blocks": [{"flips": [0.7, 0.3], "items": [{"id": "a"}]}, {"flips": [0.2, 0.8], "items": [{"id": "b"}]}]},
        [
            CHANGES,
            "For 1 of your answers:",
            "Of 100 people who would say “No”, the site stores about 30 as “Yes”.",
            "Of 100 people who would say “Yes”, the site stores about 30 as “No”.",
            "For 1 of your answers:",
            "Of 100 people who would say “No”, the site stores about 20 as “No”.",
            "Of 100 people who would say “Yes”, the site stores about 20 as “Yes”.",
            SO,
            *together(100, 91, 9),
        ],
    ),
}
OTHERS: dict[str, dict[str, Any]] = {
    "one question": {"model": "warner", "theta": 0.9, "items": ["a"]},
    "one question that is turned over mostly": {"model": "warner", "theta": 0.3, "items": ["a"]},
    "options": {
        "blocks": [{"keep": 0.3, "items": [{"id": "a", "options": ["x", "y", "z"], "noise": [0.5, 0.3, 0.2]}]}]
    },
    "yes/no and options": {
        "blocks": [
            {
                "keep": 0.25,
                "items": [
                    {"id": "a", "theta": 0.35},
                    {"id": "b", "theta": 0.6},
                    {"id": "c", "options": ["x", "y", "z"], "noise": [0.4, 0.4, 0.2]},
                ],
            }
        ]
    },
    "a coin for each of four scales": {
        "blocks": [
            {"keep": 0.2, "items": [{"id": name, "options": ["1", "2", "3"], "noise": [0.4, 0.3, 0.3]}]}
            for name in ("a", "b", "c", "d")
        ]
    },
    "sampled, one coin": {
        "blocks": [{"keep": 0.4, "ask": 2, "items": [{"id": name, "theta": 0.3} for name in ("a", "b", "c", "d")]}]
    },
    "sampled, a coin each": {
        "blocks": [
            {
                **{"keep": 0.4, "ask": 2, "coin": "each"},
                "items": [{"id": "a", "theta": 0.3}, {"id": "b", "theta": 0.5}, {"id": "c", "theta": 0.8}],
            }
        ]
    },
    "by γ, yes or no beside three options": {
        "blocks": [{"by-gamma": 9, "ask": 1, "items": [{"id": "a"}, {"id": "b", "options": ["x", "y", "z"]}]}]
    },
    "by γ, two of three": {
        "blocks": [
            {"by-gamma": 9, "ask": 2, "items": [{"id": "a"}, {"id": "b"}, {"id": "c", "options": ["x", "y", "z"]}]}
        ]
    },
    "six flips": {"model": "flip", "gamma": 19, "radius": 2, "items": list("abcdef")},
    "sampled flips": {
        "blocks": [{"flips": [0.5, 0.3, 0.2], "ask": 2, "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}]
    },
    "flips that turn more and less": {
        "blocks": [{"flips": [0.7, 0.3], "items": [{"id": "a"}]}, {"flips": [0.25, 0.75], "items": [{"id": "b"}]}]
    },
    "both answers harmless": {
        "blocks": [
            {"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}]},
            {"one-sided": 0.4, "items": [{"id": "b", "harmless": "1"}, {"id": "c", "harmless": "0"}]},
        ]
    },
    "sampled, one-sided": {
        "blocks": [{"one-sided": 0.5, "ask": 2, "items": [{"id": name, "harmless": "1"} for name in ("a", "b", "c")]}]
    },
    "one word of single answers": {"model": "one-of", "gamma": 19, "cap": 2, "items": ["a", "b", "c", "d"]},
    "one word of options": {
        "model": "one-of",
        "gamma": 9,
        "cap": 1,
        "longest": 2,
        "items": ["a", {"id": "b", "options": ["x", "y", "prefer"], "harmless": "y"}, "c"],
    },
    "over the limit": {"blocks": [{"keep": 0.3, "items": [{"id": name, "theta": 0.6} for name in "abcdef"]}]},
    "hardly any noise": {"blocks": [{"keep": 0.999, "items": [{"id": "a", "theta": 0.5}, {"id": "b", "theta": 0.5}]}]},
}
DESIGNS = {name: Design.parse(design) for name, (design, _) in SENTENCES.items()} | {
    name: Design.parse(design) for name, design in OTHERS.items()
}

Answers = tuple[int, ...]


def channel(block: Block, here: Answers) -> dict[Answers, dict[Answers, Fraction]]:
    """P(record | answers) to the items asked, by definition."""
    cells = list(product(*(range(len(block.items[place].options)) for place in here)))
    return {truth: {sent: block.chance(here, truth, sent) for sent in cells} for truth in cells}


def choices(blocks: Sequence[Block]) -> Iterator[tuple[Answers, ...]]:
    """Every choice of the items asked: their places in each block."""
    return product(*(combinations(range(len(block.items)), block.items_per_person) for block in blocks))


def is_open(block: Block) -> bool:
    return block.odds != block.gamma


def harmless(block: Block, here: Answers) -> Answers:
    return tuple((block.items[place].noise or ()).index(0) for place in here)


def least_posterior(blocks: Sequence[Block], hidden: bool) -> Fraction:
    """How likely a set of answers is at least once the record is seen, against any other that was as likely before.

    `hidden`: a set that holds undisguised answers alone, where a block leaves one open.
    """
    least = Fraction(1, 2)
    for chosen in choices(blocks):
        parts = [channel(block, here) for block, here in zip(blocks, chosen, strict=True)]
        truths = list(product(*parts))
        firsts = set(
            product(
                *(
                    [harmless(block, here)] if hidden and is_open(block) else list(part)
                    for block, here, part in zip(blocks, chosen, parts, strict=True)
                )
            )
        )
        for record in truths:
            chances = {
                truth: prod(part[own][sent] for part, own, sent in zip(parts, truth, record, strict=True))
                for truth in truths
            }
            low, high = min(chances[truth] for truth in firsts), max(chances.values())
            least = min(least, low / (low + high)) if high else least
    return least


def one_answer(block: Block, place: int) -> dict[tuple[int, int], Fraction]:
    """P(sent | true) of one item, whatever the answers to the others are."""
    here = next(here for here in combinations(range(len(block.items)), block.items_per_person) if place in here)
    at = here.index(place)
    seen: dict[tuple[int, int], set[Fraction]] = {}
    for truth, records in channel(block, here).items():
        for sent in range(len(block.items[place].options)):
            chance = sum((share for record, share in records.items() if record[at] == sent), Fraction(0))
            seen.setdefault((truth[at], sent), set()).add(chance)
    assert all(len(chances) == 1 for chances in seen.values())
    return {pair: next(iter(chances)) for pair, chances in seen.items()}


def stated(said: Said) -> Fraction:
    return Fraction(int(said.figures["some"]), int(said.figures["of"]))


def is_safe(said: Fraction, exact: Fraction) -> bool:
    """Never more than is true, and not a tenth below it."""
    return exact * Fraction(9, 10) <= said <= exact + STEP


@pytest.mark.parametrize("name", [name for name in DESIGNS if name.startswith("one word")])
def test_a_word_is_perhaps_true_perhaps_random_and_names_as_many_answers_as_is_said(name: str) -> None:
    """Everybody may send every word; those of whom it is true do so more often. So it is with nothing, turned round."""
    (block,) = (block for block in DESIGNS[name].blocks if isinstance(block, OneOfBlock))
    parts = channel(block, tuple(range(len(block.items))))
    said = [one for one in explain(DESIGNS[name]) if "most" in one.figures and "some" not in one.figures]
    for word, record in zip(block.words, map(tuple, block.records.tolist()), strict=False):
        own = {records[record] for truth, records in parts.items() if is_true(word, truth)}
        others = {records[record] for truth, records in parts.items() if not is_true(word, truth)}
        assert 0 < max(others) <= min(own)
    assert 0 < max(silence(block, has_word=True)) <= min(silence(block, has_word=False)) < 1
    longest = max(len(word.parts) for word in block.words)
    assert [one.figures["most"] for one in said] == [longest] * (longest > 1)


@pytest.mark.parametrize("kind", SENTENCES)
def test_every_kind_of_block_has_its_sentences(kind: str) -> None:
    """Word by word, with the figures of the design."""
    design, sentences = SENTENCES[kind]
    assert [str(one) for one in explain(Design.parse(design))] == sentences


def is_true(word: Word, truth: tuple[int, ...]) -> bool:
    return all(truth[place] == code for place, code in word.parts)


def silence(block: OneOfBlock, has_word: bool) -> list[Fraction]:
    """P(nothing is sent | answers), for all answers of which a word is true, or for all others."""
    parts = channel(block, tuple(range(len(block.items))))
    return [
        records[block.harmless]
        for truth, records in parts.items()
        if any(is_true(word, truth) for word in block.words) == has_word
    ]


def truth_of(said: Said, blocks: list[Block]) -> Fraction:
    """What the channel says of one answer: the least over all answers that the sentence speaks of."""
    lists = [block for block in blocks if isinstance(block, OneOfBlock)]
    if lists and "nothing to tell" in said.sentence:
        return min(1 - chance for block in lists for chance in silence(block, has_word=False))
    if lists:
        return min(chance for block in lists for chance in silence(block, has_word=True))
    of_items = [(item, one_answer(block, place)) for block in blocks for place, item in enumerate(block.items)]
    plain = [chances for item, chances in of_items if item.options == ("0", "1")]
    rich = [(len(item.options), chances) for item, chances in of_items if item.options != ("0", "1")]
    if "said" in said.figures:
        answer, stored_as = (["No", "Yes"].index(str(said.figures[name])) for name in ("said", "stored"))
        if answer == stored_as:  # of answers that are turned over more often than not
            return min(chances[answer, answer] for chances in plain if chances[answer, answer] < Fraction(1, 2))
        if any(is_open(block) for block in blocks):  # of those that leave this answer open
            return min(chances[answer, stored_as] for chances in plain if chances[stored_as, answer] == 0)
        flips = any(isinstance(block, FlipBlock) for block in blocks)
        return min(chances[answer, stored_as] for chances in plain if not flips or chances[0, 1] <= Fraction(1, 2))
    if "the same true answer" in said.sentence:
        return min(1 - chances[option, option] for count, chances in rich for option in range(count))
    return min(chances[a, b] for count, chances in rich for a in range(count) for b in range(count) if a != b)


@pytest.mark.parametrize("name", first(1, DESIGNS))
def test_what_is_told_of_one_answer_is_what_the_channel_does(name: str) -> None:
    """Never more than the least chance of any answer that the sentence speaks of, and not a tenth below it."""
    by_kind: dict[type[Block], list[Block]] = {}
    for block in DESIGNS[name].blocks:
        by_kind.setdefault(type(block), []).append(block)
    for kind, blocks in by_kind.items():
        for alike, sentences in kind.kind.words.explain(blocks):
            said = [one for one in sentences if "some" in one.figures]
            assert [one for one in said if not is_safe(stated(one), truth_of(one, list(alike)))] == []


def posteriors(blocks: Sequence[Block], prior: dict[Answers, Fraction]) -> Iterator[tuple[Answers, Answers]]:
    """Records of all items, with the one answer of each item that is certain once the record is seen, or -1."""
    parts = [channel(block, tuple(range(len(block.items)))) for block in blocks]
    ends = [sum(len(block.items) for block in blocks[: place + 1]) for place in range(len(blocks))]

    def cut(answers: Answers) -> list[Answers]:
        return [answers[end - len(block.items) : end] for end, block in zip(ends, blocks, strict=True)]

    for record in product((0, 1), repeat=ends[-1]):
        left = {
            truth
            for truth, share in prior.items()
            if share * prod(part[own][sent] for part, own, sent in zip(parts, cut(truth), cut(record), strict=True))
        }
        if left:
            yield record, tuple(min(codes) if len(set(codes)) == 1 else -1 for codes in zip(*left, strict=True))


def says_of_all(design: Design) -> bool:
    return SO in [str(one) for one in explain(design)]


def test_whoever_knows_how_answers_hang_together_may_learn_a_hidden_one() -> None:
    """Ever or never (a coin), and this month (a true "yes" is open): no sentence says that nobody can be sure."""
    design = DESIGNS["coin and one-sided, a question each"]
    prior = {(0, 0): Fraction(9, 10), (1, 0): Fraction(1, 20), (1, 1): Fraction(1, 20)}
    assert dict(posteriors(design.blocks, prior))[1, 1] == (1, 1)
    assert not says_of_all(design)


def test_one_of_two_must_be_true_and_a_harmless_answer_tells_which() -> None:
    """Of two questions with a harmless "no", known that one is true: a stored "no" to one makes the other certain."""
    design = Design.parse({"blocks": [MARKED]})
    prior = {(0, 1): Fraction(1, 3), (1, 0): Fraction(1, 3), (1, 1): Fraction(1, 3)}
    assert dict(posteriors(design.blocks, prior))[0, 1] == (0, 1)
    assert [str(one) for one in explain(design) if "nobody who sees" in str(one)] == []


@pytest.mark.parametrize("name", every(5, [name for name, design in DESIGNS.items() if says_of_all(design)]))
def test_where_it_is_said_that_nobody_can_be_sure_every_record_may_come_of_every_answers(name: str) -> None:
    """No chance is 0: whatever anybody knows, a stored answer that was not certain before is not certain after."""
    assert all(block.gamma < inf for block in DESIGNS[name].blocks)
    for block in DESIGNS[name].blocks:
        for here in combinations(range(len(block.items)), block.items_per_person):
            parts = channel(block, here).values()
            possible = [{record for record, chance in part.items() if chance} for part in parts]
            assert [records for records in possible if records != possible[0]] == []


@pytest.mark.parametrize("name", every(5, DESIGNS))
def test_what_all_answers_tell_together_is_the_least_posterior_of_the_channel(name: str) -> None:
    """With even odds before, over every record and every two sets of answers; where hardly any is left, it says so."""
    blocks = DESIGNS[name].blocks
    whole = [block for block in blocks if not is_open(block)]
    exact = {}
    if len(whole) < len(blocks):
        exact["would give a hidden answer"] = (least_posterior(blocks, hidden=True), blocks)
    if whole:
        exact["would give your answer"] = (least_posterior(whole, hidden=False), whole)
    for words, (least, own) in exact.items():
        said = [stated(one) for one in explain(DESIGNS[name]) if words in one.sentence]
        if 1 / (1 + 19 * least / (1 - least)) > Fraction(99, 100):  # 5 % becomes 100 %, rounded up
            assert said == []
            assert "weak" in str(explain(DESIGNS[name])[-1])
        elif sum(block.items_per_person for block in own) > 1:
            assert [is_safe(one, least) for one in said] == [True]


SAY = """import { readFile } from 'node:fs/promises';
globalThis.document = { documentElement: {} };
const [, root, designs, language] = process.argv;
Object.defineProperty(globalThis, 'navigator', { value: { languages: [language], language } });
globalThis.fetch = async address => ({ json: async () => JSON.parse(await readFile(address, 'utf8')) });
const { speak } = await import(root + '/page.js');
await speak('rare');
const { loadKinds } = await import(root + '/disguise.js');
const { frequencies, inWords } = await import(root + '/promise.js');
const said = [];
for (const design of JSON.parse(designs)) {
  await loadKinds(design);
  said.push(frequencies(design).map(inWords));
}
console.log(JSON.stringify(said));"""


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_browser_says_the_same(node: Callable[..., str], tmp_path: Path, language: str) -> None:
    """Sentence by sentence and figure by figure, in both languages, from the program that respondents are served."""
    for file, served in bundle.files().items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(served.body)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    designs = {name: design for name, design in DESIGNS.items() if name != "grouped"}  # no browser has that kind

    exact = json.dumps([json.loads(design.canonical()) for design in designs.values()])
    said = node("--input-type=module", "-e", SAY, tmp_path, exact, language)
    shown = json.loads(re.sub(r"(?<=\d),(?=\d{3})", "", said))  # Intl writes 10,000

    with translation.override(language):
        expected = {name: [one.as_text(gettext) for one in explain(design)] for name, design in designs.items()}
    assert dict(zip(designs, shown, strict=True)) == expected
