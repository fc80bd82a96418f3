"""Questions of which people draw the chance themselves: who follows the words of the page has the block's channel."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from privacy.design import Design
from privacy.own_draw.sources import SOURCES
from surveys.domain.page import bundle
from tests.privacy.own_draw.people import BLOCKS

ENGLISH = json.loads((bundle.CLIENT / "features/own/texts.json").read_text(encoding="utf-8"))["en"]
PRINT = """import { readFile } from 'node:fs/promises';
globalThis.document = { documentElement: {} };
const [, root, given] = process.argv;
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'], language: 'en' } });
globalThis.fetch = async address => ({ json: async () => JSON.parse(await readFile(address, 'utf8')) });
const { speak } = await import(root + '/page.js');
await speak('rare');
const { learn } = await import(root + '/features/texts.js');
await learn('own');
const { codeOf, drawLots, printed } = await import(root + '/features/own/words.js');
const all = JSON.parse(given).map(block => {
  const found = new Map();
  for (let drawn = 0; drawn < 600; drawn += 1) {
    const lots = drawLots(block);
    const { turn, look } = lots;
    const codes = [0, 1].map(pressed => codeOf(pressed, lots));
    found.set(`${turn} ${look}`, { codes, ...printed(block, lots) });
  }
  return [...found.values()];
});
console.log(JSON.stringify(all));"""


@pytest.fixture(scope="module")
def printed(
    node: Callable[..., str], tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> dict[str, list[dict[str, Any]]]:
    """What the page says of each block that is tried, for everything that its lots may choose."""
    folder = tmp_path_factory.mktemp("page")
    for file, served in bundle.files().items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(served.body)
    (folder / "package.json").write_text('{"type": "module"}')
    tried = {item.name for item in request.session.items if item.path == request.path}
    names = [name for name in BLOCKS if any(f"[{name}]" in one for one in tried)]
    blocks = [json.loads(parsed(name).canonical())["blocks"][0] for name in names]
    said = json.loads(node("--input-type=module", "-e", PRINT, folder, json.dumps(blocks)))
    return dict(zip(names, said, strict=True))


def parsed(name: str) -> Design:
    return Design.parse({"candor": 1, "direct": False, "blocks": [BLOCKS[name]]})


def listed(words: str, every: Sequence[str]) -> set[str]:
    """The labels that a list names: single ones, and ranges of numbers that stay on one line, isolated."""
    places = {label: place for place, label in enumerate(every)}
    named = set()
    for part in re.sub("[\u2068\u2069]", "", words).split(", "):
        first, _, last = part.partition("–\N{WORD JOINER}")
        if last:
            named |= set(every[places[first] : places[last] + 1])
        else:
            named.add(every[places[first]])
    return named


def list_in(sentence: str) -> str:
    """What a question about a fact asks for."""
    return re.fullmatch(r".*: (.*?)(\?|\. Else no\.)", sentence)[1]  # type: ignore[index]


def yes_no(chance: Fraction) -> list[tuple[str, Fraction]]:
    return [("Yes", chance), ("No", 1 - chance)]


def chance_of_fact(sentence: str, draw: Mapping[str, Any]) -> Fraction:
    shares = SOURCES[draw["source"]].chances  # of the calendar, also under a lot, which alone makes them even
    return sum((shares[label] for label in listed(list_in(sentence), list(shares))), Fraction(0))


def presses(
    said: Mapping[str, Any], draw: Mapping[str, Any], label: str, truth: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """The buttons that somebody presses who drew this and would answer so, each with its chance, by the words alone."""
    every = list(SOURCES[draw["source"]].chances)
    if said["asks"]:
        beside = "Yes" if label in listed(list_in(said["asks"]), every) else "No"
        for answer in truth:
            alike = {("Yes", "Yes"): "Both yes, or both no", ("No", "No"): "Both yes, or both no"}
            named = alike.get((beside, answer), "One yes, one no")
            if "Both no" in said["buttons"]:
                named = "Both no" if (beside, answer) == ("No", "No") else "At least one yes"
            yield (named,), Fraction(1)
        return
    meant = next(row["says"] for row in said["rows"] if label in listed(row["labels"].rpartition(": ")[2], every))
    turned = {"Yes": "No", "No": "Yes"}
    if meant == "Press your true answer":
        yield tuple(truth), Fraction(1)
    elif meant == "Press the opposite of your true answer":
        yield tuple(turned[one] for one in truth), Fraction(1)
    elif meant in ("Press Yes, whatever is true", "Press No, whatever is true"):
        yield (meant.split()[1].strip(","),), Fraction(1)
    else:
        numbered = [f"Yes if number {number} is one of these: " for number in range(2, len(truth) + 2)]
        goes_on = all(sentence.startswith(first) for sentence, first in zip(meant, numbered, strict=False))
        assert goes_on or all(sentence.startswith("Answer this instead.") for sentence in meant)
        facts = zip(meant, draw["other"] * (len(truth) if goes_on else 1), strict=True)
        yield from together([yes_no(chance_of_fact(sentence, other)) for sentence, other in facts])


def together(each: Sequence[Sequence[tuple[str, Fraction]]]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    for drawn in product(*each):
        chance = Fraction(1)
        for _, share in drawn:
            chance *= share
        yield tuple(one for one, _ in drawn), chance


@pytest.mark.parametrize("name", BLOCKS)
def test_who_follows_the_words_of_the_page_has_the_channel_of_the_block(
    printed: dict[str, list[dict[str, Any]]], name: str
) -> None:
    """By enumeration of all that the lots choose, that can be drawn, and that is true: each record has its chance."""
    entry, block = BLOCKS[name], parsed(name).blocks[0]
    draw, asked = entry["draw"], entry.get("ask", len(entry["items"]))
    versions = printed[name]
    turns = len(SOURCES[draw["source"]].chances) if draw.get("lot") else 1
    assert len(versions) == turns * (2 if draw["way"] == "extended" else 1)
    for truth in product((0, 1), repeat=asked):
        made: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for said in versions:
            for label, chance in SOURCES[draw["source"]].chances.items():
                for pressed, share in presses(said, draw, label, [("No", "Yes")[one] for one in truth]):
                    record = tuple(said["codes"][said["buttons"].index(one)] for one in pressed)
                    made[record] += chance * share / len(versions)
        for record in product((0, 1), repeat=asked):
            exact = block.chance(list(range(asked)), list(truth), list(record))
            assert abs(made[record] - exact) < Fraction(asked + 2, 2**32), (truth, record)


def test_a_step_has_twelve_words_at_most() -> None:
    """One sentence a step: what is done first, what is looked for, and what is pressed."""
    steps = [text for name, text in ENGLISH.items() if re.match(r"own\.(draw|asks|press|look|find|silent|truth)", name)]
    sentences = [one for text in steps for one in re.split(r"(?<=[.?!:])\s+", text) if one]
    assert [one for one in sentences if len(one.split()) > 12] == []
