"""The texts of the interface: every language says everything."""

import json
import re
from typing import Any

import pytest

from surveys.domain.demo.people import SURVEYS
from surveys.domain.page import bundle
from surveys.features import FEATURES
from tests.readability import grade, syllables

APP = bundle.CLIENT.parent
# What every visit may need, what few need, and what the studio fills in: a file for each language.
USUAL, RARE = "client/languages/{tag}/usual.json", "client/languages/{tag}/rare.json"
READY_MADE = "questions/options/{tag}.json"
# The texts of features, each in a file with all languages, that its module waits for (`learn`).
OF_FEATURES = sorted(path.parent.name for path in bundle.CLIENT.glob("features/*/texts.json"))
OF_FEATURE = "client/features/{}/texts.json"
ON_PAGE = [USUAL, RARE, *map(OF_FEATURE.format, OF_FEATURES)]
ELSEWHERE = [READY_MADE, *sorted(path.relative_to(APP).as_posix() for path in APP.glob("features/*/texts.json"))]
PARTS = [*ON_PAGE, *ELSEWHERE]
TAGS = sorted(folder.name for folder in (bundle.CLIENT / "languages").iterdir())
MODULES = {name: file.body.decode() for name, file in bundle.files().items() if name.endswith(".js")}
# What comes with the texts that few visits need (`withRare`, and `speak` in main.js).
WITH_RARE = re.compile(
    r"(practice|inside|lists|stopped|closed|vendor)/|features/((checks|own|panel|word)/|questions/(media|variants))"
    r"|questions/(place|ranking)|kinds/(?!coin|flips)"
)


def texts_of(tag: str, part: str) -> dict[str, str]:
    read: dict[str, Any] = json.loads((APP / part.format(tag=tag)).read_text(encoding="utf-8"))
    return read if "{tag}" in part else read.get(tag, {})


@pytest.fixture
def words() -> dict[str, str]:
    """Every English text of the page by its name."""
    return {name: text for part in ON_PAGE for name, text in texts_of("en", part).items()}


def test_the_page_offers_every_language_that_is_here() -> None:
    """What it lists is what there are folders of."""
    (listed,) = re.findall(r"NAMES = \{(.*?)\};", MODULES["page.js"], re.DOTALL)
    assert sorted(re.findall(r"([\w-]+)'?: '", listed)) == TAGS


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("tag", TAGS)
def test_a_language_has_every_text_and_no_other(tag: str, part: str) -> None:
    """In the order of the English ones, so that two files can be read side by side; and none is empty."""
    assert list(texts_of(tag, part)) == list(texts_of("en", part))
    assert [name for name, text in texts_of(tag, part).items() if not text.strip()] == []


def test_ready_made_options_say_yes_and_no_as_the_page_does() -> None:
    """In its languages and no other."""
    assert sorted(path.stem for path in (APP / "questions" / "options").iterdir()) == TAGS
    for tag in TAGS:
        page, options = texts_of(tag, USUAL), texts_of(tag, READY_MADE)
        assert (page["yes"], page["no"]) == (options["yes"], options["no"])


def figures_in(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("tag", TAGS)
def test_a_language_has_the_same_places_for_figures(tag: str, part: str) -> None:
    """A figure that stands in the English sentence stands in each other one."""
    own, english = texts_of(tag, part), texts_of("en", part)
    assert [name for name in english if figures_in(own[name]) != figures_in(english[name])] == []


@pytest.mark.parametrize("tag", TAGS)
def test_the_forms_of_a_word_belong_to_a_figure_and_have_one_for_all_others(tag: str) -> None:
    """{count|one:person|other:people}: a figure of this text, forms that plural rules know, and "other" among them."""
    for text in (text for part in PARTS for text in texts_of(tag, part).values()):
        for figure, forms in re.findall(r"\{(\w+)\|([^}]*)\}", text):
            names = [form.partition(":")[0] for form in forms.split("|")]
            assert figure in figures_in(text)
            assert set(names) <= {"zero", "one", "two", "few", "many", "other"}
            assert names[-1] == "other"


def test_every_kind_of_block_tells_how_it_disguises() -> None:
    """Respondents read what happens to their answers, whatever the block."""
    kinds = {name: code for name, code in MODULES.items() if name.startswith("kinds/")}
    assert "kinds/coin.js" in kinds
    assert [name for name, code in kinds.items() if not re.search(r"\bhow: '[\w-]+\.how'", code)] == []


EXACT = {"sentence", "others", "believed"}  # stand in a fold, for those who want them
MOST_WORDS = 15
FIGURES = {"of": "100", "some": "28", "most": "72", "count": "3", "prior": "5%", "posterior": "29%"}


def stands_apart(name: str) -> bool:
    """Whether only those who want it exactly read it, or who look for a receipt."""
    return name.rpartition(".")[2] in EXACT or name.startswith("receipts.")


def test_respondents_read_a_newspapers_english(words: dict[str, str]) -> None:
    """Eight years of school are enough for all of it together, and for every text of eight words or more."""
    demos: list[tuple[str, str]] = [
        (slug, demo[name]["en"]) for slug, demo in SURVEYS.items() for name in ("why", "who", "consent")
    ]
    read = [
        re.sub(r"\{(\w+)(?:\|.*?other:([^}]*))?\}", lambda figure: figure[2] or FIGURES.get(figure[1], "Yes"), text)
        for name, text in [*words.items(), *demos]
        if not stands_apart(name) and len(text.split()) >= 8
    ]

    assert grade("\n".join(read)) <= 8
    assert [(round(grade(text), 1), text) for text in read if grade(text) > 8] == []


def test_no_sentence_has_more_than_fifteen_words(words: dict[str, str]) -> None:
    """Of the page, of every kind and type, of practice and reasons to stop: but of what is exact, in a fold."""
    sentences = [
        sentence
        for name, text in words.items()
        if not stands_apart(name)
        for sentence in re.split(r"(?<=[.?!:;])\s+", text)
    ]
    assert [one for one in sentences if len(one.split()) > MOST_WORDS] == []


def test_the_index_of_reading_is_the_published_one() -> None:
    """ "The cat sat on the mat." has six words of one syllable: 0.39·6 + 11.8 − 15.59; and longer words count more."""
    assert grade("The cat sat on the mat.") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert [syllables(word) for word in ("answers", "protected", "disguise", "stored", "people", "10")] == [
        2,
        3,
        2,
        1,
        2,
        1,
    ]


# Names that are put together: `uncoveredDirect` stands whole in the code, `learnsSiteText` is `${key}Text`.
ENDINGS = ("", "Text", "Help")
STOPS = re.compile(r"Stop\('(\w+)'|: '(\w+)'|outcome === '(\w+)'|'(\w+)' : '(\w+)'")


def named_in(code: str) -> set[str]:
    """The texts that a module may ask for: what stands there in quotes."""
    quoted = set(re.findall(r"'([\w.-]+)'", code))
    return {f"{name}{ending}" for name in quoted for ending in ENDINGS}


def put_together() -> set[str]:
    """Names that begin with a template: `stopped.${reason}`, `practice.${type}` and the like."""
    every = {name for code in MODULES.values() for name in named_in(code)} | set(
        re.findall(r"\b(\w+)(?=[:,(] )", "\n".join(MODULES.values()))
    )
    beginnings = {found for code in MODULES.values() for found in re.findall(r"`([a-z]+\.)\$\{", code)}
    return {f"{beginning}{name}" for beginning in beginnings for name in every}


def test_every_text_that_the_page_asks_for_exists_and_none_is_left_over(words: dict[str, str]) -> None:
    """No step of the way ends in an undefined text."""
    code = "\n".join(MODULES.values())
    asked = set(re.findall(r"\b(?:say|button|folded)\(\s*'([\w.-]+)'", code))
    asked |= {name for name in re.findall(r"'([\w-]+\.\w+)'", code) if not name.endswith(("css", "js"))}
    assert len(asked) > 100
    assert asked - set(words) == set()
    assert set(words) - {name for module in MODULES.values() for name in named_in(module)} - put_together() == set()


def test_every_reason_to_stop_has_its_text(words: dict[str, str]) -> None:
    """Whatever the way ends with, the page says it in words."""
    stops = {found for code in MODULES.values() for found in re.findall(r"Stop\('(\w+)'", code)}
    said = {name.removeprefix("stopped.") for name in words}
    assert len(stops) > 5
    assert stops - said == set()


def test_what_every_visit_loads_has_its_texts_in_the_usual_file() -> None:
    """No module asks for a text that is loaded only where few visits come."""
    rare = set(texts_of("en", RARE))
    usual = {name: code for name, code in MODULES.items() if not WITH_RARE.match(name)}
    assert {name: named_in(code) & rare for name, code in usual.items() if named_in(code) & rare} == {}


@pytest.mark.parametrize("feature", OF_FEATURES)
def test_the_texts_of_a_feature_are_its_own(feature: str) -> None:
    """They begin with its name, by which authors get them to translate. Modules that may lack them ask for none."""
    said = texts_of("en", OF_FEATURE.format(feature))
    others = {name: code for name, code in MODULES.items() if not name.startswith(f"features/{feature}/")}

    assert feature in FEATURES
    assert {name.partition(".")[0] for name in said} == {feature}
    assert {name: named_in(code) & set(said) for name, code in others.items() if named_in(code) & set(said)} == {}
