"""The product is written in plain words: what reads like a riddle has a usual word instead."""

import ast
import re
from collections import Counter, defaultdict

import pytest

from tests.servers import ROOT
from tests.sources import ours

RIDDLES = re.compile(r"\b(?:whoever|anew|(?:un|re)?told|likelier|held against)\b")

# Stored or sent since earlier versions: keys of JSON, a state in browsers, sentences that migrations look for.
CONTRACTS = {
    "config/api/schemas.py": ['"told": record('],
    "config/api/surveys.py": ['"told": {'],
    "mining/migrations/0003_reasons_by_code.py": ["weighs the groups anew"],
    "privacy/reconstruct/lot.py": ['"whoever_declined": {'],
    "privacy/release/attacks/link.py": ['| {"told": dict('],
    "surveys/client/main.js": ["=== 'told'", "/sent|told/"],
    "surveys/client/response.js": ["state: 'told'", "or told: another"],
    "surveys/migrations/0023_early_looks_and_texts.py": ["because whoever has the link"],
    "surveys/migrations/0039_reasons_of_releases.py": ["or ask whoever runs the site"],
}


def _product() -> list[str]:
    return [
        name
        for name in ours("*.py", "*.js", "*.html", "*.css")
        if not name.startswith(("tests/", "benchmarks/", "docs/"))
    ]


def _words(source: str) -> str:
    """The source as words between single spaces: names fall apart at _ and at capitals, sentences go over lines."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", source)
    return re.sub(r"[\W_]+", " ", apart).lower()


def _riddles(name: str) -> list[str]:
    source = (ROOT / name).read_text(encoding="utf-8")
    for contract in CONTRACTS.get(name, ()):
        source = source.replace(contract, "")
    return RIDDLES.findall(_words(source))


def test_the_product_is_written_in_usual_words() -> None:
    """In comments, sentences and names alike."""
    assert {name: found for name in _product() if (found := _riddles(name))} == {}


@pytest.mark.parametrize("name", CONTRACTS)
def test_an_exception_is_still_needed(name: str) -> None:
    """What no source holds any more is taken from the list."""
    source = (ROOT / name).read_text(encoding="utf-8")

    assert [contract for contract in CONTRACTS[name] if contract not in source] == []


# What a function does is a verb, what it gives a noun; a participle is neither.
PARTICIPLE = re.compile(
    r"[a-z]+[^e]ed|beset|bought|broken|brought|built|caught|chosen|done|drawn|driven|felt|found|frozen|given|gone|grown"
    r"|held|hidden|kept|known|laid|left|lost|made|meant|met|paid|proven|said|seen|sent|shown|sold|spent|stood|sworn|taken"
    r"|thrown|torn|understood|won|woven|written"
)
AMBIGUOUS = re.compile("shown|named|written|of|at|joined|asked|counted|known|kept|listed|entered|said|held")


def _participles(names: list[str], whole: bool = False) -> dict[str, set[str]]:
    """The files in which names of functions begin with a participle or an ambiguous word, or with `whole` are one."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for function in re.findall(r"^ *(?:async )?def (\w+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE):
            word, _, rest = function.strip("_").partition("_")
            if (PARTICIPLE.fullmatch(word) or AMBIGUOUS.fullmatch(word)) and not (whole and rest):
                found[word].add(name)
    return found


def test_functions_are_named_for_what_they_do_or_give() -> None:
    """At most 40 participles begin names of functions, and the most ambiguous words are no function in a third file."""
    names = [name for name in _product() if name.endswith(".py") and "/migrations/" not in name]

    assert len(found := _participles(names)) <= 40, sorted(found)
    wholes = _participles(names, whole=True)
    assert {word: files for word, files in wholes.items() if AMBIGUOUS.fullmatch(word) and len(files) > 2} == {}


def test_a_participle_is_found_wherever_a_function_is_defined() -> None:
    """The test above would pass by seeing nothing: this module has one itself."""

    def counted() -> None: ...

    def kept_ones() -> None: ...

    counted()
    kept_ones()

    here = {"tests/test_names.py"}
    assert _participles(["tests/test_names.py"]) == {"counted": here, "kept": here}
    assert _participles(["tests/test_names.py"], whole=True) == {"counted": here}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def told_between(): ...", ["told"]),
        ("const isAsTold = 1", ["told"]),
        ("# what it is held\n    # against", ["held against"]),
        ("totally, hold, stolid", []),
    ],
)
def test_a_riddle_is_found_in_names_and_over_lines(source: str, found: list[str]) -> None:
    """The test above would pass by seeing nothing."""
    assert RIDDLES.findall(_words(source)) == found


def test_no_class_of_the_product_has_the_name_of_another() -> None:
    """Who searches for a class finds one. Django asks for a `Command` in each module of a command."""
    homes: dict[str, list[str]] = defaultdict(list)
    for name in _product():
        if name.endswith(".py") and "/migrations/" not in name:
            for one in re.findall(r"^class (\w+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE):
                homes[one].append(name)

    assert {one: found for one, found in homes.items() if len(found) > 1 and one != "Command"} == {}


# Names that say nothing of what they hold, and how often the product still gives them: the numbers only fall.
VAGUE = {"one": 716, "own": 619, "place": 568, "said": 318, "known": 245, "made": 231, "each": 144, "it": 0, "this": 2}


def _bound(source: str) -> Counter[str]:
    """The names that a source gives: to values, to what loops go through, to parameters."""
    nodes = list(ast.walk(ast.parse(source)))
    values = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return Counter([*values, *(node.arg for node in nodes if isinstance(node, ast.arg))])


def test_values_are_named_for_what_they_are() -> None:
    """A number here is lowered by who takes such a name away, and never raised: another pronoun is no name either."""
    names = [name for name in _product() if name.endswith(".py") and "/migrations/" not in name]

    counts = sum((_bound((ROOT / name).read_text(encoding="utf-8")) for name in names), Counter[str]())

    assert {name: counts[name] for name, most in VAGUE.items() if counts[name] > most} == {}


def test_a_name_is_counted_wherever_it_is_given() -> None:
    """The test above would pass by seeing nothing."""
    source = "def f(one):\n    own = [each for each in one]\n    return lambda place: own"

    assert _bound(source) == Counter(["one", "own", "each", "place"])
