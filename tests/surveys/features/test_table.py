"""The table of features: what a row promises, that rooms know no feature, and that a wrong folder stops the start."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from surveys import features
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.feature import PARTS, Feature
from surveys.features.flags import says_nothing
from surveys.results.sections import ReportingPart
from surveys.studio.staff_part import StaffPart

ROOT = Path(__file__).parents[3]
TOPS = ("config", "mining", "surveys", "templates")
# What names each feature beside its module, its stored names and its classes: words that people and code have for it,
# but none of another meaning, such as the lot that mixes responses.
WORDS = {
    "careless": r"careless|attentive|answers? without reading",
    "frames": r"import frames|framed|\.frames\b|inside (another|other) page",
    "interviews": r"has_interviews|studio:interviews|receive_parcel",
    "looks": r"studio:looks|looks_entry|import looks|surveys\.looks",
    "lot": r"import lot\b|(definition|document|parsed)\.lot\b|lot_power|drawn to answer directly",
    "notice": r"has_notice|privacy_notice",
    "own": r"LOOK_QUESTION|document(\.|\[.)own\b",
    "paper": r"studio:paper|import paper|stack of sheets",
    "page_texts": r"page_texts|page-texts",
    "panel": r"\[.panel.\]|of_panel\b|panel_(link|number|hashes|people|end)",
    "shared": r"import SHARED|studio:shared|shared\.boxes",
    "study": r"import STUDY|arm of (a|the|this) study",
}
OTHERWISE = {
    "notice",
    "texts",
    "own",
    "anchor",
    "Panel",
}  # stored names and classes that have another meaning elsewhere


def idea(name: str) -> str:
    """A pattern of all that names a feature: its module, what is stored of it, its classes, and its words."""
    row, folder = features.FEATURES[name], ROOT / "surveys" / "features" / name
    stored = {*row.entries, *row.empty} - OTHERWISE
    sources = (module.read_text(encoding="utf-8") for module in folder.glob("*.py"))
    classes = {found for source in sources for found in re.findall(r"^class ([A-Z]\w+)", source, re.MULTILINE)}
    names = [rf"[\"']{one}[\"']" for one in sorted(stored)] + [rf"\b{one}\b" for one in sorted(classes - OTHERWISE)]
    return "|".join([rf"features\.{name}\b", WORDS[name], *names])


def files_naming(name: str) -> list[str]:
    """The files of the product that name a feature outside its folder, its templates, the table and the client."""
    own = (f"surveys/features/{name}/", f"templates/studio/features/{name}/", "surveys/features/__init__.py")
    files = (path for top in TOPS for path in (ROOT / top).rglob("*") if path.suffix in (".py", ".html"))
    places = [path.relative_to(ROOT).as_posix() for path in sorted(files)]
    others = [one for one in places if not one.startswith((*own, "surveys/client/")) and "/migrations/" not in one]
    return [one for one in others if re.search(idea(name), (ROOT / one).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", sorted(WORDS))
def test_few_files_name_a_feature_outside_its_folder(name: str) -> None:
    """Who reads or changes one reads its folder. What counts is the idea, not the name of the folder.

    Of who follows, the report, the API and own draws must know; the key of interviews is that of other devices, too.
    """
    assert len(files_naming(name)) <= (4 if name in ("careless", "interviews") else 3), files_naming(name)


def test_each_feature_with_a_folder_has_words() -> None:
    """So that none is left out of the count."""
    assert {name for name, feature in features.FEATURES.items() if feature.parts} == WORDS.keys()


def test_every_part_is_of_its_class() -> None:
    """What a row names is there, and is what the room asks for."""
    features.load()
    asked = {one.__name__: features.parts_of(one) for one in (DraftPart, ReportingPart, StaffPart)}

    assert asked.keys() == PARTS.keys()
    for kind, module in PARTS.items():
        assert list(asked[kind]) == [name for name, row in features.FEATURES.items() if module in row.parts]


def row(name: str, *parts: str) -> Feature:
    return Feature(name, {}, lambda _around: None, says_nothing, parts=parts)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (row("frames", "draft", "report"), "surveys.features.frames lacks what its row names: report."),
        (row("frames", "draft"), "surveys.features.frames has what its row does not name: staff."),
        (row("nothing", "staff"), "surveys.features.nothing lacks what its row names: staff."),
    ],
)
def test_a_feature_whose_row_and_folder_differ_stops_the_start(
    wrong: Feature, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One clear sentence says which part of which feature."""
    monkeypatch.setattr(features, "FEATURES", {wrong.name: wrong})

    with pytest.raises(ImproperlyConfigured) as refused:
        features.load()

    assert str(refused.value) == sentence


def test_a_module_without_a_part_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room that asks for it says so."""
    monkeypatch.delattr(import_module("surveys.features.frames.staff"), "PART")

    with pytest.raises(ImproperlyConfigured) as refused:
        features._import_parts.__wrapped__("StaffPart")

    assert str(refused.value) == "surveys.features.frames.staff has no PART of the class StaffPart."


def test_a_row_names_no_part_that_nobody_asks() -> None:
    """A slip of the pen would leave a module that no room reads."""
    with pytest.raises(TypeError, match="frames has parts that nobody asks: repport"):
        row("frames", "repport")


def test_announcements_keep_their_order() -> None:
    """Ethics boards compare what two surveys announce: a new feature stands after these, or where it belongs."""
    said = [name for name, one in features.FEATURES.items() if one.says is not says_nothing]

    assert said == [
        *("early", "beside", "lot", "panel", "frames", "study", "paper", "interviews", "looks"),
        *("notice", "page_texts", "careless", "own"),
    ]


def test_stored_names_stay() -> None:
    """Definitions and documents are stored under these names, and a definition is found by the hash of its bytes."""
    assert sorted(features.ENTRIES) == [
        *("anchor", "beside", "careless", "comprehension", "drawn", "early", "frames"),
        *("interviews", "looks", "lot", "mode", "modes", "notice", "own", "panel", "study", "texts", "unspoken"),
    ]
    assert features.empty() == {
        "basis": {},
        "careless": None,
        "controller": {},
        "frames": [],
        "interviews": False,
        "looks": {"logo": "", "words": {}, "accent": ""},
        "lot": None,
        "objection": {},
        "obtained": {},
        "officer": {},
        "own": None,
        "page_texts": {},
        "panel": None,
        "paper": False,
        "study": None,
        "unspoken": {},
    }


def test_the_guide_of_formats_describes_every_entry() -> None:
    """A definition is published, and read by programs that are not ours."""
    guide = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")

    assert [entry for entry in sorted(features.ENTRIES) if f'"{entry}"' not in guide] == []
