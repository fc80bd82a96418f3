"""A published questionnaire for people: its texts, its questions, and what respondents read."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import get_language, gettext as _

from privacy.design.rationals import ONE
from privacy.output import whole
from surveys.conditions import Condition, fold
from surveys.definition import Definition
from surveys.domain.questionnaire.document import PAGE_FLAGS
from surveys.features import announce
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


def _condition_in_words(condition: Condition) -> str:
    """`sex = “f” or “m”`; parts of which all or any must hold are in parentheses."""

    def leaf(one: Condition) -> str:
        values = _(" or ").join(f"“{value}”" for value in one["is"])
        return _("%(question)s = %(values)s") % {"question": one["question"], "values": values}

    def join(by: str, parts: Sequence[str]) -> str:
        return (_(" and ") if by == "all" else _(" or ")).join(f"({part})" for part in parts)

    return fold(condition, leaf, join)


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
    if parameter := question.get("parameter"):
        yield _("not asked: the parameter “%(name)s” of the address has the answer") % {"name": parameter}
    if chances := question.get("chances"):
        drawn = (
            f"“{option['value']}” {100 * chance / ONE:.4g} %"
            for option, chance in zip(question["options"], chances, strict=True)
        )
        yield _("not asked: the device draws the answer, %(chances)s") % {"chances": _(", ").join(drawn)}
    if out := question.get("out"):
        yield _("people are sent away who answer %(values)s") % {
            "values": _(" or ").join(f"“{value}”" for value in out)
        }
    if enough := question.get("enough"):
        groups = (f"“{value}” {whole(people)}" for value, people in enough.items())
        yield _("enough people with an answer: about %(groups)s") % {"groups": _(", ").join(groups)}
    if when := question.get("when"):
        yield _("only when %(condition)s") % {"condition": _condition_in_words(when)}
