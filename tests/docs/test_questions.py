"""Somebody who has read one guide alone can answer ten questions about it: each answer is a sentence of that guide."""

import re
import tomllib
from itertools import pairwise

import pytest

from tests.docs.pages import anchors, text_of
from tests.servers import ROOT

QUESTIONS = tomllib.loads(text_of(ROOT / "tests" / "docs" / "questions.toml"))
TOO_LONG = 25  # words
# what a reader of the guide has not met before: where it is first written, it is explained, in bold or in italics
TERMS = {
    "which-design": ("γ", "standard error", "item", "pair", "rule"),
    "plan": ("γ", "design", "block", "standard error", "sampled", "flip", "advisor", "bias"),
    "results": ("estimate", "interval", "standard error", "support", "confidence", "itemset", "snapshot"),
    "rules": ("itemset", "support", "rule", "confidence", "lift", "q", "shrunken", "direct group", "bins"),
    "guarantee": ("disguise", "γ", "differential privacy", "coin", "word", "cap", "prior"),
    "trust": ("inbox", "sealing", "parts", "sealing keys", "submission key", "receipt", "token", "minimum"),
}


def plain(text: str) -> str:
    """The words that a reader sees, without marks of Markdown."""
    return " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("*", "").replace("`", "").split())


def guide(name: str) -> str:
    return text_of(ROOT / "docs" / f"{name}.md")


def sections(text: str) -> dict[str, str]:
    """What is below each heading, by its anchor; what comes before the second heading by ""."""
    heads = [*re.finditer(r"^##+ .+$", text, re.MULTILINE)]
    ends = [*(head.start() for head in heads), len(text)]
    below = {"": text[: ends[0]]}
    for head, (_, end) in zip(heads, pairwise(ends), strict=True):
        (anchor,) = anchors(head.group())
        below[anchor] = text[head.end() : end]
    return below


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_guide_answers_ten_questions(name: str) -> None:
    """Each where it is said to, by a sentence of at most 25 words."""
    below = {anchor: plain(text) for anchor, text in sections(guide(name)).items()}
    asked = QUESTIONS[name]

    assert len({one["asks"] for one in asked}) == 10
    assert [one["asks"] for one in asked if one["says"] not in below.get(one["at"], "")] == []
    assert [one["says"] for one in asked if len(one["says"].split()) > TOO_LONG] == []


@pytest.mark.parametrize("name", [*QUESTIONS, "evidence", "breach"])
def test_a_guide_begins_with_whom_it_is_for(name: str) -> None:
    """And what for, and the shortest way: somebody who needs no more can stop there."""
    first = guide(name).split("\n\n", 2)[1]

    assert re.findall(r"\*\*([^*]+?):\*\*", " ".join(first.split())) == ["For whom", "What for", "The shortest way"]


@pytest.mark.parametrize("name", TERMS)
def test_a_term_is_explained_where_it_is_first_written(name: str) -> None:
    """It is marked there; links and commands before it do not count."""
    body = guide(name).split("\n\n", 2)[2]  # after the title and the lines for whom
    text = re.sub(r"(?s:```.*?```)|\[[^]]*\]\([^)]*\)|`[^`]*`|^#+ .*$", "", body, flags=re.MULTILINE)
    text = " ".join(text.split())

    def is_explained(term: str) -> bool:
        first = re.search(rf"(\*{{0,2}})(?<!\w){re.escape(term)}s?(?!\w)", text, re.IGNORECASE)
        return first is not None and bool(first[1])

    assert [term for term in TERMS[name] if not is_explained(term)] == []
