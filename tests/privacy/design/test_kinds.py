"""Every kind of block is known to its own module alone, and what it declares is what it does."""

import ast
import math
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given

from privacy.design import Block, Design
from privacy.design.block import BlockKind
from privacy.design.blocks import ADVISED, KINDS, RECIPES, usual
from privacy.design.blocks.flips.advise import FlipPlan, FlipSketch
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.gammas import of_matrix
from privacy.design.plans import PlannedBlock, Sketched
from tests.codes import NOT_ASKED
from tests.imports import imports
from tests.privacy.channels import DESIGNS, declared, designs

ROOT = Path(__file__).parents[3]
OWN = ROOT / "privacy" / "design" / "blocks"
SHOWN = ROOT / "surveys" / "kinds"  # a module of each kind, and two that know none
BLOCKS = "privacy.design.blocks"
CREATES = {"privacy/design/model_blocks.py"}  # models by name are made of blocks
CLASSES = {kind.block.__name__ for kind in KINDS}
FIELDS = {field.name for kind in KINDS if is_dataclass(kind.block) for field in fields(kind.block)} - {
    *dir(Block),
    "items",
}
WORDS = {kind.block.mark for kind in KINDS} | RECIPES.keys()
ZONES = {  # "zones" names a form, and the field of a question that its zones are entered in, which is meant here
    "surveys/domain/drafts/question_changes.py: zones",
    "surveys/studio/zones.py: zones",
}
BROWSER = ROOT / "privacy" / "disguise" / "browser"
TABLE, OWN_IN_BROWSER = BROWSER / "disguise.js", BROWSER / "kinds"
EVERYDAY = {"names", "number", "place"}  # which scripts say of much else; those of questions have a guard of their own
SAID = "|".join(sorted(WORDS - EVERYDAY))
MARKS = "|".join(sorted({kind.block.mark for kind in KINDS} - EVERYDAY))
ASKED = re.compile(
    rf"""(?:===?|!==?|\bcase|includes\()\s*\[?['"](?:{SAID})['"]|['"](?:{SAID})['"]\s*(?:===?|!==?|\bin\b)"""
    rf"""|\.(?:{MARKS})\b|\{{\s*(?:{MARKS})\b"""
)


class Source(NamedTuple):
    """What a source says of kinds: each is walked once, and a million nodes are not kept for the tests below."""

    name: str
    names_kinds: list[int]  # by their lines
    asks_items: list[str]
    words: set[str]


# The nodes that the tests below look at: those that name, that compare, and that ask.
NAMING = {ast.Attribute, ast.Constant, ast.ImportFrom, ast.Name, ast.Subscript}
COMPARING = {ast.Attribute, ast.Call, ast.MatchClass}
ASKING = {ast.Call, ast.Compare, ast.Dict, ast.MatchValue}
ITEMS = {"Item", "Grid", "ExpectedItem", "GridItem"}
# Two sources of three say none of these words, and are not parsed.
MENTIONED = re.compile(
    rf"""\b(?:{"|".join(CLASSES | ITEMS)}|KINDS)\b|\.grid\b|{re.escape(BLOCKS)}|['"](?:{"|".join(WORDS)})['"]"""
    rf"""|attr\([^,]+,\s*['"](?:{"|".join(FIELDS)})['"]"""
)


def read_source(path: Path) -> Source:
    source, text = Source(path.relative_to(ROOT).as_posix(), [], [], set()), path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if MENTIONED.search(text) else ():
        if type(node) in NAMING and names_a_kind(node):
            source.names_kinds.append(node.lineno)
        if type(node) in COMPARING:
            source.asks_items.extend(f"{node.lineno}: {kind}" for kind in kinds_of_item(node))
        if type(node) in ASKING:
            source.words.update(asked_in(node))
    return source


@cache
def sources() -> list[Source]:
    """Every source that is not a kind's own."""
    return [
        read_source(path)
        for folder in ("privacy", "mining", "candor", "surveys", "config")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if OWN not in path.parents and not is_shown(path) and "migrations" not in path.parts
    ]


def is_shown(path: Path) -> bool:
    """Whether it says what the studio shows of one kind."""
    return path.parent == SHOWN and path.stem not in ("__init__", "forms")


@cache
def of_kinds() -> set[str]:
    """The modules that kinds stand in, with the folders of those that have more than one."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in OWN.rglob("*.py")]
    return {".".join(path.parts).removesuffix(".__init__") for path in paths}


def test_nobody_else_imports_or_names_a_kind_of_block() -> None:
    """Outside `privacy/design/blocks/` no class of one kind is imported, compared or looked for with isinstance.

    Sources are read from all rooms, the models, which do name kinds, among them.
    """
    assert len(sources()) > 100
    assert {"privacy/design/design.py", *CREATES} <= {one.name for one in sources()}
    offenders = [f"{one.name}:{line}" for one in sources() if one.name not in CREATES for line in one.names_kinds]

    assert offenders == []


def names_a_kind(node: ast.AST) -> bool:
    """Whether a class of one kind is imported or named here, by itself, by a module, in quotes or by its place."""
    match node:
        case ast.ImportFrom(module=str(module), names=names):
            return any({module, f"{module}.{one.name}"} & (of_kinds() - {BLOCKS}) for one in names) or (
                module == BLOCKS and any(one.name in CLASSES | {"KINDS"} for one in names)
            )
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name in CLASSES
        case ast.Subscript(value=ast.Name(id="KINDS") | ast.Attribute(attr="KINDS")):
            return True
    return False


NUMBER = {"number": "square-wave", "epsilon": 2, "items": [{"id": "x", "min": 0, "max": 9}]}
PLACE = {"place": "square", "epsilon": 2, "items": [{"id": "x", "width": 9, "height": 8, "cell": 1}]}
OTHER_GRIDS = {"arguments", "question", "topic"}  # variables of what has a grid and is no item


def kinds_of_item(node: ast.AST) -> list[str]:
    """The classes of items that something is compared with here, by isinstance or a case; or a look at its grid."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]):
            return [part.id for part in ast.walk(classes) if isinstance(part, ast.Name) and part.id in ITEMS]
        case ast.MatchClass(cls=ast.Name(id=name)) if name in ITEMS:
            return [name]
        case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr="grid") if name in OTHER_GRIDS:
            return []
        case ast.Attribute(attr="grid"):
            return ["grid"]
    return []


def test_nobody_asks_of_which_kind_an_item_is() -> None:
    """An item with options, a number and a place say themselves what others must know of them."""
    offenders = [
        f"{one.name}:{asked}" for one in sources() if one.name != "privacy/design/items.py" for asked in one.asks_items
    ]

    assert offenders == []


@pytest.mark.parametrize(
    ("block", "says"),
    [
        ({"keep": 0.5, "items": [{"id": "x", "theta": 0.5}]}, (0, True, True, False, False)),
        (NUMBER, (1, True, False, True, True)),
        (PLACE, (2, False, False, False, True)),
    ],
)
def test_an_item_says_what_others_must_know_of_its_answers(block: dict[str, Any], says: tuple[object, ...]) -> None:
    """On how many scales they lie, whether they explain, whether they can be matched, whether records hold others,
    too, and whether one of them may point at somebody."""
    (item,) = Design.parse({"candor": 1, "blocks": [block]}).items

    told = (len(item.steps), item.explains, item.has_options, item.beyond_answers, item.singles_out)
    assert told == says


def test_the_codes_of_answers_are_those_of_their_places() -> None:
    """A record of a number begins before the number does, and a place counts its rows within its columns."""
    x, y = (Design.parse({"candor": 1, "blocks": [block]}).items[0] for block in (NUMBER, PLACE))
    codes = x.codes_at([np.arange(10)])

    assert [x.field(False).text(code) for code in codes.tolist()] == [str(value) for value in range(10)]
    assert y.field(False).text(int(y.codes_at([np.array(2), np.array(7)]))) == "2:7"


def test_what_one_kind_alone_uses_stands_in_its_folder() -> None:
    """No module beside `privacy/design/blocks/` is there for one kind: its own module holds all of it."""
    users: dict[str, set[str]] = {}
    for one in imports(ROOT):
        if one.target.startswith("privacy.design.") and one.target not in of_kinds():
            users.setdefault(one.target, set()).add(place_of(one.of))

    assert len(users) > 20
    assert [name for name, places in users.items() if len(places) == 1 and min(places).startswith(f"{BLOCKS}.")] == []


def place_of(module: str) -> str:
    """The kind that a module is of, as `privacy.design.blocks.coin`; any other module is a place of its own."""
    return ".".join(module.split(".")[:4]) if module.startswith(f"{BLOCKS}.") else module


def asked_in(node: ast.AST) -> set[str]:
    """The marks, forms and fields of kinds that are asked for: by an operator, a case, keys of a dict, or getattr."""
    if isinstance(node, ast.Compare):
        return set().union(*(words_in(side) for side in (node.left, *node.comparators)))
    if isinstance(node, ast.MatchValue):
        return words_in(node.value)
    if isinstance(node, ast.Dict):
        keys = set().union(*(words_in(key) for key in node.keys)) & RECIPES.keys()
        return keys if len(keys) > 1 else set()
    match node:
        case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(value=str(word)), *_]):
            return {word} & (WORDS | FIELDS)
    return set()


def words_in(node: ast.AST | None) -> set[str]:
    """The words that a literal names, alone or in a list."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {str(part.value) for part in parts if isinstance(part, ast.Constant)} & WORDS


def test_nobody_else_compares_blocks_with_the_word_of_a_kind() -> None:
    """Nor does anyone look into a design's JSON for the mark of one kind, or ask which form a block has."""
    offenders = {f"{one.name}: {word}" for one in sources() if one.name not in CREATES for word in one.words}

    assert offenders == ZONES


@pytest.mark.parametrize(
    ("find", "source"),
    [
        (names_a_kind, "from privacy.design.blocks.coin.design import CoinBlock"),
        (names_a_kind, "from privacy.design.blocks import one_sided"),
        (names_a_kind, "from privacy.design.blocks import KINDS"),
        (names_a_kind, "isinstance(block, CoinBlock)"),
        (names_a_kind, "isinstance(block, blocks.OneSidedBlock)"),
        (names_a_kind, "isinstance(block, blocks.KINDS[1])"),
        (names_a_kind, "match block:\n    case CoinBlock(): pass"),
        (names_a_kind, "type(block).__name__ == 'CoinBlock'"),
        (kinds_of_item, "isinstance(item, ExpectedItem)"),
        (kinds_of_item, "isinstance(item, Other | GridItem)"),
        (kinds_of_item, "match item:\n    case GridItem(): pass"),
        (kinds_of_item, "len(item.grid.answers) == 1"),
        (kinds_of_item, "item.grid is None"),
        (kinds_of_item, "[place for place, item in enumerate(design.items) if design.items[place].grid]"),
        (asked_in, "'flips' in entry"),
        (asked_in, "block.kind == 'one-sided'"),
        (asked_in, "block.kind in ('coin', 'each')"),
        (asked_in, "match block.kind:\n    case 'square-wave': pass"),
        (asked_in, "{'coin': read, 'flip': look}[block.kind]"),
        (asked_in, "hasattr(block, 'flips')"),
        (asked_in, "getattr(block, 'each', False)"),
    ],
)
def test_each_way_of_asking_for_a_kind_is_seen(find: Callable[[ast.AST], object], source: str) -> None:
    """The tests above would find each of them."""
    assert MENTIONED.search(source)
    assert any(find(node) for node in ast.walk(ast.parse(source)))


@pytest.mark.parametrize("source", ["'flips' in block", "kind === 'coin'", "case 'one-sided':", "({flips}) => 1"])
def test_each_way_of_asking_for_a_kind_in_a_script_is_seen(source: str) -> None:
    """By its word, and by the field that only it has."""
    assert ASKED.search(source)


def test_no_other_script_or_template_asks_for_a_kind_of_block() -> None:
    """In the browser, too, a kind is known to its own module, and to the table of them."""
    paths = [
        path
        for folder in ("surveys", "mining", "privacy", "checker", "templates")
        for ending in ("*.js", "*.html")
        for path in sorted((ROOT / folder).rglob(ending))
        if path != TABLE and OWN_IN_BROWSER not in path.parents and "vendor" not in path.parts
    ]
    offenders = {
        f"{path.relative_to(ROOT).as_posix()}: {match.group()}"
        for path in paths
        for match in ASKED.finditer(path.read_text(encoding="utf-8"))
    }

    assert len(paths) > 100
    assert offenders == set()


@pytest.mark.parametrize(
    ("whole", "base", "member"),
    [
        (FlipBlock, Block, "chance"),
        (FlipBlock, Block, "gamma"),
        (FlipSketch, Sketched, "squares"),
        (FlipSketch, Sketched, "exact_block"),
        (FlipPlan, PlannedBlock, "as_recipe"),
    ],
)
def test_a_class_that_lacks_a_member_cannot_be_made(whole: type, base: type, member: str) -> None:
    """Everything that a kind must have is abstract: the first use of the class names what is missing, not the tenth."""
    own = {name: value for name, value in vars(whole).items() if name not in (member, "__dict__", "__weakref__")}
    lacking = type("Lacking", whole.__bases__, own)

    assert issubclass(lacking, base)
    with pytest.raises(TypeError, match=f"Can't instantiate abstract class Lacking .*{member}"):
        lacking()


def test_a_row_of_a_kind_that_lacks_a_member_is_refused() -> None:
    """A new kind hears what it still needs as soon as it stands in the table."""
    kept = ("items", "read", "entry")
    lacking = type("Lacking", (Block,), dict.fromkeys(kept))

    with pytest.raises(TypeError, match=r"^Lacking lacks chance, gamma\.$"):
        BlockKind(lacking, KINDS[0].words)


def test_the_r_package_inverts_a_kind_or_leaves_it_to_the_command() -> None:
    """It refuses what it cannot invert by the keys of a block: a new kind is inverted there, or left out on purpose."""
    (keys,) = re.findall(r"^INVERTED <- c\((.*)\)$", (ROOT / "r/R/shares.R").read_text(encoding="utf-8"), re.MULTILINE)

    left_out = [kind.block.mark for kind in KINDS if f'"{kind.block.mark}"' not in keys]
    assert left_out == ["names", "theta", "one-of", "group-of", "number", "place"]


def test_no_two_kinds_have_one_mark_or_one_recipe() -> None:
    """A reader recognises a kind by a key that is its alone; what is stored names one way of disguising."""
    assert len({kind.block.mark for kind in KINDS}) == len(KINDS)
    assert len(RECIPES) == sum(len(kind.recipes) for kind in KINDS)


@pytest.mark.parametrize(
    ("recipe", "item"),
    [
        ("square-wave", {"min": 0, "max": 50}),
        ("square", {"width": 100, "height": 80, "cell": 5}),
        ("zones", {"width": 100, "height": 80, "cell": 5, "zones": [[0, 0, 30, 30]]}),
    ],
)
def test_one_recipe_takes_a_number_or_a_place_for_the_advisor_and_spends_what_it_is_given(
    recipe: str, item: dict[str, Any]
) -> None:
    """No other recipe takes the item, and its settings for ln γ = 1.5 make a block of these odds, but a hair."""
    settings = ADVISED[recipe].settings(1.5)
    (block,) = Design.parse({"blocks": RECIPES[recipe].write(settings, [{"id": "x", **item}])}).blocks

    assert [name for name, advised in ADVISED.items() if advised.takes(item)] == [recipe]
    assert item.keys() <= set(ADVISED[recipe].keys)
    assert 1.5 - 1e-6 < math.log(block.odds) <= 1.5


@pytest.mark.parametrize(
    ("scale", "recipe"),
    [
        ({}, "coin"),
        ({"min": 0, "max": 50}, "square-wave"),
        ({"width": 100, "height": 80, "cell": 5}, "square"),
        ({"width": 100, "height": 80, "cell": 5, "zones": [[0, 0, 30, 30]]}, "zones"),
    ],
)
def test_an_item_has_a_usual_recipe_by_its_scale_alone(scale: dict[str, Any], recipe: str) -> None:
    """What lies on no grid has options, which one coin takes; a type of question names no recipe."""
    assert usual(scale) == recipe


def blocks() -> list[Any]:
    return [pytest.param(design.blocks[0], id=name) for name, design in DESIGNS.items()]


@pytest.mark.parametrize("block", blocks())
def test_the_chances_a_block_tells_are_those_of_the_format(block: Block) -> None:
    """P(sent | truth) of every truth and every asked set is the one the words of the format define, exactly."""
    for truth in product(*(range(len(item.options)) for item in block.items)):
        chances = {}
        sets = list(combinations(range(len(block.items)), block.items_per_person))
        for here in sets:
            for sent in product(*(range(block.items[place].field(optional=False).size) for place in here)):
                record = [NOT_ASKED] * len(truth)
                for place, code in zip(here, sent, strict=True):
                    record[place] = code
                chance = block.chance(here, tuple(truth[place] for place in here), sent)
                chances[tuple(record)] = chance / len(sets)

        assert chances == declared(block, truth)
        assert sum(chances.values()) == 1


@given(designs())
def test_a_design_of_any_kinds_is_read_back_from_both_notations(design: Design) -> None:
    """What people write and what is hashed both describe the same design."""
    assert Design.parse(design.to_json()) == design
    assert Design.parse(design.canonical()) == design
    assert Design.parse(design.canonical()).sha256 == design.sha256


@given(designs())
def test_gamma_is_that_of_the_matrix(design: Design) -> None:
    """γ and the γ of one item alone are the largest ratios in the matrix of any asked set, by brute force."""
    for block in design.blocks:
        gammas = [
            of_matrix([[block.chance(here, x, y) for y in cells] for x in cells])
            for here in combinations(range(len(block.items)), block.items_per_person)
            for cells in [list(product(*(range(len(block.items[place].options)) for place in here)))]
        ]
        assert max(gammas) == block.gamma
        for place in range(len(block.items)):
            assert block.item_gamma(place) == of_matrix(alone(block, place))
    assert design.gamma == math.prod(block.gamma for block in design.blocks)


def alone(block: Block, place: int) -> list[list[Fraction]]:
    """What one item of an asked set that has it shows of its own answer, the others being given."""
    here = next(chosen for chosen in combinations(range(len(block.items)), block.items_per_person) if place in chosen)
    at, sizes = here.index(place), [range(len(block.items[other].options)) for other in here]
    rows = []
    for option in sizes[at]:
        truth = tuple(option if j == at else 0 for j in range(len(here)))
        rows.append(
            [
                sum((block.chance(here, truth, y) for y in product(*sizes) if y[at] == seen), Fraction(0))
                for seen in sizes[at]
            ]
        )
    return rows


@given(designs())
def test_the_odds_never_promise_less_than_gamma(design: Design) -> None:
    """A one-sided promise is beside γ and not above it; where every answer is protected both are one."""
    for block in design.blocks:
        assert block.odds <= block.gamma
        assert all(block.item_odds(place) <= block.item_gamma(place) for place in range(len(block.items)))
