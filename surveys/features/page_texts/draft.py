"""What the respondent's page says, in a language that it does not speak: translated by the survey's author.

Names and English texts are those of surveys/client: of languages/en, and of texts.json in the folders of features. A
translation keeps the figures of each. What one survey needs of them depends on its kinds of disguise and on what else
its page has.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, to_translate
from surveys.domain.drafts.change_part import Change, change
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.draft_part import DraftPart, Gap, names_of_features
from surveys.features.questions import FIELDS
from surveys.kinds import TEXTS
from surveys.questions import TYPES
from surveys.rules import Faults, checked_by, language_tags, texts

_CLIENT = Path(__file__).resolve().parents[2] / "client"


def _read(path: Path) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return written


_USUAL, _RARE = (_read(_CLIENT / "languages" / "en" / f"{part}.json") for part in ("usual", "rare"))
_OF_FEATURES = {
    name: text for path in sorted(_CLIENT.glob("features/*/texts.json")) for name, text in _read(path)["en"].items()
}
_WITHOUT = "receipts."  # of the page of a closed survey, which knows no questionnaire
_ALWAYS = ("practice", "stopped", "checks")
LONGEST = 2_000  # letters of one text
_EARLIER = {
    *("one-of.arrived", "one-of.note", "nobody", "notEven", "hollow", "doubt", "value", "picture", "before", "after"),
    *("pictured", "full", "person.pressed"),
}  # texts of earlier versions: translations of them are kept unread

ENGLISH: dict[str, str] = {
    name: text for name, text in (_USUAL | _RARE | _OF_FEATURES).items() if not name.startswith(_WITHOUT)
}


def needed(draft: Draft) -> list[str]:
    """The names of the texts that the page of this survey can show, in their order; a name begins with its part."""
    parts = [*_ALWAYS, *names_of_features(draft.document)]
    parts += ["comprehension"] if draft.document["comprehension"] else []
    parts += ["order"] if any(page.ask for page in draft.pages) else []
    for question in draft.questions:
        parts += [*TYPES[question.type].fields, *({question.type} - {*TEXTS.values()})]  # a disguise has its own
        parts += [field.says_more for name, field in FIELDS.items() if getattr(question, name)]
        parts += [TEXTS[question.block.kind]] if question.block else []
    return [name for name in ENGLISH if name in _USUAL or name.partition(".")[0] in parts]


def translations(draft: Draft) -> dict[str, dict[str, str]]:
    """The author's texts, by language that the page does not speak; empty where one of the needed is missing."""
    names, texts = needed(draft), draft.document["page_texts"]
    return {
        tag: {name: texts[tag][name] for name in names} if set(names) <= set(texts.get(tag, ())) else {}
        for tag in draft.unspoken
    }


def _entries(draft: Draft) -> dict[str, Any]:
    """The definition's entries "texts" (complete translations of the page) and "unspoken" (why there is none)."""
    entries: dict[str, dict[str, Any]] = {}
    for tag, sentences in translations(draft).items():
        if sentences:
            entries.setdefault("texts", {})[tag] = sentences
        elif draft.document["unspoken"].get(tag):
            entries.setdefault("unspoken", {})[tag] = draft.document["unspoken"][tag]
    return entries


def check_page_texts(texts: Any, at: str) -> None:
    """Refuse a translation with an unknown text, or one that leaves out a figure of the English text."""
    if not isinstance(texts, Mapping) or not all(isinstance(text, str) for text in texts.values()):
        raise EntryError("this is an object from names to texts.", at=at)
    for name, text in texts.items():
        if name in _EARLIER:
            continue
        if name not in ENGLISH:
            raise EntryError("“{name}” is no text of the respondent's page.", at=at, name=name[:40])
        if not 0 < len(text) <= LONGEST:
            raise EntryError(
                "“{name}” has {count} letters, must be 1 to {most}.", at, name=name, count=len(text), most=LONGEST
            )
        if _figures(text) != _figures(ENGLISH[name]):
            raise EntryError(
                "“{name}” must hold each figure of the English text, {figures}, and no other: “{text}”.",
                at=at,
                name=name,
                text=ENGLISH[name],
                figures=", ".join(f"{{{figure}}}" for figure in sorted(_figures(ENGLISH[name]))) or "–",
            )


def _figures(text: str) -> set[str]:
    """The names that are filled in, such as count for {count}; and "…" if braces are used in any other way.

    {count|one:person|other:people} is the word that goes with a figure, which stands there, too.
    """
    figures = set(re.findall(r"\{(\w+)\}", text))
    words = re.findall(r"\{(\w+)\|(?:(?:zero|one|two|few|many):[^{}|]+\|)*other:[^{}|]+\}", text)
    is_whole = set(words) <= figures and len(re.findall(r"[{}]", text)) == 2 * (
        len(words) + len(re.findall(r"\{\w+\}", text))
    )
    return figures if is_whole else {*figures, "…"}


def _gaps(draft: Draft) -> Iterator[Gap]:
    """The languages that the page does not speak and that nobody has translated it into, nor said why."""
    for tag, sentences in translations(draft).items():
        if not sentences and not draft.document["unspoken"].get(tag):
            sentence = _(
                "The respondent's page does not speak %(language)s: translate what it says, or write why people read "
                "the promise in another language."
            )
            yield Gap(draft.survey, sentence, tag, page="page-texts", about=(tag,))


def read_page_texts(content: bytes, tag: str) -> dict[str, str]:
    """Read texts of the respondent's page in language `tag`, by their names; EntryError says what is wrong.

    {"begin": {"en": "I agree – begin", "it": "Accetto: si comincia"}, …}; empty texts are left out.
    """
    try:
        entries = json.loads(content)
        if not all(isinstance(own[tag], str) for own in entries.values()):
            raise TypeError
    except (ValueError, RecursionError):
        raise EntryError("the file is not JSON.") from None
    except (AttributeError, TypeError, KeyError):
        sentence = to_translate("every text of the file is an object with the language “{tag}”.")
        raise EntryError(sentence, tag=tag) from None
    return {name: text for name, own in entries.items() if (text := own[tag].strip())}


@change("speak", gettext_lazy("texts of the respondent's page changed"))
def _write_page_texts(document: Document, said: Change, _wanted: set[str]) -> None:
    """Replace the texts of the respondent's page in one language; without any the usual ones return."""
    texts = {name: text.replace("\r\n", "\n").strip() for name, text in said["texts"].items()}
    own = {name: text for name, text in texts.items() if text}
    others = {tag: kept for tag, kept in document["page_texts"].items() if tag != said["language"]}
    document["page_texts"] = others | ({said["language"]: own} if own else {})


def _faults(languages: Any, at: str) -> Faults:
    tags = list(languages) if isinstance(languages, dict) else [None]
    yield from language_tags(tags, at) if tags else ()
    for tag in tags if isinstance(languages, dict) else ():
        yield from checked_by(check_page_texts)(languages[tag], f"{at}.{tag}")


PART = DraftPart(
    has=lambda document: bool(document["unspoken"] or document["page_texts"]),
    entries=_entries,
    about_answers=False,
    gaps=_gaps,
    lost=gettext_lazy("the page's own words in languages that it does not speak, and why they are missing"),
    rules={"page_texts": _faults, "unspoken": texts},
)
