"""The JSON Schemas of our formats say what the code says: what it reads they allow, and what it refuses they refuse."""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from candor.commands import all_commands
from config.api.document import document as document_of_api
from privacy.design import Design
from privacy.design.blocks import KINDS
from privacy.design.by_person import BY, DRAW
from privacy.design.model_blocks import MODELS
from privacy.errors import InputError
from privacy.own_draw.person_draw import WHOSE
from privacy.own_draw.sources import SOURCES
from privacy.own_draw.ways import WAYS
from surveys import definition as definitions
from surveys.definition import Definition
from surveys.domain.drafts.beginnings import BEGINNINGS, beginning
from surveys.domain.drafts.faults import faults
from surveys.domain.messages.submission import Refused, bytes_to_store, envelope, read_object, receipt
from surveys.domain.questionnaire.document import empty, new_question
from surveys.kinds import BLOCK_FIELDS, FORMS, QUESTION_FIELDS
from surveys.kinds.person import FACTS
from surveys.questions import TYPES
from tests.cases import every
from tests.commands import Shell, result_schema
from tests.privacy.channels import NAMED
from tests.servers import ROOT
from tests.surveys.documents import WORDS, document, options, question
from tests.surveys.features.paper.sheets_of import crosswise, of_paper

Way = tuple[str | int, ...]
SCHEMAS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(ROOT.glob("*/schemas/*.json"))}
OTHERS = jsonschema_rs.Registry([(schema["$id"], schema) for schema in SCHEMAS.values()])
CHECKED = {
    name: jsonschema_rs.Draft202012Validator(schema, registry=OTHERS, validate_formats=True)
    for name, schema in SCHEMAS.items()
}


# ---- a document with one thing changed ------------------------------------------------------------------------------


def _places(value: Any, path: Way = ()) -> Iterator[tuple[Way, Any]]:
    """What a document holds, each with the way there; of a list its ends, as the others are alike."""
    yield path, value
    if isinstance(value, dict):
        inside = [*value.items()]
    else:
        inside = [(at, value[at]) for at in sorted({0, len(value) - 1})] if value and isinstance(value, list) else []
    for key, inner in inside:
        yield from _places(inner, (*path, key))


def _changed(value: Any) -> Iterator[Any]:
    """What may stand in the place of a value: without each of its keys, with another one, too long, of another type."""
    if isinstance(value, dict):
        yield from ({name: own for name, own in value.items() if name != key} for key in value)
        yield value | {"unheard": 1}
    if isinstance(value, list):
        yield from (value[:-1], value + value[-1:], [])
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (-1, 0, 10**18, value + 0.5, 3 * value + 1)
    if isinstance(value, str):
        yield "un, heard"
    yield from (other for other in ("unheard", 7, None, True, [], {}) if type(other) is not type(value))


def _with(document: Any, path: Way, new: Any) -> Any:
    if not path:
        return new
    copy = document.copy()
    copy[path[0]] = _with(copy[path[0]], path[1:], new)
    return copy


def mutations(document: Any) -> Iterator[tuple[str, Any]]:
    """The document with one thing changed, in every way; Python takes true for 1, so that this is no change."""
    for path, value in _places(document):
        for new in _changed(value):
            if new != value:
                yield f"{list(path)}: {value!r:.60} as {new!r:.60}", _with(document, path, new)


def compare(
    name: str, document: Any, refusal: Callable[[Any], str | None], unsaid: list[str], stricter: bool = False
) -> list[str]:
    """Where schema and code differ over changes of a document; `unsaid` are rules that no schema can say.

    `stricter`: the code reads only what it has written, or leaves to others what the schema says.
    """
    assert [error.message for error in CHECKED[name].iter_errors(document)] == []
    assert refusal(document) is None
    differ = []
    for what, changed in mutations(document):
        refused, allowed = refusal(changed), CHECKED[name].is_valid(changed)
        said = any(re.search(rule, refused or "") for rule in unsaid) if allowed else stricter
        if (refused is None) != allowed and not said:
            differ.append(f"{what}: the schema {'allows' if allowed else 'refuses'} it, the code says {refused}")
    return differ


# ---- designs --------------------------------------------------------------------------------------------------------

_DIE = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
_TRUTH = [{"of": ["1", "2"], "says": "no"}, {"of": ["3", "4", "5", "6"], "says": "truth"}]
_HOME = [{"id": "home", "width": 1000, "height": 800, "cell": 10}]
_FURTHER: list[dict[str, Any]] = [
    {
        "by": "person",
        "draw": {"way": "crosswise", "source": "die", "outcomes": _DIE},
        "ask": 1,
        "items": [{"id": "a"}, "b"],
        "typed": {"compared": 400, "differing": 8, "share": [1, 3]},
    },
    {"by-gamma": {"epsilon": 2}, "items": [{"id": "a"}]},
    {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]},
    {"place": "square", "epsilon": 2, "items": _HOME},
    {
        "place": "zones",
        "epsilon": 2,
        "side": 100,
        "zones": [[400, 300, 200, 200], [0, 0, 100, 200, 1.5]],
        "items": _HOME,
    },
    {"model": "warner", "theta": 0.7, "items": ["a"]},
    {"model": "unrelated-question", "p": 0.7, "theta": [0.5, 0.2], "items": ["a", {"id": "b"}]},
    {"model": "forced-response", "p": 0.6, "yes": 0.2, "items": ["a"]},
    {"model": "crosswise", "prevalence": 0.25, "items": ["a", "b"], "ask": 1},
    {"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a"]},
    {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]},
    {"model": "k-ary", "p": 0.3, "items": ["a", {"id": "b", "options": ["x", "y", "z"]}]},
    {"model": "gamma-diagonal", "gamma": 19, "items": ["a", {"id": "b", "options": ["x", "y", "z"]}]},
    {"model": "flip", "gamma": {"epsilon": 2.5}, "radius": 1, "items": ["a", "b", "c"]},
    {"model": "binary", "u": 0.7, "v": 0.2, "items": ["a"]},
    {"model": "one-of", "gamma": 19, "cap": 2.5, "longest": 2, "weights": [1, 0.6], "items": ["a", "b", "c"]},
    {"model": "one-of", "gamma": 3, "cap": 2, "longest": 4, "least": 2, "weights": [1, 0.06], "items": [*"abcdef"]},
]


def _designs() -> list[dict[str, Any]]:
    """Each kind of block and each model as people write it, and in its exact form."""
    written = [{"candor": 1, "direct": True, "blocks": [block]} for block in (*NAMED.values(), *_FURTHER)]
    whole = [{"candor": 1, "direct": False} | block for block in _FURTHER if "model" in block]
    exact = [Design.parse(design).document for design in written]
    return [*written, *whole, *exact]


def _refusal_of_design(design: Any) -> str | None:
    if not isinstance(design, dict):
        return "no object"
    try:
        Design.parse(design)
    except InputError as error:
        return str(error)
    return None


UNSAID = [
    # numbers that must fit one another
    r"sum to",
    r"shares (do not fit|were given)|weights do not fit",
    r"is not from \d+ to|say how many of the",
    r"0 < base < own|cap is (below|above)|leave nothing for the blank|leave no record|spare is",
    r"is not above min|no whole steps|not a whole number of cells|shorter side|at most .*, that of the block",
    r"outside the map|overlap, leave|largest coin|weights are not above 0|a coin and a weight are missing",
    r"is below v|keeps nothing|record 1 does not speak|nothing could be recovered",
    r"with a threshold|many of them to be true|words of length|tell nothing here|all have the same chances",
    r"need steps finer than|too many kinds of sets|more than 16384|cannot show the number|would have \d+ steps",
    r"differ, so entries|cannot differ|is no share of records|from 0 to below",
    r"a near step must|where items are asked|is not a prime|too few|too many|seeds|groups of",
    # what follows from the rest
    r"which follows from the draw|not those that follow from the words|is not \d+, which the draw has|is not even",
    # names that must be known, or stand once
    r"is already in blocks|appears twice|stands twice|names an item twice",
    r"names no answer of this block|is none of (its|three) answers|no word speaks of|is the harmless answer",
    r"is no outcome of|no outcome says|nothing says what|is unknown here; outcomes say|entries, and .* needs",
    r"names no fact|is no fact about a person|one draw is for",
    # JSON has one kind of number, so that 2.0 and 1e18 are whole in a schema
    r"is not a whole number|is not an integer from|no fraction of two whole numbers|too large a number",
    r"closer to \d than steps",
]


@pytest.mark.parametrize("design", every(5, _designs()))
def test_the_schema_of_designs_refuses_what_the_code_refuses(design: dict[str, Any]) -> None:
    """And allows what it reads: every kind and model, with each key dropped or added, each value wrong."""
    assert compare("design", design, _refusal_of_design, UNSAID) == []


def test_the_schema_of_designs_knows_every_kind_model_way_source_and_fact() -> None:
    """Those of the tables of the code, and no other."""
    own = SCHEMAS["design"]["$defs"]
    marks = {key for name in ("block", "exactBlock") for ref in own[name]["oneOf"] for key in _keys_of(own, ref)}
    assert {kind.block.mark for kind in KINDS} == marks & {kind.block.mark for kind in KINDS}
    assert own["model"]["properties"]["model"]["enum"] == list(MODELS)
    assert own["draw"]["properties"]["way"]["enum"] == list(WAYS)
    assert {*own["source"]["enum"]} == {*SOURCES}
    assert {*own["draw"]["properties"]["outcomes"]["items"]["properties"]["says"]["enum"]} == {
        meaning for way in WAYS.values() for meaning in way.meanings
    }
    assert own["fact"]["oneOf"][2]["properties"]["whose"]["enum"] == list(WHOSE)
    assert all({BY, DRAW} <= {*own[name]["required"]} for name in own if name.lower().find("drawn") >= 0)


def _keys_of(own: dict[str, Any], reference: dict[str, str]) -> set[str]:
    return {*own[reference["$ref"].rpartition("/")[2]]["properties"]}


# ---- surveys --------------------------------------------------------------------------------------------------------

_HASH = "a" * 64
_PICTURE = f"{_HASH}-640x480.png"


def _rows(*names: str) -> list[dict[str, Any]]:
    return [{"id": name, "label": WORDS} for name in names]


def _questionnaire() -> dict[str, Any]:
    """One with every type that may be open, every field of a question and nearly every feature."""
    women = {"question": "sex", "is": ["f"]}
    either = {"any": [women, {"all": [women, {"question": "sex", "is": ["m"]}]}]}
    source = document(
        question("sex", "choice", options=options("f", "m", "x"), out=["x"], enough={"f": 200}, help=WORDS),
        question(
            "drinks",
            "several",
            items=_rows("beer", "wine"),
            shuffle=True,
            when=either,
            media={"file": {"en": _PICTURE}, "words": WORDS},
        ),
        question("content", "scale", min=1, max=5, ends={"low": WORDS, "high": WORDS}, required=True),
        question("order", "ranking", items=_rows("first", "second", "third")),
        question("agree", "matrix", items=_rows("here", "there"), min=1, max=5),
        question("often", "number", min=0, max=9.5),
        question("day", "date", min="2026-01-01"),
        question("note", "text", max=100),
        question("came", "choice", options=options("web", "mail"), parameter="source"),
        question("arm", "choice", options=options("u", "v"), chances=[2**31, 2**31]),
        lot=2**30,
        frames=["https://a.example:8443"],
        looks={"logo": {"file": _PICTURE, "words": WORDS}, "accent": {"light": "#17635c", "dark": "#7cc9bd"}},
        texts={"en": {"begin": "Go"}},
        unspoken={"en": "because"},
        panel={"name": "P", "number": "pid", "ends": {"sent": {"code": "C7", "address": "https://x.example/{number}"}}},
        study={"here": 2**31, "arms": [{"slug": "other", "version": _HASH, "chance": 2**31}]},
        **dict.fromkeys(("early", "beside", "comprehension"), True),
    )
    definition = Definition.parse(source)
    return json.loads(definition.to_bytes()) | {"design": definition.design.document}


def _by_people() -> dict[str, Any]:
    """One in which people draw, on paper and for interviewers, too, with the two answers that show who follows."""
    blocks = crosswise("moon", "water", "copied", "stolen")
    key = base64.b64encode(b"\4" + bytes(64)).decode()
    careless = {"moon": [0.0, 0.01], "water": [0.99, 1.0]}
    notice = dict.fromkeys(("controller", "officer", "basis", "obtained", "objection"), WORDS)
    features = {"careless": careless, "interviews": {"key": key}, "modes": "pooled", "notice": notice}
    source = of_paper(blocks, question("agree", "yesno"), own={"never": "moon"}, **features)
    return json.loads(Definition.parse(source).to_bytes()) | {"design": source["design"]}


def _refusal_of_questionnaire(source: Any) -> str | None:
    """A definition is read where a site has written it, and so may be refused by any error."""
    try:
        Definition.parse(source)
    except (InputError, TypeError, KeyError, AttributeError, ValueError) as error:
        return str(error) or repr(error)
    return None


@pytest.mark.parametrize("made", [_questionnaire, _by_people])
def test_the_schema_of_questionnaires_refuses_what_the_code_refuses(made: Callable[[], dict[str, Any]]) -> None:
    """Each key dropped or added, each value wrong."""
    unsaid = [
        *UNSAID,
        r"pad is \d+|has no questions|is used for two|asked by no sensitive|is sensitive but",  # what must fit
        r"needs a different value|name each arm once|a proportion above 0",
        r"the text in '.*' is missing|in every language",  # texts in all languages
        r"if, and only if, its design|do not tell who follows",
    ]
    assert compare("questionnaire", made(), _refusal_of_questionnaire, unsaid, stricter=True) == []


@pytest.mark.parametrize("name", BEGINNINGS)
def test_the_schema_of_files_of_surveys_refuses_what_the_import_refuses(name: str) -> None:
    """And allows all that it takes: of every template, and of every feature that a file may have."""
    plain = json.loads(json.dumps(beginning(name, "T", "en")))
    features = {
        "lot": 20,
        "frames": ["https://a.example"],
        "study": {"here": 1, "arms": [{"slug": "other", "version": _HASH, "parts": 1}]},
        "looks": {"logo": _PICTURE, "words": WORDS, "accent": "#17635c"},
        "panel": {"by": "prolific", "name": "P", "number": "pid", "sent": "C7", "out": "", "full": ""},
        "own": {"never": None, "held": ["mother"]},
        "page_texts": {},
        "unspoken": {"en": "because"},
    }
    whole = plain | features if name == next(iter(BEGINNINGS)) else plain
    whole["pages"] = [page | {"questions": page["questions"][:2]} for page in whole["pages"][:2]]
    kept = {question["id"] for page in whole["pages"] for question in page["questions"]}
    whole["blocks"] = [
        block | {"questions": [one for one in block["questions"] if one in kept]} for block in whole["blocks"]
    ]
    whole["careless"] = None if whole["careless"] and not kept.issuperset(whole["careless"]) else whole["careless"]
    unsaid = [
        r"rising whole numbers|is in two blocks|used for two|different value|no question with this name|is no guess",
        r"this is the name of a question|name each arm once",
    ]
    assert [error.message for error in CHECKED["survey"].iter_errors(plain)] == []
    assert compare("survey", whole, lambda file: next(map(str, faults(file)), None), unsaid) == []


def test_the_schemas_of_surveys_know_every_field() -> None:
    """Those of the tables of the code, and no other."""
    definition, file = SCHEMAS["questionnaire"], SCHEMAS["survey"]
    assert definition["properties"].keys() == definitions._FIELDS
    assert definition["$defs"]["question"]["properties"].keys() == definitions._QUESTION_FIELDS
    assert file["properties"].keys() == empty("T", ["en"]).keys() == {*file["required"]}
    asked = file["$defs"]["question"]
    assert asked["properties"].keys() == new_question("a", "yesno").keys() == {*asked["required"]}
    assert file["properties"]["own"]["oneOf"][1]["properties"]["held"]["items"]["enum"] == [*FACTS]
    assert [*file["properties"]["blocks"]["items"]["properties"]["kind"]["enum"]] == [*FORMS]
    assert file["$defs"]["settings"]["properties"].keys() == BLOCK_FIELDS.keys() | QUESTION_FIELDS.keys()
    for schema in (definition, file):
        assert schema["$defs"]["question"]["properties"]["type"]["enum"] == [*TYPES]


def test_the_schema_of_submissions_refuses_what_the_code_refuses() -> None:
    """Of the envelope; what must fit the questionnaire is checked against that, and the schema refuses more of it."""
    sent = {
        "version": _HASH,
        "key": "b" * 32,
        "direct": 0,
        "record": [1, None, 0],
        "open": {"sex": "f", "often": 4.5, "drinks": ["beer"], "agree": {"here": "1"}},
        "pad": "   ",
        "token": {"message": "A" * 43, "signature": "A" * 512},
    }

    def refusal(message: Any) -> str | None:
        try:
            envelope(read_object(json.dumps(message).encode()))
        except Refused as error:
            return error.message
        return None

    assert compare("submission", sent, refusal, [], stricter=True) == []


VECTOR = json.loads((ROOT / "tests/vectors/submission.json").read_text("utf-8"))


def test_the_vector_of_submissions_is_what_a_site_makes_of_them() -> None:
    """The hash of a questionnaire, the size of what is sent, what is stored of it, and its receipt."""
    definition = Definition.parse(VECTOR["questionnaire"])
    hashes = [sha256(definition.to_bytes()).hexdigest(), definition.design.sha256]
    made = []
    for one in VECTOR["submissions"]:
        bare = json.dumps({**one["sent"], "pad": ""}, separators=(",", ":"))
        message = {**one["sent"], "pad": "0" * (one["size"] - len(bare))}
        stored = bytes_to_store(sent := envelope(message), definition)
        number = b"".join(receipt(sent.version, sent.key, stored)).hex()
        kept = {"packed": stored.record.hex(), "open": stored.open.decode(), "receipt": number}
        made.append({"sent": one["sent"], "size": definition.pad, **kept})
        assert CHECKED["submission"].is_valid(message)

    assert hashes == [VECTOR["sha256"], VECTOR["design_sha256"]]
    assert made == VECTOR["submissions"]
    assert CHECKED["questionnaire"].is_valid(VECTOR["questionnaire"])


# ---- results of commands, and the API: every test that reads what a command prints holds it against the schema -----


def test_the_schema_of_results_has_each_command_with_the_names_that_the_guide_has() -> None:
    """A member that no reader can look up would be no part of the contract."""
    own = SCHEMAS["results"]
    names = [command.name for command in all_commands() if command.name not in ("serve", "manage")]
    guide = (ROOT / "docs/command-line.md").read_text("utf-8").partition("\n## JSON\n")[2]
    members = {
        name
        for command in names
        for inner in _objects_in(own["$defs"][command])
        for name in (inner.get("properties", ()) if inner.get("type") == "object" else ())
    }

    assert own["anyOf"] == [{"$ref": f"#/$defs/{name}"} for name in names]
    assert {name for name in members if f'"{name}"' not in guide and f"`{name}`" not in guide} == set()


def test_a_result_without_a_member_or_with_a_text_for_a_number_is_refused(shell: Shell, tmp_path: Path) -> None:
    """Of a promise and of shares, each named member."""
    design, records = tmp_path / "design.json", tmp_path / "records.csv"
    design.write_text('{"direct": true, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}')
    records.write_text("direct,drugs\n" + "1,0\n0,1\n0,0\n" * 40)
    for command, files in (("guarantee", [design]), ("reconstruct", [records, design, "--pattern", "drugs"])):
        printed, schema = shell.json(command, *files, "--json"), result_schema(command)
        needed = SCHEMAS["results"]["$defs"][command]
        for name in (needed["oneOf"][0] if "oneOf" in needed else needed)["required"]:
            assert not schema.is_valid({key: value for key, value in printed.items() if key != name})
            assert not schema.is_valid(printed | {name: {"unheard": 1}})


def test_the_schemas_of_the_api_are_of_the_same_version() -> None:
    """OpenAPI 3.1 has the JSON Schema of 2020-12; the site's own document is what programs read."""
    described = document_of_api()
    assert described["openapi"].startswith("3.1")
    for schema in described["components"]["schemas"].values():
        jsonschema_rs.Draft202012Validator(schema | {"components": described["components"]})


# ---- what is written down -------------------------------------------------------------------------------------------


def _objects_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects_in(inner)


def _examples(page: Path) -> Iterator[Any]:
    """The JSON objects that a page prints, in blocks and in lines, as far as they are whole."""
    text = page.read_text("utf-8")
    for example in (*re.findall(r"```json\n(.*?)```", text, re.DOTALL), *re.findall(r"`(\{[^`]+\})`", text)):
        with suppress(json.JSONDecodeError):
            yield json.loads(example)


def test_every_design_of_the_guides_and_the_vectors_validates() -> None:
    """Whole ones, and blocks that a page prints alone."""
    marks = {kind.block.mark for kind in KINDS} | {"by", "model"}
    found = 0
    for source in (*sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("tests/vectors/*.json"))):
        examples = _examples(source) if source.suffix == ".md" else [json.loads(source.read_text("utf-8"))]
        for one in (inner for example in examples for inner in _objects_in(example)):
            if "blocks" in one and not {"pages", "prior"} & one.keys():  # no survey, and no guarantee
                design = one
            elif "items" in one and marks & one.keys() and not {"candor", "asked"} & one.keys():
                design = {"blocks": [one], "direct": True}
                if _refusal_of_design(design) is not None:
                    continue  # a block of an exact design, which is looked at as a whole, or a line with dots
            else:
                continue
            found += 1
            assert [error.message for error in CHECKED["design"].iter_errors(design)] == [], (source.name, design)
    assert found >= 50


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_and_says_what_it_is_of(name: str) -> None:
    jsonschema_rs.meta.validate(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"].endswith("2020-12/schema")
    assert SCHEMAS[name]["$id"] in (f"urn:candor:{name}:1", f"urn:candor:{name}:2")
    assert {"title", "description"} <= SCHEMAS[name].keys()
