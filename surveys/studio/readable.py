"""A published questionnaire for people: its texts, its questions, and what respondents read."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.utils.translation import get_language, gettext as _

from privacy.design.rationals import ONE
from privacy.output import whole
from surveys.conditions import Condition, fold
from surveys.definition import Definition
from surveys.domain.questionnaire.document import PAGE_FLAGS
from surveys.domain.questionnaire.languages import language_name
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
        "announced": list(announcements(definition, lambda answer: _say_answer(definition, answer))),
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


def announcements(definition: dict[str, Any], named: Callable[[str], str]) -> Iterator[str]:
    """What respondents read about who may read responses, where it is not the usual; `named` says an answer."""
    if "early" in definition:
        yield _(
            "Responses, undisguised answers and figures of undisguised questions may be read before this version is "
            "closed. Direct "
            "answers wait."
        )
    if "central" in definition:
        central = definition["central"]
        yield _("Undisguised answers leave the site as counts with noise alone: ε = %(epsilon)g.") % central
        if "delta" in central:
            yield _("This bound fails with a chance of at most δ = %(delta)g.") % central
        for pair in central.get("tables", ()):
            yield _("Counted together: %(pair)s.") % {"pair": " × ".join(pair)}
    if "beside" in definition:
        yield _("In files, what people write in their own words stays beside their other answers.")
    if "lot" in definition:
        yield _(
            "Devices draw %(percent)s in 100 people at random, ask them to answer undisguised, and let them decline. "
            "Nobody else is asked."
        ) % {"percent": f"{100 * definition['lot'] / ONE:.3g}"}
    if "after" in definition and definition.get("access") == "open":  # others were drawn by lot, and are not asked
        yield _("This is a second wave: people who answered the first do not answer. The page asks them.")
    if "panel" in definition:
        yield _("People come from %(name)s, which learns how each visit ends and no answer.") % definition["panel"]
        if definition["access"] == "invitation" and definition["panel"].get("number"):
            yield _("Its number of a person lets them in once, for a blind token, and is joined to no answer.")
    if "frames" in definition:
        yield _("Pages of these sites may hold the survey in a frame, and learn no answer: %(sites)s.") % {
            "sites": _(", ").join(definition["frames"])
        }
    if "looks" in definition:
        yield _("The first page has the survey's own looks: %(looks)s.") % {
            "looks": _(", ").join(_of_looks(definition["looks"]))
        }
    if own := {**definition.get("texts", {}), **definition.get("unspoken", {})}:
        yield _("What the page says in these languages, or why it does not, is by the author: %(languages)s.") % {
            "languages": _(", ").join(map(language_name, own))
        }
    if "anchor" in definition:
        known = definition["anchor"]
        yield _("The share of one answer is known, and responses are compared with it: %(answer)s, %(percent)s %%.") % {
            "answer": named(known["answer"]),
            "percent": f"{100 * known['share']:.4g}",
        }
    if "careless" in definition:
        yield _("Two questions show how many people answer without reading: %(answers)s.") % {
            "answers": _("; ").join(map(named, definition["careless"]))
        }


def _of_looks(looks: dict[str, Any]) -> Iterator[str]:
    if "logo" in looks:
        yield _("a logo")
    if "accent" in looks:
        yield _("the colour %(color)s") % {"color": looks["accent"]["light"]}


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
