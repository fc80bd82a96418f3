"""A published questionnaire for people: its texts, its questions, and what respondents read."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import get_language, gettext as _

from surveys.definition import Definition
from surveys.domain.questionnaire.document import PAGE_FLAGS
from surveys.features import announce, texts as texts_of_features
from surveys.features.questions import FIELDS
from surveys.questions import TYPES
from surveys.results.words import words_of_definition


def questionnaire(definition: dict[str, Any]) -> dict[str, Any]:
    """The context of a page that shows a definition to staff."""
    texts = [
        (_("Title"), definition["title"]),
        (_("Who asks"), definition["who"]),
        (_("Why"), definition["why"]),
        (_("Consent"), definition["consent"]),
        (_("Thanks"), definition["closing"]),
        (_("Once it is closed"), definition.get("closed") or {}),
        *((shown, words) for _place, shown, words in texts_of_features(definition)),
    ]
    languages = definition["languages"]
    return {
        "texts": [(name, _in_order(words, languages)) for name, words in texts if any(words.values())],
        "override": definition.get("override"),
        "announced": list(announce(definition, lambda answer: _say_answer(definition, answer))),
        "pages": [
            {
                "number": page.get("number", place),
                "title": _in_order(page.get("title"), languages),
                **{flag: flag in page for flag in PAGE_FLAGS},
                "questions": [_readable_question(question, languages) for question in page["questions"]],
            }
            for place, page in enumerate(definition["pages"], 1)
        ],
    }


def _say_answer(definition: dict[str, Any], answer: str) -> str:
    return words_of_definition(Definition.parse(definition), get_language() or "en").short_entry(answer)


def _in_order(words: dict[str, str] | None, languages: list[str]) -> dict[str, str]:
    """The main language first; a definition is stored with its keys sorted."""
    return {tag: words[tag] for tag in languages if tag in words} if words else {}


def _readable_question(question: dict[str, Any], languages: list[str]) -> dict[str, Any]:
    rows = [(item["id"], item["label"], "last" in item) for item in question.get("items", ())]
    rows += [(option["value"], option["label"], "last" in option) for option in question.get("options", ())]
    return {
        "id": question["id"],
        "text": _in_order(question["text"], languages),
        "help": _in_order(question.get("help"), languages),
        "media": _in_order(question.get("media", {}).get("words"), languages),
        "marks": _(", ").join(_marks(question)),
        "ends": {end: _in_order(words, languages) for end, words in question.get("ends", {}).items()},
        "options": [(value, _in_order(label, languages), last) for value, label, last in rows],
    }


def _marks(question: dict[str, Any]) -> Iterator[str]:
    """What is said of a question beside its texts: its type, whether it is disguised, required, limited, …"""
    own = TYPES[question["type"]]
    yield str(own.label)
    if own.disguise is not None:  # the name of another type says that it is not
        yield _("disguised") if question["sensitive"] else _("not disguised")
    if question.get("required"):
        yield _("required")
    if limits := own.limits(question):
        yield limits
    if question.get("shuffle"):
        yield _("options in random order")
    for name, field in FIELDS.items():
        if question.get(name):
            yield from field.marks(question)
