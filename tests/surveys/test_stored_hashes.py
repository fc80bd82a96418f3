"""Published definitions are stored as bytes, and found by the hash of these: a later version writes the same ones."""

import json
from collections.abc import Mapping
from copy import deepcopy
from hashlib import sha256
from typing import Any

import pytest

from surveys.definition import Definition
from surveys.domain.demo.people import SURVEYS
from surveys.domain.demo.surveys import _document_of_demo
from surveys.domain.drafts.beginnings import BEGINNINGS, beginning
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import empty, new_option, new_page, new_question, upgrade
from surveys.features import ENTRIES
from surveys.features.questions import FIELDS
from surveys.models import Survey

TEXT = {"en": "Text"}
PICTURE = "0" * 64 + "-2x1.png"
PANEL = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "C7K2QD9P", "out": "CX", "full": "CF"}
DAYS = {"draw_way": "extended", "source": "day", "part": 8}
OWN = [
    {"name": "1", "kind": "by-person", "settings": DAYS | {"fact": "mother"}, "questions": ["drugs"]},
    {"name": "2", "kind": "by-person", "settings": DAYS | {"fact": "father"}, "questions": ["fraud"]},
    {"name": "3", "kind": "coin", "settings": {"keep": 0.3, "theta": 0.6}, "questions": ["theft"]},
]
# What each document has beside its questions; together every entry of a feature, and every field of a question.
WITH: dict[str, dict[str, Any]] = {
    "checks": {"direct": True, "lot": 20, "comprehension": True},
    "careless": {"careless": ["drugs", "theft"]},
    "early": {"early": True, "beside": True, "frames": ["https://www.example.edu"], "panel": PANEL},
    "looks": {"looks": {"logo": PICTURE, "words": TEXT, "accent": "#17635c"}, "unspoken": {"it": "Rare"}},
    "study": {"study": {"here": 1, "arms": [{"slug": "other", "version": "1" * 64, "parts": 3}]}},
    "own": {"own": {"never": "fraud", "held": ["friend"]}, "blocks": OWN},
}
# The first four are drafts whose blocks the site proposes: a new one gets a list of words by decision 120. One that was
# begun before keeps its blocks, and so its bytes.
STORED: dict[str, str] = {
    "academic-integrity": "f7441a09b71b70ef933bc9c6e7039a0bfebb142d3ec48d40788b6e9a7cf48753",
    "workplace-harassment": "13a06626eabd3e26cf1168c404cb62a50cc7b955eafb8de57ad4c803e94f8731",
    "substance-use": "90afe5fb7397a35dc5f4626f58eb37ef037c062512bf20653055537b9c9aa599",
    "corruption": "b2bcbce2a0c1bbe4d4153092da5b529696b3e829e421cc3228cdfe0184807953",
    "validation": "b9342f8c6be5423dc1a09faadeed1dbb1ce65827bc2412b09d55d58697897f86",
    "validation-plain": "85064adbb4030cb584657429790d43f3585aa64f76d5460f54dc9488b4f05d32",
    "validation-own": "c8ac5f6fcbc5f1c8db5c26ec7c32a4e548f3621eee90760123b5604c35a3ad81",
    "demo-prefer": "5b01b4807e5fc18353f1a8a52bc95ac321032ed199999d07a267810155bc087b",
    "demo": "2463481496d4e0a8008f9c00d33d51cc6c58df7e4bafbd5b5fbb3577857054e5",
    "demo-ten": "98ac22e0aaa921b2d0273bd87c123134b8f51c6866177495883d4304d37d39df",
    "demo-ten-coin": "40ac34d8ff9ab00e6d7cbb63cda3fbd201c43f7e1388f30e0ba500fdf9f0b255",
    "demo-town": "5c6b95d06ab319eec1d2fe3fd3f25e94a46872911d1ceb62a2fb85236d2f0f57",
    "with checks": "e2b435c29470231c146d030b316eccc1edeeb3ded095fa6cf04cb780e1049f65",
    "with careless": "b2e62757a2193d028af7093e44aacde9fb7b9a5b0e7ce2835c07d50350c33564",
    "with early": "62d307d08fe08874c0e9f6fefd726647288fcbfdee7afb99edeeea99e187a574",
    "with looks": "dc2e87652b7f2c817ad166d3d72b7064f61bc15db8935366458d209f5d6dde21",
    "with study": "af9709a3af7410d0eafde40cdd7c648b0b1a4f611e560779a7d99559681b83ad",
    "with own": "619ce0993befe653d959dea4c962e254a89dead4348165919ca2a93be3999b33",
}


def question(name: str, kind: str = "yesno", **fields: Any) -> dict[str, Any]:
    return new_question(name, kind) | {"text": TEXT} | fields


def options(*values: str) -> list[dict[str, Any]]:
    return [new_option(value, {"en": value}) for value in values]


def document_with(fields: Mapping[str, Any]) -> dict[str, Any]:
    hidden = [question("drugs", no_skip="The law says so."), question("theft"), question("fraud")]
    first = [
        question("sex", "choice", options=options("f", "m"), out=[] if "protection" in fields else ["m"]),
        question("group", "choice", options=options("a", "b"), parameter="from"),
        question("side", "choice", options=options("l", "r"), chances="1 : 3"),
        question("town", "choice", options=options("x", "y"), enough={} if "protection" in fields else {"x": 20}),
    ]
    later = [
        question("car", when={"question": "sex", "is": ["f"]}, media={"file": {"en": PICTURE}, "words": TEXT}),
        question("why", "text", text={"en": "And {sex}?"}, pipes={"sex": {"en": "that", "it": "quello"}}),
    ]
    pages = [new_page(1, first), new_page(2, hidden), new_page(3, later)]
    blocks = [
        {
            "name": "all",
            "kind": "coin",
            "settings": {"keep": 0.3, "theta": 0.6},
            "questions": ["drugs", "theft", "fraud"],
        }
    ]
    return (
        empty("Study", ["en", *fields.get("unspoken", ())])
        | {"pages": pages, "blocks": blocks}
        | dict(deepcopy(fields))
    )


def documents() -> dict[str, dict[str, Any]]:
    return (
        {name: beginning(name, "Study", "en") for name in BEGINNINGS}
        | {name: _document_of_demo(demo) for name, demo in SURVEYS.items()}
        | {f"with {name}": document_with(fields) for name, fields in WITH.items()}
    )


def published(document: Mapping[str, Any]) -> bytes:
    survey = Survey(slug="study", title="Study", override_by="Tests", override_reason="kept")
    return compose(draft_without_gaps(survey, upgrade(deepcopy(document))), trial=True).to_bytes()


@pytest.mark.parametrize("name", STORED)
def test_a_document_publishes_the_bytes_that_it_always_did(name: str) -> None:
    """Reading these bytes and writing them again changes nothing, either."""
    stored = published(documents()[name])

    assert sha256(stored).hexdigest() == STORED[name]
    assert Definition.parse(stored).to_bytes() == stored


# No document of these has them: they are of a later year than the hashes.
NOT_ASKED = {"anchor", "texts", "drawn", "mode", "modes", "interviews", "notice"}


def test_every_document_every_entry_and_every_field_is_kept() -> None:
    made = [json.loads(published(document)) for document in documents().values()]
    asked = [entry for one in made for page in one["pages"] for entry in page["questions"]]

    assert documents().keys() == STORED.keys()
    assert {name for one in made for name in one} >= ENTRIES - NOT_ASKED
    assert {name for entry in asked for name in entry} >= FIELDS.keys()
