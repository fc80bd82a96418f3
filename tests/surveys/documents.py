"""Documents of published questionnaires, as small as they can be."""

from typing import Any

WORDS = {"en": "words"}


def document(*questions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    texts = dict.fromkeys(("title", "who", "why", "consent", "closing"), WORDS)
    design = {"candor": 1, "direct": True, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}
    drugs = {"id": "drugs", "type": "yesno", "sensitive": True, "text": WORDS}
    return {
        "candor": 1,
        "slug": "study",
        "languages": ["en"],
        **texts,
        "design": design,
        "access": "open",
        "override": None,
        "pages": [{"questions": [drugs, *questions]}],
        **fields,
    }


def question(identifier: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": identifier, "type": kind, "sensitive": False, "text": WORDS, **fields}


def options(*values: str) -> list[dict[str, Any]]:
    return [{"value": value, "label": WORDS} for value in values]
