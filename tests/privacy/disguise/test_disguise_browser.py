"""The browser module, under Node and in Chromium, is the same disguise as Python's and keeps the declared channel."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from privacy.design import Design
from privacy.disguise import disguise, draw_asked
from tests.cases import every, first
from tests.codes import NOT_ASKED
from tests.privacy.channels import DESIGNS, agreement, inputs, random_design
from tests.privacy.disguise.words import given_words

BROWSER = Path(__file__).parents[3] / "privacy" / "disguise" / "browser"
MODULE, CHANCES = BROWSER / "disguise.js", BROWSER / "chances.js"
KINDS = sorted((BROWSER / "kinds").glob("*.js"))
RUN = Path(__file__).with_name("run_disguise.mjs")
VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "disguise.json").read_text())
SEED = 20100607
DRAWS = 10_000

Node = Callable[..., str]


def run(node: Node, task: str, job: object) -> Any:
    return json.loads(node(RUN, MODULE, task, input=json.dumps(job)))


def test_node_gives_the_vectors(node: Node) -> None:
    """Every shared vector, worked out by hand, comes out of the shipped module and takes all its words."""
    results = run(node, "words", VECTORS)

    assert results == {
        "asked": [{"result": vector["asked"], "left": 0} for vector in VECTORS["asked"]],
        "disguise": [{"result": vector["record"], "left": 0} for vector in VECTORS["disguise"]],
    }


def test_chromium_gives_the_vectors(page: Page) -> None:
    """The same module in a real browser gives the same records."""
    page.route("**/*", lambda route: route.fulfill(path=BROWSER / route.request.url.removeprefix("http://localhost/")))
    page.goto("http://localhost/disguise.js")
    results = page.evaluate(
        """async (jobs) => {
            const {disguise, loadKinds} = await import("/disguise.js");
            for (const {design} of jobs) await loadKinds(design);
            return jobs.map(({design, answers, words}) => {
                const left = [...words];
                const record = disguise(design, answers, answers.map((a) => a !== null), () => left.shift());
                return {record, left: left.length};
            });
        }""",
        VECTORS["disguise"],
    )

    assert results == [{"record": vector["record"], "left": 0} for vector in VECTORS["disguise"]]


@pytest.mark.parametrize("designs", first(1, [100, 400]))
def test_node_and_python_agree_on_designs_nobody_chose(node: Node, designs: int) -> None:
    """Random designs, answers and words (seed 20100607) give the same asked sets and records in both."""
    rng = np.random.default_rng(SEED)
    jobs: dict[str, list[Any]] = {"asked": [], "disguise": []}
    expected: dict[str, list[Any]] = {"asked": [], "disguise": []}
    for _ in range(designs):
        design = random_design(rng)
        words = random_words(rng, 100)
        asked = draw_asked(design, 1, given_words(words))
        jobs["asked"].append({"design": design.document, "words": words.tolist()})
        expected["asked"].append(asked[0].tolist())
        truth = np.array([[rng.integers(len(item.options)) for item in design.items]], np.uint8)
        truth[~asked] = NOT_ASKED
        words = random_words(rng, 200)
        answers = nulls(truth)
        jobs["disguise"].append({"design": design.document, "answers": answers, "words": words.tolist()})
        expected["disguise"].append(nulls(disguise(design, truth, take=given_words(words)).codes))

    results = run(node, "words", jobs)

    assert {kind: [entry["result"] for entry in results[kind]] for kind in results} == expected


@pytest.mark.parametrize("draws", [DRAWS, pytest.param(100 * DRAWS, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "name",
    every(
        3,
        [
            "a coin block of three",
            "a flip block of three",
            "an item of four options",
            "one of two, yes/no or four options",
            "one of two, its coin by γ",
            "two of three, their coin by γ",
            "a one-sided block of two",
            "a one-sided block asking two of three",
        ],
    ),
)
def test_records_come_as_often_as_declared(node: Node, name: str, draws: int) -> None:
    """10 000 records per input, or 10^6, agree with the declared matrix, χ² at 10^-6, sfc32 words of seed 20100607."""
    design = DESIGNS[name]
    truths = inputs(design)
    if name.startswith("one of two"):
        truths = [(yes, option) for yes, option in truths if yes == option % 2]  # every option, and both of yes and no

    counts = channel(node, design, truths, draws, SEED)

    worst = min(agreement(design.blocks[0], truth, counted) for truth, counted in zip(truths, counts, strict=True))
    assert worst > 1e-6


def test_records_of_the_browser_generator_come_as_often_as_declared(node: Node) -> None:
    """With crypto.getRandomValues itself, which no seed repeats, the bound is one false alarm in 10^9."""
    design = DESIGNS["two of three, a coin each"]

    (counts,) = channel(node, design, [(1, 0, 1)], DRAWS, None)

    assert agreement(design.blocks[0], (1, 0, 1), counts) > 1e-9


@pytest.mark.parametrize(
    ("design", "answers", "asked", "said"),
    first(
        2,
        [
            ("a coin block of three", [1, 0], [True, True], "there are 3 questions"),
            ("a coin block of three", [1, 0, 2], [True] * 3, "the answer to c is none it can have"),
            ("a coin block of three", [1, 0, -1], [True] * 3, "the answer to c is none it can have"),
            ("a coin block of three", [1, 0, None], [True] * 3, "the answer to c is none it can have"),
            ("a coin block of three", [1, 0, "1"], [True] * 3, "the answer to c is none it can have"),
            ("two of three, a coin each", [1, 1, 1], [True] * 3, "3 questions of a block were asked, not 2"),
            ("two of three, a coin each", [1, 1, 0], [True, True, False], "the answer to c is none it can have"),
        ],
    ),
)
def test_answers_that_do_not_fit_are_refused(
    node: Node, design: str, answers: list[Any], asked: list[bool], said: str
) -> None:
    """Nothing is sent that would mean something else than the person said, and the error does not tell the answer."""
    assert refused(node, DESIGNS[design].document, answers, asked) == said


YES_NO = {"id": "a", "options": ["0", "1"]}
NO_GAMMA = "its coins go by no gamma"
NO_CHANCE = "a harmless answer is turned with no chance above 0 and up to 1"
HARMLESS = YES_NO | {"harmless": "0"}
EVEN = YES_NO | {"noise": [2**31, 2**31]}


@pytest.mark.parametrize(
    ("block", "said"),
    every(
        5,
        [
            ({"keep": 1, "items": [YES_NO | {"noise": [1, 1]}]}, "its noise does not add up to 1"),
            ({"keep": 1, "items": [YES_NO | {"noise": [2**33, -(2**32)]}]}, "its noise does not add up to 1"),
            ({"keep": 1, "items": [YES_NO | {"noise": [0, 0, 2**32]}]}, "its noise does not add up to 1"),
            ({"keep": 1, "theta": 1, "items": [YES_NO]}, "its noise does not add up to 1"),
            ({"items": [EVEN]}, "a block is of no kind that is known here"),
            ({"keep": 1, "flips": [1, 2**32 - 1], "items": [EVEN]}, "a block is of no kind that is known here"),
            ({"keep": 2**32 + 1, "items": [EVEN]}, "a coin has no chance between 0 and 1"),
            ({"keep": 0.5, "items": [EVEN]}, "a coin has no chance between 0 and 1"),
            ({"keep": 1, "ask": 0, "items": [EVEN]}, "a block cannot ask so many questions"),
            ({"keep": 1, "ask": None, "items": [EVEN]}, "a block cannot ask so many questions"),
            ({"keep": 1, "ask": 2, "items": [EVEN]}, "a block cannot ask so many questions"),
            ({"flips": [1, 2**32 - 2], "items": [YES_NO]}, "its flips do not add up to 1"),
            ({"flips": [1, 1, 2**32 - 2], "items": [YES_NO]}, "its flips do not add up to 1"),
            ({"by-gamma": 2**32, "ask": 1, "items": [EVEN]}, NO_GAMMA),
            ({"by-gamma": 9, "ask": 1, "items": [EVEN]}, NO_GAMMA),
            ({"by-gamma": 2**34, "ask": 1, "items": [YES_NO]}, "its noise does not add up to 1"),
            ({"one-sided": 0.5, "items": [HARMLESS]}, NO_CHANCE),
            ({"one-sided": 2**32 + 1, "items": [HARMLESS]}, NO_CHANCE),
            ({"one-sided": 1, "items": [YES_NO]}, "a question has no harmless answer"),
            ({"one-sided": 1, "items": [YES_NO | {"harmless": 0}]}, "a question has no harmless answer"),
            ({"one-sided": 1, "items": [YES_NO | {"harmless": "2"}]}, "a question has no harmless answer"),
            (
                {"one-sided": 1, "items": [{"id": "a", "options": ["p", "q"], "harmless": "p"}]},
                "a question has no harmless answer",
            ),
            (
                {"flips": [1, 2**32 - 1], "items": [{"id": "a", "options": ["p", "q", "r"]}]},
                "only yes/no answers can be turned over",
            ),
        ],
    ),
)
def test_designs_that_are_not_exact_are_refused(node: Node, block: dict[str, Any], said: str) -> None:
    """A design that cannot be applied as published, the leaking grouped model among them, disguises nothing."""
    assert refused(node, {"of": 2**32, "blocks": [block]}, [1], [True]) == said


def test_a_design_out_of_another_number_is_refused(node: Node) -> None:
    """Probabilities are out of 2^32, the number of words there are."""
    design = {"of": 2**31, "blocks": [{"keep": 1, "items": [EVEN]}]}

    assert refused(node, design, [1], [True]) == "its chances are not out of 2^32"


def test_every_kind_stands_in_the_table() -> None:
    """One line for each module, and a vector for each kind, worked out by hand; what people draw is sent."""
    table = dict(re.findall(r"^\t'?([\w-]+)'?: \(\) => import\('\./kinds/(.+)'\),$", MODULE.read_text(), re.MULTILINE))
    tried = {field for vector in VECTORS["disguise"] for block in vector["design"]["blocks"] for field in block}

    assert list(table.values()) == [kind.name for kind in KINDS]
    assert set(table) - tried == {"draw"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.stem))
def test_the_disguise_is_small_and_stands_alone(kind: Path) -> None:
    """What disguises a block: under 10 kB to read, a list of words 12, importing nothing else that it runs.

    What is said of a block comes after `explain` in its module; the figures for that import nothing and draw nothing.
    Of the kinds, those that a design has are loaded; nothing else is. Only the chances have a source of randomness.
    """
    chances, frequencies = CHANCES.read_text().split("\n// A disguise in frequencies")
    disguising, odds = MODULE.read_text().split("\n// How much a record can tell")
    others = re.findall(r"^\t'?[\w-]+'?: \(\) => import.+\n", disguising, re.MULTILINE)
    own = disguises(kind)
    (shared,) = imported(own)[1:] or [""]
    helpers = disguises(kind.parent / shared) if shared else ""

    assert len((chances + disguising + own + helpers).encode()) - len("".join(others)) < (12_000 if shared else 10_000)
    assert [imported(source) for source in (chances, disguising, helpers)] == [
        [],
        ["./chances.js", *(f"./kinds/{each.name}" for each in KINDS)],
        ["../chances.js"] if shared else [],
    ]
    assert imported(own) == ["../chances.js", *([shared] if shared else [])]
    assert not re.search(r"\bimport\b|random|crypto", frequencies + odds, re.IGNORECASE)
    assert re.findall(r"\bcrypto\b\S*|Math\.random", chances + disguising + own + helpers) == [
        "crypto.getRandomValues(new"
    ]


def disguises(module: Path) -> str:
    return re.split(r"\nexport (?:function|const) (?:explain\w*|words)\b", module.read_text())[0]


def imported(source: str) -> list[str]:
    return re.findall(r"\bimport\b[^']*'([^']+)'", source)


def channel(node: Node, design: Design, truths: list[tuple[int, ...]], draws: int, seed: int | None) -> list[Any]:
    job = {"design": design.document, "inputs": truths, "draws": draws, "seed": seed}
    width = len(design.items)
    return [
        {digits(key, width): times for key, times in enumerate(blocks[0]) if times}
        for blocks in run(node, "channel", job)
    ]


def digits(key: int, width: int) -> tuple[int, ...]:
    places = [key // 6**place % 6 for place in reversed(range(width))]
    return tuple(NOT_ASKED if digit == 5 else digit for digit in places)


def refused(node: Node, design: object, answers: list[Any], asked: list[bool]) -> str:
    given = json.dumps([design, answers, asked])
    script = (
        f"import({json.dumps(MODULE.as_uri())})"
        f".then(async ({{disguise, loadKinds}}) => (await loadKinds({given}[0]), disguise(...{given})))"
        ".then(() => console.log('sent'), (error) => console.log(String(error)))"
    )
    before = "RangeError: This design or these answers cannot be used: "
    said = node("-e", script)
    assert said.startswith(before)
    return said.removeprefix(before).removesuffix(".\n")


def nulls(codes: np.ndarray) -> list[int | None]:
    return [None if code == NOT_ASKED else code for code in codes[0].tolist()]


def random_words(rng: np.random.Generator, count: int) -> np.ndarray:
    """Words with a share of the largest ones, which a choice draws again."""
    words = rng.integers(0, 2**32, count, dtype=np.uint32)
    words[rng.random(count) < 0.05] = 2**32 - 1
    return words
